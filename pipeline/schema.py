"""From the log's columns to Arrow, Parquet and DuckDB: types, nulls, encodings, and blocks into tables.

Text becomes `dictionary<int8, string>` with the words in their order in engine.log, booleans and
signed integers keep their width, lists become Arrow lists. Where a column is null its logged code
says so (0 for text, -1 elsewhere). Nothing here touches a file.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from engine import log
from engine.log import Column

_INTEGERS = {"int8": pa.int8(), "int16": pa.int16(), "int32": pa.int32(), "int64": pa.int64()}
_DUCKDB = {"int8": "TINYINT", "int16": "SMALLINT", "int32": "INTEGER", "int64": "BIGINT", "bool": "BOOLEAN",
           "text": "VARCHAR"}


def value_type(column: Column) -> pa.DataType:
    """Arrow type of one value of a column, its lists left aside."""
    if column.kind == "text":
        return pa.dictionary(pa.int8(), pa.string())
    return pa.bool_() if column.kind == "bool" else _INTEGERS[column.kind]


def arrow_type(column: Column) -> pa.DataType:
    """Arrow type of a column."""
    kind = value_type(column)
    for _ in range(list_depth(column)):
        kind = pa.list_(pa.field("element", kind, nullable=False))
    return kind


def list_depth(column: Column) -> int:
    """How many lists lie round a value of the column: 0, 1 or 2."""
    return 2 if column.nested else 1 if column.size else 0


def duckdb_type(column: Column) -> str:
    """DuckDB type under which a column is read from Parquet."""
    return _DUCKDB[column.kind] + "[]" * list_depth(column)


def arrow_schema(table: str, metadata: Mapping[str, str] | None = None) -> pa.Schema:
    """Arrow schema of a table; every field carries `unit` and `description`, the schema `metadata`."""
    fields = [
        pa.field(column.name, arrow_type(column), column.nullable,
                 {"unit": column.unit, "description": column.description})
        for column in log.TABLES[table]
    ]
    return pa.schema(fields, dict(metadata or {}))


def parquet_options(table: str) -> dict[str, object]:
    """Writer options of a table: delta for columns that only grow, a dictionary for the rest."""
    leaves = [(column, column.name + ".list.element" * list_depth(column)) for column in log.TABLES[table]]
    return {
        "use_dictionary": [path for column, path in leaves if not column.delta],
        "column_encoding": {path: "DELTA_BINARY_PACKED" for column, path in leaves if column.delta},
    }


def to_batch(table: str, records: np.ndarray, schema: pa.Schema | None = None) -> pa.RecordBatch:
    """Record batch of a block's structured array (`log.record_of(table)`); copies, so that the block may be reused."""
    columns = log.TABLES[table]
    schema = schema or arrow_schema(table)
    arrays = [_to_array(column, records[column.name]) for column in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


_WORDS = {column.words: pa.array(column.words, pa.string())
          for columns in log.TABLES.values() for column in columns if column.words}


def _to_array(column: Column, values: np.ndarray) -> pa.Array:
    if column.nested:
        return _to_nested(column, values)
    if column.size:
        present = values != (0 if column.kind == "text" else np.iinfo(values.dtype).min)
        inner = _to_flat(column, values[present], nulls=False)
        return _list_of(column, inner, present.sum(axis=1), 1)
    return _to_flat(column, values, nulls=column.nullable)


def _to_nested(column: Column, values: np.ndarray) -> pa.Array:
    present = values != (0 if column.kind == "text" else np.iinfo(values.dtype).min)
    lengths = present.sum(axis=2)
    rows = np.arange(1, lengths.shape[1] + 1)
    counts = ((lengths > 0) * rows).max(axis=1)
    inner = _list_of(column, _to_flat(column, values[present], nulls=False), lengths[rows <= counts[:, None]], 1)
    return _list_of(column, inner, counts, 2)


def _list_of(column: Column, inner: pa.Array, lengths: np.ndarray, depth: int) -> pa.Array:
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    kind = arrow_type(column) if depth == list_depth(column) else arrow_type(column).value_type
    return pa.ListArray.from_arrays(pa.array(offsets), inner, type=kind)


def _to_flat(column: Column, values: np.ndarray, *, nulls: bool) -> pa.Array:
    count = len(values)
    null = 0 if column.kind == "text" else log.NULL
    validity = None
    if nulls:
        missing = values == null
        if missing.any():
            validity = pa.py_buffer(np.packbits(~missing, bitorder="little"))
    if column.kind == "bool":
        bits = pa.py_buffer(np.packbits(values == 1, bitorder="little"))
        return pa.Array.from_buffers(pa.bool_(), count, [validity, bits])
    if column.kind == "text":
        indices = pa.Array.from_buffers(pa.int8(), count, [validity, pa.py_buffer(values - np.int8(1))])
        return pa.DictionaryArray.from_arrays(indices, _WORDS[column.words], safe=False)
    return pa.Array.from_buffers(_INTEGERS[column.kind], count, [validity, pa.py_buffer(values.copy())])
