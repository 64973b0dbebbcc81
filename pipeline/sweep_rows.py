"""Rows of a sweep's tables: weighted sums of one line-up's variants with interval, gain, form and sentence."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from pipeline import stats
from pipeline.metric import Metric
from pipeline.sentences import choose_form
from pipeline.sweep_design import Design, Interaction, Mean, Weights
from pipeline.sweep_ratios import Rated
from pipeline.sweep_words import say_change

COMPARED: dict[str, Any] = {
    "base_value": pl.Float64,
    "diff": pl.Float64,
    "diff_low": pl.Float64,
    "diff_high": pl.Float64,
    "paired": pl.Boolean,
    "gain": pl.Float64,
    "p": pl.Float64,
    "form": pl.String,
    "games": pl.Int64,
    "sentence": pl.String,
}
"""Columns of effects and interactions after their keys: as in `comparison.COLUMNS`; `base_value` is what the base's
level has in the same settings, `games` those of the variant with the fewest."""
MEANS: dict[str, Any] = {
    "factor": pl.String,
    "level": pl.String,
    "other": pl.String,
    "other_level": pl.String,
    "settings": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "games": pl.Int64,
    "few": pl.Boolean,
}
"""Columns of means after metric, dimensions and line-up."""
Row = dict[str, Any]


def free_first(rows: Sequence[Row], free: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """The rows, each in its form without settings in which the rules alone decide where there is one; else `ruled`."""
    found = {tuple(row[name] for name in names): row for row in free}
    keys = [tuple(row[name] for name in names) for row in rows]
    return [{**found.get(key, row), "ruled": key not in found} for key, row in zip(keys, rows, strict=True)]


def effect_rows(rated: Rated, design: Design, level: float, there: Container[str]) -> list[Row]:
    """The effect of every level among these variants: keys, `settings`, COMPARED as far as known."""
    return [
        {"factor": one.factor, "base_level": one.base_level, "level": one.level, "settings": one.settings,
         **_compared(rated, one.weights, one.held, level)}
        for one in design.effects(there)
    ]  # fmt: skip


def interaction_rows(rated: Rated, design: Design, level: float, there: Container[str]) -> list[Row]:
    """The interaction of every two levels, with the effect at the other rule's two levels; else as `effect_rows`."""
    return [_interaction_row(rated, one, level) for one in design.interactions(there)]


def _interaction_row(rated: Rated, one: Interaction, level: float) -> Row:
    effect = one.effect
    keys = {"factor": effect.factor, "base_level": effect.base_level, "level": effect.level,
            "other": one.other, "other_base": one.other_base, "other_level": one.other_level}  # fmt: skip
    found = rated.weigh([one.at_base, one.at_other], level)
    numbers = {
        f"{name}{end}": _number(values[place])
        for place, name in enumerate(("at_base", "at_other"))
        for end, values in (("", found.value), ("_low", found.low), ("_high", found.high))
    }
    return {**keys, "settings": effect.settings, **numbers, **_compared(rated, one.weights, effect.held, level)}


def mean_rows(rated: Rated, design: Design, level: float, there: Container[str]) -> list[Row]:
    """The mean at every two levels: the columns MEANS."""
    means: list[Mean] = list(design.means(there))
    found = rated.weigh([one.weights for one in means], level)
    rows = []
    for place, one in enumerate(means):
        value, low, high = (_number(values[place]) for values in (found.value, found.low, found.high))
        games = rated.count_games(one.weights)
        narrow = value is not None and low is not None and high is not None and (
            (high - low) / 2 <= stats.FEW_WIDTH * abs(value))  # fmt: skip
        row = {
            "factor": one.factor,
            "level": one.level,
            "other": one.other,
            "other_level": one.other_level,
            "settings": one.settings,
            "value": value,
            "low": low,
            "high": high,
            "games": games,
            "few": games < stats.FEW_GAMES or not narrow,
        }
        rows.append(row)
    return rows


def _compared(rated: Rated, weights: Weights, held: Weights, level: float) -> Row:
    found, base = rated.weigh([weights], level), rated.weigh([held], level)
    diff = _number(found.value[0])
    return {
        "base_value": _number(base.value[0]),
        "diff": diff,
        "diff_low": _number(found.low[0]),
        "diff_high": _number(found.high[0]),
        "paired": rated.may_pair(weights),
        "gain": None if diff is None else _number(found.gain[0]),
        "p": _number(found.p[0]),
        "games": rated.count_games(weights),
    }


def spread_of(rated: Rated, base: str) -> float | None:
    """Standard deviation between games of the base; of the widest variant where all games of the base are alike."""
    spread = rated.ratios.spread
    own = spread[rated.variants.index(base)] if base in rated.variants else 0.0
    return _number(own if own > 0 else spread.max())


def put_in_words(metric: Metric, row: Row, alpha: float, say: Callable[[Metric, Row], str]) -> None:
    """Give a row with Holm's p its form and sentence; what the rules decide has no form."""
    row |= {"low": row["diff_low"], "high": row["diff_high"]}
    if row["ruled"]:
        row["form"], row["sentence"] = None, f"{say_change(row)}: the rules alone decide ({metric.title.lower()})"
    else:
        row["form"] = choose_form(row, alpha)
        row["sentence"] = say(metric, row)


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def frame(rows: Sequence[Row], columns: Mapping[str, Any]) -> pl.DataFrame:
    """Rows as a frame: metric, dimensions of any of them, line-up, then these columns."""
    known = {"metric", "given_lineup", "ruled", "spread", "low", "high", *columns}
    own = dict.fromkeys(name for row in rows for name in row if name not in known)
    schema = {"metric": pl.String, **dict.fromkeys(own, pl.String), "given_lineup": pl.String, **columns}
    return pl.DataFrame([[row.get(name) for name in schema] for row in rows], schema=schema, orient="row")
