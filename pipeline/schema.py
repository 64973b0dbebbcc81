"""From the log's columns to Arrow, Parquet and DuckDB: types, nulls, encodings, and blocks into batches.

Text becomes a dictionary (of int8, or int16 for 127 words or more) with the words in their order in engine.log,
booleans and signed integers keep their width, lists become Arrow lists. Where a column is null its logged code
says so (0 for text, -1 elsewhere). Nothing here touches a file.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from engine import log
from engine.log import Column

Block = Mapping[str, np.ndarray]
"""The columns of one table as the kernel logged them, by name: codes, all of one length."""

_INTEGERS = {"int8": pa.int8(), "int16": pa.int16(), "int32": pa.int32(), "int64": pa.int64()}
_DUCKDB = {
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "bool": "BOOLEAN",
    "text": "VARCHAR",
}
_WORDS = {
    column.words: pa.array(column.words, pa.string())
    for columns in log.TABLES.values()
    for column in columns
    if column.words
}


def list_depth(column: Column) -> int:
    """How many lists lie round a value of the column: 0, 1 or 2."""
    return 2 if column.nested else 1 if column.size else 0


def value_type(column: Column) -> pa.DataType:
    """Arrow type of one value of a column, its lists left aside."""
    if column.kind == "text":
        return pa.dictionary(_INTEGERS[column.logged], pa.string())
    return pa.bool_() if column.kind == "bool" else _INTEGERS[column.kind]


def arrow_type(column: Column) -> pa.DataType:
    """Arrow type of a column."""
    kind = value_type(column)
    for _ in range(list_depth(column)):
        kind = pa.list_(pa.field("element", kind, nullable=False))
    return kind


def duckdb_type(column: Column) -> str:
    """DuckDB type as which a column is read from Parquet."""
    return _DUCKDB[column.kind] + "[]" * list_depth(column)


def arrow_schema(table: str, metadata: Mapping[str, str] | None = None) -> pa.Schema:
    """Arrow schema of a table; every field carries `unit` and `description`, the whole carries `metadata`."""
    fields = [
        pa.field(
            column.name,
            arrow_type(column),
            column.nullable,
            {"unit": column.unit, "description": column.description},
        )
        for column in log.TABLES[table]
    ]
    return pa.schema(fields, dict(metadata or {}))


def parquet_options(table: str) -> dict[str, object]:
    """Writer options of a table: a dictionary for words and lists, split bytes for whole numbers.

    Splitting the bytes of numbers takes half the time of finding a dictionary for them and compresses better;
    DuckDB reads them as fast, Polars at 40 % of the speed (measured). Statistics only for game and deal, the
    columns by which rows are found: over all columns they cost half as much again as the encoding itself, as
    do the writer's small default batches and pages (measured).
    """
    columns = log.TABLES[table]
    split = [column.name for column in columns if column.kind in _INTEGERS and not column.size]
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": [_leaf(column) for column in columns if column.name not in split],
        "column_encoding": dict.fromkeys(split, "BYTE_STREAM_SPLIT"),
        "write_statistics": [column.name for column in columns if column.name in ("game", "deal")],
        "write_batch_size": 65_536,
        "data_page_size": 1 << 22,
        "max_rows_per_page": 1 << 20,
    }


def to_batch(table: str, block: Block, schema: pa.Schema | None = None) -> pa.RecordBatch:
    """Record batch of a table's block; all is copied, so the block may be filled anew."""
    arrays = [to_array(column, block[column.name]) for column in log.TABLES[table]]
    return pa.RecordBatch.from_arrays(arrays, schema=schema or arrow_schema(table))


def to_block(table: str, rows: pa.Table) -> Block:
    """What `to_batch` was given: the logged codes of rows read back from Parquet."""
    return {column.name: to_codes(column, rows[column.name].combine_chunks()) for column in log.TABLES[table]}


