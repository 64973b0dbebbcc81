"""Dots in rows of a fixed order, a size or a minimum: a dot and its interval for each group, or none to tell."""

from __future__ import annotations

import altair as alt
import polars as pl

from dashboards.charts.panel import percented, tooltips
from dashboards.charts.words import LABEL, LINE, ROW, SPLIT, Measure, Words, labelled
from dashboards.theme import Palette

COLUMNS = ("value", "low", "high")
DOT = 15  # pixels more for each further dot in a row
ABSENT = "no opportunity"


def dots(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    rows: str,
    group: str,
    absent: str = ABSENT,
    beside: str = "",
    whole: bool = False,
) -> alt.LayerChart:
    """One row a `rows` in the order of the table, in it a dot and its interval for each `group`.

    A row and group without a value (or without a row in the table) is an empty ring at the right edge with the word
    `absent`, unless that is empty: it is not 0. `beside` names a column drawn as an upright stroke, what the value is
    to be compared with. `whole` numbers are shown from 0, without ticks between them.
    """
    order = [str(name) for name in table[rows].unique(maintain_order=True)]
    names = palette.ordered(table[group])
    full = table.with_columns(pl.col(rows).cast(pl.String))
    if absent:
        each = pl.DataFrame({group: names}, schema={group: pl.String})
        frame = pl.DataFrame({rows: order}, schema={rows: pl.String}).join(each, how="cross")
        full = frame.join(full, on=[rows, group], how="left", maintain_order="left")
    crowded = bool(full.height > len(order))
    shown = percented(full.drop_nulls("value"), COLUMNS, measure.share).with_columns(labelled(rows))
    if beside:
        shown = shown.with_columns(pl.col(beside) * (100 if measure.share else 1))
    none = full.filter(pl.col("value").is_null()).select(rows, group).with_columns(labelled(rows), told=pl.lit(absent))
    colour = alt.Color(f"{group}:N", title=None, scale=palette.scale(names))
    if len(names) < 2:
        colour = colour.legend(None)
    lines = alt.Axis(labelLimit=LABEL, grid=False, labelExpr=SPLIT, title=None)
    labels = full.select(labelled(rows))["row"].unique(maintain_order=True).to_list()

    def placed(rows: pl.DataFrame) -> alt.Chart:
        chart = alt.Chart(rows).encode(y=alt.Y("row:N", sort=labels, axis=lines, title=None))
        return chart.encode(yOffset=alt.YOffset(f"{group}:N", sort=names)) if crowded else chart

    scale = alt.Scale(zero=measure.share or whole)
    base = placed(shown).encode(
        color=colour,
        strokeOpacity=alt.when("datum.few").then(alt.value(0.45)).otherwise(alt.value(1)),
        tooltip=tooltips(
            shown, [("row", rows.replace("_", " ")), (group, group.replace("_", " ")), ("spelled", measure.axis)]
        ),
    )
    x = alt.X(
        "value:Q",
        title=measure.axis,
        scale=scale,
        axis=alt.Axis(tickCount=6, tickMinStep=1 if whole else alt.Undefined),
    )
    bars = base.transform_filter("isValid(datum.low) && isValid(datum.high)").mark_rule(strokeWidth=2.5)
    layers: list[alt.Chart] = [
        *(
            [bars.encode(x=alt.X("low:Q", title=measure.axis, scale=scale), x2="high:Q")]
            if shown["low"].count()
            else []
        ),
        base.mark_point(size=75, strokeWidth=2, opacity=1).encode(
            x=x, fill=alt.when("datum.few").then(alt.value("transparent")).otherwise(colour.copy())
        ),
    ]
    if shown["low"].count():
        layers.insert(0, bars.encode(x=alt.X("low:Q", title=measure.axis, scale=scale), x2="high:Q"))
    if beside:
        stroke = base.transform_filter(f"isValid(datum.{beside})").mark_tick(thickness=2.5, size=16, opacity=1)
        layers.append(
            stroke.encode(x=alt.X(f"{beside}:Q", title=measure.axis, scale=scale), color=alt.value(palette.ink))
        )
    if none.height and absent:
        said = tooltips(none, [("row", rows), (group, group), ("told", "value")])
        edge = placed(none).encode(x=alt.value("width"), color=colour, tooltip=said)
        layers.append(edge.mark_point(size=75, strokeWidth=1.5, opacity=0.8, filled=False))
        layers.append(edge.mark_text(align="right", dx=-10, fontSize=11, opacity=0.9).encode(text="told:N"))
    step = ROW + max(
        DOT * (len(names) - 1 if crowded else 0), LINE * max((row.count("\n") for row in labels), default=0)
    )
    return alt.LayerChart(layer=layers, title=words.title, height=max(step * len(labels), 2 * ROW))
