"""Parts of a whole: bars of shares that add up to all, one row a variant, line-up or strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import altair as alt
import polars as pl

from dashboards.charts.panel import percented, tooltips
from dashboards.charts.words import LABEL, LINE, ROW, SPLIT, Measure, Words, label_row
from dashboards.theme import INK, PAPER, Palette

COLUMNS = ("value", "low", "high")
WIDE = 12  # percent of a bar that a number fits into, also on a telephone


def shares(
    table: pl.DataFrame,
    words: Words,
    measure: Measure,
    palette: Palette,
    *,
    rows: Sequence[str],
    parts: str,
    order: Sequence[str],
) -> alt.LayerChart:
    """Bars made up to 100 % of the `parts`, from the left in this order; one row each of the columns `rows`.

    `palette` holds the colours of the parts; those that never come are left out. Needs `value low high few games`.
    """
    known = percented(table.drop_nulls("value"), COLUMNS, share=True)
    there = [part for part in order if known.filter(pl.col(parts) == part)["value"].to_numpy().max(initial=0) > 0]
    telling = [name for name in rows if known[name].n_unique() > 1] or list(rows[:1])
    labels = ["\n".join(label_row(str(name)) for name in row) for row in known.select(telling).iter_rows()]
    shown = known.with_columns(
        pl.Series("row", labels, dtype=pl.String),
        place=pl.col(parts).replace_strict({part: at for at, part in enumerate(there)}, default=None),
        told=pl.when(pl.col("value") >= WIDE).then(pl.col("value").round(0).cast(pl.Int64).cast(pl.String) + " %"),
    ).drop_nulls("place")
    shown = shown.with_columns(end=pl.col("value").cum_sum().over("row", order_by="place"))
    shown = shown.with_columns(middle=pl.col("end") - pl.col("value") / 2)
    down = shown["row"].unique(maintain_order=True).to_list()
    lines = alt.Axis(labelLimit=LABEL, grid=False, labelExpr=SPLIT)
    y = alt.Y("row:N", sort=down, title=None, axis=lines)
    title = measure.axis
    x = alt.X(
        "value:Q", title=title, stack="normalize", axis=alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1], grid=False)
    )
    base = alt.Chart(shown).encode(y=y)
    told = [("row", " · ".join(telling).replace("_", " ")), (parts, parts.replace("_", " ")), ("spelled", title)]
    bars = base.mark_bar(height={"band": 0.75}).encode(
        x=x, color=alt.Color(f"{parts}:N", title=None, scale=palette.scale(there)), order="place:Q",
        fillOpacity=alt.when("datum.few").then(alt.value(0.55)).otherwise(alt.value(1)), tooltip=tooltips(shown, told),
    )  # fmt: skip
    ink = alt.Scale(domain=there, range=[_readable_on(palette.colour(part)) for part in there])
    numbers = base.mark_text(fontSize=11).encode(
        x=alt.X("middle:Q", title=title, scale=alt.Scale(domain=[0, 100]), axis=None),
        text="told:N",
        color=alt.Color(f"{parts}:N", scale=ink, legend=None),
    )
    tall = max((row.count("\n") for row in down), default=0)
    height = max((ROW + LINE * tall) * len(down), 2 * ROW)
    chart = alt.LayerChart(layer=[bars, numbers], title=words.title, height=height)
    return cast(alt.LayerChart, chart.resolve_scale(x="independent", color="independent"))


def _readable_on(colour: str) -> str:
    """Dark or light text, whichever stands out more from a colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return INK["light"] if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else PAPER["light"]
