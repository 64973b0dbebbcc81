"""One writer a run, and a run made anew in its folder: what goes and what stays."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from finished_run import content, parquet_files, plan

from engine.errors import BadInput
from pipeline import manifest, removal, writer
from pipeline.cli import main
from pipeline.dataset import committed, read_manifest
from pipeline.simulation import simulate
from pipeline.writer import open_writer


def test_a_run_has_one_writer_at_a_time(run):
    with open_writer(run, plan()), pytest.raises(BadInput, match="being written by another process"):
        simulate(plan(500), run)
    assert simulate(plan(300), run).played == 100


def test_the_lock_of_a_dead_process_is_none(run):
    code = f"""
import os
from pathlib import Path
from pipeline.lock import locked
with locked(Path({str(run)!r})):
    os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert (run / "lock").exists()
    assert simulate(plan(300), run).played == 100
    assert not (run / "lock").exists()


def old_schema(run: Path) -> None:
    told = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**told, "schema_version": "0.1.0"}))


@pytest.mark.parametrize(
    "harm",
    [
        lambda run: None,
        old_schema,
        lambda run: (run / "manifest.json").write_text("{"),
        lambda run: (run / "manifest.json").unlink(),
        lambda run: next((run / "commits").iterdir()).write_text(""),
        shutil.rmtree,
        lambda run: [shutil.rmtree(run), run.mkdir()],
    ],
)
def test_whatever_run_is_there_can_be_replaced(run, harm):
    harm(run)
    assert simulate(plan(100, seed=5), run, replace=True).games == 100
    assert read_manifest(run)["seed"] == 5
    assert parquet_files(run) == {run / file.path for commit in committed(run) for file in commit.all_files}


@pytest.mark.parametrize(
    "other", ["notes.txt", "inner/manifest.json", "moves/mine.csv", "commits/old/x.json", "sides/variant=a/b.parquet"]
)
def test_what_is_not_the_runs_is_named_and_kept_by_a_replacement(run, other):
    (run / other).parent.mkdir(parents=True, exist_ok=True)
    (run / other).write_text("mine")
    before = {path for path in run.rglob("*") if path.is_file()}
    with pytest.raises(BadInput, match=f"also holds {other.replace('inner/manifest.json', 'inner/')[:9]}"):
        simulate(plan(100, seed=5), run, replace=True)
    assert {path for path in run.rglob("*") if path.is_file()} == before


def test_the_manifest_of_something_else_is_not_replaced(tmp_path):
    (tmp_path / "manifest.json").write_text('{"name": "A web page"}')
    with pytest.raises(BadInput, match=r"also holds manifest\.json"):
        simulate(plan(100), tmp_path, replace=True)
    assert (tmp_path / "manifest.json").read_text() == '{"name": "A web page"}'


def test_a_run_that_is_being_written_is_not_replaced(run):
    before = content(run)
    with open_writer(run, plan()), pytest.raises(BadInput, match="being written"):
        simulate(plan(100, seed=5), run, replace=True)
    assert content(run) == before


def failing_after(commits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk be full after so many shards."""
    real = writer.RunWriter.commit

    def commit(self, shard, files):
        if len(self.commits) >= commits:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(self, shard, files)

    monkeypatch.setattr(writer.RunWriter, "commit", commit)


TWO_CELLS = {"seed": 5, "lineups": ["naive", "random"]}


@pytest.mark.parametrize("commits", [0, 1])
def test_a_replacement_that_fails_before_every_cell_has_a_shard_leaves_the_run_as_it_was(run, commits, monkeypatch):
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    failing_after(commits, monkeypatch)
    with pytest.raises(OSError, match="No space left"):
        simulate(plan(500, **TWO_CELLS), run, workers=1, replace=True)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_of_a_replacement_that_fails_later_the_finished_games_are_kept_and_gone_on_with(run, monkeypatch, tmp_path):
    with monkeypatch.context() as full:
        failing_after(3, full)
        with pytest.raises(OSError, match="No space left"):
            simulate(plan(500, **TWO_CELLS), run, workers=1, replace=True)
    assert len(committed(run)) == 3
    assert not (run / removal.ASIDE).exists()
    simulate(plan(500, **TWO_CELLS), run)
    simulate(plan(500, **TWO_CELLS), tmp_path / "whole")
    assert content(run) == content(tmp_path / "whole")


def test_a_replacement_killed_before_its_manifest_is_undone_by_the_next_call(run):
    before = content(run)
    removal.set_aside(run)
    assert not (run / "manifest.json").exists()
    simulate(plan(), run)
    assert content(run) == before


def test_a_replacement_killed_at_its_first_games_goes_on_or_is_made_anew(run, tmp_path):
    removal.set_aside(run)
    (run / "manifest.json").write_text(json.dumps(manifest.make_manifest(plan(100, **TWO_CELLS).settled())))
    (run / "commits").mkdir()
    other = Path(shutil.copytree(run, tmp_path / "other"))
    assert simulate(plan(100, **TWO_CELLS), run).games == 200
    assert simulate(plan(100, seed=6), other, replace=True).games == 100
    for folder in (run, other):
        assert not (folder / removal.ASIDE).exists()
        named = {folder / file.path for commit in committed(folder) for file in commit.all_files}
        assert parquet_files(folder) == named


def test_a_replacement_that_fails_at_once_says_that_the_run_is_as_it_was(run, monkeypatch, capsys):
    failing_after(0, monkeypatch)
    assert main(["simulate", "--lineup", "random", "--games", "200", "--replace", "--out", str(run)]) == 2
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert f"No space left on device; the run that was in {run} is as it was; to go on: canasta" in told
    assert told.endswith(" --replace")
