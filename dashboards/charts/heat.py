"""Grids of values: a rate by two dimensions, or a matchup about its middle, a panel for each of a third."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt
import polars as pl

from dashboards import theme
from dashboards.charts.panel import LEAST, Panel, joined, percented, place, tooltips
from dashboards.charts.words import LABEL, Measure, Words
from dashboards.theme import OTHERS, Palette

COLUMNS = ("value", "low", "high")
CELL = 25  # pixels of a row
MOST = 16  # columns that can be read on a telephone


@dataclass(frozen=True)
class Grid:
    """Columns and rows of a grid, and how its cells are coloured and named."""

    across: list[str]
    down: list[str]
    scale: alt.Scale
    title: str
    said: list[tuple[str, str]]


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
    names: Mapping[str, str] | None = None,
    count: str = "",
) -> alt.LayerChart:
    """Grid of `value`, a column each `x`, a row each `y`, of `down` if given; the number in each cell.

    From pale to dark, or with a `middle` (in the unit of the table) from orange over grey to blue, as far to one side
    as to the other. Cells with too few games are grey; those that are not in the table stay empty: no opportunity is
    not 0. `panels` has a panel for each of its values, said as in `names`. Numbers in `x` that are counted (`count`)
    less than once for 200 of the most counted, or are beyond the sixteenth, are left out of the chart. Needs
    `value low high few games`.
    """
    size = 100 if measure.share else 1
    told = pl.col("value").map_elements(theme.number, return_dtype=pl.String)
    shown = percented(table.drop_nulls("value"), COLUMNS, measure.share).with_columns(told=told)
    across = _columns(shown, x, count)
    there = shown[y].cast(pl.String).unique(maintain_order=True).to_list()
    order = [name for name in down if name in there] or there
    shown = shown.with_columns(column=pl.col(x).cast(pl.String))
    shown = shown.filter(pl.col("column").is_in(across), pl.col(y).cast(pl.String).is_in(order))
    sure = shown.filter(~pl.col("few"))["value"].to_numpy()
    ends = float(sure.min(initial=100 if sure.size else 0)), float(sure.max(initial=sure.min(initial=100)))
    said = [(y, titles[1] or y), ("column", titles[0] or x), *([(panels, panels)] if panels else [])]
    grid = Grid(
        across,
        order,
        _colours(*ends, None if middle is None else middle * size, palette),
        titles[0],
        [(name, title.replace("_", " ")) for name, title in said] + [("spelled", measure.axis)],
    )
    groups = shown[panels].unique(maintain_order=True).to_list() if panels else [""]
    groups.sort(key=lambda name: list(names).index(name) if names and name in names else 0)
    places, height = place([CELL * len(grid.down) for _ in groups], heads=bool(panels))
    layers: list[alt.Chart | alt.LayerChart] = []
    for name, panel in zip(groups, places, strict=True):
        here = shown.filter(pl.col(panels) == name) if panels else shown
        layers.append(_cells(here, y, grid, panel, palette))
        if panels:
            layers.append(panel.titled((names or {}).get(name) or theme.label(name), palette))
    return joined(layers, words, height)


def _columns(shown: pl.DataFrame, x: str, count: str) -> list[str]:
    """Columns from left to right: numbers in their order, texts in the table's."""
    if count:
        counted = shown.group_by(x, maintain_order=True).agg(pl.col(count).sum())
        kept = counted.filter(pl.col(count) >= LEAST * pl.col(count).max())[x]
        shown = shown.filter(pl.col(x).is_in(kept.to_list()))
    values = shown[x].unique(maintain_order=True)
    ordered = values.sort().head(MOST) if values.dtype.is_numeric() else values
    return [str(value) for value in ordered.to_list()]


def _cells(here: pl.DataFrame, y: str, grid: Grid, panel: Panel, palette: Palette) -> alt.LayerChart:
    across = alt.Scale(domain=grid.across, padding=0.04)
    down = alt.Scale(domain=grid.down, range=[panel.top, panel.top + panel.height], padding=0.04)
    base = alt.Chart(here).encode(
        x=alt.X("column:N", title=grid.title or None, axis=alt.Axis(labelAngle=0, grid=False), scale=across),
        y=alt.Y(f"{y}:N", title=None, axis=alt.Axis(orient="left", grid=False, labelLimit=LABEL), scale=down),
        tooltip=tooltips(here, grid.said),
    )
    fill = alt.Fill("value:Q", title=None, scale=grid.scale, legend=None)
    boxes = base.mark_rect(cornerRadius=2).encode(
        fill=alt.when("datum.few").then(alt.value(OTHERS)).otherwise(fill),
        fillOpacity=alt.when("datum.few").then(alt.value(0.18)).otherwise(alt.value(1)),
    )
    ink = alt.when("datum.few").then(alt.value(OTHERS)).otherwise(alt.value(palette.ink))
    return alt.LayerChart(layer=[boxes, base.mark_text(fontSize=11).encode(text="told:N", color=ink)])


def _colours(low: float, high: float, middle: float | None, palette: Palette) -> alt.Scale:
    """Colours on which the ink of the page can be read."""
    light = palette.mode == "light"
    pale, strong, other = ("#f3f6fa", "#8fb8e0", "#eba878") if light else ("#22262b", "#2f659c", "#8f4a1c")
    if middle is None:
        return alt.Scale(type="sqrt", domain=[min(low, high), max(low, high)], range=[pale, strong], interpolate="rgb")
    reach = max(high - middle, middle - low, 1)
    return alt.Scale(domain=[middle - reach, middle, middle + reach], range=[other, pale, strong], interpolate="rgb")
