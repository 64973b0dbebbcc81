"""Answers from roll-ups: the same values as from tables, much the same intervals, and tables where they do not fit."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from engine.errors import BadInput
from pipeline import measure_rollups
from pipeline.comparison import Base, compare
from pipeline.measure import measure
from pipeline.measure_sql import measure_sql
from pipeline.metric import load_metric, metric_names
from pipeline.run import Run, open_run

COUNTED = [name for name in metric_names() if not load_metric(name).own_kind]
EXACT = ("value", "numerator", "denominator", "capped", "by_rule")


@pytest.fixture(scope="module")
def run(rolled_run) -> Run:
    return open_run(rolled_run)


@cache
def answers(run: Run, name: str, by: tuple[str, ...] | None = None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """From tables and from roll-ups where they fit."""
    metric = load_metric(name)
    return measure(run.cursor(), metric, by), measure(run.cursor(), metric, by, cells=run.parts)


@pytest.mark.parametrize("name", COUNTED)
def test_values_from_roll_ups_are_those_of_the_tables(run, name):
    tables, rolled = answers(run, name)
    columns = [*tables.columns[: tables.columns.index("value")], *EXACT]
    assert_frame_equal(tables.select(columns), rolled.select(columns), rel_tol=1e-9)
    assert (rolled["games"] <= rolled["denominator"]).all()
    assert (rolled["games"] >= tables["games"]).all()


@pytest.mark.parametrize("by", [("strategy", "rank"), ("card_class",), ("lineup", "in_theirs"), ("variant", "side")])
def test_dimensions_have_the_same_rows_from_roll_ups(run, by):
    tables, rolled = answers(run, "discard_risk", by)
    assert rolled["source"].str.starts_with("rollup").all()
    assert rolled["method"].unique().to_list() == ["W, 64 blocks"]
    columns = [*by, *EXACT]
    assert_frame_equal(tables.select(columns), rolled.select(columns))


def test_intervals_are_as_wide_as_those_of_the_tables(run):
    ratios = []
    for name in COUNTED:
        tables, rolled = answers(run, name)
        wide = pl.col("high") - pl.col("low")
        ratios += (rolled.select(wide).to_series() / tables.select(wide).to_series()).drop_nulls().to_list()
    wide = pl.Series([ratio for ratio in ratios if 0 < ratio < float("inf")])
    assert len(wide) > 200
    assert wide.median() == pytest.approx(1.02, abs=0.05)
    assert (wide.is_between(0.6, 1.6)).mean() > 0.97


def test_a_condition_an_old_roll_up_and_few_games_are_answered_by_tables(run):
    metric, cursor = load_metric("discard_risk"), run.cursor()

    def source(cells, **options) -> str:
        return measure(cursor, metric, ["rank"], cells=cells, **options)["source"][0]

    assert source(run.parts).startswith("rollup")
    assert source(run.parts, where="turn > 3") == "turns"
    old = [replace(cell, shards=tuple(replace(one, rollup_digest="0") for one in cell.shards)) for cell in run.parts]
    assert source(old) == "turns"
    few = [replace(cell, shards=tuple(replace(one, games=1) for one in cell.shards)) for cell in run.parts]
    assert source(few) == "turns"
    assert measure(cursor, metric, ["seat", "rank"], cells=run.parts)["source"][0] == "turns"


def test_two_roll_ups_answer_a_split_counted_in_another_table(run):
    tables, rolled = answers(run, "freezes_per_deal", ("variant", "cause"))
    assert rolled["source"][0] == "rollup freezes, games"
    assert_frame_equal(tables.select("variant", "cause", *EXACT), rolled.select("variant", "cause", *EXACT))


def test_differences_from_roll_ups_are_paired_by_block(run):
    metric, by, base = load_metric("turns_per_deal"), ("variant", "given_lineup"), Base("variant", run.variants[0])
    blocks = compare(run.cursor(), run.parts, metric, by, base).filter(variant=run.variants[1])
    old = [replace(cell, shards=tuple(replace(one, rollup_digest="0") for one in cell.shards)) for cell in run.parts]
    games = compare(run.cursor(), old, metric, by, base).filter(variant=run.variants[1])
    assert blocks["source"][0].startswith("rollup")
    assert games["source"][0] == "games"
    assert_frame_equal(blocks.select("diff", "paired", "form"), games.select("diff", "paired", "form"), rel_tol=1e-9)
    assert blocks["gain"].to_list() == pytest.approx(games["gain"].to_list(), rel=0.4)


def test_findings_from_roll_ups_are_those_of_the_games(run, monkeypatch):
    rolled = run.findings()
    monkeypatch.setattr(measure_rollups.RunCell, "is_rolled_up", lambda cell, digest: False)
    by_game = open_run(run.path).findings()
    keys = ["metric", "variant", "lineup"]
    columns = [*keys, "value", "base_value", "diff", "paired", "games"]
    assert_frame_equal(rolled.select(columns).sort(keys), by_game.select(columns).sort(keys), rel_tol=1e-9)
    wide = rolled.sort(keys)["high"] - rolled.sort(keys)["low"]
    assert (wide / (by_game.sort(keys)["high"] - by_game.sort(keys)["low"])).median() == pytest.approx(1, abs=0.15)


def test_a_cell_without_the_games_of_the_base_is_compared_by_tables(run):
    cells = [
        replace(cell, shards=cell.shards[:-1]) if cell.variant == run.variants[1] and len(cell.shards) > 1 else cell
        for cell in run.parts
    ]
    base = Base("variant", run.variants[0])
    found = compare(run.cursor(), cells, load_metric("turns_per_deal"), ("variant", "lineup"), base)
    assert found.filter(variant=run.variants[1])["paired"].all()


@pytest.mark.parametrize("by", [("variant", "rank"), ("given_lineup", "state"), ()])
def test_turns_of_very_many_games_are_counted_by_block(run, monkeypatch, by):
    metric, where = load_metric("discard_risk"), "pile >= 8"
    games = measure(run.cursor(), metric, by, cells=run.parts, where=where)
    monkeypatch.setattr(measure_rollups, "GAMES_IN_BLOCKS", 640)
    blocks = measure(run.cursor(), metric, by, cells=run.parts, where=where)
    assert blocks["method"][0] == "W, 64 blocks"
    assert blocks["source"][0] == games["source"][0] == "turns"
    assert_frame_equal(games.select(*by, *EXACT), blocks.select(*by, *EXACT))
    text = measure_sql(run.cursor(), run.parts, metric, by, where=where)
    columns = [*by, "value", "low", "high", "numerator", "denominator"]
    assert_frame_equal(blocks.select(columns), run.sql(text), check_dtypes=False, rel_tol=1e-9, abs_tol=1e-9)
    with pytest.raises(BadInput, match="where"):
        measure(run.cursor(), metric, by, cells=run.parts, where="pile >= 'many'")
