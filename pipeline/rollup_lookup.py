"""What SQL says over the few values of a column: a list of answers for each, numbered, and merged into classes of rows.

Kept for all shards and threads, for the same columns have the same few values again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.log import Column
from pipeline.rollup import FRACTION

MOST_CLASSES = 4096
"""Classes of rows up to which what is counted is put together."""


@dataclass(frozen=True)
class Domain:
    """Logged codes that a column may have: `size` of them from `low`."""

    column: Column
    low: int
    size: int


def find_domain(column: Column, codes: np.ndarray) -> Domain | None:
    """The values of a column; of numbers up to twice as many as there are, so that the same domain comes again."""
    if column.size:
        return None
    if column.kind == "text":
        return Domain(column, 0 if column.nullable else 1, len(column.words) + column.nullable)
    if column.kind == "bool":
        return Domain(column, -1 if column.nullable else 0, 2 + column.nullable)
    low, high = (int(codes.min()), int(codes.max())) if len(codes) else (0, 0)
    low = min(low, -1 if column.nullable else 0)
    low = low if low >= -1 else -(-low // 64 + 1) * 64
    return Domain(column, low, max(8, 1 << (high - low).bit_length()))


def _in_order(answers: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple((answer is None, answer) for answer in answers)


@dataclass(eq=False)
class Lookup:
    """What expressions are over the product of some domains: a list of values for each."""

    domains: tuple[Domain, ...]
    answers: tuple[list[Any], ...]

    @cached_property
    def numbered(self) -> tuple[np.ndarray, list[tuple[Any, ...]]]:
        """Number of the answers at each place, and the answers of each number, in order, nulls last."""
        numbers: dict[tuple[Any, ...], int] = {}
        for answers in sorted(set(zip(*self.answers, strict=True)), key=_in_order):
            numbers[answers] = len(numbers)
        return np.array([numbers[answers] for answers in zip(*self.answers, strict=True)], np.int32), list(numbers)

    def classes(self, fractions: Sequence[bool]) -> tuple[np.ndarray, np.ndarray]:
        """Number of what is counted at each place, and what is counted at each number, in whole numbers."""
        codes, numbers = self.numbered
        whole = [to_whole(list(one), part) for one, part in zip(zip(*numbers, strict=True), fractions, strict=True)]
        return codes, np.ascontiguousarray(np.array(whole).T)


@dataclass(frozen=True)
class Axis:
    """Dimensions that the same columns decide: number of the answers at each place, answers of each number."""

    names: tuple[str, ...]
    lookup: Lookup
    codes: np.ndarray
    answers: list[tuple[Any, ...]]


@dataclass(eq=False)
class Classes:
    """Expressions counted together: lookups whose codes, times a stride, make the class of a row; counts by class."""

    parts: tuple[tuple[Lookup, int], ...]
    counted: np.ndarray
    texts: tuple[str, ...]


_KEPT: dict[Hashable, Any] = {}
_MOST_KEPT = 2_000


def keep(key: Hashable, make: Callable[[], Any]) -> Any:
    """What was made for a key once; of use to every shard, on every thread."""
    found = _KEPT.get(key)
    if found is None:
        if len(_KEPT) > _MOST_KEPT:
            _KEPT.clear()
        found = _KEPT[key] = make()
    return found


def to_whole(values: list[Any] | np.ndarray, fraction: bool) -> np.ndarray:
    """Values as whole numbers, a fraction in parts; 0 where there is none."""
    if isinstance(values, list):
        values = np.array([0 if value is None else value for value in values], float if fraction else np.int64)
    if values.dtype.kind in "fO":  # there is no such row where a value is infinite
        values = np.nan_to_num(values.astype(float), posinf=0, neginf=0)
    return np.array(np.rint(values * FRACTION) if fraction else values, dtype=np.int64)


def merge(groups: list[tuple[Lookup, tuple[str, ...], list[bool]]]) -> list[Classes]:
    """Lookups put together while their classes stay few: rows are then walked fewer times."""
    merged: list[Classes] = []
    ordered = sorted(groups, key=lambda group: len(group[0].numbered[1]))
    for lookup, texts, fractions in ordered:
        _, counted = lookup.classes(fractions)
        if merged and len(merged[-1].counted) * len(counted) <= MOST_CLASSES:
            last = merged.pop()
            both = np.hstack([np.repeat(last.counted, len(counted), axis=0), np.tile(counted, (len(last.counted), 1))])
            parts = (*((part, stride * len(counted)) for part, stride in last.parts), (lookup, 1))
            merged.append(Classes(parts, np.ascontiguousarray(both), last.texts + texts))
        else:
            merged.append(Classes(((lookup, 1),), counted, texts))
    return merged
