"""Metrics: one definition each, pipeline/metrics/NAME.toml, and its value with an interval clustered by game.

A metric is a ratio of sums over rows of a table, or of a relation (pipeline/sql/relations). Its file holds
`title`, `sentence`, a `note` on rules for which it means something else, `unit` (`%`: a share between 0 and 1),
`family`, what to call `more` and `less` of it, `table`, `numerator` and `denominator` (SQL over one row),
`completed` (only games that did not hit the cap),
`interval` (R, W or B), `digits`, `by_rule` (SQL over `cells`: when the rules alone decide the value), `ruled`
(dimension or split → word → the same of that word alone) and `dimensions`. `rows` counts
the same in a finer table, which has more dimensions. A `split` gives each word of a dimension a numerator of its
own, over the same denominator; without `numerator` the metric is always split. `default_by`: dimensions without
which it says little. `parameters` are written `$name`; `whole = false`: what is counted is no whole number.

`[distribution]` says which whole number of which rows has a distribution; an `interval` Q is a quantile of it. S is
a `[spread]`, bootstrapped, P a mean over mirror blocks; `pipeline.kinds` answers both. `seatings` is `mirrored` where
only line-ups played in all seatings may answer, or alike on all sides, and `contest` where sides must differ too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from engine.errors import BadInput
from engine.log import TABLES
from engine.parameter_text import near
from pipeline import stats
from pipeline.dimensions import dimensions_of, load_dimensions
from pipeline.query import Column, Parameter, read_parameter

FOLDER = Path(__file__).parent / "metrics"
RELATIONS = Path(__file__).parent / "sql" / "relations"
CELL = ("variant", "lineup")
KINDS = ("Q", "S", "P")
"""Intervals of metrics that are no plain ratio of sums."""
SEATINGS = ("any", "mirrored", "contest")
GROUPS = (*CELL, "given_lineup")
"""What rows are told apart by beside their own dimensions: every metric may be split by each."""


@dataclass(frozen=True)
class Split:
    """A dimension whose words each count something of their own; `words` maps a word to its numerator."""

    name: str
    sentence: str
    table: str
    words: Mapping[str, str]


@dataclass(frozen=True)
class Counted:
    """What is counted over one row of a table or relation."""

    table: str
    numerator: str
    denominator: str


@dataclass(frozen=True)
class Distribution:
    """A whole number of each row of a table: `value`, or what each word of the metric's split has instead.

    `rows` holds for the rows that count; values are rounded down to a multiple of `bin`. A null is larger than every
    number, and `never` says what it means; without that, rows with a null do not count.
    """

    table: str
    unit: str
    value: str = ""
    rows: str = "true"
    bin: int = 1
    never: str = ""
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Spread:
    """A statistic of kind S: its name in `pipeline.kinds.spread`, the columns it needs of a row, its strata."""

    statistic: str
    columns: Mapping[str, str]
    strata: tuple[str, ...] = ()


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
    ruled: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    whole: bool = True
    rows: Counted | None = None
    split: Mapping[str, Split] = field(default_factory=dict)
    default_by: tuple[str, ...] = CELL
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    distribution: Distribution | None = None
    spread: Spread | None = None
    seatings: str = "any"
    transform: str = ""
    note: str = ""

    @property
    def own_kind(self) -> bool:
        """Whether `pipeline.kinds` answers it."""
        return self.interval in KINDS

    @property
    def whole_numbers(self) -> bool:
        """Whether value and interval are whole numbers themselves: quantiles, numbers of games."""
        return self.interval == "Q" or self.transform == "games_to_tell"

    @property
    def tables(self) -> tuple[str, ...]:
        """Where it is counted, the coarsest table first."""
        return (self.table, self.rows.table) if self.rows else (self.table,)


def metric_names() -> tuple[str, ...]:
    """Names of all metrics."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@cache
