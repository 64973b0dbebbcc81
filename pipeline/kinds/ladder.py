"""The ladder: strategies by strength, from what pairs of them won of each other over mirror blocks."""

from __future__ import annotations

from typing import Any

import polars as pl

from pipeline import stats

COLUMNS: dict[str, Any] = {
    "variant": pl.String, "rank": pl.Int64, "strategy": pl.String, "win_rate": pl.Float64,
    "win_rate_low": pl.Float64, "win_rate_high": pl.Float64, "strength": pl.Float64, "blocks": pl.Int64,
    "ties": pl.String, "few": pl.Boolean,
}  # fmt: skip


def rank(pairs: pl.DataFrame, level: float) -> pl.DataFrame:
    """A ladder for each variant, strongest first: COLUMNS.

    `pairs` has columns `variant first second fold result blocks`: what the first won of so many blocks. BadInput
    where some never met the others.
    """
    ladders = [
        stats.bradley_terry(part, cluster="fold", weight="blocks", level=level)
        .with_columns(pl.lit(key[0]).alias("variant"), pl.col("ties").list.join(", "))
        .select(*COLUMNS)
        for key, part in pairs.partition_by("variant", as_dict=True, maintain_order=True).items()
    ]
    return pl.concat(ladders) if ladders else pl.DataFrame(schema=COLUMNS)
