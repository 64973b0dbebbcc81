"""Deals as logged: columns of codes or words → the deals of a block.

Rows come as columns by name, as blocks of the kernel, structured arrays or Parquet give them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.log import NULL, TABLES, Column

Columns = Mapping[str, Sequence[Any]]
"""Rows of one table, column by column, as logged codes."""


@dataclass(frozen=True)
class LoggedDeal:
    """What was logged of one deal: its row of `deals`, its rows of the other tables (empty where not given)."""

    deal: Mapping[str, Any]
    moves: Columns
    sides: Columns
    turns: Columns = field(default_factory=dict)
    piles: Columns = field(default_factory=dict)


def read_columns(table: str, rows: Any) -> Columns:
    """Rows of a table as lists of codes, whatever they came as; columns that are not there are left out."""
    names = set(rows.dtype.names if isinstance(rows, np.ndarray) else rows)
    return {column.name: _read_column(column, rows[column.name]) for column in TABLES[table] if column.name in names}


def _read_column(column: Column, values: Any) -> list[Any]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "iub":
        return list(values.tolist())
    items: list[Any] = values.tolist() if hasattr(values, "tolist") else list(values)
    if column.size or not any(isinstance(item, str) or item is None for item in items):
        return items
    if column.kind == "text":
        codes = {word: code for code, word in enumerate(column.words, 1)}
        return [0 if item is None else codes[item] for item in items]
    return [NULL if item is None else item for item in items]


def read_row(row: Mapping[str, Any] | np.void) -> Mapping[str, Any]:
    """A row of `deals`, a record or a mapping, as logged codes."""
    names = row.dtype.names or () if isinstance(row, np.void) else tuple(row)
    return {
        column.name: _read_column(column, [row[column.name]])[0] for column in TABLES["deals"] if column.name in names
    }


def split_deals(block: Mapping[str, Any]) -> Iterator[LoggedDeal]:
    """The deals of a block: whole deals, the rows of each together in every table, as `play_blocks` yields them.

    A deal may have no row of a table: of `piles`, where no card ever lay on the pile.
    """
    tables = {
        name: read_columns(name, block[name]) for name in ("deals", "moves", "sides", "turns", "piles") if name in block
    }
    cuts = {name: _find_cuts(columns) for name, columns in tables.items()}
    for place, key in enumerate(cuts["deals"]):
        parts = {
            name: {column: values[cuts[name].get(key, _NOWHERE)] for column, values in columns.items()}
            for name, columns in tables.items()
            if name != "deals"
        }
        row = {column: values[place] for column, values in tables["deals"].items()}
        yield LoggedDeal(row, parts["moves"], parts["sides"], parts.get("turns", {}), parts.get("piles", {}))


_NOWHERE = slice(0, 0)


def _find_cuts(columns: Columns) -> dict[int, slice]:
    """The rows of each deal, by its key."""
    keys = np.array(columns["game"], np.int64) * 65_536 + np.array(columns["deal"], np.int64)
    if not len(keys):  # no card lay on the pile in any deal
        return {}
    starts = [0, *(np.flatnonzero(np.diff(keys)) + 1).tolist()]
    return {int(keys[start]): slice(start, end) for start, end in zip(starts, [*starts[1:], len(keys)], strict=True)}
