"""Ratios of sums and their intervals by plain arithmetic, game by game: what the pipeline's are held against."""

from __future__ import annotations

import math
from collections.abc import Sequence

Z = 1.959964


def slow_wilson(p: float, n: float) -> tuple[float, float]:
    centre, scale = p + Z * Z / (2 * n), 1 + Z * Z / n
    half = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return max(0, (centre - half) / scale), min(1, (centre + half) / scale)


def slow_interval(games: Sequence[tuple[float, float]], method: str) -> tuple[float, float | None, float | None]:
    """Value, low and high of the games' numerators and denominators; the latter above 0."""
    k, n, count = sum(k for k, _ in games), sum(n for _, n in games), len(games)
    p = k / n
    if count < 30:
        return p, None, None
    se = math.sqrt(sum((k - p * n) ** 2 for k, n in games) * count / (count - 1)) / n
    if method == "R":
        return p, p - Z * se, p + Z * se
    if method == "B" and n == count:
        return p, *slow_wilson(p, n)
    return p, *slow_wilson(p, count if p in (0, 1) else min(n, p * (1 - p) / se**2))
