"""Intervals from blocks of games: they agree with leaving blocks out by hand, with games, and cover 95 percent."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import norm
from scipy.stats import t as student

from pipeline import stats
from pipeline.stats import Blocks, estimate_blocks, subtract_blocks


def blocks_of(k: np.ndarray, n: np.ndarray) -> Blocks:
    """Games of datasets, one a row, by block; games come block by block in turn."""
    both = (part.reshape(len(part), -1, 64).sum(1).astype(float) for part in (k, n))
    return Blocks(*both, (n > 0).sum(-1).astype(float))


def play(rng: np.random.Generator, datasets: int = 400, games: int = 1_280) -> tuple[np.ndarray, np.ndarray]:
    """Rows k of n in games that differ: long games have a higher share."""
    n = 20 + rng.poisson(60, (datasets, games))
    return rng.binomial(n, np.minimum(rng.beta(2.2, 5.8, n.shape) * (0.7 + n / 267), 1)), n


@pytest.mark.parametrize("freedom", [29, 40, 63])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_students_quantiles_and_tails_are_those_of_the_tables(freedom, level):
    p = 0.5 + level / 2
    assert stats.t_of(norm.ppf(p), np.array(freedom)) == pytest.approx(student.ppf(p, freedom), rel=1e-6)
    found = stats.Difference(*np.array([[student.ppf(p, freedom)], [0], [0], [1], [1], [freedom]]))
    assert found.p[0] == pytest.approx(1 - level, rel=5e-3)


counts = arrays(np.float64, (2, 64), elements=st.integers(0, 50).map(float))


@given(counts)
def test_the_standard_error_is_that_of_leaving_out_blocks_one_by_one(given_counts):
    k, n = given_counts[0], given_counts[1]
    found = estimate_blocks(Blocks(k[None], n[None], np.array([1e6])))
    there = [(a, b) for a, b in zip(k, n, strict=True) if a or b]
    total_k, total_n = k.sum(), n.sum()
    if len(there) < 2 or any(total_n == b for _, b in there):
        return
    rest = [(total_k - a) / (total_n - b) for a, b in there]
    mean = sum(rest) / len(rest)
    se = math.sqrt(sum((one - mean) ** 2 for one in rest) * (len(rest) - 1) / len(rest))
    assert found.value[0] == total_k / total_n
    assert found.se[0] == pytest.approx(se, rel=1e-6, abs=1e-12)
    if len(there) >= 30:
        half = student.ppf(0.975, len(there) - 1) * se
        assert (found.low[0], found.high[0]) == pytest.approx((found.value[0] - half, found.value[0] + half), abs=1e-6)
    else:
        assert np.isnan([found.low[0], found.high[0]]).all()


def test_blocks_and_games_give_the_same_value_and_much_the_same_interval():
    k, n = play(np.random.default_rng(1), 1, 64_000)
    games = stats.estimate(stats.sum_games(k[0].astype(float), n[0].astype(float)), "W")
    blocks = estimate_blocks(blocks_of(k, n), "W")
    assert blocks.value == games.value
    assert blocks.high - blocks.low == pytest.approx(games.high - games.low, rel=0.25)


@pytest.mark.parametrize("method", ["R", "W"])
def test_intervals_from_blocks_cover_95_percent(method):
    k, n = play(np.random.default_rng(2), 800)
    found = estimate_blocks(blocks_of(k, n), method)
    truth = k.sum() / n.sum()
    assert 0.92 < np.mean((found.low <= truth) & (truth <= found.high)) < 0.98


def test_what_never_or_always_happens_gets_an_interval_from_games_not_rows():
    n = np.full((2, 64), 1_000.0)
    found = estimate_blocks(Blocks(np.array([np.zeros(64), n[0]]), n, np.array([640.0, 640.0])), "W")
    _, high = stats.wilson(0, 640)
    assert found.low.tolist()[0] == 0
    assert found.high.tolist()[1] == 1
    assert found.high[0] == pytest.approx(high, rel=0.05)
    rare = estimate_blocks(Blocks(np.zeros((1, 64)), np.full((1, 64), 1.0), np.array([640.0])), "W")
    assert rare.games[0] == 64
    assert rare.high[0] > found.high[0]


def test_a_result_of_games_is_as_from_the_games_themselves():
    k = np.full((1, 64), 7.0)
    found = estimate_blocks(Blocks(k, np.full((1, 64), 10.0), np.array([640.0])), "B")
    assert (found.low[0], found.high[0]) == pytest.approx(tuple(float(one) for one in stats.wilson(448, 640)))


def test_empty_blocks_change_nothing_and_few_filled_ones_give_no_interval():
    rng = np.random.default_rng(3)
    k, n = rng.poisson(5, (1, 64)).astype(float), rng.poisson(20, (1, 64)).astype(float) + 1
    few = np.where(np.arange(64) < 29, 1.0, 0.0)
    found = estimate_blocks(Blocks(k * few, n * few, np.array([1e4])))
    assert np.isnan(found.low[0])
    assert found.value[0] == (k * few).sum() / (n * few).sum()
    nothing = estimate_blocks(Blocks(k * 0, n * 0, np.array([1e4])), "W")
    assert np.isnan([nothing.value[0], nothing.low[0], nothing.se[0]]).all()
    assert nothing.few[0]


def pairs(rng: np.random.Generator, datasets: int) -> tuple[np.ndarray, ...]:
    """Two cells that share the luck of each game."""
    luck = rng.normal(0, 20, (datasets, 1_280))
    one, two = (100 + luck + rng.normal(shift, 10, luck.shape) for shift in (0, 2))
    return one, two, np.ones(luck.shape)


@pytest.mark.parametrize("paired", [True, False])
def test_differences_from_blocks_cover_95_percent(paired):
    rng = np.random.default_rng(4)
    one, two, n = pairs(rng, 800)
    one = one if paired else pairs(rng, 800)[0]
    found = subtract_blocks(blocks_of(one, n), blocks_of(two, n), np.full(800, paired))
    assert 0.92 < np.mean((found.low <= 2) & (found.high >= 2)) < 0.98
    assert np.median(found.gain) == pytest.approx(5 if paired else 1, rel=0.1)


def test_a_difference_to_itself_is_nothing_for_certain_and_no_test():
    one, _, n = pairs(np.random.default_rng(5), 1)
    found = subtract_blocks(blocks_of(one, n), blocks_of(one, n), np.array([True]))
    assert (found.value[0], found.low[0], found.high[0]) == (0, 0, 0)
    assert np.isnan(found.p[0])
