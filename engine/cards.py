"""Card codes, their text, points and kinds, and what a pack holds.

A *card* is an int 0..52: ranks 4..A in playing order, then twos, threes and the joker, suits
C D H S within a rank. A *kind* is what a card is for play: the eleven natural ranks, two, joker,
black three, red three; the suit matters to a kind only for threes. Sources: RULES §1.1.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

RANKS = ("4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "3")
SUITS = ("C", "D", "H", "S")
CARDS = (*(rank + suit for rank in RANKS for suit in SUITS), "JK")
CARD_COUNT = len(CARDS)
JOKER = CARD_COUNT - 1
NO_CARD = -1

NATURAL_KINDS = 11
TWOS, JOKERS, BLACK_THREES, RED_THREES = 11, 12, 13, 14
KIND_COUNT = 15
NATURAL_BITS = (1 << NATURAL_KINDS) - 1
KINDS = (*RANKS[:11], "2", "JK", "black3", "red3")
SEVENS, ACES = KINDS.index("7"), KINDS.index("A")


def _kind(card: int) -> int:
    if card == JOKER:
        return JOKERS
    rank, suit = divmod(card, 4)
    if rank < 12:
        return rank
    return RED_THREES if SUITS[suit] in "DH" else BLACK_THREES


def _points(kind: int) -> int:
    if kind == JOKERS:
        return 50
    if kind in (TWOS, RANKS.index("A")):
        return 20
    if kind == RED_THREES:
        return 0
    return 5 if kind == BLACK_THREES or kind < RANKS.index("8") else 10


KIND_OF = np.array([_kind(card) for card in range(CARD_COUNT)], np.int64)
"""Kind of each card code."""
POINTS_OF_KIND = np.array([_points(kind) for kind in range(KIND_COUNT)], np.int64)
"""Points of one card of each kind; a red three has none, its bonus is the rules' (RULES §1.1)."""
POINTS_OF = POINTS_OF_KIND[KIND_OF]
"""Points of each card code."""
_CODES = {text: code for code, text in enumerate(CARDS)}


def parse_card(text: str) -> int:
    """Code of a card's text, such as `7H` or `JK`; ValueError names what was given."""
    code = _CODES.get(text.strip().upper())
    if code is None:
        raise ValueError(f"unknown card '{text}'; a card is a rank A 2-9 T J Q K and a suit C D H S, or JK")
    return code


def parse_cards(text: str) -> list[int]:
    """Codes of cards separated by spaces; an empty text is no card."""
    return [parse_card(word) for word in text.split()]


def show_cards(cards: Iterable[int]) -> str:
    """Text of card codes, separated by spaces."""
    return " ".join(CARDS[card] for card in cards)
