"""A closer look: what is told apart by colour, and the one line-up that figures with a second dimension hold for.

Variants are told apart under one line-up, for an effect of a rule is one under these players; of a single variant
the line-ups are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl
import streamlit as st

from dashboards import data, figure
from dashboards.charts import Words
from dashboards.data import Answer
from dashboards.filters import Chosen
from dashboards.theme import Figure, Palette


@dataclass(frozen=True)
class Closer:
    """What a closer look shows: `group` is the column that colours stand for, `played` has its games."""

    chosen: Chosen
    group: str
    lineups: tuple[str, ...]
    played: pl.DataFrame

    @property
    def keys(self) -> tuple[str, ...]:
        """What its tables are split by: the variant, which the rules go by, and the line-up where that is the group."""
        return tuple(dict.fromkeys(("variant", self.group)))

    def ask(self, name: str, *by: str) -> Answer:
        """A metric by the group and these dimensions."""
        return data.ask(self.chosen.run, name, (*self.keys, *by), self.chosen.variants, self.lineups)

    def distribution(self, name: str) -> Answer:
        """The distribution of a metric's number by the group."""
        return data.distribution(self.chosen.run, name, self.keys, self.chosen.variants, self.lineups)

    def show(
        self,
        key: str,
        draw: Callable[[Palette], Figure],
        words: Words,
        answer: Answer,
        *,
        drawn: pl.DataFrame | None = None,
    ) -> None:
        """A figure of an answer in the colours of the group; `drawn` are the rows drawn, where not all are."""
        legend = (answer.table if drawn is None else drawn)[self.group].to_list()
        figure.show(key, draw, self.chosen.palette, words, answer.table, answer.source, legend=legend)


def choose(chosen: Chosen) -> Closer:
    """Let the reader choose the line-up, where several variants were played by several."""
    played = data.games(chosen.run, chosen.variants, chosen.lineups).table
    group, options = data.telling(played), played["lineup"].unique(maintain_order=True).to_list()
    if group == "variant" and len(options) > 1:
        picked = st.selectbox(
            "Line-up of the figures below", options, key="closer", bind="query-params", width=320,
            help="A rule changes the game of these players; with others it may change another thing.",
        )  # fmt: skip
        options = [picked or options[0]]
    return Closer(chosen, group, tuple(options), played.filter(pl.col("lineup").is_in(options)))


def choose_variant(chosen: Chosen) -> str:
    """Let the reader choose the variant of a figure by strategy, where there are several."""
    if len(chosen.variants) == 1:
        return chosen.variants[0]
    picked = st.selectbox("Variant of the figure below", chosen.variants, key="of", bind="query-params", width=320)
    return picked or chosen.variants[0]
