"""A metric against a base: each row's difference to the same row of a base variant or line-up (method D).

Rows that met the same cards are paired game by game, over the games both have; others are not, and say so. Holm's
correction over the whole table decides which differences get a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import polars as pl

from engine.errors import BadInput
from pipeline import stats
from pipeline.cells import RunCell
from pipeline.measure import measure
from pipeline.measure_question import Question, check_parameters, pose, units_sql, used
from pipeline.measure_rollups import Counts, find_source, group_cells, read_counts, spans_of, value_of
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
    asked: dict[str, Any] = {name: sorted({value_of(cell, name) for cell in cells}) for name in CELL}
    if metric.spread or metric.transform or metric.interval == "Q":
        raise BadInput(f"{metric.name} is no ratio of sums, so it has no difference to a base: split it by {base.axis}")
    found = measure(connection, metric, by, level=level, where=where, cells=cells, **asked, **given)
    question = pose(connection, metric, by, where)
    there = {key: _Games.of(group) for key, group in group_cells(cells, question.groups).items()}
    pairs = list(_pair_rows(found, question, base))
    source = find_source(question, cells) if _played_alike(pairs, there) else None
    if source:
        counts = read_counts(connection, question, source, cells)
        compared = _compare_blocks(counts, pairs, there, level)
    else:
        units = _read_units(connection, question, {**asked, **check_parameters(metric, given)})
        compared = [_compare_games(units, pair, there, level) if pair else None for pair in pairs]
    ruled = {
        tuple(row[name] for name in question.keys)
        for row in found.filter("by_rule").unique(question.keys).iter_rows(named=True)
    }
    rows = []
    for row, pair, differences in zip(found.iter_rows(named=True), pairs, compared, strict=True):
        if pair is None or differences is None:
            rows.append(dict.fromkeys(COLUMNS))
            continue
        if metric.unit == "%" and differences["certain"]:
            differences["low"] = differences["high"] = None
        rows.append({**differences, "who": _who(question, row), "ruled": bool({pair.key, pair.base} & ruled)})
    return found.hstack(_word(rows, metric, level))


@dataclass(frozen=True)
class _Pair:
    """A row of the answer and the base's: their keys, their variant and line-up, and the word of the split."""

    key: Key
    base: Key
    groups: tuple[Key, Key]
    word: int


def _pair_rows(found: pl.DataFrame, question: Question, base: Base) -> Iterator[_Pair | None]:
    """For each row of the answer its pair; None where it is the base's own, or the base has no such row."""
    words = {word: place for place, word in enumerate(question.words)}
    keys = found.select(question.keys).rows()
    known, size = set(keys), len(question.groups)
    named = found[question.split.name].to_list() if question.split else [""] * found.height
    axis = question.keys.index(base.axis)
    for key, word in zip(keys, named, strict=True):
        other = (*key[:axis], base.name, *key[axis + 1 :])
        there = key != other and other in known
        yield _Pair(key, other, (other[:size], key[:size]), words[word]) if there else None


