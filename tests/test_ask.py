"""`canasta query`, `metric`, `distribution`, `audit` and their lists: what is printed, and the exit codes."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from pipeline.answers import show_answer
from pipeline.audit import RESULT, audit_names
from pipeline.cli import main
from pipeline.metric import metric_names
from pipeline.query import Column, query_names
from pipeline.run import open_run


@pytest.fixture
def canasta(capsys):
    """Runs the command: exit code, standard output, standard error."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.mark.parametrize("name", ["game_length", "freeze_rate", "canasta_frequency"])
def test_the_headline_questions_are_answered_with_games_and_intervals(canasta, sample_run, name):
    code, out, err = canasta("query", name, sample_run)
    assert (code, err) == (0, "")
    assert "games" in out
    assert "95 % intervals" in out
    for variant in open_run(sample_run).variants:
        assert variant in out
    assert max(map(len, out.splitlines())) <= 160


def test_an_answer_shows_value_and_interval_in_one_place(canasta, sample_run):
    row = open_run(sample_run).query("game_length").row(0, named=True)
    _, out, _ = canasta("query", "game_length", sample_run, "--variant", row["variant"], "--lineup", row["lineup"])
    shown = f"{row['turns_per_game']:.1f} ({row['turns_per_game_low']:.1f} – {row['turns_per_game_high']:.1f})"
    assert shown in out
    assert "capped" not in out
    assert len([line for line in out.splitlines() if line.startswith(row["variant"])]) == 1


