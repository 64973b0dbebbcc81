"""Metrics: one definition each, pipeline/metrics/NAME.toml, and its value with an interval clustered by game.

A metric is a ratio of sums over rows of a table. Its file holds `title`, `sentence`, `unit` (`%`: a share
between 0 and 1), `family`, what to call `more` and `less` of it, `table`, `numerator` and `denominator` (SQL
over one row), `completed` (only games that did not hit the cap), `interval` (R or W), `digits`, `by_rule`
(when the rules alone decide the value) and `dimensions`. A `split` gives each word of a dimension a numerator
of its own, over the same denominator; without `numerator` the metric is always split.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from engine.errors import BadInput
from engine.log import TABLES
from engine.parameter_text import near
from pipeline import stats
from pipeline.catalog import read_sql
from pipeline.query import Column

FOLDER = Path(__file__).parent / "metrics"
CELL = ("variant", "lineup")


@dataclass(frozen=True)
class Split:
    """A dimension whose words each count something of their own; `words` maps a word to its numerator."""

    name: str
    sentence: str
    table: str
    words: Mapping[str, str]


@dataclass(frozen=True)
class Metric:
    """The definition of a metric."""

    name: str
    title: str
    sentence: str
    unit: str
    family: str
    more: str
    less: str
    table: str
    denominator: str
    interval: str
    digits: int
    dimensions: tuple[str, ...]
    numerator: str | None = None
    completed: bool = False
    by_rule: str | None = None
    split: Mapping[str, Split] | None = None

    @property
    def default_by(self) -> tuple[str, ...]:
        """Variant and line-up, and the split that a metric without a numerator of its own has."""
        return CELL if self.numerator else (*CELL, next(iter(self.split or {})))


def metric_names() -> tuple[str, ...]:
    """Names of all metrics."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def load_metric(name: str) -> Metric:
    """The definition of a metric; BadInput names those there are."""
    if name not in metric_names():
        raise BadInput(f"no metric '{name}'{near(name, metric_names())}; there are {', '.join(metric_names())}")
    return parse_metric(name, (FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def parse_metric(name: str, text: str) -> Metric:
    """The definition in a file's text; ValueError tells what is wrong with it."""
    found: dict[str, Any] = tomllib.loads(text)
    splits = {
        key: Split(key, entry["sentence"], entry["table"], entry["words"])
        for key, entry in found.pop("split", {}).items()
    }
    try:
        metric = Metric(name, **{**found, "dimensions": tuple(found["dimensions"]), "split": splits})
    except (TypeError, KeyError) as error:
        raise ValueError(f"{name}.toml: {error}") from None
    if metric.interval not in stats.METHODS:
        raise ValueError(f"{name}.toml: interval is one of {', '.join(stats.METHODS)}")
    if not {metric.table, *(split.table for split in splits.values())} <= set(TABLES):
        raise ValueError(f"{name}.toml: a table is one of {', '.join(TABLES)}")
    if metric.completed and metric.table != "games":
        raise ValueError(f"{name}.toml: only a metric of games can leave out those that hit the cap")
    if set(metric.dimensions) != {*CELL, *splits} or not (metric.numerator or splits):
        raise ValueError(f"{name}.toml: dimensions are variant, lineup and the splits; a numerator or a split is there")
    return metric


def metrics() -> pl.DataFrame:
    """All metrics: name, title, sentence, unit, grain, numerator, denominator, interval, dimensions."""
    loaded = [load_metric(name) for name in metric_names()]
    return pl.DataFrame(
        {
            "name": [one.name for one in loaded],
            "title": [one.title for one in loaded],
            "sentence": [one.sentence for one in loaded],
            "unit": [one.unit for one in loaded],
            "grain": [one.table for one in loaded],
            "numerator": [one.numerator or "each word of the split its own" for one in loaded],
            "denominator": [one.denominator for one in loaded],
            "interval": [one.interval for one in loaded],
            "dimensions": [", ".join(one.dimensions) for one in loaded],
        }
    )


def describe_columns(metric: Metric) -> dict[str, Column]:
    """Unit, meaning and digits of the columns that `measure` gives, of splits too."""
    own = {
        name: Column(shown, metric.unit, text, metric.digits)
        for name, shown, text in (
            ("value", metric.name, metric.sentence),
            ("low", "low", "lower end of the interval"),
            ("high", "high", "upper end of the interval"),
        )
    }
    return {
        "run": Column("run", "", "name of the run"),
        "variant": Column("variant", "", "slug of the rules"),
        "lineup": Column("lineup", "", "slug of the line-up"),
        **{split.name: Column(split.name, "", split.sentence) for split in (metric.split or {}).values()},
        **own,
        "numerator": Column("numerator", "", "what was counted"),
        "denominator": Column("denominator", "", "out of"),
        "games": Column("games", "games", "games that had something to count"),
        "few": Column("few", "", "too few games to lean on"),
        "capped": Column("capped", "%", "games that hit the cap and are left out", 2),
        "by_rule": Column("by_rule", "", "the rules alone decide the value"),
        "method": Column("method", "", "R ratio of sums, W Wilson on effective rows"),
    }


def measure(
    connection: duckdb.DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    variant: list[str] | None = None,
    lineup: list[str] | None = None,
) -> pl.DataFrame:
    """A metric on a run's connection, one row for each value of `by`, in the order of the plan.

    Columns: those of `by`, `value low high games few capped by_rule numerator denominator method`. `games` counts
    those that had something to count; `capped` is the share of games left out because they hit the cap, null
    where none are left out. Line-ups added up are clustered by the number of their common game.
    """
    groups, split = _check_by(metric, metric.default_by if by is None else by)
    words = split.words if split else {"": metric.numerator or ""}
    chosen = {"variant": variant, "lineup": lineup}
    sums: pl.DataFrame = connection.sql(sums_sql(metric, groups, split), params=chosen).pl()
    rows = pl.concat(
        [
            sums.select(
                *groups,
                *([pl.lit(word).alias(split.name)] if split else []),
                pl.lit(place).alias("place"),
                "games",
                "capped",
                "n",
                "nn",
                *(pl.col(f"{name}{place}").alias(name) for name in ("k", "kk", "kn")),
            )
            for place, word in enumerate(words)
        ]
    )
    rows = rows.join(_plan_order(connection, metric, groups), on=groups or None, how="left" if groups else "cross")
    rows = rows.sort("cell", "place")
    found = stats.estimate(stats.Sums.of(rows), metric.interval, level)
    estimates = {"value": found.value, "low": found.low, "high": found.high}
    return rows.with_columns(
        *(pl.Series(name, values, nan_to_null=True) for name, values in estimates.items()), pl.Series("few", found.few)
    ).select(
        *groups,
        *([split.name] if split else []),
        *estimates,
        "games",
        "few",
        pl.when(metric.completed).then(pl.col("capped").cast(pl.Float64)).alias("capped"),
        "by_rule",
        pl.col("k").cast(pl.Int64).alias("numerator"),
        pl.col("n").fill_null(0).cast(pl.Int64).alias("denominator"),
        pl.lit(metric.interval).alias("method"),
    )


def sums_sql(metric: Metric, groups: Sequence[str], split: Split | None = None) -> str:
    """The question that adds up a metric's games; takes the parameters `variant` and `lineup`."""
    keys = ", ".join([*groups, "game"])
    table = split.table if split else metric.table
    numerators = list(split.words.values()) if split else [metric.numerator or ""]
    one_row_a_game = set(groups) == set(CELL)
    capped = "(ending = 'cap')::integer" if metric.completed else "null"

    def added(expression: str, of: str) -> str:
        kept = f"case when ending <> 'cap' then {expression} else 0 end" if metric.completed else expression
        return kept if of == "games" and one_row_a_game else f"sum({kept})"

    def grouped(of: str) -> str:
        return "" if of == "games" and one_row_a_game else f"group by {keys}"

    counted = ", ".join(f"{added(expression, table)} as k{place}" for place, expression in enumerate(numerators))
    if metric.completed and grouped(metric.table):
        capped = f"avg({capped})"
    if table == metric.table:
        units = read_sql("metric/units.sql").format(
            keys=keys,
            numerators=counted,
            denominator=added(metric.denominator, table),
            capped=capped,
            table=table,
            group=grouped(table),
        )
    else:
        units = read_sql("metric/units_of_two_tables.sql").format(
            keys=keys,
            numerators=counted,
            coalesced=", ".join(f"coalesce(k{place}, 0) as k{place}" for place in range(len(numerators))),
            denominator=added(metric.denominator, metric.table),
            capped=capped,
            base=metric.table,
            base_group=grouped(metric.table),
            table=table,
        )
    return read_sql("metric/sums.sql").format(
        units=units.rstrip(),
        by=", ".join(groups) or "()",
        sums=",\n    ".join(
            f"sum(k{place})::double as k{place}, sum(k{place}::double * k{place}) as kk{place}, "
            f"sum(k{place}::double * n) as kn{place}"
            for place in range(len(numerators))
        ),
    )


def _check_by(metric: Metric, by: Sequence[str]) -> tuple[list[str], Split | None]:
    for name in by:
        if name not in metric.dimensions:
            why = ": it counts all sides of a game together" if name in ("side", "seat", "strategy") else ""
            allowed = ", ".join(metric.dimensions)
            raise BadInput(f"{metric.name} cannot be split by '{name}'{why}; it can be split by {allowed}")
    splits = [name for name in by if name in (metric.split or {})]
    if not metric.numerator and not splits:
        splits = [name for name in metric.default_by if name not in CELL]
    if len(splits) > 1:
        raise BadInput(f"{metric.name} by {', '.join(splits)}: one of them at a time")
    return [name for name in CELL if name in by], (metric.split or {})[splits[0]] if splits else None


def _plan_order(connection: duckdb.DuckDBPyConnection, metric: Metric, groups: Sequence[str]) -> pl.DataFrame:
    """Place in the plan and whether the rules decide the value, for each group."""
    rule = f"bool_and({metric.by_rule})" if metric.by_rule else "false"
    columns = ", ".join([*groups, "min(cell) as cell", f"{rule} as by_rule"])
    order: pl.DataFrame = connection.view("cells").aggregate(columns, ", ".join(groups)).pl()
    return order
