"""Audits hold where a take brings a part of the pile: what went with it and what stayed is asked card by card."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from planted_faults import Rows

from pipeline.audit import audit_run
from pipeline.run import open_run
from pipeline.schema import ContentHash, to_block
from pipeline.simulation import simulate

CELLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("classic4", {"pile_portion": "top7"}),
    ("classic4", {"pile_portion": "top7", "pile_rest": "removed", "pile_frozen": "always"}),
    ("classic4", {"pile_portion": "from_melded"}),
    ("house_devon", {}),
    ("cuban", {"pile_portion": "top7", "upcard": "value_pile"}),
    ("samba", {"pile_portion": "from_melded", "pile_rest": "removed"}),
)


@pytest.fixture(scope="module", params=CELLS, ids=lambda cell: f"{cell[0]}-{'-'.join(cell[1].values())}")
def parts(request, tmp_path_factory) -> Path:
    """A run in which parts of the pile are taken."""
    name, changes = request.param
    folder = tmp_path_factory.mktemp("parts") / "run"
    simulate({"variants": [name], "set": changes, "lineups": ["safe"], "games": 12}, folder)
    return folder


def spoil(run: Path, table: str, column: str, amount: int, **wanted: Any) -> None:
    """Change a number of the first fitting row of a table, and its commit with it."""
    place = next((run / "commits").iterdir())
    commit = json.loads(place.read_text())
    file = run / commit["files"][table]["path"]
    there = pq.read_table(file)
    rows: Rows = there.to_pylist()
    row = next(row for row in rows if row[column] is not None and all(row[key] == one for key, one in wanted.items()))
    row[column] += amount
    pq.write_table(pa.Table.from_pylist(rows, there.schema), file)
    content = ContentHash(table)
    content.add(to_block(table, pq.read_table(file, partitioning=None)))
    commit["files"][table] |= {"bytes": file.stat().st_size, "hash": content.hexdigest()}
    place.write_text(json.dumps(commit))


def test_runs_with_parts_of_piles_are_clean(parts: Path) -> None:
    report = audit_run(open_run(parts))
    assert [(one.name, one.rows, one.examples) for one in report.audits if one.rows] == []
    turns = open_run(parts).turns().collect()
    assert (turns["took"] < turns["pile"]).any()


@pytest.mark.parametrize(
    ("audit", "table", "column", "amount"),
    [
        ("hand_balance", "sides", "held_points", -5),
        ("hand_balance", "turns", "took", -1),
        ("pile_facts", "piles", "card_points", 5),
        ("pile_facts", "piles", "wilds_on_frozen", 1),
    ],
)
def test_what_went_with_a_part_is_asked(
    parts: Path, tmp_path: Path, audit: str, table: str, column: str, amount: int
) -> None:
    run = Path(shutil.copytree(parts, tmp_path / "run"))
    spoil(run, table, column, amount)
    assert not audit_run(open_run(run), [audit]).clean
