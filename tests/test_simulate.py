"""Playing a plan into a run: the same rows whatever the workers and the size of shards."""

from __future__ import annotations

from pathlib import Path

import pytest
from finished_run import content

from engine.errors import BadInput
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup
from pipeline import dataset, schema, shard_writer
from pipeline.plan import make_plan
from pipeline.simulation import simulate

KEYS = {"games": 600, "shard_games": 100, "variants": ["classic4", "classic2"], "lineups": ["naive~random"]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """The plan of KEYS played at one go by one worker."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    simulate(KEYS, folder, workers=1)
    return folder


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
    stored = content(whole)["classic2", "random~naive", 3][1]
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
    assert all(mine[key][1]["moves"] != other[key][1]["moves"] for key in mine)


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
    file = writer.close().tables["moves"]
    read = pq.ParquetFile(dataset.unfinished(tmp_path / "moves.parquet")).metadata
    sizes = [read.row_group(group).num_rows for group in range(read.num_row_groups)]
    assert sum(sizes) == file.rows
    assert len(sizes) > 1
    assert all(size >= 10_000 for size in sizes[:-1])


def test_no_workers_are_refused(tmp_path):
    with pytest.raises(BadInput, match="workers=0"):
        simulate(KEYS, tmp_path / "run", workers=0)
    assert not (tmp_path / "run").exists()
