"""What few rules add to a deal: black threes, canastas of one turn, a cap on bonuses, special hands, a match won.

Sources: RULES §8, §10, §13; house rules (parameters `counted_canastas`, `one_turn_canasta_bonus`, `match_win`).
"""

from __future__ import annotations

from engine.jit import jit
from engine.kernel.canastas import add_bonus, count_bonus_of
from engine.kernel.licence import NO_WILD_CANASTA
from engine.kernel.melds import AS_RANK, CANASTA, count_cards, find_kind_on_table
from engine.kernel.special import SPECIAL, find_award
from engine.kernel.state import FIRST_PLACES, THREES_MELD, WILD_MELD
from engine.rules import code

AS_MANY = code("counted_canastas", "as_many_as_out")
ASIDE_POINTS, ALL_ASIDE_POINTS = 5, 100


@jit
def count_aside_points(table, rules, side):
    """Points of black threes set aside: 5 each to the taker, 100 for all of the pack (RULES §13)."""
    asides = table.asides[side]
    return ALL_ASIDE_POINTS if asides == 2 * rules.packs else ASIDE_POINTS * asides


@jit
def count_one_turn(table, rules, croupier, side):
    """Count the canastas begun and completed in the turn that ends."""
    for place in range(FIRST_PLACES + table.extras[side]):
        new = (croupier.melds_before >> place & 1) == 0
        counts = place != THREES_MELD or rules.black3_meld == AS_RANK
        if new and counts and count_cards(table, side, place) >= CANASTA:
            croupier.one_turn[side] += 1


@jit
def count_one_turn_points(table, rules, croupier, playing):
    """Bonus of those canastas; partners of a deal have what each laid before they were."""
    canastas = 0
    for side in range(table.sides):
        canastas += croupier.one_turn[side] * (playing == (table.seat_sides[side] if table.lone >= 0 else side))
    return canastas * rules.one_turn_canasta_bonus


@jit
def count_others_bonus(table, rules, side, place):
    """Bonus of the canasta in a place for a side that has not gone out."""
    kind = find_kind_on_table(table, side, place)
    if kind == WILD_MELD and rules.out_conditions & NO_WILD_CANASTA:
        return 0
    return count_bonus_of(rules, kind, table.twos[side, place], table.jokers[side, place])


@jit
def find_cheapest(table, rules, side, done):
    """The canasta outside a mask whose bonus is least; −1 if there is none."""
    best, least = -1, 0
    for place in range(FIRST_PLACES + table.extras[side]):
        if count_cards(table, side, place) < CANASTA or done >> place & 1:
            continue
        bonus = count_others_bonus(table, rules, side, place)
        if best < 0 or bonus < least:
            best, least = place, bonus
    return best


@jit
def drop_bonus(table, rules, log, row, side, place):
    """Take a canasta's bonus out of a row of `sides`."""
    wilds = table.twos[side, place] + table.jokers[side, place]
    bonus = count_others_bonus(table, rules, side, place)
    add_bonus(log, row, find_kind_on_table(table, side, place), wilds, -bonus)


@jit
def cap_bonuses(table, rules, croupier, log, row, side):
    """Let a side that did not go out count no more canastas than the side that did, those worth most."""
    if rules.counted_canastas != AS_MANY or croupier.out_seat < 0:
        return
    out = table.seat_sides[croupier.out_seat]
    if out == side:
        return
    done = 0
    for _ in range(table.canastas[side] - table.canastas[out]):
        place = find_cheapest(table, rules, side, done)
        if place < 0:
            break
        done |= 1 << place
        drop_bonus(table, rules, log, row, side, place)


@jit
def drop_wild_bonus(table, rules, croupier, log, row, side):
    """Canastas of wild cards are worth a bonus only to the side that goes out, where they do not help to (RULES §7)."""
    out = croupier.out_seat >= 0 and croupier.ending != SPECIAL and table.seat_sides[croupier.out_seat] == side
    if rules.out_conditions & NO_WILD_CANASTA and not out:
        log.sides_wild_points[row] = 0


@jit
def put_award(table, rules, croupier, log, row, side):
    """The points of a special hand take the place of all others of its side (RULES §10)."""
    log.sides_special_points[row] = 0
    if croupier.ending != SPECIAL or table.seat_sides[croupier.out_seat] != side:
        return
    log.sides_natural_points[row] = 0
    log.sides_mixed_points[row] = 0
    log.sides_wild_points[row] = 0
    log.sides_sequence_points[row] = 0
    log.sides_royal_points[row] = 0
    log.sides_set_points[row] = 0
    log.sides_card_points[row] = 0
    log.sides_held_points[row] = 0
    log.sides_held_penalty_points[row] = 0
    log.sides_open_meld_points[row] = 0
    log.sides_red_three_points[row] = 0
    log.sides_out_points[row] = 0
    log.sides_aside_points[row] = 0
    log.sides_one_turn_points[row] = 0
    log.sides_special_points[row] = find_award(rules, croupier.special)
