"""Effects of rules in words, over line-ups: what holds where it is sure, and what is not sure yet.

Only line-ups that are sure of different things make an effect depend on play; one whose interval or Holm's correction
leaves it open contradicts nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from pipeline import levels
from pipeline.metric import Metric, load_metric
from pipeline.sentences import say

Row = Mapping[str, Any]
SAME = "no difference worth noticing"
FEW = "too few games to say"
UNSURE = "not sure yet"
SUM = {"more": "above the sum of both effects", "less": "below the sum of both effects", "same": "both effects add up"}
"""Forms of an interaction: against the sum of the two effects."""
EFFECT, INTERACTION = ("factor", "base_level", "level"), ("other", "other_base", "other_level")


def say_change(row: Row) -> str:
    """`canastas_out 1 → 2`, and of an interaction ` with hand_size 11 → 15`."""
    text = f"{row['factor']} {row['base_level']} → {row['level']}"
    return f"{text} with {row['other']} {row['other_base']} → {row['other_level']}" if row.get("other") else text


def say_effect(metric: Metric, row: Row) -> str:
    """An effect under one line-up as a sentence."""
    return say(_who(metric, row), metric, row)


def say_interaction(metric: Metric, row: Row) -> str:
    """An interaction under one line-up as a sentence."""
    who = _who(metric, row)
    if row["form"] == "few" or row["low"] is None:
        return f"{who}: {FEW} ({metric.title.lower()})"
    low, high, diff = (_spelled(metric, row[name], [row]) for name in ("low", "high", "diff"))
    ends = f"{diff} {_unit(metric)}, {low} to {high}"
    return f"{who}: {metric.title.lower()}, {SUM[row['form']]} ({_alone(metric, [row])}{ends})"


def say_effects(table: pl.DataFrame) -> list[str]:
    """Each effect over all line-ups, in the order of the table."""
    return [_agree(metric, rows, interact=False) for metric, rows in _gather(table, EFFECT)]


def say_interactions(table: pl.DataFrame, *, brief: bool = False) -> list[str]:
    """Each interaction over all line-ups, those left out that add up or that nothing can be said of.

    In `brief` the effect at each value of the other rule is left out where there are several line-ups.
    """
    told = [(metric, rows) for metric, rows in _gather(table, (*EFFECT, *INTERACTION))]
    return [_agree(metric, rows, interact=True, brief=brief) for metric, rows in told
            if {row["form"] for row in rows} & {"more", "less"}]  # fmt: skip


def say_at_both(metric: Metric, rows: Sequence[Row]) -> str:
    """The effect at the other rule's two values, over line-ups: `hand_size 11 → 15: −9.1 at canastas_out 1, …`."""
    change = f"{rows[0]['factor']} {rows[0]['base_level']} → {rows[0]['level']}"
    first, second = _at_both(metric, rows)
    return f"{change}: {first}, {second}"


def _gather(table: pl.DataFrame, names: Sequence[str]) -> list[tuple[Metric, list[dict[str, Any]]]]:
    """The rows of all line-ups of each effect, of a metric and value of its dimensions."""
    keys = ["metric", *_dimensions(table), *names]
    parts = table.partition_by(keys, maintain_order=True) if table.height else []
    return [(load_metric(part["metric"][0]), part.to_dicts()) for part in parts]


def _dimensions(table: pl.DataFrame) -> list[str]:
    return table.columns[1 : table.columns.index("given_lineup")]


def _agree(metric: Metric, rows: Sequence[dict[str, Any]], *, interact: bool, brief: bool = False) -> str:
    """One sentence over line-ups from `form diff diff_low diff_high base_value`."""
    who = f"{say_change(rows[0])}{_of(metric, rows[0])}"
    if len(rows) == 1 and rows[0]["sentence"]:
        return str(rows[0]["sentence"])
    told = [row for row in rows if row["form"] is not None]
    title = metric.title.lower()
    if not told:
        return f"{who}: the rules alone decide ({title})"
    sure = [row for row in told if row["form"] != "few"]
    forms = {row["form"] for row in sure}
    if not forms:
        return f"{who}: {FEW} ({title}{''.join(f'; {one}' for one in _intervals(metric, told))})"
    unsure = "".join(f"; {one}" for one in _say_unsure(metric, told))
    if len(forms) > 1:
        return f"{who}: {title} depends on play: {_extremes(metric, sure)}{unsure}"
    where = f" under all {len(told)} line-ups" if len(sure) == len(told) else f" under {_named(sure)}"
    form = forms.pop()
    if form == "same" and not interact:
        low, high = min(row["diff_low"] for row in sure), max(row["diff_high"] for row in sure)
        ends = f"{_spelled(metric, low, sure)} to {_spelled(metric, high, sure)}"
        return f"{who}: {SAME} in {title}{where} ({ends} {_unit(metric)}){unsure}"
    words = f"{title}, {SUM[form]}" if interact else str(getattr(metric, form))
    alone = _alone(metric, sure) if interact and not brief else ""
    share = "" if interact else _share(metric, sure)
    return f"{who}: {words}{where} ({alone}{_span(metric, sure)} {_unit(metric)}{share}){unsure}"


