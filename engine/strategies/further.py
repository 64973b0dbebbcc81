"""Plans for melding where rules are not plain, shared by the strategies: sequences, wild melds, second melds, joins.

What going out takes comes first: canastas of a type still lacking are built, cards for them kept together (goals.py).
"""

from __future__ import annotations

from engine.cards import NATURAL_KINDS
from engine.decision import outlined
from engine.jit import part
from engine.kernel.commit import may_be_laid
from engine.kernel.lay import may_join_melds
from engine.kernel.licence import count_size
from engine.kernel.melds import CANASTA, clear_plan, count_cards, has_meld
from engine.kernel.places import NO_WILD_MELDS, SEVERAL, count_places, find_kind
from engine.kernel.spread import (
    add_to_rank,
    begin_rank,
    begin_sequence,
    begin_spread,
    begin_with_wilds,
    count_left_wilds,
    find_run,
    lay_wild_meld,
    lengthen_sequences,
    may_add_wilds,
    put_wilds,
)
from engine.kernel.state import FIRST_PLACES
from engine.strategies.goals import (
    RICH_BONUS,
    RUN_FROM,
    find_open_wild,
    find_pure,
    is_dear,
    keep_for_sequences,
    lacks_natural,
    lacks_wild,
    wants_sequence,
)


@part
def wants_wild_canasta(table, rules, side, plan, size, wild_from):
    """Whether wild cards should go together: going out takes it, one is begun, or enough are held for a rich bonus."""
    if rules.wild_melds == NO_WILD_MELDS:
        return False
    enough = count_left_wilds(plan) + size >= wild_from
    rich = rules.canasta_bonus_wild >= RICH_BONUS and enough
    begun = size > 0 and (size >= wild_from or rules.open_wild_meld_locks_wilds != 0)
    return lacks_wild(table, rules, side, plan) > 0 or rich or begun


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
def find_longest_run(plan):
    """Cards of the longest run of a suit among those the plan leaves."""
    longest = 0
    for suit in range(4):
        longest = max(longest, find_run(plan, suit)[1])
    return longest


@part
def spread_naturals(table, rules, side, plan, fresh, dear_from):
    """Lengthen sequences, add to melds of ranks, and begin others if fresh ones are wanted."""
    if rules.sequences:
        lengthen_sequences(table, side, plan)
        least = RUN_FROM if rules.open_meld_penalty_sequence_lt5 > 0 else 3
        while fresh and find_longest_run(plan) >= least and begin_sequence(table, rules, side, plan):
            pass
        if wants_sequence(table, rules, side, plan):
            keep_for_sequences(table, side, plan)
    for rank in range(NATURAL_KINDS):
        if plan.left[rank] > 0:
            add_to_rank(table, rules, side, plan, rank)
            if fresh:
                begin_rank(table, rules, side, plan, rank, dear_from if is_dear(rules, rank) else 3)


@part
def complete_mixed(table, rules, side, plan, smallest, pure):
    """Make canastas with wild cards of melds of at least so many cards, the nearest first, pure ones left alone."""
    for missing in range(1, CANASTA - 1):
        for place in range(count_places(table, side, plan)):
            if missing > min(count_left_wilds(plan), plan.room):
                return
            size = count_size(table, side, plan, place, 1)
            if size != CANASTA - missing or size < smallest or pure >> place & 1:
                continue
            if may_add_wilds(table, rules, side, plan, place, missing):
                put_wilds(plan, missing, place)


@part
def spread_wilds(table, rules, side, plan, pure):
    """Lay wild cards on melds below a canasta, the largest first, pure ones left alone, while they fit."""
    while count_left_wilds(plan) > 0 and plan.room > 0:
        best, most = -1, 0
        for place in range(count_places(table, side, plan)):
            size = count_size(table, side, plan, place, 1)
            if most < size < CANASTA and not pure >> place & 1 and may_add_wilds(table, rules, side, plan, place, 1):
                best, most = place, size
        if best < 0:
            break
        put_wilds(plan, 1, best)


@part
def spread_rest(table, rules, side, plan, pure):
    """Lay pairs with wild cards, then the wild cards left: what is in the hand is in the way."""
    for rank in range(NATURAL_KINDS):
        if plan.left[rank] == 2 and not is_dear(rules, rank):
            begin_with_wilds(table, rules, side, plan, rank)
    spread_wilds(table, rules, side, plan, pure)


@outlined
def plan_further(table, hand, rules, plan, keep, fresh, smallest, dear_from, wild_from, hurry):
    """Fill the plan with all that is worth laying, keeping so many cards; sequences and triples only if fresh.

    Wild cards complete melds of at least `smallest` cards, or go together; in a hurry they go wherever they fit.
    """
    if plan_join(table, hand, rules, plan):
        return 0
    side = hand.side
    begin_spread(hand, plan, hand.count - (keep if hand.count > 1 else 0))  # a last card may bring the reserve
    spread_naturals(table, rules, side, plan, fresh, dear_from)
    size = find_open_wild(table, side)
    together = wants_wild_canasta(table, rules, side, plan, size, wild_from)
    if together:
        lay_wild_meld(table, rules, side, plan)
    if lacks_wild(table, rules, side, plan) <= 0 and not (rules.open_wild_meld_locks_wilds and (size > 0 or together)):
        pure = find_pure(table, side, plan, lacks_natural(table, rules, side, plan))
        complete_mixed(table, rules, side, plan, smallest, pure)
        if hurry:
            spread_rest(table, rules, side, plan, pure)
    if plan.rows > 0 and not may_be_laid(table, hand, rules, plan):
        clear_plan(plan)
    return 0
