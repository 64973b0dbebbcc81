"""Whether a hand holds any opening at all, where rules are not plain: asked where building one greedily found none.

Sets of sequences are tried one after another, beside each every way to lay the ranks (engine.kernel.forms) and a wild
meld. What is worth enough is put into the plan and judged like any other. Sources: RULES §1.6, §1.7, §3-§10.
"""

from __future__ import annotations

from engine.cards import CARD_COUNT, JOKERS, KIND_OF, NATURAL_KINDS, POINTS_OF, POINTS_OF_KIND, TWOS
from engine.jit import jit
from engine.kernel.commit import KNOWN, LAYING, TAKING, find_fault, may_open_by_itself
from engine.kernel.forms import (
    LACKS,
    SPLASHES,
    WHOLE,
    find_run_level,
    find_start_level,
    find_wild_level,
    lay_ways,
    may_lay_wilds,
    weigh_ranks,
)
from engine.kernel.melds import CANASTA, clear_plan
from engine.kernel.opening_rules import AFTER_OWN
from engine.kernel.outline import outline
from engine.kernel.places import count_places
from engine.kernel.spread import begin_meld, begin_spread, put_card, put_kind
from engine.kernel.state import LEVELS, MOST_WILDS, RANK_STEPS, SEQUENCE, WILD_MELD
from engine.kernel.tally import tally_plan
from engine.kernel.upcard import find_any_way

_LENGTHS = CANASTA - 2
"""Sequences of 3 to 7 cards begin at each card."""


# ------------------------------------------------------------------------------------------------ one plan
@outline
def opens(table, hand, rules, plan, below, taking):
    """Whether the plan's rows open, with the pile or without it."""
    if plan.rows == 0 or tally_plan(table, hand, rules, plan) != 0:
        return False
    if not taking:
        return find_fault(table, hand, rules, plan, below, LAYING) == 0
    alone = rules.initial_pile == AFTER_OWN
    if alone and not may_open_by_itself(table, hand, rules, plan):
        return False
    plan.upcard_place = KIND_OF[hand.key]
    if find_any_way(table, hand, rules, plan) == 0:
        return False
    return find_fault(table, hand, rules, plan, below, KNOWN if alone else TAKING) == 0


@jit
def take_back(plan, rows, news):
    """Let the plan lay no more than its first rows and melds."""
    while plan.rows > rows:
        plan.rows -= 1
        card = plan.card[plan.rows]
        plan.left_cards[card] += 1
        plan.left[KIND_OF[card]] += 1
        plan.room += 1
    plan.news = news


@jit
def count_laid(plan):
    """Points of the cards that the plan lays."""
    points = 0
    for row in range(plan.rows):
        points += POINTS_OF[plan.card[row]]
    return points


# ------------------------------------------------------------------------------------------------ sequences
@jit
def count_run(plan, place):
    """Cards of a sequence that the plan begins in a place."""
    size = 0
    for row in range(plan.rows):
        size += plan.meld[row] == place
    return size


@jit
def find_run(plan, start):
    """The first sequence, by its number, from one on that the cards left make; -1 if they make none."""
    for run in range(start, 4 * NATURAL_KINDS * _LENGTHS):
        card, size = run // _LENGTHS, 3 + run % _LENGTHS
        if plan.left_cards[card] == 0 or card // 4 + size > NATURAL_KINDS:
            continue
        there = 0
        for step in range(size):
            there += plan.left_cards[card + 4 * step] > 0
        if there == size:
            return run
    return -1


