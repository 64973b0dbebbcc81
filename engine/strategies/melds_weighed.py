"""Meld by weights: when to open, hold back, spend wild cards and go out (STRATEGY §1.5, §1.6, §1.8)."""

from __future__ import annotations

from engine.decision import strategy
from engine.jit import part
from engine.kernel.deal import ALWAYS
from engine.kernel.leave import may_leave
from engine.kernel.licence import may_go_out
from engine.kernel.state import AGREED, REFUSED
from engine.strategies.careful import is_out_dear
from engine.strategies.further import plan_further
from engine.strategies.goals import may_hurry
from engine.strategies.laying import (
    may_still_ask,
    plan_additions,
    plan_canastas,
    plan_dear_canastas,
    plan_first,
    plan_new_melds,
    plan_opening,
    plan_out,
)

WEIGHTS = {
    "open_small": (1.0, "above 0: open with as few cards as possible (M3)"),
    "open_until": (999.0, "open from the hand only while the stock has at most this many cards (999: always; M2)"),
    "open_danger": (5.0, "… or when an opponent holds at most this many cards"),
    "keep": (2.0, "cards kept in hand while the side has no canasta to go out with (W2)"),
    "hold_until": (60.0, "lay new triples only while the stock has at most this many cards (W1)"),
    "hold_frozen": (25.0, "… where the pile is always frozen: a pair of them may take it (F6)"),
    "canasta_from": (5.0, "complete with wild cards a meld of at least this size (W3, W4)"),
    "licence_from": (4.0, "… while the side lacks the canastas to go out"),
    "ask_above": (999.0, "ask the partner when it holds more than this many cards (P3)"),
    "out": (100.0, "go out when this and the next sum to 0 or more (G1, G2)"),
    "out_stock": (0.0, "… for each card left in the stock"),
    "out_unopened": (0.0, "… when no opponent has opened"),
    "out_their_out": (0.0, "… when an opponent's side could go out too"),
    "out_few": (0.0, "… when an opponent holds at most `open_danger` cards"),
    "out_partner": (0.0, "… for each card the partner holds"),
    "out_theirs": (0.0, "… for each card an opponent holds, the one with fewest"),
    "out_behind": (0.0, "… when the side has fewer canastas than an opponent's"),
    "out_price": (300.0, "most points that melds begun to go out may cost, where incomplete ones do"),
    "hurry": (1.0, "above 0: lay pairs and wild cards too while a reserve waits or the side may go out (G5)"),
    "dear_from": (6.0, "begin with so many of a rank a meld that costs dear while it is incomplete"),
    "wild_from": (5.0, "put so many wild cards together where a wild canasta is worth it"),
}
(
    OPEN_SMALL,
    OPEN_UNTIL,
    OPEN_DANGER,
    KEEP,
    HOLD_UNTIL,
    HOLD_FROZEN,
    CANASTA_FROM,
    LICENCE_FROM,
    ASK_ABOVE,
    OUT,
    OUT_STOCK,
    OUT_UNOPENED,
    OUT_THEIR_OUT,
    OUT_FEW,
    OUT_PARTNER,
    OUT_THEIRS,
    OUT_BEHIND,
    OUT_PRICE,
    HURRY,
    DEAR_FROM,
    WILD_FROM,
) = range(len(WEIGHTS))


@part
def weigh_out(table, hand, rules, weights, fewest, partner_holds):
    """What speaks for going out now; 0 or more says do."""
    value = weights[OUT] + weights[OUT_STOCK] * table.stock
    value += weights[OUT_PARTNER] * partner_holds + weights[OUT_THEIRS] * fewest
    unopened, theirs = True, 0
    for side in range(table.sides):
        if side != hand.side:
            unopened = unopened and table.opened[side] == 0
            theirs = max(theirs, table.canastas[side])
    if unopened:
        value += weights[OUT_UNOPENED]
    if theirs >= rules.canastas_out:
        value += weights[OUT_THEIR_OUT]
    if theirs > table.canastas[hand.side]:
        value += weights[OUT_BEHIND]
    return value + (weights[OUT_FEW] if fewest <= weights[OPEN_DANGER] else 0.0)


@part
def count_others(table, hand):
    """Fewest cards an opponent holds, and most cards a partner holds."""
    fewest, partner_holds = 99, 0
    for seat in range(table.players):
        if seat == table.sits_out:
            continue
        if table.seat_sides[seat] != hand.side:
            fewest = min(fewest, table.hand_sizes[seat])
        elif seat != hand.seat:
            partner_holds = max(partner_holds, table.hand_sizes[seat])
    return fewest, partner_holds


@part
def plan_end(table, hand, rules, weights, plan, fewest, partner_holds):
    """Plan to go out, or first to ask the partner, when the weights say so; False to play on."""
    cornered = hand.count < 2 or hand.permission == AGREED  # a take that leaves one card may leave no other way
    if not hand.could_out or hand.permission == REFUSED:
        return False
    if not cornered and weigh_out(table, hand, rules, weights, fewest, partner_holds) < 0:
        return False
    if is_out_dear(table, hand, rules, plan, weights[OUT_PRICE]):
        return False
    if may_still_ask(hand, rules) and (partner_holds > weights[ASK_ABOVE] or not may_leave(table, hand, rules)):
        plan.ask = 1
        return True
    return plan_out(table, hand, rules, plan)


@part
def plan_melds(table, hand, rules, weights, plan, pressed):
    """Add to melds, lay new ones, complete canastas, keeping cards as the weights say."""
    licence = may_go_out(table, hand, rules, plan)
    keep = hand.keep if licence or hand.keep < 2 else max(hand.keep, int(weights[KEEP]))
    until = min(weights[HOLD_UNTIL], weights[HOLD_FROZEN] if rules.pile_frozen == ALWAYS else 999.0)
    fresh = table.stock <= until or pressed
    smallest = int(weights[CANASTA_FROM] if licence else weights[LICENCE_FROM])
    if not rules.plain:
        hurry = weights[HURRY] > 1 or (weights[HURRY] > 0 and may_hurry(table, hand, rules, plan))
        dear, wild = int(weights[DEAR_FROM]), int(weights[WILD_FROM])
        plan_further(table, hand, rules, plan, keep, fresh or hurry, smallest, dear, wild, hurry)
        return
    budget = plan_additions(table, hand, plan, hand.count - keep)
    budget = plan_dear_canastas(table, hand, rules, plan, budget)
    if fresh:
        budget = plan_new_melds(table, hand, rules, plan, budget, 3)
    plan_canastas(table, hand, rules, plan, max(budget, hand.count - hand.keep - plan.rows), smallest)


@strategy(kind="melds", weights=WEIGHTS)
def melds_weighed(table, hand, rules, weights, plan):
    """Go out when that weighs most; open, add, lay and complete as the weights say."""
    if plan_first(table, hand, rules, plan):
        return 0
    opened = table.opened[hand.side] != 0
    if not opened and not hand.could_open and not hand.could_out:
        return 0
    fewest, partner_holds = count_others(table, hand)
    if plan_end(table, hand, rules, weights, plan, fewest, partner_holds):
        return 0
    pressed = fewest <= weights[OPEN_DANGER]
    if opened:
        plan_melds(table, hand, rules, weights, plan, pressed)
    elif hand.could_open and (table.stock <= weights[OPEN_UNTIL] or pressed):
        plan_opening(table, hand, rules, plan, weights[OPEN_SMALL] > 0)
    return 0
