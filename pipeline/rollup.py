"""Definitions of the roll-ups: pipeline/rollups.toml with what the metrics count, so that neither is written twice.

A roll-up counts rows of a table or relation by block of games, (game - 1) % 64, and some dimensions. Every shard has
one file of each. What is counted are the numerators and denominators of metrics and the words of their splits, each
different expression once, or what the definition itself names. A fraction is counted in whole hundred-millionths, so
that sums do not depend on an order.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine.log import TABLES
from pipeline.dimensions import Dimension, load_dimensions
from pipeline.metric import RELATIONS, Metric, load_metric, metric_names, relation_names

if TYPE_CHECKING:
    from pipeline.dataset import Commit

FILE = Path(__file__).parent / "rollups.toml"
BLOCKS = 64
"""Blocks of games; the same number means the same games in every cell of a run."""
FRACTION = 100_000_000
"""Parts of one in which a fraction is counted."""
AT = "at"
"""Dimension of the whole number that a distribution is of."""
ROWS, CAPPED = "1", "(ending = 'cap')::integer"


@dataclass(frozen=True)
class Rollup:
    """`counts` maps what is summed, SQL over a row of `table`, to its column.

    `table` is one of the log or a relation. Columns of the view `rollup_NAME`: variant, lineup, block, the
    dimensions, the counts. A dimension is null where a row has none; a shard has at most one row for each key. Where
    rows are counted by a whole number of theirs, `at`, that is the last dimension.
    """

    name: str
    table: str
    dimensions: tuple[str, ...]
    counts: Mapping[str, str]
    at: str = ""

    @property
    def keys(self) -> Mapping[str, str]:
        """SQL over a row of the table for each dimension."""
        known = load_dimensions()
        return {name: self.at if name == AT else known[name].tables[self.table] for name in self.dimensions}

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of a file: block, dimensions, counts."""
        return ("block", *self.dimensions, *self.counts.values())


@cache
def load_rollups() -> Mapping[str, Rollup]:
    """All roll-ups by name."""
    return parse_rollups(FILE.read_text(encoding="utf-8"))


def parse_rollups(text: str) -> Mapping[str, Rollup]:
    """The roll-ups of a file's text; ValueError tells what is wrong with it."""
    rollups = {}
    for name, entry in tomllib.loads(text).items():
        try:
            table, dimensions, only_by = entry.pop("table"), tuple(entry.pop("dimensions")), entry.pop("only_by", "")
            counts, at = entry.pop("counts", None), entry.pop("at", "")
        except KeyError as error:
            raise ValueError(f"rollups.toml: {name} has no {error.args[0]}") from None
        if entry or not name.isidentifier():
            raise ValueError(
                f"rollups.toml: {name}: table, dimensions, only_by, counts, at are known, not {', '.join(entry)}"
            )
        if table not in (*TABLES, *relation_names()) or table == "moves":
            raise ValueError(f"rollups.toml: {name}: table {table} is no table that is rolled up and no relation")
        known: Mapping[str, Dimension] = load_dimensions()
        if wrong := [one for one in (*dimensions, only_by) if one and table not in _tables_of(known, one)]:
            raise ValueError(f"rollups.toml: {name}: rows of {table} have no {', '.join(wrong)}")
        own = (
            _count(table, only_by) if counts is None else {ROWS: "rows", **{text: one for one, text in counts.items()}}
        )
        rollups[name] = Rollup(name, table, (*dimensions, *([AT] if at else [])), own, at)
    return rollups


def _tables_of(known: Mapping[str, Dimension], name: str) -> Mapping[str, str]:
    return known[name].tables if name in known else {}


def counted(metric: Metric, expression: str) -> str:
    """What is summed for a metric: its expression, of completed games alone where the metric says so."""
    return f"case when ending <> 'cap' then {expression} else 0 end" if metric.completed else expression


@cache
def rollup_digest() -> str:
    """Digest of all that decides what is in the roll-ups: 16 hex digits. Roll-ups of another are not read."""
    rollups = load_rollups()
    whole = [
        (one.name, one.table, list(one.keys.items()), list(one.counts.items()), relation_sql(one.table))
        for one in rollups.values()
    ]
    return hashlib.sha256(json.dumps([BLOCKS, FRACTION, whole]).encode()).hexdigest()[:16]


def has_rollups(commit: Commit) -> bool:
    """Whether a shard names a file of every roll-up of today's definitions."""
    return commit.rollup_digest == rollup_digest() and commit.rollups.keys() >= load_rollups().keys()


def relation_sql(table: str) -> str:
    """The question that a relation is; nothing for a table."""
    return (RELATIONS / f"{table}.sql").read_text(encoding="utf-8").strip() if table in relation_names() else ""


def _count(table: str, only_by: str) -> Mapping[str, str]:
    """What metrics count on rows of a table, each expression once, with the name of its column."""
    counts = {ROWS: "rows"}
    for name in metric_names():
        metric = load_metric(name)
        if only_by and only_by not in metric.dimensions:
            continue
        for column, expression in _counted_by(metric, table):
            if "$" not in expression:
                counts.setdefault(expression, column)
    return counts


def _counted_by(metric: Metric, table: str) -> Iterator[tuple[str, str]]:
    """What one metric counts on rows of a table: column, expression."""
    if metric.own_kind:
        return
    if metric.table == table:
        if metric.numerator:
            yield metric.name, counted(metric, metric.numerator)
        yield f"of_{metric.name}", counted(metric, metric.denominator)
        if metric.completed:
            yield "capped", CAPPED
    if metric.rows and metric.rows.table == table:
        yield metric.name, metric.rows.numerator
        yield f"of_{metric.name}", metric.rows.denominator
    for split in metric.split.values():
        if split.table == table:
            for word, expression in split.words.items():
                yield f"{metric.name}_{word}", counted(metric, expression)
