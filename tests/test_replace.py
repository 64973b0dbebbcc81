"""One writer a run, and a run made anew in its folder: what goes and what stays."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from finished_run import content, parquet_files, plan

from engine.errors import BadInput
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
    assert parquet_files(run) == {run / file.path for commit in committed(run) for file in commit.files.values()}


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
