"""A deal as HTML for a notebook: hands as dealt, every turn with the hand it began with, the scores."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pipeline.replay import CANASTA, parts_of
from pipeline.replay_words import RESERVE, say_frozen, tell

if TYPE_CHECKING:
    from pipeline.deal import Deal

Row = Mapping[str, Any]
_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_CARD = re.compile(r"\b(?:[A2-9TJQK][CDHS]|JK)\b")
_RED, _BLACK = "#c0392b", "#222222"
_BOX = "border:1px solid #bbb;border-radius:3px;padding:0 3px;margin:1px;background:#fff;white-space:nowrap"
_CELL = "text-align:left;vertical-align:top;padding:2px 8px"


def write_page(deal: Deal) -> str:
    """The whole deal; all hands are shown."""
    replay = deal.replay
    title = f"{deal.variant} · {deal.lineup} · game {deal.game}, deal {deal.number} · seed {replay.seed}"
    dealt = [
        (f"seat {seat}, {name}", cards_html(hand))
        for seat, (name, hand) in enumerate(zip(replay.cell.seat_strategies, deal.at(0).hands, strict=True), start=1)
    ]
    dealt += [
        (f"seat {seat}, {RESERVE}", cards_html(packet))
        for seat, packet in enumerate(deal.at(0).reserves, start=1)
        if packet
    ]
    dealt.append(("turned up", cards_html(deal.at(0).pile)))
    return (
        f"<div><p><b>{html.escape(title)}</b></p>{_table((), dealt)}"
        f"{_table(('turn', 'seat', 'hand', 'pile', 'does'), _turns(deal))}{_result(deal)}</div>"
    )


def cards_html(cards: Iterable[str]) -> str:
    """Cards side by side, with the signs of their suits."""
    return " ".join(map(card_html, cards))


def card_html(card: str) -> str:
    """A card as a small white box: `7♥`, `JK`."""
    colour = _RED if card[1] in "DH" else _BLACK
    return f'<span style="{_BOX};color:{colour}">{card if card == "JK" else card[0] + _SUITS[card[1]]}</span>'


def _turns(deal: Deal) -> Iterator[tuple[str, ...]]:
    turns = {turn["turn"]: turn for turn in deal.replay.turns}
    for number, moves in groupby(deal.replay.moves, key=lambda move: int(move["turn"])):
        row = turns.get(number)
        told = "; ".join(
            (f"seat {seat} " if row is None or seat != row["seat"] else "") + text
            for seat, own in groupby(moves, key=lambda move: int(move["seat"]))
            for text in tell(list(own))
        )
        does = _CARD.sub(lambda found: card_html(found.group()), html.escape(told))
        if row is None:
            yield "", "", "", "", does
            continue
        there = deal.at(number)
        frozen = f"<br>{say_frozen(row['frozen_by'])}" if row["frozen_by"] else ""
        pile = f"{len(there.pile)}&nbsp;{card_html(row['upcard'])}{frozen}" if row["upcard"] else "empty"
        seat = f"{row['seat']}&nbsp;{html.escape(row['strategy'])}"
        yield str(number), seat, cards_html(there.hands[row["seat"] - 1]), pile, does


def _result(deal: Deal) -> str:
    told = deal.replay.deal
    out = f" by seat {told['out_seat']}" if told["out_seat"] else ""
    sides = deal.replay.sides
    end = deal.replay.end
    rows: list[tuple[str, ...]] = [
        (
            "melded",
            *(
                "<br>".join(
                    cards_html(cards) + (" canasta" if len(cards) >= CANASTA else "") for cards in melds.values()
                )
                for melds in end.melds
            ),
        )
    ]
    for part in parts_of(sides):
        rows.append((part.removesuffix("_points").replace("_", " "), *(f"{side[part]:,}" for side in sides)))
    heads = ("", *(f"side {side['side']}" for side in sides))
    return (
        f"<p>The deal ends: {told['ending']}{out} after {told['turns']} turns, {told['stock']} cards left in the "
        f"stock.</p>{_table(heads, rows)}"
    )


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = _row("th", heads)
    return f"<table><thead>{head}</thead><tbody>{''.join(_row('td', row) for row in rows)}</tbody></table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f'<{tag} style="{_CELL}">{cell}</{tag}>' for cell in cells) + "</tr>"
