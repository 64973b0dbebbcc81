"""What tables say beside their numbers: one thing in full, how intervals are clustered, how games are counted."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import polars as pl
import pytest

from engine.errors import BadInput
from pipeline import compiling
from pipeline.answer_sentences import say_answer
from pipeline.cli import main
from pipeline.metric import load_metric, metric_names
from pipeline.query import query_names
from pipeline.run import Run, open_run
from pipeline.stats import FEW_GAMES


@pytest.fixture
def canasta(capsys):
    """Runs the command: exit code, standard output, standard error."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.mark.parametrize("name", ["discard_risk", "finished_within"])
def test_a_metric_is_shown_with_all_it_can_be_split_by_and_given(canasta, name):
    code, out, _ = canasta("metrics", name)
    metric, lines = load_metric(name), out.splitlines()
    assert (code, f"sentence: {metric.sentence}" in lines) == (0, True)
    first_words = [line.split()[0] for line in lines if line]
    assert set(metric.dimensions) | set(metric.parameters) <= set(first_words)


def test_every_metric_and_query_can_be_shown_in_full(canasta):
    for command, names in (("metrics", metric_names()), ("queries", query_names())):
        for name in names:
            code, out, _ = canasta(command, name)
            assert (code, out.splitlines()[0]) == (0, f"name: {name}")
    assert [row["name"] for row in json.loads(canasta("metrics", "swing", "--format", "json")[1])] == ["swing"]
    assert canasta("queries", "nothing")[0] == 2


def test_a_command_in_a_list_of_deals_can_be_run_as_it_stands(canasta, sample_run):
    _, out, _ = canasta("query", "deals_to_look_at", sample_run, "--set", "most=1", "--format", "json")
    words = shlex.split(json.loads(out)[0]["command"])
    assert words[0] == "canasta"
    assert main(words[1:]) == 0


def test_intervals_over_mirror_blocks_are_not_said_to_be_clustered_by_game(canasta, sample_run):
    for words, cluster in (
        (("metric", "win_rate"), "mirror block"),
        (("query", "head_to_head"), "mirror block"),
        (("metric", "take_rate"), "game"),
        (("query", "game_length"), "game"),
    ):
        assert f"clustered by {cluster}." in canasta(*words, sample_run)[1]


def test_added_up_cells_say_how_their_games_are_counted(canasta, sample_run):
    told = "counts games of the same number once"
    for by, said in (("variant", True), ("variant,lineup", False), ("none", True), ("given_lineup", True)):
        assert (told in canasta("metric", "take_rate", sample_run, "--by", by)[1]) == said


def test_sentences_about_several_runs_name_the_run(canasta, sample_run, tmp_path):
    (tmp_path / "twin").symlink_to(Path(sample_run).absolute())
    words = ("metric", "turns_per_deal", sample_run, tmp_path / "twin", "--by", "variant", "--base", "classic4")
    _, out, _ = canasta(*words)
    assert "twin: classic4.canastas_out-2: " in out


def test_quantiles_of_whole_numbers_are_shown_as_whole_numbers(canasta, sample_run):
    _, out, _ = canasta("distribution", "turns_per_deal", sample_run, "--quantiles", "0.5", "--by", "none")
    assert "." not in out.splitlines()[2].removeprefix("    0.50")


def test_an_edge_near_0_is_not_called_few_for_being_small(run):
    found = run.metric("lead_edge_deal")
    assert found.filter(pl.col("games") < FEW_GAMES)["few"].all()
    assert (found["few"] == (found["games"] < FEW_GAMES)).all()


def test_one_quantile_needs_no_list_and_one_metric_is_asked_at_a_time(run):
    assert run.quantiles("turns_per_deal", 0.5).equals(run.quantiles("turns_per_deal", [0.5]))
    with pytest.raises(BadInput, match="the name of one metric"):
        run.ask(["turns_per_deal", "take_rate"])
    with pytest.raises(BadInput, match="the first and the last"):
        run.turns(games=5)


def test_sentences_name_units_that_titles_do_not_and_show_no_minus_0(run):
    metric = load_metric("lead_edge_game")
    table = pl.DataFrame({"variant": ["a", "b"], "value": [-0.0001, 0.02], "low": [-0.02, 0.0], "high": [0.02, 0.04],
                          "few": [False, False]})  # fmt: skip
    assert say_answer(table, metric, None) == "Edge of leading the first deal: from 0.000 pp (a) to 0.020 pp (b)"


def test_values_that_are_all_the_same_are_said_once_and_whole_numbers_as_such():
    metric = load_metric("open_turn")
    table = pl.DataFrame({"variant": ["a", "b"], "value": [2.0, 2.0], "low": [1.0, 2.0], "high": [2.0, 3.0],
                          "few": [False, False]})  # fmt: skip
    assert say_answer(table, metric, None) == "Turn of opening: 2 in all 2 rows"


def test_a_quantile_among_those_that_never_got_there_says_never(canasta, sample_run):
    words = ("open_turn", sample_run, "--by", "none")
    cells = [canasta("metric", *words, "--set", f"p={p}")[1].splitlines()[2].split("  ")[0] for p in (0.1, 0.9999)]
    assert cells[0].strip()[0].isdigit()
    assert cells[1].startswith("never (")
    quantiles = canasta("distribution", *words, "--quantiles", "0.1,0.9999")[1].splitlines()
    assert ["never" in line for line in quantiles[2:4]] == [False, True]
    binned = canasta("distribution", "points_per_side_deal", sample_run, "--by", "none")[1].splitlines()[0]
    assert binned.endswith("100 to a row: from `at` to 99 more")


def test_a_metric_that_cannot_be_answered_leaves_the_others_and_says_what_would(canasta, sample_run):
    code, out, err = canasta("metric", "skill,turns_per_game", sample_run, "--set", "strong=hoarder")
    assert code == 2
    assert out.startswith("Turns per game: ")
    assert err.startswith("canasta: left out: skill: no line-up of strong hoarder")
    named = shlex.split(err.partition("such as ")[2])
    assert canasta("metric", "skill,turns_per_game", sample_run, *named)[0] == 0


def test_metrics_of_which_none_can_be_answered_are_refused(canasta, sample_run):
    code, out, err = canasta("metric", "skill,take_rate", sample_run, "--by", "nothing")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_compiling_is_said_to_whoever_waits_terminal_or_not(capsys, monkeypatch):
    for cached, told in ((True, 0), (False, 2)):
        monkeypatch.setattr(compiling, "is_cached", lambda cached=cached: cached)
        with compiling.compiling():
            pass
        assert capsys.readouterr().err.count("ompil") == told
