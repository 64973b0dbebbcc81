"""The figure of a metric's differences to the base, or why there is none."""

from __future__ import annotations

from functools import partial

import polars as pl

from dashboards import charts, comparing, data, figure
from dashboards.data import Answer
from dashboards.extremes import SHARE
from dashboards.filters import Chosen


def show(key: str, chosen: Chosen, name: str, answer: Answer, played: pl.DataFrame) -> bool:
    """Show the differences in an answer that was asked for with the chosen base, by variant and given line-up.

    Whether there are any.
    """
    metric = data.defined(name)
    words = comparing.differences_of(answer.table, metric, chosen.base, played)
    if words is None:
        figure.explain(comparing.nothing_to_compare(chosen.base, chosen.variants))
        return False
    rows = comparing.axis_of(answer.table, chosen.base)
    group = "given_lineup" if rows == "variant" else "variant"
    unit = "% points" if metric.unit == SHARE else metric.unit
    measure = charts.Measure(f"difference ({unit})", share=metric.unit == SHARE)
    table = comparing.compared(answer.table)
    draw = partial(charts.difference, table, words, measure, rows=rows, group=group)
    figure.show(key, draw, chosen.palette, words, answer.table, answer.source, legend=table[group].to_list())
    return True
