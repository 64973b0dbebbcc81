"""Writes the tables of one shard as the games are played: row group by row group, flat in memory.

The files bear an unfinished name; letting them count is the run's part (`pipeline.writer`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pipeline.dataset import File, unfinished
from pipeline.parquet import ParquetFile
from pipeline.schema import Block, ContentHash

ROW_GROUP = 400_000
"""Rows from which on the blocks at hand are written as a row group."""


class ShardWriter:
    """Writes the tables of one shard, a row group at a time, to files that do not count yet."""

    def __init__(self, folder: Path, paths: Mapping[str, str], facts: Mapping[str, str]) -> None:
        self._paths = paths
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

    def close(self) -> dict[str, File]:
        """Finish the files, still under their other name, and say what is in them."""
        files = {}
        for table, writer in self._tables.items():
            writer.close()
            size = writer.path.stat().st_size
            files[table] = File(self._paths[table], writer.content.rows, size, writer.content.hexdigest())
        return files

    def abandon(self) -> None:
        """Remove the files."""
        for writer in self._tables.values():
            writer.abandon()


class _TableWriter:
    def __init__(self, table: str, path: Path, facts: Mapping[str, str]) -> None:
        self.path = path
        self.content = ContentHash(table)
        self._waiting: list[Block] = []
        self._rows_waiting = 0
        self._file = ParquetFile(path, table, facts)

    def add(self, block: Block) -> None:
        self.content.add(block)
        self._rows_waiting += len(block["game"])
        if self._rows_waiting >= ROW_GROUP:
            self._write([*self._waiting, block])
        else:
            self._waiting.append({name: block[name].copy() for name in block})

    def close(self) -> None:
        self._write(self._waiting)
        self._file.close()

    def abandon(self) -> None:
        self._file.abandon()
        self.path.unlink(missing_ok=True)

    def _write(self, blocks: list[Block]) -> None:
        if len(blocks) == 1:
            self._file.write(blocks[0])
        elif blocks:
            self._file.write({name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]})
        self._waiting = []
        self._rows_waiting = 0
