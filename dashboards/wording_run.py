"""What a run says of itself: its figures, and short remarks on what speaks for and against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dashboards import theme
from dashboards.wording import CELL, count
from pipeline.audit import Report

Colour = Literal["green", "gray", "red", "orange", "blue"]


@dataclass(frozen=True)
class Badge:
    """A short remark on a run, with its colour and what it means."""

    text: str
    colour: Colour
    meaning: str


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
            f"{count(summary['capped_games'], 'game')} and {count(summary['capped_deals'], 'deal')} hit the cap"
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
        return Badge(f"{count(len(faulty), 'audit')} found faults", "red", f"{', '.join(faulty)}: {again}")
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
            f"{count(summary['variants'], 'variant')} × {count(lineups, 'line-up')}; {CELL}.",
        ),
    ]


def _percent(share: float) -> str:
    return f"{theme.number(share * 100, 2 if 0 < share < 0.01 else 1)} %"
