"""Random plans for melding where rules are not plain: one part at a time, so that all that is legal can come."""

from __future__ import annotations

from engine.cards import NATURAL_KINDS
from engine.jit import part
from engine.kernel.commit import may_be_laid
from engine.kernel.lay import may_join_melds
from engine.kernel.melds import clear_plan
from engine.kernel.places import SEVERAL, count_places
from engine.kernel.spread import (
    add_to_rank,
    begin_meld,
    begin_rank,
    begin_sequence,
    begin_spread,
    begin_with_wilds,
    complete_canastas,
    count_left_wilds,
    lay_wild_meld,
    lengthen_sequences,
    may_add_wilds,
    put_kind,
    put_wilds,
)
from engine.kernel.state import FIRST_PLACES
from engine.rng import below

PARTS = 9


@part
def plan_random_join(table, hand, rules, plan):
    """Combine two melds at random if that may be."""
    places = FIRST_PLACES + table.extras[hand.side]
    start, end = below(hand, places), below(hand, places)
    if may_join_melds(table, hand, rules, plan, start, end):
        plan.joins = 1
        plan.join_from[0] = start
        plan.join_to[0] = end


@part
def spread_second(table, hand, rules, plan, rank):
    """Begin a second meld of three of a rank, whether or not the first could take them."""
    has_first = (table.melds[hand.side] >> rank) & 1 != 0
    if rules.same_rank_melds == SEVERAL and has_first and plan.left[rank] >= 3 and plan.room >= 3:
        place = begin_meld(table, hand.side, plan, rank)
        if place >= 0:
            put_kind(plan, rank, 3, place)


@part
def spread_random_wild(table, hand, rules, plan):
    """One wild card on any meld that can take it."""
    place = below(hand, count_places(table, hand.side, plan))
    if count_left_wilds(plan) > 0 and plan.room > 0 and may_add_wilds(table, rules, hand.side, plan, place, 1):
        put_wilds(plan, 1, place)


@part
def spread_one(table, hand, rules, plan, pick):
    """One part of a plan."""
    side, rank = hand.side, below(hand, NATURAL_KINDS)
    if pick == 0:
        add_to_rank(table, rules, side, plan, rank)
    elif pick == 1:
        begin_rank(table, rules, side, plan, rank, 3)
    elif pick == 2:
        begin_with_wilds(table, rules, side, plan, rank)
    elif pick == 3:
        spread_random_wild(table, hand, rules, plan)
    elif pick == 4:
        lay_wild_meld(table, rules, side, plan)
    elif pick == 5 and rules.sequences:
        lengthen_sequences(table, side, plan)
    elif pick == 6:
        begin_sequence(table, rules, side, plan)
    elif pick == 7:
        spread_second(table, hand, rules, plan, rank)
    else:
        complete_canastas(table, rules, side, plan, 3 + below(hand, 4))


@part
def plan_further_random(table, hand, rules, plan):
    """A join, or up to three parts of at most so many cards as chance says."""
    if below(hand, 8) == 0:
        plan_random_join(table, hand, rules, plan)
        if plan.joins > 0:
            return
    most = max(hand.count - hand.keep, 0)
    begin_spread(hand, plan, below(hand, most + 1) if below(hand, 3) == 0 else most)
    for _ in range(1 + below(hand, 3)):
        spread_one(table, hand, rules, plan, below(hand, PARTS))
    if plan.rows > 0 and not may_be_laid(table, hand, rules, plan):
        clear_plan(plan)
