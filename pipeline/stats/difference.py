"""Method D: the difference of two ratios, paired game by game where both met the same cards, else unpaired."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from pipeline.levels import count_errors
from pipeline.stats.ratio import LEAST_GAMES, Array, Sums, add_up, estimate, multiply, sum_games


@dataclass(frozen=True)
class Difference:
    """Second minus first: value, interval, standard error, and what pairing gained (1 where there is none).

    `freedom`: degrees of freedom of the standard error, where it comes from a few blocks; else it is normal.
    """

    value: Array
    low: Array
    high: Array
    se: Array
    gain: Array
    freedom: Array | None = None

    @property
    def p(self) -> Array:
        """Two-sided p-value of no difference; NaN where there is no standard error, or not one game differs.

        Two that are alike in every game are no test: they would weaken the others of a table.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.abs(self.value) / self.se
        z = z if self.freedom is None else _z_of(z, self.freedom)
        erfc = np.frompyfunc(_tail, 1, 1)
        return np.asarray(erfc(z), float)


def _z_of(t: Array, freedom: Array) -> Array:
    """The normal quantile that a quantile of Student's t is as rare as (Wallace 1959; within 0.2 % from 29 degrees)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return (8 * freedom + 1) / (8 * freedom + 3) * np.sqrt(freedom * np.log1p(t * t / freedom))


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
    cross = Cross(*(np.array([multiply(a, b)]) for a in first for b in second))
    return subtract(sum_games(*first), sum_games(*second), cross, level)


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
