"""One block of the log as the kernel fills it: a record with every column of every table contiguous.

A single record, because compiled code passes it as one pointer; columns, because Arrow takes them
as they are. A block is full when the longest possible deal might not fit (kernel.has_room).
"""

from __future__ import annotations

import numpy as np

from engine.log import TABLES, Column

ROOM = {"moves": 524_352, "turns": 262_208, "piles": 65_600, "deals": 16_448, "sides": 49_216, "games": 8_256}
"""Rows of each table that one LOG record has room for: a block.

No powers of two: columns that begin at like places of a page would drive one another out of the cache.
"""


def _log_fields() -> dict[str, tuple[object, ...]]:
    fields: dict[str, tuple[object, ...]] = {}
    for table, columns in TABLES.items():
        fields[f"{table}_rows"] = (np.int64,)
        for column in columns:
            _, base, *shape = column.dtype
            inner = tuple(shape[0]) if shape and isinstance(shape[0], tuple) else tuple(shape)
            if column.group:
                size = sum(other.group == column.group for other in columns)
                fields[f"{table}_{column.group}"] = (base, (size, ROOM[table]))
            else:
                fields[f"{table}_{column.name}"] = (base, (ROOM[table], *inner))
    return fields


LOG = np.dtype([(name, *field) for name, field in _log_fields().items()], align=True)
"""One block of the log as the kernel fills it: every column of every table contiguous, and how many rows it has."""


def column_in(block: np.record, table: str, column: Column) -> np.ndarray:
    """The rows written so far of one column of a LOG record, without a copy."""
    rows = int(block[f"{table}_rows"])
    if column.group:
        place = [other.name for other in TABLES[table] if other.group == column.group].index(column.name)
        return block[f"{table}_{column.group}"][place][:rows]
    return block[f"{table}_{column.name}"][:rows]
