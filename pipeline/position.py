"""The table at a turn of a logged deal: its moves added up, row by row. Nothing is played.

Of the rules it knows what the rows do not say: whether a take leaves the rest of the pile, and whether the first take
makes partners of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.laid_melds import LaidMelds, in_order

Row = Mapping[str, Any]
_CARDLESS = ("ask", "agree", "refuse", "pass", "special")


@dataclass(frozen=True)
class Position:
    """The table as a turn begins.

    Hands and reserves are by seat; melds (name → cards), red threes and black threes set aside by side.
    Cards are in playing order, those of the pile in the order they came, the top one last. A reserve that has been
    taken up is empty. `red_threes` has all threes laid as bonus cards.
    """

    hands: tuple[tuple[str, ...], ...]
    melds: tuple[Mapping[str, tuple[str, ...]], ...]
    red_threes: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]
    reserves: tuple[tuple[str, ...], ...] = ()
    asides: tuple[tuple[str, ...], ...] = ()


class Ledger:
    """A deal in play: `add` a move after the other, `position` at any time."""

    def __init__(self, deal: Row, seat_sides: Sequence[int], rules: Mapping[str, Any]) -> None:
        """A row of `deals`, the side of each seat, and the rules of the cell by name."""
        seats, sides = len(seat_sides), max(seat_sides)
        self._sides = [side - 1 for side in seat_sides]
        self._homes = tuple(self._sides)
        self._rest_stays = rules["pile_rest"] == "stays"
        self._may_pool = rules["sides"] == "lone_hand"
        self._hands = [Counter(hand) for hand in (*deal["hands"], *[()] * seats)][:seats]
        self._reserves = [list(packet) for packet in (*deal["reserves"], *[()] * seats)][:seats]
        self._melds = [LaidMelds() for _ in range(sides)]
        self._red_threes: list[list[str]] = [[] for _ in range(sides)]
        self._asides: list[list[str]] = [[] for _ in range(sides)]
        self._pile = list(deal["upcards"])
        self._joins: str | None = None

    def add(self, move: Row) -> None:
        """Make a move as the log has it; ValueError for one that this ledger knows nothing of."""
        seat, card, action = move["seat"] - 1, move["card"], move["action"]
        hand = self._hands[seat]
        if action in ("draw", "bonus"):
            hand[card] += 1
        elif action == "take":
            self._take(seat, move)
        elif action == "foot":
            hand.update(self._reserves[seat])
            self._reserves[seat].clear()
        elif action == "join":
            self._join(seat, move["meld"])
        elif action in ("discard", "red3", "aside", "meld"):
            hand[card] -= 1
            self._put(seat, action, card, move["meld"])
        elif action not in _CARDLESS:
            raise ValueError(f"a move '{action}' cannot be told")

    def _put(self, seat: int, action: str, card: str, word: str) -> None:
        """Where a card that leaves the hand goes."""
        if action == "meld":
            self._melds[self._sides[seat]].lay(word, card)
        elif action == "discard":
            self._pile.append(card)
        else:
            (self._red_threes if action == "red3" else self._asides)[self._homes[seat]].append(card)

    def _take(self, seat: int, move: Row) -> None:
        """The part taken goes to the hand, its melded card to the meld; threes of it are laid or set aside next."""
        first = max(0, len(self._pile) - move["taken"])
        self._hands[seat].update(self._pile[first:])
        self._hands[seat][move["card"]] -= 1
        self._pile = self._pile[:first] if self._rest_stays else []
        if self._may_pool:
            self._pool(seat)
        self._melds[self._sides[seat]].lay(move["meld"], move["card"])

    def _pool(self, lone: int) -> None:
        """The first to take the pile plays alone; the two others are partners from now on, on the lower one's side."""
        self._may_pool = False
        first, second = (side for side in range(len(self._melds)) if side != self._sides[lone])
        self._melds[first].add_all(self._melds[second])
        self._sides = [first if side == second else side for side in self._sides]

    def _join(self, seat: int, word: str) -> None:
        """The meld that goes and the one it joins are a row each."""
        if self._joins is None:
            self._joins = word
        else:
            self._melds[self._sides[seat]].join(self._joins, word)
            self._joins = None

    @property
    def position(self) -> Position:
        """The table as it is."""
        return Position(
            tuple(in_order(hand.elements()) for hand in self._hands),
            tuple(melds.named() for melds in self._melds),
            tuple(map(in_order, self._red_threes)),
            tuple(self._pile),
            tuple(map(in_order, self._reserves)),
            tuple(map(in_order, self._asides)),
        )


def positions(
    deal: Row, moves: Iterable[Row], seat_sides: Sequence[int], rules: Mapping[str, Any]
) -> dict[int, Position]:
    """The table as each turn begins, by its number; turn 0 is as dealt, and one after the last is the end."""
    ledger = Ledger(deal, seat_sides, rules)
    found = {0: ledger.position}
    last = 0
    for move in moves:
        for turn in range(last + 1, move["turn"] + 1):
            found[turn] = ledger.position
        last = max(last, move["turn"])
        ledger.add(move)
    found[last + 1] = ledger.position
    return found