class ContentHash:
    """Digest of the rows of a table: the same for the same rows, however they are split into blocks and stored."""

    def __init__(self, table: str) -> None:
        self.rows = 0
        self._sums = {column.name: 0 for column in log.TABLES[table]}

    def add(self, block: Block) -> None:
        """Take in the next rows."""
        for name, total in self._sums.items():
            self._sums[name] = zlib.crc32(np.ascontiguousarray(block[name]).data, total)
        self.rows += len(block["game"])

    def hexdigest(self) -> str:
        """16 hex digits over the names, the number of rows and the values."""
        whole = repr((self.rows, sorted(self._sums.items()))).encode()
        return f"{zlib.crc32(whole):08x}{zlib.crc32(whole[::-1]):08x}"


def _leaf(column: Column) -> str:
    return column.name + ".list.element" * list_depth(column)


def _logged(column: Column) -> np.dtype:
    return np.dtype("int8" if column.kind == "bool" else column.logged)


def _end_of(column: Column) -> int:
    return 0 if column.kind == "text" else int(np.iinfo(_logged(column)).min)


def to_array(column: Column, values: np.ndarray) -> pa.Array:
    """Logged codes of one column as Arrow has them; all is copied."""
    if not column.size:
        return _to_flat(column, values, nulls=column.nullable)
    present = values != _end_of(column)
    flat = _to_flat(column, values[present], nulls=False)
    lengths = present.sum(axis=-1)
    if not column.nested:
        return _list_of(arrow_type(column), flat, lengths)
    places = np.arange(1, column.nested + 1)
    counts = ((lengths > 0) * places).max(axis=1, initial=0)
    inner = _list_of(arrow_type(column).value_type, flat, lengths[places <= counts[:, None]])
    return _list_of(arrow_type(column), inner, counts)


def _list_of(kind: pa.DataType, values: pa.Array, lengths: np.ndarray) -> pa.Array:
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), values, type=kind)


def _to_flat(column: Column, values: np.ndarray, *, nulls: bool) -> pa.Array:
    count = len(values)
    validity = None
    if nulls:
        present = values != (0 if column.kind == "text" else log.NULL)
        if not present.all():
            validity = pa.py_buffer(np.packbits(present, bitorder="little"))
    if column.kind == "text":
        codes = pa.py_buffer(values - values.dtype.type(1))
        indices = pa.Array.from_buffers(_INTEGERS[column.logged], count, [validity, codes])
        return pa.DictionaryArray.from_arrays(indices, _WORDS[column.words], safe=False)
    data = np.packbits(values == 1, bitorder="little") if column.kind == "bool" else values.copy()
    return pa.Array.from_buffers(value_type(column), count, [validity, pa.py_buffer(data)])


def to_codes(column: Column, array: pa.Array) -> np.ndarray:
    """What `to_array` was given."""
    if not column.size:
        return _to_flat_codes(column, array)
    if not column.nested:
        return _padded(_to_flat_codes(column, array.flatten()), array.value_lengths(), column.size, _end_of(column))
    inner = array.flatten()
    rows = _padded(_to_flat_codes(column, inner.flatten()), inner.value_lengths(), column.size, _end_of(column))
    whole = np.full((len(array), column.nested, column.size), _end_of(column), _logged(column))
    whole[np.arange(column.nested) < np.asarray(array.value_lengths())[:, None]] = rows
    return whole


def _padded(values: np.ndarray, lengths: pa.Array, size: int, end: int) -> np.ndarray:
    whole = np.full((len(lengths), size), end, values.dtype)
    whole[np.arange(size) < np.asarray(lengths)[:, None]] = values
    return whole


def _to_flat_codes(column: Column, array: pa.Array) -> np.ndarray:
    base = _logged(column)
    if column.kind == "text":
        if not pa.types.is_dictionary(array.type):
            array = array.dictionary_encode()
        place = {word: code for code, word in enumerate(column.words, start=1)}
        codes = np.array([0, *(place[word] for word in array.dictionary.to_pylist())], base)
        return np.asarray(codes[np.asarray(array.indices.fill_null(-1)) + 1])
    if column.kind == "bool":
        array = array.cast(pa.int8())
    return np.asarray(array.fill_null(log.NULL)).astype(base, copy=False)
