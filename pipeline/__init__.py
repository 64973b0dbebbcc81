"""Turns games into tables and tables into answers; `import pipeline as cl` in a notebook (docs/notebook.md).

Runs: `open_run`, `open_runs`, `simulate`, `sweep` over rules, and `play` in memory. What there is: `metrics`,
`queries`, `variants`, `strategies`, `cards`, `rules`. One's own: `strategy` declares a decision, `stats` gives
intervals on any frame, `check` judges a deal. Names are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline import stats
    from pipeline.in_memory import play
    from pipeline.metric import metrics
    from pipeline.notebook import cards, check, rules, simulate, strategies, strategy, variants
    from pipeline.query import queries
    from pipeline.run import open_run
    from pipeline.runs import open_runs
    from pipeline.sweeps import sweep

__all__ = [
    "cards",
    "check",
    "metrics",
    "open_run",
    "open_runs",
    "play",
    "queries",
    "rules",
    "simulate",
    "stats",
    "strategies",
    "strategy",
    "sweep",
    "variants",
]
_HOMES = {
    "metrics": "pipeline.metric",
    "open_run": "pipeline.run",
    "open_runs": "pipeline.runs",
    "play": "pipeline.in_memory",
    "queries": "pipeline.query",
    "sweep": "pipeline.sweeps",
    **dict.fromkeys(("cards", "check", "rules", "simulate", "strategies", "strategy", "variants"), "pipeline.notebook"),
}


def __getattr__(name: str) -> Any:
    if name == "stats":
        return import_module("pipeline.stats")
    if name not in _HOMES:
        raise AttributeError(f"module 'pipeline' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
