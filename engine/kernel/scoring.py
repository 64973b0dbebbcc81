"""Scoring a deal, the games' totals, and the end of a game. Sources: RULES §1.9, §1.10."""

from __future__ import annotations

from engine.cards import BLACK_THREES, KIND_OF, POINTS_OF, RED_THREES, SEVENS
from engine.jit import jit
from engine.kernel.awards import (
    cap_bonuses,
    count_aside_points,
    count_one_turn_points,
    drop_wild_bonus,
    put_award,
)
from engine.kernel.canastas import (
    clear_counts,
    count_held_charge,
    count_held_penalty,
    count_open_penalties,
    count_set_points,
    put_melds,
)
from engine.kernel.deal import count_active
from engine.log import DEAL_ENDINGS, NULL, OPENINGS, code
from engine.rules import code as rule_code

ONE_CANASTA, TWO_CANASTAS = rule_code("red3_sign", "one_canasta"), rule_code("red3_sign", "two_canastas")
PLUS_ONLY, SWING = rule_code("red3_sign", "plus_only"), rule_code("red3_sign", "swing")
SEVENS_CANASTA = rule_code("red3_sign", "sevens_canasta")
OUT, CONCEALED, CAP = code(DEAL_ENDINGS, "out"), code(DEAL_ENDINGS, "concealed"), code(DEAL_ENDINGS, "cap")
NO_FEE = -1
"""A three in hand counts its points."""
BY_HAND, BY_PILE = code(OPENINGS, "hand"), code(OPENINGS, "pile")


@jit
def find_sign(table, rules, log, row, side):
    """1 where the side's red threes count for it, −1 where against, 0 where not at all (RULES §1.10, §3, §10, §17)."""
    canastas = table.canastas[side]
    if rules.red3_sign == PLUS_ONLY:
        return 1
    if rules.red3_sign == SWING:
        return min(canastas, 2) - 1
    if rules.red3_sign == SEVENS_CANASTA:
        earned = log.sides_natural_by_rank[SEVENS, row] + log.sides_mixed_by_rank[SEVENS, row] > 0
    elif rules.red3_sign == ONE_CANASTA or rules.red3_sign == TWO_CANASTAS:
        earned = canastas >= (1 if rules.red3_sign == ONE_CANASTA else 2)
    else:
        earned = table.opened[side] != 0
    return 1 if earned else -1


@jit
def count_three_points(rules, threes):
    """Bonus of so many threes of a colour, its sign apart."""
    return rules.red3_totals[min(threes, rules.red3_totals.size) - 1] if threes > 0 else 0


@jit
def count_red_three_points(table, rules, log, row, side, playing):
    """Bonus of a side's red threes, and of black ones laid like them, turned negative where the rules say so."""
    total = count_three_points(rules, table.red_threes[side]) + count_three_points(rules, table.black_threes[side])
    return total * find_sign(table, rules, log, row, playing) if total != 0 else 0


@jit
def count_reserve_points(table, rules, croupier, seat):
    """Points of the reserve a seat has not taken up, threes at what the rules charge for them (RULES §9)."""
    points = 0
    for place in range(table.reserves[seat]):
        card = croupier.reserves[seat, place]
        kind = KIND_OF[card]
        fee = rules.fee_red3 if kind == RED_THREES else NO_FEE
        if kind == BLACK_THREES and croupier.out_seat >= 0:
            fee = rules.fee_black3
        points += fee if fee >= 0 else POINTS_OF[card]
    return points


@jit
def put_held(table, seats, rules, croupier, log, row, side):
    """Cards left in a side's hands and reserves."""
    cards, points, penalties = 0, 0, 0
    for seat in range(table.players):
        if table.seat_sides[seat] == side:
            hand = seats.hand[seat]
            cards += hand.count + table.reserves[seat]
            points += hand.points + count_reserve_points(table, rules, croupier, seat)
            if croupier.out_seat >= 0:  # a fee for black threes is due when someone goes out (RULES §4)
                points += count_held_charge(hand, rules, BLACK_THREES, rules.fee_black3)
            points += count_held_charge(hand, rules, RED_THREES, rules.fee_red3)
            penalties += count_held_penalty(hand, rules)
    log.sides_held_cards[row] = cards
    log.sides_held_points[row] = -points
    log.sides_held_penalty_points[row] = -penalties


@jit
def put_story(table, croupier, log, row, side):
    """How a side's deal went: opening, first canasta, takes, freezes."""
    opened = croupier.open_turn[side] > 0
    log.sides_open_turn[row] = croupier.open_turn[side] if opened else NULL
    log.sides_open_seat[row] = croupier.open_seat[side] + 1 if opened else NULL
    log.sides_opening[row] = croupier.opening[side] if opened else 0
    log.sides_open_points[row] = croupier.open_points[side] if opened else NULL
    log.sides_first_canasta_turn[row] = croupier.first_canasta[side] if croupier.first_canasta[side] > 0 else NULL
    log.sides_legal_takes[row] = croupier.legal_takes[side]
    log.sides_takes[row] = croupier.takes[side]
    log.sides_taken_cards[row] = croupier.taken[side]
    log.sides_freezes[row] = croupier.freezes[side]
    log.sides_red_threes[row] = table.red_threes[side]
    log.sides_black_threes[row] = table.black_threes[side]
    log.sides_minimum[row] = croupier.minimums[side] if table.lone >= 0 else table.minimum[side]


