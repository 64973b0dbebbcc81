"""Weighted sums of the ratios of several cells: method D for a mean of differences, or a difference of differences.

What a game (or a block of games) adds to the error of every ratio is kept, so that cells that met the same cards are
weighed game by game; a difference of two cells comes out as `subtract_pairs` and `subtract_blocks` have it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.levels import count_errors
from pipeline.stats.difference import Difference
from pipeline.stats.jackknife import LEAST_BLOCKS, Blocks, t_of
from pipeline.stats.ratio import LEAST_GAMES, Array, Places


@dataclass(frozen=True)
class Ratios:
    """Ratios of several cells, a place a cell.

    `errors` (cell, unit) is what each game or block adds to the error: squares add up to the variance, and a unit has
    the same place in every cell. `freedom` is None where errors are normal; without `enough` there is no interval.
    """

    value: Array
    errors: Array
    games: Array
    enough: NDArray[np.bool_]
    freedom: Array | None = None

    @property
    def spread(self) -> Array:
        """Standard deviation between games: what differences are measured against."""
        return np.asarray(np.sqrt((self.errors**2).sum(-1) * self.games), float)


def ratios_of_blocks(blocks: Blocks) -> Ratios:
    """Ratios of cells (cell, block); errors by leaving out one block after the other."""
    filled = blocks.filled.sum(-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(blocks.n.sum(-1) > 0, blocks.k.sum(-1) / blocks.n.sum(-1), np.nan)
        mean = np.where(blocks.filled, blocks.left_out, 0).sum(-1) / filled
        size = np.sqrt((filled - 1) / filled)
    errors = np.where(blocks.filled, (mean[:, None] - blocks.left_out) * size[:, None], 0.0)
    return Ratios(value, errors, blocks.counted, filled >= LEAST_BLOCKS, (filled - 1).astype(float))


def ratios_of_games(k: Array, n: Array) -> Ratios:
    """Ratios of cells (cell, game), 0 where a cell has not the game."""
    games = np.count_nonzero(n > 0, axis=-1).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(n.sum(-1) > 0, k.sum(-1) / n.sum(-1), np.nan)
        size = np.sqrt(games / (games - 1)) / n.sum(-1)
        errors = (k - value[:, None] * n) * size[:, None]
    return Ratios(value, errors, games, games >= LEAST_GAMES)


def contrast(ratios: Ratios, weights: Array, cards: Places, level: float = 0.95) -> Difference:
    """Weighted sums (contrast, cell) of the ratios. Cells with the same number in `cards` met the same cards.

    NaN where a cell that weighs has nothing to count. `gain` is the variance without common cards ÷ with them.
    """
    known = ~np.isnan(ratios.value)
    lost = (weights[:, ~known] != 0).any(-1)
    value = np.where(lost, np.nan, _weigh(weights, np.where(known, ratios.value, 0.0)))
    errors = np.where(known[:, None], ratios.errors, 0.0)
    apart = _weigh(weights**2, (errors**2).sum(-1))
    together = np.zeros(len(weights))
    for number in np.unique(cards):
        members = cards == number
        # np.dot would wake BLAS threads, which wait for each other on a busy machine
        together += (np.einsum("wc,cu->wu", weights[:, members], errors[members]) ** 2).sum(-1)
    # What rounding leaves of cells that played alike is no variance.
    together = np.where(together > 1e-12 * apart, together, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.where(together > 0, apart / together, np.where(apart > 0, np.inf, 1.0))
    enough = ~((weights != 0) & ~ratios.enough).any(-1) & ~lost
    freedom = None
    errors_wide: Array | float = count_errors(level)
    if ratios.freedom is not None:
        freedom = np.where(weights != 0, ratios.freedom, np.inf).min(-1)
        freedom = np.where(enough, freedom, np.nan)
        errors_wide = t_of(count_errors(level), freedom)
    se = np.where(lost, np.nan, np.sqrt(together))
    half = np.where(enough, errors_wide * se, np.nan)
    return Difference(value, value - half, value + half, se, gain, freedom)


def _weigh(weights: Array, values: Array) -> Array:
    return np.asarray(np.einsum("wc,c->w", weights, values), float)
