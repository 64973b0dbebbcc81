"""The runs there are: where they are found, which opens first, and what the filters need of one.

One open run a folder serves all readers; each call takes its own cursor inside it. Where a run cannot be read the
reason comes back as text.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import streamlit as st

import dashboards
from dashboards.rotations import rotations
from engine.errors import BadInput
from pipeline.audit import RESULT
from pipeline.commands.open import PLACES, RUNS
from pipeline.dataset import COMMITS, read_manifest
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
