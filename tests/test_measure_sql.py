"""The SQL of an answer gives the answer's table, whether tables or roll-ups answered."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline import levels, stats
from pipeline.catalog import views_sql
from pipeline.comparison import choose_with_base, compare, find_base
from pipeline.measure import measure
from pipeline.measure_sql import measure_sql
from pipeline.metric import load_metric, metric_names
from pipeline.run import Run, open_run

COUNTED = [name for name in metric_names() if not load_metric(name).own_kind]
VALUE = ("value", "low", "high", "numerator", "denominator")
DIFFERENCE = ("diff", "diff_low", "diff_high", "gain")


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.fixture(scope="module")
def rolled(rolled_run) -> Run:
    return open_run(rolled_run)


def assert_same(run: Run, answer: pl.DataFrame, text: str) -> None:
    keys = answer.columns[: answer.columns.index("value")]
    columns = [*keys, *VALUE, *(DIFFERENCE if "diff" in answer.columns else ())]
    found = run.sql(text)
    assert found.columns == columns
    assert_frame_equal(answer.select(columns), found, check_dtypes=False, rel_tol=1e-9, abs_tol=1e-9)


def check(run: Run, name: str, by=None, base: str | None = None, **options) -> pl.DataFrame:
    """Asks both ways; the answer."""
    metric, connection = load_metric(name), run.cursor()
    by = by or metric.default_by
    if base is None:
        answer = measure(connection, metric, by, cells=run.parts, **options)
        assert_same(run, answer, measure_sql(connection, run.parts, metric, by, **options))
        return answer
    held = find_base(base, by, run.parts)
    cells = choose_with_base(run, held, None, None)
    answer = compare(connection, cells, metric, by, held, **options)
    assert_same(run, answer, measure_sql(connection, cells, metric, by, base=held, **options))
    return answer


@pytest.mark.parametrize("name", COUNTED)
def test_the_text_gives_the_table_of_every_metric(run, name):
    answer = check(run, name)
    assert not answer["source"].str.starts_with("rollup").any()


@pytest.mark.parametrize("name", COUNTED)
def test_the_text_gives_what_roll_ups_answer(rolled, name):
    check(rolled, name, base=rolled.variants[0])


@pytest.mark.parametrize("name", ["turns_per_game", "discard_risk", "points_per_side_deal", "freezes_per_deal"])
def test_the_text_gives_differences_from_tables(run, name):
    check(run, name, base=run.variants[0])
    check(run, name, base=run.variants[0], where="game > 20")
    check(run, name, ["variant", "given_lineup"], base="safe")


def test_the_text_knows_conditions_parameters_and_levels(run):
    check(run, "discard_risk", ["strategy", "rank"], where="pile >= 8 and state = 'open'")
    check(run, "finished_within", minutes=60)
    check(run, "open_rate", ["variant", "minimum"], level=0.8)


def test_rows_of_roll_ups_are_told_apart_by_dimensions_and_rotations(rolled):
    assert check(rolled, "discard_risk", ["strategy", "rank"])["source"][0].startswith("rollup")
    check(rolled, "canasta_rank_share", ["given_lineup", "strategy", "rank"])
    check(rolled, "turns_per_game", [])
    check(rolled, "leader_wins", ["variant", "given_lineup"], level=0.9)


def test_other_cells_alone_are_left_out(run):
    cells = run.choose(run.variants[1], "safe")
    answer = run.metric("open_rate", variant=run.variants[1], lineup="safe")
    assert_same(run, answer, measure_sql(run.cursor(), cells, load_metric("open_rate")))


@pytest.mark.parametrize("name", [name for name in metric_names() if load_metric(name).interval in ("S", "P")])
def test_what_one_text_does_not_give_has_none(run, name):
    assert measure_sql(run.cursor(), run.parts, load_metric(name)) == ""


def test_students_quantile_is_the_same_in_sql(run):
    z = levels.count_errors(0.9)
    assert run.sql(f"select student({z}::double, 40) as t")["t"][0] == pytest.approx(float(stats.t_of(z, 40.0)))  # type: ignore[arg-type]


def test_the_text_runs_in_a_plain_connection_after_the_views(run):
    connection = duckdb.connect()
    connection.execute(views_sql(run.parts, run.seed, run.path))
    text = measure_sql(run.cursor(), run.parts, load_metric("take_rate"))
    assert connection.sql(text).pl().height == len(run.parts)
