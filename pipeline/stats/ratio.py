"""Ratios of sums with intervals clustered by game: methods R, W and B.

A ratio is the sum of k over the sum of n, never the mean of the games' own ratios, and its variance comes from five
sums over games, Σk Σn Σk² Σkn Σn², so that anything that can add can estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from engine.errors import BadInput
from pipeline.levels import count_errors

Array = NDArray[np.float64]
Places = NDArray[np.int64]

METHODS = ("R", "W", "B")
LEAST_GAMES = 30
"""Fewer games than this get no interval."""
FEW_GAMES = 400
FEW_WIDTH = 0.2
"""`few`: an interval wider each way than this share of the value, or fewer games than FEW_GAMES (docs/precision.md)."""


@dataclass(frozen=True)
class Sums:
    """What a ratio of sums needs of its games, one place per estimate; `games` counts those with n > 0."""

    games: Array
    k: Array
    n: Array
    kk: Array
    kn: Array
    nn: Array

    NAMES = ("games", "k", "n", "kk", "kn", "nn")

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Sums:
        """Sums from the columns `games k n kk kn nn` of a frame, nulls read as zero."""
        return cls(*(frame[name].fill_null(0).cast(pl.Float64).to_numpy() for name in cls.NAMES))


@dataclass(frozen=True)
class Estimate:
    """Values with their interval and standard error, one place per estimate; NaN where there is none."""

    value: Array
    low: Array
    high: Array
    se: Array
    games: Array

    @property
    def spread(self) -> Array:
        """Standard deviation between games: what differences are measured against."""
        return self.se * np.sqrt(self.games)

    @property
    def few(self) -> NDArray[np.bool_]:
        """Too few games to lean on (docs/precision.md)."""
        half = (self.high - self.low) / 2
        return ~((self.games >= FEW_GAMES) & (half <= FEW_WIDTH * np.abs(self.value)))


def wilson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Array, Array]:
    """Wilson's interval of k in n independent trials, low and high; NaN where n is 0. k and n need not be whole."""
    return wilson_of(k, n, count_errors(level))


def wilson_of(k: ArrayLike, n: ArrayLike, z: ArrayLike) -> tuple[Array, Array]:
    """Wilson's interval of k in n independent trials, `z` standard errors to each side."""
    hits, trials, z = np.asarray(k, float), np.asarray(n, float), np.asarray(z, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = hits / trials
        centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
        half = z * np.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2)) / (1 + z * z / trials)
    return np.clip(centre - half, 0, share), np.clip(centre + half, share, 1)


def estimate(sums: Sums, method: str = "R", level: float = 0.95) -> Estimate:
    """Ratios with intervals by method R, W or B; without an interval where there are fewer than LEAST_GAMES games."""
    if method not in METHODS:
        raise BadInput(f"interval '{method}': one of {', '.join(METHODS)}")
    z = count_errors(level)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(sums.n > 0, sums.k / sums.n, np.nan)
        squares = np.maximum(sums.kk - 2 * value * sums.kn + value**2 * sums.nn, 0)
        se = np.sqrt(squares * sums.games / (sums.games - 1)) / sums.n
        if method in ("W", "B"):
            certain = (sums.k <= 0) | (sums.k >= sums.n)
            rows = np.where(certain, sums.games, np.minimum(value * (1 - value) / se**2, sums.n))
            rows = np.where(sums.n == sums.games, sums.n, rows) if method == "B" else rows
            low, high = wilson(value * rows, rows, level)
        else:
            low, high = value - z * se, value + z * se
    enough = sums.games >= LEAST_GAMES
    return Estimate(
        value,
        np.where(enough, low, np.nan),
        np.where(enough, high, np.nan),
        np.where(sums.games > 1, se, np.nan),
        sums.games,
    )


def add_up(frame: pl.DataFrame, k: str, n: str, cluster: str | Sequence[str], by: Sequence[str] = ()) -> pl.DataFrame:
    """The five sums over clusters, one row per value of `by`; rows of one cluster are added up first."""
    clusters = [cluster] if isinstance(cluster, str) else list(cluster)
    for name in (k, n, *clusters, *by):
        if name not in frame.columns:
            raise BadInput(f"column '{name}': the frame has {', '.join(frame.columns)}")
    units = frame.group_by([*by, *clusters]).agg(
        pl.col(k).cast(pl.Float64).sum().alias("__k"), pl.col(n).cast(pl.Float64).sum().alias("__n")
    )
    a, b = pl.col("__k"), pl.col("__n")
    sums = [
        (b > 0).sum().alias("games"),
        a.sum().alias("k"),
        b.sum().alias("n"),
        (a * a).sum().alias("kk"),
        (a * b).sum().alias("kn"),
        (b * b).sum().alias("nn"),
    ]
    return units.group_by(list(by)).agg(sums).sort(list(by)) if by else units.select(sums)


def ratio(
    frame: pl.DataFrame,
    k: str,
    n: str,
    cluster: str | Sequence[str] = "game",
    by: Sequence[str] = (),
    method: str = "R",
    level: float = 0.95,
) -> pl.DataFrame:
    """A ratio of sums on any frame: `value low high k n games deff few` for each value of `by`.

    `deff`, for shares, is the design effect: how many times as wide in variance as if rows were independent.
    """
    sums = add_up(frame, k, n, cluster, by)
    found = estimate(Sums.of(sums), method, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        deff = found.se**2 * sums["n"].to_numpy() / (found.value * (1 - found.value))
    deff = np.where((found.value > 0) & (found.value < 1), deff, np.nan)
    columns = {"value": found.value, "low": found.low, "high": found.high}
    return pl.DataFrame(
        [
            *(sums[name] for name in by),
            *(pl.Series(name, values, nan_to_null=True) for name, values in columns.items()),
            sums["k"],
            sums["n"],
            sums["games"].cast(pl.Int64),
            pl.Series("deff", deff, nan_to_null=True),
            pl.Series("few", found.few),
        ]
    )


def sum_games(k: Array, n: Array) -> Sums:
    """Sums of two arrays with a place a game."""
    parts = (np.count_nonzero(n > 0), k.sum(), n.sum(), multiply(k, k), multiply(k, n), multiply(n, n))
    return Sums(*(np.array([float(part)]) for part in parts))


def multiply(one: Array, two: Array) -> float:
    """Sum of products; np.dot would wake BLAS threads, which wait for each other on a busy machine."""
    return float(np.einsum("i,i->", one, two))