def test_programs_get_the_whole_answer_and_nothing_else(canasta, sample_run):
    whole = open_run(sample_run).query("canasta_frequency", split="type")
    words = ("query", "canasta_frequency", sample_run, "--set", "split=type", "--format")
    code, out, _ = canasta(*words, "json")
    assert code == 0
    assert [row["canastas"] for row in json.loads(out)] == whole["canastas"].to_list()
    _, out, _ = canasta(*words, "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [int(row["canastas"]) for row in rows] == whole["canastas"].to_list()
    assert list(rows[0]) == whole.columns


def test_parquet_goes_to_standard_output_as_a_file(sample_run, capfdbinary):
    assert main(["metric", "turns_per_game", str(sample_run), "--format", "parquet"]) == 0
    frame = pl.read_parquet(io.BytesIO(capfdbinary.readouterr().out))
    assert frame.equals(open_run(sample_run).metric("turns_per_game"))


def test_parquet_is_not_written_to_a_terminal(canasta, sample_run, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    code, out, err = canasta("metric", "turns_per_game", sample_run, "--format", "parquet")
    assert (code, out) == (2, "")
    assert "> table.parquet" in err


def test_an_answer_without_intervals_does_not_speak_of_them(canasta, sample_run):
    assert "intervals" not in canasta("query", "run_figures", sample_run)[1]


def test_people_are_not_shown_what_a_value_is_made_of(canasta, sample_run):
    assert "numerator" not in canasta("metric", "turns_per_game", sample_run)[1]
    assert "numerator" in canasta("metric", "turns_per_game", sample_run, "--format", "csv")[1]


def test_an_unfinished_run_says_so_beside_its_answers(canasta, sample_run, tmp_path):
    copy = Path(shutil.copytree(sample_run, tmp_path / "half"))
    next((copy / "commits").glob("*.json")).unlink()
    for words in (("query", "run_figures"), ("metric", "turns_per_game")):
        assert canasta(*words, copy)[2] == f"canasta: {copy} is unfinished: 300 of 360 games so far\n"
    assert "is unfinished" in canasta("audit", copy, "--only", "minimum")[2]
    rows = list(csv.DictReader(io.StringIO(canasta("query", "run_figures", copy, "--format", "csv")[1])))
    assert {"0", "60"} == {row["games"] for row in rows}
    assert all(value for row in rows for value in row.values())


def test_a_metric_may_be_split_or_added_up(canasta, sample_run):
    _, out, _ = canasta("metric", "points_per_side_deal", sample_run, "--by", "variant,item")
    assert len([line for line in out.splitlines() if " red_threes " in line]) == len(open_run(sample_run).variants)
    _, out, _ = canasta("metric", "turns_per_game", sample_run, "--by", "none", "--format", "json")
    assert json.loads(out)[0]["games"] == 60
    assert len(json.loads(out)) == 1


def test_a_metric_may_take_a_parameter_and_be_split_by_what_rows_have(canasta, sample_run):
    _, out, _ = canasta("metric", "finished_within", sample_run, "--set", "minutes=140", "--by", "pace")
    assert [line.split()[0] for line in out.splitlines()[2:5]] == ["online", "club", "social"]
    code, out, _ = canasta("metric", "discard_risk", sample_run, "--by", "strategy,card_class")
    assert code == 0
    assert {"natural", "wild", "black3"} <= set(out.split())
    _, out, _ = canasta("metric", "take_rate", sample_run, "--where", "pile >= 8", "--by", "none")
    assert out.splitlines()[0].endswith("; where pile >= 8")


def test_a_base_adds_differences_and_sentences(canasta, sample_run):
    code, out, _ = canasta("metric", "turns_per_game", sample_run, "--base", "classic4", "--lineup", "safe")
    assert code == 0
    head = out.splitlines()[1]
    assert "difference" in head
    assert "gain" in head
    assert out.splitlines()[-1] == "classic4.canastas_out-2 with safe: too few games to say (turns per game)"
    _, out, _ = canasta("metric", "turns_per_game", sample_run, "--base", "classic4", "--format", "csv")
    assert {"diff", "diff_low", "diff_high", "p", "form"} <= set(out.splitlines()[0].split(","))


def test_several_runs_are_told_apart(canasta, sample_run, tmp_path):
    copy = shutil.copytree(sample_run, tmp_path / "other")
    for words in (("query", "game_length"), ("metric", "turns_per_game")):
        _, out, _ = canasta(*words, sample_run, copy, "--format", "csv")
        runs = [row["run"] for row in csv.DictReader(io.StringIO(out))]
        assert runs == ["sample"] * (len(runs) // 2) + ["other"] * (len(runs) // 2)
    twin = shutil.copytree(sample_run, tmp_path / "again" / "other")
    _, out, _ = canasta("query", "game_length", copy, twin, "--format", "csv")
    assert {row["run"] for row in csv.DictReader(io.StringIO(out))} == {str(copy), str(twin)}


def test_a_level_widens_the_intervals(canasta, sample_run):
    _, out, _ = canasta("metric", "turns_per_game", sample_run, "--level", "0.5")
    assert "50 % intervals" in out


def test_everything_that_can_be_asked_is_listed(canasta):
    for command, names in (("queries", query_names()), ("metrics", metric_names())):
        code, out, _ = canasta(command, "--format", "json")
        assert code == 0
        assert [row["name"] for row in json.loads(out)] == list(names)
        assert canasta(command)[1].splitlines()[0].startswith("name")


def test_a_clean_audit_exits_0_and_leaves_its_report(canasta, sample_run, tmp_path):
    copy = Path(shutil.copytree(sample_run, tmp_path / "run"))
    (copy / RESULT).unlink(missing_ok=True)
    code, out, _ = canasta("audit", copy, "--only", "minimum")
    assert (code, (copy / RESULT).exists()) == (0, False)
    code, out, _ = canasta("audit", copy)
    assert code == 0
    assert f"all {len(audit_names())} audits clean" in out
    assert json.loads((copy / RESULT).read_text())["games"] == 360
    code, out, _ = canasta("audit", copy, "--format", "csv")
    assert [row["audit"] for row in csv.DictReader(io.StringIO(out))] == list(audit_names())


def test_a_broken_rule_exits_1_and_is_shown(canasta, sample_run, tmp_path):
    copy = Path(shutil.copytree(sample_run, tmp_path / "run"))
    open_run(copy).files("games")[0].unlink()
    code, out, _ = canasta("audit", copy)
    assert code == 1
    assert "Files are what was committed: 1 rows break it" in out
    assert f"1 of {len(audit_names())} audits broken" in out


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("query", "nothing", "RUN"), "no query 'nothing'"),
        (("query", "game_length", "nowhere"), "nowhere is no run"),
        (("query", "game_length", "RUN", "--variant", "samba"), "variant 'samba': the run has"),
        (("query", "game_length", "RUN", "--set", "split"), "write NAME=VALUE"),
        (("query", "canasta_frequency", "RUN", "--set", "split=suit"), "split: 'suit' given; one of both, type, rank"),
        (("metric", "nothing", "RUN"), "no metric 'nothing'"),
        (("metric", "turns_per_game", "RUN", "--by", "rank"), "cannot be split by 'rank'"),
        (("metric", "takes_per_deal", "RUN", "--by", "lineup,side"), "all sides of a game together"),
        (("metric", "take_rate", "RUN", "--base", "samba"), "base 'samba': a variant, classic4"),
        (("metric", "take_rate", "RUN", "--where", "pil > 3"), "did you mean pile"),
        (("metric", "turns_per_game", "RUN", "--set", "minutes=9"), "takes no 'minutes'"),
        (("metric", "finished_within", "RUN", "--set", "minutes=long"), "give a number"),
        (("metric", "turns_per_game", "RUN", "--level", "95"), "between 0 and 1"),
        (("metric", "take_rate,take_rate", "RUN"), "each once"),
        (("metric", "take_rate,open_rate", "RUN", "--copy-as", "sql"), "give one metric and one run"),
        (("distribution", "take_rate", "RUN"), "no distribution of whole numbers"),
        (("distribution", "turns_per_game", "RUN", "--quantiles", "half"), "give shares between 0 and 1"),
        (("audit", "RUN", "--only", "nothing"), "no audit 'nothing'"),
        (("audit", "nowhere"), "nowhere is no run"),
    ],
)
def test_bad_input_exits_2_with_one_line(canasta, sample_run, words, fault):
    code, out, err = canasta(*(sample_run if word == "RUN" else word for word in words))
    assert (code, out) == (2, "")
    assert fault in err
    assert len(err.splitlines()) == 1


