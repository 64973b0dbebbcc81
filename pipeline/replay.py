"""One deal of a run, told again: found by its numbers, shown as readable text or as plain values.

Nothing is played: the log is the ledger. Hidden cards are shown; who may see them is the reader's business.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

import polars as pl

from engine import log
from engine.errors import BadInput
from engine.history.record import History
from engine.rules import Rules, Variant, load_variant, variant_names
from pipeline.cells import RunCell, list_some
from pipeline.laid_melds import in_order
from pipeline.position import Position, positions
from pipeline.replay_words import RESERVE, say_frozen, tell
from pipeline.run import Run

Row = Mapping[str, Any]
CANASTA = 7
_ALWAYS = ("natural_points", "mixed_points", "card_points", "held_points", "red_three_points", "out_points")
_SCORE = tuple(column.name for column in log.SIDES if column.name.endswith("_points") and column.name != "open_points")


def parts_of(sides: Sequence[Row]) -> tuple[str, ...]:
    """Columns of `sides` that a deal's score is told by: what only some rules know where it is not 0."""
    told = [name for name in _SCORE if name in _ALWAYS or any(side.get(name) for side in sides)]
    return (*told, "score", "score_after")


@dataclass(frozen=True)
class Replay:
    """The rows of one deal: its own, those of its sides, its moves and turns in order; and the cell it is of."""

    cell: RunCell
    seed: int
    deal: Row
    sides: Sequence[Row]
    moves: Sequence[Row]
    turns: Sequence[Row]

    @cached_property
    def positions(self) -> dict[int, Position]:
        """The table as each turn begins; 0 is as dealt, the number after the last turn the end."""
        return positions(self.deal, self.moves, self.cell.seat_sides, self.cell.rules)

    @property
    def end(self) -> Position:
        """The table as the deal ends."""
        return self.positions[max(self.positions)]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as JSON takes them."""
        return {
            "variant": self.cell.variant,
            "lineup": self.cell.lineup,
            "seed": self.seed,
            "strategies": list(self.cell.seat_strategies),
            **{key: value for key, value in self.deal.items() if key not in ("variant", "lineup")},
            **{
                table: [_own(row) for row in rows]
                for table, rows in (("sides", self.sides), ("moves", self.moves), ("turns", self.turns))
            },
        }


def find_deal(run: Run, game: int, deal: int, variant: str | None = None, lineup: str | None = None) -> Replay:
    """A deal of a run by its numbers, from 1; BadInput when it is not there, or in several cells and none is named."""
    cells = [cell for cell in run.choose(variant, lineup) if cell.shards]
    if len(cells) > 1:
        allowed = list_some([f"{cell.variant} {cell.lineup}" for cell in cells])
        raise BadInput(
            f"the run has {len(cells)} cells; name one by variant and lineup (--variant, --lineup): {allowed}"
        )
    if not cells:
        raise BadInput(f"{run.path}: no finished games of {variant} {lineup} yet")
    cell = cells[0]
    if not isinstance(game, int) or not isinstance(deal, int):
        raise BadInput(f"game {game!r}, deal {deal!r}: give two whole numbers")
    if not any(shard.first_game <= game < shard.first_game + shard.games for shard in cell.shards):
        last = max(shard.first_game + shard.games - 1 for shard in cell.shards)
        raise BadInput(f"game {game} is not in the run; {cell.variant} {cell.lineup} has games 1 to {last}")

    def rows(table: str) -> list[dict[str, Any]]:
        frame = run.frame(table, cell.variant, cell.lineup, (game, game)).filter(pl.col("deal") == deal)
        return frame.sort(log.KEYS[table]).collect().to_dicts()

    deals = rows("deals")
    if not deals:
        count = run.frame("games", cell.variant, cell.lineup, (game, game)).collect()["deals"][0]
        raise BadInput(f"game {game} has no deal {deal}; it has deals 1 to {count}")
    return Replay(cell, run.seed, deals[0], rows("sides"), rows("moves"), rows("turns"))


def to_history(replay: Replay) -> History:
    """The deal as a hand history, with the strategies as the players' names."""
    from engine.ledger.replay import history_of

    columns = {
        table: {column.name: [row[column.name] for row in rows] for column in log.TABLES[table]}
        for table, rows in (("moves", replay.moves), ("sides", replay.sides))
    }
    history = history_of(load_rules(replay.cell), replay.deal, columns["moves"], columns["sides"])
    names = {str(seat): name for seat, name in enumerate(replay.cell.seat_strategies, start=1)}
    return dataclasses.replace(history, players=names)


