"""What is asked of a run when a metric is: its question, and the rows that answer it, game by game, in SQL.

The coarsest table that has every dimension asked for answers; sums are by game first, for the interval.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from engine.errors import BadInput
from engine.log import TABLES
from engine.parameter_text import near
from pipeline.catalog import first_line, read_sql
from pipeline.dimensions import Dimension, dimensions_of, load_dimensions
from pipeline.metric import CELL, GROUPS, Counted, Metric, Split
from pipeline.where import EXAMPLE, Condition, read_condition

_ROWS = {
    "games": "counts all sides of a game together",
    "deals": "counts all sides of a deal together",
    "sides": "counts sides of deals",
    "turns": "counts single turns",
    "piles": "counts lives of the pile",
    "freezes": "counts freezes of the pile",
}


@dataclass(frozen=True)
class Question:
    """A metric by some dimensions: `groups` are of variant and line-up, `dimensions` those of a row of the table."""

    metric: Metric
    groups: tuple[str, ...]
    dimensions: tuple[Dimension, ...]
    split: Split | None
    counted: Counted
    where: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that tell rows of the answer apart, but for the split."""
        return (*self.groups, *(one.name for one in self.dimensions))

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables or relations that are counted, the denominator's first."""
        return tuple(dict.fromkeys((self.counted.table, self.split.table if self.split else self.counted.table)))

    @property
    def words(self) -> Mapping[str, str]:
        """Numerator of each word of the split, or the one there is."""
        return self.split.words if self.split else {"": self.counted.numerator}


def pose(
    connection: duckdb.DuckDBPyConnection, metric: Metric, by: Sequence[str] | None = None, where: str | None = None
) -> Question:
    """The question that a metric by these dimensions is; BadInput says why it cannot be split or filtered so."""
    names = list(dict.fromkeys(metric.default_by if by is None else by))
    for name in names:
        if name not in metric.dimensions:
            raise BadInput(f"{metric.name} cannot be split by '{name}'{_why(metric, name)}; "
                           f"it can be split by {', '.join(metric.dimensions)}")  # fmt: skip
    splits = [name for name in names if name in metric.split]
    if not metric.numerator and not splits:
        splits = [name for name in metric.default_by if name in metric.split]
    if len(splits) > 1:
        raise BadInput(f"{metric.name} by {', '.join(splits)}: one of them at a time")
    split = metric.split[splits[0]] if splits else None
    dimensions = [load_dimensions()[name] for name in names if name not in (*GROUPS, *splits)]
    condition = read_condition(connection, where) if where is not None else None
    fitting = [
        counted
        for counted in (Counted(metric.table, metric.numerator or "", metric.denominator), metric.rows)
        if counted and all(counted.table in one.tables for one in dimensions)
        if not split or split.table == counted.table or not (dimensions or condition)
    ]
    if not fitting:
        together = ", ".join([*(one.name for one in dimensions), *splits])
        filtered = f" where {where}" if where else ""
        raise BadInput(
            f"{metric.name} by {together}{filtered}: no table has them on the same row; ask for less at once"
        )
    there = {counted.table: names_in(connection, counted.table) for counted in fitting} if condition else {}
    for counted in _order_by_meaning(fitting, condition, there):
        if not condition or set(condition.columns) <= set(there[counted.table]):
            groups = tuple(name for name in GROUPS if name in names)
            text = f"and (\n{condition.spell(there[counted.table])}\n)" if condition else ""
            if condition:
                _check_holds(connection, counted.table, condition.spell(there[counted.table]), where)
            return Question(metric, groups, tuple(dimensions), split, counted, text)
    known = [name for names in there.values() for name in names]
    wrong = next((name for name in condition.columns if name not in known), "") if condition else ""
    tables = " or ".join(there)
    if wrong:
        raise BadInput(
            f"where '{where}': no column '{wrong}' in {tables}, which {metric.name} counts{near(wrong, known)}"
        )
    raise BadInput(f"where '{where}': its columns are not in one table; {metric.name} counts {tables}")


def _order_by_meaning(
    fitting: Sequence[Counted], condition: Condition | None, there: Mapping[str, Mapping[str, str]]
) -> Sequence[Counted]:
    """The coarsest table first, but the finer one where the totals of games have a column of the condition too.

    `turns > 50` of turns_per_deal means the turns of a deal, which is counted, not those of its game.
    """
    if condition is None or fitting[0].table != "games":
        return fitting
    shared = set(condition.columns).intersection(*there.values()) - {*CELL, "game"}
    return fitting[::-1] if shared else fitting


