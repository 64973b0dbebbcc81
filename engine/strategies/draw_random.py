"""Take or leave at random."""

from __future__ import annotations

from engine.decision import strategy
from engine.kernel.state import ADD, NATURAL_WILD, PAIR, TAKE
from engine.rng import below
from engine.strategies.taking import decline, plan_take


@strategy(kind="draw")
def draw_random(table, hand, rules, weights, plan):
    """Every legal answer, leaving the pile or one of the ways to take it, equally often."""
    ways = 0
    for way in (PAIR, NATURAL_WILD, ADD):
        ways += (hand.may_take & way) != 0
    pick = below(hand, ways) + 1 if hand.must_take else below(hand, ways + 1)
    if pick == 0:
        return decline(table)
    for way in (PAIR, NATURAL_WILD, ADD):
        pick -= (hand.may_take & way) != 0
        if pick == 0:
            plan_take(table, hand, rules, plan, way)
            break
    return TAKE
