"""A metric's ratios of all variants under one line-up, with their errors game by game or block by block.

From roll-ups where they fit and cells that met the same cards have the same games; else from the tables, over the games
that all of those cells have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from engine.errors import BadInput
from pipeline import stats
from pipeline.catalog import read_sql
from pipeline.cells import RunCell
from pipeline.measure_question import Question, check_parameters, pose, units_sql, used
from pipeline.measure_rollups import find_source, group_cells, read_counts, spans_of
from pipeline.metric import GROUPS, Metric
from pipeline.sweep_design import Weights

if TYPE_CHECKING:
    from pipeline.run import Run

Key = tuple[Any, ...]
CELL = ("variant", "given_lineup")


@dataclass(frozen=True)
class Rated:
    """The variants under a line-up, of one value of the metric's own dimensions (`keys`, in the order asked for).

    `cards`: variants with the same number met the same cards. `source` is the table or roll-up that answered.
    """

    lineup: str
    keys: Mapping[str, str]
    variants: tuple[str, ...]
    ratios: stats.Ratios
    cards: stats.Places
    source: str

    def weigh(self, sums: Sequence[Weights], level: float) -> stats.Difference:
        """Weighted sums of the variants' ratios."""
        weights = np.array([[one.get(variant, 0.0) for variant in self.variants] for one in sums])
        return stats.contrast(self.ratios, weights.reshape(len(sums), len(self.variants)), self.cards, level)

    def may_pair(self, weights: Weights) -> bool:
        """Whether everything that is subtracted met the same cards as what it is subtracted from."""
        parts: dict[int, float] = {}
        for variant, number in zip(self.variants, self.cards.tolist(), strict=True):
            parts[number] = parts.get(number, 0.0) + weights.get(variant, 0.0)
        return all(abs(part) < 1e-9 for part in parts.values())

    def count_games(self, weights: Weights) -> int:
        """Games of the variant with the fewest, of those that weigh."""
        games = [self.ratios.games[place] for place, one in enumerate(self.variants) if weights.get(one)]
        return int(min(games, default=0))


def ruled_variants(run: Run, metric: Metric, keys: Mapping[str, str]) -> set[str]:
    """Variants in which the rules alone decide the metric's value, of these words of its dimensions."""
    words = [metric.ruled.get(name, {}).get(word) for name, word in keys.items()]
    conditions = [f"({one})" for one in (metric.by_rule, *words) if one]
    if not conditions:
        return set()
    rule = f"bool_and({' or '.join(conditions)}) as by_rule"
    text = read_sql("metric/plan.sql").format(groups="variant, ", rule=rule)
    return {variant for variant, _, ruled in run.cursor().sql(text).fetchall() if ruled}


def dimensions_of(metric: Metric) -> tuple[str, ...]:
    """What the metric is split by beside variant and line-up if nobody says otherwise, such as the pace of minutes."""
    return tuple(name for name in metric.default_by if name not in GROUPS)


def check_metric(metric: Metric) -> None:
    """BadInput for a metric that is no ratio of sums."""
    if metric.own_kind or metric.transform:
        raise BadInput(f"{metric.name} is no ratio of sums, so rules have no effect that adds up: take another metric")


