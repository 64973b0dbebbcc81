"""A metric against a base: each row's difference to the same row of a base variant or line-up (method D).

Rows that met the same cards are paired game by game, over the games both have; others are not, and say so. Holm's
correction over the whole table decides which differences get a word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import polars as pl

from engine.errors import BadInput
from pipeline import stats
from pipeline.cells import RunCell
from pipeline.measure import Question, check_parameters, measure, pose, units_sql, used
from pipeline.metric import CELL, GROUPS, Metric
from pipeline.sentences import choose_form, say

if TYPE_CHECKING:
    from pipeline.run import Run

Key = tuple[Any, ...]
COLUMNS = {
    "diff": pl.Float64,
    "diff_low": pl.Float64,
    "diff_high": pl.Float64,
    "paired": pl.Boolean,
    "gain": pl.Float64,
    "p": pl.Float64,
    "form": pl.String,
    "sentence": pl.String,
}
"""Columns added to a metric's: difference to the base with its interval, whether paired and the variance that saved
(unpaired ÷ paired), Holm's p over the table, one of `sentences.FORMS`. Null on the base's own rows."""


@dataclass(frozen=True)
class Base:
    """The variant or line-up that others are held against: `axis` is the one of GROUPS it is a value of."""

    axis: str
    name: str


def find_base(name: str, by: Sequence[str], cells: Sequence[RunCell]) -> Base:
    """The base of this name; BadInput when it is neither variant nor line-up, or the answer has no row of its own."""
    there = {axis: list(dict.fromkeys(value_of(cell, axis) for cell in cells)) for axis in GROUPS}
    axes = [axis for axis in GROUPS if name in there[axis]]
    if not axes:
        variants, lineups = (", ".join(there[axis]) for axis in CELL)
        raise BadInput(f"base '{name}': a variant, {variants}, or a line-up, {lineups}")
    axis = next((axis for axis in axes if axis in by), None)
    if axis is None:
        split = ", ".join(by) or "none"
        raise BadInput(f"base '{name}' is a {axes[0]}: split by {axes[0]} to compare with it, not by {split}")
    return Base(axis, name)


def choose_with_base(
    run: Run, base: Base, variant: Sequence[str] | None, lineup: Sequence[str] | None
) -> list[RunCell]:
    """The chosen cells of a run, and those of the base beside them."""
    own = list(dict.fromkeys(cell.lineup for cell in run.parts if value_of(cell, base.axis) == base.name))
    if base.axis == "variant":
        return run.choose(variant and [*variant, base.name], lineup)
    return run.choose(variant, lineup and [*lineup, *own])


def value_of(cell: RunCell, group: str) -> str:
    """A cell's variant, line-up as played or line-up as given."""
    return str({"variant": cell.variant, "lineup": cell.lineup, "given_lineup": cell.given}[group])


def compare(
    connection: duckdb.DuckDBPyConnection,
    cells: Sequence[RunCell],
    metric: Metric,
    by: Sequence[str],
    base: Base,
    *,
    level: float = 0.95,
    where: str | None = None,
    **given: Any,
) -> pl.DataFrame:
    """A metric of these cells with its differences to the base: the columns of `measure`, then `COLUMNS`."""
    asked: dict[str, Any] = {name: sorted({getattr(cell, name) for cell in cells}) for name in CELL}
    found = measure(connection, metric, by, level=level, where=where, **asked, **given)
    question = pose(connection, metric, by, where)
    units = _read_units(connection, question, {**asked, **check_parameters(metric, given)})
    there = {key: _Games.of(_cells_of(cells, question, key)) for key in units}
    rows = []
    for row in found.iter_rows(named=True):
        key = tuple(row[name] for name in question.keys)
        other = tuple(base.name if name == base.axis else row[name] for name in question.keys)
        if key == other or key not in units or other not in units:
            rows.append(dict.fromkeys(COLUMNS))
            continue
        place = list(question.words).index(row[question.split.name]) if question.split else 0
        counts = _difference((units[other], units[key]), (there[other], there[key]), f"k{place}", level)
        if metric.unit == "%" and counts["certain"]:
            counts["low"] = counts["high"] = None
        ruled = row["by_rule"] or _by_rule(found, question, other)
        rows.append({**counts, "who": _who(question, row), "ruled": ruled})
    return found.hstack(_word(rows, metric, level))


