"""Grids of values: a rate by two dimensions, or a matchup about its middle, a panel for each of a third."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from dashboards import theme
from dashboards.charts.panel import Panel, joined, percented, place, tooltips
from dashboards.charts.words import Measure, Words
from dashboards.theme import OTHERS, Palette

COLUMNS = ("value", "low", "high")
CELL = 25  # pixels of a row


def heat(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    x: str,
    y: str,
    panels: str = "",
    down: Sequence[str] = (),
    middle: float | None = None,
    titles: tuple[str, str] = ("", ""),
) -> alt.LayerChart:
    """Grid of `value`, a column each `x`, a row each `y`, in `down`'s order if given; the number in each cell.

    From pale to dark, or with a `middle` (in the unit of the table) from orange over grey to blue, as far to one side
    as to the other. Cells with too few games are grey; those that are not in the table stay empty: no opportunity is
    not 0. Needs `value low high few games`.
    """
    size = 100 if measure.share else 1
    shown = percented(table.drop_nulls("value"), COLUMNS, measure.share).with_columns(
        told=pl.col("value").map_elements(theme.number, return_dtype=pl.String), column=pl.col(x).cast(pl.String)
    )
    columns = shown.sort(x)["column"].unique(maintain_order=True) if shown[x].dtype.is_numeric() else shown["column"]
    across = columns.unique(maintain_order=True).to_list()
    there = shown[y].cast(pl.String).unique(maintain_order=True).to_list()
    order = [name for name in down if name in there] or there
    names = shown[panels].unique(maintain_order=True).to_list() if panels else [""]
    places, height = place([CELL * len(order) for _ in names], heads=bool(panels))
    sure = shown.filter(~pl.col("few"))["value"].to_numpy()
    scale = _colours(float(sure.min(initial=100)), float(sure.max(initial=0)), middle and middle * size, palette)
    layers: list[alt.Chart | alt.LayerChart] = []
    for name, panel in zip(names, places, strict=True):
        here = shown.filter(pl.col(panels) == name) if panels else shown
        layers.append(_cells(here, across, order, y, panel, scale, measure, palette, (x, panels), titles))
        if panels:
            layers.append(panel.titled(theme.label(str(name)), palette))
    return joined(layers, words, height)


def _cells(
    here: pl.DataFrame, across: list[str], order: list[str], y: str, panel: Panel, scale: alt.Scale, measure: Measure,
    palette: Palette, also: tuple[str, str], titles: tuple[str, str],
) -> alt.LayerChart:  # fmt: skip
    x, panels = also
    axis = alt.Axis(orient="bottom", labelAngle=0, grid=False, labelOverlap=True)
    rows = (
        alt.Axis(grid=False, titleAngle=0, titleAlign="left", titleY=panel.top - 8)
        if titles[1]
        else alt.Axis(grid=False)
    )
    base = alt.Chart(here).encode(
        x=alt.X(
            "column:N", sort=across, title=titles[0] or None, axis=axis, scale=alt.Scale(domain=across, padding=0.04)
        ),
        y=alt.Y(f"{y}:N", sort=order, title=titles[1] or None, axis=rows, scale=_band(panel, order)),
    )
    said = [(y, titles[1] or y.replace("_", " ")), (x, titles[0] or x.replace("_", " ")), ("spelled", measure.axis)]
    if panels:
        said.append((panels, panels.replace("_", " ")))
    colour = (
        alt.when("datum.few")
        .then(alt.value(OTHERS))
        .otherwise(alt.Color("value:Q", title=None, scale=scale, legend=None))
    )
    boxes = base.mark_rect(cornerRadius=2).encode(
        fill=colour, fillOpacity=alt.when("datum.few").then(alt.value(0.18)).otherwise(alt.value(1)),
        tooltip=tooltips(here, said),
    )  # fmt: skip
    texts = base.mark_text(fontSize=11).encode(
        text="told:N",
        color=alt.when("datum.few").then(alt.value(OTHERS)).otherwise(alt.value(palette.ink)),
    )
    return alt.LayerChart(layer=[boxes, texts])


def _band(panel: Panel, order: list[str]) -> alt.Scale:
    return alt.Scale(domain=order, range=[panel.top, panel.top + panel.height], padding=0.04)


def _colours(low: float, high: float, middle: float | None, palette: Palette) -> alt.Scale:
    """Colours on which the ink of the page can be read."""
    pale, strong, other = (
        ("#f3f6fa", "#8fb8e0", "#eba878") if palette.mode == "light" else ("#22262b", "#2f659c", "#8f4a1c")
    )
    if middle is None:
        return alt.Scale(domain=[min(low, high), max(low, high)], range=[pale, strong])
    reach = max(high - middle, middle - low, 1)
    return alt.Scale(domain=[middle - reach, middle, middle + reach], range=[other, pale, strong])
