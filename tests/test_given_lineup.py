"""`by=given_lineup`: all rotations of a line-up are one row, clustered by their common game."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from engine.errors import BadInput
from pipeline.metric import load_metric, metric_names
from pipeline.run import Run, open_run

ROTATIONS = ["safe~naive", "naive~safe"]


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.mark.parametrize("name", ["turns_per_game", "discard_risk", "canastas_per_side_deal", "leader_wins"])
def test_rotations_of_a_line_up_are_added_up(run, name):
    by = [one for one in load_metric(name).default_by if one not in ("lineup", "given_lineup")]
    whole = run.metric(name, [*by, "given_lineup"]).filter(given_lineup="safe~naive").drop("given_lineup")
    assert_frame_equal(whole, run.metric(name, by, lineup=ROTATIONS), check_column_order=False)


def test_every_metric_may_be_split_by_the_given_line_up(run):
    assert all("given_lineup" in load_metric(name).dimensions for name in metric_names())
    assert run.metric("turns_per_game", ["given_lineup"])["given_lineup"].to_list() == ["safe", "safe~naive"]


def test_a_given_line_up_with_dimensions_and_a_split_keeps_its_keys(run):
    found = run.metric("points_per_side_deal", ["given_lineup", "strategy", "item"], variant="classic4")
    assert set(found.filter(given_lineup="safe~naive")["strategy"]) == {"safe", "naive"}
    assert found.columns[:3] == ["given_lineup", "strategy", "item"]


def test_a_given_line_up_may_be_the_base(run):
    found = run.metric("turns_per_game", ["variant", "given_lineup"], base="safe", lineup=ROTATIONS)
    assert found.filter(given_lineup="safe")["diff"].null_count() == 2
    for row in found.filter(given_lineup="safe~naive").iter_rows(named=True):
        base = found.filter(variant=row["variant"], given_lineup="safe")["value"][0]
        assert row["diff"] == pytest.approx(row["value"] - base)
        assert row["paired"]


def test_rotations_pair_with_the_base_game_by_game(run):
    base, other = run.variants
    by_given = run.metric("turns_per_game", ["variant", "given_lineup"], base=base).filter(given_lineup="safe~naive")
    rotated = run.metric("turns_per_game", ["variant"], base=base, lineup=ROTATIONS)
    columns = ["variant", "value", "diff", "diff_low", "diff_high", "paired", "gain"]
    assert_frame_equal(by_given.select(columns), rotated.select(columns))
    assert by_given.filter(variant=other)["gain"].null_count() == 0


def test_a_base_needs_its_own_split(run):
    with pytest.raises(BadInput, match="split by lineup"):
        run.metric("turns_per_game", ["variant"], base="safe~naive")
    assert run.metric("turns_per_game", ["given_lineup"], base="safe~naive").height == 2


def test_the_answer_is_in_the_order_of_the_plan(run):
    found = run.metric("turns_per_game", ["given_lineup", "variant"])
    assert found.select(pl.struct("variant", "given_lineup").alias("key"))["key"].to_list() == [
        {"variant": variant, "given_lineup": given} for variant in run.variants for given in ("safe", "safe~naive")
    ]
