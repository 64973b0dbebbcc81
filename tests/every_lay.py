"""Every way to lay a small hand and to take a pile with it, for tests that try them all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.cards import BLACK_THREES, JOKERS, KIND_OF, NATURAL_KINDS, TWOS
from engine.history.record import Action

KIND = [int(kind) for kind in KIND_OF]
_NAMES = {**{rank: "456789TJQKA"[rank] for rank in range(NATURAL_KINDS)}, BLACK_THREES: "3"}


def is_wild(card: int) -> bool:
    return KIND[card] in (TWOS, JOKERS)


def split_hand(cards: tuple[int, ...], sequences: bool) -> Iterator[list[tuple[int, ...]]]:
    """Every set of groups of two to seven cards out of a hand: of a rank with wilds, of wilds, of a suit."""
    yield []
    if not cards:
        return
    first, rest = cards[0], cards[1:]
    yield from split_hand(rest, sequences)
    for size in range(1, min(len(rest), 6) + 1):
        for others in set(combinations(rest, size)):
            group = (first, *others)
            ranks = {KIND[card] for card in group if not is_wild(card)}
            one_suit = sequences and not any(map(is_wild, group)) and len({card % 4 for card in group}) == 1
            if len(ranks) > 1 and not one_suit:
                continue
            left = list(rest)
            for card in others:
                left.remove(card)
            for more in split_hand(tuple(left), sequences):
                yield [group, *more]


def write_melds(seat: int, groups: list[tuple[int, ...]]) -> tuple[Action, ...]:
    """The groups as actions, a rank's second one begun as a new meld."""
    seen: set[int] = set()
    actions = []
    for group in groups:
        ranks = {KIND[card] for card in group if not is_wild(card)}
        rank = next(iter(ranks)) if len(ranks) == 1 else -1
        aim = None
        if rank >= 0 and rank in seen:
            aim = f"{_NAMES[rank]}.new"
        seen.add(rank)
        actions.append(Action(seat, "meld", group, aim))
    return tuple(actions)


def list_takes(seat: int, groups: list[tuple[int, ...]], pile: tuple[int, ...], part: bool) -> Iterator[Action]:
    """Ways to take the pile: as it comes, to a sequence just laid, to a second meld, and every part of it."""
    yield Action(seat, "take")
    for group in groups:
        ranks = {KIND[card] for card in group if not is_wild(card)}
        if len(ranks) > 1:
            suit, rank = group[0] % 4, min(card // 4 for card in group)
            yield Action(seat, "take", aim=f"{'CDHS'[suit]}{'456789TJQKA'[rank]}")
        elif KIND[pile[-1]] in ranks:
            yield Action(seat, "take", aim=f"{_NAMES[KIND[pile[-1]]]}.1")
    if part:
        for number in range(1, len(pile) + 1):
            yield Action(seat, "take", number=number)
