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


def number_of(word: str) -> int:
    """Which meld of its name a word means, from 1."""
    return int(word.partition(".")[2] or 1)


class MeldNames:
    """The sequences of each side so far, and what an action is aimed at."""

    def __init__(self, rules: Rules) -> None:
        self._sides = side_of_seats(rules)
        self._several = rules.same_rank_melds == "several" or rules.sides == "lone_hand"
        self._suited = rules.sequences
        self._sequences: dict[int, list[tuple[int, set[int]]]] = {}
        self._may_pool = rules.sides == "lone_hand"
        self._begun: set[tuple[int, str]] = set()  # seats' sides and names of melds

    def find_aim(self, seat: int, word: str, cards: tuple[int, ...], taking: bool) -> str | None:
        """The aim of cards laid, or of an upcard taken, to the meld of a word; None where they name it themselves."""
        name, _, number = word.partition(".")
        self._begun.add((self._sides[seat - 1], name))
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

    def begins_sequence(self, seat: int, word: str) -> bool:
        """Whether a word is that of a sequence the seat's side does not have yet."""
        name, _, number = word.partition(".")
        return name[0] in SUITS and int(number or 1) > len(self._find_called(seat, name))

    def is_early(self, seat: int, at: int, words: dict[int, str]) -> bool:
        """Whether a row, of `words` in order, is of a second meld of a name that is begun before the first."""
        name, _, number = words[at].partition(".")
        if not number or (self._sides[seat - 1], name) in self._begun:
            return False
        own = next(row for row in words if words[row] == words[at])
        named = [row for row in words if words[row].partition(".")[0] == name]
        return next((row for row in named if number_of(words[row]) < int(number)), own) > own

    def _find_called(self, seat: int, name: str) -> list[set[int]]:
        """The ranks of the side's sequences of a name, in the order they were begun."""
        laid = self._sequences.get(self._sides[seat - 1], [])
        suit, lowest = SUITS.index(name[0]), RANKS.index(name[1])
        return [ranks for own, ranks in laid if own == suit and min(ranks) == lowest]

    def _pool(self, lone: int) -> None:
        """The first take of a deal of lone hand: the two others have their melds together from now on."""
        self._may_pool = False
        first, second = (side for side in range(3) if side != lone - 1)
        self._sequences[first] = self._sequences.get(first, []) + self._sequences.get(second, [])
        self._sides = tuple(first if side == second else side for side in self._sides)

    def _follow(self, seat: int, name: str, number: int, cards: tuple[int, ...], word: str) -> str | None:
        """Let cards join a sequence; its name if it lay there before."""
        same = self._find_called(seat, name)
        added = {card // 4 for card in cards}
        if number <= len(same):
            same[number - 1].update(added)
            return word
        self._sequences.setdefault(self._sides[seat - 1], []).append((SUITS.index(name[0]), added))
        return None
