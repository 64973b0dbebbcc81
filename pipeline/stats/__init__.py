"""Intervals on clustered data. The independent unit is the game, never the row (design effect 11 for frozen turns).

Methods by their codes (METRICS §2), one module each kind:

* R: ratio of sums, normal interval from the variance between games.
* W: a share of rows; Wilson's interval on as many rows as R's variance says there really are.
* B: 0 or 1 a game; Wilson's interval on games, or as W where several games make one unit.
* Q: quantile of whole numbers; Woodruff's interval, read back through the exact histogram.
* S: any statistic of totals; bootstrap over games or blocks, 1,000 resamples, seeded.
* P: mean over mirror blocks; a sequential test on them, and strengths of many (Bradley–Terry).
* D: difference of two ratios, paired game by game where both met the same cards, else unpaired; and weighted sums of
  several (`contrast`), such as the mean effect of a rule.

R, W, B and D come from games (`estimate`, `subtract`) or, a thousand times cheaper, from 64 blocks of games
(`estimate_blocks`, `subtract_blocks`): the delete-one jackknife.

Pure functions of numbers and frames; nothing here knows a file, a table or a metric.
"""

from pipeline.stats.contrast import Ratios, contrast, ratios_of_blocks, ratios_of_games
from pipeline.stats.difference import Cross, Difference, difference, subtract, subtract_pairs
from pipeline.stats.jackknife import (
    LEAST_BLOCKS,
    LEAST_GAMES_IN_BLOCKS,
    Blocks,
    estimate_blocks,
    subtract_blocks,
    t_of,
)
from pipeline.stats.many import holm
from pipeline.stats.mirror import Verdict, bradley_terry, sprt
from pipeline.stats.quantile import distribute, quantile
from pipeline.stats.ratio import (
    FEW_GAMES,
    FEW_WIDTH,
    LEAST_GAMES,
    METHODS,
    Array,
    Estimate,
    Places,
    Sums,
    add_up,
    estimate,
    ratio,
    sum_games,
    wilson,
)
from pipeline.stats.spread import bootstrap, deviation, standard_deviation

__all__ = [
    "FEW_GAMES",
    "FEW_WIDTH",
    "LEAST_BLOCKS",
    "LEAST_GAMES",
    "LEAST_GAMES_IN_BLOCKS",
    "METHODS",
    "Array",
    "Blocks",
    "Cross",
    "Difference",
    "Estimate",
    "Places",
    "Ratios",
    "Sums",
    "Verdict",
    "add_up",
    "bootstrap",
    "bradley_terry",
    "contrast",
    "deviation",
    "difference",
    "distribute",
    "estimate",
    "estimate_blocks",
    "holm",
    "quantile",
    "ratio",
    "ratios_of_blocks",
    "ratios_of_games",
    "sprt",
    "standard_deviation",
    "subtract",
    "subtract_blocks",
    "subtract_pairs",
    "sum_games",
    "t_of",
    "wilson",
]
