"""The tables of a run: its cells, its files, Polars LazyFrames over them, DuckDB views of them.

What is asked of them stands in `pipeline.run`.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from engine import log
from engine.errors import BadInput
from pipeline import catalog, frames
from pipeline.cells import RunCell, describe_cells, list_some
from pipeline.dataset import Commit
from pipeline.query import plain_frame
from pipeline.table_frames import Choice, Games, TableFrames


class RunTables(TableFrames):
    """Cells, frames and views of a run. Rows say `variant`, `lineup`, and beside every seat `side` and `strategy`."""

    def __init__(self, path: Path, manifest: Mapping[str, Any], cells: Sequence[RunCell]) -> None:
        self.path = path
        self.manifest = manifest
        self.parts = tuple(cells)
        """The cells, with their rules, seats and shards, in the order of the plan."""
        self._lock = threading.Lock()
        self._connection: duckdb.DuckDBPyConnection | None = None

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}('{self.path}': {_count(self.variants, 'variant')}, "
            f"{_count(self.lineups, 'line-up')}, {sum(cell.games for cell in self.parts):,} games)"
        )

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self.path.resolve().name

    @property
    def folders(self) -> tuple[str, ...]:
        """The folder as it would be typed: relative where it lies below the working directory."""
        whole, here = self.path.absolute(), Path.cwd()
        return (str(whole.relative_to(here) if whole.is_relative_to(here) else whole),)

    @property
    def opening(self) -> str:
        """The Python expression that opens this run again, with `pipeline` imported as `cl`."""
        return f"cl.open_run({self.folders[0]!r})"

    @property
    def seed(self) -> int:
        """Seed of all games."""
        return int(self.manifest["seed"])

    @property
    def variants(self) -> tuple[str, ...]:
        """Slugs of the variants, in the order of the plan."""
        return tuple(dict.fromkeys(cell.variant for cell in self.parts))

    @property
    def lineups(self) -> tuple[str, ...]:
        """Slugs of the line-ups, in the order of the plan."""
        return tuple(dict.fromkeys(cell.lineup for cell in self.parts))

    @property
    def unfinished(self) -> str:
        """How far a run is that lacks games of its plan, as `13,300 of 60,000 games so far`; else empty."""
        games, planned = (sum(getattr(cell, name) for cell in self.parts) for name in ("games", "games_planned"))
        return f"{games:,} of {planned:,} games so far" if games < planned else ""

    @cached_property
    def cells(self) -> pl.DataFrame:
        """One row a variant × line-up: every rule value, the strategy of every side and seat, games, seed."""
        return plain_frame(self.cursor().view("cells"))

    def frame(
        self, table: str, variant: Choice = None, lineup: Choice = None, games: Games | None = None
    ) -> pl.LazyFrame:
        """A table by its name; BadInput when there is none, or the run lacks what is asked for."""
        check_table(table)
        check_games(games)
        return self._scan(self.choose(variant, lineup), table, games)

    def sample(self, table: str, games: int, variant: Choice = None, lineup: Choice = None) -> pl.LazyFrame:
        """Rows of at least so many games, whole files of them: a quick look at a large run, as good as any other games.

        The games are shared out evenly among the cells, and in each taken from files at even distances; a cell gives
        what it has. So rates of a cell are unbiased; the cells do not count by their size.
        """
        check_table(table)
        if not isinstance(games, int) or games < 1:
            raise BadInput(f"games={games}; allowed: 1 or more")
        cells = [cell for cell in self.choose(variant, lineup) if cell.shards]
        each = -(-games // len(cells)) if cells else 0
        return self._scan([thin_out(cell, each) for cell in cells], table, None)

    def _scan(self, cells: Sequence[RunCell], table: str, games: Games | None) -> pl.LazyFrame:
        return frames.scan_table(self.path, cells, table, games)

    def choose(self, variant: Choice = None, lineup: Choice = None) -> list[RunCell]:
        """The cells of these variants and line-ups; BadInput when one is not in the run, or they do not meet."""
        variants, lineups = _checked("variant", variant, self.variants), _checked("line-up", lineup, self.lineups)
        cells = [cell for cell in self.parts if cell.variant in variants and cell.lineup in lineups]
        if not cells:
            there = list_some([f"{cell.variant} with {cell.lineup}" for cell in self.parts])
            raise BadInput(f"variant {variant} with line-up {lineup}: the run has {there}")
        return cells

    def files(self, table: str, variant: Choice = None, lineup: Choice = None) -> list[Path]:
        """Paths of the committed files of a table, for Spark, pandas or R."""
        check_table(table)
        return [self.path / file for file in catalog.files_of(self.choose(variant, lineup), table)]

    def schema(self, table: str) -> pl.DataFrame:
        """Columns of a table as the views show it: name, type, unit, description, key."""
        if table == "cells":
            described = describe_cells()
            keys: tuple[str, ...] = ("variant", "lineup")
        else:
            check_table(table)
            described = {column.name: (column.unit, column.description) for column in log.TABLES[table]}
            described |= catalog.describe_added(table)
            keys = ("variant", "lineup", *log.KEYS[table])
        view = self.cursor().view(table)
        return pl.DataFrame(
            {
                "name": view.columns,
                "type": [str(kind) for kind in view.types],
                "unit": [described[name][0] for name in view.columns],
                "description": [described[name][1] for name in view.columns],
                "key": [name in keys for name in view.columns],
            }
        )

    def sql(self, text: str, **parameters: Any) -> pl.DataFrame:
        """Answer of one reading SQL statement over the views; `$name` in it takes a parameter."""
        if not isinstance(text, str):
            raise BadInput(f"sql {text!r}: give one SELECT statement as text")
        cursor = self.cursor()
        catalog.check_reading(cursor, text)
        for name in re.findall(r"\brollup_(\w+)", text.lower()):
            catalog.show_rollup(cursor, name)
        try:
            return plain_frame(cursor.sql(text, params=parameters or None))
        except duckdb.Error as error:
            raise BadInput(f"SQL: {catalog.first_line(error)}") from None

    def connect(self, *, lock: bool = True) -> duckdb.DuckDBPyConnection:
        """A new DuckDB connection with the run's views and macros; one cursor a thread.

        Views of roll-ups are those whose files can be read: `canasta rollup` makes anew what is missing.
        """
        connection = self._connect(lock=lock)
        for name in catalog.rollups_of(self.parts):
            with contextlib.suppress(BadInput):
                catalog.show_rollup(connection, name)
        return connection

    def _connect(self, *, lock: bool = True) -> duckdb.DuckDBPyConnection:
        """A connection that reads roll-ups when they are first asked for."""
        return catalog.connect(self.path, self.parts, self.seed, lock=lock)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor of the run's own connection, for one question or one thread."""
        with self._lock:
            if self._connection is None:
                self._connection = self._connect()
            return self._connection.cursor()


