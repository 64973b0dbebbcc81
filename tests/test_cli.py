"""The `canasta` command: what it prints, where, with which exit code, and how it refuses."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.rules import variant_names
from engine.strategies import strategy_names
from pipeline.cli import main
from pipeline.output import Format, print_rows, show_value
from pipeline.simulate import simulate

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A run of two cells, 20 games each."""
    folder = tmp_path_factory.mktemp("cli") / "two"
    simulate({"games": 20, "lineups": ["naive", "random"], "seed": 3}, folder)
    return folder


def canasta(*words: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "pipeline.cli", *words], capture_output=True, cwd=ROOT, check=False, **options
    )  # type: ignore[call-overload,no-any-return]


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(words) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return str(captured.out)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line of a command that fails: exit 2, nothing on standard output."""
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("canasta: ")
    assert "internal error" not in captured.err
    return str(captured.err)


# ------------------------------------------------------------------------------------------------ the command itself


def test_help_is_there_within_half_a_second():
    canasta("--help")
    times = []
    for _ in range(3):
        started = time.monotonic()
        done = canasta("--help")
        times.append(time.monotonic() - started)
    assert done.returncode == 0
    assert min(times) <= 0.5


def test_help_names_every_command_and_a_command_alone_is_help(capsys):
    text = printed(capsys, "--help")
    for command in ("simulate", "runs", "variants", "strategies", "replay", "check", "query", "audit", "dashboard"):
        assert f"\n  {command} " in text
    assert printed(capsys) == text


@pytest.mark.parametrize("words", [["nosuch"], ["--nosuch"], ["simulate", "--gmaes", "3"], ["replay"],
                                   ["runs", "--format", "xml"], ["simulate", "--workers", "0"],
                                   ["simulate", "--games", "many"], ["replay", "run", "one", "1"]])  # fmt: skip
def test_wrong_usage_is_one_line_that_points_to_the_help(capsys, words):
    assert "--help)" in refused(capsys, *words)


def test_a_bug_is_one_line_too_and_can_be_looked_into(capsys, monkeypatch):
    import pipeline.dataset

    monkeypatch.setattr(pipeline.dataset, "find_runs", lambda folder: 1 / 0)
    assert main(["runs", str(ROOT)]) == 2
    assert (
        capsys.readouterr().err
        == "canasta: internal error: ZeroDivisionError: division by zero (CANASTA_TRACEBACK=1 shows where)\n"
    )
    monkeypatch.setenv("CANASTA_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main(["runs", str(ROOT)])


def test_a_reader_that_has_seen_enough_is_no_error():
    command = f"{sys.executable} -m pipeline.cli variants classic4 --format csv | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=ROOT, check=False)
    assert done.stdout == b"rule,value,meaning\n"
    assert done.stderr == b""


# ------------------------------------------------------------------------------------------------ simulate, runs


def test_simulate_tells_on_standard_error_what_was_made(tmp_path, capsys):
    assert main(["simulate", "--lineup", "naive", "--games", "20", "--out", str(tmp_path / "run")]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{tmp_path / 'run'}: 20 games in 1 cell, " in captured.err


def test_options_stand_beside_a_plan_file_and_replace_its_keys(tmp_path, capsys):
    plan = tmp_path / "plan.toml"
    plan.write_text('games = 20\nlineups = ["naive~random"]\n[set]\ntarget = 1000\n')
    run = tmp_path / "run"
    assert (
        main(["simulate", str(plan), "--no-mirror", "--set", "canastas_out=2", "--seed", "9", "--out", str(run)]) == 0
    )
    told = json.loads((run / "manifest.json").read_text())
    assert told["seed"] == 9
    assert [cell["lineup"] for cell in told["cells"]] == ["naive~random"]
    assert (told["cells"][0]["changes"], told["cells"][0]["games"]) == ({"canastas_out": 2, "target": 1000}, 20)


def test_several_variants_and_line_ups_are_given_by_comma_or_again(tmp_path):
    run = tmp_path / "run"
    words = ["--variant", "classic4,classic2", "--lineup", "naive", "--strategy", "random", "--games", "5"]
    assert main(["simulate", *words, "--out", str(run)]) == 0
    cells = json.loads((run / "manifest.json").read_text())["cells"]
    assert [(cell["variant"], cell["lineup"]) for cell in cells] == [
        ("classic4", "naive"), ("classic4", "random"), ("classic2", "naive"), ("classic2", "random"),
    ]  # fmt: skip


def test_a_run_without_a_folder_lies_in_data_runs_under_a_name_that_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for games in ("10", "20"):
        assert main(["simulate", "--lineup", "naive", "--games", games, "--set", "target=1000"]) == 0
    (run,) = Path("data/runs").iterdir()
    assert run.name == "classic4.target-1000_naive_seed1"
    assert "20 games in 1 cell" in capsys.readouterr().err


def test_replace_makes_a_run_anew(tmp_path, capsys):
    words = ["simulate", "--lineup", "naive", "--games", "10", "--out", str(tmp_path / "run")]
    assert main(words) == 0
    capsys.readouterr()
    assert "seed 1, this is 2" in refused(capsys, *words, "--seed", "2")
    assert main([*words, "--seed", "2", "--replace"]) == 0
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["seed"] == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--variant", "clasic4"], "unknown variant 'clasic4'"),
        (["--variant", "mine.toml"], "no variant file mine.toml"),
        (["--variant", "samba"], "sequences=yes is not playable yet"),
        (["--strategy", "brave"], "unknown strategy 'brave'"),
        (["--strategy", "mine.py:brave"], "mine.py"),
        (["--set", "canastas_out=seven"], "canastas_out=seven"),
        (["--set", "canastas"], "parameter=value"),
        (["--set", "canasta_count=2"], "canasta_count"),
        (["--games", "0"], "games=0"),
        (["--seed", "-4"], "seed=-4"),
        (["plan.toml"], "no plan file plan.toml"),
    ],
)
def test_simulate_refuses_what_cannot_be_played_before_anything_is_written(tmp_path, monkeypatch, capsys, words, told):
    monkeypatch.chdir(tmp_path)
    assert told in refused(capsys, "simulate", *words, "--out", "run")
    assert list(tmp_path.iterdir()) == []


def test_runs_are_listed_with_what_they_hold(run, capsys):
    (row,) = json.loads(printed(capsys, "runs", str(run.parent), "--format", "json"))
    assert row["run"] == str(run)
    assert (row["games"], row["planned"], row["variants"], row["lineups"], row["seed"]) == (40, 40, 1, 2, 3)
    assert row["finished"]
    assert str(run) in printed(capsys, "runs", str(run.parent))


def test_a_folder_without_runs_and_no_folder(tmp_path, capsys):
    assert main(["runs", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert (captured.out, "no runs in" in captured.err) == ("", True)
    assert "no folder" in refused(capsys, "runs", str(tmp_path / "none"))


def test_a_damaged_run_is_named_and_the_others_are_listed(run, tmp_path, capsys):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "manifest.json").write_text("{")
    (tmp_path / "good").symlink_to(run)
    assert main(["runs", str(tmp_path)]) == 0
    assert "bad/manifest.json cannot be read" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------ variants, strategies


def test_variants_are_listed_with_confidence_and_whether_they_can_be_played(capsys):
    rows = {row["variant"]: row for row in json.loads(printed(capsys, "variants", "--format", "json"))}
    assert tuple(rows) == variant_names()
    assert (rows["classic2"]["confidence"], rows["classic2"]["playable"], rows["classic2"]["base"]) == (
        "H",
        "yes",
        "classic4",
    )
    assert "hand_size=15" in rows["classic2"]["changes"]
    assert rows["samba"]["playable"] == "no: sequences=yes"
    assert "classic2" in printed(capsys, "variants")


def test_a_variant_is_shown_rule_by_rule_with_what_it_changes(capsys):
    rows = {row["rule"]: row for row in json.loads(printed(capsys, "variants", "classic2", "--format", "json"))}
    assert (rows["hand_size"]["value"], rows["hand_size"]["in classic4"]) == ("15", "11")
    assert rows["packs"]["in classic4"] is None
    assert all(row["meaning"] for row in rows.values())
    text = printed(capsys, "variants", "classic4", "--set", "canastas_out=2")
    assert text.startswith("classic4.canastas_out-2: ")


def test_strategies_are_listed_and_shown_weight_by_weight(capsys):
    listed = json.loads(printed(capsys, "strategies", "--format", "json"))
    assert tuple(row["strategy"] for row in listed) == strategy_names()
    assert all(row["description"] for row in listed)
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "strategies", "safe", "--format", "csv"))))
    assert {row["decision"] for row in rows} == {"draw", "melds", "discard", "answer"}
    assert "feed_open_meld" in {row["weight"] for row in rows}
    assert "Never feeds" in printed(capsys, "strategies", "safe")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["variants", "clasic4"], "did you mean classic4"),
        (["variants", "classic4", "--set", "hand_size=400"], "hand_size=400"),
        (["variants", "--set", "hand_size=13"], "--set needs the variant"),
        (["strategies", "saffe"], "did you mean safe"),
    ],
)
def test_what_does_not_exist_is_refused(capsys, words, told):
    assert told in refused(capsys, *words)


# ------------------------------------------------------------------------------------------------ replay


def test_a_deal_is_told_from_the_hands_to_the_scores(run, capsys):
    text = printed(capsys, "replay", str(run), "2", "1", "--lineup", "naive")
    assert text.startswith("classic4 · naive · game 2, deal 1 · seed 3\n")
    for words in (
        "dealer: seat",
        "seat 1 is dealt",
        "turn 1 · seat",
        "discards",
        "melds",
        "the deal ends:",
        "score after",
    ):
        assert words in text


def test_a_deal_as_json_has_every_row_of_it(run, capsys):
    import polars as pl

    from pipeline.dataset import files

    told = json.loads(printed(capsys, "replay", str(run), "2", "1", "--lineup", "naive", "--format", "json"))
    for table in ("moves", "turns", "sides"):
        rows = pl.read_parquet(files(run, table, lineup="naive")).filter(game=2, deal=1)
        assert len(told[table]) == len(rows)
    assert [turn["turn"] for turn in told["turns"]] == list(range(1, len(told["turns"]) + 1))
    assert [side["side"] for side in told["sides"]] == [1, 2]
    assert (told["game"], told["deal"], told["variant"], told["seed"]) == (2, 1, "classic4", 3)
    assert len(told["hands"]) == 4


def test_a_deal_as_a_hand_history_is_legal_and_ends_with_the_logged_scores(run, tmp_path, capsys):
    path = tmp_path / "deal.chh"
    path.write_text(printed(capsys, "replay", str(run), "2", "1", "--lineup", "naive", "--format", "chh"))
    told = json.loads(printed(capsys, "replay", str(run), "2", "1", "--lineup", "naive", "--format", "json"))
    verdict = json.loads(printed(capsys, "check", str(path), "--format", "json"))
    assert verdict["legal"]
    assert verdict["ending"] == told["ending"]
    assert verdict["scores"] == [side["score_after"] for side in told["sides"]]
    assert '1 = "naive"' in path.read_text()


def test_a_hand_history_of_rules_of_the_users_own_spells_them_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("house.toml").write_text('base = "classic2"\nhand_size = 13\n')
    simulate({"games": 2, "variants": ["house.toml"], "lineups": ["naive"]}, "run")
    Path("house.toml").unlink()
    Path("deal.chh").write_text(printed(capsys, "replay", "run", "1", "1", "--format", "chh"))
    assert "hand_size = 13" in Path("deal.chh").read_text()
    assert ": legal" in printed(capsys, "check", "deal.chh")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["2", "1"], "name one: --variant classic4 --lineup naive, --variant classic4 --lineup random"),
        (["21", "1", "--lineup", "naive"], "game 21 is not in the run; classic4 naive has games 1 to 20"),
        (["0", "1", "--lineup", "naive"], "game 0 is not in the run"),
        (["2", "99", "--lineup", "naive"], "game 2 has no deal 99; it has deals 1 to"),
        (["2", "1", "--lineup", "safe"], "safe"),
        (["2", "1", "--variant", "classic2"], "classic2"),
    ],
)
def test_a_deal_that_is_not_there_is_refused_with_what_is(run, capsys, words, told):
    assert told in refused(capsys, "replay", str(run), *words)


def test_a_replay_of_no_run_is_refused(tmp_path, capsys):
    assert "is no run" in refused(capsys, "replay", str(tmp_path / "none"), "1", "1")


# ------------------------------------------------------------------------------------------------ check


LEGAL = """format = "chh/1"
variant = "classic4"
[position]
turn = 1
drawn = true
hands = { 1 = "7H 7D 7C KS KD" }
melds = [["4C 4D 4H"], []]
pile = "9H"
"""


def test_histories_are_judged_and_the_exit_code_is_the_answer(tmp_path, capsys):
    good, bad, broken = tmp_path / "good.chh", tmp_path / "bad.chh", tmp_path / "broken.chh"
    good.write_text(LEGAL.replace("[position]", 'actions = ["1 meld 7H 7D 7C", "1 discard KS"]\n[position]'))
    bad.write_text(LEGAL.replace("[position]", 'actions = ["1 meld 7H 7D", "1 discard KS"]\n[position]'))
    broken.write_text("format = ")
    assert ": legal" in printed(capsys, "check", str(good))
    text = printed(capsys, "check", str(good), str(bad), code=1)
    assert f"{bad}: 1 fault" in text
    assert main(["check", str(good), str(broken), "--format", "json"]) == 2
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [result["file"] for result in results] == [str(good), str(broken)]
    assert results[0]["legal"] is True
    assert results[1]["error"]


def test_an_unreadable_history_is_told_on_standard_error(tmp_path, capsys):
    assert main(["check", str(tmp_path / "none.chh")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "none.chh" in captured.err
    assert captured.err.count("\n") == 1


# ------------------------------------------------------------------------------------------------ tables


ROWS = [{"name": "a", "n": 1234, "share": 0.25, "tags": ["x", "y"], "none": None},
        {"name": "long, \"quoted\"", "n": 7, "share": 12345.6, "tags": [], "none": None}]  # fmt: skip


def test_a_table_for_people_is_aligned_and_has_no_trailing_blanks(capsys):
    print_rows(ROWS)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "n", "share", "tags", "none"]
    assert lines[1].index("1,234") + 5 == lines[2].index(" 7 ") + 2
    assert all(line == line.rstrip() for line in lines)


def test_json_and_csv_hold_the_values_themselves(capsys):
    print_rows(ROWS, Format.JSON)
    assert json.loads(capsys.readouterr().out) == ROWS
    print_rows(ROWS, Format.CSV)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert (rows[0]["n"], rows[1]["name"], json.loads(rows[0]["tags"])) == ("1234", 'long, "quoted"', ["x", "y"])


def test_parquet_is_a_file_on_standard_output():
    import pyarrow.parquet as pq

    done = canasta("variants", "--format", "parquet")
    assert pq.read_table(io.BytesIO(done.stdout)).num_rows == len(variant_names())


def test_a_frame_without_rows_still_has_its_columns(capsys):
    import polars as pl

    print_rows(pl.DataFrame(schema={"a": pl.Int32, "b": pl.String}), Format.CSV)
    assert capsys.readouterr().out == "a,b\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (True, "yes"), (1234567, "1,234,567"), (0.123456, "0.1235"), (98765.4, "98,765"), (["a", 2], "a 2"),
     ({"k": 1}, "k 1")],
)  # fmt: skip
def test_values_are_shown_as_people_write_them(value, text):
    assert show_value(value) == text
