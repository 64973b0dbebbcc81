"""Panels above one another in one view, each with a part of its height as range of its own y scale.

They share x and stretch with the page, which neither a facet nor a concatenation does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl

from dashboards import theme
from dashboards.charts.words import Words, title_of
from dashboards.theme import Palette
from pipeline.stats import FEW_GAMES

GAP = 14  # pixels between two panels
HEAD = 22  # pixels of a panel's own title
LEAST = 0.005  # of the most counted: what is rarer is left out of a chart, never of its table
WHOLE = 0.995  # of a distribution is shown; the rest of a long tail is left out of a chart


@dataclass(frozen=True)
class Panel:
    """Its place in the view, in pixels from the top."""

    top: int
    height: int

    def scale(self, **given: Any) -> alt.Scale:
        """A y scale over the panel."""
        return alt.Scale(range=[self.top + self.height, self.top], **given)

    def axis(self, **given: Any) -> alt.Axis:
        """A y axis at the left of the panel, as that of every other panel."""
        return alt.Axis(orient="left", offset=0, **given)

    def titled(self, text: str, palette: Palette) -> alt.Chart:
        """The panel's title, above its left corner."""
        mark = alt.Chart(pl.DataFrame({"panel": [text]})).mark_text(
            align="left", baseline="bottom", fontSize=12, fontWeight="bold", color=palette.ink
        )
        titled: alt.Chart = mark.encode(text="panel:N", x=alt.value(0), y=alt.value(self.top - 5))
        return titled


def place(heights: Sequence[int], heads: bool = False) -> tuple[list[Panel], int]:
    """Panels of these heights from the top down, and the height of all; with `heads` there is room for titles."""
    panels, top = [], 0
    for height in heights:
        top += HEAD if heads else 0
        panels.append(Panel(top, height))
        top += height + GAP
    return panels, top - GAP


def joined(layers: Sequence[alt.Chart | alt.LayerChart], words: Words, height: int) -> alt.LayerChart:
    """The layers of all panels as one chart; each keeps its y scale."""
    chart = alt.LayerChart(layer=list(layers), title=words.title, height=height)
    apart: alt.LayerChart = chart.resolve_scale(y="independent")
    return apart


def percented(table: pl.DataFrame, columns: Sequence[str], share: bool) -> pl.DataFrame:
    """Shares as percent, and `spelled`, the first column with its interval in the two others, as text.

    Where a table does not say `few` itself, as that of a distribution, fewer games than FEW_GAMES are.
    """
    value, low, high = columns
    if "few" not in table.columns:
        table = table.with_columns(few=pl.col("games") < FEW_GAMES)
    shown = table.with_columns(pl.col(name).cast(pl.Float64) * (100 if share else 1) for name in columns)
    texts = [
        theme.with_interval(*row) if row[1] is not None else f"{theme.number(row[0], 2)}, too few games for an interval"
        for row in shown.select(value, low, high).iter_rows()
    ]
    return shown.with_columns(pl.Series("spelled", texts, dtype=pl.String))


def tooltips(table: pl.DataFrame, said: Sequence[tuple[str, str]]) -> list[alt.Tooltip]:
    """Tooltips of columns under their names, then the number counted and of games, those that the table has."""
    known = [name for name in ("denominator", "n") if name in table.columns and table[name].count()]
    numbers = [*((name, "n") for name in known[:1]), *([("games", "games")] if "games" in table.columns else [])]
    return [
        *(
            alt.Tooltip(name if ":" in name else f"{name}:N", title=title_of(title))
            for name, title in dict(said).items()
        ),
        *(alt.Tooltip(f"{name}:Q", title=title, format=",.0f") for name, title in numbers),
    ]


def stacked(table: pl.DataFrame, value: str, over: str, order: Sequence[str]) -> pl.DataFrame:
    """With `bottom` and `top`: `value` laid on one another at each `over`, in the order of these columns."""
    rows = table.sort(order, maintain_order=True)
    top = pl.col(value).cast(pl.Float64).cum_sum().over(over)
    return rows.with_columns(top=top, bottom=top - pl.col(value))


def rounded(most: float) -> float:
    """A number cut to one figure, for the one tick of a strip."""
    size = 10.0 ** (len(f"{int(most)}") - 1)
    return float(most // size * size)


def pale() -> Any:
    """Opacity of what has too few games."""
    return alt.when("datum.few").then(alt.value(0.4)).otherwise(alt.value(1))


def rule(value: float, colour: str) -> alt.Chart:
    """A vertical rule, for a base or an even share."""
    line = alt.Chart(pl.DataFrame({"rule": [value]})).mark_rule(color=colour, strokeWidth=1.5, strokeDash=[4, 3])
    placed: alt.Chart = line.encode(x="rule:Q")
    return placed
