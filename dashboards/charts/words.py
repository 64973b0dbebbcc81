"""What charts say: titles, axes, and labels of rows in lines that fit beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import altair as alt
import polars as pl

from dashboards import theme

ROW = 30  # pixels of a row of one dot
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


def written(values: pl.Expr, write: Callable[[Any], str]) -> pl.Expr:
    """The values as texts."""
    return values.map_elements(write, return_dtype=pl.String)


def labelled(column: str) -> pl.Expr:
    """A column as the labels of rows, `row`."""
    return written(pl.col(column), label_row).alias("row")


def title_of(column: str) -> str:
    """A column's name as a reader says it."""
    return {"given_lineup": "line-up"}.get(column, column.replace("_", " "))


def label_row(name: str) -> str:
    """A row's label, in lines that fit beside the chart."""
    lines = [part for line in theme.label(name).split("\n") for part in wrap(line, LETTERS) or [""]]
    return "\n".join(lines)
