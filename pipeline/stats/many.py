"""Many tests at once: Holm's correction over a table."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pipeline.stats.ratio import Array


def holm(p: ArrayLike) -> Array:
    """Holm's adjusted p-values of a table of tests; NaN stays NaN and does not count as a test."""
    values = np.asarray(p, float)
    adjusted = np.full(values.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    steps = values[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    return adjusted
