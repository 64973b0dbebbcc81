"""What figures say of themselves: sentences made from their tables, never by hand.

A sentence claims no more than the table holds: rows with too few games are left out of it, and where all
are it says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from dashboards import theme
from dashboards.charts import Measure, Words
from dashboards.data import Checks
from pipeline.metric import Metric

Colour = Literal["green", "gray", "red", "orange", "blue"]
SHARE = "%"
ALONE = "95 % intervals, each by itself"


@dataclass(frozen=True)
class Badge:
    """A short remark on a run, with its colour and what it means."""

    text: str
    colour: Colour
    meaning: str


def measure_of(metric: Metric) -> Measure:
    """The axis of a metric."""
    return Measure(metric.title, metric.unit, share=metric.unit == SHARE)


def range_of(table: pl.DataFrame, metric: Metric, by: Sequence[str] = ("variant", "lineup")) -> Words:
    """The least and the greatest value of a metric's table, and which rows have them.

    Names only what differs between rows: with one line-up in the table, the variants alone.
    """
    facts = (f"{metric.sentence}", f"{theme.large(sum(table['games'].to_list()))} games", ALONE)
    sure = table.filter(~pl.col("few")).drop_nulls("value")
    if sure.is_empty():
        return Words(f"Too few games to say: {_lower(metric.title)}", facts)
    telling = [name for name in by if table[name].n_unique() > 1]
    ends = sure.sort("value")
    low, high = ends.row(0, named=True), ends.row(-1, named=True)
    if ends.height == 1:
        return Words(f"{metric.title}: {_value(low, metric)}{_named(low, telling)}", facts)
    least, most = (f"{_value(row, metric)}{_named(row, telling)}" for row in (low, high))
    return Words(f"{metric.title}: from {least} to {most}", facts)


def _value(row: dict[str, float | None], metric: Metric) -> str:
    size = 100 if metric.unit == SHARE else 1
    value, low, high = (None if row[name] is None else row[name] * size for name in ("value", "low", "high"))  # type: ignore[operator]
    return theme.number(value, min(theme.digits(low, high), metric.digits)) + (" %" if size == 100 else "")


def _named(row: dict[str, object], telling: Sequence[str]) -> str:
    names = [theme.label(str(row[name])) for name in telling]
    return f" ({', '.join(names)})" if names else ""


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]


def counts_of(table: pl.DataFrame) -> Words:
    """How many games there are, and whether any combination is missing or thin."""
    variants, lineups = table["variant"].n_unique(), table["lineup"].n_unique()
    games = table["games"].to_list()
    each = f"{'each' if len(set(games)) == 1 else 'each at least'} {theme.large(min(games, default=0))}"
    holes = variants * lineups - table.filter(pl.col("games") > 0).height
    missing = f", {holes} of {variants * lineups} combinations not played" if holes else ""
    shape = f"{_count(variants, 'variant')} × {_count(lineups, 'line-up')}"
    return Words(f"{theme.large(sum(games))} games: {shape}, {each}{missing}", ("games of each cell",))


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def badges_of(checks: Checks, folder: str) -> list[Badge]:
    """What speaks for and against a run: its audit, what hit a cap, how often the stock ran out."""
    again = f"`canasta audit {folder}`"
    if not checks.audits:
        audit = Badge("Not audited yet", "gray", f"Check every rule that the log must keep: {again}")
    elif checks.faults:
        audit = Badge(
            f"{_count(len(checks.faults), 'audit')} found faults", "red", f"{', '.join(checks.faults)}: {again}"
        )
    else:
        audit = Badge(f"All {checks.audits} audits clean", "green", f"Every rule that the log must keep holds: {again}")
    if checks.stale:
        audit = Badge(f"{audit.text} before the last games", "orange", f"Games were added since: {again}")
    capped = f"{_percent(checks.capped_games)} of games and {_percent(checks.capped_deals)} of deals hit the cap"
    none = checks.capped_games == checks.capped_deals == 0
    return [
        audit,
        Badge(
            "No game or deal hit the cap" if none else capped,
            "green" if none else "orange",
            "A game is ended after 100 deals, a deal at a generous cap of turns; sensible play never gets there.",
        ),
        Badge(
            f"{_percent(checks.stock)} of deals ran out of stock" if checks.stock else "No deal ran out of stock",
            "blue",
            "Deals that ended because no card was left to draw.",
        ),
    ]


def _percent(share: float) -> str:
    return f"{theme.number(share * 100, 2 if 0 < share < 0.01 else 1)} %"
