"""The log's columns as Arrow and DuckDB see them, and a hash of their rows. Touches no file.

Text becomes `dictionary<int8, string>`, booleans and signed integers keep their width, lists become lists.
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


def list_depth(column: Column) -> int:
    """How many lists lie round a value of the column: 0, 1 or 2."""
    return 2 if column.nested else 1 if column.size else 0


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
