"""What the pages ask: answers of the pipeline, cached by run and by what has been committed to it.

Answers are shared by all sessions and forgotten when the run grows.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

import polars as pl
import streamlit as st

from dashboards.copying import as_command, as_python, narrow
from dashboards.figure import Source
from dashboards.rotations import games_by_lineup, rotations
from dashboards.runs import ANSWERS, Names, RunKey, about, opened
from dashboards.standouts import standing_out
from engine.strategies import strategy_names
from pipeline.audit import Report, last_report
from pipeline.metric import Metric, load_metric
from pipeline.query import load_query, query_names
from pipeline.query_text import spell_sql

LEVEL = 0.95
CLUSTERED = "Intervals are clustered by game; all rotations of a line-up over the sides are added up."


@dataclass(frozen=True)
class Answer:
    """A figure's table, and where it comes from."""

    table: pl.DataFrame
    source: Source


def played_in(played: pl.DataFrame, kind: str) -> Names:
    """The variants or line-ups that were played."""
    return tuple(played[kind].unique(maintain_order=True))


def how_to_contest(run: RunKey) -> tuple[str, str]:
    """Why nobody wins more than another here, and the command that plays a contest into the run."""
    there = about(run)
    first = there.lineups[0].split("~")[0]
    others = [f"{first}~{other}" for other in strategy_names() if other != first]
    given = [f"--variant={there.variants[0]}", f"--lineup={','.join(others)}", "--games=10000"]
    text = (
        "No two sides here play unlike strategies, so none can be better. Ladder, matchups and points ahead need "
        "line-ups such as " + " or ".join(f"`{other}`" for other in others[:2]) + ":"
    )
    return text, shlex.join(["canasta", "simulate", *given, "--out=data/runs/contest"])


def telling(played: pl.DataFrame) -> str:
    """What tells groups apart where line-ups and variants cannot both: the variant, or of a single one the line-up."""
    return "variant" if played["variant"].n_unique() > 1 else "given_lineup"


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def ask(
    run: RunKey,
    name: str,
    by: Names,
    variants: Names,
    lineups: Names,
    *,
    base: str = "",
    where: str = "",
    level: float = LEVEL,
    **parameters: Any,
) -> Answer:
    """A metric by these dimensions, as `Run.metric` gives it; `given_lineup` in `by` adds up rotations.

    `variants` and `lineups` (as given in the plan) are those chosen; no rows where they were never played together.
    `base`, a variant or a line-up, adds the columns of differences to it. `parameters` are the metric's own.
    """
    definition = defined_words(load_metric(name))
    if not _met(run, variants, lineups):
        return Answer(pl.DataFrame(), Source(definition))
    narrowed = narrow(run, variants, lineups)
    asked = opened(run).ask(name, by, **narrowed, where=where or None, base=base or None, level=level, **parameters)
    return Answer(asked.table, Source(definition, asked.command, asked.python, (asked.sql,) if asked.sql else ()))