def test_tables_mark_few_games_and_say_when_there_is_nothing():
    columns = {name: Column(name, unit, "", 1) for name, unit in (
        ("variant", ""), ("value", "%"), ("low", "%"), ("high", "%"), ("few", ""), ("capped", "%"))}  # fmt: skip
    frame = pl.DataFrame({"variant": ["a", "b"], "value": [0.5, 0.25], "low": [0.3, None], "high": [0.7, None],
                          "few": [False, True], "capped": [0.0, 0.5]})  # fmt: skip
    head, rows, notes = show_answer(frame, columns)
    assert head == ["variant", "value %", "capped %"]
    assert rows == [["a", "50 (30 – 70)", "0.0"], ["b", "25*", "50.0"]]
    assert len(notes) == 2
    head, rows, notes = show_answer(frame.head(1), columns)
    assert (head, notes) == (["variant", "value %"], [])


def test_several_metrics_are_printed_one_below_the_other(canasta, sample_run):
    code, out, err = canasta("metric", "turns_per_game,discard_risk", sample_run, "--by", "variant")
    assert (code, err) == (0, "")
    assert out.count("From ") == 2
    assert "\nFrom games, 360 games.\n" in out
    assert out.index("Turns per game") < out.index("Discard risk")
    _, out, _ = canasta("metric", "turns_per_game,discard_risk", sample_run, "--by", "none", "--format", "csv")
    assert [row["metric"] for row in csv.DictReader(io.StringIO(out))] == ["turns_per_game", "discard_risk"]


def test_the_games_of_a_base_count_among_those_that_answered(canasta, sample_run):
    words = ("metric", "turns_per_game", sample_run, "--by", "variant", "--variant", "classic4.canastas_out-2")
    assert "\nFrom games, 180 games.\n" in canasta(*words)[1]
    assert "\nFrom games, 360 games.\n" in canasta(*words, "--base", "classic4")[1]


def test_a_number_may_be_shown_value_by_value_or_as_quantiles(canasta, sample_run):
    run = open_run(sample_run)
    code, out, _ = canasta("distribution", "deals_per_game", sample_run, "--by", "none")
    assert code == 0
    table = run.distribution("deals_per_game", [])
    assert [int(line.split()[0]) for line in out.splitlines()[2 : 2 + table.height]] == table["at"].to_list()
    words = (
        "distribution",
        "turns_per_game",
        sample_run,
        "--by",
        "variant",
        "--quantiles",
        "0.1,0.5",
        "--format",
        "csv",
    )
    code, out, _ = canasta(*words)
    assert code == 0
    found = [(row["variant"], float(row["p"]), int(row["value"])) for row in csv.DictReader(io.StringIO(out))]
    assert found == run.quantiles("turns_per_game", [0.1, 0.5], "variant").select("variant", "p", "value").rows()


def test_what_gives_a_table_again_can_be_printed(canasta, sample_run):
    answer = open_run(sample_run).ask("turns_per_game", by="variant", base="classic4")
    for kind in ("sql", "python", "address"):
        words = ("metric", "turns_per_game", sample_run, "--by", "variant", "--base", "classic4", "--copy-as", kind)
        assert canasta(*words)[:2] == (0, getattr(answer, kind) + "\n")
