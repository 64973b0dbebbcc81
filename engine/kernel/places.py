"""What lies in a side's places, and whether it is a valid meld there. Sources: RULES §1.5, §3-§7, §9, §10, §18.

The first places are named by what lies in them; a further place (second melds of a rank, second wild melds,
sequences) carries it in `table.extra_kind`, one that a plan begins in `plan.new_kind` (state.SEQUENCE).
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, KIND_OF, NATURAL_KINDS
from engine.jit import find_lowest, jit
from engine.kernel.melds import AS_RANK, CANASTA, count_cards, is_wild, may_lie
from engine.kernel.outline import outline
from engine.kernel.state import FIRST_PLACES, NOTHING, SEQUENCE, THREES_MELD, WILD_MELD
from engine.log import MAX_SAME, MAX_SAME_SEQUENCES, MELDS
from engine.rules import code

NO_WILD_MELDS, TWOS_FIRST = code("wild_melds", "none"), code("wild_melds", "twos_first")
SEVERAL = code("same_rank_melds", "several")
GOING_OUT = code("full_sequence_add", "going_out")
ALWAYS_NATURAL = 1
WILD_WORDS, SEQUENCE_WORDS = MELDS.index("wild.2"), MELDS.index("C4")
SAME_NAMES = 44


@jit
def count_places(table, side, plan):
    """Places of a side that hold a meld or get one by the plan lie below this."""
    return FIRST_PLACES + table.extras[side] + plan.news


@jit
def find_kind(table, side, plan, place):
    """What lies in a place, or what the plan begins there."""
    if place < FIRST_PLACES:
        return place
    further = place - FIRST_PLACES
    if further < table.extras[side]:
        return table.extra_kind[side, further]
    return plan.new_kind[further - table.extras[side]]


@jit
def count_same(table, side, plan, kind, end):
    """Further places below `end` that hold melds of a kind."""
    same = 0
    for place in range(FIRST_PLACES, end):
        same += find_kind(table, side, plan, place) == kind
    return same


@jit
def word_of(table, side, place):
    """Place of a meld's word in `log.MELDS`: the n-th meld of a name in the order they were begun is `….n`."""
    if place < FIRST_PLACES:
        return place
    kind = table.extra_kind[side, place - FIRST_PLACES]
    number = 0
    for further in range(place - FIRST_PLACES):
        number += table.extra_kind[side, further] == kind
    if kind >= SEQUENCE:
        suit, rank = (kind - SEQUENCE) // 16, (kind - SEQUENCE) % 16
        return SEQUENCE_WORDS + SAME_NAMES * min(number, MAX_SAME_SEQUENCES - 1) + 11 * suit + rank
    number = min(number, MAX_SAME - 2)
    return WILD_WORDS + number if kind == WILD_MELD else FIRST_PLACES + 11 * number + kind


@jit
def may_join_kind(rules, card, kind):
    """Whether a card can be aimed at such a meld at all."""
    of = KIND_OF[card]
    if kind >= SEQUENCE:
        return of < NATURAL_KINDS and card % 4 == (kind - SEQUENCE) // 16
    if kind == WILD_MELD:
        return is_wild(of) and rules.wild_melds != NO_WILD_MELDS
    if kind == THREES_MELD:
        return of == BLACK_THREES or (is_wild(of) and rules.black3_meld == AS_RANK)
    return kind != NOTHING and (of == kind or is_wild(of))


@jit
def may_begin(table, rules, side, plan, number):
    """Whether the rules allow the `number`-th meld that the plan begins in a further place."""
    kind = plan.new_kind[number]
    if kind >= SEQUENCE:
        return rules.sequences != 0
    if rules.same_rank_melds != SEVERAL:
        return False
    there = count_cards(table, side, kind) + plan.add_naturals[kind] + plan.add_twos[kind] + plan.add_jokers[kind]
    place = FIRST_PLACES + table.extras[side] + number
    return there > 0 and count_same(table, side, plan, kind, place) < MAX_SAME - 1


@jit
def may_add_wild(rules, rank, naturals, wilds_before):
    """Whether an opened side may give wild cards to a meld that is not natural for good (RULES §10, §17)."""
    if rank != THREES_MELD and rules.natural_only[rank] != 0 and wilds_before == 0:
        return False
    return naturals >= rules.wild_add_min_naturals


@jit
def may_take_wilds(table, rules, side, rank, naturals, wilds_before):
    """Whether a meld of a rank with so many naturals may be given wild cards at all now (RULES §10, §17)."""
    if rank != THREES_MELD and rules.natural_only[rank] == ALWAYS_NATURAL:
        return False
    return table.opened[side] == 0 or may_add_wild(rules, rank, naturals, wilds_before)


@jit
def is_closed(table, rules, rank):
    """Whether nobody may start or add to a rank, or to threes laid like one, any more."""
    if rank == THREES_MELD:
        most = 0
        for side in range(table.sides):
            most = max(most, count_cards(table, side, THREES_MELD))
        return rules.closed_ranks_dead != 0 and most >= CANASTA
    return rules.closed_ranks_dead != 0 and (table.dead >> rank) & 1 != 0


@jit
def count_most_cards(rules):
    """Most cards a meld of a rank may hold: where a canasta closes the rank (RULES §10), its seven."""
    if rules.closed_ranks_dead:
        return CANASTA
    return rules.max_meld_size if rules.max_meld_size > 0 else 999


