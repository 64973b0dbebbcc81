"""The least and the greatest of a figure's rows in its title, and what is said of rows that are in no title.

Both ends have the same digits; what looks the same is said once. A row with too few games, drawn hollow, is in no
title, and what the rules decide is no finding: each is told below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from dashboards import theme
from pipeline.metric import Metric

Row = Mapping[str, Any]
SHARE = "%"
KEYS = ("variant", "given_lineup")
NAMED = 3  # hollow rows that are named; of more it is said how many


def named(row: Row, table: pl.DataFrame, by: Sequence[str] = KEYS) -> str:
    """` (classic4, safe)`: the row's values of those columns in which the table's rows differ; else nothing."""
    telling = [name for name in by if name in table.columns and table[name].n_unique() > 1]
    names = ", ".join(theme.label(str(row[name])) for name in telling)
    return f" ({names})" if names else ""


def between(
    least: Row, most: Row, rows: pl.DataFrame, metric: Metric, *, by: Sequence[str] = KEYS, first: str = "",
    value: str = "value",
) -> str:  # fmt: skip
    """`4.6 (classic4) to 9.4 (samba)` with `first` before it, or `4.6` where both look the same."""
    share = metric.unit == SHARE
    size = 100 if share else 1
    decimals = min(metric.digits, *(_digits(row, size) for row in (least, most)))
    low, high = (theme.number(size * row[value], decimals) for row in (least, most))
    return _joined(low, high, " %" if share else "", (named(least, rows, by), named(most, rows, by)), first)


def shares_between(least: Row, most: Row, rows: pl.DataFrame, value: str, first: str = "") -> str:
    """The same of shares that are said without their interval: whole percent, or tenths where these look the same."""
    texts = [[theme.number(100 * row[value], decimals) for row in (least, most)] for decimals in (0, 1)]
    low, high = texts[0] if texts[0][0] != texts[0][1] or texts[1][0] == texts[1][1] else texts[1]
    return _joined(low, high, " %", (named(least, rows), named(most, rows)), first)


def _joined(low: str, high: str, unit: str, names: tuple[str, str], first: str) -> str:
    return f"{low}{unit}" if low == high else f"{first}{low}{unit}{names[0]} to {high}{unit}{names[1]}"


def _digits(row: Row, size: int) -> int:
    low, high = row["low"], row["high"]
    return theme.digits(None, None) if low is None or high is None else theme.digits(low * size, high * size)


def telling(table: pl.DataFrame, value: str = "value") -> pl.DataFrame:
    """The rows that a title may speak of: with games enough, and not decided by the rules alone."""
    if table.is_empty():
        return table
    free = table.filter(~pl.col("by_rule")) if "by_rule" in table.columns and not table["by_rule"].all() else table
    return free.filter(~pl.col("few")).drop_nulls(value)


def left_out(table: pl.DataFrame, value: str = "value") -> tuple[str, ...]:
    """Remarks on the rows that a title does not speak of; none where there are none."""
    if table.is_empty() or "few" not in table.columns or value not in table.columns:
        return ()
    there = table.drop_nulls(value)
    few = there.filter(pl.col("few"))
    remarks = []
    if few.height:
        remarks.append(f"drawn pale, too few games to say: {_few_of(few, there)}")
    ruled = _ruled(there)
    if ruled:
        remarks.append(f"by the rules alone: {', '.join(map(theme.label, ruled))}")
    return tuple(remarks)


def _ruled(there: pl.DataFrame) -> list[str]:
    """Those of several variants of which the rules decide every row."""
    if not {"by_rule", "variant"} <= set(there.columns):
        return []
    decided = there.group_by("variant", maintain_order=True).agg(pl.col("by_rule").all())
    return [] if decided["by_rule"].all() else decided.filter("by_rule")["variant"].to_list()


def _few_of(few: pl.DataFrame, there: pl.DataFrame) -> str:
    """Their names, or how many of all they are."""
    if few.height == there.height:
        return "all"
    names = [named(row, there).strip(" ()") for row in few.iter_rows(named=True)]
    if few.height <= NAMED and all(names) and len(set(names)) == len(names):
        return "; ".join(names)
    return f"{few.height} of {there.height}"
