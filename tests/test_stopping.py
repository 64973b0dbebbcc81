"""Every way a run can be stopped, and gone on with to the same end."""

from __future__ import annotations

import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from finished_run import content, leftovers

from pipeline.cli import main
from pipeline.dataset import committed

ROOT = Path(__file__).parents[1]
COMMAND = ["simulate", "--variant", "classic4", "--lineup", "naive", "--games", "6400", "--no-mirror"]


def start(run: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pipeline.cli", *COMMAND, "--workers", "2", "--out", str(run), *more]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT)


def wait_for_commits(run: Path, process: subprocess.Popen[str], count: int) -> None:
    until = time.monotonic() + 120
    while len(list((run / "commits").glob("*.json"))) < count:
        assert process.poll() is None, "the run ended before it could be stopped"
        assert time.monotonic() < until
        time.sleep(0.005)


@pytest.fixture(scope="module")
def long(tmp_path_factory) -> Path:
    """What COMMAND makes when nothing stops it."""
    folder = tmp_path_factory.mktemp("long") / "run"
    assert main([*COMMAND, "--out", str(folder)]) == 0
    return folder


def test_a_run_killed_at_any_moment_and_gone_on_with_ends_the_same(long, tmp_path):
    chance = random.Random(7)
    run = tmp_path / "run"
    for kill in (1, 5, 9):
        process = start(run)
        wait_for_commits(run, process, kill)
        time.sleep(chance.random() * 0.1)
        process.kill()
        process.communicate()
    kept = len(committed(run))
    assert 9 <= kept < len(committed(long))
    assert main([*COMMAND, "--out", str(run)]) == 0
    assert content(run) == content(long)
    assert leftovers(run) == []


def test_a_run_that_is_to_be_precise_stops_at_the_same_game_however_often_it_is_killed(tmp_path):
    goal = ["--until", "turns_per_game ± 0.7"]
    assert main([*COMMAND, *goal, "--out", str(tmp_path / "whole")]) == 0
    run = tmp_path / "run"
    for kill in (1, 3):
        process = start(run, *goal)
        wait_for_commits(run, process, kill)
        process.kill()
        process.communicate()
    assert len(committed(run)) < len(committed(tmp_path / "whole"))
    assert main([*COMMAND, *goal, "--out", str(run)]) == 0
    assert content(run) == content(tmp_path / "whole")
    assert leftovers(run) == []


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_drops_the_shards_in_hand_and_prints_the_command_that_goes_on(long, tmp_path, sign):
    run = tmp_path / "run"
    process = start(run)
    wait_for_commits(run, process, 3)
    process.send_signal(sign)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert leftovers(run) == []
    assert not (run / "lock").exists()
    last = told.strip().splitlines()[-1]
    assert "finished games are kept" in last
    words = shlex.split(last.partition("to go on: ")[2])
    assert words[0] == "canasta"
    assert main(words[1:]) == 0
    assert content(run) == content(long)
