"""The kinds of rule parameter whose value is a table: maps by key, and rows by score or deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from engine.parameter_kinds import ROW_LIMIT, SEAT_LIMIT, Parameter
from engine.parameter_text import BELOW_ALL, FrozenMap, near, read_pairs, read_rows, read_whole, shorten, split_words


def _field(name: str, key: str) -> str:
    return f"{name}_{key.replace(':', '_')}"


@dataclass(frozen=True, kw_only=True)
class Points(Parameter):
    """A number for some of `keys`, for all of `required`; the record holds 0 for a key not given.

    `unknown_keys` may hold none: the source names the thing but not its points.
    """

    type: ClassVar[str] = "map"
    keys: tuple[str, ...]
    required: tuple[str, ...] = ()
    low: int = 0
    high: int = 100_000
    unknown_keys: tuple[str, ...] = ()
    shown_keys: str = ""

    def _allowed(self) -> str:
        keys = self.shown_keys or ", ".join(self.keys)
        free = ", ".join(key for key in keys.split(", ") if key not in self.required)
        parts = [", ".join(self.required)] if self.required else []
        parts += [f"{'' if parts else 'none or '}any of {free}"] if free else []
        return f"{' and '.join(parts)}, each ={self.low}..{self.high}"

    def _read(self, value: object) -> FrozenMap:
        pairs = read_pairs(value)
        if pairs is None:
            raise self.refuse(value, "give key=number,key=number")
        found: dict[str, int | None] = {}
        for key, item in pairs:
            if key not in self.keys:
                raise self.refuse(value, f"no key '{shorten(key)}'{near(key, self.keys)}")
            number = read_whole(item)
            unknown = key in self.unknown_keys and (item is None or item == "none")
            if not unknown and (number is None or not self.low <= number <= self.high):
                raise self.refuse(value, f"{key} is not a number in range")
            found[key] = number
        for key in self.required:
            if key not in found:
                raise self.refuse(value, f"{key} is missing; {self.name}.KEY=… changes one key alone")
        return FrozenMap((key, found[key]) for key in self.keys if key in found)

    def _items(self, value: Any) -> Iterable[Any]:
        return tuple(value)

    def _encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        return {_field(self.name, key): value.get(key) or 0 for key in self.keys}


@dataclass(frozen=True, kw_only=True)
class KeyWords(Parameter):
    """One of `words` for some of `keys`; the record holds 0 for a key not given, else 1 + the word's place."""

    type: ClassVar[str] = "map"
    keys: tuple[str, ...]
    words: tuple[str, ...]

    def _allowed(self) -> str:
        return f"none or any of {', '.join(self.keys)}, each ={' | '.join(self.words)}"

    def _read(self, value: object) -> FrozenMap:
        pairs = read_pairs(value)
        if pairs is None or any(key not in self.keys or item not in self.words for key, item in pairs):
            raise self.refuse(value)
        found = dict(pairs)
        return FrozenMap((key, found[key]) for key in self.keys if key in found)

    def _items(self, value: Any) -> Iterable[Any]:
        return tuple(value)

    def _encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        codes = {key: 1 + self.words.index(word) for key, word in value.items()}
        return {_field(self.name, key): codes.get(key, 0) for key in self.keys}


@dataclass(frozen=True, kw_only=True)
class Minimums(Parameter):
    """Rows (from, minimum), `from` rising; the last row whose `from` is reached holds."""

    type: ClassVar[str] = "rows"
    low: int
    high: int

    def _allowed(self) -> str:
        return (
            f"1 to {ROW_LIMIT} rows from:minimum with rising from and minimum {self.low}..{self.high}, "
            f"such as {self.show(self.default)}"
        )

    def _read(self, value: object) -> tuple[tuple[int, int], ...]:
        rows = read_rows(value)
        if not rows or len(rows) > ROW_LIMIT:
            raise self.refuse(value)
        table = []
        for start, item in rows:
            minimum = read_whole(item)
            if minimum is None or not self.low <= minimum <= self.high:
                raise self.refuse(value)
            table.append((start, minimum))
        _check_starts(self, value, [start for start, _ in table])
        return tuple(table)

    def _encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        return {
            "minimum_rows": len(value),
            "minimum_from": _pad([start for start, _ in value]),
            "minimum_count": _pad([minimum for _, minimum in value]),
        }


