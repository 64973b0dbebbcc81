"""Distributions and quantiles on clustered data: exact, monotone, and their intervals cover what they promise."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput
from pipeline import stats

ROWS = st.lists(st.tuples(st.integers(1, 40), st.none() | st.integers(-5, 5)), min_size=1, max_size=120)


def frame_of(rows: list[tuple[int, int | None]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"game": pl.Int64, "x": pl.Int64}, orient="row")


def clustered(rng: np.random.Generator, datasets: int, games: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Rows of games that have their own luck; long games have larger values. And all values, for the truth."""
    n = 2 + rng.poisson(3, datasets * games)
    game = np.repeat(np.arange(datasets * games), n)
    value = (
        (4000 + rng.normal(0, 600, len(n))[game] + 100 * n[game] + rng.normal(0, 600, len(game))).round().astype(int)
    )
    return pl.DataFrame({"data": game // games, "game": game % games, "x": value}), value


def check_coverage(datasets: int, games: int, least: float, most: float) -> None:
    frame, values = clustered(np.random.default_rng(3), datasets, games)
    found = stats.quantile(frame, "x", [0.1, 0.5, 0.9], by=["data"])
    for p in (0.1, 0.5, 0.9):
        truth = float(np.quantile(values, p, method="inverted_cdf"))
        held = found.filter(p=p).select((pl.col("low") <= truth) & (truth <= pl.col("high"))).to_series().mean()
        assert least <= held <= most, (p, held)


def test_quantile_intervals_cover_95_percent_of_clustered_data():
    check_coverage(300, 150, 0.915, 0.985)


@pytest.mark.slow
def test_quantile_intervals_cover_93_to_97_percent_of_many_datasets():
    check_coverage(2_000, 300, 0.93, 0.97)


def test_rows_alone_would_promise_too_much():
    frame, _ = clustered(np.random.default_rng(4), 1, 2_000)
    apart = frame.with_row_index("row")
    by_game, by_row = (stats.quantile(apart, "x", [0.5], cluster).row(0, named=True) for cluster in ("game", "row"))
    assert by_game["value"] == by_row["value"]
    assert by_game["high"] - by_game["low"] > by_row["high"] - by_row["low"]


@given(ROWS)
def test_a_distribution_counts_every_row_once_and_its_shares_are_ratios_of_sums(rows):
    frame = frame_of(rows)
    found = stats.distribute(frame, "x")
    assert found["n"].sum() == len(rows)
    assert found["cum"][-1] == pytest.approx(1)
    assert found["share"].sum() == pytest.approx(1)
    for row in found.iter_rows(named=True):
        at = 10**9 if row["at"] is None else row["at"]
        kept = frame.with_columns(pl.col("x").fill_null(10**9), pl.lit(1).alias("one"))
        for share, held in (("share", pl.col("x") == at), ("cum", pl.col("x") <= at)):
            expected = stats.ratio(kept.with_columns(held.cast(pl.Int64).alias("k")), "k", "one", method="W")
            for end, name in (("value", share), ("low", f"{share}_low"), ("high", f"{share}_high")):
                wanted = expected[end].item()
                assert row[name] == (None if wanted is None else pytest.approx(wanted, abs=1e-9))


@given(ROWS, st.floats(0.01, 0.99))
def test_a_quantile_is_the_smallest_value_with_enough_rows_at_or_below(rows, p):
    ordered = sorted(10**9 if x is None else x for _, x in rows)
    expected = ordered[int(np.ceil(p * len(ordered) - 1e-9)) - 1]
    row = stats.quantile(frame_of(rows), "x", [p]).row(0, named=True)
    assert row["value"] == (None if expected == 10**9 else expected)
    assert row["never"] == (expected == 10**9)
    assert row["below"] == sum(x <= expected for x in ordered)


def test_an_interval_holds_its_value_and_widens_with_the_level():
    frame, _ = clustered(np.random.default_rng(5), 1, 400)
    rows = [stats.quantile(frame, "x", [0.3], level=level).row(0, named=True) for level in (0.8, 0.95, 0.999)]
    for narrow, wide in pairwise(rows):
        assert wide["low"] <= narrow["low"] <= narrow["value"] <= narrow["high"] <= wide["high"]


def test_what_mostly_never_happened_has_a_median_beyond_all_numbers():
    frame = pl.DataFrame({"game": range(500), "x": [3] * 200 + [None] * 300})
    low, median = stats.quantile(frame, "x", [0.2, 0.5]).iter_rows(named=True)
    assert (low["value"], low["never"]) == (3, False)
    assert (median["value"], median["never"], median["high_never"]) == (None, True, True)
    near = pl.DataFrame({"game": range(500), "x": [3] * 255 + [None] * 245})
    row = stats.quantile(near, "x", [0.5]).row(0, named=True)
    assert (row["value"], row["never"], row["high"], row["high_never"]) == (3, False, None, True)


def test_a_row_may_stand_for_several():
    frame = pl.DataFrame({"game": [1, 1, 2], "x": [1, 2, 2], "w": [3, 1, 2]})
    spread_out = frame.select(pl.all().repeat_by("w")).explode(pl.all())
    assert stats.distribute(frame, "x", weight="w").equals(stats.distribute(spread_out, "x"))


def test_blocks_of_games_tell_the_same_with_intervals_as_wide():
    frame, _ = clustered(np.random.default_rng(6), 1, 4_000)
    blocks = frame.with_columns((pl.col("game") % 64).alias("block"), pl.lit(4_000).alias("games"))
    by_game = stats.distribute(frame.with_columns(pl.col("x") // 500), "x")
    by_block = stats.distribute(blocks.with_columns(pl.col("x") // 500), "x", "block", games="games")
    same = ["at", "n", "share", "cum"]
    assert by_block.select(same).equals(by_game.select(same))
    assert by_block["games"].to_list() == by_game["games"].to_list()
    for name in ("share", "cum"):
        inside = (by_game[name] > 0.01) & (by_game[name] < 0.99)
        widths = [one.filter(inside)[f"{name}_high"] - one.filter(inside)[f"{name}_low"] for one in (by_game, by_block)]
        assert (widths[1] / widths[0]).mean() == pytest.approx(1, abs=0.15)
    # What is certain goes by games, not by the 64 blocks.
    ends = ["cum_low", "cum_high"]
    assert by_block[-1].select(ends).row(0) == pytest.approx(by_game[-1].select(ends).row(0))
    ps = [0.1, 0.5, 0.9]
    assert stats.quantile(blocks, "x", ps, "block", games="games")["value"].to_list() == stats.quantile(frame, "x", ps)[
        "value"].to_list()  # fmt: skip


@pytest.mark.slow
def test_quantile_intervals_by_blocks_cover_93_to_97_percent():
    frame, values = clustered(np.random.default_rng(7), 800, 1_280)
    frame = frame.with_columns(pl.col("game") % 64, pl.lit(1_280).alias("games"))
    found = stats.quantile(frame, "x", [0.1, 0.5, 0.9], by=["data"], games="games")
    for p in (0.1, 0.5, 0.9):
        truth = float(np.quantile(values, p, method="inverted_cdf"))
        held = found.filter(p=p).select((pl.col("low") <= truth) & (truth <= pl.col("high"))).to_series().mean()
        assert 0.93 <= held <= 0.97, (p, held)


def test_few_games_have_no_interval_and_wrong_names_are_refused():
    frame = pl.DataFrame({"game": range(29), "x": range(29)})
    row = stats.quantile(frame, "x", [0.5]).row(0, named=True)
    assert (row["low"], row["high"], row["few"], row["value"]) == (None, None, True, 14)
    with pytest.raises(BadInput, match="column 'y': the frame has game, x"):
        stats.quantile(frame, "y", [0.5])
    with pytest.raises(BadInput, match="between 0 and 1"):
        stats.quantile(frame, "x", [1])
