"""A distribution as one SELECT over the views and macros of a run: what "copy as SQL" gives.

It returns the columns of `distribution` in its order, from roll-ups where those answer, else from the tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from engine.log import TABLES
from pipeline import stats
from pipeline.catalog import read_sql
from pipeline.cells import RunCell
from pipeline.kinds.blocks import _find_histogram as find_histogram
from pipeline.kinds.distribution import MANY_GAMES
from pipeline.kinds.distribution import _ask as ask_distribution
from pipeline.kinds.rows import Asked
from pipeline.levels import count_errors
from pipeline.literal import fill_in, literal
from pipeline.measure_rollups import count_games, group_cells, value_of
from pipeline.metric import CELL, Distribution, Metric
from pipeline.rollup import Rollup

# By blocks there are few units, so t for the normal; where all are alike, as many rows as games.
_OF_BLOCKS = (
    "{{'value': {0}.value, 'n': case when {0}.se = 0 then games else {0}.n end, 'games': games, "
    "'se': {0}.se * student({z}, units - 1) / {z}}}"
)


def distribution_sql(
    connection: duckdb.DuckDBPyConnection,
    cells: Sequence[RunCell],
    metric: Metric,
    by: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    where: str | None = None,
    **given: Any,
) -> str:
    """One SELECT that gives the distribution of a metric's number in these cells; BadInput as for `distribution`."""
    chosen = {name: sorted({value_of(cell, name) for cell in cells}) for name in CELL}
    asked, own, words = ask_distribution(
        connection, metric, by, level, chosen["variant"], chosen["lineup"], where, given
    )
    question, z = asked.question, f"{count_errors(level)!r}::double"
    keys = "".join(f'"{name}", ' for name in question.keys)
    counted, blocked = _counted_sql(asked, own, words, cells)
    order = [
        f'list_position({literal(list(one.words))}, "{one.name}"::varchar)' if one.words else f'"{one.name}"'
        for one in question.dimensions
    ]
    text = read_sql("kinds/distribution.sql").format(
        counted=counted, keys=keys, z=z, least=stats.LEAST_GAMES,
        groups="".join(f"{name}, " for name in question.groups),
        present=" and ".join([f'"{one.name}" is not null' for one in question.dimensions] or ["true"]),
        games="least(played, total)" if blocked else "units",
        shares=_OF_BLOCKS.format("shares", z=z) if blocked else "shares",
        cums=_OF_BLOCKS.format("cums", z=z) if blocked else "cums",
        join=f"join plan using ({', '.join(question.groups)})" if question.groups else "cross join plan",
        split=f'word as "{question.split.name}", ' if question.split else "",
        order=", ".join(["cell", *order, "place", '"at" nulls last']),
    )  # fmt: skip
    return fill_in(text, chosen, asked.values)


def _counted_sql(
    asked: Asked, own: Distribution, words: Mapping[str, str], cells: Sequence[RunCell]
) -> tuple[str, bool]:
    """The rows that have the number, by keys, unit and number, for each word; whether the unit is a block of games."""
    question = asked.question
    rollups = [find_histogram(question, own, value, cells) for value in words.values()]
    there = [rollup for rollup in rollups if rollup]
    blocked = max(map(count_games, group_cells(cells, question.groups).values()), default=0) > MANY_GAMES
    parts = []
    for place, (word, value) in enumerate(words.items()):
        held = {"place": place, "word": literal(word),
                "plan": read_sql("kinds/given.sql").strip() if "given_lineup" in question.groups else ""}  # fmt: skip
        if len(there) == len(words):
            parts.append(_of_rollup(asked, own, value, there[place], held))
        else:
            parts.append(_of_rows(asked, own, value, held, "block(game)" if blocked else "game"))
    return "    union all\n".join(parts).rstrip(), blocked or len(there) == len(words)


def _of_rollup(asked: Asked, own: Distribution, value: str, rollup: Rollup, held: Mapping[str, Any]) -> str:
    [name] = [name for name, text in rollup.keys.items() if text == value]
    return read_sql("kinds/counted_rollup.sql").format(
        keys="".join(f'"{key}", ' for key in asked.question.keys),
        number=_binned(f'"{name}"', own.bin),
        table=f"rollup_{rollup.name}",
        rows="true" if own.never else f'"{name}" is not null',
        **held,
    )


def _of_rows(asked: Asked, own: Distribution, value: str, held: Mapping[str, Any], unit: str) -> str:
    question, table = asked.question, asked.question.counted.table
    own_keys = [f'{one.tables[table]} as "{one.name}"' for one in question.dimensions]
    return read_sql("kinds/counted_rows.sql").format(
        keys="".join(f"{key}, " for key in [*question.groups, *own_keys]),
        unit=unit,
        number=_binned(f"({value})", own.bin),
        table=table if table in TABLES else f"({read_sql(f'relations/{table}.sql').strip()}) as {table}",
        rows=own.rows if own.never else f"({own.rows}) and ({value}) is not null",
        where=question.where,
        **held,
    )


def _binned(number: str, width: int) -> str:
    return f"{number}::bigint" if width == 1 else f"(floor({number} / {width}) * {width})::bigint"
