"""One seat's turn: draw or take, melds, discard, going out. Sources: RULES §1.4–1.9.

Decisions are asked of the seat's strategy and judged here by the same functions for everybody; an
illegal one leaves its reason in `croupier.fault` and stops the run.
"""

from __future__ import annotations

from engine.cards import NO_CARD, POINTS_OF
from engine.faults import fault
from engine.jit import jit
from engine.kernel.asking import refuse
from engine.kernel.awards import count_one_turn
from engine.kernel.discards import find_discards
from engine.kernel.draw import ON_CANASTA, count_clean, draw_bonus, draw_one, lay_from_hand, lay_kept
from engine.kernel.judge import judge_discard, judge_plan, judge_take
from engine.kernel.lay import join_melds, lay_card, lay_plan
from engine.kernel.leave import find_duties, is_reserve_waiting
from engine.kernel.opening_rules import AFTER_OWN
from engine.kernel.outlook import begin_duties, search_again
from engine.kernel.part import AT_ONCE
from engine.kernel.pile import discard_card, find_ways, may_be_added
from engine.kernel.rows import (
    A_DRAW,
    A_PASS,
    NO_MELD,
    put_discard,
    put_done,
    put_met,
    put_move,
    put_no_discard,
    put_took,
)
from engine.kernel.sides import form_if_due
from engine.kernel.special import SPECIAL, declare_special, judge_special
from engine.kernel.state import UNASKED
from engine.kernel.take import take_pile
from engine.log import DEAL_ENDINGS, OPENINGS, code
from engine.rules import code as rule_code

FORCED = rule_code("stock_end", "pile_play_forced")
NEXT_TURN = rule_code("initial_draw", "next_turn")
MELD_NO_DISCARD = rule_code("last_red3", "meld_no_discard")
TURN_CARD = 9
"""Cards of the stock from its bottom up to the turn card (RULES §10)."""
OUT, CONCEALED, STOCK, RED_THREE = (code(DEAL_ENDINGS, word) for word in ("out", "concealed", "stock", "red_three"))
BY_HAND, BY_PILE = code(OPENINGS, "hand"), code(OPENINGS, "pile")
F_RED_THREE = fault("red_three")


@jit
def begin_turn(table, hand, rules, croupier, log, plan):
    """Set the turn's counts and find what the seat could do with the pile."""
    seat, side = hand.seat, hand.side
    table.turn += 1
    table.seat = seat
    table.own_turns[seat] += 1
    hand.took = 0
    hand.laid = 0
    hand.permission = UNASKED
    hand.could_open = 0
    hand.could_out = 0
    croupier.how = 0
    croupier.laid_points = 0
    croupier.opened = 0
    croupier.added_to_old = 0
    hand.asks_late = 0
    croupier.open_closed = 0
    croupier.refilled = 0
    croupier.fresh = table.melded[seat] == 0
    croupier.canastas_before = table.canastas[side]
    croupier.melds_before = table.melds[side]
    begin_duties(table, hand, rules, croupier, log)
    hand.may_take = find_ways(table, hand, rules, plan)
    hand.must_take = table.stock == 0 and rules.stock_end == FORCED and may_be_added(hand)
    croupier.legal_takes[hand.home] += hand.may_take != 0
    croupier.g_frozen_turns += table.frozen
    put_met(log, croupier, table, hand, rules)


@jit
def open_side(table, hand, croupier, opening, points):
    """Note the side's first meld of the deal; whether it is."""
    side = hand.side
    if table.opened[side] == 0:
        table.opened[side] = 1
        croupier.opened = 1
        croupier.opened_sides += 1
        home = hand.home
        croupier.open_turn[home] = table.own_turns[hand.seat]
        croupier.open_seat[home] = hand.seat
        croupier.opening[home] = opening
        croupier.open_points[home] = points
        return True
    return False


