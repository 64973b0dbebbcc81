"""Interaction plots: a value along the levels of one rule, a line for each level of another, a panel a line-up.

Parallel lines add up; lines that spread or cross do not.
"""

from __future__ import annotations

import altair as alt
import polars as pl

from dashboards import theme
from dashboards.charts.panel import Panel, joined, pale, percented, place, tooltips
from dashboards.charts.words import Measure, Words
from dashboards.theme import Palette

TALL, SMALL = 280, 170  # pixels of a panel alone, of one of several
COLUMNS = ("value", "low", "high")


def interaction(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    x: str,
    lines: str,
    panels: str = "given_lineup",
    titles: tuple[str, str] = ("", ""),
) -> alt.LayerChart:
    """Values with their intervals at each level `x`, joined by a line for each of `lines`; panels share one scale.

    Needs the columns `value low high games few` and those named. `titles` are those of x and of the lines.
    """
    shown = percented(table.drop_nulls("value"), COLUMNS, measure.share)
    names = palette.ordered(shown[lines])
    colour = alt.Color(f"{lines}:N", title=titles[1] or lines, sort=names, scale=palette.scale(names))
    order = shown[x].unique(maintain_order=True).to_list()
    axis = alt.X(f"{x}:N", sort=order, title=titles[0] or x, axis=alt.Axis(labelAngle=0, grid=False))
    groups = shown[panels].unique(maintain_order=True).to_list()
    single = len(groups) < 2
    places, height = place([TALL if single else SMALL for _ in groups], heads=not single)
    ends = shown.select(pl.min_horizontal(*COLUMNS).min().alias("low"), pl.max_horizontal(*COLUMNS).max().alias("high"))
    span = [value or 0.0 for value in ends.row(0)]
    layers: list[alt.Chart | alt.LayerChart] = []
    for name, panel in zip(groups, places, strict=True):
        here = shown.filter(pl.col(panels) == name)
        layers.append(_lines(here, axis, colour, panel, measure, span, (x, lines), titles))
        if not single:
            layers.append(panel.titled(theme.label(str(name)), palette))
    return joined(layers, words, height)


def _lines(
    here: pl.DataFrame,
    axis: alt.X,
    colour: alt.Color,
    panel: Panel,
    measure: Measure,
    span: list[float],
    columns: tuple[str, str],
    titles: tuple[str, str],
) -> alt.LayerChart:
    """The marks of one panel."""
    single = panel.height > SMALL
    scale = panel.scale(domain=span, zero=False, nice=True)
    title = measure.axis if single else "%" if measure.share else measure.unit
    left = panel.axis(tickCount=5 if single else 4, grid=True)

    def y(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title=title, scale=scale, axis=left)

    named = [(column, text or column) for column, text in zip(columns, titles, strict=True)]
    base = alt.Chart(here).encode(x=axis, color=colour, tooltip=tooltips(here, [*named, ("spelled", measure.axis)]))
    bars = base.transform_filter("isValid(datum.low) && isValid(datum.high)").mark_rule(strokeWidth=2.5)
    line = base.mark_line(strokeWidth=2).encode(y=y("value"))
    dots = base.mark_point(size=75, strokeWidth=2, opacity=1).encode(
        y=y("value"), fill=alt.when("datum.few").then(alt.value("transparent")).otherwise(colour.copy()),
        strokeOpacity=pale(),
    )  # fmt: skip
    return alt.LayerChart(layer=[line, bars.encode(y=y("low"), y2="high:Q"), dots])
