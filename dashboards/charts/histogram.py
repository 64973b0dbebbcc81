"""Distributions of whole numbers: a bar for each number, a panel for each group."""

from __future__ import annotations

import altair as alt
import polars as pl

from dashboards import theme
from dashboards.charts.panel import WHOLE, joined, pale, percented, place, tooltips
from dashboards.charts.words import Measure, Words
from dashboards.theme import Palette

TALL, SMALL = 220, 90  # pixels of a panel alone, of one of several
COLUMNS = ("share", "share_low", "share_high")


def histogram(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    group: str = "variant",
    at: str = "at",
) -> alt.LayerChart:
    """Bars of `share` with its interval at each whole number `at`, a panel for each `group`, of one scale.

    Needs `share share_low share_high cum few` and those named; `measure` is that of the number. Numbers beyond 99.5 %
    of every group are left out of the chart, and it says how many are.
    """
    shown = percented(table.drop_nulls("share"), COLUMNS, share=True)
    last = float(shown.filter(pl.col("cum") >= WHOLE).group_by(group).agg(pl.col(at).min())[at].max() or 0)  # type: ignore[arg-type]
    last = last or float(shown[at].to_numpy().max(initial=0))
    inside = shown.filter(pl.col(at) <= last).with_columns(
        **{"from": pl.col(at) - 0.42, "to": pl.col(at) + 0.42},
    )
    names = palette.ordered(inside[group])
    first = float(inside[at].to_numpy().min(initial=last))
    scale = alt.Scale(domain=[first - 0.6, last + 0.6], nice=False, zero=False)
    x = alt.X("from:Q", title=measure.axis, scale=scale, axis=alt.Axis(grid=False, tickMinStep=1, format="d"))
    most = float(inside.select(pl.max_horizontal("share", "share_high"))["share"].to_numpy().max(initial=1))
    single = len(names) < 2
    panels, height = place([TALL if single else SMALL for _ in names], heads=not single)
    colour = alt.Color(f"{group}:N", title=None, scale=palette.scale(names)).legend(None)
    told = tooltips(inside, [(group, group.replace("_", " ")), (at, measure.axis), ("spelled", "share (%)")])
    layers: list[alt.Chart | alt.LayerChart] = []
    for name, panel in zip(names, panels, strict=True):
        base = alt.Chart(inside.filter(pl.col(group) == name)).encode(color=colour, tooltip=told)
        down = panel.scale(domain=[0, most])
        axis = panel.axis(tickCount=5 if single else 2)
        y = alt.Y("share:Q", title="%", scale=down, axis=axis)
        bars = base.mark_bar(opacity=0.75).encode(x=x, x2="to:Q", y=y, y2=alt.datum(0), fillOpacity=pale())
        whiskers = base.transform_filter("isValid(datum.share_low) && isValid(datum.share_high)")
        whisker = whiskers.mark_rule(strokeWidth=1.5, color=palette.ink).encode(
            x=alt.X(f"{at}:Q"),
            y=alt.Y("share_low:Q", title="%", scale=down, axis=axis),
            y2="share_high:Q",
            color=alt.value(palette.ink),
        )
        layers.append(alt.LayerChart(layer=[bars, whisker]))
        if not single:
            layers.append(panel.titled(theme.label(name), palette))
        beyond = _beyond(shown.filter(pl.col(group) == name), at, last)
        if beyond:
            text = alt.Chart(pl.DataFrame({"beyond": [beyond]})).mark_text(
                align="right", baseline="top", fontSize=11, color=palette.ink
            )
            layers.append(text.encode(text="beyond:N", x=alt.value("width"), y=alt.value(panel.top)))
    return joined(layers, words, height)


def _beyond(shown: pl.DataFrame, at: str, last: float) -> str:
    """How much of a group lies beyond the last number shown."""
    share = float(shown.filter(pl.col(at) > last)["share"].sum())
    return f"{theme.number(share, 2)} % beyond {last:.0f} →" if share > 0 else ""
