"""Method S: the bootstrap over games or blocks, 1,000 resamples, seeded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from engine.errors import BadInput
from pipeline.levels import check_level, count_errors
from pipeline.stats.ratio import FEW_WIDTH, LEAST_GAMES, Array, Estimate

RESAMPLES = 1_000
FOLDS = 256
"""More units than this are added up to so many before they are drawn: what is drawn must be alike, not small."""

Statistic = Callable[[Array], Array]
"""Totals with a resample along the first axis to one number a resample; NaN where there is none."""


def fold(units: Array) -> Array:
    """Units along the first axis, every FOLDS-th added up to one where there are more than that."""
    if len(units) <= FOLDS:
        return units
    folded = np.zeros((FOLDS, *units.shape[1:]))
    np.add.at(folded, np.arange(len(units)) % FOLDS, units)
    return folded


def resample(units: Array, resamples: int = RESAMPLES, seed: int = 1) -> Array:
    """Totals of as many units drawn with replacement: an array like one unit for each resample."""
    folded = fold(np.asarray(units, float))
    count = len(folded)
    totals: Array = _draw(count, resamples, seed) @ folded.reshape(count, -1)
    return totals.reshape(resamples, *folded.shape[1:])


@lru_cache(maxsize=8)
def _draw(count: int, resamples: int, seed: int) -> Array:
    """How often each unit is drawn in each resample; the same for every answer, so that answers can be subtracted."""
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=resamples)
    return drawn.astype(float)


def bootstrap(
    units: Array,
    statistic: Statistic,
    level: float = 0.95,
    *,
    games: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = 1,
    normal: bool = False,
) -> Estimate:
    """A statistic of totals with its percentile interval; units (games, blocks) lie along the first axis of `units`.

    `games` says how many units there were if some were added up already. No interval for fewer than LEAST_GAMES.
    `normal`: as many standard deviations of the resamples to both sides of the value instead, for a statistic that is
    shifted in resamples.
    """
    values = np.asarray(units, float)
    count = len(values) if games is None else games
    value = np.asarray(statistic(values.sum(0)[None]), float)
    ends = np.full(2, np.nan)
    se = np.nan
    if count >= LEAST_GAMES:
        found = statistic(resample(values, resamples, seed))
        found = found[~np.isnan(found)]
        if len(found) > resamples / 2:
            ends = np.quantile(found, [(1 - check_level(level)) / 2, (1 + level) / 2])
            se = float(found.std(ddof=1))
            if normal:
                ends = float(value[0]) + count_errors(level) * se * np.array([-1, 1])
    return Estimate(value, ends[:1], ends[1:], np.array([se]), np.array([float(count)]))


def standard_deviation(totals: Array) -> Array:
    """Of sums along the last axis, rows, Σx and Σx²: the standard deviation of single rows."""
    n, x, xx = totals[..., 0], totals[..., 1], totals[..., 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(n > 1, np.sqrt(np.maximum(xx - x * x / n, 0) / (n - 1)), np.nan)


def deviation(
    frame: pl.DataFrame,
    column: str,
    cluster: str | Sequence[str] = "game",
    by: Sequence[str] = (),
    level: float = 0.95,
    seed: int = 1,
) -> pl.DataFrame:
    """Standard deviation of a column between rows, bootstrapped over clusters: `value low high n games few`."""
    clusters = [cluster] if isinstance(cluster, str) else list(cluster)
    for name in (column, *clusters, *by):
        if name not in frame.columns:
            raise BadInput(f"column '{name}': the frame has {', '.join(frame.columns)}")
    x = pl.col(column).cast(pl.Float64)
    units = frame.group_by([*by, *clusters]).agg(
        x.count().cast(pl.Float64).alias("n"), x.sum(), (x * x).sum().alias("xx")
    )
    parts = units.sort([*by, *clusters]).partition_by(list(by), maintain_order=True) if by else [units.sort(clusters)]
    rows = []
    for part in parts:
        found = bootstrap(part.select("n", column, "xx").to_numpy(), standard_deviation, level, seed=seed)
        ends = [None if np.isnan(one[0]) else float(one[0]) for one in (found.value, found.low, found.high)]
        few = ends[1] is None or (ends[2] - ends[1]) / 2 > FEW_WIDTH * ends[0] or bool(found.few[0])  # type: ignore[operator]
        keys = [part[name][0] for name in by]
        rows.append([*keys, *ends, int(part["n"].sum()), int(found.games[0]), few])
    schema: dict[str, Any] = {**{name: frame.schema[name] for name in by}, "value": pl.Float64, "low": pl.Float64,
                              "high": pl.Float64, "n": pl.Int64, "games": pl.Int64, "few": pl.Boolean}  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")
