"""Differences to a base in words: a direction is claimed only where all line-ups (or variants) agree, else it depends.

From tables of `Run.metric(…, base=…)`, whose column `form` (one of four) was chosen by interval and Holm's p.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import polars as pl

from dashboards import theme
from dashboards.charts import Words
from dashboards.extremes import KEYS, SHARE
from dashboards.wording import games_in, players_of
from pipeline.metric import Metric

Row = dict[str, Any]
SAME = "no difference worth noticing"
FEW = "too few games to say"


@dataclass(frozen=True)
class Effect:
    """What a variant (or line-up) changes against the base in all settings together."""

    subject: str
    clause: str
    size: float
    known: bool
    """Whether more or less can be said, of some setting at least."""


def differences_of(table: pl.DataFrame, metric: Metric, base: str, played: pl.DataFrame) -> Words | None:
    """The largest effects in both directions as a sentence, with how they were measured; None without a difference."""
    axis = axis_of(table, base)
    if not axis:
        return None
    same = "under the same line-up" if axis == "variant" else "in the same variant"
    facts = (
        f"{metric.title}, difference to {theme.label(base)} {same}",
        games_in(played),
        "95 % intervals, words by Holm over the table",
        pairing_of(table),
        players_of(table, played),
    )
    effects = effects_of(table, metric, base)
    if not effects:
        return None
    told = [one for one in effects if one.known] or effects
    ends = sorted(told, key=lambda one: one.size)
    chosen = [ends[0], ends[-1]] if len(ends) > 1 else ends
    if len(chosen) > 1 and not (chosen[0].size < 0 < chosen[1].size):
        chosen = sorted(chosen, key=lambda one: -abs(one.size))[: 1 if len(ends) > 2 else 2]
    return Words("; ".join(f"{theme.label(one.subject)}: {one.clause}" for one in chosen), facts)


def compared(table: pl.DataFrame) -> pl.DataFrame:
    """The rows that have a difference; pale where too few games tell it, whatever the value's own games do."""
    return table.drop_nulls("form").with_columns(few=pl.col("form") == "few")


def nothing_to_compare(base: str, variants: Sequence[str]) -> str:
    """Why there is no difference to show."""
    if not base:
        return "There is nothing to compare: the run has one variant and one line-up."
    if set(variants) == {base}:
        return f"Only {theme.label(base)} is shown, which is also what is compared with: choose more variants."
    return f"Nothing here was played beside {theme.label(base)} under the same conditions."


def axis_of(table: pl.DataFrame, base: str) -> str:
    """The column in which the base stands against others; empty where there is nothing to compare."""
    if "form" not in table.columns:
        return ""
    found = next((name for name in KEYS if name in table.columns and base in table[name].to_list()), "")
    return found if found and table.filter(pl.col(found) != base)["form"].drop_nulls().len() else ""


def effects_of(table: pl.DataFrame, metric: Metric, base: str) -> list[Effect]:
    """Effect of every subject of a table of one metric, in the order of the table."""
    axis = axis_of(table, base)
    other = next((name for name in KEYS if name != axis and name in table.columns), "")
    rows = table.filter(pl.col(axis) != base).drop_nulls("form") if axis else table.clear()
    base_rows = table.filter(pl.col(axis) == base).to_dicts() if axis else []
    values = {row.get(other): row["value"] for row in base_rows}
    parts = rows.partition_by(axis, maintain_order=True) if axis else []
    return [_effect(part[axis][0], part.to_dicts(), metric, other, values) for part in parts]


def _effect(subject: str, rows: Sequence[Row], metric: Metric, other: str, values: dict[Any, float | None]) -> Effect:
    known = [row for row in rows if row["form"] != "few"]
    size = median(row["diff"] for row in known or rows if row["diff"] is not None) if known else 0.0
    forms = list(dict.fromkeys(row["form"] for row in known))
    if not forms:
        return Effect(subject, f"{FEW} ({metric.title.lower()})", size, known=False)
    lacking = "" if len(known) == len(rows) else f", not sure yet in {len(rows) - len(known)} of {len(rows)}"
    if len(forms) > 1:
        least, most = (f"{row[other]} {_amount([row], metric, row)}" for row in _ends(known))
        text = f"{metric.title.lower()} depends on play ({least}, {most} {_unit(metric)}{lacking})"
        return Effect(subject, text, size, known=True)
    if forms[0] == "same":
        low, high = min(row["diff_low"] for row in known), max(row["diff_high"] for row in known)
        ends = " to ".join(_spelled(end, metric, known) for end in (low, high))
        return Effect(subject, f"{SAME} in {metric.title.lower()} ({ends} {_unit(metric)})", size, known=False)
    text = f"{getattr(metric, forms[0])} ({_span(known, metric, other, values)}{lacking})"
    return Effect(subject, text, size, known=True)


def _ends(rows: Sequence[Row]) -> tuple[Row, Row]:
    ordered = sorted(rows, key=lambda row: float(row["diff"]))
    return ordered[0], ordered[-1]


def _span(rows: Sequence[Row], metric: Metric, other: str, values: dict[Any, float | None]) -> str:
    """The differences: `−73 to −66 turns, −40 to −36 %`; of a single row with its interval."""
    least, most = (_amount(rows, metric, row) for row in _ends(rows))
    text = f"{least if least == most else f'{least} to {most}'} {_unit(metric)}"
    parts = [100 * row["diff"] / base for row in rows if (base := values.get(row.get(other)))]
    if metric.unit == SHARE or len(parts) < len(rows):
        return text
    first, last = (f"{theme.number(part, signed=True)} %" for part in (min(parts), max(parts)))
    return f"{text}, {first if first == last else f'{first[:-2]} to {last}'}"


def _amount(rows: Sequence[Row], metric: Metric, row: Row) -> str:
    return _spelled(row["diff"], metric, rows)


def _spelled(value: float, metric: Metric, rows: Sequence[Row]) -> str:
    """A difference to the digits that the least certain row deserves."""
    size = 100 if metric.unit == SHARE else 1
    decimals = min(metric.digits, *(theme.digits(row["diff_low"] * size, row["diff_high"] * size) for row in rows), 4)
    return theme.number(size * value, decimals, signed=True)


def _unit(metric: Metric) -> str:
    return "percentage points" if metric.unit == SHARE else metric.unit


def pairing_of(table: pl.DataFrame) -> str:
    """Whether differences were paired on common cards, and what that gained."""
    paired = table.drop_nulls("paired")
    if paired.is_empty():
        return "nothing to compare"
    gains = paired.filter(pl.col("paired"))["gain"].drop_nulls().to_list()
    if not paired["paired"].any():
        return "unpaired: other cards"
    text = f"paired on common cards, gain ×{theme.number(min(gains), 2)}" if gains else "paired on common cards"
    if gains and f"{min(gains):.2f}" != f"{max(gains):.2f}":
        text += f"–{theme.number(max(gains), 2)}"
    return text if paired["paired"].all() else f"{text}; some unpaired"
