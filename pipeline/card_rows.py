"""The rows of the view `cards`: every card with what it is."""

from __future__ import annotations

from typing import Any

from engine import cards


def card_rows() -> list[dict[str, Any]]:
    """Every card in playing order: `card rank suit colour kind points place`; a joker has no suit."""
    rows = []
    for place, text in enumerate(cards.CARDS):
        joker = place == cards.JOKER
        rows.append(
            {
                "card": text,
                "rank": "JK" if joker else text[0],
                "suit": None if joker else text[1],
                "colour": None if joker else "red" if text[1] in "DH" else "black",
                "kind": cards.KINDS[cards.KIND_OF[place]],
                "points": int(cards.POINTS_OF[place]),
                "place": place + 1,
            }
        )
    return rows
