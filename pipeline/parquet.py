"""Writes a table of the log as a Parquet file, a row group at a time.

Every column is dictionary-encoded and compressed by zstd, has one page a row group and, where it holds
whole numbers, their least and greatest value: so a game is found without reading the others. What the file
is comes from `engine.log` alone; any Parquet reader reads it (tested with Arrow, Polars and DuckDB).
https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
"""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from engine import log
from engine.log import Column
from pipeline.pages import PLAIN, RLE, Pages, encode
from pipeline.schema import Block, arrow_schema, list_depth
from pipeline.thrift import I8, I64, Struct
from pipeline.thrift import encode as encode_struct

MAGIC = b"PAR1"
CREATED_BY = "canasta-lab version 1.0.0 (build 1)"
ZSTD_LEVEL = 1
_INT32, _INT64, _BYTE_ARRAY, _BOOLEAN = 1, 2, 6, 0
_ZSTD = 6
_REQUIRED, _OPTIONAL, _REPEATED = 0, 1, 2
_UTF8, _LIST, _INT_8, _INT_16 = 0, 3, 15, 16
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2


class ParquetFile:
    """A file being written; `facts` become key-value metadata of its footer. OSError when the disk refuses."""

    def __init__(self, path: Path, table: str, facts: Mapping[str, str]) -> None:
        self._columns = log.TABLES[table]
        self._schema = arrow_schema(table, facts)
        self._facts = facts
        self._codec = pa.Codec("zstd", compression_level=ZSTD_LEVEL)
        self._groups: list[Struct] = []
        self._rows = 0
        self._file = path.open("wb")
        self._place = 0
        self._write(MAGIC)

    def write(self, block: Block) -> None:
        """Write rows as a row group: columns of logged codes by name, all of one length above 0."""
        rows = len(block[self._columns[0].name])
        start = self._place
        chunks = [self._write_chunk(column, encode(column, block[column.name])) for column in self._columns]
        self._groups.append(
            Struct(
                {
                    1: [chunk for chunk, _ in chunks],
                    2: I64(sum(size for _, size in chunks)),
                    3: I64(rows),
                    5: I64(start),
                    6: I64(self._place - start),
                }
            )
        )
        self._rows += rows

    def close(self) -> None:
        """Write the footer and close the file."""
        footer = encode_struct(self._footer())
        self._write(footer + len(footer).to_bytes(4, "little") + MAGIC)
        self._file.close()

    def abandon(self) -> None:
        """Close the file as it is, whatever the disk says."""
        with contextlib.suppress(OSError):
            self._file.close()

    def _write(self, data: bytes | pa.Buffer) -> None:
        self._file.write(data)
        self._place += len(data)

    def _write_page(self, kind: int, body: bytes, header: Struct) -> int:
        """Write a page and return its size before compression, header included."""
        data = self._codec.compress(body)
        place = {_DATA_PAGE: 5, _DICTIONARY_PAGE: 7}[kind]
        head = encode_struct(Struct({1: kind, 2: len(body), 3: len(data), place: header}))
        self._write(head)
        self._write(data)
        return len(head) + len(body)

    def _write_chunk(self, column: Column, pages: Pages) -> tuple[Struct, int]:
        start, size = self._place, 0
        if pages.dictionary is not None:
            size += self._write_page(_DICTIONARY_PAGE, pages.dictionary, Struct({1: pages.words, 2: PLAIN}))
        data_start = self._place
        header = Struct({1: pages.entries, 2: pages.encoding, 3: RLE, 4: RLE})
        size += self._write_page(_DATA_PAGE, pages.data, header)
        kind = _physical(column)
        meta = Struct(
            {
                1: kind,
                2: sorted({PLAIN, RLE, pages.encoding}),
                3: [column.name, *("list", "element") * list_depth(column)],
                4: _ZSTD,
                5: I64(pages.entries),
                6: I64(size),
                7: I64(self._place - start),
                9: I64(data_start),
                11: None if pages.dictionary is None else I64(start),
                12: _statistics(pages, 8 if kind == _INT64 else 4),
            }
        )
        return Struct({2: I64(start), 3: meta}), size

    def _footer(self) -> Struct:
        root = Struct({4: "schema", 5: len(self._columns)})
        known = {"ARROW:schema": base64.b64encode(self._schema.serialize().to_pybytes()).decode(), **self._facts}
        return Struct(
            {
                1: 2,
                2: [root, *(element for column in self._columns for element in _elements(column))],
                3: I64(self._rows),
                4: self._groups,
                5: [Struct({1: key, 2: value}) for key, value in known.items()],
                6: CREATED_BY,
                7: [Struct({1: Struct()})] * len(self._columns),
            }
        )


def _physical(column: Column) -> int:
    return {"text": _BYTE_ARRAY, "bool": _BOOLEAN, "int64": _INT64}.get(column.kind, _INT32)


def _statistics(pages: Pages, size: int) -> Struct:
    if pages.low is None or pages.high is None:
        return Struct({3: I64(pages.nulls)})
    low, high = (value.to_bytes(size, "little", signed=True) for value in (pages.low, pages.high))
    return Struct({3: I64(pages.nulls), 5: high, 6: low, 7: True, 8: True})


def _elements(column: Column) -> list[Struct]:
    """A column in the schema: itself, or the groups of its lists with the value innermost."""
    elements, name, repetition = [], column.name, _OPTIONAL if column.nullable else _REQUIRED
    for _ in range(list_depth(column)):
        elements.append(Struct({3: repetition, 4: name, 5: 1, 6: _LIST, 10: Struct({3: Struct()})}))
        elements.append(Struct({3: _REPEATED, 4: "list", 5: 1}))
        name, repetition = "element", _REQUIRED
    converted = {"text": _UTF8, "int8": _INT_8, "int16": _INT_16}.get(column.kind)
    logical = None
    if column.kind == "text":
        logical = Struct({1: Struct()})
    elif converted is not None:
        logical = Struct({10: Struct({1: I8(int(column.kind[3:])), 2: True})})
    elements.append(Struct({1: _physical(column), 3: repetition, 4: name, 6: converted, 10: logical}))
    return elements
