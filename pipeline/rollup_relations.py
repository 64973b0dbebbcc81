"""Relations that roll-ups count, without SQL: joins by place, for the rows of a shard lie in order.

A relation is defined by its SQL (pipeline/sql/relations) and any can be rolled up by it. These say the same again
for speed, six times as fast (measured); the audit `rollups` compares them with the SQL. Where rows are not as they are
expected to be, they answer None and the SQL is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from engine import log
from pipeline.cells import RunCell
from pipeline.schema import Block, to_array


@dataclass(frozen=True)
class Found:
    """Rows of a relation: columns of the log's `table`, and columns of its own as they are in SQL."""

    table: str
    block: Block
    own: Mapping[str, pa.Array]


class Picked(Mapping[str, np.ndarray]):
    """Some rows of a block, by their places; of columns that are asked for."""

    def __init__(self, block: Block, places: np.ndarray) -> None:
        self._block, self._places = block, places
        self._columns: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._columns:
            self._columns[name] = self._block[name][self._places]
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._block)

    def __len__(self) -> int:
        return len(self._block)


def find_take_margins(cell: RunCell, blocks: Mapping[str, Block]) -> Found | None:
    """Takes with what came of them: the deal's score of the taker's side less the mean of the others'."""
    scores, deal_of_turn = _scores(cell, blocks), _deal_of_turn(blocks)
    if scores is None or deal_of_turn is None:
        return None
    turns = blocks["turns"]
    taken = np.flatnonzero(turns["took"] > 0)
    block = Picked(turns, taken)
    others = scores.sum(axis=1, keepdims=True) - scores
    margins = scores - others / (scores.shape[1] - 1)
    return Found("turns", block, {"margin": pa.array(margins[deal_of_turn[taken], _side(cell, block["seat"])])})


def find_side_margins(cell: RunCell, blocks: Mapping[str, Block]) -> Found | None:
    """Sides of deals with their margin: the deal's score less the mean of the others'."""
    scores = _scores(cell, blocks)
    if scores is None:
        return None
    others = scores.sum(axis=1, keepdims=True) - scores
    margins = scores - others / (scores.shape[1] - 1)
    return Found("sides", blocks["sides"], {"margin": pa.array(margins.reshape(-1))})


def find_biggest_takes(cell: RunCell, blocks: Mapping[str, Block]) -> Found | None:
    """Deals in which one side alone made the biggest take: what that side won of the deal."""
    scores, deal_of_turn = _scores(cell, blocks), _deal_of_turn(blocks)
    if scores is None or deal_of_turn is None:
        return None
    turns, deals = blocks["turns"], blocks["deals"]
    biggest = deals["biggest_take"]
    taken = np.flatnonzero(turns["took"] > 0)
    largest = taken[turns["took"][taken] == biggest[deal_of_turn[taken]]]
    took = np.zeros(scores.shape, np.bool_)
    took[deal_of_turn[largest], _side(cell, turns["seat"][largest])] = True
    alone = np.flatnonzero(took.sum(axis=1) == 1)
    best = scores[alone] == scores[alone].max(axis=1, keepdims=True)
    won = np.where(best[np.arange(len(alone)), took[alone].argmax(axis=1)], 1 / best.sum(axis=1), 0.0)
    return Found("deals", Picked(deals, alone), {"won": pa.array(won)})


def find_freezes(cell: RunCell, blocks: Mapping[str, Block]) -> Found | None:
    """Freezes of the pile by a card, one a pile at most: where more than a take ends a freeze, SQL is asked."""
    if cell.rules["freeze_ends"] != "taken":
        return None
    piles = blocks["piles"]
    return Found("piles", Picked(piles, np.flatnonzero(piles["frozen_turn"] != log.NULL)), {})


def find_leads(cell: RunCell, blocks: Mapping[str, Block]) -> Found | None:
    """Who leads after each deal; `leader` null on a tie, `led_before` the last leader before this deal."""
    if _scores(cell, blocks) is None:
        return None
    deals, games = blocks["deals"], blocks["games"]
    game_of_deal = np.repeat(np.arange(len(games["game"])), games["deals"])
    if not np.array_equal(games["game"][game_of_deal], deals["game"]):
        return None
    after = blocks["sides"]["score_after"].reshape(len(deals["game"]), -1)
    alone = (after == after.max(axis=1, keepdims=True)).sum(axis=1) == 1
    leader = np.where(alone, after.argmax(axis=1) + 1, 0)
    places = np.arange(len(leader))
    # the place of the last deal with a leader, up to each deal; before the game's first there is none
    last = np.maximum.accumulate(np.where(alone, places, -1))
    before = np.concatenate([[-1], last[:-1]])
    first = places - (deals["deal"] - 1)
    led_before = np.where(before >= first, leader[before], 0)
    columns = {column.name: column for column in log.TABLES["games"]}
    own = {
        "leader": pa.array(leader, mask=leader == 0),
        "led_before": pa.array(led_before, mask=led_before == 0),
        "winner": to_array(columns["winner"], games["winner"][game_of_deal]),
        "deals": to_array(columns["deals"], games["deals"][game_of_deal]),
        "game_ending": to_array(columns["ending"], games["ending"][game_of_deal]),
    }
    return Found("deals", deals, own)


def find_side_results(cell: RunCell, blocks: Mapping[str, Block]) -> Found | None:
    """Sides of deals: what they won of the deal, and how far they were ahead, times the other sides."""
    scores = _scores(cell, blocks)
    if scores is None:
        return None
    ahead = scores.shape[1] * scores.astype(np.int64) - scores.sum(axis=1, keepdims=True)
    own = {"won": _results(scores), "ahead": ahead, "squared": ahead * ahead}
    return Found("sides", blocks["sides"], {name: pa.array(column.reshape(-1)) for name, column in own.items()})


