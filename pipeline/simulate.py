"""Plays a plan and writes a run: shards on threads, each thread playing and writing its own.

Numba and Arrow release the interpreter while they work, so threads are enough. Whatever stops a run (Ctrl-C, a full
disk, an illegal choice of a strategy) drops the shards in hand and keeps the finished ones; the same call goes on.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import BadInput
from engine.jit import is_cached
from engine.play import play_blocks
from pipeline.plan import Plan, Shard, make_plan, read_plan
from pipeline.progress import Progress, say, waiting
from pipeline.writer import RunWriter, open_writer

POLL_SECONDS = 0.2


@dataclass(frozen=True)
class RunSummary:
    """What a call of `simulate` did: games `played` in `seconds` by this call; the rest is what the run now holds.

    `seconds` are those of playing and writing, without compiling.
    """

    path: Path
    played: int
    games: int
    cells: int
    rows: int
    bytes: int
    seconds: float
    workers: int


def simulate(
    plan: Plan | Mapping[str, Any] | Path | str, out: Path | str, *, workers: int | None = None, progress: bool = False
) -> RunSummary:
    """Play what the run in folder `out` still lacks of a plan: a Plan, a plan file, or its keys as a mapping.

    `workers` threads (default: one a processor). Rows depend on the plan alone. Raises BadInput for a plan that
    cannot be used or does not fit the run that is there, IllegalChoice from a strategy, OSError when the disk refuses,
    KeyboardInterrupt after cleaning up.
    """
    if not isinstance(plan, Plan):
        plan = make_plan(plan if isinstance(plan, Mapping) else read_plan(Path(plan)))
    workers = count_processors() if workers is None else workers
    if workers < 1:
        raise BadInput(f"workers={workers}; allowed: 1 or more")
    with open_writer(Path(out), plan) as run:
        try:
            shards = [shard for shard in run.plan.shards() if not run.is_done(shard)]
            if shards:
                _compile(run, shards[0], progress)
            started = time.monotonic()
            played = _play_all(run, shards, workers, progress)
        except BaseException:
            with contextlib.suppress(OSError):
                run.write_views()
            raise
        seconds = time.monotonic() - started
        run.finish(seconds=round(seconds, 1), workers=workers)
        files = [file for commit in run.commits for file in commit.files.values()]
        return RunSummary(
            run.folder,
            played,
            sum(commit.games for commit in run.commits),
            len({commit.key[:2] for commit in run.commits}),
            sum(file.rows for file in files),
            sum(file.bytes for file in files),
            seconds,
            workers,
        )


def count_processors() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _play_all(run: RunWriter, shards: Sequence[Shard], workers: int, progress: bool) -> int:
    missing = sum(shard.games for shard in shards)
    stop = threading.Event()
    counter = _Counter()
    with Progress(run.plan.games, run.plan.games - missing) as shown, ThreadPoolExecutor(workers) as pool:
        try:
            waiting = iter(shards)
            running: set[Future[None]] = set()
            while True:
                while len(running) < 2 * workers and (shard := next(waiting, None)):
                    running.add(pool.submit(_play_shard, run, shard, stop, counter))
                if not running:
                    return missing
                done, running = wait(running, POLL_SECONDS, FIRST_COMPLETED)
                for future in done:
                    future.result()
                if progress:
                    shown.update(run.plan.games - missing + counter.games)
        except BaseException:
            stop.set()
            raise


def _compile(run: RunWriter, shard: Shard, progress: bool) -> None:
    """Compile, or load what is compiled, in the main thread, where Ctrl-C can stop it."""
    told = progress and not is_cached()
    if told:
        say("Compiling the engine, once for this version: up to a minute …")
    started = time.monotonic()
    with waiting("Compiling") if told else contextlib.nullcontext():
        for _ in play_blocks(shard.cell.variant, shard.cell.lineup, seed=run.plan.seed, first_game=1, games=1):
            pass
    if told:
        say(f"Compiled in {time.monotonic() - started:.0f} s.")


def _play_shard(run: RunWriter, shard: Shard, stop: threading.Event, counter: _Counter) -> None:
    if stop.is_set():
        return
    writer = run.start(shard)
    try:
        cell = shard.cell
        for blocks in play_blocks(
            cell.variant, cell.lineup, seed=run.plan.seed, first_game=shard.first_game, games=shard.games
        ):
            if stop.is_set():
                writer.abandon()
                return
            writer.add(blocks)
            counter.add(len(blocks["games"]["game"]))
        run.commit(shard, writer.close())
    except BaseException:
        writer.abandon()
        raise


class _Counter:
    """Games played so far, by all threads."""

    def __init__(self) -> None:
        self.games = 0
        self._lock = threading.Lock()

    def add(self, games: int) -> None:
        with self._lock:
            self.games += games
