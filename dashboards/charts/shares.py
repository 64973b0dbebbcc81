"""Parts of a whole: bars of shares that add up to all, one row a variant, line-up or strategy."""

from __future__ import annotations

from collections.abc import Sequence

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
    to = pl.col("value").cum_sum().over("row", order_by="place")
    shown = shown.with_columns(**{"to": to, "from": to - pl.col("value"), "middle": to - pl.col("value") / 2})
    down = shown["row"].unique(maintain_order=True).to_list()
    y = alt.Y("row:N", sort=down, title=None, axis=alt.Axis(labelLimit=LABEL, grid=False, labelExpr=SPLIT))
    axis, scale = alt.Axis(values=[0, 25, 50, 75, 100], grid=False), alt.Scale(domain=[0, 100], nice=False)
    told = [("row", " · ".join(telling).replace("_", " ")), (parts, parts.replace("_", " ")), ("spelled", measure.axis)]
    colour = alt.Color(f"{parts}:N", title=None, scale=palette.scale(there), sort=there)
    base = alt.Chart(shown).encode(y=y)
    bars = base.mark_bar(height={"band": 0.75}).encode(
        x=alt.X("from:Q", title=measure.axis, axis=axis, scale=scale), x2="to:Q", color=colour,
        fillOpacity=alt.when("datum.few").then(alt.value(0.55)).otherwise(alt.value(1)), tooltip=tooltips(shown, told),
    )  # fmt: skip
    numbers = [
        alt.Chart(shown.filter(pl.col(parts) == part).drop_nulls("told"))
        .mark_text(fontSize=11, color=_readable_on(palette.colour(part)))
        .encode(
            x=alt.X("middle:Q", title=measure.axis, axis=axis, scale=scale),
            y=y,
            text="told:N",
            tooltip=tooltips(shown, told),
        )
        for part in there
    ]
    tall = max((row.count("\n") for row in down), default=0)
    height = max((ROW + LINE // 2 * tall) * len(down), 2 * ROW)
    return alt.LayerChart(layer=[bars, *numbers], title=words.title, height=height)


def _readable_on(colour: str) -> str:
    """Dark or light text, whichever stands out more from a colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return INK["light"] if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else PAPER["light"]
