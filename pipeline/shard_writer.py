"""Writes the tables of one shard as the games are played: row group by row group, flat in memory.

The files bear an unfinished name; letting them count is the run's part (`pipeline.writer`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.cells import RunCell
from pipeline.dataset import File, unfinished
from pipeline.rollup_files import write_rollups
from pipeline.rollup_shard import ShardRollups
from pipeline.schema import Block, ContentHash, arrow_schema, parquet_options, to_batch

ROW_GROUP = 400_000
"""Rows from which on the blocks at hand are written as a row group."""


@dataclass(frozen=True)
class ShardFiles:
    """What was written of a shard: tables and roll-ups by name."""

    tables: Mapping[str, File]
    rollups: Mapping[str, File]


class ShardWriter:
    """Writes the tables of one shard, a row group at a time, and its roll-ups, to files that do not count yet.

    `rollup_paths` is empty where no roll-ups are wanted; else `cell` says whose games they are.
    """

    def __init__(
        self,
        folder: Path,
        paths: Mapping[str, str],
        facts: Mapping[str, str],
        rollup_paths: Mapping[str, str] | None = None,
        cell: RunCell | None = None,
    ) -> None:
        self._folder = folder
        self._paths = paths
        self._rollup_paths = rollup_paths or {}
        self._rollups = ShardRollups(cell) if rollup_paths and cell else None
        self._tables: dict[str, _TableWriter] = {}
        try:
            for table, path in paths.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                self._tables[table] = _TableWriter(table, unfinished(folder / path), facts)
        except OSError:
            self.abandon()
            raise

    def add(self, blocks: Mapping[str, Block]) -> None:
        """Write the next games, table by table; the blocks may be filled anew afterwards."""
        for table, writer in self._tables.items():
            writer.add(blocks[table])
        if self._rollups:
            self._rollups.add(blocks)

    def close(self) -> ShardFiles:
        """Finish the files, still under their other name, and say what is in them."""
        files = {}
        for table, writer in self._tables.items():
            writer.close()
            size = writer.path.stat().st_size
            files[table] = File(self._paths[table], writer.content.rows, size, writer.content.hexdigest())
        rollups = write_rollups(self._folder, self._rollups.finish(), self._rollup_paths) if self._rollups else {}
        return ShardFiles(files, rollups)

    def abandon(self) -> None:
        """Remove the files."""
        for writer in self._tables.values():
            writer.abandon()
        for path in self._rollup_paths.values():
            unfinished(self._folder / path).unlink(missing_ok=True)


class _TableWriter:
    def __init__(self, table: str, path: Path, facts: Mapping[str, str]) -> None:
        self.path = path
        self.content = ContentHash(table)
        self._table = table
        self._schema = arrow_schema(table, facts)
        self._waiting: list[pa.RecordBatch] = []
        self._rows_waiting = 0
        try:
            self._parquet = pq.ParquetWriter(path, self._schema, **parquet_options(table))
        except OSError:
            path.unlink(missing_ok=True)
            raise

    def add(self, block: Block) -> None:
        self.content.add(block)
        self._waiting.append(to_batch(self._table, block, self._schema))
        self._rows_waiting += self._waiting[-1].num_rows
        if self._rows_waiting >= ROW_GROUP:
            self._write()

    def close(self) -> None:
        self._write()
        self._parquet.close()

    def abandon(self) -> None:
        with contextlib.suppress(OSError, pa.ArrowException):
            self._parquet.close()
        self.path.unlink(missing_ok=True)

    def _write(self) -> None:
        if self._waiting:
            self._parquet.write_table(pa.Table.from_batches(self._waiting), row_group_size=self._rows_waiting)
        self._waiting = []
        self._rows_waiting = 0
