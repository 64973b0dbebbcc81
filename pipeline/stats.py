"""Intervals on clustered data: ratios of sums, shares, differences of two cells, Holm's correction.

The independent unit is the game, never the row (METRICS: design effect 11 for frozen turns). A ratio is
the sum of k over the sum of n, never the mean of the games' own ratios, and its variance comes from five
sums over games, Σk Σn Σk² Σkn Σn², so that anything that can add can estimate. Methods by their codes:

* R: ratio of sums, normal interval from the variance between games.
* W: a share of rows; Wilson's interval on as many rows as R's variance says there really are.
* B: 0 or 1 a game; Wilson's interval on games, or as W where several games make one unit.
* D: difference of two ratios, paired game by game where both met the same cards, else unpaired.

Pure functions of numbers and frames; nothing here knows a file, a table or a metric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from engine.errors import BadInput
from pipeline.levels import count_errors

Array = NDArray[np.float64]

METHODS = ("R", "W", "B")
LEAST_GAMES = 30
"""Fewer games than this get no interval."""
FEW_GAMES = 400
FEW_WIDTH = 0.2
"""`few`: fewer games than FEW_GAMES, or an interval wider each way than this share of the value."""


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
        """Too few games to lean on (METRICS §4)."""
        half = (self.high - self.low) / 2
        return ~((self.games >= FEW_GAMES) & (half <= FEW_WIDTH * np.abs(self.value)))


def wilson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Array, Array]:
    """Wilson's interval of k in n independent trials, low and high; NaN where n is 0. k and n need not be whole."""
    hits, trials = np.asarray(k, float), np.asarray(n, float)
    z = count_errors(level)
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


@dataclass(frozen=True)
class Difference:
    """Second minus first: value, interval, standard error, and what pairing gained (1 where there is none)."""

    value: Array
    low: Array
    high: Array
    se: Array
    gain: Array

    @property
    def p(self) -> Array:
        """Two-sided p-value of no difference; NaN where there is no standard error."""
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.abs(self.value) / self.se
        z = np.where((self.se == 0) & (self.value == 0), 0.0, z)
        erfc = np.frompyfunc(_tail, 1, 1)
        return np.asarray(erfc(z), float)


def _tail(z: float) -> float:
    return float("nan") if np.isnan(z) else 2 * NormalDist().cdf(-z)


@dataclass(frozen=True)
class Cross:
    """Sums of products over the games that both cells have: k1·k2, k1·n2, n1·k2, n1·n2."""

    kk: Array
    kn: Array
    nk: Array
    nn: Array


def subtract(first: Sums, second: Sums, cross: Cross | None = None, level: float = 0.95) -> Difference:
    """Method D: the ratio of `second` minus that of `first`.

    With `cross` the cells are paired: both sums must then be over the games that both have.
    """
    one, two = estimate(first, level=level), estimate(second, level=level)
    value = two.value - one.value
    apart = one.se**2 + two.se**2
    together = apart
    if cross is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            products = cross.kk - two.value * cross.kn - one.value * cross.nk + one.value * two.value * cross.nn
            games = np.minimum(first.games, second.games)
            covariance = products * games / (games - 1) / (first.n * second.n)
        # What rounding leaves of two cells that played alike is no variance.
        together = np.where(apart - 2 * covariance > 1e-12 * apart, apart - 2 * covariance, 0.0)
    se = np.sqrt(together)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.where(together > 0, apart / together, np.where(apart > 0, np.inf, 1.0))
    z = count_errors(level)
    enough = np.minimum(first.games, second.games) >= LEAST_GAMES
    return Difference(
        value, np.where(enough, value - z * se, np.nan), np.where(enough, value + z * se, np.nan), se, gain
    )


def subtract_pairs(first: tuple[Array, Array], second: tuple[Array, Array], level: float = 0.95) -> Difference:
    """Method D of two cells that met the same cards: k and n of each, place i of all four is the same game."""
    cross = Cross(*(np.array([_multiply(a, b)]) for a in first for b in second))
    return subtract(sum_games(*first), sum_games(*second), cross, level)


def sum_games(k: Array, n: Array) -> Sums:
    """Sums of two arrays with a place a game."""
    parts = (np.count_nonzero(n > 0), k.sum(), n.sum(), _multiply(k, k), _multiply(k, n), _multiply(n, n))
    return Sums(*(np.array([float(part)]) for part in parts))


def _multiply(one: Array, two: Array) -> float:
    """Sum of products; np.dot would wake BLAS threads, which wait for each other on a busy machine."""
    return float(np.einsum("i,i->", one, two))


def difference(
    first: pl.DataFrame,
    second: pl.DataFrame,
    k: str,
    n: str,
    pair: str | None = "game",
    cluster: str = "game",
    level: float = 0.95,
) -> dict[str, Any]:
    """Second minus first on any two frames of rows: `diff low high paired gain games` (method D).

    `pair` names the column by which clusters of both frames met the same cards, and None says they did not.
    """
    if pair is None:
        one, two = (Sums.of(add_up(frame, k, n, cluster)) for frame in (first, second))
        found, games = subtract(one, two, level=level), min(float(one.games[0]), float(two.games[0]))
    else:
        units = [
            frame.group_by(pair).agg(
                pl.col(k).cast(pl.Float64).sum().alias("k"), pl.col(n).cast(pl.Float64).sum().alias("n")
            )
            for frame in (first, second)
        ]
        both = units[0].join(units[1], on=pair, suffix="2")
        k1, n1, k2, n2 = (both[name].to_numpy() for name in ("k", "n", "k2", "n2"))
        found = subtract_pairs((k1, n1), (k2, n2), level)
        games = float(both.height)
    return {
        "diff": float(found.value[0]),
        "low": float(found.low[0]),
        "high": float(found.high[0]),
        "paired": pair is not None,
        "gain": float(found.gain[0]),
        "games": int(games),
    }


def holm(p: ArrayLike) -> Array:
    """Holm's adjusted p-values of a table of tests; NaN stays NaN and does not count as a test."""
    values = np.asarray(p, float)
    adjusted = np.full(values.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    steps = values[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    return adjusted
