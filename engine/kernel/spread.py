"""Spreading a hand over melds of every sort, step by step: what searches and strategies build plans of.

A plan begun here keeps its tally as it grows, the cards it leaves (`plan.left…`) and how many more it may lay
(`plan.room`). Every step lays only what is valid beside the rest. Sources: RULES §1.5, §3-§7, §9, §10.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, JOKER, JOKERS, KIND_OF, NATURAL_KINDS, TWOS
from engine.jit import find_lowest, jit
from engine.kernel.licence import count_size, count_wilds
from engine.kernel.melds import CANASTA, add_row, clear_plan
from engine.kernel.outline import outline
from engine.kernel.places import (
    NO_WILD_MELDS,
    SEVERAL,
    count_most_cards,
    count_places,
    count_same,
    find_kind,
    is_closed,
    may_be_rank_meld,
    may_be_wild_meld,
)
from engine.kernel.state import FIRST_PLACES, FURTHER, MELDS, SEQUENCE, THREES_MELD, WILD_MELD
from engine.kernel.tally import clear_tally, count_row
from engine.log import MAX_SAME


@outline
def begin_spread(hand, plan, room):
    """Make the plan empty, with all of the hand left and `room` cards to lay."""
    clear_plan(plan)
    clear_tally(plan, MELDS)
    plan.left_cards[:] = hand.cards
    plan.left[:] = hand.kinds
    plan.room = room
    return 0


@jit
def put_card(plan, card, place):
    """Lay one card that is left."""
    add_row(plan, card, place)
    count_row(plan, card, place)
    plan.left_cards[card] -= 1
    plan.left[KIND_OF[card]] -= 1
    plan.room -= 1


@jit
def put_kind(plan, kind, count, place):
    """Lay so many cards of a kind that are left."""
    first = 48 if kind == BLACK_THREES else JOKER if kind == JOKERS else 4 * kind
    for card in range(first, min(first + 4, JOKER + 1)):
        while count > 0 and plan.left_cards[card] > 0 and KIND_OF[card] == kind:
            put_card(plan, card, place)
            count -= 1


@jit
def count_left_wilds(plan):
    """Wild cards the plan leaves."""
    return plan.left[TWOS] + plan.left[JOKERS]


@jit
def put_wilds(plan, count, place):
    """Lay so many wild cards that are left, twos first."""
    twos = min(plan.left[TWOS], count)
    put_kind(plan, TWOS, twos, place)
    put_kind(plan, JOKERS, count - twos, place)


@jit
def begin_meld(table, side, plan, kind):
    """Begin a meld in a further place; the place, −1 if there is no room for one more."""
    place = count_places(table, side, plan)
    if table.extras[side] + plan.news >= FURTHER:
        return -1
    if kind < SEQUENCE and count_same(table, side, plan, kind, place) >= MAX_SAME - 1:
        return -1
    plan.new_kind[plan.news] = kind
    plan.news += 1
    return place


@jit
def find_fitting_place(table, rules, side, plan, rank, naturals, wilds):
    """The meld of a rank, not a canasta if there may be others, where so many more cards are valid; −1 if none."""
    for place in range(count_places(table, side, plan)):
        size = count_size(table, side, plan, place, 1)
        if find_kind(table, side, plan, place) != rank or size == 0:
            continue
        if size >= CANASTA and rules.same_rank_melds == SEVERAL:
            continue
        all_naturals = table.naturals[side, place] + plan.add_naturals[place] + naturals
        if may_be_rank_meld(table, rules, side, rank, all_naturals, size + naturals + wilds - all_naturals, wilds):
            return place
    return -1


@outline
def choose_rank_place(table, rules, side, plan, rank, naturals, wilds):
    """The place where so many more cards of a rank make a valid meld, a new one if need be; −1 if none."""
    place = find_fitting_place(table, rules, side, plan, rank, naturals, wilds)
    if place >= 0 or not may_be_rank_meld(table, rules, side, rank, naturals, wilds, wilds):
        return place
    if count_size(table, side, plan, rank, 1) == 0:
        return rank
    return begin_meld(table, side, plan, rank) if rules.same_rank_melds == SEVERAL else -1


# ------------------------------------------------------------------------------------------------------- sequences
@jit
def find_ranks(table, side, plan, place):
    """Bits of the ranks in a sequence, the plan's counted."""
    size = table.naturals[side, place]
    kind = find_kind(table, side, plan, place)
    return plan.add_ranks[place] | (((1 << size) - 1) << ((kind - SEQUENCE) % 16))


@outline
def lengthen_sequences(table, side, plan):
    """Add cards that are left to both ends of the side's sequences."""
    for place in range(FIRST_PLACES, count_places(table, side, plan)):
        kind = find_kind(table, side, plan, place)
        if kind < SEQUENCE:
            continue
        suit = (kind - SEQUENCE) // 16
        while plan.room > 0 and count_size(table, side, plan, place, 1) < CANASTA:
            ranks = find_ranks(table, side, plan, place)
            low = find_lowest(ranks)
            high = low + count_size(table, side, plan, place, 1)
            if high < NATURAL_KINDS and plan.left_cards[4 * high + suit] > 0:
                put_card(plan, 4 * high + suit, place)
            elif low > 0 and plan.left_cards[4 * low - 4 + suit] > 0:
                put_card(plan, 4 * low - 4 + suit, place)
            else:
                break
    return 0


@jit
def find_run(plan, suit):
    """Lowest rank and length of the longest run of a suit among the cards left, at most seven."""
    best, most, low = 0, 0, 0
    for rank in range(NATURAL_KINDS):
        if plan.left_cards[4 * rank + suit] == 0:
            low = rank + 1
        elif rank + 1 - low > most and rank + 1 - low <= CANASTA:
            best, most = low, rank + 1 - low
    return best, most


