"""The roll-ups of one shard, counted as its games are played or read again; and the files they become.

Only columns that some roll-up reads are kept, of at most a few thousand games: beyond, what they counted is added up.
Every count is a whole number until it is written, so neither blocks nor chunks nor their order change a roll-up.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from functools import cache

import duckdb
import numpy as np
import polars as pl
import polars.selectors as cs
import pyarrow as pa

from engine import log
from pipeline import catalog
from pipeline.cells import RunCell
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
        self._held = {table: _Held(names) for table, names in needed_columns().items()}
        self._parts: dict[str, list[pa.Table]] = {name: [] for name in load_rollups()}

    def add(self, blocks: Mapping[str, Block]) -> None:
        """The next rows of all tables; the blocks may be filled anew afterwards. A game may go on in the next."""
        for table, held in self._held.items():
            held.add(blocks[table])
        if self._held["games"].rows >= CHUNK_GAMES or self._held["turns"].rows >= CHUNK_TURNS:
            self._count()

    def finish(self) -> dict[str, pa.Table]:
        """Every roll-up, sorted by block and dimensions, fractions as such."""
        self._count()
        return {name: _finish(load_rollups()[name], parts) for name, parts in self._parts.items()}

    def _count(self) -> None:
        """Count the whole games there are; the rows of one that has not ended stay."""
        if not self._held["games"].rows:
            return
        last = self._held["games"].block["game"][-1]
        ends = {
            table: int(np.searchsorted(held.block["game"], last, side="right")) for table, held in self._held.items()
        }
        whole = {table: _cut(held.block, ends[table]) for table, held in self._held.items()}
        for name, part in count_chunk(self._cell, whole).items():
            self._parts[name].append(part)
        for table, held in self._held.items():
            held.drop(ends[table])


class _Held:
    """Rows of a table that are not counted yet, in columns with room for more."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._columns: Block = {}
        self.rows = 0

    @property
    def block(self) -> Block:
        """The rows there are."""
        return _cut(self._columns, self.rows)

    def add(self, block: Block) -> None:
        end = self.rows + len(block["game"])
        if not self._columns or end > len(self._columns["game"]):
            self._columns = {name: self._grow(name, block[name], end * 3 // 2) for name in self._names}
        for name, column in self._columns.items():
            column[self.rows : end] = block[name]
        self.rows = end

    def _grow(self, name: str, like: np.ndarray, size: int) -> np.ndarray:
        column = np.empty((size, *like.shape[1:]), like.dtype)
        if self.rows:
            column[: self.rows] = self._columns[name][: self.rows]
        return column

    def drop(self, end: int) -> None:
        """Let go of the first rows."""
        for column in self._columns.values():
            column[: self.rows - end] = column[end : self.rows]
        self.rows -= end


def prepare() -> None:
    """Compile and read what all shards need, before there are threads."""
    loops()
    fractions()
    needed_columns()


def _cut(block: Block, rows: int) -> Block:
    return {name: column[:rows] for name, column in block.items()}


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
            counted = table.count(rollup) if table else None
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
        return CodeTable(connection, cell, table, blocks[table], counted_on(table))
    found = RELATIONS[table](cell, blocks) if table in RELATIONS else None
    return CodeTable(connection, cell, found.table, found.block, counted_on(table), found.own) if found else None


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


@cache
def counted_on(table: str) -> Mapping[str, bool]:
    """All that roll-ups count on rows of a table or relation, and whether it is no whole number."""
    there = [fractions()[one.name] for one in load_rollups().values() if one.table == table]
    return {text: part for parts in there for text, part in parts.items()}


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
