"""Plays a plan and writes a run: shards on threads, each thread playing and writing its own.

Numba and Arrow release the interpreter while they work, so threads are enough. Whatever stops a run (Ctrl-C, a full
disk, an illegal choice of a strategy) drops the shards in hand and keeps the finished ones; the same call goes on.
With goals (`until`) it plays in stages: all shards up to where each cell is to be looked at, a look, and on.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import BadInput
from engine.play import play_blocks
from pipeline.compiling import compiling
from pipeline.plan import Plan, Shard, make_plan, read_plan
from pipeline.precision import StopRule, Width
from pipeline.progress import Progress, say
from pipeline.writer import RunWriter, open_writer

POLL_SECONDS = 0.2
PATIENCE_SECONDS = 2.0
GAMES = "canasta-games"
"""Name of the threads that play."""


@dataclass(frozen=True)
class RunSummary:
    """What a call of `simulate` did: games `played` in `seconds` by this call; the rest is what the run now holds.

    `seconds` are those of playing and writing, without compiling. `widths`: how precise each goal of the plan became in
    each cell; without goals there are none.
    """

    path: Path
    played: int
    games: int
    cells: int
    rows: int
    bytes: int
    seconds: float
    workers: int
    widths: tuple[Width, ...] = ()

    @property
    def missed(self) -> tuple[Width, ...]:
        """Goals that were not met with the most games of the cell."""
        return tuple(width for width in self.widths if not width.met)


def simulate(
    plan: Plan | Mapping[str, Any] | Path | str,
    out: Path | str,
    *,
    workers: int | None = None,
    progress: bool = False,
    replace: bool = False,
    until: str | Sequence[str] = (),
) -> RunSummary:
    """Play what the run in folder `out` still lacks of a plan: a Plan, a plan file, or its keys as a mapping.

    `workers` threads (default: one a processor). With `replace` a run that is there goes, once every cell of the new
    one has a shard; what fails before leaves it as it was. `until`, such as `turns_per_game ± 0.1`, plays every cell
    until its intervals are as narrow; the plan's games are then the most of a cell. Rows depend on the plan alone.
    Raises BadInput for a plan that cannot be used or does not fit the run that is there, IllegalChoice from a
    strategy, OSError when the disk refuses, KeyboardInterrupt after cleaning up.
    """
    if not isinstance(plan, Plan):
        keys = plan if isinstance(plan, Mapping) else read_plan(Path(plan))
        plan = make_plan({**keys, "until": [until] if isinstance(until, str) else list(until)} if until else keys)
    elif until:
        plan = plan.asking(until)
    workers = count_processors() if workers is None else workers
    if workers < 1:
        raise BadInput(f"workers={workers}; allowed: 1 or more")
    with open_writer(Path(out), plan.opening(), replace=replace) as run:
        rule = StopRule(plan, run) if plan.until else None
        if rule:
            run.plan_more(rule.games)
        _rehearse(run)
        run.begin()
        if rule:
            run.note(until=rule.asked)
        started = time.monotonic()
        played = _play_stages(run, rule, workers, progress)
        seconds = time.monotonic() - started
        run.finish(seconds=round(seconds, 1), workers=workers)
        files = [file for commit in run.commits for file in commit.files.values()]
        return RunSummary(
            run.folder,
            played,
            sum(commit.games for commit in run.commits),
            len({commit.key[:2] for commit in run.commits}),
            sum(file.rows for file in files),
            sum(file.bytes for commit in run.commits for file in commit.all_files),
            seconds,
            workers,
            rule.widths if rule else (),
        )


def count_processors() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _play_stages(run: RunWriter, rule: StopRule | None, workers: int, progress: bool) -> int:
    """Play what the run lacks, and with goals go on until every cell may stop; the number of games played."""
    with Progress(run.plan.games, _count_done(run), about=rule is not None) as shown:
        played = _play_lacking(run, workers, shown if progress else None)
        while rule and rule.look(run):
            run.plan_more(rule.games)
            shown.total = max(rule.games_expected, run.plan.games)
            _rehearse(run)
            played += _play_lacking(run, workers, shown if progress else None)
    if rule:
        run.note(reached=rule.reached)
    return played


def _count_done(run: RunWriter) -> int:
    return run.plan.games - sum(run.games_lacking().values())


def _play_lacking(run: RunWriter, workers: int, shown: Progress | None) -> int:
    done = _count_done(run)
    stop = threading.Event()
    counter = _Counter()
    running: set[Future[None]] = set()
    pool = ThreadPoolExecutor(workers, thread_name_prefix=GAMES)
    try:
        lacking = run.lacking()
        while True:
            while len(running) < 2 * workers and (shard := next(lacking, None)):
                running.add(pool.submit(_play_shard, run, shard, stop, counter))
            if not running:
                return run.plan.games - done
            ended, running = wait(running, POLL_SECONDS, FIRST_COMPLETED)
            for future in ended:
                future.result()
            if shown:
                shown.update(done + counter.games)
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


def _rehearse(run: RunWriter) -> None:
    """Compile, and play the first game of every cell that lacks games, before anything is written.

    That is where a strategy that does not compile, plays illegally or never ends shows. A thread of its own does it,
    which the process need not wait for: the main thread stays open to Ctrl-C, which compiled code is not.
    """
    lacking = run.games_lacking()
    cells = [cell for cell in run.plan.cells if cell.key in lacking]
    if not cells:
        return
    failed: list[BaseException] = []

    def play() -> None:
        try:
            for cell in cells:
                for _ in play_blocks(cell.variant, cell.lineup, seed=run.plan.seed, first_game=1, games=1):
                    pass
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=play, name=GAMES, daemon=True)
    with compiling():
        thread.start()
        while thread.is_alive():
            thread.join(POLL_SECONDS)
        if failed:
            raise failed[0]


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