def load_rules(cell: RunCell) -> Variant:
    """The variant as the run has it: by its name while that still means the same rules, else rule by rule."""
    rules = Rules.from_dict(cell.rules)
    if cell.base in variant_names():
        variant = load_variant(cell.base, cell.changes)
        if variant.rules == rules:
            return variant
    nameless = load_variant("classic4")
    return dataclasses.replace(nameless, name=f"rules of {cell.variant}", rules=rules)


def write_text(replay: Replay) -> str:
    """The deal for people: hands, every move turn by turn, melds and scores."""
    return "\n".join(_lines(replay)) + "\n"


def _lines(replay: Replay) -> Iterator[str]:
    cell, deal = replay.cell, replay.deal
    yield f"{cell.variant} · {cell.lineup} · game {deal['game']}, deal {deal['deal']} · seed {replay.seed}"
    for side in replay.sides:
        seats = [
            f"seat {seat} {name}"
            for seat, (of, name) in enumerate(zip(cell.seat_sides, cell.seat_strategies, strict=True), start=1)
            if of == side["side"]
        ]
        yield (
            f"side {side['side']}: {', '.join(seats)}; {side['score_before']:,} points before the deal, "
            f"minimum {side['minimum']}"
        )
    yield f"dealer: seat {deal['dealer']}"
    yield ""
    for seat, hand in enumerate(deal["hands"], start=1):
        yield f"seat {seat} is dealt  {' '.join(in_order(hand))}"
    for seat, packet in enumerate(deal["reserves"], start=1):
        yield f"seat {seat} {RESERVE:8} {' '.join(in_order(packet))}"
    yield f"turned up        {' '.join(deal['upcards'])}"
    turns = {turn["turn"]: turn for turn in replay.turns}
    for number, moves in groupby(replay.moves, key=lambda move: int(move["turn"])):
        yield ""
        yield _turn_line(turns.get(number))
        for seat, own in groupby(moves, key=lambda move: int(move["seat"])):
            prefix = f"  seat {seat} " if number == 0 or seat != turns[number]["seat"] else "  "
            yield from (prefix + text for text in tell(list(own)))
    yield ""
    yield from _result_lines(replay)


def _turn_line(turn: Row | None) -> str:
    if turn is None:
        return "before the first turn"
    pile = f"pile {turn['pile']}, {turn['upcard']} on top" if turn["upcard"] else "pile empty"
    frozen = f", {say_frozen(turn['frozen_by'])}" if turn["frozen_by"] else ""
    return (
        f"turn {turn['turn']} · seat {turn['seat']} {turn['strategy']} · hand {turn['hand']}, stock {turn['stock']}, "
        f"{pile}{frozen}"
    )


def _result_lines(replay: Replay) -> Iterator[str]:
    deal = replay.deal
    out = f" by seat {deal['out_seat']}" if deal["out_seat"] else ""
    yield f"the deal ends: {deal['ending']}{out} after {deal['turns']} turns, {deal['stock']} cards left in the stock"
    for side in replay.sides:
        melds = _melds_of(replay, side["side"])
        yield f"side {side['side']} has melded  " + ("   ".join(melds) or "nothing")
    heads = [f"side {side['side']}" for side in replay.sides]
    yield ""
    yield f"{'':12}" + "".join(f"{head:>10}" for head in heads)
    for part in parts_of(replay.sides):
        name = part.removesuffix("_points").replace("_", " ")
        yield f"{name:12}" + "".join(f"{side[part]:>10,}" for side in replay.sides)


def _melds_of(replay: Replay, side: int) -> list[str]:
    return [
        f"{' '.join(cards)}{' (canasta)' if len(cards) >= CANASTA else ''}"
        for cards in replay.end.melds[side - 1].values()
    ]


def _own(row: Row) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in ("variant", "lineup", "game", "deal")}