def read_rated(run: Run, metric: Metric, by: Sequence[str], cells: Sequence[RunCell], **given: Any) -> Iterator[Rated]:
    """The ratios of each line-up and value of the dimensions `by`, in the order of the plan."""
    check_metric(metric)
    connection = run.cursor()
    question = pose(connection, metric, [*CELL, *by])
    values = check_parameters(metric, given)
    source = find_source(question, cells) if _have_same_games(cells) else None
    if source:
        counts = read_counts(connection, question, source, cells)
        places = {key: place for place, key in enumerate(counts.keys)}
        for lineup, rest, variants in _group(list(places), question, cells):
            at = np.array([places[_key(question, one, lineup, rest)] for one in variants], np.int64)
            for place, word in enumerate(question.words):
                ratios = stats.ratios_of_blocks(counts.blocks(np.full(len(at), place, np.int64), at))
                yield _rate(question, lineup, rest, word, variants, ratios, cells, by, source.name)
        return
    chosen = {name: sorted({getattr(cell, name) for cell in cells}) for name in ("variant", "lineup")}
    text = units_sql(question)
    frame: pl.DataFrame = connection.sql(text, params=used({**chosen, **values}, text)).pl()
    frame = frame.with_columns(pl.col(one.name).cast(pl.String) for one in question.dimensions if one.words)
    units = frame.partition_by(list(question.keys), as_dict=True)
    size = max((int(one["game"].to_numpy().max()) for one in units.values()), default=0)
    for lineup, rest, variants in _group(list(units), question, cells):
        there = _shared_games(variants, lineup, cells, size)
        frames = [units[_key(question, one, lineup, rest)] for one in variants]
        n = np.stack([_place(one, "n", size) for one in frames]) * there
        for place, word in enumerate(question.words):
            k = np.stack([_place(one, f"k{place}", size) for one in frames]) * there
            ratios = stats.ratios_of_games(k, n)
            yield _rate(question, lineup, rest, word, variants, ratios, cells, by, ", ".join(question.tables))


def _group(
    keys: Sequence[Key], question: Question, cells: Sequence[RunCell]
) -> Iterator[tuple[str, Key, tuple[str, ...]]]:
    """Line-up, values of the dimensions, and the variants that have them, all in the order of the plan."""
    variants, lineups = (dict.fromkeys(getattr(cell, name) for cell in cells) for name in ("variant", "given"))
    at, beside = (question.keys.index(name) for name in CELL)
    there = {(key[beside], key[2:], key[at]) for key in keys}
    rests = sorted({key[2:] for key in keys}, key=lambda rest: [(type(one).__name__, one) for one in rest])
    for lineup in lineups:
        for rest in rests:
            own = tuple(variant for variant in variants if (lineup, rest, variant) in there)
            if own and not any(value is None for value in rest):
                yield lineup, rest, own


def _key(question: Question, variant: str, lineup: str, rest: Key) -> Key:
    groups = {"variant": variant, "given_lineup": lineup}
    return (*(groups[name] for name in question.groups), *rest)


def _rate(
    question: Question,
    lineup: str,
    rest: Key,
    word: str,
    variants: tuple[str, ...],
    ratios: stats.Ratios,
    cells: Sequence[RunCell],
    by: Sequence[str],
    source: str,
) -> Rated:
    told = {one.name: str(value) for one, value in zip(question.dimensions, rest, strict=True)}
    if question.split:
        told[question.split.name] = word
    met = {cell.variant: cell.cards for cell in cells}
    numbers = {cards: number for number, cards in enumerate(dict.fromkeys(met.values()))}
    cards = np.array([numbers[met[one]] for one in variants], np.int64)
    return Rated(lineup, {name: told[name] for name in dict.fromkeys([*by, *told])}, variants, ratios, cards, source)


def _have_same_games(cells: Sequence[RunCell]) -> bool:
    """Whether the cells of a line-up that met the same cards have the same games, so that whole blocks pair."""
    spans: dict[Key, set[Key]] = {}
    for cell in cells:
        spans.setdefault((cell.given, cell.cards), set()).add(tuple(spans_of([cell])))
    return all(len(one) == 1 for one in spans.values())


def _shared_games(variants: Sequence[str], lineup: str, cells: Sequence[RunCell], size: int) -> stats.Array:
    """For each variant (row) the games (column) that all cells of the line-up that met its cards have."""
    shared: dict[Key, stats.Array] = {}
    own: dict[str, Key] = {}
    for (variant, given), group in group_cells(cells, CELL).items():
        if given != lineup or variant not in variants:
            continue
        for cell in group:
            there = np.zeros(size)
            for first, end in spans_of([cell]):
                there[first - 1 : end - 1] = 1
            shared[cell.cards] = shared.get(cell.cards, np.ones(size)) * there
            own[variant] = cell.cards
    return np.stack([shared[own[variant]] for variant in variants])


def _place(frame: pl.DataFrame, name: str, size: int) -> stats.Array:
    placed = np.zeros(size)
    placed[frame["game"].to_numpy() - 1] = frame[name].fill_null(0).cast(pl.Float64).to_numpy()
    return placed