@jit
def put_run(table, side, plan, run):
    """Lay a sequence; False if there is no place for it."""
    card, size = run // _LENGTHS, 3 + run % _LENGTHS
    place = begin_meld(table, side, plan, SEQUENCE + 16 * (card % 4) + card // 4)
    if place < 0:
        return False
    for step in range(size):
        put_card(plan, card + 4 * step, place)
    return True


@jit
def take_back_run(plan):
    """Let the plan's last sequence go; its number."""
    size = count_run(plan, plan.meld[plan.rows - 1])
    kind = plan.new_kind[plan.news - 1] - SEQUENCE
    take_back(plan, plan.rows - size, plan.news - 1)
    return (kind % 16 * 4 + kind // 16) * _LENGTHS + size - 3


# ------------------------------------------------------------------------------------------------ ranks and wild melds
@outline
def try_way(table, hand, rules, plan, below, taking, twos, jokers, level, wilds):
    """Lay the ranks in the best way of a level with so many wild cards, and a wild meld; whether that opens."""
    rows, news = plan.rows, plan.news
    plan.use_jokers = min(wilds, plan.left[JOKERS] - jokers)
    laid = lay_ways(table, hand, rules, plan, level, wilds)
    put_kind(plan, TWOS, twos, WILD_MELD)
    put_kind(plan, JOKERS, jokers, WILD_MELD)
    if laid and opens(table, hand, rules, plan, below, taking):
        return True
    take_back(plan, rows, news)
    return False


@outline
def try_beside(table, hand, rules, plan, below, taking, twos, jokers):
    """Try every way to lay the ranks, as counted, that is worth enough beside a wild meld of these cards, or none."""
    own = find_wild_level(table, rules, hand.side, twos + jokers)
    spare = plan.left[JOKERS] - jokers
    base = count_laid(plan) + twos * POINTS_OF_KIND[TWOS] + jokers * POINTS_OF_KIND[JOKERS]
    for wilds in range(min(plan.left[TWOS] - twos + spare, MOST_WILDS) + 1):
        most = min(wilds, spare)
        points = base + most * POINTS_OF_KIND[JOKERS] + (wilds - most) * POINTS_OF_KIND[TWOS]
        for level in range(LEVELS):
            worth, to = plan.worth[RANK_STEPS, level, wilds], max(level, own)
            if worth < 0 or to == LACKS or (to < SPLASHES and points + worth % WHOLE < table.minimum[hand.side]):
                continue
            if try_way(table, hand, rules, plan, below, taking, twos, jokers, level, wilds):
                return True
    return False


@outline
def try_ranks(table, hand, rules, plan, below, taking, whole):
    """Try every way to lay the ranks and a wild meld beside the sequences the plan has; whether one opens."""
    level = find_start_level(table, hand.side)
    for place in range(count_places(table, hand.side, plan) - plan.news, count_places(table, hand.side, plan)):
        level = max(level, find_run_level(table, hand.side, count_run(plan, place)))
    if not weigh_ranks(table, hand, rules, plan, taking, level, whole):
        return False
    for twos in range(min(plan.left[TWOS], CANASTA) + 1):
        for jokers in range(min(plan.left[JOKERS], CANASTA) + 1):
            if not may_lay_wilds(table, rules, hand.side, twos, jokers):
                continue
            if try_beside(table, hand, rules, plan, below, taking, twos, jokers):
                return True
    return False


@outline
def search_sets(table, hand, rules, plan, below, taking, whole):
    """Fill the plan, empty so far, with an opening of the cards left; every set of sequences is tried."""
    if try_ranks(table, hand, rules, plan, below, taking, whole):
        return True
    run = find_run(plan, 0) if rules.sequences else -1
    while run >= 0 or plan.news > 0:
        if run < 0:
            run = find_run(plan, take_back_run(plan) + 1)
        elif put_run(table, hand.side, plan, run):
            if try_ranks(table, hand, rules, plan, below, taking, whole):
                return True
            run = find_run(plan, run)
        else:
            run = find_run(plan, run + 1)
    return False


# ------------------------------------------------------------------------------------------------ cards that stay
@jit
def search_without(table, hand, rules, plan, below, taking, first, second, whole):
    """Fill the plan with an opening that leaves one or two cards (-1: none) in the hand."""
    begin_spread(hand, plan, hand.count)
    for card in (first, second):
        if card >= 0:
            plan.left_cards[card] -= 1
            plan.left[KIND_OF[card]] -= 1
            if plan.left_cards[card] < 0:
                return False
    return search_sets(table, hand, rules, plan, below, taking, whole)


@outline
def search_holding(table, hand, rules, plan, below, taking):
    """Fill the plan with an opening that leaves as many cards as must stay, one or two, each in turn."""
    two = hand.keep - below >= 2
    for first in range(CARD_COUNT):
        if hand.cards[first] == 0:
            continue
        for second in range(first if two else CARD_COUNT - 1, CARD_COUNT):
            if search_without(table, hand, rules, plan, below, taking, first, second if two else -1, 0):
                return True
    return False


@outline
def search_whole(table, hand, rules, plan, below, taking):
    """Fill the plan with an opening that lays all of the hand, or all but a card, with most canastas: it goes out."""
    if hand.count + taking < CANASTA:
        return False
    for card in range(-1, CARD_COUNT):
        held = card < 0 or hand.cards[card] > 0
        if held and search_without(table, hand, rules, plan, below, taking, card, -1, 1):
            return True
    return False


@outline
def search_every_opening(table, hand, rules, plan, taking, below):
    """Fill the plan's rows with an opening, with the pile if taking and `below` cards to come; whether there is one."""
    if rules.plain or hand.count == 0:
        return False
    enough = search_without(table, hand, rules, plan, max(below, hand.keep), taking, -1, -1, 0)
    if enough and hand.count - plan.rows + below < hand.keep:
        enough = search_holding(table, hand, rules, plan, below, taking) or search_whole(
            table, hand, rules, plan, below, taking
        )
    if not enough:
        clear_plan(plan)
    return enough
