"""Mirror blocks: a test that may stop any time (SPRT), and strengths of many from games of pairs (Bradley–Terry).

A block is one game number under every seating of a line-up, on the same cards; its result is a strategy's mean over
them, 0 to 1. Blocks are the unit, never their games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from engine.errors import BadInput
from pipeline.levels import check_level
from pipeline.stats.ratio import FEW_GAMES, LEAST_GAMES, Array
from pipeline.stats.spread import FOLDS, resample

CLOSE = 1e-9


@dataclass(frozen=True)
class Verdict:
    """A sequential test so far: `verdict` is `h1` if `llr` reached `upper`, `h0` if `lower`, else `go on`."""

    llr: float
    lower: float
    upper: float
    verdict: str
    blocks: int
    mean: float


def sprt(blocks: ArrayLike, h0: float = 0.50, h1: float = 0.51, *, alpha: float = 0.05, beta: float = 0.05) -> Verdict:
    """Wald's sequential test of a win rate h1 against h0 on block results in order of play.

    The generalised log-likelihood ratio of block means under the normal law, n·(h1 − h0)·(mean − (h0 + h1)/2) ÷
    variance, as Fishtest has it; looked at after every block from the thirtieth, and the first bound crossed decides.
    `alpha`: chance of `h1` where h0 holds, `beta`: of `h0` where h1 holds.
    """
    if not 0 <= h0 < h1 <= 1:
        raise BadInput(f"h0 {h0}, h1 {h1}: two win rates between 0 and 1, h0 the smaller")
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise BadInput(f"alpha {alpha}, beta {beta}: chances of error between 0 and 0.5")
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    results = np.asarray(blocks, float)
    count = np.arange(1, len(results) + 1)
    means = np.cumsum(results) / count
    # Half a block's worth of doubt: the first blocks may all be alike, and no variance would decide at once.
    variances = (np.cumsum(results**2) - count * means**2 + 0.25) / count
    ratios = count * (h1 - h0) * (means - (h0 + h1) / 2) / variances
    crossed = np.flatnonzero(((ratios <= lower) | (ratios >= upper)) & (count >= LEAST_GAMES))
    place = int(crossed[0]) if len(crossed) else len(results) - 1
    if place < 0:
        return Verdict(0.0, lower, upper, "go on", 0, math.nan)
    llr = float(ratios[place])
    verdict = "go on" if not len(crossed) else "h1" if llr >= upper else "h0"
    return Verdict(llr, lower, upper, verdict, place + 1, float(means[place]))


def bradley_terry(
    blocks: pl.DataFrame,
    first: str = "first",
    second: str = "second",
    result: str = "result",
    cluster: str = "game",
    weight: str | None = None,
    level: float = 0.95,
    seed: int = 1,
) -> pl.DataFrame:
    """Strengths of strategies from results of pairs over mirror blocks, strongest first.

    `blocks` has a row a pair and block: names `first` and `second`, `result` of the first between 0 and 1; with
    `weight`, a row is the sum of so many blocks' results. Columns: `strategy rank win_rate win_rate_low win_rate_high
    strength blocks ties few`: `win_rate` against the pool's mean strength, `strength` its logarithm of odds, `ties`
    whom a strategy cannot be told apart from, as the interval of the difference of strengths holds 0. Intervals are
    bootstrapped over `cluster`, which is drawn for all pairs together: blocks of one number share their cards. Each
    pair that met has half a win added to either side, so that nobody is infinitely strong. Who won every block of a
    pair would do so in every resample; there the share won is drawn as so many blocks leave it open (Jeffreys).
    """
    check_level(level)
    for name in (first, second, result, cluster, *([weight] if weight else [])):
        if name not in blocks.columns:
            raise BadInput(f"column '{name}': the frame has {', '.join(blocks.columns)}")
    names = sorted({*blocks[first].unique(), *blocks[second].unique()})
    if len(names) < 2:
        raise BadInput("strengths need two strategies or more that met")
    wins = _wins_by_cluster(blocks, names, (first, second, result, cluster, weight))
    total = wins.sum(0)
    met = total + total.T > 0
    _check_connected(met, names)
    value = _strengths(total[None], met)[0]
    drawn = _strengths(_draw_certain(resample(wins, seed=seed), total, seed), met)
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(drawn, tails, axis=0)
    apart = np.quantile(drawn[:, :, None] - drawn[:, None, :], tails, axis=0)
    order = np.argsort(-value, kind="stable")
    played = (total + total.T).sum(1)
    units = int(played.min()) if weight else blocks[cluster].n_unique()
    enough = units >= LEAST_GAMES

    def ties(place: int) -> list[str]:
        held = (apart[0, place] <= 0) & (apart[1, place] >= 0)
        return [names[other] for other in order if other != place and held[other]]

    rows = [
        [names[place], rank, _odds(value[place]), _odds(low[place]) if enough else None,
         _odds(high[place]) if enough else None, float(value[place]), round(float(played[place])),
         ties(int(place)), units < FEW_GAMES]
        for rank, place in enumerate(order, 1)
    ]  # fmt: skip
    schema: dict[str, Any] = {
        "strategy": pl.String, "rank": pl.Int64, "win_rate": pl.Float64, "win_rate_low": pl.Float64,
        "win_rate_high": pl.Float64, "strength": pl.Float64, "blocks": pl.Int64, "ties": pl.List(pl.String),
        "few": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def _odds(strength: float) -> float:
    return float(1 / (1 + np.exp(-strength)))


def _wins_by_cluster(
    blocks: pl.DataFrame, names: Sequence[str], columns: tuple[str, str, str, str, str | None]
) -> Array:
    """Wins of row over column, cluster by cluster; every FOLDS-th cluster is added up to one."""
    first, second, result, cluster, weight = columns
    place = {name: number for number, name in enumerate(names)}
    units = blocks[cluster].rank("dense").cast(pl.Int64).to_numpy() - 1
    units = units % FOLDS
    ones, twos = (blocks[column].replace_strict(place, return_dtype=pl.Int64).to_numpy() for column in (first, second))
    won = blocks[result].cast(pl.Float64).to_numpy()
    played = blocks[weight].cast(pl.Float64).to_numpy() if weight else np.ones(len(won))
    wins = np.zeros((int(units.max()) + 1, len(names), len(names)))
    np.add.at(wins, (units, ones, twos), won)
    np.add.at(wins, (units, twos, ones), played - won)
    return wins


def _draw_certain(drawn: Array, total: Array, seed: int) -> Array:
    """The resamples, with wins of pairs of which one won all drawn from Beta(n + ½, ½) instead of being n in each."""
    wins = drawn.copy()
    rng = np.random.default_rng(seed)
    for one, two in np.argwhere((total > 0) & (total.T == 0)):
        blocks = wins[:, one, two].copy()
        share = rng.beta(total[one, two] + 0.5, 0.5, len(blocks))
        # Half a win is added to either side below; it is taken off here, for the share drawn is to stand.
        wins[:, one, two] = (blocks + 1) * share - 0.5
        wins[:, two, one] = (blocks + 1) * (1 - share) - 0.5
    return wins


def _check_connected(met: Array | np.ndarray[Any, Any], names: Sequence[str]) -> None:
    """BadInput when some never met the others, not even through a third."""
    reached = {0}
    while more := {int(j) for i in reached for j in np.flatnonzero(met[i])} - reached:
        reached |= more
    if len(reached) < len(names):
        apart = [name for place, name in enumerate(names) if place not in reached]
        raise BadInput(f"{', '.join(apart)} never met {names[0]}, not even through others: no common scale")


def _strengths(wins: Array, met: np.ndarray[Any, Any]) -> Array:
    """Logarithms of odds with mean 0 for each resample: Newton's steps on the likelihood, all resamples at once."""
    prior = wins + 0.5 * met
    played = prior + prior.transpose(0, 2, 1)
    won = prior.sum(2)
    strengths = np.zeros(won.shape)
    count = won.shape[1]
    for _ in range(100):
        share = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
        gradient = won - (played * share).sum(2)
        slope = -played * share * (1 - share)
        curve = slope.copy()
        curve[:, range(count), range(count)] = -slope.sum(2) + slope[:, range(count), range(count)]
        # Strengths have no zero of their own: adding a constant to the curve holds their mean at 0.
        step = np.linalg.solve(curve + 1.0, gradient[:, :, None])[:, :, 0]
        strengths = strengths + np.clip(step, -1, 1)
        strengths -= strengths.mean(1, keepdims=True)
        if np.abs(step).max() < CLOSE:
            break
    return strengths
