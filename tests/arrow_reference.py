"""The log's blocks as Arrow tables and back, the plain way: what the lab's own Parquet writer is compared with."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from engine import log
from engine.log import Column
from pipeline.schema import Block, arrow_schema, arrow_type, value_type


def to_table(table: str, block: Block) -> pa.Table:
    """Rows of a table from their logged codes; all is copied."""
    arrays = [_to_array(column, block[column.name]) for column in log.TABLES[table]]
    return pa.Table.from_arrays(arrays, schema=arrow_schema(table))


def to_block(table: str, rows: pa.Table) -> Block:
    """The logged codes of rows: what `to_table` was given."""
    return {column.name: _to_codes(column, rows[column.name].combine_chunks()) for column in log.TABLES[table]}


def _logged(column: Column) -> np.dtype:
    return np.dtype("int8" if column.kind in ("text", "bool") else column.kind)


def _end_of(column: Column) -> int:
    return 0 if column.kind == "text" else int(np.iinfo(_logged(column)).min)


def _to_array(column: Column, values: np.ndarray) -> pa.Array:
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
        indices = pa.Array.from_buffers(pa.int8(), count, [validity, pa.py_buffer(values - np.int8(1))])
        return pa.DictionaryArray.from_arrays(indices, pa.array(column.words, pa.string()), safe=False)
    data = np.packbits(values == 1, bitorder="little") if column.kind == "bool" else values.copy()
    return pa.Array.from_buffers(value_type(column), count, [validity, pa.py_buffer(data)])


def _to_codes(column: Column, array: pa.Array) -> np.ndarray:
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