def _named(rows: Sequence[Row]) -> str:
    """`safe`, `safe and builder`."""
    names = [str(row["given_lineup"]) for row in rows]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _extremes(metric: Metric, rows: Sequence[Row]) -> str:
    ordered = sorted(rows, key=lambda row: float(row["diff"]))
    least, most = (f"{_spelled(metric, row['diff'], rows)} ({row['given_lineup']})"
                   for row in (ordered[0], ordered[-1]))  # fmt: skip
    return f"from {least} to {most} {_unit(metric)}"


def _intervals(metric: Metric, rows: Sequence[Row]) -> list[str]:
    """`safe −9.0 to −7.8 turns` of each that has an interval."""
    known = [row for row in rows if row["diff_low"] is not None]
    return [
        f"{row['given_lineup']} {_spelled(metric, row['diff_low'], [row])} to "
        f"{_spelled(metric, row['diff_high'], [row])} {_unit(metric)}"
        for row in known
    ]


def _say_unsure(metric: Metric, rows: Sequence[Row]) -> list[str]:
    """What is not sure yet: line-ups with an interval that no word holds for, and those without one."""
    unsure = [row for row in rows if row["form"] == "few"]
    parts = [f"{UNSURE} for {one}" for one in _intervals(metric, unsure)]
    blank = [row for row in unsure if row["diff_low"] is None]
    return [*parts, *([f"{FEW} for {_named(blank)}"] if blank else [])]


def _alone(metric: Metric, rows: Sequence[Row]) -> str:
    """The effect at the other rule's values: `canastas_out +9.1 to +10.2 at hand_size 11, +6.1 at 15; difference `."""
    return f"{rows[0]['factor']} {', '.join(_at_both(metric, rows))}; difference "


def _at_both(metric: Metric, rows: Sequence[Row]) -> list[str]:
    return [
        f"{_span(metric, rows, name)} {_unit(metric)} at {rows[0]['other']} {rows[0][level]}"
        for name, level in (("at_base", "other_base"), ("at_other", "other_level"))
    ]


def _span(metric: Metric, rows: Sequence[Row], name: str = "diff") -> str:
    ends = [_spelled(metric, end(row[name] for row in rows), rows) for end in (min, max)]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _share(metric: Metric, rows: Sequence[Row]) -> str:
    """The same as a part of the base's value: `, +35 to +40 %`."""
    if metric.unit == "%" or not all(row["base_value"] for row in rows):
        return ""
    parts = [row["diff"] / row["base_value"] for row in rows]
    ends = [f"{100 * end(parts):+.0f}".replace("-", "−") for end in (min, max)]
    return f", {ends[0]} %" if ends[0] == ends[1] else f", {ends[0]} to {ends[1]} %"


def _who(metric: Metric, row: Row) -> str:
    return f"{say_change(row)}{_of(metric, row)} under {row['given_lineup']}"


def _of(metric: Metric, row: Row) -> str:
    """The metric's own dimensions: ` at pace club`."""
    named = [f"{name} {row[name]}" for name in metric.dimensions if name != "given_lineup" and row.get(name)]
    return f", {', '.join(named)}" if named else ""


def _spelled(metric: Metric, value: float, rows: Sequence[Row]) -> str:
    """A difference to the digits that the least certain row deserves."""
    size = 100 if metric.unit == "%" else 1
    half = max((size * (row["diff_high"] - row["diff_low"]) / 2 for row in rows if row["diff_low"] is not None),
               default=0.0)  # fmt: skip
    digits = min(levels.count_digits(half), metric.digits)
    return f"{size * value:+z.{digits}f}".replace("-", "−")


def _unit(metric: Metric) -> str:
    return "percentage points" if metric.unit == "%" else metric.unit