@dataclass(frozen=True)
class _Games:
    """Games that all of some cells have, as stretches of each cell; and the cards they met."""

    spans: tuple[tuple[tuple[int, int], ...], ...]
    cards: frozenset[tuple[Any, ...]]

    @classmethod
    def of(cls, cells: Sequence[RunCell]) -> _Games:
        return cls(tuple(tuple(spans_of([cell])) for cell in cells), frozenset(cell.cards for cell in cells))

    def places(self, size: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which of the games 1..size all of the cells have."""
        both = np.ones(size, bool)
        for spans in self.spans:
            own = np.zeros(size, bool)
            for first, end in spans:
                own[first - 1 : end - 1] = True
            both &= own
        return both


def may_pair_blocks(question: Question, cells: Sequence[RunCell], base: Base) -> bool:
    """Whether every cell that met the base's cards has the games of the base, so that whole blocks pair."""
    there = {key: _Games.of(group) for key, group in group_cells(cells, question.groups).items()}
    axis = question.groups.index(base.axis)
    held = {key: (*key[:axis], base.name, *key[axis + 1 :]) for key in there}
    return _are_alike(there, {(other, key) for key, other in held.items() if other in there})


def _played_alike(pairs: Sequence[_Pair | None], there: Mapping[Key, _Games]) -> bool:
    """Whether cells that may be paired have the same games, so that whole blocks of them pair."""
    return _are_alike(there, {pair.groups for pair in pairs if pair})


def _are_alike(there: Mapping[Key, _Games], pairs: set[tuple[Key, Key]]) -> bool:
    return all(
        there[one].cards != there[two].cards or len({*there[one].spans, *there[two].spans}) == 1 for one, two in pairs
    )


def _compare_blocks(
    counts: Counts, pairs: Sequence[_Pair | None], there: Mapping[Key, _Games], level: float
) -> list[dict[str, Any] | None]:
    """What `_compare_games` gives, from blocks of games, for all rows at once."""
    at = {key: place for place, key in enumerate(counts.keys)}
    asked = [pair for pair in pairs if pair]
    words = np.array([pair.word for pair in asked], np.int64)
    first, second = (
        counts.blocks(words, np.array([at[key] for key in keys], np.int64))
        for keys in ([pair.base for pair in asked], [pair.key for pair in asked])
    )
    paired = np.array([there[pair.groups[0]].cards == there[pair.groups[1]].cards for pair in asked], bool)
    found = stats.subtract_blocks(first, second, paired, level)
    base, other = (stats.estimate_blocks(one, level=level) for one in (first, second))
    told = iter(_tell(found, base, other, paired, np.minimum(base.games, other.games)))
    return [next(told) if pair else None for pair in pairs]


def _tell(
    found: stats.Difference, base: stats.Estimate, other: stats.Estimate, paired: Any, games: stats.Array
) -> Iterator[dict[str, Any]]:
    """Differences one by one: `diff low high gain p spread base_value certain paired games`, not a number as None.

    `spread` is the base's between games, the other's where all games of the base are alike.
    `certain`: what is counted happened always or never in both, so that no variance between games is to be seen.
    """
    numbers = {
        "diff": found.value,
        "low": found.low,
        "high": found.high,
        "gain": found.gain,
        "p": found.p,
        "spread": np.where(base.spread > 0, base.spread, other.spread),
        "base_value": base.value,
    }
    for place in range(len(games)):
        plain = {name: None if np.isnan(one[place]) else float(one[place]) for name, one in numbers.items()}
        plain["gain"] = None if plain["diff"] is None else plain["gain"]
        certain = bool(base.se[place] == 0 and other.se[place] == 0)
        yield {**plain, "certain": certain, "paired": bool(paired[place]), "games": int(games[place])}


def _read_units(
    connection: duckdb.DuckDBPyConnection, question: Question, values: Mapping[str, Any]
) -> dict[Key, pl.DataFrame]:
    """Numerators and denominator of each game, `game k0 k1 … n`, by the keys of the answer."""
    text = units_sql(question)
    frame: pl.DataFrame = connection.sql(text, params=used(values, text)).pl()
    frame = frame.with_columns(pl.col(one.name).cast(pl.String) for one in question.dimensions if one.words)
    return frame.partition_by(list(question.keys), as_dict=True)


def _compare_games(
    units: Mapping[Key, pl.DataFrame], pair: _Pair, there: Mapping[Key, _Games], level: float
) -> dict[str, Any] | None:
    """A row's difference to the base's as `_tell` gives it, game by game."""
    if pair.key not in units or pair.base not in units:
        return None
    frames = units[pair.base], units[pair.key]
    games = [there[group] for group in pair.groups]
    size = max(int(frame["game"].to_numpy().max()) for frame in frames)
    counts = [[_place(frame, name, size) for name in (f"k{pair.word}", "n")] for frame in frames]
    both = games[0].places(size) & games[1].places(size) & (games[0].cards == games[1].cards)
    paired = bool(both.any())
    first, second = ((k[both], n[both]) if paired else (k, n) for k, n in counts)
    sums = stats.sum_games(*first), stats.sum_games(*second)
    found = stats.subtract_pairs(first, second, level) if paired else stats.subtract(*sums, level=level)
    base, other = (stats.estimate(one, level=level) for one in sums)
    told = next(_tell(found, base, other, [paired], np.minimum(base.games, other.games)))
    alone = any(bool((one.places(size) & ~both).any()) for one in games)
    return {**told, "shared": int(both.sum()) if paired and alone else None}


def _place(frame: pl.DataFrame, name: str, size: int) -> stats.Array:
    placed = np.zeros(size)
    placed[frame["game"].to_numpy() - 1] = frame[name].fill_null(0).cast(pl.Float64).to_numpy()
    return placed


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
            shared = f", over {row['shared']:,} shared games" if row.get("shared") else ""
            row["sentence"] = say(row["who"], metric, row) + shared
    return pl.DataFrame([[row[name] for name in COLUMNS] for row in rows], schema=COLUMNS, orient="row")
