"""Take the pile whenever it is legal (STRATEGY T1)."""

from __future__ import annotations

from engine.decision import strategy
from engine.kernel.state import TAKE
from engine.strategies.taking import choose_way, decline, plan_careful_take


@strategy(kind="draw")
def draw_all(table, hand, rules, weights, plan):
    """Take the pile in the cheapest legal way, unless that begins what costs dear."""
    return TAKE if plan_careful_take(table, hand, rules, plan, choose_way(hand)) else decline(table)
