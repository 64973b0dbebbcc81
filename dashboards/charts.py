"""Charts as functions: a table in, an Altair chart out; no Streamlit, no file, no query.

One function a shape, for any table of `Run.metric` or of a named query with the columns `value low high n
games few` (or `diff diff_low diff_high`). Intervals are drawn from their columns, never recomputed from
rows; rows with too few games are pale and hollow. A share (0 to 1) is shown in percent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import altair as alt
import polars as pl

from dashboards import theme
from dashboards.theme import OTHERS, Palette

ROW = 30  # pixels of a row of one dot
DOT = 15  # pixels more for each further dot in it
LINE = 16  # pixels more for each further line of a row's label
LABEL = 210
LETTERS = 31  # of a line that fits into it
SPLIT = "split(datum.label, '\\n')"


@dataclass(frozen=True)
class Words:
    """What a chart says of itself: the finding as a sentence, and what was measured on how much."""

    sentence: str
    facts: tuple[str, ...] = ()

    @property
    def title(self) -> alt.Title:
        """Two lines: the sentence, and below it definition, n and level."""
        return alt.Title(self.sentence, subtitle=list(self.facts))


@dataclass(frozen=True)
class Measure:
    """What an axis shows: its title, and whether values are shares."""

    title: str
    unit: str = ""
    share: bool = False

    @property
    def axis(self) -> str:
        """`Freeze rate (%)`."""
        unit = "%" if self.share else self.unit
        return f"{self.title} ({unit})" if unit and unit.lower() not in self.title.lower() else self.title


def estimate(
    table: pl.DataFrame, words: Words, measure: Measure, palette: Palette, *, rows: str = "variant", group: str = ""
) -> alt.LayerChart:
    """Forest of values: one row a `rows`, sorted by value, a dot and its interval for each `group`.

    Needs the columns `value low high games few` and those named.
    """
    return _forest(table, ("value", "low", "high"), words, measure, palette, rows, group or rows, by_value=True)


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
    forest.title = alt.Undefined
    zero = alt.Chart(pl.DataFrame({"base": [0]})).mark_rule(color=OTHERS, strokeWidth=1.5).encode(x="base:Q")
    return alt.LayerChart(layer=[zero, forest], title=words.title, height=forest.height)


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
        _labelled(rows),
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
            alt.Tooltip("row:N", title=rows.replace("_", " ")),
            *([] if group == rows else [alt.Tooltip(f"{group}:N", title=group)]),
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


def _written(values: pl.Expr, write: Callable[[Any], str]) -> pl.Expr:
    return values.map_elements(write, return_dtype=pl.String)


def _labelled(column: str) -> pl.Expr:
    return _written(pl.col(column), _row).alias("row")


def _row(name: str) -> str:
    """A row's label, in lines that fit beside the chart."""
    lines = [part for line in theme.label(name).split("\n") for part in wrap(line, LETTERS) or [""]]
    return "\n".join(lines)


def _spelled(row: dict[str, float | None], columns: tuple[str, str, str], size: int) -> str:
    value, low, high = (row[name] for name in columns)
    text = theme.with_interval(value, low, high, signed=columns[0] != "value")
    return text if low is not None else f"{text}, too few games for an interval"


def counts(
    table: pl.DataFrame, words: Words, palette: Palette, *, x: str, y: str, value: str = "games"
) -> alt.LayerChart:
    """Grid of counts, one cell an `x` × `y`; combinations that are not there stay empty frames."""
    across, down = (table[name].unique(maintain_order=True).to_list() for name in (x, y))
    everything = pl.DataFrame({y: down}).join(pl.DataFrame({x: across}), how="cross")
    shown = everything.join(table, on=[x, y], how="left").with_columns(
        _labelled(y),
        _written(pl.col(value), theme.large).fill_null("none").alias("spelled"),
    )
    most = float(table[value].to_numpy().max(initial=1))
    base = alt.Chart(shown).encode(
        x=alt.X(
            f"{x}:N",
            sort=across,
            title=None,
            axis=alt.Axis(orient="top", labelAngle=0 if len(across) < 4 else -30, labelLimit=110, grid=False),
        ),
        y=alt.Y(
            "row:N",
            sort=[_row(name) for name in down],
            title=None,
            axis=alt.Axis(labelLimit=LABEL, grid=False, labelExpr=SPLIT),
        ),
        tooltip=[alt.Tooltip("row:N", title=y), alt.Tooltip(f"{x}:N", title=x), alt.Tooltip("spelled:N", title=value)],
    )
    there = f"isValid(datum.{value}) && datum.{value} > 0"
    boxes = base.mark_rect(stroke=OTHERS, strokeOpacity=0.5, cornerRadius=3, fill=palette.accent).encode(
        fillOpacity=alt.when(there)
        .then(alt.FillOpacity(f"{value}:Q", scale=alt.Scale(domain=[0, most], range=[0.08, 0.5]), legend=None))
        .otherwise(alt.value(0)),
    )
    tall = max((_row(name).count("\n") + 1 for name in down), default=1)
    texts = base.mark_text(fontSize=12).encode(text="spelled:N", color=alt.value(palette.ink))
    return alt.LayerChart(layer=[boxes, texts], title=words.title, height=(18 + LINE * tall) * len(down))