def listed(choice: Choice) -> list[str] | None:
    """The choice as a list; None means everything. BadInput when it is no name and no names."""
    if choice is None or isinstance(choice, str):
        return None if choice is None else [choice]
    names = list(choice) if isinstance(choice, Iterable) else [choice]
    if not isinstance(choice, Iterable) or not all(isinstance(name, str) for name in names):
        raise BadInput(f"{choice!r} given; give a name, or several in a list")
    return names


def _checked(what: str, choice: Choice, there: Sequence[str]) -> list[str]:
    chosen = listed(choice)
    for name in chosen or ():
        if name not in there:
            raise BadInput(f"{what} '{name}': the run has {', '.join(there)}")
    return list(there) if chosen is None else chosen


def thin_out(cell: RunCell, games: int) -> RunCell:
    """The cell with as few shards, at even distances, as hold so many games; with all of them if it has fewer."""
    wanted = next(
        (count for count in range(1, len(cell.shards)) if sum(one.games for one in _spread(cell, count)) >= games),
        len(cell.shards),
    )
    return replace(cell, shards=tuple(_spread(cell, wanted)))


def _spread(cell: RunCell, count: int) -> list[Commit]:
    return [cell.shards[place * len(cell.shards) // count] for place in range(count)]


def check_table(table: str) -> None:
    """BadInput unless the log has the table."""
    if not isinstance(table, str) or table not in log.TABLES:
        raise BadInput(f"table '{table}': one of {', '.join(log.TABLES)}")


def _count(names: Sequence[str], word: str) -> str:
    return f"{len(names)} {word}{'s' * (len(names) != 1)}"


def check_games(games: Games | None) -> None:
    """BadInput unless they are a first and a last game."""
    if games is None:
        return
    whole = isinstance(games, Sequence) and len(games) == 2 and all(isinstance(one, int) for one in games)
    if not whole or not 1 <= games[0] <= games[1]:
        raise BadInput(f"games {games}: give the first and the last, from 1")
