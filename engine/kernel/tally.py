"""A plan counted and judged as melds: its cards by meld, and whether what it touches is valid (RULES §1.5).

Where the rules are plain (`rules.plain`) only the classic game's melds are looked at.
"""

from __future__ import annotations

from engine.cards import CARD_COUNT, JOKERS, KIND_OF, NATURAL_KINDS, POINTS_OF, TWOS
from engine.jit import jit
from engine.kernel.melds import may_join, may_lie
from engine.kernel.places import are_valid, count_places, find_kind, may_join_kind
from engine.kernel.state import FIRST_PLACES, FURTHER, MAX_PLAN, SEQUENCE, WILD_MELD


@jit
def may_read_news(table, rules, side, plan):
    """Whether the melds a plan begins in further places are such as there can be."""
    if rules.plain or plan.news < 0 or plan.news + table.extras[side] > FURTHER:
        return plan.news == 0
    for number in range(plan.news):
        kind = plan.new_kind[number]
        if not (0 <= kind <= WILD_MELD or (SEQUENCE <= kind < SEQUENCE + 64 and kind % 16 < NATURAL_KINDS - 2)):
            return False
    return True


@jit
def may_read(table, rules, side, plan):
    """Whether a plan's rows name cards and melds that exist: a strategy may write anything into it."""
    if plan.rows < 0 or plan.rows > MAX_PLAN or not may_read_news(table, rules, side, plan):
        return False
    places = count_places(table, side, plan)
    for row in range(plan.rows):
        if plan.card[row] < 0 or plan.card[row] >= CARD_COUNT or plan.meld[row] < 0 or plan.meld[row] >= places:
            return False
    return True


@jit
def may_aim(table, rules, side, plan, card, meld):
    """Whether a card can be aimed at a place of the side at all."""
    if rules.plain:
        return may_join(card, meld)
    return may_join_kind(rules, card, find_kind(table, side, plan, meld))


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
        if meld >= FIRST_PLACES:
            plan.add_ranks[meld] |= 1 << kind


@jit
def take_back_row(plan, card, meld):
    """Count one card of a plan no longer, by meld and kind."""
    kind = KIND_OF[card]
    plan.add_twos[meld] -= kind == TWOS
    plan.add_jokers[meld] -= kind == JOKERS
    plan.add_naturals[meld] -= kind != TWOS and kind != JOKERS


@jit
def clear_tally(plan, places):
    """Nothing has been counted."""
    plan.add_naturals[:places] = 0
    plan.add_twos[:places] = 0
    plan.add_jokers[:places] = 0
    plan.add_ranks[FIRST_PLACES:places] = 0
    plan.points = 0


@jit
def tally_plan(table, hand, rules, plan):
    """Count a plan's cards by meld and their points into its scratch; 0, or 1 not held, 2 wrong meld."""
    side = hand.side
    if not may_read(table, rules, side, plan):
        return 2
    clear_tally(plan, count_places(table, side, plan))
    wrong = 0
    for row in range(plan.rows):
        card, meld = plan.card[row], plan.meld[row]
        hand.cards[card] -= 1
        if hand.cards[card] < 0:
            wrong = 1
        if not may_aim(table, rules, side, plan, card, meld):
            wrong = 2
        else:
            count_row(plan, card, meld)
    for row in range(plan.rows):
        hand.cards[plan.card[row]] += 1
    return wrong


@jit
def may_lay(table, rules, side, plan):
    """Whether every meld the tallied plan touches is valid with its cards."""
    if not rules.plain:
        return are_valid(table, rules, side, plan)
    for meld in range(NATURAL_KINDS):
        added = plan.add_naturals[meld] + plan.add_twos[meld] + plan.add_jokers[meld]
        if added > 0:
            naturals = table.naturals[side, meld] + plan.add_naturals[meld]
            wilds = table.twos[side, meld] + table.jokers[side, meld] + plan.add_twos[meld] + plan.add_jokers[meld]
            if not may_lie(rules, naturals, wilds):
                return False
    return True
