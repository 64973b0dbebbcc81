"""Quantiles, spreads, means over mirror blocks off roll-ups: values as from tables, intervals much as wide."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline import kinds
from pipeline.measure import measure
from pipeline.metric import load_metric
from pipeline.run import Run, open_run

OWN = (
    "win_rate",
    "points_edge",
    "skill",
    "skill_per_deal",
    "games_to_tell",
    "swing",
    "open_turn",
    "first_canasta_turn",
)
COUNTED = ("value", "games", "numerator", "denominator")
SPLIT = [
    ("win_rate", ("variant",)), ("points_edge", ("given_lineup",)), ("swing", ("variant", "deal")), ("swing", ()),
    ("skill", ()), ("open_turn", ("variant", "strategy")), ("first_canasta_turn", ("given_lineup",)),
]  # fmt: skip


@pytest.fixture(scope="module")
def run(rolled_run) -> Run:
    return open_run(rolled_run)


def both(run: Run, name: str, by: tuple[str, ...] | None = None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """From tables and from roll-ups."""
    metric = load_metric(name)
    return measure(run.cursor(), metric, by), measure(run.cursor(), metric, by, cells=run.parts)


@pytest.mark.parametrize(("name", "by"), [*((name, None) for name in OWN), *SPLIT])
def test_values_off_roll_ups_are_those_of_the_tables(run, name, by):
    tables, rolled = both(run, name, by)
    assert rolled["source"].str.starts_with("rollup").all()
    assert rolled["method"].str.ends_with(", 64 blocks").all()
    columns = [*tables.columns[: tables.columns.index("value")], *COUNTED]
    assert_frame_equal(tables.select(columns), rolled.select(columns), rel_tol=1e-9)


def test_intervals_off_roll_ups_are_as_wide_as_those_of_the_tables(run):
    wide = pl.col("high") - pl.col("low")
    ratios = []
    for name in ("win_rate", "points_edge", "skill", "skill_per_deal", "swing"):
        tables, rolled = both(run, name)
        ratios += (rolled.select(wide).to_series() / tables.select(wide).to_series()).to_list()
    assert all(0.6 < ratio < 1.5 for ratio in ratios)
    assert sum(ratios) / len(ratios) == pytest.approx(1, abs=0.12)


@pytest.mark.parametrize("name", ["open_turn", "first_canasta_turn", "cards_per_take", "freeze_length"])
def test_distributions_off_roll_ups_are_those_of_the_tables(run, name):
    metric = load_metric(name)
    tables = kinds.distribution(run.cursor(), metric, ["variant", "lineup"])
    rolled = run.distribution(name, ["variant", "lineup"])
    columns = ["variant", "lineup", "at", "n", "share", "cum"]
    assert_frame_equal(tables.select(columns), rolled.select(columns))
    assert (rolled["games"] <= 660).all()


def test_a_condition_and_too_few_games_are_left_to_the_tables(run, sample_run):
    assert (run.metric("open_turn", where="score > 0")["source"] == "sides").all()
    assert (run.metric("swing", where="score > 0")["source"] == "side_margins").all()
    small = open_run(sample_run)
    assert (small.metric("win_rate")["source"] == "mirror blocks").all()
    assert (small.metric("swing")["source"] == "side_margins").all()


def test_a_block_is_left_out_in_every_seating_or_the_tables_answer(run):
    metric = load_metric("win_rate")
    lacking = [cell for cell in run.parts if cell.lineup == "safe~naive"]
    found = measure(run.cursor(), metric, cells=lacking)
    assert (found["source"] == "mirror blocks").all()
    assert_frame_equal(found, measure(run.cursor(), metric))
