"""Roll-ups of a run that is there: made anew from its tables where shards lack them or have those of older definitions.

A shard's new roll-ups count when its commit has been replaced in one step, so a stopped call loses nothing: the next
goes on. They are the same, row by row, as those that `simulate` leaves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from engine import log
from engine.errors import BadInput
from pipeline import dataset
from pipeline.catalog import write_views
from pipeline.cells import RunCell, read_cells
from pipeline.dataset import Commit, unfinished
from pipeline.lock import locked
from pipeline.rollup import has_rollups, load_rollups, rollup_digest
from pipeline.rollup_files import write_rollups
from pipeline.rollup_shard import ShardRollups, needed_columns, prepare
from pipeline.schema import Block, to_codes
from pipeline.writer import remove_uncommitted, write_json

READ_GAMES = 1_000
"""Games read from the tables at once."""


@dataclass(frozen=True)
class RollupSummary:
    """What a call did: games whose roll-ups it made, games of the run, roll-ups of a shard, bytes of all roll-ups."""

    made: int
    games: int
    rollups: int
    bytes: int


def make_rollups(
    folder: Path, *, workers: int = 1, anew: bool = False, progress: Callable[[int], None] = lambda games: None
) -> RollupSummary:
    """Make what roll-ups a run lacks, or with `anew` all; `progress` is told how many games are done.

    Raises BadInput for no run, one that is being written or whose tables cannot be read; OSError when the disk
    refuses.
    """
    if workers < 1:
        raise BadInput(f"workers={workers}; allowed: 1 or more")
    manifest = dataset.read_manifest(folder)
    with locked(folder):
        commits = {commit.key: commit for commit in dataset.committed(folder)}
        if not commits:
            raise BadInput(f"{folder}: no committed shard yet: finish it with `canasta simulate`")
        remove_uncommitted(folder, list(commits.values()))
        lacking = [one for one in commits.values() if anew or not _has_rollups(folder, one)]
        if lacking:
            prepare()
        cells = {(cell.variant, cell.lineup): cell for cell in read_cells(manifest, [])}
        try:
            for commit in _make_all(folder, cells, lacking, manifest["shard_games"], workers):
                commits[commit.key] = commit
                progress(commit.games)
        finally:
            if lacking:
                write_views(folder, read_cells(manifest, list(commits.values())), manifest["seed"])
        files = [file for commit in commits.values() for file in commit.rollups.values()]
        made, games = (sum(commit.games for commit in some) for some in (lacking, commits.values()))
        return RollupSummary(made, games, len(load_rollups()), sum(file.bytes for file in files))


def lacking_games(folder: Path) -> int:
    """Games of a run that lack roll-ups of today's definitions."""
    return sum(commit.games for commit in dataset.committed(folder) if not _has_rollups(folder, commit))


def _has_rollups(folder: Path, commit: Commit) -> bool:
    if not has_rollups(commit):
        return False
    try:
        return all(
            (folder / file.path).stat().st_size == file.bytes
            and pq.read_metadata(folder / file.path).num_rows == file.rows
            for file in commit.rollups.values()
        )
    except (FileNotFoundError, pa.ArrowException):
        return False


def _make_all(
    folder: Path, cells: Mapping[tuple[str, str], RunCell], lacking: list[Commit], shard_games: int, workers: int
) -> Iterator[Commit]:
    """The new commits, each as soon as it counts."""
    stop = threading.Event()
    waiting = iter(lacking)
    running: set[Future[Commit | None]] = set()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="canasta-rollups")
    try:
        while True:
            while len(running) < 2 * workers and (commit := next(waiting, None)):
                cell = cells[commit.key[:2]]
                running.add(pool.submit(_make_shard, folder, cell, commit, shard_games, stop))
            if not running:
                return
            done, running = wait(running, None, FIRST_COMPLETED)
            for future in done:
                if found := future.result():
                    yield found
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _make_shard(folder: Path, cell: RunCell, commit: Commit, shard_games: int, stop: threading.Event) -> Commit | None:
    """Make the roll-ups of one shard and let them count; the older ones go."""
    short = None if commit.games == shard_games else commit.games
    paths = {name: dataset.rollup_path(name, *commit.key, rollup_digest(), short) for name in load_rollups()}
    counting = ShardRollups(cell)
    for blocks in read_blocks(folder, commit):
        if stop.is_set():
            return None
        counting.add(blocks)
    files = write_rollups(folder, counting.finish(), paths)
    new = replace(commit, rollups=files, rollup_digest=rollup_digest())
    for path in paths.values():
        unfinished(folder / path).replace(folder / path)
    write_json(folder / dataset.commit_path(*commit.key), asdict(new))
    for file in commit.rollups.values():
        if file.path not in paths.values():
            (folder / file.path).unlink(missing_ok=True)
    return new


def read_blocks(folder: Path, commit: Commit) -> Iterator[dict[str, Block]]:
    """The tables of a shard as the kernel logged them, some games at a time, columns that roll-ups read."""
    readers = {table: _read_table(folder, commit, table, names) for table, names in needed_columns().items()}
    for last in range(
        commit.first_game - 1 + READ_GAMES, commit.first_game + commit.games - 1 + READ_GAMES, READ_GAMES
    ):
        yield {table: reader(last) for table, reader in readers.items()}


def _read_table(folder: Path, commit: Commit, table: str, names: tuple[str, ...]) -> Callable[[int], Block]:
    """A function that reads on, to the last row of a game."""
    path = folder / commit.files[table].path
    columns = {column.name: column for column in log.TABLES[table]}
    try:
        file = pq.ParquetFile(path)
        groups = file.iter_batches(columns=list(names), batch_size=1 << 16)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from None
    held: dict[str, Any] = {}

    def read_to(last: int) -> Block:
        parts = [held.copy()] if held else []
        while not parts or not len(parts[-1]["game"]) or parts[-1]["game"][-1] <= last:
            try:
                batch = next(groups, None)
                if batch is None:
                    break
                parts.append({name: to_codes(columns[name], batch.column(name)) for name in names})
            except (OSError, pa.ArrowException, KeyError) as error:
                raise _unreadable(path, error) from None
        if not parts:
            raise _unreadable(path, ValueError("it has no rows"))
        whole = {name: np.concatenate([part[name] for part in parts]) for name in names}
        end = int(np.searchsorted(whole["game"], last, side="right"))
        held.update({name: column[end:] for name, column in whole.items()})
        return {name: column[:end] for name, column in whole.items()}

    return read_to


def _unreadable(path: Path, error: Exception) -> BadInput:
    return BadInput(f"{path} cannot be read: {' '.join(str(error).split())}; `canasta audit` tells what is damaged")
