"""Plays a plan and writes a run: shards on threads, each thread playing and writing its own.

Numba and Arrow release the interpreter while they work, so threads are enough. Whatever stops a run (Ctrl-C, a full
disk, an illegal choice of a strategy) drops the shards in hand and keeps the finished ones; the same call goes on.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Mapping
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
PATIENCE_SECONDS = 2.0
GAMES = "canasta-games"
"""Name of the threads that play."""


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
    plan: Plan | Mapping[str, Any] | Path | str,
    out: Path | str,
    *,
    workers: int | None = None,
    progress: bool = False,
    replace: bool = False,
) -> RunSummary:
    """Play what the run in folder `out` still lacks of a plan: a Plan, a plan file, or its keys as a mapping.

    `workers` threads (default: one a processor). With `replace` a run that is there goes, once the first game of every
    cell of the new one has been played. Rows depend on the plan alone. Raises BadInput for a plan that
    cannot be used or does not fit the run that is there, IllegalChoice from a strategy, OSError when the disk refuses,
    KeyboardInterrupt after cleaning up.
    """
    if not isinstance(plan, Plan):
        plan = make_plan(plan if isinstance(plan, Mapping) else read_plan(Path(plan)))
    workers = count_processors() if workers is None else workers
    if workers < 1:
        raise BadInput(f"workers={workers}; allowed: 1 or more")
    with open_writer(Path(out), plan, replace=replace) as run:
        _rehearse(run, progress)
        run.begin()
        started = time.monotonic()
        played = _play_all(run, workers, progress)
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


def _play_all(run: RunWriter, workers: int, progress: bool) -> int:
    missing = sum(run.games_lacking().values())
    stop = threading.Event()
    counter = _Counter()
    running: set[Future[None]] = set()
    pool = ThreadPoolExecutor(workers, thread_name_prefix=GAMES)
    with Progress(run.plan.games, run.plan.games - missing) as shown:
        try:
            lacking = run.lacking()
            while True:
                while len(running) < 2 * workers and (shard := next(lacking, None)):
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
            pool.shutdown(wait=False, cancel_futures=True)
            _wait_for_games({future for future in running if not future.cancelled()})
            raise
        finally:
            pool.shutdown(wait=False)


def _wait_for_games(running: set[Future[None]]) -> None:
    """Until the threads have dropped what they play. Compiled play ends only with its block of games."""
    _, running = wait(running, PATIENCE_SECONDS)
    if running:
        say("canasta: still in a game; press Ctrl-C again to stop at once")
    while running:
        _, running = wait(running, POLL_SECONDS)


def _rehearse(run: RunWriter, progress: bool) -> None:
    """Compile, and play the first game of every cell that lacks games, before anything is written.

    That is where a strategy that does not compile, plays illegally or never ends shows. A thread of its own does it,
    which the process need not wait for: the main thread stays open to Ctrl-C, which compiled code is not.
    """
    lacking = run.games_lacking()
    cells = [cell for cell in run.plan.cells if cell.key in lacking]
    if not cells:
        return
    told = progress and not is_cached()
    if told:
        say("Compiling the engine, once for this version: up to a minute …")
    started = time.monotonic()
    failed: list[BaseException] = []

    def play() -> None:
        try:
            for cell in cells:
                for _ in play_blocks(cell.variant, cell.lineup, seed=run.plan.seed, first_game=1, games=1):
                    pass
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=play, name=GAMES, daemon=True)
    with waiting("Compiling") if told else contextlib.nullcontext():
        thread.start()
        while thread.is_alive():
            thread.join(POLL_SECONDS)
    if failed:
        raise failed[0]
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
        if stop.is_set():
            writer.abandon()
            return
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
