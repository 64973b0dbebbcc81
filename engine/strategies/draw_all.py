"""Take the pile whenever it is legal (STRATEGY T1)."""

from __future__ import annotations

from engine.decision import strategy
from engine.kernel.state import TAKE
from engine.strategies.taking import choose_way, plan_take


@strategy(kind="draw")
def draw_all(table, hand, rules, weights, plan):
    """Take the pile in the cheapest legal way."""
    plan_take(table, hand, rules, plan, choose_way(hand))
    return TAKE