@jit
def open_by_take(table, hand, rules, croupier, plan):
    """Note an opening that takes the pile; where the hand alone must open, neither upcard nor bare pair counts."""
    if rules.initial_pile != AFTER_OWN:
        return open_side(table, hand, croupier, BY_PILE, plan.points)
    side, place = hand.side, plan.upcard_place
    points = plan.points - POINTS_OF[hand.key]
    if table.naturals[side, place] == 3 and table.twos[side, place] + table.jokers[side, place] == 0:
        points -= 2 * POINTS_OF[hand.key]
    return open_side(table, hand, croupier, BY_HAND, points)


@jit
def take_with_plan(table, seats, hand, rules, croupier, log, plan):
    """Take the pile as the plan says; False when it may not."""
    reason = judge_take(table, hand, rules, croupier, plan)
    if reason != 0:
        return refuse(croupier, hand.seat, reason)
    lay_plan(table, hand, rules, croupier, log, plan)
    take_pile(table, hand, rules, croupier, log, plan.upcard_place)
    lay_card(table, hand, rules, croupier, log, hand.key, plan.upcard_place)
    table.melded[hand.seat] = 1
    opens = open_by_take(table, hand, rules, croupier, plan)
    form_if_due(table, seats, rules, hand.seat)
    if rules.pile_extra_draw > 0:
        draw_bonus(table, hand, rules, croupier, log, rules.pile_extra_draw)
    if opens and rules.initial_draw_when == AT_ONCE:
        draw_bonus(table, hand, rules, croupier, log, count_bonus(rules, croupier))
    if opens and hand.keeps:
        lay_kept(table, hand, rules, croupier, log)
        find_duties(table, hand, rules)
    return True


@jit
def count_bonus(rules, croupier):
    """Bonus cards for the side that has just opened, by the order of opening (RULES §10, §15)."""
    return rules.initial_draw_counts[min(croupier.opened_sides, rules.initial_draw_counts.size) - 1]


@jit
def end_without_discard(table, hand, croupier, log, ending):
    """The deal ends within this turn and nobody goes out."""
    put_took(log, table, hand, croupier)
    put_no_discard(log)
    put_done(log, hand, croupier)
    croupier.ending = ending
    return False


@jit
def draw_from_stock(table, hand, rules, croupier, log):
    """Draw the turn's cards; False when a three was the last of them and the deal is over (RULES §1.9, §1.11, §10)."""
    drawn = 0
    croupier.three_kept = 0
    for _ in range(rules.draw_count):
        drawn += draw_one(table, hand, rules, croupier, log, A_DRAW, 1)
    if drawn > 0 and not croupier.three_kept:
        if hand.keeps:
            find_duties(table, hand, rules)
        return True
    if rules.last_red3 != MELD_NO_DISCARD or hand.count == 0:
        return end_without_discard(table, hand, croupier, log, RED_THREE)
    hand.no_discard = 1
    find_duties(table, hand, rules)
    return True


@jit
def end_special(table, hand, rules, croupier, log, plan):
    """Declare the special hand the plan names, which ends the deal; always False."""
    reason = judge_special(table, hand, rules, plan.special)
    if reason != 0:
        return refuse(croupier, hand.seat, reason)
    declare_special(table, hand, croupier, log, plan.special)
    return end_without_discard(table, hand, croupier, log, SPECIAL)


@jit
def lay_red_threes(table, hand, rules, croupier, log, plan):
    """Lay the red threes a plan names, where the rules let the player choose; False when it may not."""
    if plan.red_threes < 0 or not may_lay_threes(table, hand, rules, plan):
        return refuse(croupier, hand.seat, F_RED_THREE)
    for _ in range(plan.red_threes):
        if not lay_from_hand(table, hand, rules, croupier, log):
            return refuse(croupier, hand.seat, F_RED_THREE)
    if rules.red3_use == ON_CANASTA:
        search_again(table, hand, rules, plan)
    return True


