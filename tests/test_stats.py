"""Intervals on clustered data: they cover what they promise, and agree with slow arithmetic."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy.stats import binomtest

from engine.errors import BadInput
from pipeline import levels, stats

DATASETS = 2_000


def sums_of(k: np.ndarray, n: np.ndarray) -> stats.Sums:
    """Sums over the last axis: one place a dataset."""
    parts = ((n > 0).sum(-1), k.sum(-1), n.sum(-1), (k * k).sum(-1), (k * n).sum(-1), (n * n).sum(-1))
    return stats.Sums(*(part.astype(float) for part in parts))


def play(rng: np.random.Generator, games: int, share: float = 0.28, spread: float = 8.0) -> tuple[np.ndarray, ...]:
    """Rows k of n in games, DATASETS times: each game has its own share, and long games a higher one."""
    n = 20 + rng.poisson(60, (DATASETS, games))
    own = rng.beta(share * spread, (1 - share) * spread, n.shape) * (0.7 + n / 267)
    return rng.binomial(n, np.minimum(own, 1)), n


def coverage(low: np.ndarray, high: np.ndarray, truth: float) -> float:
    return float(np.mean((low <= truth) & (truth <= high)))


def test_ratio_intervals_cover_95_percent_of_clustered_data():
    k, n = play(np.random.default_rng(1), 400)
    truth = k.sum() / n.sum()
    found = stats.estimate(sums_of(k, n))
    assert 0.93 < coverage(found.low, found.high, truth) < 0.97


def test_share_intervals_cover_95_percent_where_rows_alone_would_not():
    k, n = play(np.random.default_rng(2), 400)
    truth = k.sum() / n.sum()
    found = stats.estimate(sums_of(k, n), "W")
    assert 0.93 < coverage(found.low, found.high, truth) < 0.97
    by_rows = stats.wilson(k.sum(-1), n.sum(-1))
    assert coverage(*by_rows, truth) < 0.6


def test_share_intervals_of_rare_events_cover_95_percent():
    k, n = play(np.random.default_rng(7), 400, 0.002, 300)
    found = stats.estimate(sums_of(k, n), "W")
    assert 0.93 < coverage(found.low, found.high, k.sum() / n.sum()) < 0.97


def test_paired_differences_cover_95_percent_and_gain_what_the_pairs_share():
    rng = np.random.default_rng(3)
    luck = rng.normal(0, 20, (DATASETS, 300))
    one, two = (100 + luck + rng.normal(shift, 10, luck.shape) for shift in (0, 2))
    n = np.ones(luck.shape)
    sums = sums_of(one, n), sums_of(two, n)
    cross = stats.Cross((one * two).sum(-1), one.sum(-1), two.sum(-1), n.sum(-1))
    paired, apart = stats.subtract(*sums, cross), stats.subtract(*sums)
    assert 0.93 < coverage(paired.low, paired.high, 2) < 0.97
    assert coverage(apart.low, apart.high, 2) > 0.995
    assert np.median(paired.gain) == pytest.approx(5, rel=0.1)
    assert np.all(apart.gain == 1)


def test_unpaired_differences_of_strangers_cover_95_percent():
    rng = np.random.default_rng(4)
    (k1, n1), (k2, n2) = play(rng, 200, 0.28), play(rng, 300, 0.31)
    truth = k2.sum() / n2.sum() - k1.sum() / n1.sum()
    found = stats.subtract(sums_of(k1, n1), sums_of(k2, n2))
    assert 0.93 < coverage(found.low, found.high, truth) < 0.97


def test_wilson_is_scipys():
    for k, n in ((0, 10), (3, 10), (10, 10), (1, 5_000)):
        low, high = stats.wilson(k, n, 0.9)
        expected = binomtest(k, n).proportion_ci(0.9, "wilson")
        assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_ratio_is_of_sums_and_its_error_from_games():
    rows = pl.DataFrame({"game": [1, 1, 2, 3], "k": [1, 2, 0, 5], "n": [2, 2, 4, 6]})
    games = [(3, 4), (0, 4), (5, 6)]
    p = 8 / 14
    se = math.sqrt(sum((k - p * n) ** 2 for k, n in games) * 3 / 2) / 14
    estimate = stats.estimate(stats.Sums.of(stats.add_up(rows, "k", "n", "game")))
    assert (estimate.value[0], estimate.se[0]) == pytest.approx((p, se))
    assert estimate.spread[0] == pytest.approx(se * math.sqrt(3))


def test_fewer_than_thirty_games_have_no_interval_and_few_games_are_marked():
    rng = np.random.default_rng(5)
    for games, interval, few in ((29, False, True), (399, True, True), (400, True, False)):
        frame = pl.DataFrame({"game": range(games), "k": rng.integers(40, 60, games), "n": [1] * games})
        row = stats.ratio(frame, "k", "n").row(0, named=True)
        assert (row["low"] is not None, row["few"], row["games"]) == (interval, few, games)


def test_a_wide_interval_is_few_whatever_the_games():
    frame = pl.DataFrame(
        {"game": range(1_000), "k": [1 if game < 10 else 0 for game in range(1_000)], "n": [1] * 1_000}
    )
    assert stats.ratio(frame, "k", "n", method="W").row(0, named=True)["few"]


def test_games_without_an_opportunity_do_not_count():
    frame = pl.DataFrame({"game": range(100), "k": [0] * 50 + [1] * 50, "n": [0] * 50 + [2] * 50})
    row = stats.ratio(frame, "k", "n", method="W").row(0, named=True)
    assert (row["games"], row["value"], row["n"]) == (50, 0.5, 100)


def test_a_share_that_never_or_always_happens_goes_by_games():
    for k in (0, 10):
        frame = pl.DataFrame({"game": range(200), "k": [k] * 200, "n": [10] * 200})
        row = stats.ratio(frame, "k", "n", method="W").row(0, named=True)
        assert (row["low"], row["high"]) == pytest.approx(tuple(float(end) for end in stats.wilson(20 * k, 200)))


def test_the_design_effect_says_how_much_rows_lie():
    k = [10 if game % 2 else 0 for game in range(400)]
    whole_games = pl.DataFrame({"game": range(400), "k": k, "n": [10] * 400})
    assert stats.ratio(whole_games, "k", "n")["deff"].item() == pytest.approx(10, rel=0.01)


def test_differences_pair_by_game_and_leave_out_games_of_one_side():
    first = pl.DataFrame({"game": range(1, 101), "k": range(1, 101), "n": [1] * 100})
    second = pl.DataFrame({"game": range(1, 81), "k": [game + 3 for game in range(1, 81)], "n": [1] * 80})
    paired = stats.difference(first, second, "k", "n")
    assert (paired["diff"], paired["low"], paired["high"], paired["games"]) == pytest.approx((3, 3, 3, 80))
    assert paired["gain"] == math.inf
    apart = stats.difference(first, second, "k", "n", pair=None)
    assert apart["diff"] == pytest.approx(43.5 - 50.5)
    assert (apart["paired"], apart["gain"]) == (False, 1.0)


def test_holm_steps_down_and_skips_what_was_not_tested():
    adjusted = stats.holm([0.01, float("nan"), 0.04, 0.03, 0.9])
    assert adjusted[[0, 2, 3, 4]] == pytest.approx([0.04, 0.09, 0.09, 0.9])
    assert math.isnan(adjusted[1])
    assert stats.holm([]).size == 0


def test_p_values_are_two_sided_and_normal():
    rng = np.random.default_rng(6)
    frames = [pl.DataFrame({"game": range(500), "k": rng.normal(mean, 1, 500), "n": [1] * 500}) for mean in (0, 0)]
    sums = [stats.Sums.of(stats.add_up(frame, "k", "n", "game")) for frame in frames]
    found = stats.subtract(*sums)
    assert found.p[0] == pytest.approx(math.erfc(abs(found.value[0]) / found.se[0] / math.sqrt(2)))


def test_digits_follow_the_half_width():
    assert [levels.count_digits(half) for half in (230, 12, 9.9, 0.21, 0.0099, 0)] == [0, 0, 1, 2, 4, 0]


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_outside_0_and_1_is_refused(level):
    with pytest.raises(BadInput, match="between 0 and 1"):
        stats.wilson(1, 2, level)


def test_unknown_columns_and_methods_are_refused():
    frame = pl.DataFrame({"game": [1], "k": [1], "n": [1]})
    with pytest.raises(BadInput, match=r"column 'x'.*game, k, n"):
        stats.ratio(frame, "x", "n")
    with pytest.raises(BadInput, match="R, W, B"):
        stats.ratio(frame, "k", "n", method="Q")
