"""A small finished run, what its shards hold and which files it has; the fixtures of it are in conftest.py."""

from __future__ import annotations

from pathlib import Path

from pipeline import dataset
from pipeline.dataset import committed
from pipeline.plan import Plan, make_plan


def plan(games: int = 250, **options: object) -> Plan:
    return make_plan({"games": games, "shard_games": 100, "lineups": ["naive"], **options})


def content(run: Path) -> dict[tuple[str, str, int], tuple[int, dict[str, tuple[int, str]]]]:
    """What the finished shards hold, wherever it lies."""
    return {
        commit.key: (commit.games, {table: (file.rows, file.hash) for table, file in commit.files.items()})
        for commit in committed(run)
    }


def parquet_files(run: Path) -> set[Path]:
    return {path for path in run.rglob("*") if path.suffix in (".parquet", dataset.UNFINISHED)}


def leftovers(run: Path) -> list[Path]:
    return sorted(run.rglob(f"*{dataset.UNFINISHED}"))
