"""Grids of counts: what was played, holes visible."""

from __future__ import annotations

import altair as alt
import polars as pl

from dashboards import theme
from dashboards.charts.words import LABEL, LINE, SPLIT, Words, label_row, labelled, written
from dashboards.theme import OTHERS, Palette


def counts(
    table: pl.DataFrame, words: Words, palette: Palette, *, x: str, y: str, value: str = "games"
) -> alt.LayerChart:
    """Grid of counts, one cell an `x` × `y`; combinations that are not there stay empty frames."""
    across, down = (table[name].unique(maintain_order=True).to_list() for name in (x, y))
    everything = pl.DataFrame({y: down}).join(pl.DataFrame({x: across}), how="cross")
    shown = everything.join(table, on=[x, y], how="left").with_columns(
        labelled(y),
        written(pl.col(value), theme.large).fill_null("none").alias("spelled"),
    )
    most = float(table[value].to_numpy().max(initial=1))
    base = alt.Chart(shown).encode(
        x=alt.X(
            f"{x}:N",
            sort=across,
            title=None,
            axis=alt.Axis(orient="top", labelAngle=0 if len(across) < 4 else -30, labelLimit=110, grid=False),
        ),
        y=alt.Y(
            "row:N",
            sort=[label_row(name) for name in down],
            title=None,
            axis=alt.Axis(labelLimit=LABEL, grid=False, labelExpr=SPLIT),
        ),
        tooltip=[alt.Tooltip("row:N", title=y), alt.Tooltip(f"{x}:N", title=x), alt.Tooltip("spelled:N", title=value)],
    )
    there = f"isValid(datum.{value}) && datum.{value} > 0"
    boxes = base.mark_rect(stroke=OTHERS, strokeOpacity=0.5, cornerRadius=3, fill=palette.accent).encode(
        fillOpacity=alt.when(there)
        .then(alt.FillOpacity(f"{value}:Q", scale=alt.Scale(domain=[0, most], range=[0.08, 0.5]), legend=None))
        .otherwise(alt.value(0)),
    )
    tall = max((label_row(name).count("\n") + 1 for name in down), default=1)
    texts = base.mark_text(fontSize=12).encode(text="spelled:N", color=alt.value(palette.ink))
    return alt.LayerChart(layer=[boxes, texts], title=words.title, height=(18 + LINE * tall) * len(down))
