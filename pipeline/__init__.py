"""Turns games into tables and tables into answers. Names below are imported when first used.

`open_run(folder)` opens a run for reading; `metrics()` and `queries()` list what can be asked of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.metric import metrics
    from pipeline.query import queries
    from pipeline.run import open_run

__all__ = ["metrics", "open_run", "queries"]
_HOMES = {"metrics": "pipeline.metric", "open_run": "pipeline.run", "queries": "pipeline.query"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pipeline' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
