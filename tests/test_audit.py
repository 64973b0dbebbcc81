"""Audits: a run as played is clean, and every kind of fault planted in its files is found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from planted_faults import FAULTS, Rows, a_card_from_the_sleeve_is_melded, first

from engine.errors import BadInput
from pipeline import audit
from pipeline.audit import audit_names, audit_run, batches_of, last_report, load_audit, save_report
from pipeline.run import open_run
from pipeline.schema import ContentHash, to_block
from pipeline.simulation import simulate


@pytest.fixture(scope="module")
def one_cell(sample_run, tmp_path_factory) -> Path:
    """The first cell of the sample as a run of its own."""
    folder = tmp_path_factory.mktemp("audit") / "run"
    manifest = json.loads((sample_run / "manifest.json").read_text())
    cell = manifest["cells"][0]
    manifest["cells"] = [cell]
    (folder / "commits").mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    for path in (sample_run / "commits").iterdir():
        commit = json.loads(path.read_text())
        if (commit["variant"], commit["lineup"]) == (cell["variant"], cell["lineup"]):
            shutil.copy(path, folder / "commits")
            for file in commit["files"].values():
                (folder / file["path"]).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(sample_run / file["path"], folder / file["path"])
    return folder


@pytest.fixture
def run(one_cell, tmp_path) -> Path:
    """A copy of it to spoil."""
    return Path(shutil.copytree(one_cell, tmp_path / "run"))


def spoil(run: Path, table: str, fault: Callable[[Rows], object]) -> None:
    """Change the rows of a table's only file, and its commit with it."""
    place = next((run / "commits").iterdir())
    commit = json.loads(place.read_text())
    file = run / commit["files"][table]["path"]
    there = pq.read_table(file)
    rows = there.to_pylist()
    fault(rows)
    pq.write_table(pa.Table.from_pylist(rows, there.schema), file)
    content = ContentHash(table)
    content.add(to_block(table, pq.read_table(file, partitioning=None)))
    commit["files"][table] |= {"rows": len(rows), "bytes": file.stat().st_size, "hash": content.hexdigest()}
    place.write_text(json.dumps(commit))


def test_the_sample_keeps_every_rule(sample_run):
    there = open_run(sample_run)
    report = audit_run(there)
    assert [(finding.name, finding.rows, finding.examples) for finding in report.audits if finding.rows] == []
    assert report.clean
    assert report.games == sum(cell.games for cell in there.parts)
    assert {finding.name for finding in report.audits} == set(audit_names())


def test_every_audit_has_its_faults():
    elsewhere = {"committed_files", "rollups"}  # test_audit_files, test_rollup_audit
    assert {name for name, *_ in FAULTS} == set(audit_names()) - elsewhere


@pytest.mark.parametrize(("name", "table", "plant"), [
    pytest.param(name, table, plant, id=f"{name}-{table}-{what}") for name, table, what, plant in FAULTS])  # fmt: skip
def test_a_planted_fault_is_found(run, name, table, plant):
    spoil(run, table, plant)
    report = audit_run(open_run(run), [name])
    assert not report.clean
    assert report.audits[0].rows == len(report.audits[0].examples) or len(report.audits[0].examples) == audit.EXAMPLES
    example = report.audits[0].examples[0]
    assert example["variant"] == "classic4"
    assert "game" in example


def test_faults_name_the_game_they_are_in(run):
    spoil(run, "moves", a_card_from_the_sleeve_is_melded)
    report = audit_run(open_run(run), ["hand_balance"])
    rows = [row for row in report.audits[0].examples if row["what"] == "played without holding it"]
    assert [(row["game"], row["deal"]) for row in rows] == [(1, 1)]
    moves = pq.read_table(open_run(run).files("moves")[0]).to_pylist()
    assert rows[0]["card"] == first(moves, action="meld", game=1, deal=1)["card"]


def test_a_report_is_kept_and_is_stale_when_games_were_added(tmp_path):
    folder = tmp_path / "run"
    simulate({"games": 10, "shard_games": 5, "lineups": ["naive"]}, folder)
    there = open_run(folder)
    assert last_report(there) is None
    report = audit_run(there)
    save_report(there, report)
    assert last_report(there) == report
    assert not list(folder.glob("*.tmp"))
    simulate({"games": 15, "shard_games": 5, "lineups": ["naive"]}, folder)
    kept = last_report(open_run(folder))
    assert (kept.stale, kept.games, kept.clean) == (True, 10, True)
    (folder / audit.RESULT).write_text("{")
    assert last_report(there) is None


def test_batches_are_consecutive_shards_of_a_few_thousand_games(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    simulate({"games": 50, "shard_games": 10, "lineups": ["naive"]}, folder)
    monkeypatch.setattr(audit, "BATCH_GAMES", 20)
    assert [batch.games for batch in batches_of(open_run(folder).parts)] == [(1, 20), (21, 40), (41, 50)]
    sorted((folder / "commits").iterdir())[1].unlink()
    assert [batch.games for batch in batches_of(open_run(folder).parts)] == [(1, 10), (21, 40), (41, 50)]
    seen: list[int] = []
    assert audit_run(open_run(folder), progress=seen.append).clean
    assert sorted(seen) == seen
    assert seen[-1] == 40


def test_an_unknown_audit_is_refused_with_those_there_are(run):
    with pytest.raises(BadInput, match="did you mean minimum"):
        audit_run(open_run(run), ["minimums"])
    with pytest.raises(BadInput, match="there are committed_files, card_conservation"):
        load_audit("nothing")


def test_every_audit_says_its_rule():
    assert len({load_audit(name).rule for name in audit_names()}) == len(audit_names())
