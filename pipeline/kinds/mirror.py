"""Metrics of kind P: means over mirror blocks.

A mirror block is a game number under all rotations of a line-up; its games never enter singly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np
import polars as pl

from engine.errors import BadInput
from pipeline import stats
from pipeline.kinds.rows import Asked, choose_contests, read_seatings
from pipeline.measure_question import check_parameters, pose
from pipeline.metric import Metric

TELLING = 1.6448536269514722
"""Standard errors that 95 of 100 lie below."""


def measure_mirror(
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
    """Such a metric in the columns of `measure`; `games` counts blocks. Any seating stands for its whole line-up."""
    question = pose(connection, metric, by, where)
    values = check_parameters(metric, given)
    there = choose_contests(metric, read_seatings(connection, variant, lineup))
    names = [list(dict.fromkeys(column)) for column in zip(*((one.variant, one.given) for one in there), strict=True)]
    asked = Asked(connection, question, values, names[0], names[1], level)
    counted = question.counted
    frame = asked.read({"k": f"sum({counted.numerator})", "n": f"sum({counted.denominator})"}).filter(pl.col("n") > 0)
    if frame.is_empty() and values:
        told = " and ".join(f"{name} {value}" for name, value in values.items())
        raise BadInput(f"{metric.name}: no line-up of {told} alone; there are {', '.join(names[1])}")
    return asked.order(_estimate(asked, frame))


def _estimate(asked: Asked, frame: pl.DataFrame) -> pl.DataFrame:
    metric, keys = asked.question.metric, list(asked.question.keys)
    rows = stats.add_up(frame, "k", "n", "game", keys)
    sums = stats.Sums.of(rows)
    found = stats.estimate(sums, "R", asked.level)
    value, low, high = found.value, found.low, found.high
    few = found.few if metric.unit == "%" else found.games < stats.FEW_GAMES  # an edge of 0 is no small number
    if metric.unit != "points":
        certain = stats.estimate(sums, "W", asked.level)
        extreme = (value <= 0) | (value >= 1)
        low = np.where(extreme, certain.low, np.maximum(low, 0))
        high = np.where(extreme, certain.high, np.minimum(high, 1))
    if metric.transform == "games_to_tell":
        value, low, high, few = count_to_tell(value), count_to_tell(high), count_to_tell(low), found.few | ~(low > 0.5)
    ends = {"value": value, "low": low, "high": high}
    return rows.select(
        *keys,
        *(pl.Series(name, np.where(np.isinf(one), np.nan, one), nan_to_null=True) for name, one in ends.items()),
        pl.col("games").cast(pl.Int64),
        pl.Series("few", few),
        pl.lit(None, pl.Float64).alias("capped"),
        pl.lit(False).alias("by_rule"),
        pl.col("k").alias("numerator"),
        pl.col("n").cast(pl.Int64).alias("denominator"),
        pl.lit("P").alias("method"),
        pl.lit("mirror blocks").alias("source"),
    )


def count_to_tell(win_rate: stats.Array) -> stats.Array:
    """Fewest games after which a side that wins this share of them is ahead with 95 %; infinite at half or less.

    Normal law of the games won; games are 0 or 1, ties leave fewer needed.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        games = np.ceil(TELLING**2 * win_rate * (1 - win_rate) / (win_rate - 0.5) ** 2)
    return np.where(np.isnan(win_rate), np.nan, np.where(win_rate > 0.5, np.maximum(games, 1), np.inf))