@outline
def may_be_rank_meld(table, rules, side, rank, naturals, wilds, added_wilds):
    """Whether so many naturals and wild cards, of which some are added now, are a valid meld of a rank."""
    if not may_lie(rules, naturals, wilds) or naturals + wilds > count_most_cards(rules):
        return False
    if is_closed(table, rules, rank):
        return False
    return added_wilds == 0 or may_take_wilds(table, rules, side, rank, naturals, wilds - added_wilds)


@jit
def may_be_wild_meld(rules, twos, jokers):
    """Whether so many twos and jokers are a valid wild meld; of a rank's limits where twos are a rank (RULES §7)."""
    if not 3 <= twos + jokers <= CANASTA:
        return False
    return rules.wild_melds != TWOS_FIRST or (twos >= rules.min_naturals and jokers <= rules.max_wilds)


@jit
def may_be_sequence(table, rules, side, plan, place, kind):
    """Whether a sequence with the cards of the plan is one of 3 to 7 cards, each rank once."""
    size = table.naturals[side, place]
    lowest = (kind - SEQUENCE) % 16
    count = size + plan.add_naturals[place]
    ranks = plan.add_ranks[place] | (((1 << size) - 1) << lowest)
    most = NATURAL_KINDS if plan.out and rules.full_sequence_add == GOING_OUT else CANASTA
    if count < 3 or count > most or ranks == 0:
        return False
    low = find_lowest(ranks)
    return ranks == ((1 << count) - 1) << low and (size > 0 or low == lowest)


@jit
def has_long_sequence(table, side, plan):
    """Whether the plan makes a sequence longer than seven, as only going out may (RULES §5)."""
    for place in range(FIRST_PLACES, count_places(table, side, plan)):
        size = table.naturals[side, place] + plan.add_naturals[place]
        if plan.add_naturals[place] > 0 and size > CANASTA and find_kind(table, side, plan, place) >= SEQUENCE:
            return True
    return False


@jit
def closes_elsewhere(table, side, plan, place, kind):
    """Whether the plan completes a canasta of a rank in another place: then this one takes no card (RULES §10)."""
    for other in range(count_places(table, side, plan)):
        size = count_cards(table, side, other)
        size += plan.add_naturals[other] + plan.add_twos[other] + plan.add_jokers[other]
        if other != place and size >= CANASTA and find_kind(table, side, plan, other) == kind:
            return True
    return False


@jit
def is_valid(table, rules, side, plan, place):
    """Whether the meld of a place is valid with the tallied plan's cards."""
    kind = find_kind(table, side, plan, place)
    if kind >= SEQUENCE:
        return may_be_sequence(table, rules, side, plan, place, kind)
    twos = table.twos[side, place] + plan.add_twos[place]
    jokers = table.jokers[side, place] + plan.add_jokers[place]
    if kind == WILD_MELD:
        return may_be_wild_meld(rules, twos, jokers)
    if kind == THREES_MELD and rules.black3_meld != AS_RANK:
        return True  # judged with going out
    naturals = table.naturals[side, place] + plan.add_naturals[place]
    added = plan.add_twos[place] + plan.add_jokers[place]
    if rules.closed_ranks_dead and closes_elsewhere(table, side, plan, place, kind):
        return False
    return may_be_rank_meld(table, rules, side, kind, naturals, twos + jokers, added)


@jit
def has_incomplete_wild(table, side, plan, with_plan):
    """Whether the side has a wild meld of fewer than seven cards, the tallied plan's counted or not (1, 0)."""
    for place in range(count_places(table, side, plan)):
        size = count_cards(table, side, place) + with_plan * (plan.add_twos[place] + plan.add_jokers[place])
        if 0 < size < CANASTA and find_kind(table, side, plan, place) == WILD_MELD:
            return True
    return False


@jit
def breaks_wild_lock(table, rules, side, plan):
    """Whether the plan cannot lay its wild cards (where twos are a rank: its twos) for a wild meld (RULES §7, §10).

    Elsewhere they may lie before a wild meld is begun, or once all of them are complete.
    """
    if not rules.open_wild_meld_locks_wilds:
        return False
    elsewhere = False
    for place in range(count_places(table, side, plan)):
        if find_kind(table, side, plan, place) != WILD_MELD:
            twos, jokers = plan.add_twos[place], plan.add_jokers[place]
            elsewhere = elsewhere or twos > 0 or (jokers > 0 and rules.wild_melds != TWOS_FIRST)
    return elsewhere and has_incomplete_wild(table, side, plan, 0) and has_incomplete_wild(table, side, plan, 1)


@outline
def are_valid(table, rules, side, plan):
    """Whether every meld the tallied plan touches or begins is valid with its cards."""
    first_new = FIRST_PLACES + table.extras[side]
    for place in range(first_new + plan.news):
        added = plan.add_naturals[place] + plan.add_twos[place] + plan.add_jokers[place]
        if place >= first_new and (added == 0 or not may_begin(table, rules, side, plan, place - first_new)):
            return False
        if added > 0 and not is_valid(table, rules, side, plan, place):
            return False
    return not breaks_wild_lock(table, rules, side, plan)
