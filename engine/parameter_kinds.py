"""The kinds a rule parameter can be: what each accepts, how it is written, what it becomes in the record.

A kind accepts a Python value, its JSON form or its text (`--set canastas_out=2`), and returns the one
normal value; anything else raises `BadInput`. `show` writes the text that `check` reads back.
Which parameters there are is `engine.parameters`' to say.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import BadInput

BELOW_ALL = -99_999
"""First score of the row that holds for the lowest scores; written `<0`."""
ROW_LIMIT = 8
"""Most rows of a table of minimums or contents."""
LIST_LIMIT = 16
"""Most totals of red threes."""
SEAT_LIMIT = 6


class FrozenMap(Mapping[str, Any]):
    """A mapping that cannot change, hashed and compared by content whatever the order."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any] | Iterable[tuple[str, Any]] = ()) -> None:
        self._values = dict(values)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._values!r})"


def near(word: str, words: Iterable[str]) -> str:
    """Text naming the words closest to a mistyped one: `; did you mean x or y?`, or nothing."""
    matches = difflib.get_close_matches(word, list(words), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(matches)}?" if matches else ""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One rule parameter.

    `default` is the value of `classic4`; `source` names sections of docs/rules.md; `playable` lists
    what the engine plays now (words, numbers or keys), None for everything allowed.
    """

    group: str
    default: Any
    meaning: str
    source: str
    name: str = ""
    playable: tuple[Any, ...] | None = None

    @property
    def type(self) -> str:
        """Kind in one or two words."""
        raise NotImplementedError

    @property
    def allowed(self) -> str:
        """Allowed values in one line."""
        raise NotImplementedError

    def check(self, value: object) -> Any:
        """The normal value of what was given; BadInput when it is not allowed."""
        raise NotImplementedError

    def show(self, value: Any) -> str:
        """Text of a normal value, which `check` reads back."""
        return _show(value)

    def plain(self, value: Any) -> Any:
        """JSON form of a normal value."""
        return value

    def find_unplayable(self, value: Any) -> str | None:
        """What may be played instead of a normal value that the engine does not play yet; None if it does."""
        if self.playable is None or value in self.playable:
            return None
        return " | ".join(_show(item) for item in self.playable)

    def fields(self) -> list[tuple[Any, ...]]:
        """Fields of the compiled record."""
        return [(self.name, np.int32)]

    def encode(self, value: Any) -> dict[str, Any]:
        """Values of those fields."""
        return {self.name: value}

    def refuse(self, value: object, why: str = "") -> BadInput:
        """The error for a value that is not allowed."""
        given = value if isinstance(value, str) else _show(value)
        return BadInput(f"{self.name}={given} is not allowed{f' ({why})' if why else ''}; allowed: {self.allowed}")


def _show(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_show(item)}" for key, item in value.items()) or "none"
    if isinstance(value, (tuple, list)):
        if value and all(isinstance(row, (tuple, list)) and len(row) == 2 for row in value):
            return ";".join(f"{'<0' if start == BELOW_ALL else start}:{_show(item)}" for start, item in value)
        return ",".join(_show(item) for item in value) or "none"
    return str(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def read_whole(value: object) -> int | None:
    """The whole number given as a number or text, or None."""
    if isinstance(value, str):
        try:
            return int(value.strip())
        except ValueError:
            return None
    return int(value) if _is_whole(value) else None  # type: ignore[call-overload]


def split_words(text: str, mark: str = ",") -> list[str]:
    words = [word.strip() for word in text.split(mark)]
    return [] if words in ([""], ["none"]) else words


def read_pairs(value: object) -> list[tuple[str, object]] | None:
    """Key and value of each entry of a mapping or of `key=value,key=value`; None when it is neither."""
    if isinstance(value, Mapping):
        return [(str(key), item) for key, item in value.items()]
    if not isinstance(value, str):
        return None
    pairs = [word.partition("=") for word in split_words(value)]
    if any(not mark for _, mark, _ in pairs):
        return None
    return [(key.strip(), item.strip()) for key, _, item in pairs]


def read_rows(value: object) -> list[tuple[int, object]] | None:
    """Rows (from, entry) of a list of pairs or of `<0:15;0:50`; None when it is neither."""
    if isinstance(value, str):
        value = [word.partition(":")[::2] for word in split_words(value, ";")]
    if not isinstance(value, (list, tuple)):
        return None
    rows = []
    for row in value:
        if not isinstance(row, (list, tuple)) or len(row) != 2:
            return None
        start = BELOW_ALL if isinstance(row[0], str) and row[0].strip() == "<0" else read_whole(row[0])
        if start is None:
            return None
        rows.append((start, row[1]))
    return rows


@dataclass(frozen=True, kw_only=True)
class Whole(Parameter):
    """A whole number from `low` to `high`, or none where `optional`."""

    low: int
    high: int
    optional: bool = False

    @property
    def type(self) -> str:
        return "number or none" if self.optional else "number"

    @property
    def allowed(self) -> str:
        return f"{self.low}..{self.high}" + (" | none" if self.optional else "")

    def check(self, value: object) -> int | None:
        if self.optional and (value is None or (isinstance(value, str) and value.strip() == "none")):
            return None
        number = read_whole(value)
        if number is None or not self.low <= number <= self.high:
            raise self.refuse(value)
        return number

    def encode(self, value: Any) -> dict[str, Any]:
        return {self.name: 0 if value is None else value}


@dataclass(frozen=True, kw_only=True)
class YesNo(Parameter):
    """Yes or no."""

    @property
    def type(self) -> str:
        return "yes or no"

    @property
    def allowed(self) -> str:
        return "yes | no"

    def check(self, value: object) -> bool:
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        answer = {"yes": True, "true": True, "no": False, "false": False}.get(str(value).strip().lower())
        if answer is None or not isinstance(value, str):
            raise self.refuse(value)
        return answer


@dataclass(frozen=True, kw_only=True)
class Word(Parameter):
    """One of `words`; its code is its place from 0."""

    words: tuple[str, ...]

    @property
    def type(self) -> str:
        return "word"

    @property
    def allowed(self) -> str:
        return " | ".join(self.words)

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value.strip() not in self.words:
            raise self.refuse(value)
        return value.strip()

    def encode(self, value: Any) -> dict[str, Any]:
        return {self.name: self.words.index(value)}


@dataclass(frozen=True, kw_only=True)
class Words(Parameter):
    """Any of `words`; a mask with bit `place` set for each. The engine plays only sets that hold `needed`."""

    words: tuple[str, ...]
    needed: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        return "set of words"

    @property
    def allowed(self) -> str:
        return "none or any of " + ", ".join(self.words)

    def check(self, value: object) -> tuple[str, ...]:
        given = split_words(value) if isinstance(value, str) else value
        if not isinstance(given, (list, tuple, set, frozenset)) or any(word not in self.words for word in given):
            raise self.refuse(value)
        return tuple(word for word in self.words if word in given)

    def plain(self, value: Any) -> Any:
        return list(value)

    def find_unplayable(self, value: Any) -> str | None:
        playable = self.words if self.playable is None else self.playable
        if set(self.needed) <= set(value) <= set(playable):
            return None
        free = [word for word in playable if word not in self.needed]
        parts = [",".join(self.needed)] if self.needed else []
        parts += [("with or without " if parts else "none or any of ") + ", ".join(free)] if free else []
        return " ".join(parts) or "none"

    def encode(self, value: Any) -> dict[str, Any]:
        return {self.name: sum(1 << self.words.index(word) for word in value)}


@dataclass(frozen=True, kw_only=True)
class Totals(Parameter):
    """Totals for 1, 2, 3 … things; the record repeats the last one up to 16."""

    low: int
    high: int

    @property
    def type(self) -> str:
        return "list of numbers"

    @property
    def allowed(self) -> str:
        return f"1 to {LIST_LIMIT} numbers {self.low}..{self.high}, such as {self.show(self.default)}"

    def check(self, value: object) -> tuple[int, ...]:
        given = split_words(value) if isinstance(value, str) else value
        if not isinstance(given, (list, tuple)) or not 1 <= len(given) <= LIST_LIMIT:
            raise self.refuse(value)
        numbers = [read_whole(item) for item in given]
        if any(number is None or not self.low <= number <= self.high for number in numbers):
            raise self.refuse(value)
        return tuple(numbers)  # type: ignore[arg-type]

    def plain(self, value: Any) -> Any:
        return list(value)

    def fields(self) -> list[tuple[Any, ...]]:
        return [(self.name, np.int32, (LIST_LIMIT,))]

    def encode(self, value: Any) -> dict[str, Any]:
        return {self.name: (*value, *[value[-1]] * (LIST_LIMIT - len(value)))}
