"""The SQL of a distribution gives the table of `Run.distribution`, off tables, blocks of games and roll-ups."""

from __future__ import annotations

import sys

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from engine.errors import BadInput
from pipeline.catalog import views_sql
from pipeline.metric import load_metric, metric_names
from pipeline.run import Run, open_run

WITH = [name for name in metric_names() if load_metric(name).distribution]


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.fixture(scope="module")
def rolled(rolled_run) -> Run:
    return open_run(rolled_run)


def check(run: Run, name: str, by=None, **options) -> str:
    """Asks both ways; the text."""
    text = run.distribution_sql(name, by, **options)
    table = run.distribution(name, by, **options)
    assert not table.is_empty()
    assert_frame_equal(run.sql(text), table, check_dtypes=False, rel_tol=1e-9, abs_tol=1e-12)
    return text


@pytest.mark.parametrize("name", WITH)
def test_the_text_gives_the_distribution_of_every_metric(run, rolled, name):
    assert "rollup_" not in check(run, name)
    check(run, name, ["variant", *(load_metric(name).split if load_metric(name).distribution.words else ())])
    check(rolled, name, ["given_lineup"])


def test_some_come_from_roll_ups(rolled):
    assert "rollup_take_sizes" in check(rolled, "cards_per_take")
    assert "rollup_openings" in check(rolled, "open_turn", ["given_lineup"])
    assert "rollup_" in check(rolled, "freeze_length", [], level=0.5)


@pytest.mark.parametrize("by", [None, [], ["given_lineup"]])
def test_and_by_blocks_of_games_where_there_are_many(monkeypatch, rolled, by):
    for module in ("distribution", "distribution_sql"):
        monkeypatch.setattr(sys.modules[f"pipeline.kinds.{module}"], "MANY_GAMES", 100)
    assert "block(game)" in check(rolled, "open_turn", by, where="score > 0")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("minutes_per_game", {"by": ["variant", "pace"], "variant": "classic4", "lineup": "safe"}),
        ("turns_per_deal", {"by": ["given_lineup"], "where": "turns > 20", "level": 0.9}),
        ("turns_per_deal", {"by": [], "lineup": ["safe~naive", "naive~safe"]}),
        ("open_turn", {"by": ["strategy"], "where": "side = 1"}),
    ],
)
def test_choices_conditions_and_levels_are_in_the_text(run, name, options):
    text = check(run, name, **options)
    assert "$" not in text


@pytest.mark.parametrize("name", [name for name in metric_names() if load_metric(name).interval == "Q"])
def test_a_metric_that_is_a_quantile_has_a_text_too(run, rolled, name):
    for there in (run, rolled):
        for options in ({}, {"by": []}, {"by": ["given_lineup"], "p": 0.9}, {"by": "side", "level": 0.5}):
            answer = there.ask(name, **options)
            table = answer.table.select(
                pl.exclude("games", "few", "capped", "by_rule", "method", "source", "^.*never$")
            )
            found = there.sql(answer.sql)
            assert_frame_equal(found, table, check_dtypes=False)
    assert "rollup_" in there.ask(name).sql


def test_it_runs_in_a_shell_that_knows_the_views(run):
    table = run.distribution("deals_per_game")
    with duckdb.connect() as shell:
        shell.execute(views_sql(run.parts, run.seed, run.path))
        found = shell.sql(run.distribution_sql("deals_per_game")).pl()
    assert_frame_equal(found, table, check_dtypes=False, rel_tol=1e-9)


def test_what_has_no_distribution_has_no_text(run):
    with pytest.raises(BadInput, match="take_rate has no distribution"):
        run.distribution_sql("take_rate")
