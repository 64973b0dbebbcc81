"""Slopes: how a product of two figures comes about, with lines along which it stays the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
import polars as pl

from dashboards import theme
from dashboards.charts.panel import Panel, joined, place
from dashboards.charts.words import Measure, Words
from dashboards.theme import OTHERS, Palette

TALL, SMALL = 320, 200  # pixels of a panel alone, of one of several
STEPS = 40  # of a line of equal products
INTERVAL = ("low", "high")
SHORT = 0.25  # of the view: lines that cross less of it are not named
LINES = 6  # of equal products, about
Span = tuple[float, float]


@dataclass(frozen=True)
class Axes:
    """The two axes of a panel, for whichever columns lie along them."""

    measures: tuple[Measure, Measure]
    spans: tuple[Span, Span]
    panel: Panel

    def x(self, column: str = "x") -> alt.X:
        """Across."""
        scale = alt.Scale(domain=self.spans[0], nice=False, zero=False)
        return alt.X(f"{column}:Q", title=self.measures[0].axis, axis=alt.Axis(grid=False, tickCount=5), scale=scale)

    def y(self, column: str = "y") -> alt.Y:
        """Up."""
        scale = self.panel.scale(domain=self.spans[1], nice=False, zero=False)
        return alt.Y(
            f"{column}:Q",
            title=self.measures[1].axis,
            axis=alt.Axis(orient="left", grid=False, tickCount=5),
            scale=scale,
        )


def slope(
    table: pl.DataFrame,
    words: Words,
    measures: tuple[Measure, Measure, Measure],
    palette: Palette,
    *,
    parts: tuple[str, str],
    group: str = "variant",
    panels: str = "given_lineup",
    base: str = "",
) -> alt.LayerChart:
    """Dots of two figures against each other, their product told by grey lines; a wedge grows from `base` to each.

    `table` has a row a figure: its name, one of `parts` (across, up), in `part`, and `value low high games few`; each
    value of `panels` has a panel. `measures` are those of the two figures and of their product.
    """
    across, up, product = measures
    both = _side_by_side(table, parts, [group, panels])
    spans = _span(both, "x"), _span(both, "y")
    groups = both[panels].unique(maintain_order=True).to_list()
    single = len(groups) < 2
    places, height = place([TALL if single else SMALL for _ in groups], heads=not single)
    names = palette.ordered(both[group])
    lines = _equal(*spans)
    layers: list[alt.Chart | alt.LayerChart] = []
    for name, panel in zip(groups, places, strict=True):
        here = both.filter(pl.col(panels) == name)
        scales = Axes((across, up), spans, panel)
        colour = alt.Color(f"{group}:N", title=None, scale=palette.scale(names))
        wedges = [_wedges(here, group, base, scales, colour)] if base in here[group].to_list() else []
        dots = _dots(here, group, scales, colour, (across.axis, up.axis))
        layers.append(alt.LayerChart(layer=[_grid(lines, scales, product), *wedges, dots]))
        if not single:
            layers.append(panel.titled(theme.label(name), palette))
    return joined(layers, words, height)


def _side_by_side(table: pl.DataFrame, parts: tuple[str, str], keys: Sequence[str]) -> pl.DataFrame:
    frames = [
        table.filter(pl.col("part") == part).drop_nulls("value").select(
            *keys, "games", "few", pl.col("value").alias(axis),
            *(pl.col(end).alias(f"{axis}_{end}") for end in INTERVAL),
        )
        for part, axis in zip(parts, "xy", strict=True)
    ]  # fmt: skip
    both = frames[0].join(frames[1].drop("games", "few"), on=list(keys), maintain_order="left")
    return both.with_columns(_spelled(both, axis) for axis in "xy")


def _spelled(both: pl.DataFrame, axis: str) -> pl.Series:
    rows = both.select(axis, f"{axis}_low", f"{axis}_high").iter_rows()
    return pl.Series(f"spelled_{axis}", [theme.with_interval(*row) for row in rows], dtype=pl.String)


def _span(both: pl.DataFrame, axis: str) -> Span:
    """From the lowest to the highest end, and a tenth of that beyond."""
    low, high = (both.select(fill(axis, f"{axis}_{end}")).to_numpy() for end, fill in
                 (("low", pl.min_horizontal), ("high", pl.max_horizontal)))  # fmt: skip
    first, last = float(low.min(initial=np.inf)), float(high.max(initial=-np.inf))
    room = 0.12 * (last - first) or 0.05 * abs(last) or 1
    return first - room, last + room


def _equal(across: Span, up: Span) -> pl.DataFrame:
    """Points of lines of equal products inside the view: `product x y told`, `told` where the line is named."""
    least, most = across[0] * up[0], across[1] * up[1]
    size = 10 ** np.floor(np.log10(max(most - least, 1e-9) / LINES))
    step = next(size * one for one in (1, 2, 5, 10) if (most - least) / (size * one) <= LINES)
    rows = []
    for product in np.arange(np.ceil(least / step) * step, most, step):
        first, last = max(across[0], product / up[1]), min(across[1], product / up[0])
        along = np.linspace(first, last, STEPS)
        named = round(0.4 * STEPS) if last - first > SHORT * (across[1] - across[0]) else -1
        rows += [(float(product), float(x), float(product / x), place == named) for place, x in enumerate(along)]
    return pl.DataFrame(rows, schema=["product", "x", "y", "told"], orient="row")


def _grid(lines: pl.DataFrame, axes: Axes, product: Measure) -> alt.LayerChart:
    told = pl.col("product").map_elements(lambda value: f"{theme.number(value)} {product.unit}", return_dtype=pl.String)
    ends = lines.filter(pl.col("told")).with_columns(told=told)
    line = alt.Chart(lines).mark_line(color=OTHERS, strokeWidth=1, opacity=0.5, tooltip=None)
    text = alt.Chart(ends).mark_text(align="left", dx=2, dy=-5, fontSize=10, color=OTHERS, tooltip=None)
    return alt.LayerChart(
        layer=[
            line.encode(x=axes.x(), y=axes.y(), detail="product:N"),
            text.encode(x=axes.x(), y=axes.y(), text="told:N"),
        ]
    )


def _wedges(here: pl.DataFrame, group: str, base: str, axes: Axes, colour: alt.Color) -> alt.Chart:
    start = here.filter(pl.col(group) == base).row(0, named=True)
    others = here.filter(pl.col(group) != base).select(group, "x", "y")
    starts = others.with_columns(x=pl.lit(start["x"]), y=pl.lit(start["y"]), thick=pl.lit(0.5))
    points = alt.Chart(pl.concat([starts, others.with_columns(thick=pl.lit(7.0))]))
    size = alt.Size("thick:Q", scale=None, legend=None)
    trail = points.mark_trail(opacity=0.35, tooltip=None)
    wedges: alt.Chart = trail.encode(x=axes.x(), y=axes.y(), size=size, color=colour, detail=f"{group}:N")
    return wedges


def _dots(here: pl.DataFrame, group: str, axes: Axes, colour: alt.Color, titles: tuple[str, str]) -> alt.LayerChart:
    base = alt.Chart(here).encode(color=colour)
    sure = base.transform_filter("isValid(datum.x_low) && isValid(datum.y_low)").mark_rule(strokeWidth=1.5)
    dots = base.mark_point(size=80, strokeWidth=2, opacity=1).encode(
        x=axes.x(), y=axes.y(),
        fill=alt.when("datum.few").then(alt.value("transparent")).otherwise(colour.copy()),
        tooltip=[
            alt.Tooltip(f"{group}:N", title=group), alt.Tooltip("spelled_x:N", title=titles[0]),
            alt.Tooltip("spelled_y:N", title=titles[1]), alt.Tooltip("games:Q", title="games", format=","),
        ],
    )  # fmt: skip
    return alt.LayerChart(
        layer=[
            sure.encode(x=axes.x("x_low"), x2="x_high:Q", y=axes.y()),
            sure.encode(x=axes.x(), y=axes.y("y_low"), y2="y_high:Q"),
            dots,
        ]
    )