@dataclass(frozen=True)
class _Games:
    """Games that all of some cells have, as places from 0; and what must agree for their cards to be the same."""

    places: frozenset[int] | range
    cards: frozenset[tuple[Any, ...]]

    @classmethod
    def of(cls, cells: Sequence[RunCell]) -> _Games:
        spans = [
            {
                place
                for shard in cell.shards
                for place in range(shard.first_game - 1, shard.first_game - 1 + shard.games)
            }
            for cell in cells
        ]
        return cls(
            frozenset(set.intersection(*spans)) if spans else frozenset(), frozenset(cell.cards for cell in cells)
        )


def _cells_of(cells: Sequence[RunCell], question: Question, key: Key) -> list[RunCell]:
    """The cells that a row of the answer adds up."""
    named = dict(zip(question.keys, key, strict=True))
    asked = {name: named[name] for name in question.groups}
    return [cell for cell in cells if all(value_of(cell, name) == value for name, value in asked.items())]


def _read_units(
    connection: duckdb.DuckDBPyConnection, question: Question, values: Mapping[str, Any]
) -> dict[Key, pl.DataFrame]:
    """Numerators and denominator of each game, `game k0 k1 … n`, by the keys of the answer."""
    text = units_sql(question)
    frame: pl.DataFrame = connection.sql(text, params=used(values, text)).pl()
    frame = frame.with_columns(pl.col(one.name).cast(pl.String) for one in question.dimensions if one.words)
    return frame.partition_by(list(question.keys), as_dict=True)


def _difference(
    frames: tuple[pl.DataFrame, pl.DataFrame], there: tuple[_Games, _Games], numerator: str, level: float
) -> dict[str, Any]:
    """Second minus first: `diff low high paired gain p games spread base_value certain`, not a number as None.

    `certain`: what is counted happened always or never in both, so that no variance between games is to be seen.
    """
    size = max(int(frame["game"].to_numpy().max()) for frame in frames)
    counts = [[_place(frame, name, size) for name in (numerator, "n")] for frame in frames]
    both = np.zeros(size, bool)
    if there[0].cards == there[1].cards:
        common = np.fromiter(set(there[0].places) & set(there[1].places), np.int64)
        both[common[common < size]] = True
    paired = bool(both.any())
    first, second = ((k[both], n[both]) if paired else (k, n) for k, n in counts)
    sums = stats.sum_games(*first), stats.sum_games(*second)
    found = stats.subtract_pairs(first, second, level) if paired else stats.subtract(*sums, level=level)
    base, other = (stats.estimate(one, level=level) for one in sums)
    numbers = {
        "diff": found.value,
        "low": found.low,
        "high": found.high,
        "gain": found.gain,
        "p": found.p,
        "spread": base.spread,
        "base_value": base.value,
    }
    plain = {name: None if np.isnan(one[0]) else float(one[0]) for name, one in numbers.items()}
    certain = base.se[0] == 0 and other.se[0] == 0
    return {**plain, "certain": certain, "paired": paired, "games": int(min(sums[0].games[0], sums[1].games[0]))}


def _place(frame: pl.DataFrame, name: str, size: int) -> stats.Array:
    placed = np.zeros(size)
    placed[frame["game"].to_numpy() - 1] = frame[name].fill_null(0).cast(pl.Float64).to_numpy()
    return placed


def _by_rule(found: pl.DataFrame, question: Question, key: Key) -> bool:
    same = [pl.col(name) == value for name, value in zip(question.keys, key, strict=True)]
    return bool(found.filter(*same)["by_rule"].any())


def _who(question: Question, row: Mapping[str, Any]) -> str:
    names = [row[name] for name in question.groups]
    parts = [f"{one.name.replace('_', ' ')} {row[one.name]}" for one in question.dimensions]
    parts += [str(row[question.split.name])] if question.split else []
    return ", ".join([" with ".join(names), *parts])


def _word(rows: Sequence[dict[str, Any]], metric: Metric, level: float) -> pl.DataFrame:
    """The rows with Holm's p, form and sentence; what the rules decide gets neither."""
    tested = [row for row in rows if "who" in row]
    adjusted = stats.holm([np.nan if row["p"] is None or row["ruled"] else row["p"] for row in tested])
    for row, p in zip(tested, adjusted, strict=True):
        row["p"] = None if np.isnan(p) else float(p)
        row["diff_low"], row["diff_high"] = row["low"], row["high"]
        if row["ruled"]:
            row["form"], row["sentence"] = None, f"{row['who']}: the rules alone decide ({metric.title.lower()})"
        else:
            row["form"] = choose_form(row, 1 - level)
            row["sentence"] = say(row["who"], metric, row)
    return pl.DataFrame([[row[name] for name in COLUMNS] for row in rows], schema=COLUMNS, orient="row")
