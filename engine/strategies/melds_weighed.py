"""Meld by weights: when to open, what to hold back, when to spend wild cards, when to go out (STRATEGY §1.5, §1.6, §1.8)."""

from __future__ import annotations

from engine.decision import strategy
from engine.state import AGREED, UNASKED
from engine.strategies.laying import plan_additions, plan_canastas, plan_new_melds, plan_opening, plan_out

WEIGHTS = {
    "open_small": 1.0,      # above 0: open with as few cards as possible (M3)
    "open_until": 99.0,     # open from the hand only while the stock has at most this many cards (99: always; M2)
    "open_danger": 5.0,     # … or when an opponent holds at most this many cards
    "keep": 3.0,            # cards kept in hand while the side has no canasta to go out with (W2)
    "hold_until": 99.0,     # lay new triples only while the stock has at most this many cards (W1)
    "canasta_from": 5.0,    # complete with wild cards a meld of at least this size (W3, W4)
    "licence_from": 4.0,    # … while the side lacks the canastas to go out
    "ask_above": 999.0,     # ask the partner when it holds more than this many cards (P3)
}
OPEN_SMALL, OPEN_UNTIL, OPEN_DANGER, KEEP, HOLD_UNTIL, CANASTA_FROM, LICENCE_FROM, ASK_ABOVE = range(len(WEIGHTS))


@strategy(kind="melds", weights=WEIGHTS)
def melds_weighed(table, hand, rules, weights, plan):
    """Go out when possible; open, add, lay and complete as the weights say."""
    if not table.opened[hand.side] and not hand.could_open and not hand.could_out:
        return 0
    fewest, partner_holds = 99, 0
    for seat in range(table.players):
        if table.seat_sides[seat] != hand.side:
            fewest = min(fewest, table.hand_sizes[seat])
        elif seat != hand.seat:
            partner_holds = max(partner_holds, table.hand_sizes[seat])
    if hand.could_out and hand.permission == UNASKED and hand.laid == 0 and hand.count >= 2 and rules.ask_partner > 0:
        if partner_holds > weights[ASK_ABOVE]:
            plan.ask = 1
            return 0
    if plan_out(table, hand, rules, plan) or hand.permission == AGREED:
        return 0
    pressed = fewest <= weights[OPEN_DANGER]
    if not table.opened[hand.side]:
        if hand.could_open and (table.stock <= weights[OPEN_UNTIL] or pressed):
            plan_opening(table, hand, rules, plan, weights[OPEN_SMALL] > 0)
        return 0
    licence = table.canastas[hand.side] >= rules.canastas_out
    keep = 2 if licence else max(2, int(weights[KEEP]))
    budget = plan_additions(table, hand, plan, hand.count - keep)
    if table.stock <= weights[HOLD_UNTIL] or pressed:
        budget = plan_new_melds(table, hand, rules, plan, budget, 3)
    smallest = int(weights[CANASTA_FROM] if licence else weights[LICENCE_FROM])
    plan_canastas(table, hand, rules, plan, max(budget, hand.count - 2 - plan.rows), smallest)
    return 0
