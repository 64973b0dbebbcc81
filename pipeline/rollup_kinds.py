"""Kinds of rows: rows that count the same in all that roll-ups count of their table.

Few kinds occur of the many that there might be. So the kind of a row is found once for all roll-ups of a table, and a
row then costs each of them one addition of a short vector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.rollup_kernel import loops
from pipeline.rollup_lookup import Classes, Lookup

MOST_KINDS = 1 << 16
"""Kinds of rows there may be, up to which groups of expressions are put together."""


@dataclass(eq=False)
class Kinds:
    """Expressions, the kind of every row, and what each kind counts: a row of `counted`."""

    texts: tuple[str, ...]
    rows: np.ndarray
    counted: np.ndarray

    def numbers_of(self, texts: tuple[str, ...]) -> np.ndarray:
        """What these expressions count, a row a kind; in 32 bits where no sum over all rows can be beyond them."""
        picked = self.counted[:, [self.texts.index(text) for text in texts]]
        small = np.abs(picked).max(initial=0) * len(self.rows) < 1 << 31
        return np.ascontiguousarray(picked, dtype=np.int32 if small else np.int64)


def find_kinds(
    rows: int, groups: Sequence[Classes], add: Callable[[np.ndarray, Lookup, np.ndarray, int], None]
) -> list[Kinds]:
    """The kinds of so many rows in each group of classes, those put together whose kinds stay few.

    `add` adds to numbers of rows the code that each has in a lookup, so many times.
    """
    found: list[Kinds] = []
    for classes in groups:
        numbers = np.zeros(rows, np.int32)
        for lookup, stride in classes.parts:
            add(numbers, lookup, lookup.numbered[0], stride)
        kinds = _narrow(Kinds(classes.texts, numbers, classes.counted))
        if found and len(found[-1].counted) * len(kinds.counted) <= MOST_KINDS:
            kinds = _narrow(_multiply(found.pop(), kinds))
        found.append(kinds)
    return found


def _narrow(kinds: Kinds) -> Kinds:
    """Those kinds that occur."""
    there = np.zeros(len(kinds.counted), np.bool_)
    loops().mark_values(there, kinds.rows, 0)
    numbers = np.flatnonzero(there)
    places = np.zeros(len(there), np.int32)
    places[numbers] = np.arange(len(numbers), dtype=np.int32)
    rows = np.zeros(len(kinds.rows), np.int32)
    loops().add_codes(rows, kinds.rows, 0, places)
    return Kinds(kinds.texts, rows, kinds.counted[numbers])


def _multiply(one: Kinds, two: Kinds) -> Kinds:
    """Kinds by two groups of expressions."""
    width = len(two.counted)
    counted = np.hstack([np.repeat(one.counted, width, axis=0), np.tile(two.counted, (len(one.counted), 1))])
    return Kinds(one.texts + two.texts, one.rows * np.int32(width) + two.rows, counted)
