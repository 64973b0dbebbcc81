"""Answers by line-up as given in the plan, all its rotations over the sides together.

`safe~naive` is played as `safe~naive` and as `naive~safe` on the same cards; a reader asks about the pairing, so
both are one row, clustered by their common game.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from pipeline.run import Run

Chosen = Sequence[str] | None


def rotations(run: Run) -> dict[str, tuple[str, ...]]:
    """The line-ups of the plan, in its order, each with its rotations as played."""
    found: dict[str, dict[str, None]] = {}
    for cell in run.parts:
        found.setdefault(cell.given, {})[cell.lineup] = None
    return {given: tuple(turned) for given, turned in found.items()}


def games_by_lineup(run: Run, variants: Chosen = None, lineups: Chosen = None) -> pl.DataFrame:
    """`variant lineup cells games` of what was played, in the order of the plan; no rows where the chosen never met."""
    table = run.cells.group_by("variant", "given_lineup", maintain_order=True).agg(
        pl.len().alias("cells"), pl.col("games").sum()
    )
    table = table.rename({"given_lineup": "lineup"}).filter(pl.col("games") > 0)
    for name, chosen in (("variant", variants), ("lineup", lineups)):
        if chosen is not None:
            table = table.filter(pl.col(name).is_in(chosen))
    return table
