"""The audit of the roll-ups: one wrong count is found, missing roll-ups are told and break nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.audit import audit_run
from pipeline.dataset import committed
from pipeline.rollup_files import hash_rows
from pipeline.run import open_run
from pipeline.simulation import simulate


@pytest.fixture
def run(tmp_path) -> Path:
    """A run of two shards to spoil."""
    folder = tmp_path / "run"
    simulate({"games": 40, "shard_games": 20, "lineups": ["naive"]}, folder)
    return folder


def change(run: Path, name: str, column: str, *, told: bool) -> None:
    """Count one more in the first row of a roll-up; and commit it so, if `told`."""
    commit = committed(run)[0]
    path = run / commit.rollups[name].path
    rows = pq.ParquetFile(path).read()
    values = rows[column].to_pylist()
    values[0] += 1
    place = rows.column_names.index(column)
    rows = rows.set_column(place, column, pa.array(values, rows.schema.field(column).type))
    pq.write_table(rows, path)
    if told:
        [place] = [one for one in (run / "commits").iterdir() if one.name.endswith("00001.json")]
        words = json.loads(place.read_text())
        words["rollups"][name] |= {"hash": hash_rows(rows), "bytes": path.stat().st_size}
        place.write_text(json.dumps(words))


@pytest.mark.parametrize(
    ("name", "column"), [("turns", "of_take_rate"), ("deals", "rows"), ("biggest_takes", "biggest_take_wins")]
)
def test_one_wrong_count_is_found(run, name, column):
    assert audit_run(open_run(run), ["rollups"]).clean
    change(run, name, column, told=True)
    [found] = audit_run(open_run(run), ["rollups"]).audits
    assert found.rows == 1
    assert (found.examples[0]["rollup"], found.examples[0]["columns"][0]["column"]) == (name, column)
    assert found.examples[0]["columns"][0]["more"] == pytest.approx(1)


def test_other_counts_than_were_committed_are_a_wrong_file(run):
    change(run, "turns", "rows", told=False)
    report = audit_run(open_run(run), ["committed_files", "rollups"])
    assert [one.rows for one in report.audits] == [1, 0]
    assert report.audits[0].examples[0]["found"] == "other rows than were committed"
    assert report.audits[1].lacking == 20


@pytest.mark.parametrize("damage", ["missing", "cut"])
def test_a_damaged_roll_up_leaves_the_tables_to_be_audited(run, damage):
    path = run / committed(run)[0].rollups["sides"].path
    path.unlink() if damage == "missing" else path.write_bytes(b"PAR1")
    files, items = audit_run(open_run(run), ["committed_files", "score_items"]).audits
    assert (files.rows, files.examples[0]["found"].split(":")[0]) == (1, {"cut": "damaged"}.get(damage, damage))
    assert (items.rows, items.unasked) == (0, 0)


def test_missing_roll_ups_are_told_and_break_nothing(run):
    for path in (run / "commits").iterdir():
        words = json.loads(path.read_text())
        path.write_text(json.dumps({**words, "rollups": {}, "rollup_digest": ""}))
    report = audit_run(open_run(run), ["rollups"])
    assert report.clean
    assert "40 games have no roll-ups" in report.verdict
