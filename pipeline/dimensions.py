"""Dimensions that rows have: pipeline/dimensions.toml, one definition each, read off one row of a table.

Variant and line-up are no such dimensions: every row has them, and answers keep the plan's order by them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "dimensions.toml"


@dataclass(frozen=True)
class Dimension:
    """`tables` maps a table to the SQL over one of its rows; `words` are the values in order, if not numbers."""

    name: str
    sentence: str
    tables: Mapping[str, str]
    words: tuple[str, ...] = ()


@cache
def load_dimensions() -> Mapping[str, Dimension]:
    """All dimensions by name."""
    loaded = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: Dimension(name, entry.pop("sentence"), words=tuple(entry.pop("words", ())), tables=entry)
        for name, entry in loaded.items()
    }


def dimensions_of(table: str) -> tuple[str, ...]:
    """Names of the dimensions that rows of a table have."""
    return tuple(name for name, one in load_dimensions().items() if table in one.tables)
