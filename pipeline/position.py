"""The table at a turn of a logged deal: its moves added up, row by row. Nothing is played, no rule is known here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import CARDS

Row = Mapping[str, Any]
_ORDER = {card: place for place, card in enumerate(CARDS)}


@dataclass(frozen=True)
class Position:
    """The table as a turn begins: hands by seat, melds by side (name → cards), red threes by side, the pile.

    Cards of a hand and of a meld are in playing order, those of the pile in the order they came, the top one last.
    """

    hands: tuple[tuple[str, ...], ...]
    melds: tuple[Mapping[str, tuple[str, ...]], ...]
    red_threes: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]


class Ledger:
    """A deal in play: `add` a move after the other, `position` at any time."""

    def __init__(self, deal: Row, seat_sides: Sequence[int]) -> None:
        self._sides = seat_sides
        self._hands = [Counter(hand) for hand in deal["hands"]]
        self._melds: list[dict[str, list[str]]] = [{} for _ in range(max(seat_sides))]
        self._red_threes: list[list[str]] = [[] for _ in range(max(seat_sides))]
        self._pile = list(deal["upcards"])

    def add(self, move: Row) -> None:
        """Make a move as the log has it; ValueError for one that this ledger knows nothing of."""
        seat, card, action = move["seat"] - 1, move["card"], move["action"]
        hand, side = self._hands[seat], self._sides[seat] - 1
        if action == "draw":
            hand[card] += 1
        elif action == "discard":
            hand[card] -= 1
            self._pile.append(card)
        elif action == "red3":
            hand[card] -= 1
            self._red_threes[side].append(card)
        elif action == "meld":
            hand[card] -= 1
            self._melds[side].setdefault(move["meld"], []).append(card)
        elif action == "take":
            self._melds[side].setdefault(move["meld"], []).append(self._pile.pop())
            hand.update(self._pile)
            self._pile.clear()
        elif action not in ("ask", "agree", "refuse", "pass"):
            raise ValueError(f"a move '{action}' cannot be told yet")

    @property
    def position(self) -> Position:
        """The table as it is."""
        return Position(
            tuple(in_order(hand.elements()) for hand in self._hands),
            tuple({name: in_order(cards) for name, cards in melds.items()} for melds in self._melds),
            tuple(map(in_order, self._red_threes)),
            tuple(self._pile),
        )


def positions(deal: Row, moves: Iterable[Row], seat_sides: Sequence[int]) -> dict[int, Position]:
    """The table as each turn begins, by its number; turn 0 is as dealt, and one after the last is the end."""
    ledger = Ledger(deal, seat_sides)
    found = {0: ledger.position}
    last = 0
    for move in moves:
        for turn in range(last + 1, move["turn"] + 1):
            found[turn] = ledger.position
        last = max(last, move["turn"])
        ledger.add(move)
    found[last + 1] = ledger.position
    return found


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards in playing order."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))
