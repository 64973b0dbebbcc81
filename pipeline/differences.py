"""Differences between cells in many metrics at once, paired game by game where both met the same cards.

All rotations of a line-up over the sides are one block of games with the same number. Totals of every game lie in
arrays with a place a game, so a block pairs with another place by place; a millionth game costs microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from pipeline import stats
from pipeline.catalog import read_sql
from pipeline.cells import RunCell
from pipeline.metric import Metric, load_metric, metric_names
from pipeline.run import Run


@dataclass(frozen=True)
class Block:
    """A variant under all rotations of a line-up: totals of metrics (metric × game), 0 where a game is not there.

    `there` marks games that all rotations have; `spread` is each metric's standard deviation between single games;
    `ruled` marks metrics that the rules decide.
    """

    cells: tuple[RunCell, ...]
    k: stats.Array
    n: stats.Array
    there: np.ndarray[Any, np.dtype[np.bool_]]
    spread: stats.Array
    ruled: tuple[bool, ...]

    @property
    def variant(self) -> str:
        """Slug of the rules."""
        return self.cells[0].variant

    @property
    def lineup(self) -> str:
        """The line-up as given in the plan."""
        return self.cells[0].given

    @property
    def games(self) -> int:
        """Games that all rotations have, of all of them together."""
        return len(self.cells) * int(self.there.sum())


def metrics_of_games() -> list[Metric]:
    """Metrics that the per-game totals answer."""
    return [metric for metric in map(load_metric, metric_names()) if metric.table == "games" and metric.numerator]


def read_blocks(run: Run, cells: Sequence[RunCell], metrics: Sequence[Metric]) -> list[Block]:
    """Blocks of these cells, in the order of the plan; cells without a committed game are left out."""
    chosen = {"variant": [cell.variant for cell in cells], "lineup": [cell.lineup for cell in cells]}
    frame = run.sql(_totals_sql(metrics), **chosen)
    parts = {key[0]: part for key, part in frame.partition_by("cell", as_dict=True).items()}
    groups: dict[tuple[str, str], list[tuple[RunCell, pl.DataFrame]]] = {}
    for place, cell in enumerate(run.parts, 1):
        if place in parts and cell in cells:
            groups.setdefault((cell.variant, cell.given), []).append((cell, parts[place]))
    size = max((int(part["game"].to_numpy().max()) for part in parts.values()), default=0)
    return [_add_rotations(group, size, len(metrics)) for group in groups.values()]


def compare_blocks(
    metrics: Sequence[Metric], base: Block, other: Block, level: float = 0.95
) -> Iterator[dict[str, Any]]:
    """Other minus base for each metric that the rules of neither decide.

    Rows have `metric family variant lineup base_variant base_lineup value base_value diff low high effect paired gain
    games p spread`: `effect` is the difference ÷ the base's spread between games
    (the other's where all games of the base are alike), `gain` what pairing gained, `games`
    those of the smaller block. Not a number becomes None.
    """
    paired = len(base.cells) == len(other.cells) and base.cells[0].cards == other.cells[0].cards
    both = base.there & other.there
    paired = paired and bool(both.any())
    for place, metric in enumerate(metrics):
        if base.ruled[place] or other.ruled[place]:
            continue
        mine, theirs = (both, both) if paired else (base.there, other.there)
        first = base.k[place][mine], base.n[place][mine]
        second = other.k[place][theirs], other.n[place][theirs]
        if paired:
            found = stats.subtract_pairs(first, second, level)
        else:
            found = stats.subtract(stats.sum_games(*first), stats.sum_games(*second), level=level)
        ratios = _share(*first), _share(*second)
        spread = float(base.spread[place]) or float(other.spread[place])
        row = {
            "value": ratios[1],
            "base_value": ratios[0],
            "diff": float(found.value[0]),
            "low": float(found.low[0]),
            "high": float(found.high[0]),
            "effect": float(found.value[0]) / spread if spread > 0 else np.nan,
            "gain": float(found.gain[0]),
            "p": float(found.p[0]),
            "spread": spread,
        }
        yield {
            "metric": metric.name,
            "family": metric.family,
            "variant": other.variant,
            "lineup": other.lineup,
            "base_variant": base.variant,
            "base_lineup": base.lineup,
            "paired": paired,
            "games": min(base.games, other.games),
            **{name: None if np.isnan(number) else number for name, number in row.items()},
        }


def _share(k: stats.Array, n: stats.Array) -> float:
    total = float(n.sum())
    return float(k.sum()) / total if total else float("nan")


def _totals_sql(metrics: Sequence[Metric]) -> str:
    columns, rules = [], []
    for place, metric in enumerate(metrics):
        kept = "case when ending <> 'cap' then {} else 0 end" if metric.completed else "({})"
        columns += [
            f"{kept.format(metric.numerator)}::integer as k{place}",
            f"{kept.format(metric.denominator)}::integer as n{place}",
            f"r{place}",
        ]
        rules.append(f", ({metric.by_rule or 'false'}) as r{place}")
    return read_sql("metric/games.sql").format(columns=", ".join(columns), rules="".join(rules))


def _add_rotations(parts: Sequence[tuple[RunCell, pl.DataFrame]], size: int, metrics: int) -> Block:
    k, n = np.zeros((metrics, size)), np.zeros((metrics, size))
    seen, variances = np.zeros(size, int), np.zeros((len(parts), metrics))
    for row, (_, part) in enumerate(parts):
        places = part["game"].to_numpy() - 1
        seen[places] += 1
        for metric in range(metrics):
            one_k, one_n = (part[f"{name}{metric}"].to_numpy().astype(np.float64) for name in "kn")
            k[metric, places] += one_k
            n[metric, places] += one_n
            variances[row, metric] = stats.estimate(stats.sum_games(one_k, one_n)).spread[0] ** 2
    ruled = tuple(bool(parts[0][1][f"r{metric}"][0]) for metric in range(metrics))
    return Block(tuple(cell for cell, _ in parts), k, n, seen == len(parts), np.sqrt(variances.mean(axis=0)), ruled)
