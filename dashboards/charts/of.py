"""The chart of an answer or a table: which shape suits its columns and what it was split by.

A category makes a forest, of differences where there is a base; an ordered number along which the value runs a curve;
two dimensions a grid; how often each number occurs bars, of several groups cumulative steps; quantiles a forest.
Whatever else there is, the rows of the forest say it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from dashboards import theme
from dashboards.charts.asked import AT, SHARES, Drawn, drawn_from
from dashboards.charts.curve import curve
from dashboards.charts.ecdf import ecdf
from dashboards.charts.forest import difference, estimate
from dashboards.charts.heat import heat
from dashboards.charts.histogram import histogram
from dashboards.theme import Mode, Palette
from engine.errors import BadInput
from pipeline.dimensions import load_dimensions

if TYPE_CHECKING:
    import altair as alt

    from pipeline.ask import Answer
    from pipeline.run import Run

GROUPS = ("variant", "given_lineup", "lineup", "strategy")
"""What colours tell apart; the first that differs in the table."""
ALL = "of"
"""Column made for the names of rows."""
STEPS = 5
"""Values from which on a number is drawn as a curve."""


def of(answer: Answer | pl.DataFrame, palette: Palette | None = None, *, metric: str | None = None) -> alt.LayerChart:
    """An answer, or a table of `Run.metric`, `Run.distribution` or `Run.quantiles`, as a chart; `.save("x.svg")`.

    An answer's sentence is the title. A table does not know what it measures: name its `metric` for title and unit;
    without that, methods W and B are shares. A `palette` of the run gives the dashboard's colours. Raises BadInput for
    anything else, and where the table has no value to draw.
    """
    drawn = drawn_from(answer, metric)
    table = drawn.table
    keys = [name for name in drawn.keys if table[name].n_unique() > 1]
    colours = palette or theme.palette(*(table[name].unique(maintain_order=True) for name in keys if name in GROUPS))
    if set(SHARES) <= set(table.columns):
        return _distribution(drawn, keys, colours)
    if drawn.base is not None and "diff" in table.columns:
        return _differences(drawn, keys, colours)
    own = [name for name in keys if name not in GROUPS]
    steps = [name for name in own if _runs_along(table, name)]
    words, measure = drawn.words, drawn.measure
    if len(own) == len(keys) == 2 and not {"p", "metric"} & set(own):
        across = steps[0] if steps else own[1]
        down = next(name for name in own if name != across)
        return heat(table, words, measure, colours, x=across, y=down, titles=(_said(across), _said(down)))
    if len(own) == len(steps) == 1 and len(keys) <= 2:
        group = next((name for name in keys if name in GROUPS), ALL)
        shown = table if group in keys else _named(table, [])
        return curve(
            shown, words, measure, colours if group in keys else _plain(shown, colours), x=steps[0], group=group
        )
    return _forest(drawn, keys, colours)


def palette_of(run: Run, mode: Mode = "light") -> Palette:
    """The colours that the dashboard gives the variants and line-ups of a run."""
    return theme.palette(run.variants, dict.fromkeys(cell.given for cell in run.parts), mode=mode)


def _runs_along(table: pl.DataFrame, name: str) -> bool:
    """Whether a dimension is a number with enough values for a line; its own words in order are a category."""
    return name != "p" and table[name].dtype.is_numeric() and table[name].n_unique() >= STEPS


def _distribution(drawn: Drawn, keys: list[str], palette: Palette) -> alt.LayerChart:
    """Bars of one distribution, steps of several; what tells them apart is the group, or their names together."""
    group = keys[0] if len(keys) == 1 and keys[0] in GROUPS else ALL
    shown = drawn.table if group != ALL else _named(drawn.table, keys)
    colours = palette if group != ALL else theme.palette(shown[ALL].unique(maintain_order=True), mode=palette.mode)
    draw = ecdf if keys else histogram
    return draw(shown, drawn.words, drawn.measure, colours, group=group, at=AT)


def _forest(drawn: Drawn, keys: list[str], palette: Palette) -> alt.LayerChart:
    rows, group = _axes(drawn.table, keys)
    known = load_dimensions()
    ordered = any(name in ("p", "metric") or (name in known and known[name].words) for name in rows)
    named = _named(drawn.table, rows)
    colours = palette if group else _plain(named, palette)
    return estimate(named, drawn.words, drawn.measure, colours, rows=ALL, group=group or ALL, by_value=not ordered)


def _differences(drawn: Drawn, keys: list[str], palette: Palette) -> alt.LayerChart:
    compared = drawn.table.drop_nulls("diff")
    if compared.is_empty():
        raise BadInput(f"{drawn.name}: nothing is compared with {drawn.base}")
    rows, group = _axes(compared, keys)
    named = _named(compared, rows)
    colours = palette if group else _plain(named, palette)
    return difference(named, drawn.words, drawn.against_base, colours, rows=ALL, group=group or ALL)


def _axes(table: pl.DataFrame, keys: list[str]) -> tuple[list[str], str]:
    """What names the rows, and what colours tell apart in one row; neither where the table has one row."""
    group = next((name for name in GROUPS if name in keys), "") if len(keys) > 1 else ""
    return [name for name in keys if name != group], group


def _named(table: pl.DataFrame, rows: list[str]) -> pl.DataFrame:
    """The table with a column ALL that names its rows."""
    parts = [pl.format("p = {}", name) if name == "p" else pl.col(name).cast(pl.String) for name in rows]
    return table.with_columns((pl.concat_str(parts, separator=", ") if parts else pl.lit("all")).alias(ALL))


def _plain(named: pl.DataFrame, palette: Palette) -> Palette:
    """The lab's own colour for every row: what is no variant, line-up or strategy has none of its own."""
    known = {name: palette.places.get(name, 0) for name in named[ALL].unique(maintain_order=True)}
    return Palette(palette.mode, known)


def _said(name: str) -> str:
    return name.replace("_", " ")
