"""The `canasta` command: help, usage, exit codes, and making runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from canasta_command import ROOT, canasta, printed, refused

from pipeline.cli import main
from pipeline.simulation import simulate


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A run of two cells, 20 games each."""
    folder = tmp_path_factory.mktemp("cli") / "two"
    simulate({"games": 20, "lineups": ["naive", "random"], "seed": 3}, folder)
    return folder


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
                                   ["simulate", "--games", "many"], ["replay", "run", "one", "1"],
                                   ["simulate", "--games", "２０"], ["simulate", "--seed", "1_0"],
                                   ["replay", "run", "٣", "1"]])  # fmt: skip
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


def test_every_command_is_described_whole_in_the_help(capsys):
    text = printed(capsys, "--help")
    assert text.count(".") > 10
    assert not [line for line in text.splitlines()[1:] if line.endswith("...")]


def test_a_reader_that_has_seen_enough_is_no_error():
    command = f"{sys.executable} -m pipeline.cli variants classic4 --format csv | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=ROOT, check=False)
    assert done.stdout == b"rule,value,meaning\n"
    assert done.stderr == b""


def in_bash(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command line in which CANASTA is the command."""
    text = command.replace("CANASTA", f"{sys.executable} -m pipeline.cli")
    whole = {**os.environ, **environment}
    return subprocess.run(["bash", "-c", text], capture_output=True, text=True, cwd=ROOT, check=False, env=whole)


@pytest.mark.parametrize("command", ["variants --format csv", "metrics --format json", "variants classic4", "--help"])
def test_a_closed_pipe_is_never_told_as_the_answer_no(command):
    done = in_bash(f"CANASTA {command} | true; exit ${{PIPESTATUS[0]}}")
    assert done.returncode in (0, 141)
    assert done.stderr == ""


@pytest.mark.parametrize(("into", "code", "told"), [
    (">&-", 0, ""), ("2>&-", 0, ""), (">/dev/full", 2, "No space left on device")])  # fmt: skip
def test_a_closed_or_full_output_is_no_internal_error(into, code, told):
    done = in_bash(f"CANASTA variants --format csv {into}")
    assert done.returncode == code
    assert (told in done.stderr) if told else done.stderr == ""
    assert done.stderr.count("\n") <= 1


def test_letters_that_a_terminal_cannot_show_are_no_error():
    done = in_bash("CANASTA variants classic4 && CANASTA variants 東", PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert "internal error" not in done.stderr
    assert "unknown variant" in done.stderr


def test_a_strategy_file_that_ends_the_program_is_refused(tmp_path, capsys):
    (tmp_path / "mine.py").write_text("raise SystemExit(0)")
    assert "mine.py" in refused(capsys, "strategies", f"{tmp_path / 'mine.py'}:safe")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("Query interrupted")])
def test_ctrl_c_during_an_answer_is_told_in_one_word(capsys, monkeypatch, error):
    import pipeline.dataset

    def stop(folder: Path) -> None:
        raise error

    monkeypatch.setattr(pipeline.dataset, "find_runs", stop)
    assert main(["runs", str(ROOT)]) == 130
    assert capsys.readouterr().err.split() == ["stopped"]


def test_ctrl_c_stops_an_audit(sample_run):
    code = """
import os, signal, sys, threading, time
from pipeline import audit
from pipeline.cli import main
def forever(run, batch, audits):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.5)
    return []
audit._ask = forever
sys.exit(main(["audit", sys.argv[1]]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(sample_run)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 130
    assert done.stderr.split() == ["stopped"]


def test_a_plan_file_whose_set_is_no_table_is_refused(tmp_path, capsys):
    (tmp_path / "plan.toml").write_text("set = 3\n")
    for more in ([], ["--set", "target=1000"]):
        assert "plan: set=3" in refused(capsys, "simulate", str(tmp_path / "plan.toml"), *more)


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
        (["--set", "untakeable_tops=wild"], "lacks black3,red3"),
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
    (tmp_path / "odd").mkdir()
    told = json.loads((run / "manifest.json").read_text())
    (tmp_path / "odd" / "manifest.json").write_text(json.dumps({**told, "summary": {"games": 3}}))
    shutil.copytree(run, tmp_path / "whole")
    rows = json.loads(printed(capsys, "runs", str(tmp_path), "--format", "json"))
    assert [(Path(row["run"]).name, row["games"], row["state"].partition(":")[0]) for row in rows] == [
        ("bad", None, "broken"), ("odd", None, "broken"), ("whole", 40, "finished"),
    ]  # fmt: skip
    assert "bad/manifest.json cannot be read" in rows[0]["state"]
    assert "broken: " in printed(capsys, "runs", str(tmp_path))


def test_runs_of_other_variants_or_line_ups_have_other_names(tmp_path, monkeypatch):
    from pipeline.plan import make_plan, name_run

    options = [
        {"lineups": ["safe", "naive"]}, {"lineups": ["safe", "random"]}, {"variants": ["classic4", "classic2"]},
        {"variants": ["classic4", "classic3_cutthroat"]}, {"variants": ["classic4", "classic2"], "seed": 2},
        {"lineups": ["safe+naive~random", "safe~random", "naive~random", "random~hoarder", "naive~hoarder", "safe"]},
        {"lineups": ["safe+naive~random", "safe~random", "naive~random", "random~hoarder", "naive~hoarder", "random"]},
        {"set": {"hand_size": 13, "target": 3000, "canastas_out": 2}, "lineups": ["safe+naive~random"]},
    ]  # fmt: skip
    names = [name_run(make_plan(one)) for one in options]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) < 150
    assert names[0] == "classic4_safe,naive_seed1"
    assert name_run(make_plan({**options[5], "games": 7})) == names[5]
