"""The tables of a run as Polars LazyFrames over committed files, with sides and strategies on every row.

Integers are widened to 32 bits (a narrow one wraps silently: 100 + 100 is −56 in 8 bits), text with a
known list of words becomes an Enum in that order, so that cards sort as in play.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from engine import log
from pipeline.catalog import files_of
from pipeline.cells import RunCell
from pipeline.schema import list_depth

_INTEGERS = {"int8": pl.Int32(), "int16": pl.Int32(), "int32": pl.Int32(), "int64": pl.Int64(), "bool": pl.Boolean()}
_HIVE = {"variant": pl.String(), "lineup": pl.String()}


def frame_type(column: log.Column) -> pl.DataType:
    """Polars type of a column on read."""
    kind: pl.DataType = pl.Enum(column.words) if column.kind == "text" else _INTEGERS[column.kind]
    for _ in range(list_depth(column)):
        kind = pl.List(kind)
    return kind


def scan_table(path: Path, cells: Sequence[RunCell], table: str, games: tuple[int, int] | None = None) -> pl.LazyFrame:
    """All rows of a table of these cells, only of games first..last if given; no file is read yet."""
    scans = [_scan_cell(path, cell, table, files) for cell in cells if (files := files_of([cell], table, games))]
    if not scans:
        return pl.LazyFrame(schema=frame_schema(table))
    frame = pl.concat(scans)
    return frame.filter(pl.col("game").is_between(*games)) if games else frame


def frame_schema(table: str) -> dict[str, pl.DataType]:
    """Name and type of the columns of `scan_table`, in order."""
    schema: dict[str, pl.DataType] = {"variant": pl.String(), "lineup": pl.String()}
    sided = any(column.name == "side" for column in log.TABLES[table])
    for column in log.TABLES[table]:
        schema[column.name] = frame_type(column)
        schema |= {name: kind for name, kind, _ in _added(column.name, sided)}
    return schema


def _added(name: str, sided: bool) -> Iterable[tuple[str, pl.DataType, str]]:
    """Columns that stand after a column: name, type, and what they say of it. As in the DuckDB views."""
    if name == "seat" or name.endswith("_seat"):
        prefix = name.removesuffix("seat")
        if not sided:
            yield f"{prefix}side", pl.Int32(), "seat_sides"
        yield f"{prefix}strategy", pl.String(), "seat_strategies"
    elif name == "side":
        yield "strategy", pl.String(), "side_strategies"
    elif name == "winner":
        yield "winner_strategy", pl.String(), "side_strategies"


def complete(rows: pl.LazyFrame, cell: RunCell, table: str) -> pl.LazyFrame:
    """Rows of a cell as the log has them, with variant and line-up, widened, sides and strategies beside seats."""
    sided = any(column.name == "side" for column in log.TABLES[table])
    columns = [pl.col(name).cast(kind) for name, kind in _HIVE.items()]
    for column in log.TABLES[table]:
        columns.append(pl.col(column.name).cast(frame_type(column)))
        for name, kind, attribute in _added(column.name, sided):
            values = getattr(cell, attribute)
            columns.append(
                pl.col(column.name)
                .cast(pl.Int32)
                .replace_strict(list(range(1, len(values) + 1)), list(values), default=None, return_dtype=kind)
                .alias(name)
            )
    return rows.select(columns)


def _scan_cell(path: Path, cell: RunCell, table: str, files: Sequence[str]) -> pl.LazyFrame:
    rows = pl.scan_parquet([path / file for file in files], hive_partitioning=True, hive_schema=_HIVE)
    return complete(rows, cell, table)
