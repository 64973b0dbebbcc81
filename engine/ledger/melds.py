"""What a logged meld word says to a reader of the moves: whether it begins a meld or names one that lies there.

Words name melds as they are before the card joins (engine.log, `moves.meld`); a sequence changes its name as it grows
downward, so the sequences of each side are followed here.
"""

from __future__ import annotations

from engine.cards import RANKS, SUITS
from engine.referee.table import WILD
from engine.rules import Rules, side_of_seats


def is_below(word: str, card: int) -> bool:
    """Whether a card lies below the lowest card that the word of a sequence names."""
    return word[0] in SUITS and card // 4 < RANKS.index(word[1])


class MeldNames:
    """The sequences of each side so far, and what an action is aimed at."""

    def __init__(self, rules: Rules) -> None:
        self._sides = side_of_seats(rules)
        self._several = rules.same_rank_melds == "several" or rules.sides == "lone_hand"
        self._suited = rules.sequences
        self._sequences: dict[int, list[tuple[int, set[int]]]] = {}
        self._may_pool = rules.sides == "lone_hand"

    def find_aim(self, seat: int, word: str, cards: tuple[int, ...], taking: bool) -> str | None:
        """The aim of cards laid, or of an upcard taken, to the meld of a word; None where they name it themselves."""
        name, _, number = word.partition(".")
        aim = self._follow(seat, name, int(number or 1), cards, word) if name[0] in SUITS else None
        if taking and self._may_pool:
            self._pool(seat)
        if name[0] in SUITS:
            return aim
        if self._several:
            return word if name == "3" else f"{name}.{number or 1}"
        if taking:
            return word if self._suited else None  # a card not aimed may as well lengthen a sequence
        naturals = {RANKS[card // 4] for card in cards if not WILD[card]}
        return None if naturals == {name} else word

    def _pool(self, lone: int) -> None:
        """The first take of a deal of lone hand: the two others have their melds together from now on."""
        self._may_pool = False
        first, second = (side for side in range(3) if side != lone - 1)
        self._sequences[first] = self._sequences.get(first, []) + self._sequences.get(second, [])
        self._sides = tuple(first if side == second else side for side in self._sides)

    def _follow(self, seat: int, name: str, number: int, cards: tuple[int, ...], word: str) -> str | None:
        """Let cards join a sequence; its name if it lay there before."""
        laid = self._sequences.setdefault(self._sides[seat - 1], [])
        suit, lowest = SUITS.index(name[0]), RANKS.index(name[1])
        same = [ranks for own, ranks in laid if own == suit and min(ranks) == lowest]
        added = {card // 4 for card in cards}
        if number <= len(same):
            same[number - 1].update(added)
            return word
        laid.append((suit, added))
        return None
