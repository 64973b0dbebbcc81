"""The pieces the referee moves: what a card is, a meld, the melds of a side, a hand."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import BLACK_THREES, JOKERS, KIND_OF, POINTS_OF, RANKS, RED_THREES, SUITS, TWOS
from engine.history.record import UNKNOWN

KIND: tuple[int, ...] = tuple(int(kind) for kind in KIND_OF)
"""Kind of each card code."""
POINTS: tuple[int, ...] = tuple(int(points) for points in POINTS_OF)
"""Points of each card code."""
WILD: tuple[bool, ...] = tuple(kind in (TWOS, JOKERS) for kind in KIND)
"""Whether each card code is wild."""
NATURAL_KINDS = 11
WILD_MELD = 11
SEQUENCE = 15
"""Kinds of meld beside the ranks 0..10 and black threes."""
CANASTA = 7
LEAST = 3
"""Cards of a canasta, and of the smallest meld."""


def kind_of(card: int) -> int:
    """Kind of a card, -1 of one not known."""
    return -1 if card == UNKNOWN else KIND[card]


def is_three(card: int) -> bool:
    """A three of either colour."""
    return kind_of(card) in (BLACK_THREES, RED_THREES)


def name_kind(kind: int) -> str:
    """Text of a meld's kind: its rank, `3` for black threes."""
    if kind == WILD_MELD:
        return "wild"
    if kind == SEQUENCE:
        return "sequence"
    return "3" if kind == BLACK_THREES else RANKS[kind]


class Meld:
    """Cards melded as one kind; naturals and wilds counted. A sequence has a suit as well (0..3).

    `counts` is false for black threes that are only laid by who goes out: seven of them are no canasta.
    """

    __slots__ = ("cards", "counts", "kind", "naturals", "suit", "wilds")

    def __init__(self, kind: int, suit: int = -1, *, counts: bool = True) -> None:
        self.kind = kind
        self.suit = suit
        self.counts = counts
        self.cards: list[int] = []
        self.naturals = 0
        self.wilds = 0

    def add(self, card: int) -> None:
        """Lay one card."""
        self.cards.append(card)
        if WILD[card]:
            self.wilds += 1
        else:
            self.naturals += 1

    @property
    def is_canasta(self) -> bool:
        """Seven cards or more."""
        return len(self.cards) >= CANASTA and self.counts

    @property
    def sort(self) -> str:
        """What it is as a canasta: natural, mixed, sequence or wild."""
        if self.kind in (SEQUENCE, WILD_MELD):
            return "sequence" if self.kind == SEQUENCE else "wild"
        return "mixed" if self.wilds else "natural"

    @property
    def jokers(self) -> int:
        """Jokers in it."""
        return sum(1 for card in self.cards if KIND[card] == JOKERS)

    @property
    def ranks(self) -> list[int]:
        """Ranks of a sequence's cards, lowest first."""
        return sorted(card // 4 for card in self.cards)

    @property
    def name(self) -> str:
        """The rank, `wild`, `3`, or suit and lowest card of a sequence."""
        if self.kind != SEQUENCE:
            return name_kind(self.kind)
        return SUITS[self.suit] + (RANKS[self.ranks[0]] if self.cards else "")


class Melds:
    """The melds of a side in the order they were begun, found by kind."""

    __slots__ = ("laid",)

    def __init__(self) -> None:
        self.laid: list[Meld] = []

    def of(self, kind: int) -> list[Meld]:
        """All melds of a kind."""
        return [meld for meld in self.laid if meld.kind == kind]

    def get(self, kind: int) -> Meld | None:
        """The first meld of a kind."""
        return next((meld for meld in self.laid if meld.kind == kind), None)

    def called(self, name: str) -> list[Meld]:
        """All melds of a name."""
        return [meld for meld in self.laid if meld.name == name]

    def values(self) -> list[Meld]:
        """Every meld."""
        return self.laid

    def items(self) -> Iterator[tuple[int, Meld]]:
        """Kind and meld of every meld."""
        return ((meld.kind, meld) for meld in self.laid)

    def __contains__(self, kind: int) -> bool:
        return self.get(kind) is not None

    def __iter__(self) -> Iterator[Meld]:
        return iter(self.laid)

    def __len__(self) -> int:
        return len(self.laid)


class Hand:
    """Cards a seat holds: known ones, and a number of others; `endless` when nobody told how many."""

    __slots__ = ("cards", "endless", "unknown")

    def __init__(self, cards: list[int], unknown: int = 0, *, endless: bool = False) -> None:
        self.cards = cards
        self.unknown = unknown
        self.endless = endless

    @property
    def size(self) -> int | None:
        """Number of cards; None when not known."""
        return None if self.endless else len(self.cards) + self.unknown

    @property
    def is_empty(self) -> bool:
        """Certainly no card."""
        return not self.cards and not self.unknown and not self.endless

    @property
    def is_known(self) -> bool:
        """Every card known."""
        return not self.unknown and not self.endless

    @classmethod
    def of(cls, cards: tuple[int, ...]) -> Hand:
        """A hand of cards of which some may not be known."""
        known = [card for card in cards if card != UNKNOWN]
        return cls(known, len(cards) - len(known))
