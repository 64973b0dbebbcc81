"""A line of what `canasta bench` prints."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One line: what was measured, its value and unit, what it should be, and how it was taken."""

    figure: str
    value: float
    unit: str
    aim: str
    how: str
