"""What a page asks of a run that varies rules: their effects, how they work together, and what can be copied of it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
import streamlit as st

from dashboards.data import Answer, defined_words
from dashboards.figure import Source
from dashboards.filters import Chosen
from dashboards.runs import ANSWERS, Names, RunKey, about, opened
from engine.errors import BadInput
from pipeline import stats
from pipeline.metric import Metric, load_metric, metric_names
from pipeline.sweep_design import Design, find_design
from pipeline.sweep_ratios import dimensions_of
from pipeline.sweeps import analyse

MINUTES = "minutes_per_game"
FIRST = ("turns_per_game", "turns_per_deal", "deals_per_game", MINUTES)
EFFECTS = (
    "An *effect* is the difference to the value that the base has of a rule, on average over the settings of the other "
    "rules that were played with both. Line-ups stand by themselves: a rule changes the game of these players.\n\n"
    "Variants that met the same cards are compared game by game; the *gain* is how many times fewer games that takes. "
    "Intervals are clustered by game, words by Holm's correction over the table."
)
TOGETHER = (
    "Each dot is the mean of the variants with these two values, over the settings of the other rules. Parallel lines: "
    "the two rules add up. The *interaction* is how much the effect of one changes with the other, a difference of "
    "differences; it gets a word only where its interval and Holm's correction allow one."
)


@dataclass(frozen=True)
class Swept:
    """The sweep that the chosen variants of a run are: names of what differs, and whether rules meet each other."""

    chosen: Chosen
    design: Design

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Rules of which all values were played together."""
        means = self.design.means(self.design.variants)
        return list(dict.fromkeys((one.factor, one.other) for one in means))


@dataclass(frozen=True)
class Effects:
    """Tables of one metric: `effects` and `means` to show, `interactions` for what is said."""

    effects: Answer
    means: Answer
    interactions: pl.DataFrame


def find(chosen: Chosen) -> Swept | None:
    """The sweep of the chosen variants; None where fewer than two values of a rule can be told from the base's."""
    there = about(chosen.run)
    base = chosen.base if chosen.base in there.variants else there.variants[0]
    names = {base, *chosen.variants}
    cells = [cell for cell in opened(chosen.run).parts if cell.shards and cell.variant in names]
    try:
        design = find_design(cells, base)
    except BadInput:
        return None
    return Swept(chosen, design) if len(list(design.effects(design.variants))) > 1 else None


def metrics() -> tuple[str, ...]:
    """Metrics that rules have effects on, those of length first; of those split by something only minutes."""
    own = (load_metric(name) for name in metric_names())
    plain = [one.name for one in own if one.interval in stats.METHODS and not one.transform and not dimensions_of(one)]
    return tuple(dict.fromkeys([*FIRST, *plain]))


def title_of(name: str) -> str:
    """A metric's title."""
    return load_metric(name).title


def ask(swept: Swept, metric: str) -> Effects:
    """The effects of the rules on a metric, under each chosen line-up."""
    chosen = swept.chosen
    return _ask(chosen.run, metric, swept.design.base, chosen.variants, chosen.lineups)


@st.cache_data(max_entries=ANSWERS, show_spinner="Comparing rules …")
def _ask(run: RunKey, metric: str, base: str, variants: Names, lineups: Names) -> Effects:
    there = about(run)
    held = None if base == there.variants[0] else base
    some = None if set(variants) == set(there.variants) else variants
    players = None if set(lineups) == set(there.lineups) else lineups
    found = analyse(opened(run), metric, base=held, variants=some, lineups=players)
    copied = _Copied(there.folder, metric, held, some, players)
    return Effects(
        Answer(found.effects, copied.source(load_metric(metric), "effects", EFFECTS)),
        Answer(found.means, copied.source(load_metric(metric), "means", TOGETHER)),
        found.interactions,
    )


@dataclass(frozen=True)
class _Copied:
    """The texts that give a table of a sweep again."""

    folder: str
    metric: str
    base: str | None
    variants: Names | None
    lineups: Names | None

    def source(self, metric: Metric, table: str, told: str) -> Source:
        """Definition, command and Python of a table."""
        words = ["canasta", "sweep", self.folder, f"--metric={self.metric}", f"--show={table}"]
        words += [f"--base={self.base}"] if self.base else []
        words += [f"--{name}={one}" for name, some in self._filters() for one in some]
        given = [f'"{self.folder}"', f"metrics={[self.metric]!r}"]
        given += [f"base={self.base!r}"] if self.base else []
        given += [f"{name}s={list(some)!r}" for name, some in self._filters()]
        python = f"import pipeline as cl\n\ncl.sweep({', '.join(given)}).{table}"
        return Source(f"{defined_words(metric)}\n\n{told}", shlex.join(words), python)

    def _filters(self) -> list[tuple[str, Sequence[str]]]:
        return [(name, some) for name, some in (("variant", self.variants), ("lineup", self.lineups)) if some]
