"""Playing a plan into a run: the same rows whatever the workers, whatever stops it; and every way it can be stopped."""

from __future__ import annotations

import errno
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.errors import BadInput, IllegalChoice
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup
from pipeline import dataset, schema, shard_writer
from pipeline.cli import main
from pipeline.dataset import committed
from pipeline.plan import make_plan
from pipeline.simulate import simulate

ROOT = Path(__file__).parents[1]
KEYS = {"games": 600, "shard_games": 100, "variants": ["classic4", "classic2"], "lineups": ["naive~random"]}
COMMAND = ["simulate", "--variant", "classic4", "--lineup", "naive", "--games", "6400", "--no-mirror"]


def content(run: Path) -> dict[tuple[str, str, int], dict[str, tuple[int, str]]]:
    return {
        commit.key: {table: (file.rows, file.hash) for table, file in commit.files.items()} for commit in committed(run)
    }


def leftovers(run: Path) -> list[Path]:
    return sorted(run.rglob(f"*{dataset.UNFINISHED}"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """The plan of KEYS played at one go by one worker."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    simulate(KEYS, folder, workers=1)
    return folder


# ------------------------------------------------------------------------------------------------ the same rows


@pytest.mark.parametrize("workers", [2, 3])
def test_rows_do_not_depend_on_the_number_of_workers(whole, tmp_path, workers):
    summary = simulate(KEYS, tmp_path / "run", workers=workers)
    assert content(tmp_path / "run") == content(whole)
    assert (summary.played, summary.games, summary.cells, summary.workers) == (2_400, 2_400, 4, workers)


def test_rows_are_those_the_kernel_logs(whole):
    variant = load_variant("classic2")
    lineup = parse_lineup("random~naive", variant.rules)
    expected = {table: schema.ContentHash(table) for table in ("moves", "sides")}
    for blocks in play_blocks(variant, lineup, seed=1, first_game=201, games=100):
        for table, rows in expected.items():
            rows.add(blocks[table])
    stored = content(whole)["classic2", "random~naive", 3]
    assert {table: stored[table] for table in expected} == {
        table: (rows.rows, rows.hexdigest()) for table, rows in expected.items()
    }


def test_rows_do_not_depend_on_the_size_of_shards(whole, tmp_path):
    import polars as pl

    simulate({**KEYS, "shard_games": 170}, tmp_path / "run")
    for table in ("games", "sides", "piles"):
        frames = [
            pl.read_parquet(dataset.files(run, table, "classic4"), hive_partitioning=True).sort(
                "lineup", *dataset.log.KEYS[table], maintain_order=True
            )
            for run in (whole, tmp_path / "run")
        ]
        assert frames[0].equals(frames[1])


def test_another_seed_plays_other_games(whole, tmp_path):
    simulate({**KEYS, "seed": 2}, tmp_path / "run")
    mine, other = content(tmp_path / "run"), content(whole)
    assert mine.keys() == other.keys()
    assert all(mine[key]["moves"] != other[key]["moves"] for key in mine)


def test_a_plan_can_be_a_file_keys_or_made(whole, tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text('games = 600\nshard_games = 100\nvariants = ["classic4", "classic2"]\nlineups = ["naive~random"]\n')
    for plan in (path, str(path), make_plan(KEYS)):
        assert simulate(plan, whole).played == 0


def test_row_groups_are_merged_from_blocks(tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    monkeypatch.setattr(shard_writer, "ROW_GROUP", 10_000)
    writer = shard_writer.ShardWriter(tmp_path, {"moves": "moves.parquet"}, {})
    variant = load_variant("classic4")
    lineup = parse_lineup("naive", variant.rules)
    for first in range(1, 41):
        for blocks in play_blocks(variant, lineup, seed=1, first_game=first, games=1):
            writer.add(blocks)
    file = writer.close()["moves"]
    read = pq.ParquetFile(dataset.unfinished(tmp_path / "moves.parquet")).metadata
    sizes = [read.row_group(group).num_rows for group in range(read.num_row_groups)]
    assert sum(sizes) == file.rows
    assert len(sizes) > 1
    assert all(size >= 10_000 for size in sizes[:-1])


def test_no_workers_are_refused(tmp_path):
    with pytest.raises(BadInput, match="workers=0"):
        simulate(KEYS, tmp_path / "run", workers=0)
    assert not (tmp_path / "run").exists()


# ------------------------------------------------------------------------------------------------ stopped and gone on


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


# ------------------------------------------------------------------------------------------------ failures


def test_a_full_disk_ends_in_one_line_and_keeps_what_is_finished(tmp_path, capsys):
    run = tmp_path / "run"
    command = ["simulate", "--lineup", "naive", "--workers", "1", "--out", str(run), "--games"]
    assert main([*command, "200"]) == 0
    before = content(run)
    capsys.readouterr()
    full = dataset.unfinished(run / "moves/variant=classic4/lineup=naive/00004.parquet")
    full.symlink_to("/dev/full")
    assert main([*command, "400"]) == 2
    told = capsys.readouterr().err.strip()
    assert "\n" not in told
    assert f"cannot write {run}: No space left on device; 300 finished games are kept" in told
    assert "to go on: canasta" in told
    assert leftovers(run) == []
    assert content(run).items() > before.items()
    assert main([*command, "400"]) == 0


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
    real = writer._write_json

    def fail(path: Path, content: object) -> None:
        if "commits" in path.parts:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        real(path, content)

    monkeypatch.setattr(writer, "_write_json", fail)
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
from pipeline import simulate
from pipeline.cli import main
play = simulate.play_blocks
def endless(*given, **options):
    if options["games"] > 1:
        given = given[0], (load_strategy("{tmp_path / "mine.py"}:endless"),) * 4
        print("begun", flush=True)
    return play(*given, **options)
from engine.strategies import load_strategy
simulate.play_blocks = endless
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
