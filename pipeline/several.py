"""Several metrics in one table, each with its name in a column `metric` in front."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from engine.errors import BadInput
from engine.parameter_text import near
from pipeline.metric import load_metric


def measure_several(
    names: Sequence[str], parameters: Mapping[str, Any], measure: Callable[[str, Mapping[str, Any]], pl.DataFrame]
) -> pl.DataFrame:
    """The tables of all metrics one below the other; a column that a metric has not is null in its rows.

    `measure` is given a name and those parameters that the metric takes. BadInput for no or twice the same name, or a
    parameter that none of them takes.
    """
    if not names or len(set(names)) < len(names):
        raise BadInput(f"metrics '{', '.join(names)}': give some, each once")
    taken = {name: load_metric(name).parameters for name in names}
    for given in parameters:
        if not any(given in own for own in taken.values()):
            known = [one for own in taken.values() for one in own]
            raise BadInput(f"none of {', '.join(names)} takes '{given}'{near(given, known)}")
    tables = []
    for name, own in taken.items():
        table = measure(name, {key: value for key, value in parameters.items() if key in own})
        tables.append(table.select(pl.lit(name).alias("metric"), pl.all()))
    return _in_place(pl.concat(tables, how="diagonal_relaxed"), tables)


def _in_place(table: pl.DataFrame, tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Columns that only some metrics are split by stand with the others, in front of the value."""
    keys = dict.fromkeys(name for one in tables for name in one.columns[: one.columns.index("value")])
    return table.select(*keys, pl.exclude(*keys))
