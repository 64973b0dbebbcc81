"""What the words of the log mean to a reader of a deal: its moves, its melds, what froze the pile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from engine.cards import RANKS
from pipeline.laid_melds import is_sequence

Row = Mapping[str, Any]
RESERVE = "reserve"
"""What rules call foot, kitty, back hand or reserve: one word for all."""
_FROZEN = {
    "wild": "frozen by a wild card",
    "red3": "frozen by a red three",
    "black3": "frozen by a black three",
    "upcard_wild": "frozen by the wild card turned up",
    "upcard_red3": "frozen by the red three turned up",
    "upcard_black3": "frozen by the black three turned up",
    "always": "frozen by rule",
}
_ALONE = {
    "ask": "asks: may I go out?",
    "agree": "agrees",
    "refuse": "refuses",
    "pass": "passes: the stock is empty",
    "foot": f"takes up the {RESERVE}",
}
_PUT = {
    "draw": "draws",
    "bonus": "draws on top",
    "red3": "lays as bonus",
    "aside": "sets aside",
    "discard": "discards",
}


def say_frozen(by: str) -> str:
    """What froze the pile: `frozen by a wild card`."""
    return _FROZEN[by]


def say_meld(word: str) -> str:
    """A meld's name: `K`, `K.2` is the second one of kings, `D9` the diamonds from the nine."""
    if word == "wild" or word.startswith("wild."):
        return word.replace("wild", "the wild cards", 1)
    return f"the sequence {word}" if is_sequence(word) else word


def tell(moves: Sequence[Row]) -> Iterator[str]:
    """Moves of one seat in a row, cards that go the same way together."""
    for (action, meld), group in groupby(_one_meld_each(moves), key=lambda move: (move["action"], move["meld"])):
        rows = list(group)
        cards = [row["card"] for row in rows if row["card"]]
        if action == "meld":
            yield f"melds {' '.join(cards)}{_aim(cards, meld)}"
        elif action == "take":
            yield f"takes the pile of {rows[0]['taken']} with {cards[0]}, which joins {say_meld(meld)}"
        elif action == "join":
            yield f"joins the meld {say_meld(rows[0]['start'])} to {say_meld(meld)}"
        elif action == "special":
            yield f"shows a special hand: {meld.replace('_', ' ')}"
        elif action in _PUT:
            yield f"{_PUT[action]} {' '.join(cards)}"
        else:
            yield _ALONE[action]


def _one_meld_each(moves: Sequence[Row]) -> Iterator[Row]:
    """The moves, a join's two rows as one: the meld that goes is its `start`."""
    start = None
    for move in moves:
        if move["action"] != "join":
            yield move
        elif start is None:
            start = move["meld"]
        else:
            yield {**move, "start": start}
            start = None


def _aim(cards: Sequence[str], meld: str) -> str:
    """Where cards go, if they do not say it themselves: a meld begun with natural cards of its own name does."""
    if is_sequence(meld):
        return "" if meld[1] in (card[0] for card in cards) else f" to {say_meld(meld)}"
    naturals = [card for card in cards if not is_wild(card)]
    named = len(cards) > 1 and naturals == cards and cards[0][0] == meld
    return "" if named else f" to {say_meld(meld)}"


def is_wild(card: str) -> bool:
    """Whether a card is a joker or a two (a knave of clubs is `JC`)."""
    return card == "JK" or card[0] == RANKS[11]
