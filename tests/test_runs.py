"""Several runs at once, and what one run answers in lists, samples and Polars conditions."""

from __future__ import annotations

import io
import shlex
import shutil
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pipeline as cl
from engine.errors import BadInput
from pipeline.cli import main
from pipeline.run import Run
from pipeline.runs import Runs
from pipeline.where_expression import write_where

C = pl.col


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return cl.open_run(sample_run)


@pytest.fixture(scope="module")
def folder(sample_run, tmp_path_factory) -> Path:
    """The sample twice, and a folder that is no run."""
    folder = tmp_path_factory.mktemp("runs")
    for name in ("one", "two"):
        shutil.copytree(sample_run, folder / name)
    (folder / "notes").mkdir()
    return folder


def test_runs_stand_one_below_the_other(folder, run):
    runs = cl.open_runs(str(folder / "*"))
    assert runs.names == ("one", "two")
    assert len(runs) == len(list(runs)) == 2
    for ask in (
        lambda one: one.metric("turns_per_game", base="classic4"),
        lambda one: one.query("game_length"),
        lambda one: one.sql("select ending, count(*) as deals from deals group by ending order by ending"),
        lambda one: one.quantiles("turns_per_game", [0.5], "variant"),
        lambda one: one.distribution("turns_per_game", "variant"),
        lambda one: one.cells,
    ):
        both, alone = ask(runs), ask(run)
        assert both.columns == ["run", *alone.columns]
        for name in runs.names:
            assert both.filter(pl.col("run") == name).drop("run").equals(alone)


def test_an_answer_of_several_runs_can_be_passed_on(folder, capsysbinary):
    runs = cl.open_runs([folder / "one", folder / "two"])
    for options in ({}, {"by": "variant", "base": "classic4", "lineup": "safe"}):
        answer = runs.ask("turns_per_game", **options)
        assert answer.table.equals(runs.metric("turns_per_game", **options))
        assert answer.sentence
        assert (answer.sql, answer.address) == ("", "")
        names: dict[str, object] = {}
        *setup, last = answer.python.splitlines()
        exec("\n".join(setup), names)
        assert answer.table.equals(eval(last, names))
        assert main([*shlex.split(answer.command)[1:], "--format", "parquet"]) == 0
        assert answer.table.equals(pl.read_parquet(io.BytesIO(capsysbinary.readouterr().out)))
    assert answer.sentence.startswith("one: ")
    memory = Runs([cl.play("classic4", "safe", games=2), *runs]).ask("turns_per_game")
    assert (memory.python, memory.command) == ("", "")


def test_frames_of_several_runs_pass_over_what_one_lacks(folder, run):
    runs = cl.open_runs([folder / "one", folder / "two"])
    assert runs.games().collect().height == 2 * run.games().collect().height
    for table in ("moves", "turns", "piles", "deals", "sides", "games"):
        assert getattr(runs, table)().collect_schema().names() == ["run", *run.frame(table).collect_schema()]
    with pytest.raises(BadInput, match="none of one, two has them"):
        runs.games("samba")


def test_runs_of_one_name_are_told_apart_by_their_path(folder, tmp_path):
    twin = shutil.copytree(folder / "one", tmp_path / "one")
    runs = cl.open_runs([folder / "one", twin])
    assert runs.names == (str(folder / "one"), str(twin))
    assert runs[str(twin)].path == twin


@pytest.mark.parametrize(
    ("places", "fault"),
    [
        ("nowhere/*", "nowhere/.*: no run is there"),
        ([], "no run given"),
        (["nowhere"], "nowhere is no run"),
    ],
)
def test_runs_that_are_not_there_are_refused(places, fault):
    with pytest.raises(BadInput, match=fault):
        cl.open_runs(places)


def test_one_run_is_not_opened_twice(folder):
    with pytest.raises(BadInput, match="one run is given twice"):
        cl.open_runs([folder / "one", folder / "one"])
    with pytest.raises(BadInput, match="no run 'three'; there are one, two"):
        cl.open_runs(str(folder / "*"))["three"]


def test_several_metrics_make_one_table(run):
    names = ["turns_per_game", "take_rate"]
    both = run.metric(names, by="variant", base="classic4")
    assert both["metric"].unique(maintain_order=True).to_list() == names
    for name in names:
        alone = run.metric(name, by="variant", base="classic4")
        assert both.filter(pl.col("metric") == name).select(alone.columns).equals(alone)


