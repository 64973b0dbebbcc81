"""Precision first: `turns_per_game ± 0.1` as a goal, and the rule by which each cell of a run stops at it.

A goal is met in a cell when half the width of the interval that the metric itself reports there is at most the one
asked; and also that of the interval clustered by game, which is steadier than one from 64 blocks, so that no cell
stops because a noisy one happened to be narrow. It is looked at after whole shards: first after FIRST_CHECK games,
then where the half-width so far (it shrinks with the root of the games) says that the goal should be met, but never
after more than GROWTH times the games. What decides is in the shards 1 … n of a cell alone, so a cell stops at the
same game whatever the workers and however often it was killed. Stopping when an interval is narrow enough could let
it cover less often than its level says; with so many games before the first look, and so few looks, nothing of it is
seen (docs/precision.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.errors import BadInput
from pipeline.cells import read_cells
from pipeline.measure import measure
from pipeline.metric import CELL, Metric, load_metric, metric_names
from pipeline.plan import FIRST_CHECK, Plan
from pipeline.run import Run
from pipeline.stats import METHODS

if TYPE_CHECKING:
    from pipeline.writer import RunWriter

SHARE = "%"
GROWTH = 4
MARGIN, LEAST_GROWTH = 1.02, 1.05
"""A little more than the estimate says, and never a step too small to be worth a look."""

Key = tuple[str, str]
Halves = tuple[float | None, float | None, float | None]
NOTHING: Halves = (None, None, None)
_GOAL = re.compile(r"\s*(\w+)\s*(?:±|\+/-|\+-)\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(%|pp)?\s*")
_FORM = 'write it as "turns_per_game ± 0.1", "turns_per_game +- 1%" (of the value), "take_rate ± 0.5pp" (a share)'


@dataclass(frozen=True)
class Goal:
    """A metric's half-width to be reached: in the metric's unit, or `relative` as a share of its value."""

    metric: str
    half_width: float
    relative: bool
    text: str

    def asked(self, value: float) -> float:
        """The half-width asked at a value of the metric."""
        return self.half_width * abs(value) if self.relative else self.half_width


@dataclass(frozen=True)
class Width:
    """How precise a goal's metric is in a cell after its first `games`; None where there is no value or interval.

    `half_width` is that of the interval which the metric reports, `clustered` that of the one clustered by game.
    """

    variant: str
    lineup: str
    goal: Goal
    games: int
    value: float | None
    half_width: float | None
    clustered: float | None

    @property
    def met(self) -> bool:
        """Whether both intervals are as narrow as asked."""
        return self._times_asked(max) <= 1

    @property
    def games_needed(self) -> float:
        """Games after which the goal should be met: the half-width shrinks with their root."""
        steady = self._times_asked(lambda _, clustered: clustered)
        return self.games * (steady if steady > 1 else self._times_asked(max)) ** 2

    def _times_asked(self, choose: Callable[[float, float], float]) -> float:
        """How many times the half-width asked is the one chosen of the two."""
        if self.value is None or self.half_width is None or self.clustered is None:
            return math.inf
        asked = self.goal.asked(self.value)
        return choose(self.half_width, self.clustered) / asked if asked else math.inf

    def describe_miss(self) -> str:
        """How far a goal is from being met, in one line."""
        here = f"{self.variant} {self.lineup}: {self.goal.text} is not met after {self.games:,} games"
        if self.half_width is None:
            return f"{here}: no interval yet"
        unit = load_metric(self.goal.metric).unit
        width = f"± {self.half_width * 100:.2g}pp" if unit == SHARE else f"± {self.half_width:.2g} {unit}"
        more = f", about {self.games_needed:,.0f} games would do" if math.isfinite(self.games_needed) else ""
        return f"{here}: {width}{more}"


def read_goals(texts: str | Iterable[str]) -> tuple[Goal, ...]:
    """Goals as written, several in one text by comma; BadInput for one that cannot be read or reached."""
    parts = [part for text in ([texts] if isinstance(texts, str) else texts) for part in text.split(",")]
    return tuple(dict.fromkeys(_read_goal(part) for part in parts))


def _read_goal(text: str) -> Goal:
    found = _GOAL.fullmatch(text)
    if not found:
        raise BadInput(f"until '{text.strip()}' is no metric with a half-width; {_FORM}")
    name, number, kind = found.groups()
    metric = load_metric(name)
    why = _why_not(metric)
    if why:
        able = [one for one in metric_names() if not _why_not(load_metric(one))]
        raise BadInput(f"until '{text.strip()}': {name} {why}; allowed: {', '.join(able)}")
    width = float(number)
    if kind == "pp" and metric.unit != SHARE:
        raise BadInput(f"until '{text.strip()}': pp are for shares, {name} is in {metric.unit}; {_FORM}")
    if not kind and metric.unit == SHARE and width >= 1:
        raise BadInput(f"until '{text.strip()}': {name} is a share from 0 to 1; write ± 0.01 or ± 1pp")
    if not width:
        raise BadInput(f"until '{text.strip()}': a half-width is more than 0")
    return Goal(name, width / 100 if kind else width, kind == "%", f"{name} ± {number}{kind or ''}")


def _why_not(metric: Metric) -> str:
    """Why no cell can stop at a metric's interval, or nothing."""
    if not metric.numerator:
        return f"is always split by {', '.join(metric.split)}"
    if metric.interval not in METHODS:
        return f"has no interval that shrinks with the games of a cell (method {metric.interval})"
    if metric.own_kind:
        return "is counted over several line-ups together"
    return ""


