"""How long answers take: metrics and differences off roll-ups, and a question about turns beside a bare scan."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from pipeline.bench_figure import Figure
from pipeline.catalog import read_sql
from pipeline.metric import load_metric, metric_names
from pipeline.plan import make_plan
from pipeline.run import Run, open_run
from pipeline.simulation import simulate

VARIANTS = ["classic4", {"base": "classic4", "canastas_out": 2}]
ASKED = 5


def measure_answers(folder: Path, games: int) -> Iterator[Figure]:
    """Figures of a run of two cells that is made in the folder, with so many games each.

    Answers from roll-ups take as long for any number of games; the scan of the turns grows with them, so it is a ratio.
    """
    simulate(make_plan({"variants": VARIANTS, "lineups": ["safe"], "games": games}), folder)
    run = open_run(folder)
    size = f"warm, two cells of {games:,} games"
    slowest, name = max((_time_warm(partial(run.metric, name)), name) for name in _counted())
    yield Figure("any metric", slowest, "ms", "300 or less", f"{name}, the slowest; {size}")
    base = _time_warm(lambda: run.metric("turns_per_game", base=run.variants[0]))
    yield Figure("a paired difference", base, "ms", "100 or less", f"turns_per_game; {size}")
    yield Figure("findings", _time_warm(run.findings), "ms", "300 or less", f"all metrics of games; {size}")
    question, scan = measure_turns_question(run)
    how = f"discard_risk where pile >= 8: {question:.0f} ms against {scan:.0f}; {size}"
    yield Figure("a question about turns", question / scan, "× a bare scan", "1.2 or less", how)


def measure_turns_question(run: Run) -> tuple[float, float]:
    """Milliseconds of a question about turns, and of adding up the columns it reads."""
    scan = read_sql("metric/bare_scan.sql")
    cursor = run.cursor()
    return (
        _time_warm(lambda: run.metric("discard_risk", ["variant", "lineup"], where="pile >= 8")),
        _time_warm(lambda: cursor.sql(scan).fetchall()),
    )


def _counted() -> list[str]:
    """Metrics that are ratios of sums."""
    return [name for name in metric_names() if not load_metric(name).own_kind]


def _time_warm(ask: Callable[[], object]) -> float:
    """Milliseconds of the fastest of some askings after a first one."""
    ask()
    times = []
    for _ in range(ASKED):
        start = time.perf_counter()
        ask()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3
