"""What of the rules the referee asks at every card, looked up once: seats, sides, copies of cards, what freezes."""

from __future__ import annotations

from functools import lru_cache

from engine.cards import BLACK_THREES, CARDS, JOKER, JOKERS, RED_THREES, TWOS
from engine.rules import Rules, side_of_seats

_FREEZING = {"wild": (TWOS, JOKERS), "black3": (BLACK_THREES,), "red3_discard": (RED_THREES,)}


class Book:
    """What of the rules is asked at every card, looked up once."""

    def __init__(self, rules: Rules) -> None:
        sides = side_of_seats(rules)
        self.seats = rules.players
        self.sides = max(sides) + 1
        self.side_of = (-1, *sides)  # by seat
        self.copies = [rules.packs] * len(CARDS)
        self.copies[JOKER] = rules.jokers
        self.pack = 52 * rules.packs + rules.jokers
        self.always_frozen = rules.pile_frozen == "always"
        self.lays_red_threes = rules.red3_use == "lay_replace"
        self.freezing = frozenset(
            kind for word, kinds in _FREEZING.items() if word in rules.freeze_by for kind in kinds
        )
        self.freezing_upcards = self.freezing - {RED_THREES} | (
            {RED_THREES} if "red3_upcard" in rules.freeze_by else frozenset()
        )

    def partner_of(self, seat: int) -> int:
        """The partner next in turn after a seat; 0 where it has none."""
        for step in range(1, self.seats):
            other = (seat - 1 + step) % self.seats + 1
            if self.side_of[other] == self.side_of[seat]:
                return other
        return 0


@lru_cache(maxsize=64)
def open_book(rules: Rules) -> Book:
    """The book of some rules."""
    return Book(rules)
