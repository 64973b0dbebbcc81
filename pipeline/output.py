"""A table on standard output and nothing else there: aligned text for people, JSON, CSV or Parquet for programs."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from engine.errors import BadInput

if TYPE_CHECKING:
    import polars as pl

Row = Mapping[str, Any]


class Format(StrEnum):
    """How a table is printed: `--format`."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    PARQUET = "parquet"


def print_rows(rows: Sequence[Row] | pl.DataFrame, form: Format = Format.TABLE) -> None:
    """Print rows, all with the same keys in the same order, or a Polars frame.

    JSON is one list of objects; CSV has a header and writes lists and maps as JSON; Parquet is the file's bytes.
    """
    if form is Format.PARQUET:
        _print_parquet(rows)
        return
    columns = list(rows[0] if rows else ()) if isinstance(rows, Sequence) else rows.columns
    plain = rows if isinstance(rows, Sequence) else rows.to_dicts()
    if form is Format.JSON:
        print(json.dumps(list(plain), default=str, ensure_ascii=False, indent=1))
    elif form is Format.CSV:
        _print_csv(columns, plain)
    else:
        _print_table(columns, plain)


def show_value(value: Any) -> str:
    """A value as people read it in a table."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {show_value(one)}" for key, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(show_value(one) for one in value)
    return str(value)


def _print_table(columns: Sequence[str], rows: Sequence[Row]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in columns:
        numeric = all(isinstance(row[name], int | float | None) and not isinstance(row[name], bool) for row in rows)
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(show_value(value)) for value in row.values()))
    console = Console(width=None if sys.stdout.isatty() else 10_000)
    with console.capture() as printed:
        console.print(table)
    print("\n".join(line.rstrip() for line in printed.get().splitlines()))


def _print_csv(columns: Sequence[str], rows: Sequence[Row]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if columns:
        writer.writerow(columns)
    for row in rows:
        writer.writerow(
            json.dumps(value, default=str) if isinstance(value, Mapping | list | tuple) else value
            for value in row.values()
        )


def _print_parquet(rows: Sequence[Row] | pl.DataFrame) -> None:
    if sys.stdout.isatty():
        raise BadInput("--format parquet writes the bytes of a file; send them into one: … > table.parquet")
    import polars as pl

    frame = pl.DataFrame(rows, infer_schema_length=None) if isinstance(rows, Sequence) else rows
    frame.write_parquet(sys.stdout.buffer)
    sys.stdout.buffer.flush()