def half_widths(run: Run, metric: str, level: float) -> dict[Key, Halves]:
    """Value of a metric in each cell of a run, and half the widths of its interval: as reported, clustered by game."""
    reported = run.metric(metric, by=CELL, level=level)
    from_blocks = reported["source"].str.starts_with("rollup").any()
    clustered = measure(run.cursor(), load_metric(metric), CELL, level=level) if from_blocks else reported
    steady = {(row["variant"], row["lineup"]): _half(row) for row in clustered.iter_rows(named=True)}
    return {
        key: (row["value"], _half(row), steady.get(key))
        for row in reported.iter_rows(named=True)
        for key in [(row["variant"], row["lineup"])]
    }


def _half(row: Mapping[str, Any]) -> float | None:
    """Half the width of an interval, without its last digits: they may depend on the order in which threads add up."""
    return None if row["low"] is None or row["high"] is None else float(f"{(row['high'] - row['low']) / 2:.9g}")


class StopRule:
    """Where each cell of a plan is to be looked at next, and whether it may stop there."""

    def __init__(self, plan: Plan, run: RunWriter) -> None:
        assert run.plan.shard_games is not None
        nothing = Run(run.folder, run.manifest, read_cells(run.manifest, []))
        for goal in plan.until:
            half_widths(nothing, goal.metric, plan.level)  # refuses now what could not be asked later
        self._plan = plan
        self._shard_games = run.plan.shard_games
        self._most = {cell.key: max(cell.games, _planned(run)[cell.key]) for cell in plan.cells}
        self.games = {key: self._whole(FIRST_CHECK, key) for key in self._most}
        """Games to be played of each cell, by its key, before the next look."""
        self._open = set(self.games)
        self._widths: dict[Key, list[Width]] = {}

    @property
    def widths(self) -> tuple[Width, ...]:
        """What the last look at each cell found."""
        return tuple(width for cell in self._plan.cells for width in self._widths.get(cell.key, ()))

    @property
    def games_expected(self) -> int:
        """Games of all cells in the end, as far as can be told."""
        return sum(
            min(max(self.games[key], *(math.ceil(min(one.games_needed, most)) for one in self._widths[key])), most)
            if key in self._widths
            else self.games[key]
            for key, most in self._most.items()
        )

    def look(self, run: RunWriter) -> bool:
        """Look at the cells that have not stopped, whose `games` are all there; whether any needs more."""
        keys = [cell.key for cell in self._plan.cells if cell.key in self._open]
        shards = [one for one in run.commits if one.first_game + one.games - 1 <= self.games.get(one.key[:2], 0)]
        cells = [cell for cell in read_cells(run.manifest, shards) if (cell.variant, cell.lineup) in self._open]
        there = Run(run.folder, run.manifest, cells)
        found = {goal: half_widths(there, goal.metric, self._plan.level) for goal in self._plan.until}
        for key in keys:
            self._widths[key] = [
                Width(*key, goal, self.games[key], *widths.get(key, NOTHING)) for goal, widths in found.items()
            ]
            self._decide(key, _planned(run)[key])
        return bool(self._open)

    def _decide(self, key: Key, held: int) -> None:
        games, missed = self.games[key], [one for one in self._widths[key] if not one.met]
        if missed and games < self._most[key]:
            wanted = max(max(one.games_needed for one in missed) * MARGIN, games * LEAST_GROWTH)
            self.games[key] = self._whole(min(wanted, games * GROWTH), key)
        elif not missed and games < held:
            self.games[key] = held  # of an earlier plan: what it reports must be as narrow
        else:
            self._open.remove(key)

    def _whole(self, games: float, key: Key) -> int:
        return min(math.ceil(games / self._shard_games) * self._shard_games, self._most[key])

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked, for the manifest."""
        return {
            "goals": [goal.text for goal in self._plan.until],
            "level": self._plan.level,
            "most_games": [[*cell.key, cell.games] for cell in self._plan.cells],
        }

    @property
    def reached(self) -> list[dict[str, Any]]:
        """What the last looks found, for the manifest."""
        return [
            {"variant": one.variant, "lineup": one.lineup, "goal": one.goal.text}
            | {"games": one.games, "half_width": one.half_width, "met": one.met}
            for one in self.widths
        ]


def _planned(run: RunWriter) -> dict[Key, int]:
    return {cell.key: cell.games for cell in run.plan.cells}
