"""Which place of the kernel an action of a hand history aims at, and what nothing later in the turn can repair."""

from __future__ import annotations

from typing import Any

import numpy as np
from kernel_table import RefusedError

from engine.cards import KIND_OF, NATURAL_KINDS, RANKS, SUITS
from engine.history.record import Action
from engine.kernel.licence import count_size, count_wilds
from engine.kernel.melds import CANASTA, add_card, count_wild_limit, is_wild
from engine.kernel.places import (
    AS_RANK,
    NO_WILD_MELDS,
    SEVERAL,
    TWOS_FIRST,
    count_most_cards,
    count_places,
    find_kind,
    is_closed,
    is_valid,
    may_take_wilds,
)
from engine.kernel.state import FIRST_PLACES, SEQUENCE, THREES_MELD, WILD_MELD
from engine.kernel.tally import clear_tally, count_row, tally_plan

NOWHERE = 99


def name_place(table: Any, side: int, plan: Any, place: int) -> str:
    """The name of what lies in a place, the tallied plan's cards counted."""
    kind = int(find_kind(table, side, plan, place))
    if kind < SEQUENCE:
        return "wild" if kind == WILD_MELD else "3" if kind == THREES_MELD else RANKS[kind] if kind >= 0 else ""
    ranks = int(plan.add_ranks[place])
    lowest = (kind - SEQUENCE) % 16
    if table.naturals[side, place] == 0 and ranks:
        lowest = (ranks & -ranks).bit_length() - 1
    elif ranks:
        lowest = min(lowest, (ranks & -ranks).bit_length() - 1)
    return SUITS[(kind - SEQUENCE) // 16] + RANKS[lowest]


def find_places(walk: Any, name: str) -> list[int]:
    """The places, in order, that hold a meld of a name on the table or by the rows gathered."""
    table, hand, rules, _, _ = walk.state
    plan = walk.fill_plan()
    tally_plan(table, hand, rules, plan)
    return [
        place
        for place in range(int(count_places(table, hand.side, plan)))
        if count_size(table, hand.side, plan, place, 1) > 0 and name_place(table, hand.side, plan, place) == name
    ]


def begin_place(walk: Any, kind: int) -> int:
    """A place for a meld of a kind not there yet: its own, or a further one."""
    name = "wild" if kind == WILD_MELD else "3" if kind == THREES_MELD else RANKS[kind] if kind < SEQUENCE else ""
    if kind < FIRST_PLACES and not find_places(walk, name):
        return kind
    walk.news.append(kind)
    return FIRST_PLACES + int(walk.state[0].extras[walk.hand.side]) + len(walk.news) - 1


def find_any_place(walk: Any, action: Action) -> int:
    """The place that an action's cards join where rules are not plain; NOWHERE when there can be none."""
    naturals = [card for card in action.cards if not is_wild(KIND_OF[card])]
    kinds = {int(KIND_OF[card]) for card in naturals}
    if action.aim is not None:
        return _find_aimed(walk, action, kinds)
    if len(kinds) > 1:
        suits = {card % 4 for card in action.cards}
        if walk.kernel.rules.sequences and len(suits) == 1 and max(kinds) < NATURAL_KINDS:
            return begin_place(walk, SEQUENCE + 16 * suits.pop() + min(min(kinds), NATURAL_KINDS - 3))
        return NOWHERE
    kind = min(kinds) if kinds else WILD_MELD
    kind = THREES_MELD if kinds and kind > NATURAL_KINDS else kind
    return _choose_place(walk, kind, len(action.cards), len(action.cards) - len(naturals))


def _choose_place(walk: Any, kind: int, count: int, wilds: int) -> int:
    """The first meld of a kind that can take so many cards, else a new one where there may be one."""
    table, hand, rules, _, _ = walk.state
    name = "wild" if kind == WILD_MELD else "3" if kind == THREES_MELD else RANKS[kind]
    same = find_places(walk, name)
    coming = not walk.began and table.pile_count > 0 and KIND_OF[table.upcard] == kind
    most = CANASTA if kind == WILD_MELD else int(count_most_cards(rules))
    for place in same:
        size = int(count_size(table, hand.side, walk.kernel.plan, place, 1))
        there = int(count_wilds(table, hand.side, walk.kernel.plan, place, 1))
        fits = size + count + coming <= most and not (coming and size >= CANASTA and not rules.add_to_complete)
        if kind < NATURAL_KINDS:
            fits = fits and there + wilds <= count_wild_limit(rules, size + count + coming - there - wilds)
        if fits:
            return place
    if same and rules.same_rank_melds != SEVERAL:
        return same[0]
    return begin_place(walk, kind)


def _find_aimed(walk: Any, action: Action, kinds: set[int]) -> int:
    side, mark, rest = (action.aim or "").rpartition(":")
    if mark and int(side) - 1 != walk.hand.side:
        return NOWHERE
    name, _, which = rest.partition(".")
    name = "wild" if name == "WILD" else name
    same = find_places(walk, name)
    number = len(same) + 1 if which.upper() == "NEW" else int(which or 1)
    if number <= len(same):
        return same[number - 1]
    if name[0] in SUITS:
        return NOWHERE
    kind = WILD_MELD if name == "wild" else THREES_MELD if name == "3" else RANKS.index(name)
    if not which and kind < NATURAL_KINDS and kinds:
        return _choose_place(walk, kind, len(action.cards), 0)
    if same and walk.kernel.rules.same_rank_melds != SEVERAL:
        return NOWHERE
    return begin_place(walk, kind)


def is_beyond_repair(walk: Any, place: int, cards: tuple[int, ...]) -> bool:
    """Whether no card laid later in the turn can make the tallied plan's meld of a place valid."""
    table, hand, rules, _, _ = walk.state
    plan, side = walk.kernel.plan, hand.side
    kind = int(find_kind(table, side, plan, place))
    size = int(count_size(table, side, plan, place, 1))
    wilds = int(count_wilds(table, side, plan, place, 1))
    laid = [card for card in cards if is_wild(KIND_OF[card])]
    if kind >= SEQUENCE:
        if size > CANASTA:
            return True
        ranks = int(plan.add_ranks[place]) | ((1 << int(table.naturals[side, place])) - 1) << (kind - SEQUENCE) % 16
        return bin(ranks).count("1") < size or ranks.bit_length() - ((ranks & -ranks).bit_length() - 1) > CANASTA
    if kind == WILD_MELD:
        jokers = int(table.jokers[side, place] + plan.add_jokers[place])
        crowded = rules.wild_melds == TWOS_FIRST and jokers > rules.max_wilds
        return rules.wild_melds == NO_WILD_MELDS or size > CANASTA or crowded
    if laid and _is_locked(walk, [card for card in laid if rules.wild_melds != TWOS_FIRST or card < 48]):
        return True
    if kind == THREES_MELD:
        return rules.black3_meld != AS_RANK and bool(laid)
    before = wilds - len(laid)
    coming = not walk.began and table.pile_count > 0 and KIND_OF[table.upcard] == kind  # the upcard joins in one act
    stuck = bool(laid) and not may_take_wilds(table, rules, side, kind, size - wilds + coming, before)
    return (
        size > count_most_cards(rules)
        or wilds > count_wild_limit(rules, 100)
        or bool(is_closed(table, rules, kind))
        or stuck
    )


def _is_locked(walk: Any, wilds: list[int]) -> bool:
    """Whether an incomplete wild meld keeps wild cards from being laid elsewhere."""
    table, hand, rules, _, _ = walk.state
    if not rules.open_wild_meld_locks_wilds or not wilds:
        return False
    plan = walk.kernel.plan
    for place in range(int(count_places(table, hand.side, plan))):
        size = count_size(table, hand.side, plan, place, 1)
        if find_kind(table, hand.side, plan, place) == WILD_MELD and 0 < size < CANASTA:
            return True
    return False


def lay_any_meld(kernel: Any, side: int, cards: tuple[int, ...]) -> None:
    """Lay a meld of a position; it must be such as the kernel could have laid."""
    table, rules, plan = kernel.table, kernel.rules, kernel.plan
    naturals = {int(KIND_OF[card]) for card in cards if not is_wild(KIND_OF[card])}
    kind = min(naturals) if naturals else WILD_MELD
    if len(naturals) > 1:
        kind = SEQUENCE + 16 * (cards[0] % 4) + kind
    elif kind > NATURAL_KINDS:
        kind = THREES_MELD
    place = kind
    if kind >= SEQUENCE or table.melds[side] >> kind & 1:
        table.extra_kind[side, table.extras[side]] = kind
        table.extras[side] += 1
        place = FIRST_PLACES + int(table.extras[side]) - 1
    plan.news = 0
    clear_tally(plan, int(count_places(table, side, plan)))
    for card in cards:
        count_row(plan, card, place)
    opened, dead = int(table.opened[side]), int(table.dead)
    table.opened[side], table.dead = 0, 0
    valid = is_valid(table, rules, side, plan, place)
    table.opened[side], table.dead = opened, dead
    if not valid:
        raise RefusedError(0, "a meld that may not lie")
    for card in cards:
        kernel.see(card, 0)
        add_card(table, rules, side, place, np.int64(card))
    table.opened[side] = 1
