"""Horizontal bars: values of categories with intervals, or parts stacked to a total."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from dashboards.charts.panel import pale, percented, rule, tooltips
from dashboards.charts.words import LABEL, LINE, ROW, SPLIT, Measure, Words, labelled
from dashboards.theme import Palette

COLUMNS = ("value", "low", "high")
BAR = 13  # pixels of a bar where a row has several


def bars(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    rows: str,
    group: str = "variant",
    at: float | None = None,
) -> alt.LayerChart:
    """Bars of `value` from 0 with the interval `low` to `high`, one row a `rows`, in it one a `group`.

    Rows stand in the order of the table. `at` draws a dashed rule, in the unit of the table: an even share.
    """
    shown = percented(table.drop_nulls("value"), COLUMNS, measure.share).with_columns(labelled(rows))
    order = shown["row"].unique(maintain_order=True).to_list()
    names = palette.ordered(shown[group])
    single = len(names) < 2
    colour = alt.Color(f"{group}:N", title=None, scale=palette.scale(names))
    base = alt.Chart(shown).encode(
        y=_rows(order),
        tooltip=tooltips(
            shown, [("row", rows.replace("_", " ")), (group, group.replace("_", " ")), ("spelled", measure.axis)]
        ),
    )
    if not single:
        base = base.encode(yOffset=alt.YOffset(f"{group}:N", sort=names))
    x = alt.X("value:Q", title=measure.axis, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=6))
    drawn = base.mark_bar(opacity=0.75, height={"band": 0.8}).encode(
        x=x, color=colour.legend(None) if single else colour, fillOpacity=pale()
    )
    whisker = base.transform_filter("isValid(datum.low) && isValid(datum.high)").mark_rule(strokeWidth=1.5)
    layers = [drawn]
    if shown["low"].count():
        low = alt.X("low:Q", title=measure.axis)
        layers.append(whisker.encode(x=low, x2="high:Q", color=alt.value(palette.ink)))
    if at is not None:
        layers.append(rule(at * (100 if measure.share else 1), palette.ink))
    step = _step(order, ROW - 4 if single else BAR * len(names) + 8)
    return alt.LayerChart(layer=layers, title=words.title, height=max(step * len(order), 2 * ROW))


def stack(
    table: pl.DataFrame,
    totals: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    rows: str,
    parts: str,
    order: Sequence[str],
) -> alt.LayerChart:
    """Bars of the `parts` of each row, in this order of parts and not made even, and the total as dot and interval.

    `table` has `value low high few` a row and part, `totals` a row; `palette` holds the colours of the parts.
    """
    both = [percented(one.drop_nulls("value"), COLUMNS, measure.share).with_columns(labelled(rows)) for one in
            (table, totals)]  # fmt: skip
    place = {part: number for number, part in enumerate(order)}
    pieces = both[0].with_columns(place=pl.col(parts).replace_strict(place, default=len(place)))
    down = both[1]["row"].unique(maintain_order=True).to_list()
    x = alt.X("value:Q", title=measure.axis, stack="zero", axis=alt.Axis(tickCount=6))
    colour = alt.Color(f"{parts}:N", title=None, scale=palette.scale(order))
    title = rows.replace("_", " ")
    piece = alt.Chart(pieces).mark_bar(height={"band": 0.6}, opacity=0.85)
    layers = [
        piece.encode(
            y=_rows(down), x=x, color=colour, order="place:Q", fillOpacity=pale(),
            tooltip=tooltips(pieces, [("row", title), (parts, parts), ("spelled", measure.axis)]),
        )
    ]  # fmt: skip
    dots = alt.Chart(both[1]).encode(
        y=_rows(down), tooltip=tooltips(both[1], [("row", title), ("spelled", f"{measure.axis}, all")])
    )
    whisker = dots.transform_filter("isValid(datum.low) && isValid(datum.high)").mark_rule(
        strokeWidth=2.5, color=palette.ink
    )
    if both[1]["low"].count():
        layers.append(whisker.encode(x=alt.X("low:Q", title=measure.axis), x2="high:Q"))
    layers.append(
        dots.mark_point(size=70, opacity=1, color=palette.ink, strokeWidth=2).encode(
            x=alt.X("value:Q", title=measure.axis),
            fill=alt.when("datum.few").then(alt.value("transparent")).otherwise(alt.value(palette.ink)),
        )
    )
    return alt.LayerChart(layer=layers, title=words.title, height=max(_step(down, 2 * ROW) * len(down), 2 * ROW))


def _rows(order: Sequence[str]) -> alt.Y:
    lines = alt.Axis(labelLimit=LABEL, grid=False, labelExpr=SPLIT)
    return alt.Y("row:N", sort=list(order), title=None, axis=lines)


def _step(order: Sequence[str], least: int) -> int:
    tall = max((row.count("\n") for row in order), default=0)
    return max(least, ROW + LINE * tall)
