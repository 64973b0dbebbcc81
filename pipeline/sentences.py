"""Differences in words: one of four forms, chosen by the interval and by Holm's p over the table (METRICS §4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline import levels, stats
from pipeline.metric import Metric

MARGIN = 0.05
"""An interval within so many spreads of 0 is no difference worth noticing."""
FORMS = ("more", "less", "same", "few")


def choose_form(row: Mapping[str, Any], alpha: float) -> str:
    """One of FORMS from `diff low high games spread p`: same is no difference worth noticing, few too few games.

    Of many games too few is what leaves an interval that neither settles the sign nor lies within the margin: no claim
    is made, and the sentence gives the interval.
    """
    if row["low"] is None or row["games"] < stats.FEW_GAMES or not row["spread"]:
        return "few"
    if max(abs(row["low"]), abs(row["high"])) <= MARGIN * row["spread"]:
        return "same"
    if row["p"] < alpha:
        return "more" if row["diff"] > 0 else "less"
    return "few"


def say(who: str, metric: Metric, row: Mapping[str, Any]) -> str:
    """A difference as one sentence, from `form diff low high base_value`: who, what, by how much."""
    if row["low"] is None or (row["form"] == "few" and row["games"] < stats.FEW_GAMES):
        return f"{who}: too few games to say ({metric.title.lower()})"
    scale, unit = (100, "percentage points") if metric.unit == "%" else (1, metric.unit)
    digits = levels.count_digits(scale * (row["high"] - row["low"]) / 2)
    low, high, diff = (f"{scale * row[name]:+.{digits}f}".replace("-", "−") for name in ("low", "high", "diff"))
    if row["form"] == "few":
        return f"{who}: too few games to say ({metric.title.lower()}, {low} to {high} {unit})"
    if row["form"] == "same":
        return f"{who}: no difference worth noticing in {metric.title.lower()} ({low} to {high} {unit})"
    part = (
        f", {row['diff'] / row['base_value']:+.0%}".replace("-", "−")
        if metric.unit != "%" and row["base_value"]
        else ""
    )
    return f"{who}: {getattr(metric, row['form'])} ({diff} {unit}, {low} to {high}{part})"
