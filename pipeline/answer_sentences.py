"""Tables of a metric in one sentence; it claims no more than the table holds, and says so where that is nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from pipeline.answers import choose_digits, in_whole_numbers, show_number
from pipeline.metric import Metric, describe_columns

FORMS = {"same": "no difference worth noticing", "few": "too few games to say"}
KEYS_END = "value"


def say_answer(table: pl.DataFrame, metric: Metric, base: str | None) -> str:
    """The finding: of a single value the value, of several the least and the greatest, with a base the differences."""
    if "value" not in table.columns:
        return f"{metric.title}: {metric.sentence[0].lower()}{metric.sentence[1:]}"
    if base is not None and "form" in table.columns:
        return _say_differences(table, metric, base)
    return _say_range(table, metric)


def _say_range(table: pl.DataFrame, metric: Metric) -> str:
    known = table.drop_nulls("value")
    if known.is_empty():
        return f"{metric.title}: nothing to count"
    ruled = 0
    if "by_rule" in known.columns and not known["by_rule"].all():
        ruled = known.filter("by_rule").height
        known = known.filter(~pl.col("by_rule"))
    sure = known.filter(~pl.col("few"))
    if sure.is_empty():
        return f"{metric.title}: too few games to say"
    left = _say_left(known.height - sure.height, ruled, table.height)
    if metric.whole_numbers:
        sure = in_whole_numbers(sure)
    column = describe_columns(metric)["value"]
    unit = f" {column.unit}" if column.unit in ("%", "pp") else ""
    digits = choose_digits(sure, column, "low", "high")
    telling = [name for name in _keys(table) if table[name].n_unique() > 1]

    def value(row: Mapping[str, Any]) -> str:
        shown = show_number(row["value"], column, digits) + unit
        named = ", ".join(_name(name, row[name]) for name in telling)
        return f"{shown} ({named})" if named else shown

    ends = sure.sort("value")
    least, most = ends.row(0, named=True), ends.row(-1, named=True)
    if ends.height > 1:
        texts = [show_number(row["value"], column, digits) for row in (least, most)]
        if texts[0] == texts[1]:
            rows = f"all {ends.height} rows" if ends.height == table.height else f"{ends.height} of {table.height} rows"
            return f"{metric.title}: {texts[0]}{unit} in {rows}{left}"
        return f"{metric.title}: from {value(least)} to {value(most)}{left}"
    if least["low"] is None:
        return f"{metric.title}: {value(least)}{left}"
    low, high = (show_number(least[end], column, digits) for end in ("low", "high"))
    return f"{metric.title}: {value(least)}, interval {low} – {high}{unit}{left}"


def _say_left(few: int, ruled: int, rows: int) -> str:
    """What the sentence says nothing of: rows with too few games, and those that the rules decide."""
    parts = [f"too few games to say for {few} of {rows} rows"] if few else []
    parts += [f"{ruled} of {rows} rows by the rules alone"] if ruled else []
    return "".join(f"; {part}" for part in parts)


def _say_differences(table: pl.DataFrame, metric: Metric, base: str) -> str:
    """One clause for each variant (or line-up) held against the base: what its rows agree in, else on what it depends.

    A rule's effect is an effect under these players, so a direction is claimed only where all rows have it.
    """
    axis = next(name for name in _keys(table) if base in table[name].to_list())
    others = [name for name in _keys(table) if name != axis and table[name].n_unique() > 1]
    compared = table.filter(pl.col(axis) != base).drop_nulls("form")
    if compared.is_empty():
        return f"{metric.title}: nothing to compare with {base}"
    if compared.height == 1:
        return str(compared["sentence"].item())
    clauses = [
        f"{name}: {_agree(group.to_dicts(), metric, others)}"
        for (name,), group in compared.group_by(axis, maintain_order=True)
    ]
    return f"{metric.title} against {base}. " + "; ".join(clauses)


def _agree(rows: Sequence[Mapping[str, Any]], metric: Metric, others: Sequence[str]) -> str:
    forms = list(dict.fromkeys(row["form"] for row in rows))
    words = {"more": metric.more, "less": metric.less, **FORMS}
    everywhere = f" in all {len(rows)} rows" if len(rows) > 1 else ""
    if len(forms) == 1:
        return words[forms[0]] + everywhere
    named: dict[str, list[str]] = {form: [] for form in forms}
    for row in rows:
        named[row["form"]].append(" ".join(_name(name, row[name]) for name in others))
    unsure = f", not sure yet for {_some(named.pop('few'))}" if "few" in named else ""
    parts = ", ".join(f"{words[form]} for {_some(names)}" for form, names in named.items()) + unsure
    if len(named) == 1:
        return parts
    return f"depends on {' and '.join(name.replace('_', ' ') for name in others)}: {parts}"


def _name(dimension: str, value: Any) -> str:
    """A value of a dimension; a number, which says nothing alone, with the dimension before it."""
    return f"{dimension.replace('_', ' ')} {value}" if isinstance(value, int) else str(value)


def _some(names: Sequence[str], most: int = 3) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return " / ".join(names[:most]) + more


def _keys(table: pl.DataFrame) -> list[str]:
    return table.columns[: table.columns.index(KEYS_END)]
