"""A metric's counts by block of games, off the roll-ups that every shard leaves (pipeline/rollup.py).

A connection keeps one small copy of each roll-up it was asked about, shards added up: it grows with the keys, not
with the games.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import polars as pl

from engine.errors import BadInput
from pipeline import stats
from pipeline.catalog import first_line, read_sql, show_rollup, unreadable_rollup
from pipeline.cells import RunCell
from pipeline.measure_question import Question
from pipeline.metric import GROUPS
from pipeline.rollup import BLOCKS, CAPPED, ROWS, Rollup, counted, load_rollups, rollup_digest

_MERGING = threading.Lock()
GAMES_IN_BLOCKS = 20_000
"""From so many games of each group on, what no roll-up answers about turns is counted by block too, not by game."""


@dataclass(frozen=True)
class Source:
    """The roll-ups that answer a question, of its numerators and of its denominator: mostly the same."""

    numerators: Rollup
    denominator: Rollup

    @property
    def rollups(self) -> tuple[Rollup, ...]:
        """Each of them once."""
        return tuple({one.name: one for one in (self.numerators, self.denominator)}.values())

    @property
    def name(self) -> str:
        """As an answer says where it came from."""
        return f"rollup {', '.join(one.name for one in self.rollups)}"


@dataclass(frozen=True)
class Rows:
    """The table of turns itself, counted by block: for so many games a group for each game would cost a scan more."""

    table: str
    rollups: tuple[Rollup, ...] = ()

    @property
    def name(self) -> str:
        """As an answer says where it came from."""
        return self.table


@dataclass(frozen=True)
class Counts:
    """What a question counts by block of games.

    `rows`: the keys, `at` a row's place in the arrays, `there` the games of its cells, `capped`. `k` (word of the
    split, row, block) and `n` (row, block) are the counts.
    """

    rows: pl.DataFrame
    k: stats.Array
    n: stats.Array

    @property
    def keys(self) -> list[tuple[object, ...]]:
        """The keys of each place."""
        return self.rows.drop("at", "there", "capped").rows()

    def blocks(self, words: stats.Places, at: stats.Places) -> stats.Blocks:
        """The blocks of these words and places."""
        return stats.Blocks(self.k[words, at], self.n[at], self.rows["there"].to_numpy()[at])


def value_of(cell: RunCell, group: str) -> str:
    """A cell's variant, line-up as played or line-up as given."""
    return str({"variant": cell.variant, "lineup": cell.lineup, "given_lineup": cell.given}[group])


def group_cells(cells: Sequence[RunCell], groups: Sequence[str]) -> dict[tuple[str, ...], list[RunCell]]:
    """Cells with games that each row of an answer adds up, by its variant and line-up."""
    found: dict[tuple[str, ...], list[RunCell]] = {}
    for cell in cells:
        if cell.shards:
            found.setdefault(tuple(value_of(cell, name) for name in groups), []).append(cell)
    return found


def spans_of(cells: Sequence[RunCell]) -> list[tuple[int, int]]:
    """Games that any of the cells has, as first and one past the last of each stretch."""
    spans: list[tuple[int, int]] = []
    for first, end in sorted((one.first_game, one.first_game + one.games) for cell in cells for one in cell.shards):
        if spans and first <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((first, end))
    return spans


def count_games(cells: Sequence[RunCell]) -> int:
    """Different games of the cells: the same number is the same game."""
    return sum(end - first for first, end in spans_of(cells))


def find_source(question: Question, cells: Sequence[RunCell]) -> Source | Rows | None:
    """What answers a question about these cells by block: roll-ups, or turns of very many games; else None.

    They have to where a roll-up is missing or of an older definition, where none has the dimensions and counts, where
    there is a condition, and where a group has too few games for blocks.
    """
    groups = group_cells(cells, question.groups)
    found = _find_rollups(question, groups)
    if found or question.tables != ("turns",) or question.metric.completed or not groups:
        return found
    return Rows("turns") if min(map(count_games, groups.values())) >= GAMES_IN_BLOCKS else None


def _find_rollups(question: Question, groups: Mapping[tuple[str, ...], Sequence[RunCell]]) -> Source | None:
    played = [cell for group in groups.values() for cell in group]
    if question.where or not played or not all(cell.is_rolled_up(rollup_digest()) for cell in played):
        return None
    if min(map(count_games, groups.values())) < stats.LEAST_GAMES_IN_BLOCKS:
        return None
    metric, own = question.metric, question.counted
    above = [counted(metric, one) for one in question.words.values()]
    below = [counted(metric, own.denominator), *([CAPPED] if metric.completed else [])]
    table = question.split.table if question.split else own.table
    if table == own.table:
        both = _find_rollup(table, question, [*above, *below], played[0])
        return Source(both, both) if both else None
    numerators, denominator = (
        _find_rollup(place, question, counts, played[0]) for place, counts in ((table, above), (own.table, below))
    )
    return Source(numerators, denominator) if numerators and denominator else None


def _find_rollup(table: str, question: Question, counts: Sequence[str], cell: RunCell) -> Rollup | None:
    """The smallest roll-up of a table with the question's dimensions that counts all this."""
    asked = {one.name for one in question.dimensions}
    sizes = cell.shards[0].rollups
    fitting = [one for one in load_rollups().values()
               if one.table == table and asked <= set(one.dimensions) and set(counts) <= set(one.counts)]  # fmt: skip
    return min(fitting, key=lambda one: sizes[one.name].rows, default=None)


