"""Curves: a value with its band along turns, rounds or sizes, and below it what it was counted on."""

from __future__ import annotations

from typing import Literal

import altair as alt
import polars as pl

from dashboards.charts.panel import GAP, LEAST, Panel, joined, percented, place, rounded, stacked, tooltips
from dashboards.charts.words import Measure, Words
from dashboards.theme import Palette

TALL, SMALL, STRIP = 230, 130, 34  # pixels of a panel alone, of one of several, of the strip below it
COLUMNS = ("value", "low", "high")
Shape = Literal["step-after", "linear"]


def curve(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    x: str,
    group: str = "variant",
    rows: str = "",
    count: str = "denominator",
    counted: str = "n",
    x_title: str = "",
) -> alt.LayerChart:
    """Lines of `value` in the band `low` to `high` along `x`, one a `group`, and a strip of bars of `count`.

    Whole numbers in `x` are drawn as steps, each about its number; texts as points joined in the order of the table.
    `rows` gives every value of that column a panel. Needs `few` too; rows with too few games are pale and dashed.
    What is counted less than once for 200 of the most counted of its panel is left out of the chart.
    """
    steps = table[x].dtype.is_numeric()
    shown = percented(table.drop_nulls("value"), COLUMNS, measure.share)
    most = pl.col(count).max().over(rows) if rows else pl.col(count).max()
    shown = shown.filter(pl.col(count) >= LEAST * most)
    names = palette.ordered(shown[group])
    colour = alt.Color(f"{group}:N", title=None, scale=palette.scale(names))
    colour = colour if len(names) > 1 else colour.legend(None)
    parts = shown[rows].unique(maintain_order=True).to_list() if rows else [None]
    tall = SMALL if rows else TALL
    panels, height = place([size for _ in parts for size in (tall, STRIP)])
    if rows:
        panels, height = _with_heads(len(parts))
    axis = _x_axis(shown, x, x_title or x.replace("_", " "), steps)
    layers: list[alt.Chart | alt.LayerChart] = []
    for number, part in enumerate(parts):
        here = shown if part is None else shown.filter(pl.col(rows) == part)
        main, strip = panels[2 * number : 2 * number + 2]
        drawn = _Drawn(here, x, axis, group, colour, measure, steps)
        layers.append(drawn.lines(main))
        layers.append(drawn.strip(strip, count, counted))
        if part is not None:
            layers.append(main.titled(f"{rows.replace('_', ' ')} {part}", palette))
    return joined(layers, words, height)


def _with_heads(count: int) -> tuple[list[Panel], int]:
    """Places of several curves with their strips, a title above each curve."""
    whole, height = place([SMALL + STRIP + GAP] * count, heads=True)
    pairs = [(Panel(one.top, SMALL), Panel(one.top + SMALL + GAP, STRIP)) for one in whole]
    return [panel for pair in pairs for panel in pair], height


def _x_axis(shown: pl.DataFrame, x: str, title: str, steps: bool) -> alt.X:
    if not steps:
        order = shown[x].unique(maintain_order=True).to_list()
        return alt.X(f"{x}:O", sort=order, title=title, axis=alt.Axis(labelAngle=0, grid=False))
    first, last = (shown[x].min(), shown[x].max()) if shown.height else (0, 1)
    ends = [float(first) - 0.5, float(last) + 0.5]  # type: ignore[arg-type]
    axis = alt.Axis(grid=False, tickMinStep=1, format="d")
    return alt.X("from:Q", title=title, scale=alt.Scale(domain=ends, nice=False, zero=False), axis=axis)


class _Drawn:
    """The marks of one panel and of its strip."""

    def __init__(
        self,
        shown: pl.DataFrame,
        x: str,
        axis: alt.X,
        group: str,
        colour: alt.Color,
        measure: Measure,
        steps: bool,
    ) -> None:
        self.shown, self.x, self.axis, self.group, self.colour = shown, x, axis, group, colour
        self.measure, self.steps = measure, steps
        self.told = tooltips(
            shown, [(group, group.replace("_", " ")), (x, x.replace("_", " ")), ("spelled", measure.axis)]
        )

    def lines(self, panel: Panel) -> alt.LayerChart:
        """Band, line and what a pointer finds."""
        shape: Shape = "step-after" if self.steps else "linear"
        scale = panel.scale(zero=self.measure.share)
        axis = panel.axis(tickCount=5 if panel.height > SMALL else 3)
        title = self.measure.axis if panel.height > SMALL else self.measure.unit
        rows = _closed(self.shown, self.x, self.group) if self.steps else self.shown.with_columns(run=pl.lit(0))
        base = alt.Chart(rows).encode(x=self.axis, color=self.colour, detail="run:N")
        y = alt.Y("value:Q", title=title, scale=scale, axis=axis)
        dash = alt.when("datum.few").then(alt.value([4, 3])).otherwise(alt.value([1, 0]))
        thin = alt.when("datum.few").then(alt.value(0.5)).otherwise(alt.value(1))
        bands = base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        band = bands.mark_area(interpolate=shape, opacity=0.2, line=False).encode(
            y=alt.Y("low:Q", title=title, scale=scale, axis=axis), y2="high:Q"
        )
        line = base.mark_line(interpolate=shape, strokeWidth=2).encode(y=y, strokeDash=dash, strokeOpacity=thin)
        found = alt.Chart(self.shown).encode(
            x=alt.X(f"{self.x}:Q") if self.steps else self.axis, y=y, color=self.colour, tooltip=self.told
        )
        if self.steps:
            points = found.mark_point(size=250, opacity=0, filled=True)
        else:
            points = found.mark_point(size=60, opacity=1, strokeWidth=2).encode(
                fill=alt.when("datum.few").then(alt.value("transparent")).otherwise(self.colour.copy())
            )
        return alt.LayerChart(layer=[band, line, points])

    def strip(self, panel: Panel, count: str, counted: str) -> alt.Chart:
        """Bars of what was counted, of all groups above one another."""
        rows = stacked(self.shown, count, self.x, [self.group])
        axis = panel.axis(values=[rounded(float(rows["top"].to_numpy().max(initial=1)))], grid=False, format="~s")
        y = alt.Y("bottom:Q", title=counted, scale=panel.scale(nice=False, zero=True), axis=axis)
        bars: alt.Chart = alt.Chart(rows.with_columns(**_edges(self.x)) if self.steps else rows).mark_bar(opacity=0.55)
        bars = bars.encode(x=self.axis, y=y, y2="top:Q", color=self.colour, tooltip=self.told)
        if self.steps:
            bars = bars.encode(x2="to:Q")
        return bars


def _edges(x: str) -> dict[str, pl.Expr]:
    return {"from": pl.col(x) - 0.5, "to": pl.col(x) + 0.5}


def _closed(shown: pl.DataFrame, x: str, group: str) -> pl.DataFrame:
    """Rows with the left edge `from` of their step, cut into runs of the same `few`, each closed at its right edge."""
    parts = []
    for part in shown.sort(x).partition_by(group, maintain_order=True):
        run = ((pl.col("few") != pl.col("few").shift()) | (pl.col(x).diff() > 1)).fill_null(False).cum_sum()
        cut = part.with_columns(run=run, **_edges(x))
        ends = cut.group_by("run", maintain_order=True).last().with_columns(pl.col("to").alias("from"))
        parts.append(pl.concat([cut, ends.select(cut.columns)]).sort("from", maintain_order=True))
    return pl.concat(parts) if parts else shown.with_columns(run=pl.lit(0), **_edges(x))
