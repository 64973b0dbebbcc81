"""Answers of kinds of their own off roll-ups, by 64 blocks of games: the same values as from the tables.

A mirror block's games have the same number, so all of them lie in the same block of games: leaving one out after the
other is as good an interval for means over mirror blocks. What no roll-up has is left to the tables: None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import polars as pl

from pipeline import stats
from pipeline.catalog import read_sql
from pipeline.cells import RunCell
from pipeline.kinds.rows import Asked, Seatings
from pipeline.measure_question import Question, used
from pipeline.measure_rollups import count_games, group_cells, merge, spans_of
from pipeline.metric import Distribution
from pipeline.rollup import AT, Rollup, load_rollups, rollup_digest

SAME_ROWS = {"side_margins": "sides", "take_margins": "turns"}
"""Relations with a row for each row, or each take, of a table."""
_MIRROR = {"mirror_blocks": "won / rows", "mirror_deals": "deals_won / games"}


def may_answer(question: Question, cells: Sequence[RunCell]) -> bool:
    """Whether all cells have roll-ups of today, and every group games enough for blocks; no condition is asked."""
    groups = group_cells(cells, question.groups)
    played = [cell for group in groups.values() for cell in group]
    return (
        bool(played)
        and not question.where
        and all(cell.is_rolled_up(rollup_digest()) for cell in played)
        and min(map(count_games, groups.values())) >= stats.LEAST_GAMES_IN_BLOCKS
    )


def read_mirror(asked: Asked, there: Sequence[Seatings], cells: Sequence[RunCell]) -> pl.DataFrame | None:
    """Numerator, denominator and games, `k n games`, by the question's keys, line-up, strategy and block.

    None where a seating is not among the cells, the seatings have other games than each other, or a game hit the cap.
    """
    question = asked.question
    table = question.counted.table
    by_lineup = {(cell.variant, cell.lineup): cell for cell in cells if cell.shards}
    for one in there:
        seated = [by_lineup.get((one.variant, lineup)) for lineup in one.lineups]
        if None in seated or len({tuple(spans_of([cell])) for cell in seated if cell}) != 1:
            return None
    chosen = [by_lineup[one.variant, lineup] for one in there for lineup in one.lineups]
    if table not in _MIRROR or not may_answer(question, chosen):
        return None
    games, deals = (merge(asked.connection, load_rollups()[name]) for name in ("game_results", "results"))
    if _ended(asked.connection, games, chosen) < sum(cell.games * len(cell.side_strategies) for cell in chosen):
        return None
    text = read_sql("kinds/mirror_blocks.sql").format(
        games=games, deals=deals, table=table, won=_MIRROR[table], keys=_keys(question),
        numerator=question.counted.numerator, denominator=question.counted.denominator,
    )  # fmt: skip
    return _ask(asked, text)


def _ended(connection: duckdb.DuckDBPyConnection, games: str, cells: Sequence[RunCell]) -> int:
    """Sides of games that did not hit the cap in these cells."""
    rows = connection.table(games).aggregate('variant, lineup, sum("rows")', "variant, lineup").fetchall()
    wanted = {(cell.variant, cell.lineup) for cell in cells}
    return int(sum(count for variant, lineup, count in rows if (variant, lineup) in wanted))


def read_swing(asked: Asked, cells: Sequence[RunCell]) -> pl.DataFrame | None:
    """Rows, sum and sum of squares of side 1's margins, `n x xx`, by the question's keys and block, in `game`."""
    rollup = load_rollups()["results"]
    if asked.question.counted.table != "side_margins" or not _fits(asked.question, rollup, cells):
        return None
    text = read_sql("kinds/swing_blocks.sql").format(keys=_keys(asked.question), table=merge(asked.connection, rollup))
    return _ask(asked, text)


def read_histogram(
    asked: Asked, own: Distribution, value: str, width: int, cells: Sequence[RunCell]
) -> tuple[pl.DataFrame, str] | None:
    """Rows that have a metric's own number, by the question's keys, block and number, in bins so wide: `game at n`.

    And the name of the roll-up.
    """
    rollup = find_histogram(asked.question, own, value, cells)
    if not rollup:
        return None
    [name] = [name for name, text in rollup.keys.items() if text == value]
    text = read_sql("kinds/histogram.sql").format(
        keys=_keys(asked.question),
        at=f'"{name}"::bigint' if width == 1 else f'(floor("{name}" / {width}) * {width})::bigint',
        table=merge(asked.connection, rollup),
        rows="true" if own.never else f'"{name}" is not null',
        plan=read_sql("kinds/given.sql").strip() if "given_lineup" in asked.question.groups else "",
    )
    return _ask(asked, text), rollup.name


def find_histogram(question: Question, own: Distribution, value: str, cells: Sequence[RunCell]) -> Rollup | None:
    """The smallest roll-up that keeps apart the values of a number; all rows of its table are to count."""
    fitting = [
        one
        for one in load_rollups().values()
        if SAME_ROWS.get(one.table, one.table) == own.table and value in one.keys.values()
        if (one.table != "take_margins" or not own.never) and one.name not in ("margins", "margin_rounds")
        if own.rows == "true" and _fits(question, one, cells)
    ]
    return min(fitting, key=lambda one: cells[0].shards[0].rollups[one.name].rows, default=None)


def _fits(question: Question, rollup: Rollup, cells: Sequence[RunCell]) -> bool:
    """Whether a roll-up has the dimensions that are asked for, and may answer."""
    return {one.name for one in question.dimensions} <= set(rollup.dimensions) - {AT} and may_answer(question, cells)


def _keys(question: Question) -> str:
    return ", ".join(f'"{name}"' for name in question.keys) or "1 as one"


def _ask(asked: Asked, text: str) -> pl.DataFrame:
    chosen: Mapping[str, Any] = {"variant": asked.variant, "lineup": asked.lineup, **asked.values}
    frame: pl.DataFrame = asked.connection.sql(text, params=used(chosen, text)).pl()
    names = [one.name for one in asked.question.dimensions]
    return frame.drop_nulls(names) if names else frame