def find_deal_leads(cell: RunCell, blocks: Mapping[str, Block]) -> Found | None:
    """Deals with what became of the side whose seat acts first: its result and its margin."""
    scores = _scores(cell, blocks)
    if scores is None:
        return None
    sides = scores.shape[1]
    lead = _lead(cell, blocks["deals"])[:, None]
    score = np.take_along_axis(scores, lead, 1)[:, 0]
    margin = score - (scores.sum(axis=1) - score) / (sides - 1)
    won = np.take_along_axis(_results(scores), lead, 1)[:, 0]
    own = {"sides": np.full(len(won), sides), "won": won, "margin": margin}
    return Found("deals", blocks["deals"], {name: pa.array(column) for name, column in own.items()})


def find_game_leads(cell: RunCell, blocks: Mapping[str, Block]) -> Found | None:
    """Games that did not hit the cap, with what became of the side whose seat acts first in deal 1."""
    games, deals = blocks["games"], blocks["deals"]
    firsts = np.flatnonzero(deals["deal"] == 1)
    if not np.array_equal(games["game"], deals["game"][firsts]):
        return None
    whole = _whole_games(games)
    lead = _lead(cell, {name: deals[name][firsts] for name in ("dealer", "sits_out")})[whole]
    won = _game_results(cell, games)[whole]
    own = {"sides": np.full(len(lead), won.shape[1]), "won": np.take_along_axis(won, lead[:, None], 1)[:, 0]}
    return Found("games", Picked(games, whole), {name: pa.array(column) for name, column in own.items()})


def find_game_results(cell: RunCell, blocks: Mapping[str, Block]) -> Found | None:
    """Sides of games that did not hit the cap, as in the last deal, with what they won of the game."""
    games, sides = blocks["games"], blocks["sides"]
    if _scores(cell, blocks) is None:
        return None
    ends = np.searchsorted(sides["game"], games["game"], side="right")
    count = max(cell.seat_sides)
    whole = _whole_games(games)
    places = (ends[whole, None] - count + np.arange(count)).reshape(-1)
    return Found("sides", Picked(sides, places), {"won": pa.array(_game_results(cell, games)[whole].reshape(-1))})


def _results(scores: np.ndarray) -> np.ndarray:
    """What every side won: 1, its part of a tie, or 0; a row a deal or game."""
    best = scores == scores.max(axis=1, keepdims=True)
    return np.where(best, 1 / best.sum(axis=1, keepdims=True), 0.0)


def _game_results(cell: RunCell, games: Block) -> np.ndarray:
    """What every side won of each game."""
    count = max(cell.seat_sides)
    winner = games["winner"][:, None]
    return np.where(winner == log.NULL, _results(games["scores"][:, :count]), winner == np.arange(1, count + 1))


def _whole_games(games: Block) -> np.ndarray:
    """Places of the games that did not hit the cap."""
    [ending] = (column for column in log.TABLES["games"] if column.name == "ending")
    return np.flatnonzero(games["ending"] != ending.words.index("cap") + 1)


def _lead(cell: RunCell, deals: Mapping[str, np.ndarray]) -> np.ndarray:
    """Place of the side whose seat acts first in each deal."""
    count = len(cell.seat_sides)
    first = deals["dealer"] % count + 1
    first = np.where(first == deals["sits_out"], first % count + 1, first)
    return _side(cell, first)


def _scores(cell: RunCell, blocks: Mapping[str, Block]) -> np.ndarray | None:
    """The deal's score of every side, a row a deal."""
    sides, deals, count = blocks["sides"], blocks["deals"], max(cell.seat_sides)
    if count < 2 or len(sides["game"]) != count * len(deals["game"]):
        return None
    whole = sides["side"].reshape(-1, count)
    first = slice(None, None, count)
    same = all(np.array_equal(sides[name][first], deals[name]) for name in ("game", "deal"))
    return sides["score"].reshape(-1, count) if same and (whole == np.arange(1, count + 1)).all() else None


def _deal_of_turn(blocks: Mapping[str, Block]) -> np.ndarray | None:
    """Place of every turn's deal among the deals."""
    deals, turns = blocks["deals"], blocks["turns"]
    counts = deals["turns"]
    firsts = np.cumsum(counts, dtype=np.int64) - counts
    if counts.sum() != len(turns["game"]) or (counts < 1).any():
        return None
    for name in ("game", "deal"):
        if not (np.array_equal(deals[name], turns[name][firsts]) and
                np.array_equal(deals[name], turns[name][firsts + counts - 1])):  # fmt: skip
            return None
    return np.repeat(np.arange(len(counts), dtype=np.int32), counts)


def _side(cell: RunCell, seats: np.ndarray) -> np.ndarray:
    """Place of the side of each seat."""
    return np.asarray(np.array([log.NULL, *(side - 1 for side in cell.seat_sides)], np.int32)[seats])


RELATIONS: Mapping[str, Callable[[RunCell, Mapping[str, Block]], Found | None]] = {
    "take_margins": find_take_margins,
    "side_margins": find_side_margins,
    "biggest_takes": find_biggest_takes,
    "freezes": find_freezes,
    "leads": find_leads,
    "side_results": find_side_results,
    "deal_leads": find_deal_leads,
    "game_leads": find_game_leads,
    "game_results": find_game_results,
}
NEEDED: Mapping[str, tuple[str, ...]] = {
    "turns": ("game", "deal", "seat", "took"),
    "piles": ("frozen_turn",),
    "deals": ("game", "deal", "turns", "biggest_take", "dealer", "sits_out"),
    "sides": ("game", "deal", "side", "score", "score_after"),
    "games": ("game", "deals", "ending", "winner", "scores"),
}
"""Columns that these read."""
