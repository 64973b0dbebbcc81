"""Melds: what may lie on the table, and laying it. Sources: RULES §1.5, §2.

A meld is a place of a side (state.MELDS). Nothing here knows about turns or minimums.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, JOKER, JOKERS, KIND_OF, NATURAL_KINDS, POINTS_OF, TWOS
from engine.jit import jit
from engine.kernel.state import FIRST_PLACES, MAX_PLAN, SEQUENCE, THREES_MELD
from engine.rules import code

NOT_MORE, FEWER = code("wild_ratio", "not_more"), code("wild_ratio", "fewer")
DISCARD_REQUIRED = code("out_discard", "required")
AS_RANK = code("black3_meld", "as_rank")
CANASTA = 7


@jit
def count_cards(table, side, meld):
    """Cards in one meld of a side."""
    return table.naturals[side, meld] + table.twos[side, meld] + table.jokers[side, meld]


@jit
def is_wild(kind):
    """Whether cards of a kind are wild."""
    return TWOS <= kind <= JOKERS


@jit
def has_meld(table, side, meld):
    """Whether a side has a meld in a place."""
    return (table.melds[side] >> meld) & 1 != 0


@jit
def count_wild_limit(rules, naturals):
    """Most wild cards a rank meld with so many naturals may hold."""
    most = rules.max_wilds
    if rules.wild_ratio == NOT_MORE:
        most = min(most, naturals)
    elif rules.wild_ratio == FEWER:
        most = min(most, naturals - 1)
    return max(most, 0)


@jit
def may_lie(rules, naturals, wilds):
    """Whether a rank meld of so many naturals and wild cards is valid."""
    return naturals >= rules.min_naturals and naturals + wilds >= 3 and wilds <= count_wild_limit(rules, naturals)


@jit
def may_start(rules, naturals):
    """Whether so many naturals can make a new meld, with as many wild cards as they need."""
    return naturals >= rules.min_naturals and 3 - naturals <= count_wild_limit(rules, naturals)


@jit
def may_join(card, meld):
    """Whether a card can be aimed at a meld of the classic game at all: its own rank, or a wild card at a rank."""
    kind = KIND_OF[card]
    if kind < NATURAL_KINDS:
        return meld == kind
    if kind == BLACK_THREES:
        return meld == THREES_MELD
    return is_wild(kind) and 0 <= meld < NATURAL_KINDS


@jit
def may_end_with(rules, left):
    """Whether a seat that may go out can do so with so many cards left after melding."""
    return left == 1 or (left == 0 and rules.out_discard != DISCARD_REQUIRED)


@jit
def add_card(table, rules, side, meld, card):
    """Put a card on a side's meld, counting a canasta when it is the seventh; black threes make none (RULES §1.5)."""
    kind = KIND_OF[card]
    if kind == TWOS:
        table.twos[side, meld] += 1
    elif kind == JOKERS:
        table.jokers[side, meld] += 1
    else:
        table.naturals[side, meld] += 1
    table.visible[kind] += 1
    table.melds[side] |= 1 << meld
    if meld >= FIRST_PLACES:
        lower_sequence(table, side, meld - FIRST_PLACES, kind)
    if count_cards(table, side, meld) == CANASTA and (meld != THREES_MELD or rules.black3_meld == AS_RANK):
        table.canastas[side] += 1
        if not rules.plain:
            mark_dead(table, side, meld)


@jit
def lower_sequence(table, side, further, rank):
    """A sequence is named by its lowest card, which a card just added may be."""
    kind = table.extra_kind[side, further]
    if kind >= SEQUENCE and rank < (kind - SEQUENCE) % 16:
        table.extra_kind[side, further] = kind - (kind - SEQUENCE) % 16 + rank


@jit
def find_kind_on_table(table, side, place):
    """What lies in a place."""
    return place if place < FIRST_PLACES else table.extra_kind[side, place - FIRST_PLACES]


@jit
def mark_dead(table, side, meld):
    """Note the rank of a meld that has become a canasta."""
    kind = find_kind_on_table(table, side, meld)
    if kind < NATURAL_KINDS:
        table.dead |= 1 << kind


@jit
def give_card(table, hand, card):
    """Put a card into a hand."""
    hand.cards[card] += 1
    kind = KIND_OF[card]
    hand.kinds[kind] += 1
    hand.holds |= 1 << kind
    hand.lone = (hand.lone & ~(1 << kind)) | ((hand.kinds[kind] == 1) << kind)
    hand.count += 1
    hand.points += POINTS_OF[card]
    table.hand_sizes[hand.seat] += 1


@jit
def remove_card(table, hand, card):
    """Take a card out of a hand; cards known from a taken pile are forgotten as they are shown."""
    kind = KIND_OF[card]
    hand.cards[card] -= 1
    hand.kinds[kind] -= 1
    hand.holds = (hand.holds & ~(1 << kind)) | ((hand.kinds[kind] > 0) << kind)
    hand.lone = (hand.lone & ~(1 << kind)) | ((hand.kinds[kind] == 1) << kind)
    hand.count -= 1
    hand.points -= POINTS_OF[card]
    table.hand_sizes[hand.seat] -= 1
    if table.known[hand.seat, kind] > 0:
        table.known[hand.seat, kind] -= 1


@jit
def find_card(hand, kind):
    """A card of a kind in the hand, the first in code order; −1 if it holds none."""
    if kind == JOKERS:
        return JOKER if hand.cards[JOKER] > 0 else -1
    first = kind * 4 if kind <= TWOS else 48
    for card in range(first, first + 4):
        if hand.cards[card] > 0 and KIND_OF[card] == kind:
            return card
    return -1


@jit
def add_row(plan, card, meld):
    """Add a card and the meld it joins to a plan; a plan holds no more cards than any pack."""
    if plan.rows >= MAX_PLAN:
        return
    plan.card[plan.rows] = card
    plan.meld[plan.rows] = meld
    plan.rows += 1


@jit
def count_planned(plan, kind):
    """Cards of a kind already in a plan."""
    planned = 0
    for row in range(plan.rows):
        if KIND_OF[plan.card[row]] == kind:
            planned += 1
    return planned


@jit
def add_rows(hand, plan, kind, count, meld):
    """Add so many more cards of a kind from the hand to a plan, in code order.

    A row for the first copy is written held or not: what a hand holds is hard to predict.
    """
    skip = count_planned(plan, kind)
    place = plan.rows
    first, last = kind * 4, kind * 4 + 4
    if kind == JOKERS:
        first, last = JOKER, JOKER + 1
    elif kind == BLACK_THREES:
        first, last = 48, 52
    for card in range(first, last):
        held = hand.cards[card] if KIND_OF[card] == kind else 0
        usable = min(max(held - skip, 0), count)
        skip = max(skip - held, 0)
        count -= usable
        usable = min(usable, MAX_PLAN - place)
        plan.card[min(place, MAX_PLAN - 1)] = card
        plan.meld[min(place, MAX_PLAN - 1)] = meld
        for copy in range(1, usable):
            plan.card[place + copy] = card
            plan.meld[place + copy] = meld
        place += usable
    plan.rows = place


@jit
def clear_plan(plan):
    """Make a plan empty."""
    plan.rows = 0
    plan.news = 0
    plan.joins = 0
    plan.upcard_place = -1
    plan.red_threes = 0
    plan.depth = 0
    plan.special = 0
    plan.ask = 0
    plan.out = 0
