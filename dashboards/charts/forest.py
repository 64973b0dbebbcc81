"""Forests: one row a variant or strategy, a dot and its interval; values, or differences to a base at 0."""

from __future__ import annotations

import altair as alt
import polars as pl

from dashboards import theme
from dashboards.charts.words import LABEL, LINE, ROW, SPLIT, Measure, Words, labelled, title_of
from dashboards.theme import OTHERS, Palette

DOT = 15  # pixels more for each further dot in a row


def estimate(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    rows: str = "variant",
    group: str = "",
    by_value: bool = True,
    at: float | None = None,
) -> alt.LayerChart:
    """Forest of values: one row a `rows`, a dot and its interval for each `group`.

    Needs the columns `value low high games few` and those named; rows in the order of the table unless `by_value`.
    `at` draws a rule, in the unit of the table.
    """
    columns = ("value", "low", "high")
    forest = _forest(table, columns, words, measure, palette, rows, group or rows, by_value=by_value)
    return forest if at is None else _ruled(forest, at * (100 if measure.share else 1), words)


def difference(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    rows: str = "variant",
    group: str = "",
    value: str = "diff",
    by_value: bool = True,
) -> alt.LayerChart:
    """Forest of differences to a base, which is the rule at 0.

    Needs `games few`, `value` and its ends `_low` and `_high`; rows in the order of the table unless `by_value`.
    """
    columns = (value, f"{value}_low", f"{value}_high")
    forest = _forest(table, columns, words, measure, palette, rows, group or rows, by_value=by_value)
    return _ruled(forest, 0, words)


def _ruled(forest: alt.LayerChart, at: float, words: Words) -> alt.LayerChart:
    forest.title = alt.Undefined
    rule = alt.Chart(pl.DataFrame({"base": [at]})).mark_rule(color=OTHERS, strokeWidth=1.5).encode(x="base:Q")
    return alt.LayerChart(layer=[rule, forest], title=words.title, height=forest.height)


def _forest(
    table: pl.DataFrame,
    columns: tuple[str, str, str],
    words: Words,
    measure: Measure,
    palette: Palette,
    rows: str,
    group: str,
    *,
    by_value: bool,
) -> alt.LayerChart:
    value, low, high = columns
    size = 100 if measure.share else 1
    shown = table.drop_nulls(value).with_columns(
        *(pl.col(name) * size for name in columns),
        labelled(rows),
        pl.struct(columns)
        .map_elements(lambda row: _spelled(row, columns, size), return_dtype=pl.String)
        .alias("spelled"),
    )
    ranked = shown.group_by("row", maintain_order=True).agg(pl.col(value).mean())
    if by_value:
        ranked = ranked.sort(value, "row", descending=[True, False])
    order = ranked["row"].to_list()
    names = palette.ordered(shown[group])
    single = int(shown["row"].value_counts()["count"].max() or 0) < 2  # type: ignore[arg-type]
    colour = alt.Color(f"{group}:N", title=None, scale=palette.scale(names))
    if single:
        colour = colour.legend(None)
    lines = alt.Axis(labelLimit=LABEL, grid=False, labelExpr=SPLIT)
    y = alt.Y("row:N", sort=order, title=None, axis=lines)
    base = alt.Chart(shown).encode(
        y=y,
        color=colour,
        strokeOpacity=alt.when("datum.few").then(alt.value(0.45)).otherwise(alt.value(1)),
        tooltip=[
            alt.Tooltip("row:N", title=title_of(rows)),
            *([] if group == rows else [alt.Tooltip(f"{group}:N", title=title_of(group))]),
            alt.Tooltip("spelled:N", title=measure.axis),
            alt.Tooltip("games:Q", title="games", format=","),
            *([alt.Tooltip("n:Q", title="n", format=",.0f")] if "n" in shown.columns else []),
            *([alt.Tooltip("sentence:N", title="in words")] if "sentence" in shown.columns else []),
        ],
    )
    if not single:
        base = base.encode(yOffset=alt.YOffset(f"{group}:N", sort=names))
    scale = alt.Scale(zero=False, nice=True)
    x = alt.X(f"{value}:Q", title=measure.axis, scale=scale, axis=alt.Axis(tickCount=6))
    bars = base.transform_filter(f"isValid(datum.{low}) && isValid(datum.{high})").mark_rule(strokeWidth=2.5)
    dots = base.mark_point(size=75, strokeWidth=2, opacity=1)
    dots = dots.encode(fill=alt.when("datum.few").then(alt.value("transparent")).otherwise(colour.copy()))
    tall = 1 + max((row.count("\n") for row in order), default=0)
    step = max(ROW + DOT * (0 if single else len(names) - 1), ROW + LINE * (tall - 1))
    return alt.LayerChart(
        layer=[bars.encode(x=alt.X(f"{low}:Q", title=measure.axis, scale=scale), x2=f"{high}:Q"), dots.encode(x=x)],
        title=words.title,
        height=max(step * len(order), 2 * ROW),
    )


def _spelled(row: dict[str, float | None], columns: tuple[str, str, str], size: int) -> str:
    value, low, high = (row[name] for name in columns)
    text = theme.with_interval(value, low, high, signed=columns[0] != "value")
    return text if low is not None else f"{text}, too few games for an interval"
