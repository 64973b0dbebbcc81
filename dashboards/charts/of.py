"""The chart of an answer: which shape suits what it was split by.

A category makes a forest, of differences where there is a base; an ordered number along which the value runs a curve;
two dimensions a grid. Whatever else there is, the rows of the forest say it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from dashboards import theme
from dashboards.charts.curve import curve
from dashboards.charts.forest import difference, estimate
from dashboards.charts.heat import heat
from dashboards.charts.words import Measure, Words
from dashboards.theme import Mode, Palette
from pipeline.dimensions import load_dimensions

if TYPE_CHECKING:
    import altair as alt

    from pipeline.ask import Answer
    from pipeline.run import Run

SHARE = "%"
GROUPS = ("variant", "given_lineup", "lineup", "strategy")
"""What colours tell apart; the first that differs in the table."""
ALL = "of"
"""Column made for the names of rows."""
STEPS = 5
"""Values from which on a number is drawn as a curve."""


def of(answer: Answer, palette: Palette | None = None) -> alt.LayerChart:
    """An answer's table as an Altair chart, its sentence as title; `.save("x.svg")` writes it.

    Raises ValueError where the table has no value to draw. A `palette` of the run gives the dashboard's colours.
    """
    table = answer.table.drop_nulls("value")
    if table.is_empty():
        raise ValueError(f"{answer.metric.name}: the answer has no value to draw")
    keys = [name for name in table.columns[: table.columns.index("value")] if table[name].n_unique() > 1]
    words = Words(answer.sentence, _facts(answer, table))
    measure = Measure(answer.metric.title, answer.metric.unit, share=answer.metric.unit == SHARE)
    colours = palette or theme.palette(*(table[name].unique(maintain_order=True) for name in keys if name in GROUPS))
    if answer.asked.base is not None and "diff" in table.columns:
        return _differences(answer, table, keys, words, measure, colours)
    own = [name for name in keys if name not in GROUPS]
    steps = [name for name in own if _runs_along(table, name)]
    if len(own) == len(keys) == 2:
        across = steps[0] if steps else own[1]
        down = next(name for name in own if name != across)
        return heat(table, words, measure, colours, x=across, y=down, titles=(_said(across), _said(down)))
    if len(own) == len(steps) == 1 and len(keys) <= 2:
        group = next((name for name in keys if name in GROUPS), ALL)
        shown = table if group in keys else _named(table, [])
        return curve(
            shown, words, measure, colours if group in keys else _plain(shown, colours), x=steps[0], group=group
        )
    return _forest(table, keys, words, measure, colours)


def palette_of(run: Run, mode: Mode = "light") -> Palette:
    """The colours that the dashboard gives the variants and line-ups of a run."""
    return theme.palette(run.variants, dict.fromkeys(cell.given for cell in run.parts), mode=mode)


def _runs_along(table: pl.DataFrame, name: str) -> bool:
    """Whether a dimension is a number with enough values for a line; its own words in order are a category."""
    return table[name].dtype.is_numeric() and table[name].n_unique() >= STEPS


def _forest(table: pl.DataFrame, keys: list[str], words: Words, measure: Measure, palette: Palette) -> alt.LayerChart:
    rows, group = _axes(table, keys)
    known = load_dimensions()
    ordered = any(name in known and known[name].words for name in rows)
    named = _named(table, rows)
    colours = palette if group else _plain(named, palette)
    return estimate(named, words, measure, colours, rows=ALL, group=group or ALL, by_value=not ordered)


def _differences(
    answer: Answer, table: pl.DataFrame, keys: list[str], words: Words, measure: Measure, palette: Palette
) -> alt.LayerChart:
    compared = table.drop_nulls("diff")
    if compared.is_empty():
        raise ValueError(f"{answer.metric.name}: nothing is compared with {answer.asked.base}")
    rows, group = _axes(compared, keys)
    axis = Measure(f"{answer.metric.title}, difference to {answer.asked.base}", measure.unit, measure.share)
    named = _named(compared, rows)
    colours = palette if group else _plain(named, palette)
    return difference(named, words, axis, colours, rows=ALL, group=group or ALL)


def _axes(table: pl.DataFrame, keys: list[str]) -> tuple[list[str], str]:
    """What names the rows, and what colours tell apart in one row; neither where the table has one row."""
    group = next((name for name in GROUPS if name in keys), "") if len(keys) > 1 else ""
    return [name for name in keys if name != group], group


def _named(table: pl.DataFrame, rows: list[str]) -> pl.DataFrame:
    """The table with a column ALL that names its rows."""
    parts = [pl.col(name).cast(pl.String) for name in rows]
    return table.with_columns((pl.concat_str(parts, separator=", ") if parts else pl.lit("all")).alias(ALL))


def _plain(named: pl.DataFrame, palette: Palette) -> Palette:
    """The lab's own colour for every row: what is no variant, line-up or strategy has none of its own."""
    known = {name: palette.places.get(name, 0) for name in named[ALL].unique(maintain_order=True)}
    return Palette(palette.mode, known)


def _said(name: str) -> str:
    return name.replace("_", " ")


def _facts(answer: Answer, table: pl.DataFrame) -> tuple[str, ...]:
    """Below the title: what was measured, under which conditions, on how many games, at which level."""
    asked = answer.asked
    held = [
        f"{_said(name)} {table[name][0]}"
        for name in table.columns[: table.columns.index("value")]
        if table[name].n_unique() == 1
    ]
    where = [f"where {asked.where}"] if asked.where else []
    games = table["games"].to_list()
    most = f"{'' if len(set(games)) == 1 else 'up to '}{theme.large(max(games))} games"
    return (
        answer.metric.sentence,
        " · ".join(
            [*held, *where, f"{most} a row" if table.height > 1 else most, f"{asked.level * 100:g} % intervals"]
        ),
    )
