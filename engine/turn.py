"""One seat's turn: draw or take, melds, discard, going out. Sources: RULES §1.4–1.9.

Decisions are asked of the seat's strategy and judged here by the same functions for everybody; an
illegal one leaves its reason in `croupier.fault` and stops the run.
"""

from __future__ import annotations

import numpy as np

from engine.cards import KIND_OF, NO_CARD
from engine.draw import draw_one, lay_from_hand
from engine.faults import fault
from engine.jit import jit
from engine.judge import find_partner, judge_discard, judge_plan, judge_take, may_ask
from engine.log import DEAL_ENDINGS, OPENINGS, code
from engine.melds import (
    add_card,
    clear_plan,
    remove_card,
)
from engine.opening import NO_TOP, count_most_points, search_opening
from engine.out import search_out
from engine.pile import RED3_BANNED, discard_card, find_ways, take_pile
from engine.rows import (
    A_AGREE,
    A_ASK,
    A_MELD,
    A_PASS,
    A_REFUSE,
    NO_MELD,
    put_discard,
    put_done,
    put_met,
    put_move,
    put_no_discard,
    put_took,
)
from engine.rules import code as rule_code
from engine.state import ADD, AGREED, REFUSED, UNASKED

FORCED = rule_code("stock_end", "pile_play_forced")
OUT, CONCEALED, STOCK, RED_THREE = (code(DEAL_ENDINGS, word) for word in ("out", "concealed", "stock", "red_three"))
BY_HAND, BY_PILE = code(OPENINGS, "hand"), code(OPENINGS, "pile")
F_ASK, F_RED_THREE, F_CHANGED, F_UNKNOWN = (
    fault(name) for name in ("ask_illegal", "red_three", "changed_table", "unknown_answer")
)


@jit
def ask_strategy(function, kind, table, seats, hand, rules, plan, croupier, guard):
    """One decision of a seat's strategy; where the guard is on, what it may only read is compared before and after."""
    weights = seats.weights[kind, hand.seat]
    if not guard.on:
        return function(table, hand, rules, weights, plan)
    before = hand.rng
    guard.kept[:] = guard.live
    answer = function(table, hand, rules, weights, plan)
    after = hand.rng
    hand.rng = before
    changed = np.uint64(0)
    for place in range(guard.live.size):
        changed |= guard.live[place] ^ guard.kept[place]
    if changed != 0:
        guard.live[:] = guard.kept
        croupier.fault = F_CHANGED
    hand.rng = after
    return answer


@jit
def refuse(croupier, seat, reason):
    """Stop: the seat's choice is illegal. Always False, so that a caller can return it."""
    if croupier.fault == 0:
        croupier.fault = reason
    croupier.fault_seat = seat
    return False


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
    croupier.asked_late = 0
    croupier.fresh = table.melded[seat] == 0
    croupier.canastas_before = table.canastas[side]
    croupier.melds_before = table.melds[side]
    hand.may_take = find_ways(table, hand, rules, plan)
    hand.must_take = table.stock == 0 and rules.stock_end == FORCED and (hand.may_take & ADD) != 0
    croupier.legal_takes[side] += hand.may_take != 0
    croupier.g_frozen_turns += table.frozen
    put_met(log, croupier, table, hand)


@jit
def lay_plan(table, hand, croupier, log, plan):
    """Move the plan's cards from the hand to the side's melds."""
    for row in range(plan.rows):
        card, meld = plan.card[row], plan.meld[row]
        remove_card(table, hand, card)
        lay_card(table, hand, croupier, card, meld)
        put_move(log, croupier, table, hand.seat, A_MELD, card, meld, -1)
    croupier.laid_points += plan.points
    if plan.rows > 0:
        table.melded[hand.seat] = 1


@jit
def lay_card(table, hand, croupier, card, meld):
    """Put a card on the side's meld and note what going out concealed and the log ask about it."""
    if croupier.melds_before >> meld & 1:
        croupier.added_to_old = 1
    add_card(table, hand.side, meld, card)
    hand.laid += 1
    if croupier.first_canasta[hand.side] == 0 and table.canastas[hand.side] > 0:
        croupier.first_canasta[hand.side] = table.own_turns[hand.seat]


@jit
def open_side(table, hand, croupier, opening, points):
    """The side makes its first meld of the deal."""
    side = hand.side
    if table.opened[side] == 0:
        table.opened[side] = 1
        croupier.opened = 1
        croupier.open_turn[side] = table.own_turns[hand.seat]
        croupier.open_seat[side] = hand.seat
        croupier.opening[side] = opening
        croupier.open_points[side] = points


