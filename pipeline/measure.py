"""A metric's value on a run, with its interval: from roll-ups by block of games, or from the tables game by game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import polars as pl

from engine.errors import BadInput
from pipeline import stats
from pipeline.catalog import first_line, read_sql
from pipeline.cells import RunCell
from pipeline.kinds import check_seatings, measure_kind
from pipeline.measure_question import Question, check_parameters, pose, units_sql, used
from pipeline.measure_rollups import Counts, find_source, read_counts
from pipeline.metric import Metric

SIGNED = ("pp", "points")
"""Units of numbers that may well be 0: how wide an interval is beside the value says nothing there."""


def measure(
    connection: duckdb.DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    variant: list[str] | None = None,
    lineup: list[str] | None = None,
    where: str | None = None,
    cells: Sequence[RunCell] = (),
    **given: Any,
) -> pl.DataFrame:
    """A metric on a run's connection, one row for each value of `by`, in the order of the plan.

    Columns: those of `by`, `value low high games few capped by_rule numerator denominator method source`. `games`
    counts those that had something to count, as far as a roll-up knows: it gives those of the cells, at most the
    denominator. `capped` is the share of games left out because they hit the cap, null where none are left out.
    Line-ups added up are clustered by the number of their common game. `where` keeps the rows of the table that
    answers for which it holds; it names columns of that table alone. `cells` are those that `variant` and `lineup`
    choose: where given and their roll-ups fit the question, these answer instead of tables, and `source` says so; what
    else is asked of the turns of very many games is counted by block of games too (`method`: 64 blocks).
    """
    if metric.own_kind:
        return measure_kind(
            connection, metric, by, level=level, variant=variant, lineup=lineup, where=where, cells=cells, **given
        )
    check_seatings(connection, metric, by, variant, lineup)
    question = pose(connection, metric, by, where)
    values = check_parameters(metric, given)
    source = find_source(question, cells)
    if source:
        counts = read_counts(connection, question, source, cells)
        rows = _order(connection, question, _tell_words(question, counts.rows, ["at", "capped"]))
        found, rows = _estimate_blocks(counts, rows, metric, level)
    else:
        rows = _order(connection, question, _read_sums(connection, question, values, variant, lineup))
        found = stats.estimate(stats.Sums.of(rows), metric.interval, level)
    estimates = {"value": found.value, "low": found.low, "high": found.high}
    few = found.games < stats.FEW_GAMES if metric.unit in SIGNED else found.few
    few &= ~rows["by_rule"].to_numpy()  # what the rules decide is known without games
    kind = pl.Int64 if metric.whole else pl.Float64
    return rows.with_columns(
        *(pl.Series(name, values, nan_to_null=True) for name, values in estimates.items()), pl.Series("few", few)
    ).select(
        *question.keys,
        *([question.split.name] if question.split else []),
        *estimates,
        "games",
        "few",
        pl.when(metric.completed).then(pl.col("capped").cast(pl.Float64)).alias("capped"),
        "by_rule",
        pl.col("k").fill_null(0).cast(kind).alias("numerator"),
        pl.col("n").fill_null(0).cast(pl.Int64).alias("denominator"),
        pl.lit(metric.interval + (", 64 blocks" if source else "")).alias("method"),
        pl.lit(source.name if source else ", ".join(question.tables)).alias("source"),
    )


def _estimate_blocks(
    counts: Counts, rows: pl.DataFrame, metric: Metric, level: float
) -> tuple[stats.Estimate, pl.DataFrame]:
    """Estimates of ordered rows from their blocks, and the rows with `games k n`."""
    blocks = counts.blocks(rows["place"].to_numpy(), rows["at"].to_numpy())
    found = stats.estimate_blocks(blocks, metric.interval, level)
    columns = {"k": blocks.k.sum(-1), "n": blocks.n.sum(-1)}
    return found, rows.with_columns(
        pl.Series("games", found.games).cast(pl.Int64), *(pl.Series(name, sums) for name, sums in columns.items())
    )


def _read_sums(
    connection: duckdb.DuckDBPyConnection,
    question: Question,
    values: Mapping[str, Any],
    variant: list[str] | None,
    lineup: list[str] | None,
) -> pl.DataFrame:
    """One row for each value of the keys and word of the split: `place games capped k n kk kn nn`."""
    text = read_sql("metric/sums.sql").format(
        units=units_sql(question).rstrip(),
        by=", ".join(f'"{name}"' for name in question.keys) or "()",
        sums=",\n    ".join(
            f"sum(k{place})::double as k{place}, sum(k{place}::double * k{place}) as kk{place}, "
            f"sum(k{place}::double * n) as kn{place}"
            for place in range(len(question.words))
        ),
    )
    parameters = used({"variant": variant, "lineup": lineup, **values}, text)
    try:
        sums: pl.DataFrame = connection.sql(text, params=parameters).pl()
    except duckdb.Error as error:
        if not question.where:
            raise
        raise BadInput(f"where: {first_line(error)}") from None
    names = [one.name for one in question.dimensions]
    sums = sums.drop_nulls(names) if names else sums
    return _tell_words(question, sums, ["games", "capped", "n", "nn"], ["k", "kk", "kn"])


def _tell_words(
    question: Question, sums: pl.DataFrame, columns: Sequence[str], counted: Sequence[str] = ()
) -> pl.DataFrame:
    """Rows of keys and `columns`, one for each word of the split, `place` its number, with its part of `counted`."""
    return pl.concat(
        [
            sums.select(
                *question.keys,
                *([pl.lit(word).alias(question.split.name)] if question.split else []),
                pl.lit(place).alias("place"),
                *columns,
                *(pl.col(f"{name}{place}").alias(name) for name in counted),
            )
            for place, word in enumerate(question.words)
        ]
    )


def _order(connection: duckdb.DuckDBPyConnection, question: Question, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows in the order of the plan, then of the dimensions; with `by_rule`: whether the rules decide the value."""
    metric, groups = question.metric, list(question.groups)
    ruled = [
        (name, word, text)
        for name, words in metric.ruled.items()
        if name in rows.columns
        for word, text in words.items()
    ]
    rule = ", ".join([
        f"{f'bool_and({metric.by_rule})' if metric.by_rule else 'false'} as by_rule",
        *(f"bool_and({text}) as ruled_{place}" for place, (_, _, text) in enumerate(ruled)),
    ])  # fmt: skip
    text = read_sql("metric/plan.sql").format(groups="".join(f"{name}, " for name in groups), rule=rule)
    plan: pl.DataFrame = connection.sql(text).pl()
    rows = rows.join(plan, on=groups or None, how="left" if groups else "cross")
    of_words = [pl.col(f"ruled_{place}") & (pl.col(name).cast(pl.String) == word)
                for place, (name, word, _) in enumerate(ruled)]  # fmt: skip
    rows = rows.with_columns(by_rule=pl.any_horizontal("by_rule", *of_words))
    ordered = [
        pl.col(one.name).cast(pl.String).cast(pl.Enum(one.words)) if one.words else pl.col(one.name)
        for one in question.dimensions
    ]
    sorted_rows = rows.sort("cell", *ordered, "place")
    return sorted_rows.with_columns(pl.col(one.name).cast(pl.String) for one in question.dimensions if one.words)
