"""Roll-ups in plain SQL: the tables of one cell in memory as DuckDB views, and what a roll-up counts of them.

Nothing here is fast for tables of many rows; `pipeline.rollup_codes` is. Both count the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

import duckdb
import pyarrow as pa

from engine import log
from pipeline import catalog
from pipeline.cells import RunCell
from pipeline.literal import literal
from pipeline.rollup import BLOCKS, FRACTION, Rollup, load_rollups, relation_sql
from pipeline.seats import seats_sql

ROWS = "rows_of_"
"""Before the name of a table: that of its rows as Arrow has them."""


def open_cell(cell: RunCell) -> duckdb.DuckDBPyConnection:
    """A connection of one thread with the macros of one cell; `show_rows` gives it tables."""
    connection = duckdb.connect(config={**catalog.SETTINGS, "threads": 1})
    connection.execute(seats_sql([cell], catalog.read_sql("views/seats.sql")))
    connection.execute(catalog.cells_sql([cell], 0))
    return connection


def show_rows(connection: duckdb.DuckDBPyConnection, cell: RunCell, table: str, rows: pa.Table) -> None:
    """Let the view of a table show these rows; columns that are not there it has not."""
    connection.register(ROWS + table, rows)  # kept until `hide_rows`
    question = shown_sql(cell, table, tuple(rows.column_names), ROWS + table)
    connection.execute(catalog.read_sql("rollups/table.sql").format(table=table, question=question))


@lru_cache(256)
def shown_sql(cell: RunCell, table: str, names: tuple[str, ...], rows: str, own: tuple[str, ...] = ()) -> str:
    """The question that shows `rows`, which have these columns of a table and `own` ones, as the views of a run do."""
    columns = ["variant", "lineup"]
    for column in log.TABLES[table]:
        if column.name in names:
            columns.append(f'{column.name}::{catalog.view_type(column)} as "{column.name}"')
            columns += [f"{text} as {own}" for after, own, text in catalog.added_columns(table) if after == column.name]
    columns += [f'"{name}"' for name in own if name in names]
    return catalog.read_sql("rollups/rows.sql").format(
        columns=", ".join(columns), variant=literal(cell.variant), lineup=literal(cell.lineup), rows=rows
    )


def hide_rows(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Let go of the rows that a view showed."""
    connection.unregister(ROWS + name)


def counts_sql(rollup: Rollup, fractions: Mapping[str, bool], table: str = "") -> str:
    """The question that a roll-up is: block, dimensions, counts; a fraction in whole parts (`rollup.FRACTION`)."""
    counts = ", ".join(
        f'coalesce(sum({whole_sql(expression, fractions[expression])}), 0)::bigint as "{column}"'
        for expression, column in rollup.counts.items()
    )
    return catalog.read_sql("rollups/counts.sql").format(
        blocks=BLOCKS,
        keys="".join(f'{text} as "{name}", ' for name, text in rollup.keys.items()),
        counts=counts,
        table=table or rows_sql(rollup.table),
    )


def count_by_sql(connection: duckdb.DuckDBPyConnection, rollup: Rollup, fractions: Mapping[str, bool]) -> pa.Table:
    """What a roll-up counts over the tables that the connection shows."""
    counted: pa.Table = connection.sql(counts_sql(rollup, fractions)).to_arrow_table()
    return counted


def whole_sql(expression: str, fraction: bool) -> str:
    """An expression as a whole number: a fraction in parts."""
    return f"round(({expression}) * {FRACTION})::bigint" if fraction else f"({expression})"


def rows_sql(table: str) -> str:
    """What stands after `from` for a table or a relation."""
    text = relation_sql(table)
    return f"({text}) as {table}" if text else table


def find_fractions(connection: duckdb.DuckDBPyConnection, rollup: Rollup) -> dict[str, bool]:
    """Which of the counted expressions are no whole numbers, by DuckDB's type of them."""
    texts = list(rollup.counts)
    named = ", ".join(f"{text} as c{place}" for place, text in enumerate(texts))
    relation = connection.sql(
        catalog.read_sql("rollups/values.sql").format(expressions=named, table=rows_sql(rollup.table))
    )
    kinds = [str(kind) for kind in relation.types]
    return {text: kind.startswith(("DOUBLE", "FLOAT", "DECIMAL")) for text, kind in zip(texts, kinds, strict=True)}


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config=catalog.SETTINGS)


@cache
def columns_of(expression: str) -> tuple[str, ...]:
    """Columns that an expression names, in small letters."""
    with _parser().cursor() as connection:
        [(found,)] = connection.execute(catalog.read_sql("rollups/expression.sql"), {"text": expression}).fetchall()
    tree = json.loads(found)
    if tree["error"]:
        raise ValueError(f"{expression}: {tree['error_message']}")
    return tuple(dict.fromkeys(_names_in(tree["statements"])))


def _names_in(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        if tree.get("class") == "COLUMN_REF":
            yield tree["column_names"][-1].lower()
        for branch in tree.values():
            yield from _names_in(branch)
    elif isinstance(tree, list):
        for branch in tree:
            yield from _names_in(branch)


@cache
def logged_columns(table: str, expressions: tuple[str, ...]) -> tuple[str, ...]:
    """Columns of the log that expressions over a table's rows read; variant and line-up are those of the cell."""
    added = {name: after for after, name, _ in catalog.added_columns(table)}
    names = [added.get(name, name) for text in expressions for name in columns_of(text)]
    by_small = {column.name.lower(): column.name for column in log.TABLES[table]}
    return tuple(dict.fromkeys(by_small[name.lower()] for name in names if name.lower() in by_small))


def differences_sql(fractions: Mapping[str, Mapping[str, bool]] | None) -> str:
    """The statement that makes the view `rollup_differences`: rollup, block, key, and columns that differ.

    `more` is what the roll-up has more than the tables. Without `fractions` (no roll-ups are there): no rows.
    """
    if fractions is None:
        return catalog.read_sql("rollups/no_differences.sql")
    questions = [_difference_sql(rollup, fractions[rollup.name]) for rollup in load_rollups().values()]
    return catalog.read_sql("rollups/differences.sql").format(questions="\nunion all\n".join(questions))


def _difference_sql(rollup: Rollup, fractions: Mapping[str, bool]) -> str:
    names = {column: fractions[text] for text, column in rollup.counts.items()}
    return catalog.read_sql("rollups/difference.sql").format(
        name=rollup.name,
        key="concat_ws(', ', "
        + ", ".join(f"'{name} ' || coalesce(\"{name}\"::varchar, 'none')" for name in rollup.dimensions)
        + ")"
        if rollup.dimensions
        else "''",
        columns=", ".join(f"{{'column': '{name}', 'more': \"{name}\", 'size': \"size {name}\"}}" for name in names),
        keys=", ".join(f'"{name}"' for name in ("block", *rollup.dimensions)),
        sums=", ".join(
            f'sum("{name}")::double as "{name}", sum(abs("{name}"))::double as "size {name}"' for name in names
        ),
        kept=", ".join(f'"{name}"' for name in names),
        counted=", ".join(f'-"{name}" / {FRACTION}' if part else f'-"{name}"' for name, part in names.items()),
        question=counts_sql(rollup, fractions),
    )
