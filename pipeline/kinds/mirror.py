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
from pipeline.cells import RunCell
from pipeline.kinds.blocks import read_mirror
from pipeline.kinds.rows import Asked, choose_contests, read_seatings
from pipeline.measure_question import check_parameters, pose
from pipeline.metric import Metric
from pipeline.rollup import BLOCKS

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
    cells: Sequence[RunCell] = (),
    **given: Any,
) -> pl.DataFrame:
    """Such a metric in the columns of `measure`; `games` counts blocks. Any seating stands for its whole line-up."""
    question = pose(connection, metric, by, where)
    values = check_parameters(metric, given)
    there = choose_contests(metric, read_seatings(connection, variant, lineup))
    names = [list(dict.fromkeys(column)) for column in zip(*((one.variant, one.given) for one in there), strict=True)]
    asked = Asked(connection, question, values, names[0], names[1], level)
    blocks = read_mirror(asked, there, cells) if cells else None
    counted = question.counted
    frame = (
        blocks
        if blocks is not None
        else asked.read({"k": f"sum({counted.numerator})", "n": f"sum({counted.denominator})"}).filter(pl.col("n") > 0)
    )
    if frame.is_empty() and values:
        told = " and ".join(f"{name} {value}" for name, value in values.items())
        other = _other(list(values), names[1])
        raise BadInput(f"{metric.name}: no line-up of {told} alone; there are {', '.join(names[1])}{other}")
    return asked.order(_estimate(asked, frame) if blocks is None else _estimate_blocks(asked, frame))


def _other(parameters: Sequence[str], lineups: Sequence[str]) -> str:
    """How to ask of a line-up that there is: `; such as --set strong=safe --set weak=builder`."""
    pairs = [lineup.split("~") for lineup in lineups if "+" not in lineup]
    found = next((pair for pair in pairs if len(set(pair)) == len(pair) == len(parameters)), None)
    if found is None:
        return ""
    return "; such as " + " ".join(f"--set {name}={value}" for name, value in zip(parameters, found, strict=True))


def _estimate(asked: Asked, frame: pl.DataFrame) -> pl.DataFrame:
    rows = stats.add_up(frame, "k", "n", "game", list(asked.question.keys))
    sums = stats.Sums.of(rows)
    found, certain = (stats.estimate(sums, method, asked.level) for method in ("R", "W"))
    return _tell(asked, rows, found, certain, "P", "mirror blocks")


def _estimate_blocks(asked: Asked, frame: pl.DataFrame) -> pl.DataFrame:
    """The same off roll-ups: games of like numbers lie in the same block, which is left out as a whole."""
    keys = list(asked.question.keys)
    of = [name for name in frame.columns if name.startswith("of ")]
    most = frame.group_by([*keys, *of]).agg(pl.col("games").sum()).group_by(keys or pl.lit(1).alias("one"))
    games = most.agg(pl.col("games").max())
    sums = frame.group_by([*keys, "block"] if keys else ["block"]).agg(pl.col("k", "n").sum())
    rows = (games if keys else games.drop("one")).sort(keys) if keys else games.drop("one")
    k, n = np.zeros((2, rows.height, BLOCKS))
    placed = sums.join(rows.with_row_index("row"), on=keys) if keys else sums.with_columns(row=pl.lit(0))
    for counts, name in ((k, "k"), (n, "n")):
        counts[placed["row"].to_numpy(), placed["block"].to_numpy()] = placed[name].to_numpy()
    rows = rows.with_columns(pl.Series("k", k.sum(-1)), pl.Series("n", n.sum(-1)), pl.col("games").round())
    blocks = stats.Blocks(k, n, rows["games"].to_numpy())
    found, certain = (stats.estimate_blocks(blocks, method, asked.level) for method in ("R", "W"))
    return _tell(asked, rows, found, certain, "P, 64 blocks", "rollup results, game_results")


def _tell(
    asked: Asked, rows: pl.DataFrame, found: stats.Estimate, certain: stats.Estimate, method: str, source: str
) -> pl.DataFrame:
    """Estimates in the columns of `measure`; `certain` is by method W, for shares of 0 and 1."""
    metric, keys = asked.question.metric, list(asked.question.keys)
    value, low, high = found.value, found.low, found.high
    few = found.few if metric.unit == "%" else found.games < stats.FEW_GAMES  # an edge of 0 is no small number
    if metric.unit != "points":
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
        pl.col("n").round().cast(pl.Int64).alias("denominator"),
        pl.lit(method).alias("method"),
        pl.lit(source).alias("source"),
    )


def count_to_tell(win_rate: stats.Array) -> stats.Array:
    """Fewest games after which a side that wins this share of them is ahead with 95 %; infinite at half or less.

    Single games, not blocks. Normal law of the games won; games are 0 or 1, ties leave fewer needed.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        games = np.ceil(TELLING**2 * win_rate * (1 - win_rate) / (win_rate - 0.5) ** 2)
    return np.where(np.isnan(win_rate), np.nan, np.where(win_rate > 0.5, np.maximum(games, 1), np.inf))
