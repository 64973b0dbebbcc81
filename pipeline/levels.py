"""Confidence levels: which are allowed, how wide they are, and how many digits an interval deserves."""

from __future__ import annotations

import math
from statistics import NormalDist

from engine.errors import BadInput


def check_level(level: float) -> float:
    """The confidence level itself; BadInput unless it lies strictly between 0 and 1."""
    if not isinstance(level, (int, float)) or not 0 < level < 1:
        raise BadInput(f"level {level}: a confidence level lies between 0 and 1, such as 0.95")
    return level


def count_errors(level: float) -> float:
    """Standard errors to each side of the value in a normal interval of this level: 1.96 at 0.95."""
    return NormalDist().inv_cdf(0.5 + check_level(level) / 2)


def count_digits(half_width: float) -> int:
    """Digits after the point that show two significant ones of an interval's half-width."""
    return min(max(1 - math.floor(math.log10(half_width)), 0), 6) if half_width > 0 else 0
