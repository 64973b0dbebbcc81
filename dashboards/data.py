"""What the pages ask: answers of the pipeline, cached by run and by what has been committed to it.

One open run a folder serves all readers; each call takes its own cursor inside it. Answers are shared by
all sessions and forgotten when the run grows. Where a run cannot be read the reason comes back as text.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl
import streamlit as st

import dashboards
from dashboards.figure import Source
from dashboards.rotations import games_by_lineup, metric_by_lineup, rotations
from dashboards.standouts import standing_out
from engine.errors import BadInput
from pipeline.audit import RESULT, Report, last_report
from pipeline.commands.open import PLACES, RUNS
from pipeline.dataset import COMMITS, read_manifest
from pipeline.metric import Metric, load_metric
from pipeline.query import load_query, query_names
from pipeline.run import Run, open_run

Names = tuple[str, ...]
ANSWERS = 500
"""Answers kept of each kind."""


@dataclass(frozen=True)
class RunKey:
    """A run as found: its name in the address, its folder, and a stamp that changes when it grows."""

    name: str
    folder: str
    stamp: int


def find_runs() -> dict[str, RunKey]:
    """Runs by name, the one to open first in front: in CANASTA_RUNS, else in data/runs and data/sample.

    Relative places lie in the working directory and beside the sources. In front is a run that CANASTA_RUNS itself
    begins with, then `demo`, the finished runs (newest first), the sample, and what is unfinished or cannot be read.
    """
    named = [text for text in os.environ.get(RUNS, "").split(os.pathsep) if text] or PLACES
    checkout = Path(dashboards.__file__).resolve().parents[1]
    places = list(dict.fromkeys((root / place).resolve() for place in named for root in (Path.cwd(), checkout)))
    folders = list(dict.fromkeys(folder for place in places for folder in _runs_in(place)))
    asked = folders[0] if folders and folders[0] == places[0] else None
    sample = checkout / PLACES[1]
    found: dict[str, RunKey] = {}
    for folder in sorted(folders, key=lambda folder: (folder != asked, _rank(folder, folder == sample))):
        name = folder.name if folder.name not in found else f"{folder.parent.name}/{folder.name}"
        found[name if name not in found else str(folder)] = RunKey(name, str(folder), _stamp(folder))
    return found


def _rank(folder: Path, sample: bool) -> int:
    state = _state(folder, _stamp(folder))
    if state == "finished":
        return 2 if sample else 0 if folder.parts[-3:] == ("data", "runs", "demo") else 1
    return 3 if state == "unfinished" else 4


@lru_cache(ANSWERS)
def _state(folder: Path, stamp: int) -> str:
    """`finished`, `unfinished`, or `empty` where nothing is committed or can be read; a new stamp is asked anew."""
    try:
        finished = read_manifest(folder)["summary"] is not None
    except (BadInput, KeyError):
        return "empty"
    if not any((folder / COMMITS).glob("*.json")):
        return "empty"
    return "finished" if finished else "unfinished"


def _runs_in(place: Path) -> list[Path]:
    if (place / "manifest.json").is_file():
        return [place.resolve()]
    manifests = [path for path in place.glob("*/manifest.json") if path.is_file()]
    return [path.parent.resolve() for path in sorted(manifests, key=lambda path: -path.stat().st_mtime_ns)]


def _stamp(folder: Path) -> int:
    telling = (folder / "manifest.json", folder / RESULT, folder / "commits")
    return max((path.stat().st_mtime_ns for path in telling if path.exists()), default=0)


@st.cache_resource(max_entries=8, show_spinner=False)
def opened(run: RunKey) -> Run:
    """The run itself; BadInput when it holds nothing yet or cannot be read."""
    return open_run(run.folder)


@dataclass(frozen=True)
class About:
    """What the filters need of a run: variants and line-ups in the order of the plan, its seed, folder and date."""

    variants: Names
    lineups: Names
    seed: int
    folder: str
    made: str


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def about(run: RunKey) -> About:
    """What the filters need of a run."""
    there = opened(run)
    made = str(there.manifest["created"])[:10]
    return About(there.variants, tuple(rotations(there)), there.seed, _short(there.path), made)


def _short(folder: Path) -> str:
    """The folder as it would be typed: relative where it lies below the working directory."""
    return str(folder.relative_to(Path.cwd())) if folder.is_relative_to(Path.cwd()) else str(folder)


@dataclass(frozen=True)
class Answer:
    """A figure's table, and where it comes from."""

    table: pl.DataFrame
    source: Source


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
    table = games_by_lineup(opened(run), variants, lineups)
    definition = "Games committed to the run, of each variant under each line-up with all its rotations."
    return Answer(table, Source(definition, python=_python(run, "games_by_lineup", _narrowed(run, variants, lineups))))


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def metric(run: RunKey, name: str, variants: Names, lineups: Names) -> Answer:
    """A metric of each variant under each line-up."""
    there = opened(run)
    table = metric_by_lineup(there, name, variants, lineups)
    narrowed = _narrowed(run, variants, lineups)
    commands = []
    for lineup in table["lineup"].unique(maintain_order=True):
        turned = [f"--lineup={one}" for one in rotations(there)[lineup]]
        some = [f"--variant={one}" for one in narrowed.get("variants", ())]
        commands.append(shlex.join(["canasta", "metric", name, about(run).folder, "--by=variant", *turned, *some]))
    rotated = "All rotations of a line-up over the sides are added up; intervals are clustered by game."
    definition = f"{load_metric(name).sentence}. {rotated}"
    return Answer(table, Source(definition, "\n".join(commands), _python(run, "metric_by_lineup", narrowed, name)))


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
        "alone, so that metrics of different units can be ranked together.\n\n"
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


def defined(name: str) -> Metric:
    """The definition of a metric."""
    return load_metric(name)


def _narrowed(run: RunKey, variants: Names, lineups: Names) -> dict[str, list[str]]:
    """The filters that leave something out, as arguments."""
    there = about(run)
    filters = {"variants": (variants, there.variants), "lineups": (lineups, there.lineups)}
    return {key: list(chosen) for key, (chosen, every) in filters.items() if set(chosen) != set(every)}


def _python(run: RunKey, function: str, narrowed: Mapping[str, Any], *values: str) -> str:
    """Python that gives an answer of `dashboards.rotations` again."""
    filters = (f"{key}={chosen}" for key, chosen in narrowed.items())
    arguments = [f'open_run("{about(run).folder}")', *map(repr, values), *filters]
    imports = f"from dashboards.rotations import {function}\nfrom pipeline import open_run"
    return f"{imports}\n\n{function}({', '.join(arguments)})"
