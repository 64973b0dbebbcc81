"""Meld at random: now and then whatever is legal."""

from __future__ import annotations

from engine.cards import JOKERS, NATURAL_KINDS, TWOS
from engine.decision import strategy
from engine.jit import part
from engine.kernel.leave import find_partner
from engine.kernel.melds import add_rows, has_meld
from engine.kernel.state import AGREED
from engine.rng import below
from engine.strategies.further_random import plan_further_random
from engine.strategies.laying import add_wilds, count_wild_space, may_still_ask, plan_any_opening, plan_first, plan_out


@part
def plan_random_end(table, hand, rules, plan):
    """Half the time go out, half of those asking first where that may still be done; False to play on."""
    cornered = hand.permission == AGREED or hand.count < 2  # a take that leaves one card may leave no other way
    if not hand.could_out or (not cornered and below(hand, 2) == 0):
        return False
    if may_still_ask(hand, rules) and find_partner(table, hand.seat) >= 0 and below(hand, 2) == 0:
        plan.ask = 1
        return True
    return plan_out(table, hand, rules, plan)


@part
def plan_random_rank(table, hand, rules, plan, rank):
    """Lay all naturals of a rank, or a wild card on the side's meld of it, when that is legal."""
    held = hand.kinds[rank]
    melded = has_meld(table, hand.side, rank)
    plan.use[rank] = 0
    if held > 0 and held <= hand.count - hand.keep and (melded or held >= max(3, rules.min_naturals)):
        add_rows(hand, plan, rank, held, rank)
    elif melded and hand.kinds[TWOS] + hand.kinds[JOKERS] > 0 and hand.count > hand.keep:
        add_wilds(hand, plan, rank, min(1, count_wild_space(table, hand, rules, plan, rank)))


@strategy(kind="melds")
def melds_random(table, hand, rules, weights, plan):
    """Go out, stop, open, or lay cards of a random rank."""
    if (
        plan_first(table, hand, rules, plan)
        or plan_random_end(table, hand, rules, plan)
        or hand.permission == AGREED
        or below(hand, 3) == 0
    ):
        return 0
    if table.opened[hand.side] and not rules.plain:
        plan_further_random(table, hand, rules, plan)
    elif table.opened[hand.side]:
        plan_random_rank(table, hand, rules, plan, below(hand, NATURAL_KINDS))
    elif hand.could_open:
        plan_any_opening(table, hand, rules, plan, below(hand, 2) == 0)
    return 0
