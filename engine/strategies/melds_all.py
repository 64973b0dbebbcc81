"""Meld everything as soon as it can be melded, go out as soon as possible."""

from __future__ import annotations

from engine.decision import strategy
from engine.strategies.careful import DEAR_FROM, OUT_PRICE, WILD_FROM, is_out_dear
from engine.strategies.further import plan_further
from engine.strategies.goals import may_hurry
from engine.strategies.laying import (
    plan_additions,
    plan_canastas,
    plan_dear_canastas,
    plan_first,
    plan_new_melds,
    plan_opening,
    plan_out,
)


@strategy(kind="melds")
def melds_all(table, hand, rules, weights, plan):
    """Open with all that can be laid, then lay every addition, triple and wild card that makes a canasta."""
    if plan_first(table, hand, rules, plan):
        return 0
    if hand.could_out and not is_out_dear(table, hand, rules, plan, OUT_PRICE) and plan_out(table, hand, rules, plan):
        return 0
    if not table.opened[hand.side]:
        if hand.could_open:
            plan_opening(table, hand, rules, plan, False)
        return 0
    if not rules.plain:
        hurry = may_hurry(table, hand, rules, plan)
        plan_further(table, hand, rules, plan, hand.keep, True, 4, DEAR_FROM, WILD_FROM, hurry)
        return 0
    budget = plan_additions(table, hand, plan, hand.count - hand.keep)
    budget = plan_dear_canastas(table, hand, rules, plan, budget)
    budget = plan_new_melds(table, hand, rules, plan, budget, 3)
    plan_canastas(table, hand, rules, plan, budget, 4)
    return 0
