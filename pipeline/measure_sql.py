"""The answer to a metric as one SELECT over the views and macros of a run: what "copy as SQL" gives.

It returns the keys, `value low high numerator denominator`, with a base also `diff diff_low diff_high gain`, in the
order of the answer; in `run.sql()` and, after `views.sql`, in the DuckDB shell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from pipeline import stats
from pipeline.catalog import read_sql
from pipeline.cells import RunCell
from pipeline.comparison import Base, may_pair_blocks
from pipeline.kinds.distribution_sql import quantile_sql
from pipeline.levels import count_errors
from pipeline.literal import fill_in, literal
from pipeline.measure_question import Question, check_parameters, pose, units_sql
from pipeline.measure_rollups import Rows, Source, blocks_sql, count_games, find_source, group_cells, value_of
from pipeline.metric import CELL, Metric

_INTERVALS = {"R": "ratio_within", "W": "share_within", "B": "result_within"}


@dataclass(frozen=True)
class _Text:
    """What the parts of the text share: the question, its roll-ups if they answer, the cells, the base, z."""

    question: Question
    source: Source | Rows | None
    cells: Sequence[RunCell]
    base: Base | None
    z: str

    @property
    def keys(self) -> list[str]:
        return [f'"{name}"' for name in self.question.keys]

    @property
    def split(self) -> list[str]:
        """The column of the split's words, if there is one."""
        return [f'word as "{self.question.split.name}"'] if self.question.split else []


def measure_sql(
    connection: duckdb.DuckDBPyConnection,
    cells: Sequence[RunCell],
    metric: Metric,
    by: Sequence[str] | None = None,
    *,
    base: Base | None = None,
    level: float = 0.95,
    where: str | None = None,
    **given: Any,
) -> str:
    """One SELECT that gives a metric of these cells.

    Empty where no single one does: metrics of other kinds (bootstrap, mirror blocks; quantiles have one but no
    differences), and differences between cells that met the same cards but have not the same games.
    """
    if metric.interval == "Q" and base is None:
        return quantile_sql(connection, cells, metric, by, level=level, where=where, **given)
    if metric.own_kind or metric.interval not in _INTERVALS:
        return ""
    question = pose(connection, metric, by, where)
    if base and not may_pair_blocks(question, cells, base):
        return ""
    source = find_source(question, cells)
    text = _Text(question, source, cells, base, f"{count_errors(level)!r}::double")
    if source:
        counted = _blocks_part(text, source)
    else:
        counted = _games_part(text)
    whole = read_sql("metric/answer_with_base.sql" if base else "metric/answer.sql").format(
        counted=counted.rstrip(),
        plan=_plan_sql(text),
        **_columns(text),
        **(_base_columns(text) if base else {}),
    )
    chosen = {name: sorted({value_of(cell, name) for cell in cells}) for name in CELL}
    return fill_in(whole, chosen, check_parameters(metric, given))


def _games_part(text: _Text) -> str:
    """Sums over games: `counted` with one row for each key and word."""
    words = ", ".join(
        f"{{'place': {place}, 'word': {literal(word)}, 'sums': ratio_sums(k{place}, n)}}"
        for place, word in enumerate(text.question.words)
    )
    return read_sql("metric/answer_games.sql").format(
        units=units_sql(text.question).rstrip(), keys="".join(f"{key}, " for key in text.keys), words=words,
        least=stats.LEAST_GAMES, z=text.z,
    )  # fmt: skip