@jit
def take_with_plan(table, hand, rules, croupier, log, plan, upcard_points):
    """Take the pile as the plan says; False when it may not."""
    reason = judge_take(table, hand, rules, croupier, plan, upcard_points)
    if reason != 0:
        return refuse(croupier, hand.seat, reason)
    upcard = table.upcard
    lay_plan(table, hand, croupier, log, plan)
    take_pile(table, hand, croupier, log)
    lay_card(table, hand, croupier, upcard, KIND_OF[upcard])
    table.melded[hand.seat] = 1
    open_side(table, hand, croupier, BY_PILE, plan.points)
    return True


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
    """Draw the turn's cards; False when a red three was the last of them and the deal is over (RULES §1.9, §1.11)."""
    drawn = 0
    for _ in range(rules.draw_count):
        drawn += draw_one(table, hand, rules, croupier, log)
    if drawn == 0:
        return end_without_discard(table, hand, croupier, log, RED_THREE)
    return True


@jit
def ask_partner(table, seats, hand, rules, croupier, log, plan, answers, guard):
    """Ask the partner and note the answer, which binds (RULES §1.9); False when the seat may not ask."""
    if not may_ask(table, hand, rules, croupier):
        return refuse(croupier, hand.seat, F_ASK)
    partner = find_partner(table, hand.seat)
    clear_plan(plan)
    answer = ask_strategy(answers[partner], 3, table, seats, seats.hand[partner], rules, plan, croupier, guard)
    if croupier.fault != 0 or (answer != 0 and answer != 1):
        return refuse(croupier, partner, F_UNKNOWN)
    hand.permission = AGREED if answer == 1 else REFUSED
    put_move(log, croupier, table, hand.seat, A_ASK, NO_CARD, NO_MELD, -1)
    put_move(log, croupier, table, partner, A_AGREE if answer == 1 else A_REFUSE, NO_CARD, NO_MELD, -1)
    return True


@jit
def lay_red_threes(table, hand, rules, croupier, log, plan):
    """Lay the red threes a plan names, where the rules let the player choose; False when it holds none."""
    if plan.red_threes < 0:
        return refuse(croupier, hand.seat, F_RED_THREE)
    for _ in range(plan.red_threes):
        if not lay_from_hand(table, hand, rules, croupier, log):
            return refuse(croupier, hand.seat, F_RED_THREE)
    return True


@jit
def meld_once(table, hand, rules, croupier, log, plan):
    """Lay the plan's rows; False when they are illegal."""
    reason = judge_plan(table, hand, rules, plan)
    if reason != 0:
        return refuse(croupier, hand.seat, reason)
    lay_plan(table, hand, croupier, log, plan)
    open_side(table, hand, croupier, BY_HAND, plan.points)
    croupier.asked_late = 1
    return True


@jit
def search_after_draw(table, hand, rules, plan, croupier):
    """What the hand could do now, for the log and for the seat's own use."""
    hand.could_out = search_out(table, hand, rules, plan)
    if croupier.opened:
        hand.could_open = 1
    elif table.opened[hand.side] == 0 and count_most_points(hand, rules, NO_TOP) >= table.minimum[hand.side]:
        hand.could_open = search_opening(table, hand, rules, plan, NO_TOP, 2) or hand.could_out != 0


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
def end_turn(table, hand, rules, croupier, log, card):
    """Discard (or go out without) and finish the account of the turn; False when the discard is illegal."""
    if card == NO_CARD:
        put_no_discard(log)
    else:
        reason = judge_discard(table, hand, rules, card)
        if reason != 0:
            return refuse(croupier, hand.seat, reason)
        put_discard(log, table, hand, card, rules.discard_bans & RED3_BANNED)
        discard_card(table, hand, rules, croupier, log, card)
    if croupier.opened and hand.took == 0:
        croupier.open_points[hand.side] = croupier.laid_points  # all that lies at the commit point, whatever the plans
    put_done(log, hand, croupier)
    if hand.count == 0:
        go_out(table, hand, rules, croupier)
    return True


@jit
def pass_turn(table, hand, croupier, log):
    """At an empty stock the seat does not take the pile: the deal ends (RULES §1.9)."""
    put_move(log, croupier, table, hand.seat, A_PASS, NO_CARD, NO_MELD, -1)
    return end_without_discard(table, hand, croupier, log, STOCK)