def read_counts(
    connection: duckdb.DuckDBPyConnection,
    question: Question,
    source: Source | Rows,
    cells: Sequence[RunCell],
) -> Counts:
    """What the question counts in these cells, by block."""
    text = blocks_sql(question, source, {one.name: merge(connection, one) for one in source.rollups})
    chosen = {name: sorted({value_of(cell, name) for cell in cells}) for name in GROUPS[:2]}
    try:
        frame: pl.DataFrame = connection.sql(text, params=chosen).pl()
    except duckdb.Error as error:
        if not question.where:
            raise
        raise BadInput(f"where: {first_line(error)}") from None
    keys = list(question.keys)
    frame = frame.sort(keys) if keys else frame
    at = frame.select(pl.struct(keys).rle_id()).to_series().to_numpy() if keys else np.zeros(frame.height, np.int64)
    size = int(at[-1]) + 1 if len(at) else 0

    def spread(name: str) -> stats.Array:
        placed = np.zeros((size, BLOCKS))
        placed[at, frame["block"].to_numpy()] = frame[name].fill_null(0).to_numpy()
        return placed

    named = [pl.col(one.name).cast(pl.String) if one.words else pl.col(one.name) for one in question.dimensions]
    rows = frame.with_columns(*named, pl.Series("at", at, pl.Int64)).group_by("at", maintain_order=True).agg(
        pl.col(keys).first(), (pl.col("capped").sum() / pl.col("all_rows").sum()).alias("capped")
    )  # fmt: skip
    groups = group_cells(cells, question.groups)
    there = {key: count_games(group) for key, group in groups.items()}
    games = [there[key] for key in rows.select(question.groups).rows()] if question.groups else [there[()]] * size
    rows = rows.with_columns(pl.Series("there", games, pl.Float64))
    return Counts(rows, np.stack([spread(f"k{place}") for place in range(len(question.words))]), spread("n"))


def blocks_sql(question: Question, source: Source | Rows, tables: Mapping[str, str]) -> str:
    """The question's counts by block: its keys, `block`, k0, k1 …, n, capped, all_rows; `tables` by roll-up."""
    if isinstance(source, Rows):
        return _rows_sql(question, source)
    metric = question.metric
    above = [
        f'sum("{source.numerators.counts[counted(metric, one)]}")::double as k{place}'
        for place, one in enumerate(question.words.values())
    ]
    of = source.denominator.counts
    capped = f'sum("{of[CAPPED]}")' if metric.completed else "null"
    below = [
        f'sum("{of[counted(metric, question.counted.denominator)]}")::double as n',
        f"{capped}::double as capped",
        f'sum("{of[ROWS]}")::double as all_rows',
    ]
    if len(source.rollups) == 1:
        return _select_sql(question, source.denominator, [*above, *below], tables)
    return read_sql("metric/blocks_of_two.sql").format(
        denominator=_select_sql(question, source.denominator, below, tables).rstrip(),
        numerators=_select_sql(question, source.numerators, above, tables).rstrip(),
        keys=", ".join([*(f'"{name}"' for name in question.keys), "block"]),
    )


def _rows_sql(question: Question, source: Rows) -> str:
    """Counts by block of the rows of a table."""
    counts = [*question.words.values(), question.counted.denominator]
    names = [*(f"k{place}" for place in range(len(question.words))), "n"]
    keys = [f'{one.tables[source.table]} as "{one.name}"' for one in question.dimensions]
    return read_sql("metric/blocks_of_rows.sql").format(
        keys="".join(f"{key}, " for key in [*question.groups, *keys]),
        sums=", ".join(f"sum({one})::double as {name}" for one, name in zip(counts, names, strict=True)),
        rows=source.table,
        rotations=_given_sql() if "given_lineup" in question.groups else "",
        where=question.where,
        present=" and ".join([f'"{one.name}" is not null' for one in question.dimensions] or ["true"]),
    )


def _given_sql() -> str:
    """Joins the given line-up to rows of a line-up as played."""
    return read_sql("kinds/given.sql").strip()


def _select_sql(question: Question, rollup: Rollup, sums: Sequence[str], tables: Mapping[str, str]) -> str:
    return read_sql("metric/blocks.sql").format(
        keys=", ".join([*(f'"{name}"' for name in question.keys), "block"]),
        sums=", ".join(sums),
        table=tables[rollup.name],
        rotations=_given_sql() if "given_lineup" in question.groups else "",
        present="".join(f' and "{one.name}" is not null' for one in question.dimensions),
    )


def merge(connection: duckdb.DuckDBPyConnection, rollup: Rollup) -> str:
    """The connection's own copy of a roll-up, its shards added up; made when first asked for."""
    keys = ["variant", "lineup", "block", *rollup.dimensions]
    text = read_sql("metric/merge.sql").format(
        name=rollup.name,
        keys=", ".join(f'"{name}"' for name in keys),
        sums=", ".join(f'sum("{name}") as "{name}"' for name in rollup.counts.values()),
    )
    show_rollup(connection, rollup.name)
    with _MERGING:
        try:
            connection.execute(text).fetchall()
        except duckdb.Error:
            raise unreadable_rollup(rollup.name) from None
    return f"merged.{rollup.name}"