@dataclass(frozen=True, kw_only=True)
class Contents(Parameter):
    """One of `words`, or rows (from, word) like `Minimums`; the record holds a row in either case."""

    type: ClassVar[str] = "word or rows"
    words: tuple[str, ...]

    def _allowed(self) -> str:
        return f"{' | '.join(self.words)}, or rows from:word such as <0:any;7000:any_canasta"

    def _read(self, value: object) -> str | tuple[tuple[int, str], ...]:
        if isinstance(value, str) and value.strip() in self.words:
            return value.strip()
        rows = read_rows(value)
        if not rows or len(rows) > ROW_LIMIT or any(word not in self.words for _, word in rows):
            raise self.refuse(value)
        _check_starts(self, value, [start for start, _ in rows])
        return tuple((start, str(word)) for start, word in rows)

    def _items(self, value: Any) -> Iterable[Any]:
        return (value,) if isinstance(value, str) else [word for _, word in value]

    def _encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        rows = ((BELOW_ALL, value),) if isinstance(value, str) else value
        return {
            "content_rows": len(rows),
            "content_from": _pad([start for start, _ in rows]),
            "content_word": _pad([self.words.index(word) for _, word in rows]),
        }


@dataclass(frozen=True, kw_only=True)
class BonusCards(Parameter):
    """Map of `counts`, cards by order of opening, and `when`, one of `words`."""

    type: ClassVar[str] = "map"
    words: tuple[str, ...]
    high: int

    def _allowed(self) -> str:
        return (
            f"when={' | '.join(self.words)} and counts=none or up to {SEAT_LIMIT} numbers 0..{self.high}, "
            "such as counts=4,3,when=next_turn"
        )

    def _read(self, value: object) -> FrozenMap:
        if isinstance(value, str):
            # A word without `=` goes on with the list before it: `counts=4,3,when=next_turn`.
            entries: dict[str, list[str]] = {}
            for word in split_words(value):
                key, mark, item = word.rpartition("=")
                if mark:
                    entries[key.strip()] = [item.strip()]
                elif entries:
                    entries[next(reversed(entries))].append(word)
                else:
                    raise self.refuse(value)
            value = {key: ",".join(words) for key, words in entries.items()}
        if not isinstance(value, Mapping) or not set(value) <= {"counts", "when"}:
            raise self.refuse(value)
        counts, when = value.get("counts", ()), value.get("when", "none")
        counts = split_words(counts) if isinstance(counts, str) else counts
        if when not in self.words or not isinstance(counts, (list, tuple)) or len(counts) > SEAT_LIMIT:
            raise self.refuse(value)
        numbers = tuple(read_whole(item) for item in counts)
        if any(number is None or not 0 <= number <= self.high for number in numbers):
            raise self.refuse(value)
        if bool(numbers) != (when != "none"):
            raise self.refuse(value, "counts and when go together")
        return FrozenMap({"counts": numbers, "when": when})

    def _items(self, value: Any) -> Iterable[Any]:
        return (value["when"],)

    def _encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        return {
            f"{self.name}_counts": _pad(value["counts"], SEAT_LIMIT),
            f"{self.name}_when": self.words.index(value["when"]),
        }


def _pad(numbers: Any, size: int = ROW_LIMIT) -> tuple[int, ...]:
    return (*numbers, *[0] * (size - len(numbers)))


def _check_starts(parameter: Parameter, value: object, starts: list[int]) -> None:
    if any(later <= earlier for earlier, later in pairwise(starts)):
        raise parameter.refuse(value, "from must rise from row to row")
    if starts[0] < BELOW_ALL or starts[-1] > 1_000_000:
        raise parameter.refuse(value, f"from {BELOW_ALL}..1000000")
