"""Distributions and quantiles of a metric's own whole number, and metrics that are such a quantile (kind Q)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb
import polars as pl

from engine.errors import BadInput
from pipeline import stats
from pipeline.cells import RunCell
from pipeline.dimensions import dimensions_of
from pipeline.kinds.blocks import read_histogram
from pipeline.kinds.rows import Asked
from pipeline.levels import check_level
from pipeline.measure_question import check_parameters, pose
from pipeline.metric import GROUPS, Distribution, Metric, Split, load_metric, metric_names
from pipeline.stats.quantile import check_shares

Choice = list[str] | None
MANY_GAMES = 10_000
"""Cells of more games than this are clustered by block of games: a scan instead of a group for each game."""


def distribution(
    connection: duckdb.DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    variant: Choice = None,
    lineup: Choice = None,
    where: str | None = None,
    cells: Sequence[RunCell] = (),
    **given: Any,
) -> pl.DataFrame:
    """How often the metric's whole number takes each value, one row for each value of `by` and of the number.

    Columns: those of `by`, `at n share share_low share_high cum cum_low cum_high games`. `at` is the number, of bins
    their lower end, and null in the last row for what never happened; `n` counts rows, `share` is n ÷ all of them,
    `cum` the share up to and with `at`. Intervals by method W, clustered by game, in runs of more than MANY_GAMES a
    cell by 64 blocks of games; `games` are then those there are. BadInput: no distribution, or no such split.
    """
    asked, own, words = ask_distribution(connection, metric, by, level, variant, lineup, where, given)
    frames, games, _ = _read(asked, own, words, own.bin, cells)
    parts = [
        stats.distribute(frame, "at", by=list(asked.question.keys), weight="n", level=level, games=games)
        for frame in frames
    ]
    return _join(asked, parts, words, "at")


def quantiles(
    connection: duckdb.DuckDBPyConnection,
    metric: Metric,
    ps: Sequence[float] = (0.1, 0.5, 0.9),
    by: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    variant: Choice = None,
    lineup: Choice = None,
    where: str | None = None,
    cells: Sequence[RunCell] = (),
    **given: Any,
) -> pl.DataFrame:
    """Quantiles of the metric's whole number with intervals (method Q), one row for each value of `by` and p of `ps`.

    Columns: those of `by`, `p value low high never low_never high_never n below games few`; see `stats.quantile`.
    """
    check_shares(ps)
    asked, own, words = ask_distribution(connection, metric, by, level, variant, lineup, where, given)
    found, _ = _quantiles(asked, own, words, ps, level, cells)
    return found


def _quantiles(
    asked: Asked,
    own: Distribution,
    words: dict[str, str],
    ps: Sequence[float],
    level: float,
    cells: Sequence[RunCell],
) -> tuple[pl.DataFrame, str]:
    """Quantiles, and what answered."""
    frames, games, source = _read(asked, own, words, 1, cells)
    parts = [
        stats.quantile(frame, "at", list(ps), by=list(asked.question.keys), weight="n", level=level, games=games)
        for frame in frames
    ]
    return _join(asked, parts, words, "p"), source


def measure_quantile(
    connection: duckdb.DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str] | None,
    *,
    level: float,
    variant: Choice,
    lineup: Choice,
    where: str | None,
    cells: Sequence[RunCell] = (),
    **given: Any,
) -> pl.DataFrame:
    """A metric of kind Q, quantile `p` of its distribution, in the columns of `measure` with `never high_never`."""
    p = check_parameters(metric, given)["p"]
    asked, own, words = ask_distribution(connection, metric, by, level, variant, lineup, where, given)
    read, source = _quantiles(asked, own, words, [p], level, cells)
    found = read.rename({"below": "numerator", "n": "denominator"})
    keys = [name for name in found.columns if name in metric.dimensions]
    method = "Q, 64 blocks" if source.startswith("rollup") else "Q"
    return found.select(
        *keys, pl.col("value", "low", "high").cast(pl.Float64), "games", "few",
        pl.lit(None, pl.Float64).alias("capped"), pl.lit(False).alias("by_rule"), "numerator", "denominator",
        pl.lit(method).alias("method"), pl.lit(source).alias("source"), "never", "high_never",
    )  # fmt: skip


def ask_distribution(
    connection: duckdb.DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str] | None,
    level: float,
    variant: Choice,
    lineup: Choice,
    where: str | None,
    given: dict[str, Any],
) -> tuple[Asked, Distribution, dict[str, str]]:
    """The question to the rows that have the number, and what each word of the split, or the one there is, has."""
    check_level(level)
    own = metric.distribution
    if own is None:
        there = ", ".join(name for name in metric_names() if load_metric(name).distribution)
        raise BadInput(f"{metric.name} has no distribution of whole numbers; these have: {there}")
    question = pose(connection, _of_rows(metric, own), by, where)
    words = dict(question.split.words) if question.split else {"": own.value}
    return Asked(connection, question, check_parameters(metric, given), variant, lineup, level), own, words


def _of_rows(metric: Metric, own: Distribution) -> Metric:
    """The metric as if its number were counted: over the rows that have it, by the dimensions that those have."""
    split = {name: Split(name, one.sentence, own.table, own.words) for name, one in metric.split.items() if own.words}
    there = {*GROUPS, *split, *dimensions_of(own.table)}
    fitting = tuple(name for name in metric.dimensions if name in there)
    return replace(
        metric,
        table=own.table,
        numerator=own.value or None,
        denominator="1",
        rows=None,
        split=split,
        dimensions=fitting,
        default_by=tuple(name for name in metric.default_by if name in fitting),
        completed=False,
    )


def _read(
    asked: Asked, own: Distribution, words: Mapping[str, str], width: int, cells: Sequence[RunCell]
) -> tuple[list[pl.DataFrame], str | None, str]:
    """For each word the rows that have the number, counted by keys, unit and number, in bins so wide: `game at n`.

    The unit is the game, or of many games the block; then `games`, the name told, says how many games there are. Last,
    what answered: a roll-up, or the table.
    """
    games, groups = asked.count_games(), list(asked.question.groups)
    rolled = [read_histogram(asked, own, value, width, cells) for value in words.values()] if cells else [None]
    there = [frame for frame in rolled if frame is not None]
    if len(there) == len(words):
        joined = [frame.join(games, on=groups or None, how="left" if groups else "cross") for frame, _ in there]
        return joined, "games", f"rollup {', '.join(dict.fromkeys(name for _, name in there))}"
    blocked = games.height > 0 and games["games"].to_numpy().max() > MANY_GAMES
    frames = []
    for value in words.values():
        number = f"({value})::bigint" if width == 1 else f"(floor(({value}) / {width}) * {width})::bigint"
        rows = own.rows if own.never else f"({own.rows}) and ({value}) is not null"
        frame = asked.read({"n": "count(*)"}, rows, unit="block(game)" if blocked else "game", more={"at": number})
        frames.append(frame.join(games, on=groups or None, how="left" if groups else "cross") if blocked else frame)
    return frames, "games" if blocked else None, own.table


def _join(asked: Asked, parts: list[pl.DataFrame], words: dict[str, str], last: str) -> pl.DataFrame:
    split, keys = asked.question.split, list(asked.question.keys)
    if not split:
        return asked.order(parts[0], last)
    both = pl.concat(
        [
            part.with_columns(pl.lit(word).alias(split.name), pl.lit(place).alias("__place"))
            for place, (word, part) in enumerate(zip(words, parts, strict=True))
        ]
    )
    rest = [name for name in parts[0].columns if name not in keys]
    return asked.order(both, "__place", last).select(*keys, split.name, *rest)
