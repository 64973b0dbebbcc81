"""Audits of a run whose files or manifest are damaged: what is told of them, and what is audited all the same."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.errors import BadInput
from pipeline.audit import audit_names, audit_run
from pipeline.cli import main
from pipeline.run import open_run
from pipeline.simulation import simulate


@pytest.fixture
def run(tmp_path) -> Path:
    """A run of one shard to spoil."""
    folder = tmp_path / "run"
    simulate({"games": 60, "lineups": ["naive"]}, folder)
    return folder


def files_of(run: Path) -> dict[str, dict[str, Any]]:
    return json.loads(next((run / "commits").iterdir()).read_text())["files"]


@pytest.mark.parametrize(("damage", "told"), [("missing", "missing"), ("cut", "damaged"), ("pages", "damaged"),
                                             ("empty", "damaged"), ("columns", "other columns")])  # fmt: skip
def test_a_damaged_file_is_found_and_nothing_else_asked_of_its_games(run, capsys, damage, told):
    path = run / files_of(run)["piles"]["path"]
    whole = path.read_bytes()
    if damage == "missing":
        path.unlink()
    elif damage == "columns":
        pq.write_table(pq.read_table(path).drop(["pile"]), path)
    else:
        damaged = {"cut": whole[:2_000], "empty": b"", "pages": whole[:40] + b"\xff" * 4_000 + whole[4_040:]}
        path.write_bytes(damaged[damage])
    report = audit_run(open_run(run), ["committed_files", "score_items"])
    files, items = report.audits
    assert (files.rows, files.unasked) == (1, 0)
    assert (items.rows, items.breaks, items.unasked) == (0, None, report.games)
    assert "piles" in files.examples[0]["path"]
    assert files.examples[0]["found"].startswith(told)
    assert not report.clean
    assert "1 of 2 audits broken; 1 not asked of" in report.verdict


def test_other_rows_than_were_committed_are_found_and_asked_all_the_same(run):
    path = run / files_of(run)["sides"]["path"]
    rows = pq.read_table(path)
    pq.write_table(
        rows.set_column(rows.schema.names.index("score_after"), "score_after", pa.array([7] * len(rows), pa.int32())),
        path,
    )
    report = audit_run(open_run(run), ["committed_files", "score_items"])
    assert report.audits[0].examples[0]["found"] == "other rows than were committed"
    assert report.audits[1].rows > 0
    assert report.audits[1].unasked == 0


def test_shards_beside_a_damaged_one_are_audited(tmp_path):
    folder = tmp_path / "run"
    simulate({"games": 30, "shard_games": 10, "lineups": ["naive"]}, folder)
    next(folder.glob("moves/*/*/00002.parquet")).write_bytes(b"PAR1")
    report = audit_run(open_run(folder))
    assert {(finding.name, finding.unasked) for finding in report.audits} == {
        (name, 0 if name == "committed_files" else 10) for name in audit_names()
    }
    assert [finding.name for finding in report.audits if finding.rows] == ["committed_files"]
    assert all(finding.seconds > 0 for finding in report.audits)


@pytest.mark.parametrize(("rule", "value"), [("canastas_out", 99), ("canastas_out", "many"), ("hand_size", None),
                                             ("pile_frozen", "sometimes"), ("no_such_rule", 1)])  # fmt: skip
def test_a_rule_that_cannot_be_is_refused_before_anything_is_audited(run, rule, value):
    manifest = json.loads((run / "manifest.json").read_text())
    manifest["cells"][0]["rules"][rule] = value
    (run / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BadInput, match=rf"manifest\.json: classic4 .*{rule}"):
        audit_run(open_run(run))


def test_a_rule_that_is_not_there_is_named(run):
    manifest = json.loads((run / "manifest.json").read_text())
    del manifest["cells"][0]["rules"]["canastas_out"]
    (run / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BadInput, match="rule canastas_out is missing"):
        audit_run(open_run(run))


def test_games_of_another_shard_are_found(tmp_path):
    run = tmp_path / "two"
    simulate({"games": 60, "lineups": ["naive"], "shard_games": 30}, run)
    first, second = sorted((run / "commits").iterdir())
    commit, others = json.loads(second.read_text()), json.loads(first.read_text())["files"]
    for table, file in commit["files"].items():
        shutil.copy(run / others[table]["path"], run / file["path"])
        commit["files"][table] = {**others[table], "path": file["path"]}
    second.write_text(json.dumps(commit))
    report = audit_run(open_run(run), ["committed_files"])
    assert report.audits[0].rows == len(others)


def test_a_commit_that_does_not_begin_with_its_shard_is_refused(run):
    place = next((run / "commits").iterdir())
    place.write_text(json.dumps({**json.loads(place.read_text()), "first_game": 11}))
    with pytest.raises(BadInput, match="does not begin with game 11"):
        open_run(run)


def test_what_was_not_asked_is_printed_so_and_exits_1(run, capsys):
    (run / files_of(run)["piles"]["path"]).unlink()
    assert main(["audit", str(run)]) == 1
    printed = capsys.readouterr().out
    assert re.search(r"score_items +not asked ", printed)
    assert printed.splitlines()[-1].endswith("not asked of 60 games, whose files are lost or damaged")
    assert main(["audit", str(run), "--only", "score_items", "--format", "json"]) == 1
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["rows"], told["unasked"]) == (None, 60)