@outline
def begin_sequence(table, rules, side, plan):
    """Begin the longest sequence the cards left make; False if they make none."""
    best_suit, best, most = 0, 0, 0
    for suit in range(4):
        low, count = find_run(plan, suit)
        if count > most:
            best_suit, best, most = suit, low, count
    most = min(most, plan.room)
    if rules.sequences == 0 or most < 3:
        return False
    place = begin_meld(table, side, plan, SEQUENCE + 16 * best_suit + best)
    if place < 0:
        return False
    for rank in range(best, best + most):
        put_card(plan, 4 * rank + best_suit, place)
    return True


# ----------------------------------------------------------------------------------------------------------- ranks
@outline
def add_to_rank(table, rules, side, plan, rank):
    """Add the naturals left of a rank to melds the side has."""
    while plan.left[rank] > 0 and plan.room > 0:
        count = min(plan.left[rank], plan.room)
        place = -1
        while count > 0 and place < 0:
            place = find_fitting_place(table, rules, side, plan, rank, count, 0)
            count -= place < 0
        if place < 0:
            break
        put_kind(plan, rank, count, place)
    return 0


@outline
def begin_rank(table, rules, side, plan, rank, least):
    """Begin a meld of the naturals left of a rank, if they are at least so many; False if they are not or may not."""
    count = min(min(plan.left[rank], plan.room), count_most_cards(rules))
    if count < max(least, rules.min_naturals) or is_closed(table, rules, rank):
        return False
    place = choose_rank_place(table, rules, side, plan, rank, count, 0)
    if place < 0:
        return False
    put_kind(plan, rank, count, place)
    return True


@outline
def begin_with_wilds(table, rules, side, plan, rank):
    """Begin a meld of one or two naturals left of a rank and the wild cards it needs; False if it cannot be."""
    held = plan.left[rank]
    need = 3 - held
    if held == 0 or need <= 0 or need > count_left_wilds(plan) or plan.room < 3 or is_closed(table, rules, rank):
        return False
    if not may_be_rank_meld(table, rules, side, rank, held, need, need):
        return False
    place = choose_rank_place(table, rules, side, plan, rank, held, need)
    if place < 0:
        return False
    put_kind(plan, rank, held, place)
    put_wilds(plan, need, place)
    return True


# ----------------------------------------------------------------------------------------------------- wild cards
@jit
def may_add_wilds(table, rules, side, plan, place, count):
    """Whether so many more wild cards are valid on a meld of a rank."""
    kind = find_kind(table, side, plan, place)
    size = count_size(table, side, plan, place, 1)
    if kind >= NATURAL_KINDS or size == 0:
        return False
    wilds = count_wilds(table, side, plan, place, 1)
    added = plan.add_twos[place] + plan.add_jokers[place] + count
    return may_be_rank_meld(table, rules, side, kind, size - wilds, wilds + count, added)


@outline
def complete_canastas(table, rules, side, plan, smallest):
    """Make canastas with wild cards left of melds of a rank with at least so many cards, those nearest to it first."""
    done = 0
    for missing in range(1, CANASTA - 1):
        if missing > min(count_left_wilds(plan), plan.room):
            break
        for place in range(count_places(table, side, plan)):
            size = count_size(table, side, plan, place, 1)
            if size != CANASTA - missing or size < smallest or missing > min(count_left_wilds(plan), plan.room):
                continue
            if may_add_wilds(table, rules, side, plan, place, missing):
                put_wilds(plan, missing, place)
                done += 1
    return done


@outline
def spread_wild(table, rules, side, plan, largest):
    """Lay one more wild card on a meld of a rank that has at most so many cards; False if it fits nowhere."""
    if count_left_wilds(plan) == 0 or plan.room == 0:
        return False
    for place in range(count_places(table, side, plan)):
        if count_size(table, side, plan, place, 1) <= largest and may_add_wilds(table, rules, side, plan, place, 1):
            put_wilds(plan, 1, place)
            return True
    return False


@outline
def lay_wild_meld(table, rules, side, plan):
    """Lay the wild cards left on the side's wild meld, or as a new one; False if they make none."""
    if rules.wild_melds == NO_WILD_MELDS:
        return False
    place = -1
    for each in range(count_places(table, side, plan)):
        if find_kind(table, side, plan, each) == WILD_MELD and 0 < count_size(table, side, plan, each, 1) < CANASTA:
            place = each
    size = 0 if place < 0 else count_size(table, side, plan, place, 1)
    jokers = min(plan.left[JOKERS], CANASTA - size)
    twos = min(plan.left[TWOS], CANASTA - size - jokers)
    if size + jokers + twos < 3 or jokers + twos == 0 or jokers + twos > plan.room:
        return False
    on_twos, on_jokers = (0, 0) if place < 0 else (table.twos[side, place], table.jokers[side, place])
    if not may_be_wild_meld(rules, on_twos + twos, on_jokers + jokers):
        return False
    if place < 0:
        place = WILD_MELD
        if count_size(table, side, plan, WILD_MELD, 1) > 0:
            place = begin_meld(table, side, plan, WILD_MELD) if rules.same_rank_melds == SEVERAL else -1
    if place < 0:
        return False
    put_kind(plan, JOKERS, jokers, place)
    put_kind(plan, TWOS, twos, place)
    return True


@jit
def lay_threes(plan):
    """Lay the black threes left, where there are at least three."""
    if 3 <= plan.left[BLACK_THREES] <= plan.room:
        put_kind(plan, BLACK_THREES, plan.left[BLACK_THREES], THREES_MELD)
