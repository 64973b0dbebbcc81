"""The roll-ups of one shard, counted as its games are played or read again; and the files they become.

Only columns that some roll-up reads are kept, of at most a few thousand games: beyond, what they counted is added up.
Every count is a whole number until it is written, so neither blocks nor chunks nor their order change a roll-up.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import polars.selectors as cs
import pyarrow as pa
import pyarrow.parquet as pq

from engine import log
from pipeline import catalog
from pipeline.cells import RunCell
from pipeline.dataset import File, unfinished
from pipeline.rollup import FRACTION, Rollup, load_rollups, relation_sql
from pipeline.rollup_codes import SORTED, CodeTable
from pipeline.rollup_kernel import loops
from pipeline.rollup_relations import NEEDED, RELATIONS
from pipeline.rollup_sql import count_by_sql, find_fractions, hide_rows, logged_columns, open_cell, show_rows
from pipeline.schema import Block, arrow_schema, to_array

CHUNK_GAMES, CHUNK_TURNS = 8_000, 2_000_000
"""Games, or turns, that are counted at once."""


class ShardRollups:
    """Counts the games of a shard that are added, block by block; `finish` has the roll-ups."""

    def __init__(self, cell: RunCell) -> None:
        self._cell = cell
        self._blocks: list[dict[str, Block]] = []
        self._parts: dict[str, list[pa.Table]] = {name: [] for name in load_rollups()}
        self._games = self._turns = 0

    def add(self, blocks: Mapping[str, Block]) -> None:
        """The next rows of all tables; the blocks may be filled anew afterwards. A game may go on in the next."""
        kept: dict[str, Block] = {
            table: {name: blocks[table][name].copy() for name in columns} for table, columns in needed_columns().items()
        }
        self._blocks.append(kept)
        self._games += len(kept["games"]["game"])
        self._turns += len(kept["turns"]["game"])
        if self._games >= CHUNK_GAMES or self._turns >= CHUNK_TURNS:
            self._count()

    def finish(self) -> dict[str, pa.Table]:
        """Every roll-up, sorted by block and dimensions, fractions as such."""
        self._count()
        return {name: _finish(load_rollups()[name], parts) for name, parts in self._parts.items()}

    def _count(self) -> None:
        """Count the whole games there are; the rows of one that has not ended stay."""
        if not self._games:
            return
        whole = {
            table: {name: np.concatenate([block[table][name] for block in self._blocks]) for name in columns}
            for table, columns in needed_columns().items()
        }
        last = whole["games"]["game"][-1]
        ends = {table: int(np.searchsorted(block["game"], last, side="right")) for table, block in whole.items()}
        self._blocks = [{table: _cut(block, ends[table], None) for table, block in whole.items()}]
        self._games, self._turns = 0, len(self._blocks[0]["turns"]["game"])
        counted = count_chunk(self._cell, {table: _cut(block, 0, ends[table]) for table, block in whole.items()})
        for name, part in counted.items():
            self._parts[name].append(part)


def prepare() -> None:
    """Compile and read what all shards need, before there are threads."""
    loops()
    fractions()
    needed_columns()


def _cut(block: Block, first: int, last: int | None) -> Block:
    return {name: column[first:last] for name, column in block.items()}


def count_chunk(cell: RunCell, blocks: Mapping[str, Block]) -> dict[str, pa.Table]:
    """What the roll-ups count over whole games of one cell: block, dimensions, whole numbers."""
    found = {}
    connection = _connection_of(cell)
    tables: dict[str, CodeTable | None] = {}
    shown: set[str] = set()
    try:
        for rollup in load_rollups().values():
            if rollup.table not in tables:
                tables[rollup.table] = _make_table(connection, cell, rollup.table, blocks)
            table, parts = tables[rollup.table], fractions()[rollup.name]
            counted = table.count(rollup, parts) if table else None
            if counted is None:
                for name in tables_of(rollup.table) - shown:
                    show_rows(connection, cell, name, _to_arrow(name, blocks[name]))
                    shown.add(name)
                counted = count_by_sql(connection, rollup, parts)
            found[rollup.name] = counted
    finally:
        for name in shown:
            hide_rows(connection, name)
    return found


def _make_table(
    connection: duckdb.DuckDBPyConnection, cell: RunCell, table: str, blocks: Mapping[str, Block]
) -> CodeTable | None:
    """A table, or a relation that can be found without SQL, to be counted by codes."""
    if table in log.TABLES:
        return CodeTable(connection, cell, table, blocks[table])
    found = RELATIONS[table](cell, blocks) if table in RELATIONS else None
    return CodeTable(connection, cell, found.table, found.block, found.own) if found else None


def _to_arrow(table: str, block: Block) -> pa.Table:
    columns = {column.name: column for column in log.TABLES[table]}
    return pa.table({name: to_array(columns[name], codes) for name, codes in block.items()})


_LOCAL = threading.local()


def _connection_of(cell: RunCell) -> duckdb.DuckDBPyConnection:
    """The connection of this thread for a cell; shards of the same cell follow one another."""
    kept = getattr(_LOCAL, "kept", None)
    if kept is None or kept[0] is not cell:
        if kept:
            kept[1].close()
        kept = _LOCAL.kept = (cell, open_cell(cell))
    connection: duckdb.DuckDBPyConnection = kept[1]
    return connection


@cache
def needed_columns() -> Mapping[str, tuple[str, ...]]:
    """Columns of each table that some roll-up reads; of a relation, all that its text names."""
    needed = {table: dict.fromkeys(("game", *NEEDED.get(table, ()))) for table in log.TABLES if table != "moves"}
    for rollup in load_rollups().values():
        texts = (*rollup.keys.values(), *rollup.counts)
        for table in tables_of(rollup.table):
            if table == rollup.table:
                names = logged_columns(table, texts)
            else:
                words = set(re.findall(r"\w+", " ".join([relation_sql(rollup.table), *texts])))
                added = {name: after for after, name, _ in catalog.added_columns(table)}
                words |= {added[word] for word in words & added.keys()}
                names = tuple(column.name for column in log.TABLES[table] if column.name in words)
            needed[table] |= dict.fromkeys(names)
    return {table: tuple(names) for table, names in needed.items()}


def tables_of(table: str) -> set[str]:
    """The tables that a relation reads; of a table itself."""
    return {table} if table in log.TABLES else set(re.findall(r"\w+", relation_sql(table))) & set(log.TABLES)


@cache
def fractions() -> Mapping[str, Mapping[str, bool]]:
    """Of every roll-up, which of the expressions that it counts are no whole numbers."""
    cell = RunCell("", "", "", "", {}, "", {}, (1, 2), ("", ""), 0, ())
    with open_cell(cell) as connection:
        for table in log.TABLES:
            show_rows(connection, cell, table, arrow_schema(table).empty_table())
        return {name: find_fractions(connection, rollup) for name, rollup in load_rollups().items()}


def _finish(rollup: Rollup, parts: list[pa.Table]) -> pa.Table:
    """Parts added up and sorted; types as they are stored, fractions as such."""
    keys, counts = ["block", *rollup.dimensions], list(rollup.counts.values())
    whole = parts[0]
    if len(parts) > 1 or SORTED not in (whole.schema.metadata or {}):
        frames = [pl.DataFrame(pl.from_arrow(part)).with_columns(cs.categorical().cast(pl.String)) for part in parts]
        frame = pl.concat(frames, how="vertical_relaxed").group_by(keys).agg(pl.col(counts).sum())
        whole = frame.sort(keys, nulls_last=True).to_arrow()
    parted = {rollup.counts[text] for text, part in fractions()[rollup.name].items() if part}
    columns = {}
    for name in rollup.columns:
        column = whole[name].combine_chunks()
        if name in parted:
            column = pa.array(column.to_numpy() / FRACTION)
        elif name in counts:
            column = column.cast(pa.int64())
        elif pa.types.is_integer(column.type):
            column = column.cast(pa.int32())
        elif not pa.types.is_dictionary(column.type):  # words, or nothing but nulls
            column = column.cast(pa.string()).dictionary_encode()
        columns[name] = column
    return pa.table(columns)


def write_rollups(folder: Path, rollups: Mapping[str, pa.Table], paths: Mapping[str, str]) -> dict[str, File]:
    """Write roll-ups under the unfinished names of their paths and say what is in them; nothing stays on failure."""
    files = {}
    try:
        for name, path in paths.items():
            draft = unfinished(folder / path)
            draft.parent.mkdir(parents=True, exist_ok=True)
            rows = rollups[name]
            pq.write_table(rows, draft, **_options(rows))
            files[name] = File(path, rows.num_rows, draft.stat().st_size, hash_rows(rows))
    except OSError:
        for path in paths.values():
            unfinished(folder / path).unlink(missing_ok=True)
        raise
    return files


def find_rollup_fault(path: Path, digest: str) -> str:
    """What is wrong with the file of a roll-up, or nothing."""
    try:
        rows = pq.ParquetFile(path).read()
        return "" if hash_rows(rows) == digest else "other rows than were committed"
    except FileNotFoundError:
        return "missing"
    except (OSError, pa.ArrowException, ValueError) as error:
        return "damaged: " + (" ".join(str(error).split()) or type(error).__name__)


def _options(rows: pa.Table) -> dict[str, Any]:
    """Words by dictionary, numbers with their bytes split, as in the tables."""
    words = [name for name in rows.column_names if pa.types.is_dictionary(rows[name].type)]
    numbers = [name for name in rows.column_names if name not in words]
    return {
        "compression": "zstd",
        "compression_level": 1,
        "write_statistics": False,
        "use_dictionary": words,
        "column_encoding": dict.fromkeys(numbers, "BYTE_STREAM_SPLIT"),
    }


def hash_rows(rows: pa.Table) -> str:
    """Digest of a roll-up's columns and values, however they are stored: 16 hex digits."""
    sums = []
    for name in rows.column_names:
        column = rows[name].combine_chunks()
        if pa.types.is_string(column.type) or pa.types.is_null(column.type):
            column = column.cast(pa.string()).dictionary_encode()
        words: list[str] = []
        if pa.types.is_dictionary(column.type):
            words, column = _ordered_words(column)
        holes = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else np.zeros(0, np.bool_)
        values = (column.fill_null(log.NULL) if column.null_count else column).to_numpy(zero_copy_only=False)
        sums.append(
            (name, str(column.type), words, zlib.crc32(np.ascontiguousarray(values).data), zlib.crc32(holes.data))
        )
    whole = repr((rows.num_rows, sums)).encode()
    return f"{zlib.crc32(whole):08x}{zlib.crc32(whole[::-1]):08x}"


def _ordered_words(column: pa.DictionaryArray) -> tuple[list[str], pa.Array]:
    """The words of a column that occur, in order, and the place of each value's among them, -1 for none."""
    words = column.dictionary.to_pylist()
    codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    there = sorted(words[code] for code in np.unique(codes) if code >= 0)
    places = {word: place for place, word in enumerate(there)}
    numbers = np.array([-1, *(places.get(word, -1) for word in words)], np.int32)[codes + 1]
    return there, pa.array(numbers)
