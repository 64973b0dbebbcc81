"""The compiled loops of the roll-ups: add a code to a key, mark values, count what a class of rows counts or a number.

Compiled when first asked for and cached in a folder of their own, like a strategy: they are no part of the kernel.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numba
import numpy as np

from engine.jit import KERNEL_CACHE, cache_root, digest_of

_LOCK = threading.Lock()


def add_codes(keys: np.ndarray, column: np.ndarray, low: int, codes: np.ndarray) -> None:
    """To the key of every row add the code of its column's value; `low` is the value of the first."""
    for row in range(len(keys)):
        keys[row] += codes[np.uint64(column[row] - low)]  # unsigned: no test for a place from the end, twice as fast


def mark_values(there: np.ndarray, column: np.ndarray, low: int) -> None:
    """Mark the values that occur in a column; `low` is the value of the first mark."""
    for row in range(len(column)):
        there[np.uint64(column[row] - low)] = True


def count_classes(keys: np.ndarray, classes: np.ndarray, counted: np.ndarray, sums: np.ndarray) -> None:
    """For every row add what its class counts, a row of `counted`, to the row of its key."""
    columns = np.uint64(counted.shape[1])
    for row in range(len(keys)):
        key, kind = np.uint64(keys[row]), np.uint64(classes[row])
        for column in range(columns):
            sums[key, np.uint64(column)] += counted[kind, np.uint64(column)]


def count_values(keys: np.ndarray, values: np.ndarray, sums: np.ndarray) -> None:
    """For every row add its value to the number of its key."""
    for row in range(len(keys)):
        sums[np.uint64(keys[row])] += values[row]


@dataclass(frozen=True)
class Loops:
    """The compiled functions."""

    add_codes: Callable[[np.ndarray, np.ndarray, int, np.ndarray], None]
    mark_values: Callable[[np.ndarray, np.ndarray, int], None]
    count_classes: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]
    count_values: Callable[[np.ndarray, np.ndarray, np.ndarray], None]


@cache
def _compile() -> Loops:
    keys, sums, columns = "int32[::1]", ("int32[:, ::1]", "int64[:, ::1]"), ("int8[::1]", "int16[::1]", "int32[::1]")
    numba.config.CACHE_DIR = str(cache_root() / f"rollups-{digest_of([Path(__file__)])}")  # type: ignore[attr-defined]
    try:
        return Loops(
            _njit(add_codes, [f"void({keys}, {column}, int64, {keys})" for column in columns]),
            _njit(mark_values, [f"void(boolean[::1], {column}, int64)" for column in columns]),
            _njit(count_classes, [f"void({keys}, {keys}, {one}, {one})" for one in sums]),
            _njit(count_values, [f"void({keys}, int64[::1], int64[::1])"]),
        )
    finally:
        numba.config.CACHE_DIR = str(KERNEL_CACHE)  # type: ignore[attr-defined]


def _njit(function: Callable[..., None], signatures: list[str]) -> Callable[..., None]:
    compiled: Callable[..., None] = numba.njit(signatures, nogil=True, cache=True, error_model="numpy")(function)
    return compiled


def loops() -> Loops:
    """The loops, compiled; the first call of all should not be on a thread, for it sets where Numba caches."""
    with _LOCK:
        return _compile()
