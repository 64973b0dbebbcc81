"""Melds: what may lie on the table, and laying it. Sources: RULES §1.5, §2.

A meld is a place of a side (state.MELDS). Nothing here knows about turns or minimums.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARD_COUNT, JOKER, JOKERS, KIND_OF, NATURAL_KINDS, POINTS_OF, TWOS
from engine.jit import jit
from engine.rules import code
from engine.state import MAX_PLAN, MELDS, THREES_MELD

NOT_MORE, FEWER = code("wild_ratio", "not_more"), code("wild_ratio", "fewer")
DISCARD_REQUIRED = code("out_discard", "required")
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
    """Whether a card can be aimed at a meld at all: its own rank, or a wild card at a rank."""
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
def add_card(table, side, meld, card):
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
    if meld != THREES_MELD and count_cards(table, side, meld) == CANASTA:
        table.canastas[side] += 1


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
    """Add so many more cards of a kind from the hand to a plan, in code order."""
    skip = count_planned(plan, kind)
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
        for _ in range(usable):
            add_row(plan, card, meld)


@jit
def clear_plan(plan):
    """Make a plan empty."""
    plan.rows = 0
    plan.red_threes = 0
    plan.depth = 0
    plan.special = 0
    plan.ask = 0
    plan.out = 0


@jit
def may_read(plan):
    """Whether a plan's rows name cards and melds that exist: a strategy may write anything into it."""
    if plan.rows < 0 or plan.rows > MAX_PLAN:
        return False
    for row in range(plan.rows):
        if plan.card[row] < 0 or plan.card[row] >= CARD_COUNT or plan.meld[row] < 0 or plan.meld[row] >= MELDS:
            return False
    return True


@jit
def count_row(plan, card, meld):
    """Count one card of a plan by meld and kind into its scratch."""
    plan.points += POINTS_OF[card]
    kind = KIND_OF[card]
    if kind == TWOS:
        plan.add_twos[meld] += 1
    elif kind == JOKERS:
        plan.add_jokers[meld] += 1
    else:
        plan.add_naturals[meld] += 1


@jit
def tally_plan(hand, plan):
    """Count a plan's cards by meld and their points into its scratch; 0, or 1 not held, 2 wrong meld."""
    if not may_read(plan):
        return 2
    plan.add_naturals[:] = 0
    plan.add_twos[:] = 0
    plan.add_jokers[:] = 0
    plan.points = 0
    wrong = 0
    for row in range(plan.rows):
        card, meld = plan.card[row], plan.meld[row]
        hand.cards[card] -= 1
        if hand.cards[card] < 0:
            wrong = 1
        if not may_join(card, meld):
            wrong = 2
        else:
            count_row(plan, card, meld)
    for row in range(plan.rows):
        hand.cards[plan.card[row]] += 1
    return wrong


@jit
def may_lay(table, rules, side, plan):
    """Whether every rank meld the tallied plan touches is valid with its cards."""
    for meld in range(NATURAL_KINDS):
        added = plan.add_naturals[meld] + plan.add_twos[meld] + plan.add_jokers[meld]
        if added > 0:
            naturals = table.naturals[side, meld] + plan.add_naturals[meld]
            wilds = table.twos[side, meld] + table.jokers[side, meld] + plan.add_twos[meld] + plan.add_jokers[meld]
            if not may_lie(rules, naturals, wilds):
                return False
    return True


@jit
def count_canastas_with(table, side, plan):
    """Canastas the side would have once the tallied plan lies on the table."""
    canastas = table.canastas[side]
    for meld in range(NATURAL_KINDS):
        added = plan.add_naturals[meld] + plan.add_twos[meld] + plan.add_jokers[meld]
        size = count_cards(table, side, meld)
        if size < CANASTA <= size + added:
            canastas += 1
    return canastas