def _met(run: RunKey, variants: Names, lineups: Names) -> bool:
    """Whether any of these variants was played by any of these line-ups."""
    return not games_by_lineup(opened(run), variants, lineups).is_empty()


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def query(run: RunKey, name: str, variants: Names, lineups: Names, **parameters: Any) -> Answer:
    """A named query's answer; no rows where the chosen variants and line-ups were never played together."""
    asked = load_query(name)
    definition = f"**{asked.title}.** {asked.answers}"
    if not _met(run, variants, lineups):
        return Answer(pl.DataFrame(), Source(definition))
    narrowed = narrow(run, variants, lineups)
    table = opened(run).query(name, **narrowed, **parameters)
    python = as_python(run, "query", name, **narrowed, **parameters)
    text = spell_sql(asked, **narrowed, **parameters)
    command = as_command(run, "query", name, narrowed, parameters)
    return Answer(table, Source(definition, command, python, (text,) if text else ()))


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def distribution(run: RunKey, name: str, by: Names, variants: Names, lineups: Names, **parameters: Any) -> Answer:
    """How often a metric's own number takes each value, as `Run.distribution` gives it."""
    definition = defined_words(load_metric(name))
    if not _met(run, variants, lineups):
        return Answer(pl.DataFrame(), Source(definition))
    narrowed = narrow(run, variants, lineups)
    table = opened(run).distribution(name, by, **narrowed, **parameters)
    python = as_python(run, "distribution", name, by=list(by), **narrowed, **parameters)
    command = as_command(run, "distribution", name, {"by": ",".join(by), **narrowed}, parameters)
    text = opened(run).distribution_sql(name, by, **narrowed, **parameters)
    return Answer(table, Source(definition, command, python, (text,)))


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def quantiles(
    run: RunKey, name: str, ps: tuple[float, ...], by: Names, variants: Names, lineups: Names, **parameters: Any
) -> Answer:
    """Quantiles of a metric's own number with intervals, as `Run.quantiles` gives them."""
    definition = defined_words(load_metric(name))
    if not _met(run, variants, lineups):
        return Answer(pl.DataFrame(), Source(definition))
    narrowed = narrow(run, variants, lineups)
    table = opened(run).quantiles(name, ps, by, **narrowed, **parameters)
    python = as_python(run, "quantiles", name, list(ps), by=list(by), **narrowed, **parameters)
    given = {"by": ",".join(by), "quantiles": ",".join(map(str, ps)), **narrowed}
    return Answer(table, Source(definition, as_command(run, "distribution", name, given, parameters), python))


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def summary(run: RunKey) -> dict[str, Any]:
    """Figures of the whole run, whatever the filters."""
    return opened(run).summary()


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def audited(run: RunKey) -> Report | None:
    """The audit as it was kept with the run; none is made here."""
    return last_report(opened(run))


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def games(run: RunKey, variants: Names, lineups: Names) -> Answer:
    """Games of each variant under each line-up; no rows where the chosen ones were never played together."""
    return query(run, "games_played", variants, lineups)


@st.cache_data(max_entries=ANSWERS, show_spinner="Comparing every metric …")
def findings(run: RunKey, base: str, variants: Names, lineups: Names) -> Answer:
    """What stands out against the base: a variant, or where that alone is chosen the first line-up, or a line-up."""
    there = opened(run)
    across = base in there.variants and set(variants) != {base}
    compared = list(dict.fromkeys((base, *variants))) if across else list(variants)
    others = [base] if base in rotations(there) else []
    turned = [one for lineup in dict.fromkeys((*others, *lineups)) for one in rotations(there)[lineup]]
    held = base if across or others else None
    table = standing_out(there.findings(held, variant=compared, lineup=turned))
    python = (
        "from dashboards.standouts import standing_out\nfrom pipeline import open_run\n\n"
        f'run = open_run("{about(run).folder}")\n'
        f"standing_out(run.findings({held!r}, variant={compared}, lineup={turned}))"
    )
    definition = (
        "Every metric of games, each variant against the base under the same line-up (or each line-up against a base "
        "line-up in the same variant); the largest differences are shown, one of each kind of metric.\n\n"
        "A *spread* is the standard deviation between single games of the base: how far two games lie apart by luck "
        "alone, so that metrics of different units can be ranked together; of shares at least that of both "
        "together.\n\n"
        "*Holm's correction* asks for stronger evidence the more is compared, so that chance alone hardly ever makes "
        "a difference; only what passes it is called more or less.\n\n"
        "Pairs met the same cards where players, packs and jokers agree."
    )
    return Answer(table, Source(definition, python=python))


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def questions(run: RunKey) -> pl.DataFrame:
    """The named questions that can be asked of a run: `title answers command`."""
    asked = [load_query(name) for name in query_names()]
    commands = [shlex.join(["canasta", "query", query.name, about(run).folder]) for query in asked]
    return pl.DataFrame({
        "title": [query.title for query in asked], "answers": [query.answers for query in asked], "command": commands,
    })  # fmt: skip


def defined_words(metric: Metric) -> str:
    """A metric's definition as text for a page."""
    note = f" {metric.note}." if metric.note else ""
    return f"**{metric.title}.** {metric.sentence}.{note}\n\n{CLUSTERED}"


def defined(name: str) -> Metric:
    """The definition of a metric."""
    return load_metric(name)