def load_metric(name: str) -> Metric:
    """The definition of a metric; BadInput names those there are."""
    if name not in metric_names():
        raise BadInput(
            f"no metric '{name}'{near(name, metric_names())}; `canasta metrics` lists all {len(metric_names())}"
        )
    return parse_metric(name, (FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def parse_metric(name: str, text: str) -> Metric:
    """The definition in a file's text; ValueError tells what is wrong with it."""
    found: dict[str, Any] = tomllib.loads(text)
    splits = {
        key: Split(key, entry["sentence"], entry["table"], entry["words"])
        for key, entry in found.pop("split", {}).items()
    }
    try:
        rows = Counted(**found.pop("rows")) if "rows" in found else None
        by = tuple(found.pop("default_by", CELL if "numerator" in found else (*CELL, *list(splits)[:1])))
        own = {key: read_parameter(name, key, entry) for key, entry in found.pop("parameters", {}).items()}
        listed = found["dimensions"]
        found["dimensions"] = (*listed[:2], "given_lineup", *listed[2:]) if listed[:2] == [*CELL] else tuple(listed)
        if "distribution" in found:
            found["distribution"] = Distribution(**found["distribution"])
        if "spread" in found:
            strata = tuple(found["spread"].pop("strata", ()))
            found["spread"] = Spread(**found["spread"], strata=strata)
        metric = Metric(name, **found, rows=rows, split=splits, default_by=by, parameters=own)
    except (TypeError, KeyError) as error:
        raise ValueError(f"{name}.toml: {error}") from None
    _check(metric)
    return metric


def _check(metric: Metric) -> None:
    """ValueError tells what is wrong with a definition."""
    name, splits = metric.name, metric.split
    if metric.interval not in (*stats.METHODS, *KINDS) or metric.seatings not in SEATINGS:
        raise ValueError(
            f"{name}.toml: interval is one of {', '.join((*stats.METHODS, *KINDS))}, seatings of {', '.join(SEATINGS)}"
        )
    if (metric.interval == "Q") > bool(metric.distribution) or (metric.interval == "S") != bool(metric.spread):
        raise ValueError(f"{name}.toml: Q needs a distribution, and S, and nothing else, a spread")
    if metric.interval == "P" and metric.seatings != "contest":
        raise ValueError(f'{name}.toml: P is a mean over mirror blocks: seatings = "contest"')
    for dimension, ruled in metric.ruled.items():
        words = tuple(splits[dimension].words if dimension in splits else load_dimensions()[dimension].words)
        if dimension not in metric.dimensions or not set(ruled) <= set(words):
            raise ValueError(f"{name}.toml: ruled.{dimension}: words of a dimension of the metric, {', '.join(words)}")
    known = (*TABLES, *relation_names())
    counted_in = {*metric.tables, *(split.table for split in splits.values())}
    if not counted_in | ({metric.distribution.table} if metric.distribution else set()) <= set(known):
        raise ValueError(f"{name}.toml: a table is one of {', '.join(known)}")
    if metric.completed and metric.table != "games":
        raise ValueError(f"{name}.toml: only a metric of games can leave out those that hit the cap")
    there = {*GROUPS, *splits, *(one for table in metric.tables for one in dimensions_of(table))}
    least = {"variant", "given_lineup"} if metric.seatings == "contest" else {*CELL}
    if not {*least, *splits, *metric.default_by} <= set(metric.dimensions) <= there or not (metric.numerator or splits):
        raise ValueError(
            f"{name}.toml: dimensions are variant, lineup, the splits and some of its tables' own, "
            f"{', '.join(sorted(there - {*CELL, *splits})) or 'none'}; a numerator or a split is there"
        )


def relation_names() -> tuple[str, ...]:
    """Names of the relations that metrics may count in beside the tables."""
    return tuple(sorted(path.stem for path in RELATIONS.glob("*.sql")))


def metrics() -> pl.DataFrame:
    """All metrics: name, title, sentence, note, unit, grain, numerator, denominator, interval, parameters, dimensions.

    `distribution` is the unit of the number that `Run.distribution` and `Run.quantiles` know of it, or empty.
    """
    loaded = [load_metric(name) for name in metric_names()]
    return pl.DataFrame(
        {
            "name": [one.name for one in loaded],
            "title": [one.title for one in loaded],
            "sentence": [one.sentence for one in loaded],
            "note": [one.note for one in loaded],
            "unit": [one.unit for one in loaded],
            "grain": [one.table for one in loaded],
            "numerator": [one.numerator or "each word of the split its own" for one in loaded],
            "denominator": [one.denominator for one in loaded],
            "interval": [one.interval for one in loaded],
            "parameters": [
                ", ".join(f"{p.name}: {p.type} = {p.default}" for p in one.parameters.values()) for one in loaded
            ],
            "dimensions": [", ".join(one.dimensions) for one in loaded],
            "distribution": [one.distribution.unit if one.distribution else "" for one in loaded],
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
        "given_lineup": Column("given_lineup", "", "line-up as given in the plan, all its rotations added up"),
        **{name: Column(name, "", one.sentence) for name, one in load_dimensions().items()},
        **{split.name: Column(split.name, "", split.sentence) for split in metric.split.values()},
        **own,
        "numerator": Column("numerator", "", "what was counted"),
        "denominator": Column("denominator", "", "out of"),
        "games": Column(
            "games",
            "games",
            "games that had something to count, those of one number once; of a roll-up, at most the denominator",
        ),
        "few": Column("few", "", "too few games to lean on"),
        "capped": Column("capped", "%", "games that hit the cap and are left out", 2),
        "by_rule": Column("by_rule", "", "the rules alone decide the value"),
        "diff": Column("difference", metric.unit, "difference to the base", metric.digits),
        "diff_low": Column("diff_low", metric.unit, "lower end of its interval", metric.digits),
        "diff_high": Column("diff_high", metric.unit, "upper end of its interval", metric.digits),
        "paired": Column("paired", "", "compared game by game: both met the same cards"),
        "gain": Column("gain", "", "variance without pairing ÷ with it", 2),
        "p": Column("p", "", "p of no difference, by Holm over the table", 3),
        "form": Column("form", "", "more, less, same: no difference worth noticing, few: too few games to say"),
        "sentence": Column("sentence", "", "the difference in words"),
        "method": Column(
            "method",
            "",
            "R ratio of sums, W Wilson on effective rows, B Wilson on games, Q quantile, S bootstrap, "
            "P mean over mirror blocks; 64 blocks: from roll-ups, leaving out one block of games after the other",
        ),
        "source": Column("source", "", "table or roll-up that answered"),
        "never": Column("never", "", metric.distribution.never if metric.distribution else ""),
        "high_never": Column("high_never", "", "the interval reaches to never"),
    }
