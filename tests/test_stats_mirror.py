"""Sequential tests, strengths of many and bootstraps on blocks: error rates, known strengths, coverage."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from engine.errors import BadInput
from pipeline import stats
from pipeline.stats.spread import FOLDS, fold

STRENGTHS = {"a": 0.0, "b": 0.3, "c": 0.35, "d": 1.2}


def draw_blocks(rng: np.random.Generator, win_rate: float, blocks: int) -> np.ndarray:
    """Results of mirror blocks of two games: most are shared, for the cards decide."""
    return rng.choice([0, 0.5, 1], size=blocks, p=[0.85 - win_rate, 0.3, win_rate - 0.15])


def count_verdicts(win_rate: float, tests: int, seed: int = 1) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    verdicts = [stats.sprt(draw_blocks(rng, win_rate, 5_000), 0.48, 0.52).verdict for _ in range(tests)]
    return {word: verdicts.count(word) / tests for word in ("h0", "h1", "go on")}


@pytest.mark.parametrize(("win_rate", "wrong"), [(0.48, "h1"), (0.52, "h0")])
def test_a_sequential_test_errs_in_at_most_5_percent(win_rate, wrong):
    found = count_verdicts(win_rate, 1_000)
    assert 0.01 < found[wrong] < 0.065
    assert found["go on"] < 0.01


def test_a_sequential_test_is_surer_and_quicker_of_a_clear_winner():
    rng = np.random.default_rng(2)
    clear, close = (
        [stats.sprt(draw_blocks(rng, win_rate, 5_000), 0.48, 0.52) for _ in range(100)] for win_rate in (0.6, 0.52)
    )
    assert all(one.verdict == "h1" for one in clear)
    assert np.mean([one.blocks for one in clear]) < np.mean([one.blocks for one in close]) / 3


def test_a_sequential_test_keeps_its_first_verdict():
    rng = np.random.default_rng(3)
    blocks = draw_blocks(rng, 0.55, 5_000)
    verdict = stats.sprt(blocks, 0.48, 0.52)
    assert verdict.verdict == "h1"
    assert verdict.llr >= verdict.upper == pytest.approx(math.log(19))
    assert stats.sprt([*blocks[: verdict.blocks], *[0] * 4_000], 0.48, 0.52) == verdict
    assert stats.sprt(blocks[: verdict.blocks - 1], 0.48, 0.52).verdict == "go on"


def test_a_sequential_test_of_nothing_goes_on_and_of_like_results_decides():
    assert stats.sprt([]).verdict == "go on"
    assert stats.sprt([1.0] * 29).verdict == "go on"
    assert (stats.sprt([1.0] * 200).verdict, stats.sprt([0.0] * 200).verdict) == ("h1", "h0")


@pytest.mark.parametrize("given", [{"h0": 0.6, "h1": 0.5}, {"h0": 0.5, "h1": 1.5}, {"alpha": 0}])
def test_a_sequential_test_refuses_what_is_no_pair_of_hypotheses(given):
    with pytest.raises(BadInput, match="between"):
        stats.sprt([0.5], **given)


def play_pool(rng: np.random.Generator, blocks: int) -> pl.DataFrame:
    rows = [
        (one, two, game, rng.binomial(2, 1 / (1 + math.exp(STRENGTHS[two] - STRENGTHS[one]))) / 2)
        for game in range(blocks)
        for one in STRENGTHS
        for two in STRENGTHS
        if one < two
    ]
    return pl.DataFrame(rows, schema=["first", "second", "game", "result"], orient="row")


def test_known_strengths_are_found_again():
    found = stats.bradley_terry(play_pool(np.random.default_rng(4), 1_500))
    assert found["strategy"][0] == "d"
    assert found["strategy"][3] == "a"
    mean = np.mean(list(STRENGTHS.values()))
    for row in found.iter_rows(named=True):
        assert row["strength"] == pytest.approx(STRENGTHS[row["strategy"]] - mean, abs=0.08)
        assert row["win_rate_low"] < row["win_rate"] < row["win_rate_high"]
        assert row["win_rate"] == pytest.approx(1 / (1 + math.exp(-row["strength"])))
        assert (row["blocks"], row["few"]) == (4_500, False)
    assert found["strength"].sum() == pytest.approx(0, abs=1e-6)


def test_strength_intervals_cover_95_percent():
    rng = np.random.default_rng(5)
    mean = np.mean(list(STRENGTHS.values()))
    held = []
    for _ in range(80):
        for row in stats.bradley_terry(play_pool(rng, 60)).iter_rows(named=True):
            truth = 1 / (1 + math.exp(mean - STRENGTHS[row["strategy"]]))
            held.append(row["win_rate_low"] <= truth <= row["win_rate_high"])
    assert 0.9 < np.mean(held) < 0.99


def test_who_cannot_be_told_apart_is_named_by_both():
    found = {
        row["strategy"]: row["ties"] for row in stats.bradley_terry(play_pool(np.random.default_rng(6), 60)).to_dicts()
    }
    assert "c" in found["b"]
    assert "b" in found["c"]
    assert all(one not in found["d"] for one in "abc")


def test_sums_of_blocks_give_the_same_strengths():
    blocks = play_pool(np.random.default_rng(7), 1_000)
    sums = blocks.group_by("first", "second", pl.col("game") % FOLDS).agg(
        pl.col("result").sum(), pl.len().alias("weight")
    )
    whole, folded = stats.bradley_terry(blocks), stats.bradley_terry(sums, weight="weight")
    assert folded.drop("win_rate_low", "win_rate_high").equals(whole.drop("win_rate_low", "win_rate_high"))
    assert folded["win_rate_low"].to_list() == pytest.approx(whole["win_rate_low"].to_list(), abs=1e-9)


def test_who_always_wins_is_strong_but_not_without_end():
    games = pl.DataFrame({"first": ["a"] * 40, "second": ["b"] * 40, "game": range(40), "result": [1.0] * 40})
    assert 0.8 < stats.bradley_terry(games)["win_rate"][0] < 1


def test_strategies_that_never_met_have_no_common_scale():
    games = pl.DataFrame({"first": ["a", "c"], "second": ["b", "d"], "game": [1, 1], "result": [1, 0]})
    with pytest.raises(BadInput, match="c, d never met a"):
        stats.bradley_terry(games)


def test_a_spread_is_the_standard_deviation_and_its_interval_covers_95_percent():
    rng = np.random.default_rng(8)
    held = []
    for _ in range(80):
        luck = np.repeat(rng.normal(0, 600, 200), 5)
        frame = pl.DataFrame({"game": np.repeat(np.arange(200), 5), "x": luck + rng.normal(0, 500, 1_000)})
        row = stats.deviation(frame, "x").row(0, named=True)
        held.append(row["low"] <= math.hypot(600, 500) <= row["high"])
    assert row["value"] == pytest.approx(frame["x"].std())
    assert (row["n"], row["games"]) == (1_000, 200)
    assert 0.88 < np.mean(held) < 1


def test_a_bootstrap_is_the_same_each_time_and_folds_keep_totals():
    units = np.random.default_rng(9).normal(5, 2, (2_000, 3))
    assert fold(units).shape == (FOLDS, 3)
    assert fold(units).sum(0) == pytest.approx(units.sum(0))

    def mean(totals: np.ndarray) -> np.ndarray:
        return totals[:, 0] / totals[:, 1]

    one, two = (stats.bootstrap(units, mean) for _ in range(2))
    assert (one.low[0], one.high[0]) == (two.low[0], two.high[0])
    assert stats.bootstrap(units, mean, seed=2).low[0] != one.low[0]
    assert np.isnan(stats.bootstrap(units[:29], mean).low[0])


def test_a_spread_of_too_few_games_has_no_interval():
    row = stats.deviation(pl.DataFrame({"game": range(20), "x": range(20)}), "x").row(0, named=True)
    assert (row["low"], row["high"], row["few"]) == (None, None, True)
    with pytest.raises(BadInput, match="column 'y'"):
        stats.deviation(pl.DataFrame({"game": [1], "x": [1]}), "y")


@pytest.mark.parametrize("blocks", [30, 400])
def test_who_won_every_block_has_an_interval_as_wide_as_so_many_blocks_leave_it(blocks):
    games = range(blocks)
    whole = [{"game": game, "first": "a", "second": "b", "result": 1.0} for game in games]
    even = [{"game": game, "first": "b", "second": "c", "result": game % 3 / 2} for game in games]
    for rows in (whole, whole + even):
        found = stats.bradley_terry(pl.DataFrame(rows))
        best = found.row(0, named=True)
        assert best["strategy"] == "a"
        assert best["win_rate_low"] + 0.01 < best["win_rate"] < best["win_rate_high"] < 1
        assert best["ties"] == []
    strengths = stats.bradley_terry(pl.DataFrame(whole))["win_rate_low", "win_rate_high"].row(0)
    share_low, share_high = (one**2 / (one**2 + (1 - one) ** 2) for one in strengths)
    low = stats.wilson(blocks, blocks)[0]
    assert 1 - share_low == pytest.approx(float(1 - low), rel=0.5)
    assert share_high > 1 - 0.01 / blocks
