"""Plans for melding where rules are not plain, shared by the strategies: sequences, wild melds, second melds, joins."""

from __future__ import annotations

from engine.cards import NATURAL_KINDS
from engine.jit import part
from engine.kernel.commit import may_be_laid
from engine.kernel.lay import may_join_melds
from engine.kernel.licence import ACES, NO_OPEN_SPECIAL, SEVENS, count_type
from engine.kernel.melds import CANASTA, clear_plan, count_cards, has_meld
from engine.kernel.places import NO_WILD_MELDS, SEVERAL, find_kind
from engine.kernel.spread import (
    add_to_rank,
    begin_rank,
    begin_sequence,
    begin_spread,
    complete_canastas,
    count_left_wilds,
    lay_wild_meld,
    lengthen_sequences,
)
from engine.kernel.state import FIRST_PLACES, WILD_MELD

SPECIAL_LEAST = 5
"""Cards with which a meld is begun that costs dear or keeps from going out while it is incomplete."""
RICH_BONUS = 1000
"""A bonus for a wild canasta that is worth keeping wild cards together for."""


@part
def find_least(rules, rank):
    """Naturals with which to begin a meld of a rank."""
    closed = rules.out_conditions & NO_OPEN_SPECIAL != 0
    dear = (rank == SEVENS and (closed or rules.open_meld_penalty_7 > 0)) or (
        rank == ACES and (closed or rules.open_meld_penalty_A > 0)
    )
    return SPECIAL_LEAST if dear else 3


@part
def find_open_wild(table, side):
    """Size of the side's incomplete wild meld; 0 if it has none."""
    for place in range(FIRST_PLACES + table.extras[side]):
        kind = place if place < FIRST_PLACES else table.extra_kind[side, place - FIRST_PLACES]
        size = count_cards(table, side, place)
        if kind == WILD_MELD and 0 < size < CANASTA:
            return size
    return 0


@part
def wants_wild_canasta(table, rules, side, plan, size):
    """Whether wild cards should go together: going out takes it, one is begun, or enough are held for a rich bonus."""
    if rules.wild_melds == NO_WILD_MELDS:
        return False
    needed = rules.canastas_out_types_wild > count_type(table, side, plan, 0, 3)
    rich = rules.canasta_bonus_wild >= RICH_BONUS and count_left_wilds(plan) + size >= SPECIAL_LEAST
    return needed or rich or size >= SPECIAL_LEAST or (size > 0 and rules.open_wild_meld_locks_wilds != 0)


@part
def plan_join(table, hand, rules, plan):
    """Combine two incomplete melds of one rank where that may be; False if there are none."""
    if rules.same_rank_melds != SEVERAL or table.extras[hand.side] == 0:
        return False
    for start in range(FIRST_PLACES, FIRST_PLACES + table.extras[hand.side]):
        if not has_meld(table, hand.side, start) or count_cards(table, hand.side, start) >= CANASTA:
            continue
        for end in range(start):
            same = find_kind(table, hand.side, plan, end) == find_kind(table, hand.side, plan, start)
            short = 0 < count_cards(table, hand.side, end) < CANASTA
            if same and short and may_join_melds(table, hand, rules, plan, start, end):
                plan.joins = 1
                plan.join_from[0] = start
                plan.join_to[0] = end
                return True
    return False


@part
def spread_naturals(table, rules, side, plan, fresh):
    """Lengthen sequences, add to melds of ranks, and begin others if fresh ones are wanted."""
    if rules.sequences:
        lengthen_sequences(table, side, plan)
        while fresh and begin_sequence(table, rules, side, plan):
            pass
    for rank in range(NATURAL_KINDS):
        if plan.left[rank] > 0:
            add_to_rank(table, rules, side, plan, rank)
            if fresh:
                begin_rank(table, rules, side, plan, rank, find_least(rules, rank))


@part
def plan_further(table, hand, rules, plan, keep, fresh, smallest):
    """Fill the plan with all that is worth laying, keeping so many cards; sequences and triples only if fresh.

    Wild cards complete melds of at least `smallest` cards, or go together.
    """
    if plan_join(table, hand, rules, plan):
        return
    side = hand.side
    begin_spread(hand, plan, hand.count - keep)
    spread_naturals(table, rules, side, plan, fresh)
    size = find_open_wild(table, side)
    together = wants_wild_canasta(table, rules, side, plan, size)
    if together:
        lay_wild_meld(table, rules, side, plan)
    if not rules.open_wild_meld_locks_wilds or (size == 0 and not together):
        complete_canastas(table, rules, side, plan, smallest)
    if plan.rows > 0 and not may_be_laid(table, hand, rules, plan):
        clear_plan(plan)
