"""Differences between cells in many metrics at once, paired game by game where both met the same cards.

All rotations of a line-up over the sides are one block of games with the same number. Totals of every game lie in
arrays with a place a game, so a block pairs with another place by place; where roll-ups answer, a place is every
sixty-fourth game, and a millionth game costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from pipeline import stats
from pipeline.catalog import read_sql
from pipeline.cells import RunCell
from pipeline.measure_rollups import count_games, merge, spans_of
from pipeline.metric import Metric, load_metric, metric_names
from pipeline.rollup import BLOCKS, counted, load_rollups, rollup_digest
from pipeline.run import Run

Rotations = tuple[RunCell, ...]
"""The cells of one variant under all rotations of one line-up."""


@dataclass(frozen=True)
class Block:
    """A variant under all rotations of a line-up.

    `totals` maps what metrics count, as SQL, to an array with a place a game, 0 where the game is not there; where
    `rolled_up` says how many games a cell has, with a place a block of games. `there` marks places that all rotations
    have; `spread` maps a metric to its standard deviation between single games; `ruled` names the metrics that the
    rules decide.
    """

    cells: Rotations
    totals: Mapping[str, stats.Array]
    there: np.ndarray[Any, np.dtype[np.bool_]]
    spread: Mapping[str, float]
    ruled: frozenset[str]
    rolled_up: int = 0

    @property
    def games(self) -> int:
        """Games that all rotations have, of all of them together."""
        return len(self.cells) * (self.rolled_up or int(self.there.sum()))

    def counts_of(self, metric: Metric, games: np.ndarray[Any, Any] | None) -> tuple[stats.Array, stats.Array]:
        """Numerator and denominator of a metric in these games, or in all."""
        k, n = (self.totals[expression] for expression in _counted(metric))
        return (k, n) if games is None else (k[games], n[games])


def metrics_of_games() -> list[Metric]:
    """Metrics that the per-game totals answer."""
    return [metric for metric in map(load_metric, metric_names()) if metric.table == "games" and metric.numerator]


def group_rotations(cells: Sequence[RunCell]) -> list[Rotations]:
    """Cells with games by variant and line-up as given, in the order of the plan."""
    groups: dict[tuple[str, str], list[RunCell]] = {}
    for cell in cells:
        if cell.shards:
            groups.setdefault((cell.variant, cell.given), []).append(cell)
    return [tuple(group) for group in groups.values()]


def read_blocks(run: Run, groups: Sequence[Rotations], metrics: Sequence[Metric]) -> list[Block]:
    """The block of each group: from the roll-up of games where all have it and the same games, else game by game."""
    chosen = [cell for group in groups for cell in group]
    expressions = list(dict.fromkeys(expression for metric in metrics for expression in _counted(metric)))
    rollup, games = load_rollups()["games"], count_games(chosen)
    rolled_up = (
        set(expressions) <= set(rollup.counts)
        and all(cell.is_rolled_up(rollup_digest()) for cell in chosen)
        and len({tuple(spans_of([cell])) for cell in chosen}) == 1
        and games >= stats.LEAST_GAMES_IN_BLOCKS
    )
    connection = run.cursor()
    if rolled_up:
        columns = [f'sum("{rollup.counts[one]}")::double as c{place}' for place, one in enumerate(expressions)]
        text = _totals_sql("blocks_of_games", metrics, columns, table=merge(connection, rollup))
    else:
        columns = [f"({one})::double as c{place}" for place, one in enumerate(expressions)]
        text = _totals_sql("games", metrics, columns)
    names = {"variant": [cell.variant for cell in chosen], "lineup": [cell.lineup for cell in chosen]}
    parts = _split_cells(connection.sql(text, params=names).pl())
    places = {id(cell): place for place, cell in enumerate(run.parts, 1)}
    size = BLOCKS if rolled_up else max((int(part["game"].to_numpy().max()) for part in parts.values()), default=0)
    return [_add_rotations(group, [parts[places[id(cell)]] for cell in group], expressions, metrics, size,
                           games if rolled_up else 0) for group in groups]  # fmt: skip


def compare_blocks(
    metrics: Sequence[Metric], base: Block, other: Block, level: float = 0.95
) -> Iterator[dict[str, Any]]:
    """Other minus base for each metric that the rules of neither decide.

    Rows have `metric family variant lineup base_variant base_lineup value base_value diff low high effect paired gain
    games p spread`. `effect` is the difference ÷ `spread`, that of the base's games (see `_spread_between`), `gain`
    what pairing gained, `games` those of the smaller block. Not a number becomes None.
    """
    both = base.there & other.there
    paired = _may_pair(base.cells, other.cells) and bool(both.any())
    first_games, second_games = (None if mask.all() else mask for mask in
                                 ((both, both) if paired else (base.there, other.there)))  # fmt: skip
    for metric in metrics:
        if metric.name in base.ruled | other.ruled:
            continue
        first, second = base.counts_of(metric, first_games), other.counts_of(metric, second_games)
        if base.rolled_up and other.rolled_up:
            one, two = (
                stats.Blocks(k[None], n[None], np.array([float(games)]))
                for (k, n), games in ((first, base.rolled_up), (second, other.rolled_up))
            )
            found = stats.subtract_blocks(one, two, np.array([paired]), level)
        elif paired:
            found = stats.subtract_pairs(first, second, level)
        else:
            found = stats.subtract(stats.sum_games(*first), stats.sum_games(*second), level=level)
        spread = _spread_between(metric, base, other, float(found.value[0]))
        numbers = {
            "value": _divide(*second),
            "base_value": _divide(*first),
            "diff": float(found.value[0]),
            "low": float(found.low[0]),
            "high": float(found.high[0]),
            "effect": float(found.value[0]) / spread if spread > 0 else np.nan,
            "gain": float(found.gain[0]),
            "p": float(found.p[0]),
            "spread": spread,
        }
        yield {
            "metric": metric.name,
            "family": metric.family,
            "variant": other.cells[0].variant,
            "lineup": other.cells[0].given,
            "base_variant": base.cells[0].variant,
            "base_lineup": base.cells[0].given,
            "paired": paired,
            "games": min(base.games, other.games),
            **{name: None if np.isnan(number) else number for name, number in numbers.items()},
        }


def _spread_between(metric: Metric, base: Block, other: Block, difference: float) -> float:
    """What a difference is measured against: the base's spread between games, the other's where there is none.

    Of shares at least that of the games of both together, half of each: where a share is nearly 0 or 1 the base's games
    hardly vary, and any difference at all would be many of their spreads.
    """
    first, second = base.spread[metric.name], other.spread[metric.name]
    pooled = ((first**2 + second**2) / 2 + (difference / 2) ** 2) ** 0.5
    return max(first, pooled) if metric.unit == "%" else first or second


def _may_pair(first: Rotations, second: Rotations) -> bool:
    """Whether the same game met the same cards in both, as often."""
    return len(first) == len(second) and first[0].cards == second[0].cards


def _divide(k: stats.Array, n: stats.Array) -> float:
    total = float(n.sum())
    return float(k.sum()) / total if total else float("nan")


def _counted(metric: Metric) -> tuple[str, str]:
    """What a metric counts in a game, numerator and denominator, as SQL."""
    return counted(metric, str(metric.numerator)), counted(metric, metric.denominator)


def _totals_sql(name: str, metrics: Sequence[Metric], columns: Sequence[str], table: str = "games") -> str:
    ruled = [metric for metric in metrics if metric.by_rule]
    return read_sql(f"metric/{name}.sql").format(
        columns=", ".join([*columns, *(f"ruled_{metric.name}" for metric in ruled)]),
        rules="".join(f", ({metric.by_rule}) as ruled_{metric.name}" for metric in ruled),
        table=table,
    )


def _split_cells(frame: pl.DataFrame) -> dict[int, pl.DataFrame]:
    """Rows by cell; without copying where, as DuckDB hands them over, each cell lies in one piece."""
    cells = frame["cell"].to_numpy()
    starts = np.flatnonzero(np.diff(cells, prepend=0))
    if len(set(cells[starts].tolist())) < len(starts):
        return {int(key[0]): part for key, part in frame.partition_by("cell", as_dict=True).items()}
    ends = [*starts[1:].tolist(), len(cells)]
    return {
        int(cells[start]): frame.slice(start, end - start) for start, end in zip(starts.tolist(), ends, strict=True)
    }


def _add_rotations(
    cells: Rotations,
    parts: Sequence[pl.DataFrame],
    expressions: Sequence[str],
    metrics: Sequence[Metric],
    size: int,
    rolled_up: int,
) -> Block:
    totals: dict[str, stats.Array] = {}
    seen = np.zeros(size, np.int64)
    variances = dict.fromkeys((metric.name for metric in metrics), 0.0)
    for part in parts:
        games = part["block"].to_numpy() if rolled_up else part["game"].to_numpy() - 1
        seen[games] += 1
        own = {one: part[f"c{column}"].to_numpy() for column, one in enumerate(expressions)}
        for metric in metrics:
            k, n = (own[expression] for expression in _counted(metric))
            if rolled_up:
                found = stats.estimate_blocks(stats.Blocks(k[None], n[None], np.array([float(rolled_up)])))
            else:
                found = stats.estimate(stats.sum_games(k, n))
            variances[metric.name] += float(found.spread[0]) ** 2 / len(parts)
        whole = len(games) == size and bool((np.diff(games) == 1).all())
        for expression, values in own.items():
            placed = values if whole else _place(values, games, size)
            totals[expression] = totals[expression] + placed if expression in totals else placed
    ruled = frozenset(metric.name for metric in metrics if metric.by_rule and parts[0][f"ruled_{metric.name}"][0])
    return Block(cells, totals, seen == len(parts), {name: one**0.5 for name, one in variances.items()}, ruled,
                 rolled_up)  # fmt: skip


def _place(values: stats.Array, games: np.ndarray[Any, Any], size: int) -> stats.Array:
    """Values of games in an array with a place a game."""
    placed = np.zeros(size)
    placed[games] = values
    return placed
