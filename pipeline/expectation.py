"""What a plan will give, before it is played: games, time, size and half-widths of intervals, from a small pilot.

Half-widths shrink with the root of the games, so that a few hundred games tell those of millions within some per
cent; time and size are scaled up from what the pilot took. All of it is an estimate and says so.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from engine.errors import BadInput
from pipeline.answers import show_number
from pipeline.levels import count_digits
from pipeline.metric import describe_columns, load_metric
from pipeline.output import print_rows
from pipeline.plan import FIRST_CHECK, Cell, Plan, make_plan, read_plan
from pipeline.precision import NOTHING, SHARE, Halves, Width, half_widths, read_goals
from pipeline.progress import show_seconds
from pipeline.run import open_run
from pipeline.simulation import count_processors, simulate

HEADLINES = ("turns_per_game", "turns_per_deal", "frozen_turn_share", "canastas_per_side_deal")
PILOT_GAMES = 640
SHORT = 10
"""Seconds below which tenths are told."""
COLUMNS = {
    "variant": pl.String,
    "lineup": pl.String,
    "metric": pl.String,
    "unit": pl.String,
    "value": pl.Float64,
    "half_width": pl.Float64,
    "level": pl.Float64,
    "games": pl.Int64,
    "seconds": pl.Float64,
    "bytes": pl.Int64,
    "pilot_games": pl.Int64,
    "goal": pl.String,
    "games_needed": pl.Int64,
    "enough": pl.Boolean,
}


@dataclass(frozen=True)
class _Pilot:
    """What the pilot of a cell took, of one thread, and how wide its intervals are, by metric."""

    cell: Cell
    seconds: float
    bytes: int
    widths: dict[str, Halves]


def expect(
    plan: Plan | Mapping[str, Any] | Path | str,
    metrics: Sequence[str] = HEADLINES,
    *,
    pilot: int = PILOT_GAMES,
    workers: int | None = None,
) -> pl.DataFrame:
    """What a plan, a plan file or its keys will give, one row a cell and metric: `COLUMNS`.

    `value` is that of the pilot, `half_width` that expected of the metric's interval after `games`. These are the
    plan's, or, where it has goals, those after which the cell should stop; `games_needed` are those of the row's own
    `goal`, null if it cannot be told, `enough` says whether the plan's games suffice. `seconds` and `bytes` are of the
    whole cell with that many `workers` (default: one a processor). Plays `pilot` games of each cell into a temporary
    folder. Raises BadInput for metrics whose half-width cannot be told.
    """
    if pilot < 1:
        raise BadInput(f"pilot={pilot}; allowed: 1 or more games")
    if not isinstance(plan, Plan):
        plan = make_plan(plan if isinstance(plan, Mapping) else read_plan(Path(plan)))
    names = list(dict.fromkeys([*metrics, *(goal.metric for goal in plan.until)]))
    read_goals(f"{name} ± 100%" for name in names)  # refuses what has no half-width
    threads = workers or count_processors()
    size = plan.settled().shard_games or 1
    rows = [row for one in _play_pilots(plan, names, pilot) for row in _expect_cell(plan, one, pilot, threads, size)]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def _play_pilots(plan: Plan, names: Sequence[str], games: int) -> Iterator[_Pilot]:
    """The pilot of each cell: one run that gets one cell more after another, so that each is timed alone."""
    with tempfile.TemporaryDirectory(prefix="canasta-pilot-") as folder:
        cells = [replace(cell, games=games) for cell in plan.cells]
        seconds, sizes, held = [], [], 0
        for count in range(1, len(cells) + 1):
            part = replace(plan, cells=tuple(cells[:count]), shard_games=games, until=())
            done = simulate(part, Path(folder) / "run", workers=1)
            seconds.append(done.seconds)
            sizes.append(done.bytes - held)
            held = done.bytes
        run = open_run(Path(folder) / "run")
        widths = {name: half_widths(run, name, plan.level) for name in names}
    for cell, took, size in zip(plan.cells, seconds, sizes, strict=True):
        yield _Pilot(cell, took, size, {name: found.get(cell.key, NOTHING) for name, found in widths.items()})


def _expect_cell(plan: Plan, found: _Pilot, pilot: int, workers: int, shard_games: int) -> Iterator[tuple[Any, ...]]:
    cell = found.cell
    needed = {
        goal.metric: (goal.text, Width(*cell.key, goal, pilot, *found.widths[goal.metric]).games_needed)
        for goal in plan.until
    }
    games = cell.games
    if needed:
        last = max(FIRST_CHECK, *(count for _, count in needed.values()))
        games = min(math.ceil(min(last, cell.games) / shard_games) * shard_games, cell.games)
    for name, (value, _, half) in found.widths.items():
        goal, count = needed.get(name, (None, math.inf))
        yield (
            *cell.key,
            name,
            load_metric(name).unit,
            value,
            None if half is None else half * math.sqrt(pilot / games),
            plan.level,
            games,
            found.seconds * games / pilot / workers,
            round(found.bytes * games / pilot),
            pilot,
            goal,
            math.ceil(count) if math.isfinite(count) else None,
            None if goal is None else count <= cell.games,
        )


def print_expectation(frame: pl.DataFrame) -> None:
    """The expectation for people: a row a cell with its games, time, size and metrics, and what it rests on."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for one in frame.iter_rows(named=True):
        row = rows.setdefault(
            (one["variant"], one["lineup"]),
            {
                "variant": one["variant"],
                "lineup": one["lineup"],
                "games": one["games"],
                "time": _show_time(one["seconds"]),
                "MB": round(one["bytes"] / 1e6, 1),
            },
        )
        row[one["metric"]] = _show_width(one)
    cells = frame.unique(["variant", "lineup"], maintain_order=True)
    games, seconds, size = (float(cells[name].sum()) for name in ("games", "seconds", "bytes"))
    print_rows(list(rows.values()))
    print(
        f"{games:,.0f} games, about {_show_time(seconds)}, {size / 1e6:,.1f} MB; ± half the width of the "
        f"{frame['level'][0]:.0%} interval: an estimate from a pilot of {frame['pilot_games'][0]:,} games a cell"
    )
    for one in frame.filter(~pl.col("enough")).iter_rows(named=True):
        takes = "cannot be told" if one["games_needed"] is None else f"would take {one['games_needed']:,} games"
        print(f"{one['variant']} {one['lineup']}: {one['goal']} {takes}, more than the plan has")


def _show_width(row: dict[str, Any]) -> str:
    if row["half_width"] is None:
        return "–"
    column = describe_columns(load_metric(row["metric"]))["value"]
    share = row["unit"] == SHARE
    digits = count_digits(row["half_width"] * (100 if share else 1))
    return f"± {show_number(row['half_width'], column, digits)}{'pp' if share else ''}"


def _show_time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < SHORT else show_seconds(seconds)
