"""Cumulative distributions: the share that lies at or below each number, as steps."""

from __future__ import annotations

import altair as alt
import polars as pl

from dashboards.charts.panel import WHOLE, percented, rule, tooltips
from dashboards.charts.words import Measure, Words
from dashboards.theme import Palette

HEIGHT = 260
COLUMNS = ("cum", "cum_low", "cum_high")


def ecdf(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    group: str = "variant",
    at: str = "at",
    mark: float | None = None,
    edge: pl.DataFrame | None = None,
    edge_title: str = "never",
    dash: str = "",
) -> alt.LayerChart:
    """Steps of `cum` in the band `cum_low` to `cum_high` along the number `at`, one line a `group`.

    A line that ends below 100 % is of something that does not always come. `measure` is that of the number; `mark`
    draws a dashed rule at a number. `edge` has `value low high few` a group, shares that are rings at the right edge,
    as far below 100 % as they are large. `dash` names a column whose second value is drawn dashed. Numbers beyond
    99.5 % of what ever comes, in every line, are left out.
    """
    known = table.drop_nulls([at, "cum"])
    each = [group, dash] if dash else [group]
    reached = pl.col("cum") >= WHOLE * pl.col("cum").max().over(each)
    ends = known.filter(reached).group_by(each).agg(pl.col(at).min())
    last = float(ends[at].to_numpy().max(initial=0))
    shown = percented(known.filter(pl.col(at) <= last).sort(at, maintain_order=True), COLUMNS, share=True)
    names = palette.ordered(shown[group])
    colour = alt.Color(f"{group}:N", title=None, scale=palette.scale(names))
    colour = colour if len(names) > 1 else colour.legend(None)
    first = float(shown[at].to_numpy().min(initial=last))
    scale = alt.Scale(domain=[min(first, last), last], nice=False, zero=False)
    x = alt.X(f"{at}:Q", title=measure.axis, scale=scale, axis=alt.Axis(grid=False, tickMinStep=1))
    whole = alt.Scale(domain=[0, 100], nice=False)
    title, axis = "share so far (%)", alt.Axis(values=[0, 25, 50, 75, 100])
    y = alt.Y("cum:Q", title=title, scale=whole, axis=axis)
    lines = alt.Chart(_to_the_edge(shown, each, at, last)).encode(x=x, color=colour, detail=each)
    bands = lines.transform_filter("isValid(datum.cum_low) && isValid(datum.cum_high)")
    said = [*((name, name.replace("_", " ")) for name in each), (at, measure.axis), ("spelled", title)]
    found = alt.Chart(shown).encode(x=x, y=y, color=colour, tooltip=tooltips(shown, said))
    layers: list[alt.Chart] = [
        bands.mark_area(interpolate="step-after", opacity=0.2, line=False).encode(
            y=alt.Y("cum_low:Q", title=title, scale=whole, axis=axis), y2="cum_high:Q"
        ),
        _dashed(lines.mark_line(interpolate="step-after", strokeWidth=2).encode(y=y), shown, dash),
        found.mark_point(size=250, opacity=0, filled=True),
    ]
    if mark is not None:
        layers.append(rule(mark, palette.ink))
    if edge is not None and edge.height:
        layers += _edge(edge, group, colour, title, edge_title)
    return alt.LayerChart(layer=layers, title=words.title, height=HEIGHT)


def _to_the_edge(shown: pl.DataFrame, each: list[str], at: str, last: float) -> pl.DataFrame:
    """The rows, the last one of each line repeated at the right edge, where it ends."""
    ends = shown.group_by(each, maintain_order=True).last().with_columns(pl.lit(last).cast(shown[at].dtype).alias(at))
    return pl.concat([shown, ends.select(shown.columns)])


def _dashed(line: alt.Chart, shown: pl.DataFrame, dash: str) -> alt.Chart:
    if not dash:
        return line
    kinds = shown[dash].unique(maintain_order=True).to_list()
    scale = alt.Scale(domain=kinds, range=[[1, 0], [5, 4]])
    dashed: alt.Chart = line.encode(strokeDash=alt.StrokeDash(f"{dash}:N", title=None, scale=scale))
    return dashed


def _edge(edge: pl.DataFrame, group: str, colour: alt.Color, title: str, edge_title: str) -> list[alt.Chart]:
    rows = percented(edge.drop_nulls("value"), ("value", "low", "high"), share=True).with_columns(
        under=100 - pl.col("value"), under_low=100 - pl.col("high"), under_high=100 - pl.col("low")
    )
    base = alt.Chart(rows).encode(
        x=alt.value("width"), color=colour, tooltip=tooltips(rows, [(group, group), ("spelled", f"{edge_title} (%)")])
    )
    sure = base.transform_filter("isValid(datum.under_low) && isValid(datum.under_high)")
    return [
        sure.mark_rule(strokeWidth=2).encode(y=alt.Y("under_low:Q", title=title), y2="under_high:Q"),
        base.mark_point(size=80, strokeWidth=2, opacity=1).encode(
            y=alt.Y("under:Q", title=title), fill=alt.value("transparent")
        ),
    ]
