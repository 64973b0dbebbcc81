"""A distribution, or a quantile of it, as one SELECT over the views and macros of a run: what "copy as SQL" gives.

It returns what `distribution` and a metric of kind Q give, in the same order, from roll-ups where those answer, else
from the tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from engine.log import TABLES
from pipeline import stats
from pipeline.catalog import read_sql
from pipeline.cells import RunCell
from pipeline.kinds.blocks import find_histogram
from pipeline.kinds.distribution import MANY_GAMES, ask_distribution
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
    asked, own, words = _ask(connection, cells, metric, by, level, where, given)
    return _spell("distribution", asked, own, words, cells, own.bin)


def quantile_sql(
    connection: duckdb.DuckDBPyConnection,
    cells: Sequence[RunCell],
    metric: Metric,
    by: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    where: str | None = None,
    **given: Any,
) -> str:
    """One SELECT that gives a metric of kind Q: its keys, `value low high numerator denominator`; null for never."""
    asked, own, words = _ask(connection, cells, metric, by, level, where, given)
    return _spell("quantile", asked, own, words, cells, 1)


def _ask(
    connection: duckdb.DuckDBPyConnection,
    cells: Sequence[RunCell],
    metric: Metric,
    by: Sequence[str] | None,
    level: float,
    where: str | None,
    given: dict[str, Any],
) -> tuple[Asked, Distribution, dict[str, str]]:
    variant, lineup = (sorted({value_of(cell, name) for cell in cells}) for name in CELL)
    return ask_distribution(connection, metric, by, level, variant, lineup, where, given)


def _spell(
    name: str,
    asked: Asked,
    own: Distribution,
    words: Mapping[str, str],
    cells: Sequence[RunCell],
    width: int,
) -> str:
    question, z = asked.question, f"{count_errors(asked.level)!r}::double"
    keys = "".join(f'"{one}", ' for one in question.keys)
    counted, blocked = _counted_sql(asked, own, words, cells, width)
    order = [
        f'list_position({literal(list(one.words))}, "{one.name}"::varchar)' if one.words else f'"{one.name}"'
        for one in question.dimensions
    ]
    cumulated = read_sql("kinds/cumulated.sql").format(
        counted=counted, keys=keys, groups="".join(f"{one}, " for one in question.groups),
        present=" and ".join([f'"{one.name}" is not null' for one in question.dimensions] or ["true"]),
        games="least(played, total)" if blocked else "units",
        join=f"join plan using ({', '.join(question.groups)})" if question.groups else "cross join plan",
    )  # fmt: skip
    last = ['"at" nulls last'] if name == "distribution" else []
    text = read_sql(f"kinds/{name}.sql").format(
        cumulated=cumulated.rstrip(), keys=keys, z=z, least=stats.LEAST_GAMES, p=asked.values.get("p"),
        shares=_OF_BLOCKS.format("shares", z=z) if blocked else "shares",
        cums=_OF_BLOCKS.format("cums", z=z) if blocked else "cums",
        split=f'word as "{question.split.name}", ' if question.split else "",
        order=", ".join(["cell", *order, "place", *last]),
    )  # fmt: skip
    return fill_in(text, {"variant": asked.variant or [], "lineup": asked.lineup or []}, asked.values)


def _counted_sql(
    asked: Asked, own: Distribution, words: Mapping[str, str], cells: Sequence[RunCell], width: int
) -> tuple[str, bool]:
    """The rows that have the number, by keys, unit and number, for each word; whether the unit is a block of games."""
    question = asked.question
    rollups = [find_histogram(question, own, value, cells) for value in words.values()]
    there = [rollup for rollup in rollups if rollup]
    blocked = max(map(count_games, group_cells(cells, question.groups).values()), default=0) > MANY_GAMES
    parts = []
    for place, (word, value) in enumerate(words.items()):
        plan = read_sql("kinds/given.sql").strip() if "given_lineup" in question.groups else ""
        held = {"place": place, "word": literal(word), "plan": plan}
        if len(there) == len(words):
            parts.append(_of_rollup(asked, own, value, there[place], held, width))
        else:
            parts.append(_of_rows(asked, own, value, held, "block(game)" if blocked else "game", width))
    return "    union all\n".join(parts).rstrip(), blocked or len(there) == len(words)


def _of_rollup(asked: Asked, own: Distribution, value: str, rollup: Rollup, held: Mapping[str, Any], width: int) -> str:
    [name] = [name for name, text in rollup.keys.items() if text == value]
    return read_sql("kinds/counted_rollup.sql").format(
        keys="".join(f'"{key}", ' for key in asked.question.keys),
        number=_binned(f'"{name}"', width),
        table=f"rollup_{rollup.name}",
        rows="true" if own.never else f'"{name}" is not null',
        **held,
    )


def _of_rows(asked: Asked, own: Distribution, value: str, held: Mapping[str, Any], unit: str, width: int) -> str:
    question, table = asked.question, asked.question.counted.table
    own_keys = [f'{one.tables[table]} as "{one.name}"' for one in question.dimensions]
    return read_sql("kinds/counted_rows.sql").format(
        keys="".join(f"{key}, " for key in [*question.groups, *own_keys]),
        unit=unit,
        number=_binned(f"({value})", width),
        table=table if table in TABLES else f"({read_sql(f'relations/{table}.sql').strip()}) as {table}",
        rows=own.rows if own.never else f"({own.rows}) and ({value}) is not null",
        where=question.where,
        **held,
    )


def _binned(number: str, width: int) -> str:
    return f"{number}::bigint" if width == 1 else f"(floor({number} / {width}) * {width})::bigint"
