"""Metrics of kind S: statistics with a bootstrap over games or blocks instead of a formula for their variance.

A statistic is a function of totals. Each row of an answer has them by cell, which is a stratum or a line-up, and
they are drawn anew by game number, so that games on the same cards are drawn together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import polars as pl

from pipeline import stats
from pipeline.cells import RunCell
from pipeline.dimensions import load_dimensions
from pipeline.kinds.blocks import read_swing
from pipeline.kinds.rows import Asked, choose_contests, read_seatings
from pipeline.measure_question import check_parameters, pose
from pipeline.metric import CELL, Metric
from pipeline.stats.spread import FOLDS, Statistic

MANY_GAMES, SAMPLE = 50_000, 40_000
"""Where a row has more games than the first, its rows are those of games 1 to the second: as good as any others."""


@dataclass(frozen=True)
class Recipe:
    """A statistic: the totals it needs, SQL aggregates in which `{x}` is a column of the metric; what they come to.

    `cells`: by what totals are kept apart beside the metric's strata. `strata`: resamples lose small ones, which shifts
    the statistic, so that its interval is normal; and rows are so many that SAMPLE games answer for MANY_GAMES.
    """

    totals: Mapping[str, str]
    statistic: Statistic
    cells: tuple[str, ...] = ()
    sides: int = 0
    strata: bool = False


def _deviation(totals: stats.Array) -> stats.Array:
    """Standard deviation of x, from n, Σx, Σx² of one cell."""
    return stats.standard_deviation(totals[:, 0])


def _opposed(totals: stats.Array) -> stats.Array:
    """Minus the correlation of x and y, mean over cells, from n, Σx, Σy, Σx², Σy², Σxy."""
    n, x, y, xx, yy, xy = (totals[..., place] for place in range(6))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = -(n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y))
    return np.asarray(found.mean(1))


def _cost(totals: stats.Array) -> stats.Array:
    """Mean over strata, by their rows, of mean x without less with; from n and Σx of both, of strata that have both."""
    n0, n1, x0, x1 = (totals[..., place] for place in range(4))
    with np.errstate(divide="ignore", invalid="ignore"):
        both = (n0 > 0) & (n1 > 0)
        weight = np.where(both, n0 + n1, 0.0)
        differences = np.where(both, x0 / np.maximum(n0, 1) - x1 / np.maximum(n1, 1), 0.0)
        return np.asarray((weight * differences).sum(1) / weight.sum(1))


RECIPES = {
    "deviation": Recipe({"n": "count({x})", "x": "sum({x})", "xx": "sum(({x})::double ** 2)"}, _deviation),
    "opposed": Recipe(
        {"n": "count(*)", "x": "sum({x})", "y": "sum({y})", "xx": "sum(({x})::double ** 2)",
         "yy": "sum(({y})::double ** 2)", "xy": "sum(({x})::double * ({y}))"},
        _opposed, cells=CELL, sides=2,
    ),
    "cost": Recipe(
        {"n0": "count(*) filter (not ({with}))", "n1": "count(*) filter ({with})",
         "x0": "coalesce(sum({x}) filter (not ({with})), 0)", "x1": "coalesce(sum({x}) filter ({with}), 0)"},
        _cost, cells=CELL, strata=True,
    ),
}  # fmt: skip


def measure_spread(
    connection: duckdb.DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str] | None,
    *,
    level: float,
    variant: list[str] | None,
    lineup: list[str] | None,
    where: str | None,
    cells: Sequence[RunCell] = (),
    **given: Any,
) -> pl.DataFrame:
    """A metric of kind S in the columns of `measure`; numerator and denominator are the rows it rests on."""
    assert metric.spread is not None
    recipe = RECIPES[metric.spread.statistic]
    if metric.seatings == "contest":
        there = choose_contests(metric, read_seatings(connection, variant, lineup), recipe.sides)
        variant, lineup = [
            list(dict.fromkeys(names)) for names in zip(*((o.variant, o.given) for o in there), strict=True)
        ]
    question = pose(connection, metric, by, where)
    asked = Asked(connection, question, check_parameters(metric, given), variant, lineup, level)
    blocks = read_swing(asked, cells) if cells and metric.spread.statistic == "deviation" else None
    played = asked.count_games()
    most = played["games"].to_numpy().max(initial=0)
    sampled = recipe.strata and most > MANY_GAMES
    frame = _read(asked, recipe, sampled=sampled) if blocks is None else blocks.with_columns(cell=1)
    games = _games_of(
        asked, frame, played.with_columns(pl.col("games").clip(upper_bound=SAMPLE)) if sampled else played
    )
    keys = list(question.keys)
    parts = frame.partition_by(keys, as_dict=True) if keys and frame.height else {(): frame} if frame.height else {}
    rows = [[*key, *_estimate(part, recipe, games[key], level)] for key, part in parts.items()]
    schema: dict[str, Any] = {
        **{name: frame.schema[name] for name in keys}, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64,
        "games": pl.Int64, "few": pl.Boolean, "denominator": pl.Int64,
    }  # fmt: skip
    found = pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        capped=pl.lit(None, pl.Float64),
        by_rule=pl.lit(False),
        numerator=pl.col("denominator"),
        method=pl.lit("S" if blocks is None else "S, 64 blocks"),
        source=pl.lit(
            _say_source(question.counted.table, most if sampled else 0) if blocks is None else "rollup results"
        ),
    )
    left = ["capped", "by_rule", "numerator", "denominator", "method", "source"]
    return asked.order(found.select(pl.exclude(left), *left))


def _say_source(table: str, of: int) -> str:
    return f"{table}, {SAMPLE:,} of {of:,} games" if of else table


def _estimate(part: pl.DataFrame, recipe: Recipe, games: int, level: float) -> list[Any]:
    """Value, low, high, games, few and the rows behind them; not a number as None."""
    counted = [name for name in recipe.totals if name.startswith("n")]
    rows = int(part.select(counted).sum().sum_horizontal().item())
    units = _units(part, list(recipe.totals))
    found = stats.bootstrap(units, recipe.statistic, level, games=min(games, rows), normal=recipe.strata)
    ends = [None if np.isnan(one[0]) else float(one[0]) for one in (found.value, found.low, found.high)]
    return [*ends, min(games, rows), bool(found.few[0]), rows]


def _read(asked: Asked, recipe: Recipe, *, sampled: bool = False) -> pl.DataFrame:
    """Totals by keys, fold of games and cell."""
    question, spread = asked.question, asked.question.metric.spread
    assert spread is not None
    cells = {name: load_dimensions()[name].tables[question.counted.table] for name in spread.strata}
    cells |= {name: name for name in recipe.cells if name not in question.groups}
    columns = {name: text.format_map(spread.columns) for name, text in recipe.totals.items()}
    more = {f"cell_{name}": expression for name, expression in cells.items()}
    counted = question.counted.denominator
    rows = "true" if counted == "1" else f"({counted}) > 0"
    rows += f" and game <= {SAMPLE}" if sampled else ""
    frame = asked.read(columns, rows, unit=f"(game - 1) % {FOLDS}", more=more)
    keys = list(question.keys)
    place = pl.struct([*more]).rank("dense").over(keys or pl.lit(0)).cast(pl.Int64) if more else pl.lit(1)
    return frame.with_columns(place.alias("cell"))


def _games_of(asked: Asked, frame: pl.DataFrame, played: pl.DataFrame) -> dict[tuple[Any, ...], int]:
    """How many games each value of the keys has at most."""
    question, keys = asked.question, list(asked.question.keys)
    games = {tuple(row[:-1]): row[-1] for row in played.select(*question.groups, "games").iter_rows()}
    there = frame.select(keys).unique().iter_rows() if keys else [()]
    return {key: games[key[: len(question.groups)]] for key in there}


def _units(part: pl.DataFrame, totals: list[str]) -> stats.Array:
    """An array fold × cell × total of one row of the answer; of fewer games than folds, those up to the last."""
    folds, cells = part["game"].to_numpy(), part["cell"].to_numpy() - 1
    units = np.zeros((int(folds.max()) + 1, int(cells.max()) + 1, len(totals)))
    np.add.at(units, (folds, cells), part.select(pl.col(totals).cast(pl.Float64).fill_null(0)).to_numpy())
    return units
