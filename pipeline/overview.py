"""What is in a run and what stands out: its figures, and its largest differences to a base.

Differences are ranked by their size against the spread between games, never by significance: at a million
games everything is significant. Of shares the spread is at least that of the games of both cells together, so that one
that is nearly always 0 or 1 does not lead by a difference nobody would see. Variants are held against a base variant
under the same line-up; where there is one variant, line-ups against a base line-up. Holm's correction over the whole
table decides which differences may be called more or less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from engine.errors import BadInput
from pipeline import levels, stats
from pipeline.differences import Rotations, compare_blocks, group_rotations, metrics_of_games, read_blocks
from pipeline.metric import load_metric
from pipeline.run import Run
from pipeline.sentences import choose_form, say
from pipeline.table_frames import Choice

FINDINGS = {
    "metric": pl.String,
    "family": pl.String,
    "variant": pl.String,
    "lineup": pl.String,
    "base_variant": pl.String,
    "base_lineup": pl.String,
    "value": pl.Float64,
    "base_value": pl.Float64,
    "diff": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "effect": pl.Float64,
    "paired": pl.Boolean,
    "gain": pl.Float64,
    "games": pl.Int64,
    "p": pl.Float64,
    "form": pl.String,
    "sentence": pl.String,
}
"""Columns of `findings`. `effect`: the difference in spreads between games of the base, of shares at least in those of
the games of both together (so at most 2 where the base's games are alike); `p`: Holm's over the table;
`form`: more, less, same (no difference worth noticing) or few (too few games to say)."""


def summarise(run: Run) -> dict[str, Any]:
    """Figures of a run: what it holds, whether it is complete, and what a cap or an empty stock ended.

    Keys: `name path created seed variants lineups cells games games_planned complete deals turns moves bytes
    capped_games capped_deals stock_share`.
    """
    cells = run.query("run_figures")
    sums = {name: int(cells[name].sum()) for name in cells.columns if name not in ("variant", "lineup")}
    files = [file for cell in run.parts for shard in cell.shards for file in shard.files.items()]
    return {
        "name": run.name,
        "path": str(run.path),
        "created": run.manifest.get("created"),
        "seed": run.seed,
        "variants": len(run.variants),
        "lineups": len(run.lineups),
        "cells": len(run.parts),
        "complete": sums["games"] == sums["games_planned"],
        "moves": sum(file.rows for table, file in files if table == "moves"),
        "bytes": sum(file.bytes for _, file in files),
        "stock_share": sums.pop("stock_deals") / sums["deals"] if sums["deals"] else None,
        **sums,
    }


def findings(
    run: Run, base: str | None = None, *, variant: Choice = None, lineup: Choice = None, level: float = 0.95
) -> pl.DataFrame:
    """Differences to the base in all metrics of games, largest effect first; columns as in `FINDINGS`.

    `base` is a variant, or where one variant is chosen a line-up as given in the plan. By default the variant that
    others were made from, else the first of the plan. No rows where there is nothing to compare.
    """
    levels.check_level(level)
    metrics = metrics_of_games()
    pairs = list(_pair_with_base(group_rotations(run.choose(variant, lineup)), base))
    groups = list(dict.fromkeys(group for pair in pairs for group in pair))
    blocks = dict(zip(groups, read_blocks(run, groups, metrics), strict=True)) if groups else {}
    rows = [row for one, two in pairs for row in compare_blocks(metrics, blocks[one], blocks[two], level)]
    adjusted = stats.holm([float("nan") if row["p"] is None else row["p"] for row in rows])
    for row, p in zip(rows, adjusted, strict=True):
        row["p"] = float(p)
        row["form"] = choose_form(row, 1 - level)
        row["sentence"] = say(_who(row), load_metric(row["metric"]), row)
    found = pl.DataFrame([[row[name] for name in FINDINGS] for row in rows], schema=FINDINGS, orient="row")
    return found.with_columns(pl.col("p").fill_nan(None)).sort(
        pl.col("effect").abs(), descending=True, nulls_last=True, maintain_order=True
    )


def _pair_with_base(groups: Sequence[Rotations], base: str | None) -> Iterator[tuple[Rotations, Rotations]]:
    """Base and other, for every group that has a base."""
    variants = list(dict.fromkeys(cells[0].variant for cells in groups))
    lineups = list(dict.fromkeys(cells[0].given for cells in groups))
    names = variants if len(variants) > 1 else lineups
    if base is not None and base not in names:
        raise BadInput(f"base '{base}': one of {', '.join(names)}")
    sources = [cell.base for cells in groups for cell in cells if cell.base != cell.variant]
    chosen = base or next((name for name in sources if name in names), names[0] if names else "")
    by_key = {(cells[0].variant, cells[0].given): cells for cells in groups}
    for (variant, lineup), cells in by_key.items():
        key = (chosen, lineup) if len(variants) > 1 else (variant, chosen)
        if key in by_key and key != (variant, lineup):
            yield by_key[key], cells


def _who(row: Mapping[str, Any]) -> str:
    apart = row["variant"] != row["base_variant"]
    return f"{row['variant']} with {row['lineup']}" if apart else f"{row['lineup']} in {row['variant']}"
