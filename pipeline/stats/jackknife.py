"""Intervals from counts by block of games: the delete-one jackknife over 64 blocks (METRICS §2).

Arrays have a place a block along their last axis; block b holds the same games in every cell, so that cells that
met the same cards pair block by block. Blocks in which nothing was there to count leave nothing out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.errors import BadInput
from pipeline.levels import count_errors
from pipeline.stats.difference import Difference
from pipeline.stats.ratio import METHODS, Array, Estimate, wilson_of

LEAST_BLOCKS = 30
"""Fewer blocks with something to count than this get no interval."""
LEAST_GAMES_IN_BLOCKS = 640
"""Of fewer games blocks are too small: the tables answer."""


@dataclass(frozen=True)
class Blocks:
    """Numerators and denominators by block, and the games of each estimate: at most as many as could count."""

    k: Array
    n: Array
    games: Array

    @property
    def filled(self) -> NDArray[np.bool_]:
        """Blocks with something to count."""
        return np.asarray((self.n != 0) | (self.k != 0), np.bool_)

    @property
    def left_out(self) -> Array:
        """The ratio without each block; the whole ratio's own where the block is empty, NaN where nothing is left."""
        with np.errstate(divide="ignore", invalid="ignore"):
            rest: Array = (self.k.sum(-1, keepdims=True) - self.k) / (self.n.sum(-1, keepdims=True) - self.n)
        return np.where(np.isfinite(rest), rest, np.nan)

    @property
    def counted(self) -> Array:
        """Games that had something to count, as far as blocks can tell: no more than were counted."""
        return np.asarray(np.minimum(self.games, self.n.sum(-1)), float)


def t_of(z: float, freedom: Array) -> Array:
    """Quantile of Student's t from the normal one, by Cornish and Fisher; within 1e-7 from 29 degrees of freedom."""
    one = (z**3 + z) / 4
    two = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    three = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    four = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    with np.errstate(divide="ignore", invalid="ignore"):
        return z + one / freedom + two / freedom**2 + three / freedom**3 + four / freedom**4


def estimate_blocks(blocks: Blocks, method: str = "R", level: float = 0.95) -> Estimate:
    """Ratios with intervals by method R, W or B; none where fewer than LEAST_BLOCKS blocks have something to count."""
    if method not in METHODS:
        raise BadInput(f"interval '{method}': one of {', '.join(METHODS)}")
    z = count_errors(level)
    k, n, games = blocks.k.sum(-1), blocks.n.sum(-1), blocks.counted
    filled = blocks.filled.sum(-1)
    se = _spread_of(blocks.left_out, blocks.filled)
    enough = filled >= LEAST_BLOCKS
    t = t_of(z, np.where(enough, filled - 1, np.nan))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(n > 0, k / n, np.nan)
        if method in ("W", "B"):
            certain = (k <= 0) | (k >= n)
            rows = np.where(certain, games, np.minimum(value * (1 - value) / se**2, n))
            single = (n <= blocks.games) & (method == "B")
            low, high = wilson_of(value * np.where(single, n, rows), np.where(single, n, rows), np.where(single, z, t))
        else:
            low, high = value - t * se, value + t * se
    low, high = (np.where(enough, end, np.nan) for end in (low, high))
    return Estimate(value, low, high, np.where(filled > 1, se, np.nan), games)


def subtract_blocks(first: Blocks, second: Blocks, paired: NDArray[np.bool_], level: float = 0.95) -> Difference:
    """Method D: the ratio of `second` minus that of `first`, block by block where `paired`, else unpaired."""
    value = _divide(second) - _divide(first)
    apart = _spread_of(first.left_out, first.filled) ** 2 + _spread_of(second.left_out, second.filled) ** 2
    either = first.filled | second.filled
    together = _spread_of(_filled_rest(second) - _filled_rest(first), either) ** 2
    together = np.where(paired, together, apart)
    # What rounding leaves of two cells that played alike is no variance.
    together = np.where(together > 1e-12 * apart, together, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.where(together > 0, apart / together, np.where(apart > 0, np.inf, 1.0))
    fewer = np.minimum(first.filled.sum(-1), second.filled.sum(-1))
    freedom, enough = (fewer - 1).astype(float), fewer >= LEAST_BLOCKS
    se = np.sqrt(together)
    half = np.where(enough, t_of(count_errors(level), np.where(enough, freedom, np.nan)) * se, np.nan)
    return Difference(value, value - half, value + half, se, gain, freedom)


def _spread_of(left_out: Array, filled: NDArray[np.bool_]) -> Array:
    """Standard error of what was estimated without each block in turn."""
    count = filled.sum(-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(filled, left_out, 0).sum(-1) / count
        squares = np.where(filled, (left_out - mean[..., None]) ** 2, 0).sum(-1)
        return np.asarray(np.sqrt(squares * (count - 1) / count), float)


def _filled_rest(blocks: Blocks) -> Array:
    """The ratio without each block, and without an empty block the ratio itself."""
    return np.where(blocks.filled, blocks.left_out, _divide(blocks)[..., None])


def _divide(blocks: Blocks) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        n = blocks.n.sum(-1)
        return np.asarray(np.where(n > 0, blocks.k.sum(-1) / n, np.nan), float)