def names_in(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    """What a condition on rows of a table may name: columns, and dimensions with their SQL over one row."""
    dimensions = {name: load_dimensions()[name].tables[table] for name in dimensions_of(table)}
    return dimensions | dict.fromkeys(columns_of(connection, table), "")


def columns_of(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    """Names of the columns of a table or relation, in small letters."""
    return [name.lower() for name in _relation(connection, table).columns]


def _relation(connection: duckdb.DuckDBPyConnection, table: str) -> duckdb.DuckDBPyRelation:
    return connection.view(table) if table in TABLES else connection.sql(read_sql(f"relations/{table}.sql"))


def _check_holds(connection: duckdb.DuckDBPyConnection, table: str, spelled: str, where: str | None) -> None:
    """BadInput unless the condition is one on rows of the table: yes or no, not a number that DuckDB takes for it."""
    try:
        kind = str(_relation(connection, table).project(f"(\n{spelled}\n) as holds").types[0])
    except duckdb.Error as error:
        raise BadInput(f"where: {first_line(error)}") from None
    if kind != "BOOLEAN":
        raise BadInput(f"where '{where}': gives {kind.lower()}, not yes or no; {EXAMPLE}")


def _why(metric: Metric, name: str) -> str:
    known = load_dimensions()
    if name not in known:
        return near(name, (*metric.dimensions, *known))
    counts = _ROWS.get(metric.tables[-1], "counts whole deals")
    if any(name in known and table in known[name].tables for table in metric.tables):
        return ": what it counts would not add up to it"
    return f": it {counts}, which have no {name.replace('_', ' ')} of their own"


def check_parameters(metric: Metric, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of the metric's own parameters, its defaults filled in."""
    for name in given:
        if name not in metric.parameters:
            there = f"it takes {', '.join(metric.parameters)}" if metric.parameters else "it takes no parameters"
            raise BadInput(f"{metric.name} takes no '{name}'{near(name, metric.parameters)}; {there}")
    return {name: one.check(given.get(name)) for name, one in metric.parameters.items()}


def units_sql(question: Question) -> str:
    """The rows of a question by game: its keys, `game`, numerators k0, k1 …, denominator n, capped.

    Takes the parameters `variant` and `lineup` and those of the metric.
    """
    if "given_lineup" not in question.groups:
        return _played_sql(question)
    # Rows are added up by line-up as played first: few are left to look the given one up for.
    played = _played_sql(replace(question, groups=CELL))
    counted = [f"k{place}" for place in range(len(question.words))] + ["n"]
    return read_sql("metric/units_of_rotations.sql").format(
        keys=", ".join(f'"{name}"' for name in (*question.keys, "game")),
        sums=", ".join(f"sum({name}) as {name}" for name in counted),
        played=played.rstrip(),
    )


def _played_sql(question: Question) -> str:
    metric, counted = question.metric, question.counted
    table = question.split.table if question.split else counted.table
    numerators = list(question.words.values())
    plain = set(question.keys) == set(CELL)
    names = ", ".join([*question.groups, *(f'"{one.name}"' for one in question.dimensions), "game"])
    keys = ", ".join([
        *question.groups,
        *(f'{one.tables[counted.table]} as "{one.name}"' for one in question.dimensions),
        "game",
    ])  # fmt: skip

    def added(expression: str, of: str) -> str:
        kept = f"case when ending <> 'cap' then {expression} else 0 end" if metric.completed else expression
        return kept if of == "games" and plain else f"sum({kept})"

    def grouped(of: str) -> str:
        return "" if of == "games" and plain else "group by all"

    counts = ", ".join(f"{added(expression, table)} as k{place}" for place, expression in enumerate(numerators))
    capped = "(ending = 'cap')::integer" if metric.completed else "null"
    if metric.completed and grouped(counted.table):
        capped = f"avg({capped})"
    if table == counted.table:
        return read_sql("metric/units.sql").format(
            keys=keys,
            numerators=counts,
            denominator=added(counted.denominator, table),
            capped=capped,
            table=_rows_of(table),
            where=question.where,
            group=grouped(table),
        )
    return read_sql("metric/units_of_two_tables.sql").format(
        keys=names,
        numerators=counts,
        coalesced=", ".join(f"coalesce(k{place}, 0) as k{place}" for place in range(len(numerators))),
        denominator=added(counted.denominator, counted.table),
        capped=capped,
        base=_rows_of(counted.table),
        base_group=grouped(counted.table),
        table=_rows_of(table),
    )


def _rows_of(table: str) -> str:
    return table if table in TABLES else f"({read_sql(f'relations/{table}.sql').strip()}) as {table}"


def used(values: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The values of those parameters that a text has."""
    return {name: value for name, value in values.items() if re.search(rf"\${name}\b", text)}