@jit
def count_out_bonus(table, rules, croupier, side):
    """Bonus for going out, whole (a concealed one is not added to the plain one)."""
    if croupier.out_seat < 0 or table.seat_sides[croupier.out_seat] != side:
        return 0
    if croupier.out_concealed:
        return rules.out_bonus_concealed
    return rules.out_bonus_concealed_plain if croupier.out_plain else rules.out_bonus_out


@jit
def add_up(log, row):
    """A deal's score of a side: the sum of all its points."""
    score = log.sides_natural_points[row] + log.sides_mixed_points[row] + log.sides_card_points[row]
    score += log.sides_wild_points[row] + log.sides_sequence_points[row] + log.sides_royal_points[row]
    score += log.sides_set_points[row] + log.sides_open_meld_points[row] + log.sides_held_penalty_points[row]
    score += log.sides_held_points[row] + log.sides_red_three_points[row] + log.sides_out_points[row]
    score += log.sides_aside_points[row] + log.sides_one_turn_points[row]
    return score + log.sides_special_points[row]


@jit
def put_points(table, seats, rules, croupier, log, row, side):
    """What a side's deal is worth; partners of a deal have all but their threes in common (RULES §1.11)."""
    playing = table.seat_sides[side] if table.lone >= 0 else side
    put_melds(table, rules, log, row, playing)
    put_held(table, seats, rules, croupier, log, row, playing)
    log.sides_red_three_points[row] = count_red_three_points(table, rules, log, row, side, playing)
    log.sides_out_points[row] = count_out_bonus(table, rules, croupier, playing)
    log.sides_set_points[row] = count_set_points(rules, log, row)
    log.sides_open_meld_points[row] = -count_open_penalties(table, rules, playing)
    log.sides_aside_points[row] = count_aside_points(table, rules, side)
    log.sides_one_turn_points[row] = count_one_turn_points(table, rules, croupier, playing)
    if rules.melds_negative_without_canasta and table.canastas[playing] == 0:
        log.sides_card_points[row] = -log.sides_card_points[row]
    drop_wild_bonus(table, rules, croupier, log, row, playing)
    cap_bonuses(table, rules, croupier, log, row, playing)
    put_award(table, rules, croupier, log, row, playing)
    if playing != side:
        count_once(log, row)
    put_partner(table, log, row, side)


@jit
def count_once(log, row):
    """Cards and canastas of partners who each have a row stand in one of them; their points in both."""
    clear_counts(log, row)
    log.sides_held_cards[row] = 0


@jit
def put_partner(table, log, row, side):
    """Whether a seat played alone, and with whom it did not, where sides form during the deal."""
    log.sides_lone[row] = table.lone == side
    log.sides_partner[row] = NULL
    if table.lone >= 0 and table.lone != side:
        log.sides_partner[row] = 3 - table.lone - side + 1


@jit
def score_side(table, seats, rules, croupier, log, side):
    """Score a side's deal into its row of `sides` and its total."""
    row = log.sides_rows
    log.sides_rows = row + 1
    log.sides_game[row] = croupier.game
    log.sides_deal[row] = table.deal
    log.sides_side[row] = side + 1
    put_story(table, croupier, log, row, side)
    put_points(table, seats, rules, croupier, log, row, side)
    log.sides_score[row] = add_up(log, row)
    log.sides_score_before[row] = table.scores[side]
    table.scores[side] += log.sides_score[row]
    log.sides_score_after[row] = table.scores[side]
    croupier.g_naturals[side] += log.sides_natural_canastas[row]
    croupier.g_mixed[side] += log.sides_mixed_canastas[row]
    croupier.g_wilds[side] += log.sides_wild_canastas[row]
    croupier.g_sequences[side] += log.sides_sequence_canastas[row]
    croupier.g_melded += log.sides_melded_cards[row]


@jit
def put_deal(table, croupier, log):
    """The row of `deals`; hands and upcards were written as they were dealt."""
    row = log.deals_rows
    log.deals_rows = row + 1
    log.deals_game[row] = croupier.game
    log.deals_deal[row] = table.deal
    log.deals_dealer[row] = table.dealer + 1
    log.deals_seats[row] = count_active(table)
    log.deals_sits_out[row] = table.sits_out + 1 if table.sits_out >= 0 else NULL
    log.deals_turns[row] = table.turn
    log.deals_ending[row] = croupier.ending
    log.deals_out_seat[row] = croupier.out_seat + 1 if croupier.out_seat >= 0 else NULL
    log.deals_stock[row] = table.stock
    log.deals_pile[row] = table.pile_count
    log.deals_biggest_take[row] = croupier.biggest if croupier.biggest > 0 else NULL
    log.deals_biggest_take_seat[row] = croupier.biggest_seat + 1 if croupier.biggest > 0 else NULL
    croupier.g_turns += table.turn
    croupier.g_frozen_deals += croupier.deal_frozen
    croupier.g_out_deals += croupier.out_seat >= 0


@jit
def add_side_totals(table, croupier):
    """Add the deal's counts by side to the game's."""
    for side in range(table.sides):
        croupier.g_takes += croupier.takes[side]
        croupier.g_legal_takes += croupier.legal_takes[side]
        croupier.g_taken += croupier.taken[side]
        croupier.g_side_takes[side] += croupier.takes[side]
