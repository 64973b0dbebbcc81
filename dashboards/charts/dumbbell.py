"""Dumbbells: two shares a row joined by a line: what could happen, and what did."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from dashboards.charts.panel import percented, tooltips
from dashboards.charts.words import Measure, Words
from dashboards.theme import OTHERS, Palette

COLUMNS = ("value", "low", "high")
STEP = 24


def dumbbell(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    rows: str,
    parts: str = "part",
    down: Sequence[str] = (),
) -> alt.LayerChart:
    """One row a `rows`, in `down`'s order if given; in it a dot and its interval for each of two `parts`, joined.

    `palette` holds the colours of the parts. Needs `value low high few games`.
    """
    shown = percented(table.drop_nulls("value"), COLUMNS, measure.share)
    there = shown[rows].cast(pl.String).unique(maintain_order=True).to_list()
    order = [name for name in down if name in there] or there
    names = shown[parts].unique(maintain_order=True).to_list()
    joined = shown.group_by(rows, maintain_order=True).agg(
        pl.col("value").min().alias("from"), pl.col("value").max().alias("to")
    )
    y = alt.Y(f"{rows}:N", sort=order, title=None, axis=alt.Axis(grid=False), scale=alt.Scale(domain=order))
    colour = alt.Color(f"{parts}:N", title=None, scale=palette.scale(names))
    line = alt.Chart(joined).mark_rule(color=OTHERS, strokeWidth=5, opacity=0.35, strokeCap="round", tooltip=None)
    base = alt.Chart(shown).encode(
        y=y, color=colour,
        tooltip=tooltips(shown, [(rows, rows.replace("_", " ")), (parts, "what"), ("spelled", measure.axis)]),
    )  # fmt: skip
    x = alt.X("value:Q", title=measure.axis, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=6))
    sure = base.transform_filter("isValid(datum.low) && isValid(datum.high)")
    return alt.LayerChart(
        layer=[
            line.encode(y=y, x=alt.X("from:Q", title=measure.axis), x2="to:Q"),
            sure.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=measure.axis), x2="high:Q"),
            base.mark_point(size=75, strokeWidth=2, opacity=1).encode(
                x=x, fill=alt.when("datum.few").then(alt.value("transparent")).otherwise(colour.copy())
            ),
        ],
        title=words.title,
        height=STEP * max(len(order), 2),
    )
