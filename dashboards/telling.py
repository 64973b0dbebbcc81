"""Pieces of the sentences above figures: values with the digits they deserve, names of rows, extreme rows, facts.

A sentence names the extreme pair of rows and is made only from rows with games enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from dashboards import theme
from dashboards.charts import Measure
from dashboards.extremes import KEYS, SHARE, Row, left_out, named, telling
from dashboards.theme import Palette
from dashboards.wording import ALONE, games_in, players_of
from pipeline.metric import Metric


def facts(metric: Metric, table: pl.DataFrame, played: pl.DataFrame, *more: str) -> tuple[str, ...]:
    """What stands below a title: definition, games, level, players; `played` has the games (`lineup games`)."""
    return (metric.sentence, *more, *left_out(table), games_in(played), ALONE, players_of(table, played))


def measure(metric: Metric, title: str = "") -> Measure:
    """The axis of a metric, under another title where there is one."""
    return Measure(title or metric.title, metric.unit, share=metric.unit == SHARE)


def sure(table: pl.DataFrame, value: str = "value") -> pl.DataFrame:
    """The rows with games enough to say something, of what the rules leave open."""
    return telling(table, value)


def ends(rows: pl.DataFrame, value: str = "value") -> tuple[Row, Row]:
    """The rows of the least and the greatest value; there is one at least."""
    ordered = rows.sort(value, maintain_order=True)
    return ordered.row(0, named=True), ordered.row(-1, named=True)


def said(row: Row, metric: Metric, value: str = "value") -> str:
    """A value with the digits of its interval: `28 %`, `1.24`."""
    return written(row[value], row["low"], row["high"], most=metric.digits, share=metric.unit == SHARE)


def written(value: float, low: float | None, high: float | None, *, most: int = 1, share: bool = False) -> str:
    """A number with the digits of its interval, at most so many."""
    size = 100 if share else 1
    inside = None if low is None or high is None else (low * size, high * size)
    shown = theme.number(value * size, min(most, theme.digits(*(inside or (None, None)))))
    return f"{shown} %" if share else shown


def points(row: Row, metric: Metric) -> str:
    """`+240 points`."""
    text = said(row, metric)
    return f"{text if text.startswith('−') else f'+{text}'} points"


def percent(share: float, decimals: int = 0) -> str:
    """`28 %` of a share that is said by the way, without its interval."""
    return f"{theme.number(share * 100, decimals)} %"


def also(row: Row, table: pl.DataFrame) -> str:
    """The same inside brackets that are there already: `, classic4`."""
    return named(row, table).replace(" (", ", ", 1).removesuffix(")")


def groups_in(table: pl.DataFrame) -> list[str]:
    """Those of variant and line-up that a table is split by."""
    return [name for name in KEYS if name in table.columns]


def unruled(table: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """The rows that the rules do not decide, and the variants, where they are told apart, of which they do."""
    if table.is_empty() or "by_rule" not in table.columns:
        return table, []
    ruled = table.filter(pl.col("by_rule"))
    names = ruled["variant"].unique(maintain_order=True).to_list() if "variant" in ruled.columns else []
    return table.filter(~pl.col("by_rule")), names


def part(table: pl.DataFrame, label: str) -> pl.DataFrame:
    """The rows of one part of a table of several."""
    return table.filter(pl.col("part") == label)


def relabelled(table: pl.DataFrame, column: str, names: Mapping[str, str]) -> pl.DataFrame:
    """The table with the words of a column as people say them."""
    return table if table.is_empty() else table.with_columns(pl.col(column).cast(pl.String).replace(names))


def occurring(table: pl.DataFrame, column: str) -> pl.DataFrame:
    """The rows of those words of a column that something was counted of; all where nothing was."""
    there = table.filter(pl.col("numerator").max().over(column) > 0)
    return there if there.height else table


def there(table: pl.DataFrame, column: str, order: Sequence[str]) -> list[str]:
    """Those words of a column, in their order, that something was counted of."""
    found = set(occurring(table, column)[column].to_list())
    return [word for word in order if word in found]


def fixed(places: Mapping[str, int], palette: Palette) -> Palette:
    """The colours of words that are no variant and no strategy: always the same."""
    return replace(palette, places=dict(places))


def with_strategies(palette: Palette, strategies: Iterable[str]) -> Palette:
    """The palette with a colour for every strategy: that of the line-up of its name, or one that no strategy has.

    Goes through the strategies of all line-ups of the run, so that a filter never changes a colour.
    """
    sides = [side for lineup in palette.places if "~" in lineup for side in lineup.split("~")]
    names = list(dict.fromkeys([*sides, *strategies]))
    places = {name: palette.places[name] for name in names if name in palette.places}
    rest = theme.palette([name for name in names if name not in places], mode=palette.mode).places
    taken = set(places.values())
    slots = range(len(theme.PALETTES[palette.mode]))
    for name, wished in rest.items():
        free = [slot for slot in slots if slot not in taken]
        if free:
            places[name] = min(free, key=lambda slot: (slot - wished) % len(slots))
            taken.add(places[name])
    return replace(palette, places=places)
