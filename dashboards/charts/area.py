"""Shares that add up to all, along rounds: step areas, a panel for each group, and what they were counted on."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from dashboards import theme
from dashboards.charts.panel import GAP, LEAST, Panel, joined, percented, place, rounded, stacked, tooltips
from dashboards.charts.words import Measure, Words
from dashboards.theme import OTHERS, Palette

TALL, SMALL, STRIP = 230, 120, 30  # pixels of a panel alone, of one of several, of the strip below it
COLUMNS = ("value", "low", "high")


def area(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    x: str,
    parts: str,
    order: Sequence[str],
    group: str = "variant",
    count: str = "denominator",
    counted: str = "n",
) -> alt.LayerChart:
    """Step areas of the shares `value` of `parts` along the whole numbers `x`, each number's made up to all.

    `palette` holds the colours of the parts, which lie in this order from the bottom; those that never come are left
    out. What is counted less than once for 200 of the most counted is left out of the chart.
    """
    shown = percented(table.drop_nulls("value"), COLUMNS, share=True)
    shown = shown.filter(pl.col(count) >= LEAST * pl.col(count).max().over(group))
    there = [part for part in order if shown.filter(pl.col(parts) == part)["value"].to_numpy().max(initial=0) > 0]
    shown = shown.filter(pl.col(parts).is_in(there)).with_columns(
        place=pl.col(parts).replace_strict({part: number for number, part in enumerate(there)}, return_dtype=pl.Int64),
        **{"from": pl.col(x) - 0.5, "to": pl.col(x) + 0.5},
    )
    groups = shown[group].unique(maintain_order=True).to_list()
    single = len(groups) < 2
    tall = TALL if single else SMALL
    whole, height = place([tall + STRIP + GAP] * len(groups), heads=not single)
    ends = [float(shown["from"].to_numpy().min(initial=1)), float(shown["to"].to_numpy().max(initial=2))]
    scale = alt.Scale(domain=ends, nice=False, zero=False)
    along = alt.X("from:Q", title=x, scale=scale, axis=alt.Axis(grid=False, tickMinStep=1, format="d"))
    layers: list[alt.Chart | alt.LayerChart] = []
    for name, panel in zip(groups, whole, strict=True):
        here = shown.filter(pl.col(group) == name)
        main, strip = Panel(panel.top, tall), Panel(panel.top + tall + GAP, STRIP)
        told = tooltips(here, [(group, group.replace("_", " ")), (x, x), (parts, parts), ("spelled", measure.axis)])
        layers.append(_areas(here, x, along, main, palette, parts, there, told))
        layers.append(_strip(here, x, along, strip, count, counted))
        if not single:
            layers.append(panel.titled(theme.label(name), palette))
    return joined(layers, words, height)


def _areas(
    here: pl.DataFrame, x: str, along: alt.X, panel: Panel, palette: Palette, parts: str, order: list[str],
    told: list[alt.Tooltip],
) -> alt.LayerChart:  # fmt: skip
    last = here.filter(pl.col(x) == pl.col(x).max()).with_columns(pl.col("to").alias("from"))
    colour = alt.Color(f"{parts}:N", title=None, scale=palette.scale(order))
    axis = panel.axis(labelExpr="datum.value * 100", values=[0, 0.5, 1], grid=False)
    y = alt.Y("value:Q", title="%", stack="normalize", axis=axis, scale=panel.scale(domain=[0, 1], nice=False))
    areas = alt.Chart(pl.concat([here, last])).mark_area(interpolate="step-after", opacity=0.85, line=False)
    # an area tells only of one place: bars that nobody sees lie over it to be pointed at
    laid = stacked(here, "value", x, ["place"]).with_columns(pl.col("bottom", "top") / 100)
    found = alt.Chart(laid).mark_bar(opacity=0)
    whole = alt.Y("bottom:Q", title="%", axis=axis, scale=panel.scale(domain=[0, 1], nice=False))
    return alt.LayerChart(
        layer=[
            areas.encode(x=along, y=y, color=colour, order="place:Q"),
            found.encode(x=along, x2="to:Q", y=whole, y2="top:Q", tooltip=told),
        ]
    )


def _strip(here: pl.DataFrame, x: str, along: alt.X, panel: Panel, count: str, counted: str) -> alt.Chart:
    each = here.group_by(x, maintain_order=True).first()
    most = float(each[count].to_numpy().max(initial=1))
    axis = panel.axis(values=[rounded(most)], grid=False, format="~s")
    y = alt.Y(f"{count}:Q", title=counted, stack=None, scale=panel.scale(nice=False), axis=axis)
    told = [alt.Tooltip(f"{x}:Q", title=x), alt.Tooltip(f"{count}:Q", title=counted, format=",")]
    bars: alt.Chart = alt.Chart(each).mark_bar(color=OTHERS, opacity=0.55)
    return bars.encode(x=along, x2="to:Q", y=y, y2=alt.datum(0), tooltip=told)