def _blocks_part(text: _Text, source: Source | Rows) -> str:
    """Sums over blocks of games: `left_out` with one row a block, and `counted`."""
    words = ", ".join(
        f"{{'place': {place}, 'word': {literal(word)}, 'k': coalesce(k{place}, 0)}}"
        for place, word in enumerate(text.question.words)
    )
    student, single = f"student({text.z}, units - 1)", text.question.metric.interval == "B"
    return read_sql("metric/answer_blocks.sql").format(
        blocks=blocks_sql(text.question, source, {one.name: f"rollup_{one.name}" for one in source.rollups}).rstrip(),
        keys="".join(f"{key}, " for key in text.keys),
        using=", ".join([*text.keys, "block"]),
        words=words,
        games=_games_sql(text),
        least=stats.LEAST_BLOCKS,
        errors=f"case when ratio.n = ratio.games then {text.z} else {student} end" if single else student,
    )


def _games_sql(text: _Text) -> str:
    """Different games of the cells of a row."""
    groups = group_cells(text.cells, text.question.groups)
    counts = {key: count_games(group) for key, group in groups.items()}
    if len(set(counts.values())) == 1:
        return str(next(iter(counts.values())))
    names = f"({', '.join(text.question.groups)})"
    branches = " ".join(
        f"when {names} = ({', '.join(map(literal, key))}) then {count}" for key, count in counts.items()
    )
    return f"case {branches} end"


def _plan_sql(text: _Text) -> str:
    """The place of a row's cells in the plan, and the cards they met."""
    return read_sql("metric/plan_of_answer.sql").format(groups="".join(f"{name}, " for name in text.question.groups))


def _columns(text: _Text) -> dict[str, str]:
    question = text.question
    joined = ", ".join(question.groups)
    order = [
        f'list_position({literal(list(one.words))}, "{one.name}"::varchar)' if one.words else f'"{one.name}"'
        for one in question.dimensions
    ]
    return {
        "keys": ", ".join([*text.keys, *text.split, ""]),
        "numerator": "bigint" if question.metric.whole else "double",
        "within": _INTERVALS[question.metric.interval],
        "join": f"join plan using ({joined})" if joined else "cross join plan",
        "present": " and ".join([f"{key} is not null" for key in text.keys] or ["true"]),
        "order": ", ".join(["cell", *order, "place"]),
    }


def _base_columns(text: _Text) -> dict[str, str]:
    assert text.base is not None
    base, axis = literal(text.base.name), text.base.axis
    same = [f'one."{name}" = two."{name}"' for name in text.question.keys if name != axis]
    matched = " and ".join([f'two."{axis}" = {base}', f'one."{axis}" <> {base}', *same])
    own = "".join(f"one.{key}, " for key in text.keys)
    if text.source:
        shared = read_sql("metric/shared_blocks.sql").format(keys=own, matched=matched)
        together, errors = "shared.se ** 2", f"student({text.z}, least(one.units, two.units) - 1)"
    else:
        sums = ", ".join(
            f"{{'place': {place}, 'kk': sum(two.k{place}::double * one.k{place}), "
            f"'kn': sum(two.k{place}::double * one.n), 'nk': sum(two.n::double * one.k{place}), "
            f"'nn': sum(two.n::double * one.n)}}"
            for place in range(len(text.question.words))
        )
        shared = read_sql("metric/shared_games.sql").format(keys=own, matched=matched, sums=sums)
        together, errors = "apart - 2 * coalesce(covariance_of(shared.sums, two.ratio, one.ratio), 0)", text.z
    mine = " and ".join([*(f"shared.{key} = one.{key}" for key in text.keys), "shared.place = one.place"])
    group = [f"base_plan.{name} = {base if name == axis else 'one.' + name}" for name in text.question.groups]
    return {
        "shared": shared.rstrip(),
        "matched": matched,
        "mine": mine,
        "base_plan": " and ".join(group),
        "together": together,
        "errors": errors,
        "least": str(stats.LEAST_BLOCKS if text.source else stats.LEAST_GAMES),
        "unless_certain": "one.ratio.se = 0 and two.ratio.se = 0" if text.question.metric.unit == "%" else "false",
        "own": ", ".join([*(f"one.{key}" for key in text.keys), *(f"one.{name}" for name in text.split), ""]),
    }