def test_metrics_of_other_splits_stand_together(run):
    table = run.metric(["turns_per_game", "ending_share"], by=["variant"])
    assert table.columns[:3] == ["metric", "variant", "ending"]
    assert table.filter(pl.col("metric") == "turns_per_game")["ending"].null_count() == len(run.variants)


def test_a_parameter_goes_to_the_metrics_that_have_it(run):
    table = run.metric(["turns_per_game", "finished_within"], by=[], minutes=140)
    alone = run.metric("finished_within", by=[], minutes=140)
    assert table.filter(pl.col("metric") == "finished_within")["value"].to_list() == alone["value"].to_list()
    with pytest.raises(BadInput, match="none of turns_per_game takes 'minute'"):
        run.metric(["turns_per_game"], minute=140)
    with pytest.raises(BadInput, match="each once"):
        run.metric(["turns_per_game", "turns_per_game"])
    with pytest.raises(BadInput, match="give some"):
        run.metric([])


def test_a_sample_is_whole_files_from_all_over_the_run(tmp_path):
    run = cl.simulate({"games": 100, "shard_games": 10, "lineups": ["naive"]}, out=tmp_path / "run")
    some = run.sample("games", 25).collect()["game"].to_list()
    assert len(some) == 30
    assert {(game - 1) // 10 for game in some} == {0, 3, 6}
    assert run.sample("games", 1000).collect().height == 100
    with pytest.raises(BadInput, match="games=0"):
        run.sample("games", 0)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (C("pile") >= 8, "pile >= 8"),
        ((C("state") == "open") & C("pile").is_between(3, 5), "(state = 'open') and (pile >= 3 and pile <= 5)"),
        (C("pile").is_between(3, 5, closed="left"), "pile >= 3 and pile < 5"),
        (C("discard").is_in(["4H", "5H"]), "discard in ('4H', '5H')"),
        (~C("could_take") | C("took").is_null(), "(not could_take) or (took is null)"),
        (C("hand") - C("pile") > 2.5, "(hand - pile) > 2.5"),
        (C("state") != "it's", "state <> 'it''s'"),
        ("pile >= 8", "pile >= 8"),
        (None, None),
    ],
)
def test_a_polars_condition_is_written_as_sql(expression, text):
    assert write_where(expression) == text


@pytest.mark.parametrize(
    "expression",
    [C("state").str.contains("o"), C("pile").sum() > 3, C("pile") > C("pile").max(), pl.lit(None) == C("pile"),
     C("pile").is_in([]), pl.when(C("pile") > 3).then(True), C("pile") // 2 == 1],
)  # fmt: skip
def test_what_cannot_be_written_as_sql_is_refused(expression):
    with pytest.raises(BadInput, match="write the condition as text"):
        write_where(expression)


numbers = st.sampled_from([C("pile"), C("hand"), C("stock"), C("pile") - C("hand")])
comparisons = st.one_of(
    st.builds(lambda one, value: one >= value, numbers, st.integers(-5, 20)),
    st.builds(lambda one, value: one != value, numbers, st.integers(0, 20)),
    st.builds(lambda one, low, high: one.is_between(low, high), numbers, st.integers(-5, 5), st.integers(0, 20)),
    st.builds(lambda words: C("state").is_in(words), st.sets(st.sampled_from(["open", "frozen", "empty"]), min_size=1)),
    st.just(C("could_take")),
    st.just(C("took").is_null()),
)
conditions = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a & b, inner, inner),
        st.builds(lambda a, b: a | b, inner, inner),
        inner.map(lambda a: ~a),
    ),
    max_leaves=5,
)


@given(conditions)
@settings(max_examples=15, deadline=None)
def test_sql_of_a_condition_keeps_the_rows_that_polars_keeps(sample_run, condition):
    run = cl.open_run(sample_run)
    kept = run.turns("classic4", "safe").filter(condition).select(pl.len()).collect().item()
    found = run.sql(
        f"select count(*) as n from turns where variant = 'classic4' and lineup = 'safe' and ({write_where(condition)})"
    )
    assert found["n"].item() == kept
