"""Answers as people read them: value and interval in one place, shares as percentages, nothing that is always 0."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from pipeline.levels import count_digits
from pipeline.query import Column

SHARE = "%"
NOTES = {
    "few": "* too few games to lean on",
    "by_rule": "! so by rule: these rules alone decide it, whatever anybody plays",
    "capped": "capped: games that hit the cap of 100 deals; the games' own figures leave them out",
}
_MARKS = {"few": "*", "by_rule": "!"}
_NEVER = ("never", "low_never", "high_never")
"""Marks of quantiles that lie among the rows that never got there: the word stands in the number's place."""


def show_number(value: float | None, column: Column, digits: int | None = None) -> str:
    """A number in its column's digits, or as many as told, a share as a percentage; `–` for none."""
    if value is None:
        return "–"
    places = column.digits if digits is None else digits
    return f"{round(value * _scale(column), places) + 0:,.{places}f}"  # + 0: no -0.0


def choose_digits(frame: pl.DataFrame, column: Column, low: str, high: str) -> int:
    """Digits after the point that show two significant ones of the middle half-width of a column's intervals.

    None where the ends are integers.
    """
    if frame[low].dtype.is_integer():
        return 0
    half = ((frame[high] - frame[low]) / 2 * _scale(column)).drop_nulls()
    middle = half.filter(half > 0).median()
    return count_digits(middle) if isinstance(middle, float) else column.digits


def in_whole_numbers(table: pl.DataFrame) -> pl.DataFrame:
    """The table with `value low high` as integers where they are whole numbers in all rows, as quantiles are."""
    ends = table.select("value", "low", "high").cast(pl.Float64)
    whole = all((one.drop_nulls() % 1 == 0).all() for one in ends)
    return table.with_columns(ends.cast(pl.Int64)) if whole else table


def _scale(column: Column) -> int:
    return 100 if column.unit == SHARE else 1


def show_answer(frame: pl.DataFrame, columns: Mapping[str, Column]) -> tuple[list[str], list[list[str]], list[str]]:
    """Head, rows and footnotes of an answer.

    `x`, `x_low`, `x_high` (or `value`, `low`, `high`) become one column `x (low – high)`. A column of marks, or of
    capped games, that is false, 0 or empty in all rows is left out.
    """
    noted = [name for name in NOTES if name in frame.columns]
    silent = {name for name in noted if not (frame[name].cast(pl.Float64).fill_null(0) > 0).any()}
    ends = {name: _ends(name, frame.columns) for name in frame.columns}
    inner = {end for pair in ends.values() for end in pair}
    shown = [name for name in frame.columns if name not in inner | silent | {*_MARKS, *_NEVER}]
    digits = {
        name: choose_digits(frame, columns[name], *ends[name]) if ends[name] else columns[name].digits for name in shown
    }
    marked = next((name for name in shown if ends[name]), None)
    rows = []
    for row in frame.iter_rows(named=True):
        marks = "".join(mark for name, mark in _MARKS.items() if row.get(name))
        rows.append(
            [
                _show(row, name, ends[name], columns[name], digits[name]) + (marks if name == marked else "")
                for name in shown
            ]
        )
    return ([_headed(columns[name]) for name in shown], rows, [NOTES[name] for name in noted if name not in silent])


def print_answer(title: str, frame: pl.DataFrame, columns: Mapping[str, Column], note: str) -> None:
    """Prints an answer with its title above and notes below; text to the left, numbers to the right."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    head, rows, notes = show_answer(frame, columns)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for place, text in enumerate(head):
        numbers = all(row[place][:1] in "0123456789-–" or row[place].startswith("never") for row in rows)
        table.add_column(Text(text), justify="right" if numbers else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(width=None if sys.stdout.isatty() else 10_000)
    with console.capture() as printed:
        console.print(Text(title, style="bold"))
        console.print(table)
        intervals = [note] if any(_ends(name, frame.columns) for name in frame.columns) else []
        for line in [*intervals, *notes] if rows else ["No rows."]:
            console.print(Text(line, style="dim"))
    print("\n".join(line.rstrip() for line in printed.get().splitlines()))


def _ends(name: str, names: Sequence[str]) -> tuple[str, ...]:
    pair = ("low", "high") if name == "value" else (f"{name}_low", f"{name}_high")
    return pair if all(end in names for end in pair) else ()


def _headed(column: Column) -> str:
    return column.name.replace("_", " ") + (f" {column.unit}" if column.unit in (SHARE, "pp") else "")


def _show_never(row: Mapping[str, Any], column: Column, digits: int) -> str:
    """A quantile of which the value, or its interval's upper end, lies among those that never got there."""
    value, low, high = (
        "never" if never and row[name] is None else show_number(row[name], column, digits)
        for name, never in (("value", row.get("never")), ("low", row.get("never")), ("high", True))
    )
    return value if low == high else f"{value} ({low} – {high})"


def _show(row: Mapping[str, Any], name: str, ends: tuple[str, ...], column: Column, digits: int) -> str:
    value = row[name]
    if name == "value" and (row.get("never") or row.get("high_never")):
        return _show_never(row, column, digits)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        low, high = (row[end] for end in ends) if ends else (None, None)
        interval = "" if low is None else f" ({show_number(low, column, digits)} – {show_number(high, column, digits)})"
        return show_number(value, column, digits) + interval
    return "–" if value is None else str(value)
