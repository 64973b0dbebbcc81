"""What the pages ask: answers of the pipeline, cached by run and by what has been committed to it.

One open run a folder serves all readers; each call takes its own cursor inside it. Answers are shared by
all sessions and forgotten when the run grows. Where a run cannot be read the reason comes back as text.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import streamlit as st

import dashboards
from dashboards.figure import Source
from pipeline.audit import RESULT, last_report
from pipeline.commands.open import PLACES, RUNS
from pipeline.metric import Metric, load_metric
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
    """Runs by name, those of one folder newest first: in CANASTA_RUNS, else in data/runs and data/sample.

    Relative places lie in the working directory, else beside the sources where the project is checked out.
    """
    named = [text for text in os.environ.get(RUNS, "").split(os.pathsep) if text] or PLACES
    checkout = Path(dashboards.__file__).resolve().parents[1]
    places = [Path(place) if Path(place).exists() else checkout / place for place in named]
    found: dict[str, RunKey] = {}
    folders: set[Path] = set()
    for place in places:
        for folder in _runs_in(place):
            if folder in folders:
                continue
            folders.add(folder)
            name = folder.name if folder.name not in found else f"{folder.parent.name}/{folder.name}"
            found[name] = RunKey(name, str(folder), _stamp(folder))
    return found


def _runs_in(place: Path) -> list[Path]:
    if (place / "manifest.json").is_file():
        return [place.resolve()]
    manifests = [path for path in place.glob("*/manifest.json") if path.is_file()]
    return [path.parent.resolve() for path in sorted(manifests, key=lambda path: -path.stat().st_mtime_ns)]


def _stamp(folder: Path) -> int:
    telling = (folder / "manifest.json", folder / RESULT, folder / "commits")
    return max(path.stat().st_mtime_ns for path in telling if path.exists())


@st.cache_resource(max_entries=8, show_spinner=False)
def opened(run: RunKey) -> Run:
    """The run itself; BadInput when it holds nothing yet or cannot be read."""
    return open_run(run.folder)


@dataclass(frozen=True)
class About:
    """What the filters need of a run."""

    variants: tuple[str, ...]
    lineups: tuple[str, ...]
    seed: int
    folder: str
    made: str


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def about(run: RunKey) -> About:
    """Variants and line-ups of a run in the order of its plan, its seed, folder and date."""
    there = opened(run)
    return About(there.variants, there.lineups, there.seed, _short(there.path), str(there.manifest["created"])[:10])


def _short(folder: Path) -> str:
    """The folder as it would be typed: relative where it lies below the working directory."""
    return str(folder.relative_to(Path.cwd())) if folder.is_relative_to(Path.cwd()) else str(folder)


@dataclass(frozen=True)
class Answer:
    """A figure's table, and where it comes from."""

    table: pl.DataFrame
    source: Source


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def cells(run: RunKey, variants: Names, lineups: Names) -> Answer:
    """Games of each variant × line-up; no rows where the chosen ones were never played together."""
    columns = ("variant", "lineup", "games", "games_planned")
    table = opened(run).cells.select(columns)
    table = table.filter(pl.col("variant").is_in(variants) & pl.col("lineup").is_in(lineups))
    asked = f".cells.select{columns}"
    return Answer(
        table, Source("Games committed to the run, of each variant under each line-up.", python=_python(run, asked))
    )


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def metric(run: RunKey, name: str, variants: Names, lineups: Names) -> Answer:
    """A metric of each variant under each line-up, with its interval."""
    table = opened(run).metric(name, variant=variants, lineup=lineups)
    narrowed = _narrowed(run, variants, lineups)
    options = "".join(f", {key}={list(names)}" for key, names in narrowed.items())
    switches = [f"--{key}={name}" for key, names in narrowed.items() for name in names]
    return Answer(
        table,
        Source(
            load_metric(name).sentence,
            command=shlex.join(["canasta", "metric", name, about(run).folder, *switches]),
            python=_python(run, f'.metric("{name}"{options})'),
        ),
    )


def _narrowed(run: RunKey, variants: Names, lineups: Names) -> dict[str, Names]:
    """The filters that leave something out."""
    there = about(run)
    filters = {"variant": (variants, there.variants), "lineup": (lineups, there.lineups)}
    return {key: chosen for key, (chosen, all_names) in filters.items() if set(chosen) != set(all_names)}


def _python(run: RunKey, asked: str) -> str:
    return f'from pipeline.run import open_run\n\nopen_run("{about(run).folder}"){asked}'


@dataclass(frozen=True)
class Checks:
    """What tells whether a run can be trusted: its last audit, games and deals that a cap ended, exhausted stocks."""

    audits: int
    faults: tuple[str, ...]
    stale: bool
    capped_games: float
    capped_deals: float
    stock: float


@st.cache_data(max_entries=ANSWERS, show_spinner=False)
def checks(run: RunKey) -> Checks:
    """The checks of a whole run, whatever the filters; the audit as it was kept, none is made here."""
    there = opened(run)
    report = last_report(there)
    endings = {row["ending"]: row["value"] for row in there.metric("ending_share", by="ending").to_dicts()}
    return Checks(
        len(report.audits) if report else 0,
        tuple(audit.title for audit in report.audits if audit.rows) if report else (),
        bool(report and report.stale),
        there.metric("turns_per_game", by=[])["capped"].item() or 0.0,
        endings["cap"] or 0.0,
        endings["stock"] or 0.0,
    )


def defined(name: str) -> Metric:
    """The definition of a metric."""
    return load_metric(name)
