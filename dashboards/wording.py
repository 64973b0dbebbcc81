"""What figures say of themselves: sentences made from their tables, never by hand.

A sentence claims no more than the table holds: rows with too few games are left out of it, and where all
are it says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from dashboards import theme
from dashboards.charts import Measure, Words
from pipeline.audit import Report
from pipeline.metric import Metric

Colour = Literal["green", "gray", "red", "orange", "blue"]
SHARE = "%"
KEYS = ("variant", "given_lineup")
CELL = "a cell is a variant played by one rotation of a line-up over the sides"
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


def range_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame, by: Sequence[str] = KEYS) -> Words:
    """The least and the greatest value of a metric's table, and which rows have them; `played` has the games.

    Names only what differs between rows: with one line-up in the table, the variants alone.
    """
    facts = (f"{metric.sentence}", f"{theme.large(sum(played['games'].to_list()))} games", ALONE)
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
    cells = _count(sum(table["cells"].to_list()), "cell")
    facts = (f"{CELL}; here the rotations of a line-up are added up",)
    return Words(f"{theme.large(sum(games))} games in {cells}: {shape}, {each}{missing}", facts)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def badges_of(report: Report | None, summary: Mapping[str, Any]) -> list[Badge]:
    """What speaks for and against a run: its audit, what hit a cap, how often the stock ran out."""
    capped, stock = summary["capped_games"] + summary["capped_deals"], summary["stock_share"] or 0
    lacking = Badge(
        f"Unfinished: {summary['games']:,} of {summary['games_planned']:,} games so far",
        "orange",
        "The `canasta simulate` command that began the run goes on with it.",
    )
    return [
        *([] if summary["complete"] else [lacking]),
        _audited(report, f"`canasta audit {summary['path']}`"),
        Badge(
            f"{_count(summary['capped_games'], 'game')} and {_count(summary['capped_deals'], 'deal')} hit the cap"
            if capped
            else "No game or deal hit the cap",
            "orange" if capped else "green",
            "A game is ended after 100 deals, a deal at a generous cap of turns; sensible play never gets there.",
        ),
        Badge(
            f"{_percent(stock)} of deals ran out of stock" if stock else "No deal ran out of stock",
            "blue",
            "Deals that ended because no card was left to draw.",
        ),
    ]


def _audited(report: Report | None, again: str) -> Badge:
    if report is None:
        return Badge("Not audited yet", "gray", f"Check every rule that the log must keep: {again}")
    faulty = [audit.title for audit in report.audits if audit.rows]
    if faulty:
        return Badge(f"{_count(len(faulty), 'audit')} found faults", "red", f"{', '.join(faulty)}: {again}")
    if report.stale:
        return Badge("Audited before the last games were played", "orange", f"Games were added since: {again}")
    return Badge(f"All {len(report.audits)} audits clean", "green", f"Every rule that the log must keep holds: {again}")


def cards_of(summary: Mapping[str, Any], lineups: int) -> list[tuple[str, str, str]]:
    """The figures of a run as label, value and explanation."""
    planned = "" if summary["complete"] else f"; {theme.large(summary['games_planned'])} are planned"
    return [
        ("Games", theme.large(summary["games"]), f"Games played and committed{planned}."),
        ("Deals", theme.large(summary["deals"]), "From one shuffle to one scoring; a game takes several."),
        ("Moves", theme.large(summary["moves"]), "Rows of the ledger: every card moved."),
        (
            "Cells",
            f"{summary['cells']}",
            f"{_count(summary['variants'], 'variant')} × {_count(lineups, 'line-up')}; {CELL}.",
        ),
    ]


def standouts_of(table: pl.DataFrame) -> tuple[Words, list[str]]:
    """The largest finding as title, and a sentence for each; the table has a row at least."""
    first = table.row(0, named=True)
    across = first["variant"] != first["base_variant"]
    base = theme.label(first["base_variant"] if across else first["base_lineup"])
    facts = (
        f"each variant compared with {base} under the same line-up"
        if across
        else f"one variant only, so each line-up is compared with {base}",
        "95 % intervals",
    )
    notes = table["said"].unique(maintain_order=True).to_list()
    subject, finding = str(first["row"]).split("\n")
    return Words(f"{subject} differs most from {base}: {finding}", facts), notes


def nothing_stands_out(base: str, variants: Sequence[str], lineups: Sequence[str]) -> str:
    """Why there is no finding: nothing to compare, or nothing that can be told apart."""
    if len({base, *variants, *lineups} - {""}) < 3:
        return "There is nothing to compare: one variant and one line-up. Play another variant or line-up into a run."
    against = f" to {theme.label(base)}" if base else ""
    return f"No difference{against} that these games can tell, or none worth noticing."


def _percent(share: float) -> str:
    return f"{theme.number(share * 100, 2 if 0 < share < 0.01 else 1)} %"