@jit
def may_lay_threes(table, hand, rules, plan):
    """Whether as many red threes as the plan names fit on clean canastas, where they go there (RULES §9)."""
    if rules.red3_use != ON_CANASTA:
        return True
    room = count_clean(table, hand.side) - table.red_threes[hand.side]
    return plan.red_threes <= room and hand.count - plan.red_threes >= hand.keep


@jit
def join_once(table, hand, rules, croupier, log, plan):
    """Combine the melds a plan names; False when that is illegal."""
    reason = join_melds(table, hand, rules, croupier, log, plan)
    if reason != 0:
        return refuse(croupier, hand.seat, reason)
    hand.asks_late = 1
    return True


@jit
def meld_once(table, hand, rules, croupier, log, plan):
    """Lay the plan's rows; False when they are illegal."""
    reason = judge_plan(table, hand, rules, plan)
    if reason != 0:
        return refuse(croupier, hand.seat, reason)
    lay_plan(table, hand, rules, croupier, log, plan)
    opens = open_side(table, hand, croupier, BY_HAND, plan.points)
    hand.asks_late = 1
    if opens and rules.initial_draw_when == AT_ONCE and hand.count > 0:
        stock = table.stock
        draw_bonus(table, hand, rules, croupier, log, count_bonus(rules, croupier))
        croupier.open_closed = table.stock < stock
        search_again(table, hand, rules, plan)
    if opens and hand.keeps:
        lay_kept(table, hand, rules, croupier, log)
        search_again(table, hand, rules, plan)
    return True


@jit
def go_out(table, hand, rules, croupier):
    """The seat has played its last card: how, for the ending and the bonus (RULES §1.9)."""
    croupier.out_seat = hand.seat
    one_turn = croupier.fresh and not croupier.added_to_old and (hand.took == 0 or rules.concealed_with_pile)
    own_canasta = table.canastas[hand.side] > croupier.canastas_before
    croupier.out_concealed = one_turn and own_canasta
    croupier.out_plain = one_turn and not own_canasta
    croupier.ending = CONCEALED if croupier.out_concealed else OUT


@jit
def end_turn(table, hand, rules, croupier, log, plan, card):
    """Discard (or go out without) and finish the account of the turn; False when the discard is illegal."""
    if card == NO_CARD:
        put_no_discard(log)
    else:
        allowed = find_discards(table, hand, rules)
        reason = judge_discard(table, hand, rules, plan, card, allowed)
        if reason != 0:
            return refuse(croupier, hand.seat, reason)
        put_discard(log, table, hand, card, allowed)
        discard_card(table, hand, rules, croupier, log, card)
    if croupier.opened and hand.took == 0 and not croupier.open_closed:
        croupier.open_points[hand.home] = croupier.laid_points  # all that lies at the commit point, whatever the plans
    if croupier.opened and rules.initial_draw_when == NEXT_TURN and hand.took == 0 and hand.count > 0:
        draw_next_turn_bonus(table, hand, rules, croupier, log)
    if rules.one_turn_canasta_bonus > 0:
        count_one_turn(table, rules, croupier, hand.side)
    put_done(log, hand, croupier)
    if hand.count == 0 and not is_reserve_waiting(table, hand, rules):
        go_out(table, hand, rules, croupier)
    elif hand.no_discard:
        croupier.ending = RED_THREE
    return True


@jit
def draw_next_turn_bonus(table, hand, rules, croupier, log):
    """Bonus cards after the discard of the turn that opened, while the turn card lies in the stock (RULES §10)."""
    if table.stock >= TURN_CARD:
        draw_bonus(table, hand, rules, croupier, log, count_bonus(rules, croupier))


@jit
def pass_turn(table, hand, croupier, log):
    """At an empty stock the seat does not take the pile: the deal ends (RULES §1.9)."""
    put_move(log, croupier, table, hand.seat, A_PASS, NO_CARD, NO_MELD, -1)
    return end_without_discard(table, hand, croupier, log, STOCK)
