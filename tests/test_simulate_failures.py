"""A run that cannot be played or written ends in one line and leaves nothing half done."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from finished_run import content, leftovers

from engine.errors import IllegalChoice
from pipeline import dataset
from pipeline.cli import main
from pipeline.dataset import committed
from pipeline.simulation import simulate

ROOT = Path(__file__).parents[1]


def test_a_full_disk_ends_in_one_line_and_keeps_what_is_finished(tmp_path, capsys):
    run = tmp_path / "run"
    command = ["simulate", "--lineup", "naive", "--workers", "1", "--out", str(run), "--games"]
    assert main([*command, "500"]) == 0
    before = content(run)
    capsys.readouterr()
    full = dataset.unfinished(run / "moves/variant=classic4/lineup=naive/00004.parquet")
    full.symlink_to("/dev/full")
    assert main([*command, "1000"]) == 2
    told = capsys.readouterr().err.strip()
    assert "\n" not in told
    assert f"cannot write {run}: No space left on device; 750 finished games are kept" in told
    assert "to go on: canasta" in told
    assert leftovers(run) == []
    assert content(run).items() > before.items()
    assert main([*command, "1000"]) == 0


def test_a_file_that_cannot_grow_ends_in_one_line_and_leaves_nothing_half_written(tmp_path):
    run = tmp_path / "run"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)); "
    words = ["simulate", "--lineup", "naive", "--games", "600", "--out", str(run)]
    code = limit + f"import sys; from pipeline.cli import main; sys.exit(main({words!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert f"cannot write {run}: File too large; nothing was written" in done.stderr.strip().splitlines()[-1]
    assert not run.exists()
    assert main(words) == 0


def test_a_commit_that_cannot_be_written_leaves_no_file_behind(tmp_path, monkeypatch):
    from pipeline import writer

    run = tmp_path / "run"
    simulate({"games": 100, "lineups": ["naive"]}, run)
    before = {path for path in run.rglob("*") if path.is_file()}
    real = writer.write_json

    def fail(path: Path, content: object) -> None:
        if "commits" in path.parts:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        real(path, content)

    monkeypatch.setattr(writer, "write_json", fail)
    with pytest.raises(OSError, match="No space left"):
        simulate({"games": 200, "lineups": ["naive"]}, run)
    assert {path for path in run.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("place", ["/proc/canasta/run", "notes.txt/run"])
def test_a_place_that_cannot_be_written_ends_in_one_line(tmp_path, capsys, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("mine")
    assert main(["simulate", "--games", "10", "--out", place]) == 2
    told = capsys.readouterr().err.strip()
    assert "\n" not in told
    assert f"cannot write {place}: " in told
    assert "nothing was written" in told
    assert "to go on" not in told


OWN = """
from engine.decision import strategy

@strategy(kind="discard")
def lowest(table, hand, rules, weights, plan):
    "Throws the lowest card it holds."
    for card in range(53):
        if hand.cards[card] > 0:
            return card
    return -1

@strategy(kind="discard")
def cheat(table, hand, rules, weights, plan):
    "Throws a joker whether it has one or not."
    return 52

@strategy(kind="discard")
def untyped(table, hand, rules, weights, plan):
    "Does not compile."
    return hand.nothing

@strategy(kind="discard")
def endless(table, hand, rules, weights, plan):
    "Thinks for ever."
    step = 0
    while step >= 0:
        step = (step + 1) % 7
    return step
"""


def test_an_illegal_choice_of_a_strategy_ends_in_one_line_that_says_where(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(OWN)
    assert main(["simulate", "--lineup", "mine.py:cheat~naive", "--games", "10", "--out", "run"]) == 2
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.startswith("canasta: classic4, game 1, deal 1, turn ")
    assert "seat 1" in told
    assert "cheat" in told
    assert "nothing was written" in told
    assert not Path("run").exists()
    with pytest.raises(IllegalChoice):
        simulate({"lineups": ["mine.py:cheat"], "games": 10}, "other")


@pytest.mark.parametrize("name", ["cheat", "untyped"])
def test_a_strategy_that_cannot_play_leaves_a_run_that_was_there_as_it_was(tmp_path, capsys, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(OWN)
    simulate({"games": 10, "lineups": ["naive"]}, "run")
    before = {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()}
    for more in ([], ["--replace"]):
        command = ["simulate", "--games", "10", "--lineup", f"naive,naive~mine.py:{name}", "--out", "run", *more]
        assert main(command) == 2
        assert {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()} == before
    assert f"{name}" in capsys.readouterr().err


def test_a_first_game_that_never_ends_is_stopped_by_one_ctrl_c(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    run = tmp_path / "run"
    words = ["simulate", "--lineup", f"{tmp_path / 'mine.py'}:endless", "--games", "10", "--out", str(run)]
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline.cli", *words], stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    while not (run / "lock").exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(6)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "canasta: stopped; nothing was written" in told
    assert not run.exists()


def test_a_later_game_that_never_ends_is_stopped_by_a_second_ctrl_c(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    run = tmp_path / "run"
    code = f"""
import sys, threading
from pipeline import simulation
from pipeline.cli import main
play = simulation.play_blocks
def endless(*given, **options):
    if options["games"] > 1:
        given = given[0], (load_strategy("{tmp_path / "mine.py"}:endless"),) * 4
        print("begun", flush=True)
    return play(*given, **options)
from engine.strategies import load_strategy
simulation.play_blocks = endless
sys.exit(main(["simulate", "--lineup", "naive", "--games", "10", "--out", {str(run)!r}]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(6)
    process.send_signal(signal.SIGTERM)
    assert "canasta: still in a game; press Ctrl-C again to stop at once\n" in iter(process.stderr.readline, "")
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "canasta: stopped; nothing was written" in told
    assert not (run / "manifest.json").exists()


def test_a_strategy_of_the_users_own_plays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(OWN)
    assert main(["simulate", "--lineup", "mine.py:lowest~naive", "--games", "10", "--out", "run"]) == 0
    assert {commit.lineup for commit in committed("run")} == {"lowest~naive", "naive~lowest"}
