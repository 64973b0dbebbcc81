"""Every way to lay the ranks of a hand in an opening, the best kept, where rules are not plain. Sources: RULES §1-§10.

Ways are alike that lay as many wild cards and contain as much of what an opening must: of those the one worth most is
kept in the plan's scratch, `worth[step, level, wilds]` after so many ranks, and in `way` how the last of them is laid.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, JOKERS, KIND_OF, NATURAL_KINDS, POINTS_OF_KIND, TWOS
from engine.jit import jit
from engine.kernel.melds import AS_RANK, CANASTA
from engine.kernel.opening_rules import (
    AFTER_OWN,
    ANY,
    ANY_CANASTA,
    CLEAN_OR_WILD,
    CLEAN_TRIPLE,
    NATURAL_CANASTA,
    NATURALS_ONLY,
    SPLASH,
)
from engine.kernel.outline import outline
from engine.kernel.places import NO_WILD_MELDS, SEVERAL, is_closed, may_be_rank_meld, may_be_wild_meld
from engine.kernel.spread import begin_meld, count_left_wilds, put_kind
from engine.kernel.state import LEVELS, MOST_WILDS, RANK_STEPS, THREES_MELD

LACKS, SUFFICES, SPLASHES = 0, 1, 2
"""Levels: what an opening must contain is not there yet, is there, or it is a splash and needs no count (RULES §10)."""
WHOLE = 1_000_000
"""What a canasta is worth, where all of the hand is to be laid and only canastas matter."""
_BITS = 64


@jit
def find_start_level(table, side):
    """The level of an opening without any meld."""
    content = table.content[side]
    return SUFFICES if content in (ANY, NATURALS_ONLY) else LACKS


@jit
def find_run_level(table, side, size):
    """The level that a sequence of so many cards gives an opening."""
    content = table.content[side]
    return SUFFICES if size >= CANASTA and content in (ANY_CANASTA, NATURAL_CANASTA) else LACKS


@jit
def find_wild_level(table, rules, side, cards):
    """The level that a wild meld of so many cards gives an opening."""
    if cards >= CANASTA and rules.initial_waivers & SPLASH:
        return SPLASHES
    content = table.content[side]
    if content == CLEAN_OR_WILD and cards >= 3:
        return SUFFICES
    return find_run_level(table, side, cards)


@jit
def find_level(table, rules, side, place, naturals, wilds, own):
    """The level that a meld of a rank gives an opening; `own` of its naturals come from the hand."""
    if wilds == 0 and own >= CANASTA and rules.initial_waivers & SPLASH:
        return SPLASHES
    content = table.content[side]
    if content in (CLEAN_TRIPLE, CLEAN_OR_WILD):
        return SUFFICES if place < NATURAL_KINDS and naturals >= 3 and wilds == 0 else LACKS
    if content == ANY_CANASTA or (content == NATURAL_CANASTA and wilds == 0):
        return SUFFICES if naturals + wilds >= CANASTA else LACKS
    return LACKS


@jit
def may_lay_wilds(table, rules, side, twos, jokers):
    """Whether an opening may hold a wild meld of these cards, or none."""
    if twos + jokers == 0:
        return True
    if rules.wild_melds == NO_WILD_MELDS or table.content[side] == NATURALS_ONLY:
        return False
    return may_be_wild_meld(rules, twos, jokers)


@jit
def may_mix(table, side, size, wilds):
    """Whether wild cards may lie in a meld of so many cards of an opening."""
    content = table.content[side]
    if wilds == 0:
        return True
    return content != NATURALS_ONLY and (size < CANASTA or content not in (CLEAN_TRIPLE, CLEAN_OR_WILD))


@outline
def may_form(table, rules, side, place, naturals, wilds, joined):
    """Whether so many cards of the hand, and the card taken (`joined` 1), are a meld an opening may lay.

    Where the hand alone must open they are one without the card taken, but for a bare pair (RULES §10).
    """
    alone = joined == 1 and rules.initial_pile == AFTER_OWN
    bare = alone and naturals == 2 and wilds == 0
    if alone and not bare and not may_be_rank_meld(table, rules, side, place, naturals, wilds, wilds):
        return False
    size = naturals + wilds + (0 if alone else joined)
    return may_mix(table, side, size, wilds) and may_be_rank_meld(
        table, rules, side, place, naturals + joined, wilds, wilds
    )


@jit
def keep_best(plan, step, worth, level, wilds, way):
    """Let what is laid at a step, worth so much, go with every way to lay the ranks before it; the best are kept."""
    for had in range(LEVELS):
        to = max(had, level)
        for used in range(MOST_WILDS + 1 - wilds):
            before = plan.worth[step, had, used]
            if before >= 0 and before + worth > plan.worth[step + 1, to, used + wilds]:
                plan.worth[step + 1, to, used + wilds] = before + worth
                plan.way[step + 1, to, used + wilds] = way * LEVELS + had


@outline
def weigh_second(table, hand, rules, plan, step, way, worth, level, joined, whole):
    """Count a second meld of a rank beside a first one (`way`), the smaller of the two unless that takes the pile."""
    side, first, laid = hand.side, way // _BITS, way % _BITS
    closing = rules.closed_ranks_dead != 0
    if closing and first + laid + joined >= CANASTA:
        return 0
    for naturals in range(rules.min_naturals, plan.left[step] - first + 1):
        if (naturals > first and not joined) or (whole and first + naturals != plan.left[step]):
            continue
        for wilds in range(min(rules.max_wilds, MOST_WILDS - laid) + 1):
            size = naturals + wilds
            if (closing and size >= CANASTA) or not may_form(table, rules, side, step, naturals, wilds, 0):
                continue
            both = worth + naturals * POINTS_OF_KIND[step] + WHOLE * (whole and size >= CANASTA)
            to = max(level, find_level(table, rules, side, step, naturals, wilds, naturals))
            keep_best(plan, step, both, to, laid + wilds, (way * _BITS + naturals) * _BITS + wilds)
    return 0


@outline
def weigh_form(table, hand, rules, plan, step, naturals, wilds, joined, whole):
    """Count a meld of a rank, alone and with a second one of it."""
    side = hand.side
    place, kind = (step, step) if step < NATURAL_KINDS else (THREES_MELD, BLACK_THREES)
    counted = joined
    own = naturals
    if joined == 1 and rules.initial_pile == AFTER_OWN:
        counted = 0
        own = naturals if naturals + wilds >= 3 else 0
    level = find_level(table, rules, side, place, own + counted, wilds, own)
    worth = (own + counted) * POINTS_OF_KIND[kind] + WHOLE * (whole and naturals + wilds + joined >= CANASTA)
    if not whole or naturals == plan.left[kind]:
        keep_best(plan, step, worth, level, wilds, naturals * _BITS + wilds)
    if rules.same_rank_melds == SEVERAL and place != THREES_MELD:
        weigh_second(table, hand, rules, plan, step, naturals * _BITS + wilds, worth, level, joined, whole)
    return 0


@outline
def weigh_rank(table, hand, rules, plan, step, joined, whole):
    """Count every way to lay the cards left of a rank."""
    place, kind = (step, step) if step < NATURAL_KINDS else (THREES_MELD, BLACK_THREES)
    held = plan.left[kind]
    for level in range(LEVELS):
        for used in range(MOST_WILDS + 1):
            bare = not joined and not (whole and held > 0)
            plan.worth[step + 1, level, used] = plan.worth[step, level, used] if bare else -1
            plan.way[step + 1, level, used] = level
    if held == 0 or is_closed(table, rules, place) or (place == THREES_MELD and rules.black3_meld != AS_RANK):
        return 0
    most = min(min(rules.max_wilds, MOST_WILDS), count_left_wilds(plan))
    for naturals in range(1 + joined, held + 1):
        for wilds in range(most + 1):
            if may_form(table, rules, hand.side, place, naturals, wilds, joined):
                weigh_form(table, hand, rules, plan, step, naturals, wilds, joined, whole)
    return 0


@outline
def weigh_ranks(table, hand, rules, plan, taking, level, whole):
    """Count every way to lay the cards left by rank, beside sequences of a level. 0 if the pile cannot be taken."""
    key = KIND_OF[hand.key] if taking else -1
    if key >= 0 and plan.left[key] < 2:
        return 0
    plan.worth[0, :, :] = -1
    plan.worth[0, level, 0] = 0
    for step in range(RANK_STEPS):
        weigh_rank(table, hand, rules, plan, step, 1 if step == key else 0, whole)
    return 1


@jit
def put_pool(plan, count, place):
    """Lay wild cards out of those chosen for the ranks, jokers first."""
    jokers = min(plan.use_jokers, count)
    plan.use_jokers -= jokers
    put_kind(plan, JOKERS, jokers, place)
    put_kind(plan, TWOS, count - jokers, place)


@jit
def lay_second(table, hand, plan, rank, form):
    """Lay the second meld of a rank; False if there is no place for it."""
    place = begin_meld(table, hand.side, plan, rank)
    if place < 0:
        return False
    put_kind(plan, rank, form // _BITS, place)
    put_pool(plan, form % _BITS, place)
    return True


@outline
def lay_ways(table, hand, rules, plan, level, wilds):
    """Lay the ranks as the best way of a level with so many wild cards has it; 0 if there is no place for a meld."""
    for back in range(RANK_STEPS):
        step = RANK_STEPS - 1 - back
        place, kind = (step, step) if step < NATURAL_KINDS else (THREES_MELD, BLACK_THREES)
        way = plan.way[step + 1, level, wilds]
        level = way % LEVELS
        first, second = way // LEVELS, 0
        if first >= _BITS * _BITS:
            first, second = first // (_BITS * _BITS), first % (_BITS * _BITS)
        put_kind(plan, kind, first // _BITS, place)
        put_pool(plan, first % _BITS, place)
        if second > 0 and not lay_second(table, hand, plan, step, second):
            return 0
        wilds -= first % _BITS + second % _BITS
    return 1
