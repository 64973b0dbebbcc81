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
from pipeline.dimensions import load_dimensions
from pipeline.kinds.rows import Asked, choose_contests, read_seatings
from pipeline.measure_question import check_parameters, pose
from pipeline.metric import CELL, Metric
from pipeline.stats.spread import FOLDS, Statistic


@dataclass(frozen=True)
class Recipe:
    """A statistic: the totals it needs, SQL aggregates in which `{x}` is a column of the metric; what they come to.

    `cells`: by what totals are kept apart beside the metric's strata.
    """

    totals: Mapping[str, str]
    statistic: Statistic
    cells: tuple[str, ...] = ()
    sides: int = 0


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
        _cost, cells=CELL,
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
    frame, games = _read(asked, recipe)
    keys = list(question.keys)
    rows = []
    for key, part in frame.partition_by(keys, as_dict=True).items() if keys else [((), frame)]:
        units = _units(part, int(frame["game"].to_numpy().max()), list(recipe.totals))
        found = stats.bootstrap(units, recipe.statistic, level, games=games.get(key, 0))
        numbers = [None if np.isnan(one[0]) else float(one[0]) for one in (found.value, found.low, found.high)]
        counted = int(
            part.select([name for name in recipe.totals if name.startswith("n")]).sum().sum_horizontal().item()
        )
        rows.append(
            [
                *key,
                *numbers,
                games.get(key, 0),
                bool(found.few[0]),
                None,
                False,
                counted,
                counted,
                "S",
                question.counted.table,
            ]
        )
    schema: dict[str, Any] = {
        **{name: frame.schema[name] for name in keys}, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64,
        "games": pl.Int64, "few": pl.Boolean, "capped": pl.Float64, "by_rule": pl.Boolean,
        "numerator": pl.Int64, "denominator": pl.Int64, "method": pl.String, "source": pl.String,
    }  # fmt: skip
    return asked.order(pl.DataFrame(rows, schema=schema, orient="row"))


def _read(asked: Asked, recipe: Recipe) -> tuple[pl.DataFrame, dict[tuple[Any, ...], int]]:
    """Totals by keys, fold of games and cell; and how many games each value of the keys has."""
    spread = asked.question.metric.spread
    assert spread is not None
    table = asked.question.counted.table
    cells = {name: load_dimensions()[name].tables[table] for name in spread.strata} | {one: one for one in recipe.cells}
    columns = {name: text.format_map(spread.columns) for name, text in recipe.totals.items()}
    more = {f"cell_{name}": expression for name, expression in cells.items()}
    counted = asked.question.counted.denominator
    rows = "true" if counted == "1" else f"({counted}) > 0"
    frame = asked.read(columns, rows, unit=f"(game - 1) % {FOLDS}", more=more)
    keys = list(asked.question.keys)
    frame = frame.with_columns(
        pl.struct([*more]).rank("dense").over(keys or pl.lit(0)).cast(pl.Int64).alias("cell")
        if more
        else pl.lit(1).alias("cell")
    )
    played = asked.read({"games": "count(distinct game)"}, rows, unit="0")
    return frame, {tuple(row[name] for name in keys): row["games"] for row in played.iter_rows(named=True)}


def _units(part: pl.DataFrame, last: int, totals: list[str]) -> stats.Array:
    """An array fold × cell × total of one row of the answer."""
    cells = part["cell"].to_numpy() - 1
    units = np.zeros((last + 1, int(cells.max()) + 1, len(totals)))
    np.add.at(
        units, (part["game"].to_numpy(), cells), part.select(pl.col(totals).cast(pl.Float64).fill_null(0)).to_numpy()
    )
    return units
