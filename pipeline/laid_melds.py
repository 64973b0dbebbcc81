"""The melds of a side as its moves lay them: found by the words of the log, which change as melds grow and join.

A word names a meld as it is before the card joins (engine.log, `moves.meld`): a sequence that grows downward has
another name for the next card, and melds that have been joined leave their number to those begun after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.cards import CARDS, SUITS
from engine.log import MELDS

_ORDER = {card: place for place, card in enumerate(CARDS)}
_WORDS = {word: place for place, word in enumerate(MELDS)}


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards in playing order."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def is_sequence(word: str) -> bool:
    """Whether a meld's word is that of a sequence: suit and lowest card."""
    return word[0] in SUITS


@dataclass
class LaidMelds:
    """What one side has laid: melds of a rank (wild, threes) by name and number, sequences by suit as begun."""

    ranks: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    sequences: dict[str, list[list[str]]] = field(default_factory=dict)

    def lay(self, word: str, card: str) -> None:
        """A card joins the meld of a word, or begins it."""
        name, number = _split(word)
        if not is_sequence(word):
            self.ranks.setdefault(name, {}).setdefault(number, []).append(card)
            return
        begun = self.sequences.setdefault(name[0], [])
        same = [cards for cards in begun if _lowest(cards) == name[1]]
        if number > len(same):
            begun.append([card])
        else:
            same[number - 1].append(card)

    def join(self, start: str, end: str) -> None:
        """The meld of a rank of one word joins that of another; those begun after it move up a number."""
        (name, gone), (_, stays) = _split(start), _split(end)
        of_rank = self.ranks[name]
        of_rank[stays].extend(of_rank.pop(gone))
        self.ranks[name] = {number - (number > gone): cards for number, cards in sorted(of_rank.items())}

    def add_all(self, other: LaidMelds) -> None:
        """The melds of a partner found during the deal come after the own; both of a rank are kept (RULES §1.11)."""
        for name, melds in other.ranks.items():
            own = self.ranks.setdefault(name, {})
            first = max(own, default=0)
            own.update({first + place: melds[number] for place, number in enumerate(sorted(melds), start=1)})
        for suit, begun in other.sequences.items():
            self.sequences.setdefault(suit, []).extend(begun)
        other.ranks, other.sequences = {}, {}

    def named(self) -> Mapping[str, tuple[str, ...]]:
        """Every meld by the name it has now, in the order of the log's words; its cards in playing order."""
        found = {_join(name, number): cards for name, melds in self.ranks.items() for number, cards in melds.items()}
        for suit, begun in self.sequences.items():
            counts: dict[str, int] = {}
            for cards in begun:
                name = f"{suit}{_lowest(cards)}"
                counts[name] = counts.get(name, 0) + 1
                found[_join(name, counts[name])] = cards
        return {word: in_order(found[word]) for word in sorted(found, key=lambda word: _WORDS.get(word, len(_WORDS)))}


def _split(word: str) -> tuple[str, int]:
    name, _, number = word.partition(".")
    return name, int(number or 1)


def _join(name: str, number: int) -> str:
    return name if number == 1 else f"{name}.{number}"


def _lowest(cards: list[str]) -> str:
    return min(cards, key=_ORDER.__getitem__)[0]
