"""The kinds a rule parameter can be: what each accepts, how it is written, what it becomes in the record.

A kind accepts a Python value, its JSON form or its text (`--set canastas_out=2`), and returns the one
normal value; anything else raises `BadInput`. `show` writes the text that `check` reads back.
Which parameters there are is `engine.parameters`' to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.errors import BadInput
from engine.parameter_text import plain_value, read_whole, shorten, show_value, split_words

ROW_LIMIT = 8
"""Most rows of a table of minimums or contents."""
LIST_LIMIT = 16
"""Most totals of red threes."""
SEAT_LIMIT = 6


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One rule parameter.

    `default` is the value of `classic4`; `source` names sections of docs/rules.md; `playable` lists what the
    engine plays now (words, numbers or keys), None for everything allowed; a set must hold all of `needed`.
    """

    type: ClassVar[str] = ""
    """Kind in a word or two."""

    group: str
    default: Any
    meaning: str
    source: str
    name: str = ""
    playable: tuple[Any, ...] | None = None
    needed: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """Allowed values in one line."""
        return self._allowed()

    @property
    def playable_now(self) -> str:
        """Values the engine plays now, in one line; `all` when it is all that are allowed."""
        return "all" if self.playable is None and not self.needed else self._playable()

    def check(self, value: object) -> Any:
        """The normal value of what was given; BadInput when it is not allowed."""
        return self._read(value)

    def show(self, value: Any) -> str:
        """Text of a normal value, which `check` reads back."""
        return show_value(value)

    def plain(self, value: Any) -> Any:
        """JSON form of a normal value, which `check` reads back."""
        return plain_value(value)

    def find_unplayable(self, value: Any) -> str | None:
        """What may be played instead of a normal value that the engine does not play yet; None if it does."""
        items = set(self._items(value))
        if (self.playable is None or items <= set(self.playable)) and set(self.needed) <= items:
            return None
        return self._playable()

    def encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        """Values of the compiled record's fields, in order, for a normal value."""
        return self._encode(value)

    def fields(self) -> list[tuple[Any, ...]]:
        """The compiled record's fields, as numpy describes them."""
        encoded = self.encode(self.default).items()
        return [
            (name, np.int32, (len(item),)) if isinstance(item, tuple) else (name, np.int32) for name, item in encoded
        ]

    def refuse(self, value: object, why: str = "") -> BadInput:
        """The error for a value that is not allowed."""
        given = shorten(show_value(value))
        return BadInput(f"{self.name}={given} is not allowed{f' ({why})' if why else ''}; allowed: {self.allowed}")

    def _allowed(self) -> str:
        raise NotImplementedError

    def _read(self, value: object) -> Any:
        raise NotImplementedError

    def _items(self, value: Any) -> Iterable[Any]:
        """The parts of a value that `playable` is about."""
        return (value,)

    def _playable(self) -> str:
        return " | ".join(show_value(item) for item in self.playable or ()) or "none"

    def _encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        return {self.name: int(value or 0)}


@dataclass(frozen=True, kw_only=True)
class Whole(Parameter):
    """A whole number from `low` to `high`, or none where `optional`."""

    type: ClassVar[str] = "number"
    low: int
    high: int
    optional: bool = False

    def _allowed(self) -> str:
        return f"{self.low}..{self.high}" + (" | none" if self.optional else "")

    def _read(self, value: object) -> int | None:
        if self.optional and (value is None or (isinstance(value, str) and value.strip() == "none")):
            return None
        number = read_whole(value)
        if number is None or not self.low <= number <= self.high:
            raise self.refuse(value)
        return number


@dataclass(frozen=True, kw_only=True)
class YesNo(Parameter):
    """Yes or no; 1 or 0 in the record."""

    type: ClassVar[str] = "yes or no"

    def _allowed(self) -> str:
        return "yes | no"

    def _read(self, value: object) -> bool:
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        words = {"yes": True, "true": True, "no": False, "false": False}
        answer = words.get(value.strip().lower()) if isinstance(value, str) else None
        if answer is None:
            raise self.refuse(value)
        return answer


@dataclass(frozen=True, kw_only=True)
class Word(Parameter):
    """One of `words`; its code is its place from 0."""

    type: ClassVar[str] = "word"
    words: tuple[str, ...]

    def _allowed(self) -> str:
        return " | ".join(self.words)

    def _read(self, value: object) -> str:
        if not isinstance(value, str) or value.strip() not in self.words:
            raise self.refuse(value)
        return value.strip()

    def _encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        return {self.name: self.words.index(value)}


@dataclass(frozen=True, kw_only=True)
class Words(Parameter):
    """Any of `words`; in the record a mask with bit `place` set for each."""

    type: ClassVar[str] = "set of words"
    words: tuple[str, ...]

    def _allowed(self) -> str:
        return "none or any of " + ", ".join(self.words)

    def _read(self, value: object) -> tuple[str, ...]:
        given = split_words(value) if isinstance(value, str) else value
        if not isinstance(given, (list, tuple, set, frozenset)) or any(word not in self.words for word in given):
            raise self.refuse(value)
        return tuple(word for word in self.words if word in given)

    def _items(self, value: Any) -> Iterable[Any]:
        return tuple(value)

    def _playable(self) -> str:
        playable = self.words if self.playable is None else self.playable
        free = ", ".join(word for word in playable if word not in self.needed)
        if self.needed:
            return ",".join(self.needed) + (f" with or without {free}" if free else "")
        return f"none or any of {free}" if free else "none"

    def _encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        return {self.name: sum(1 << self.words.index(word) for word in value)}


@dataclass(frozen=True, kw_only=True)
class Totals(Parameter):
    """Totals for 1, 2, 3 … things; the record repeats the last one up to 16."""

    type: ClassVar[str] = "list of numbers"
    low: int
    high: int

    def _allowed(self) -> str:
        return f"1 to {LIST_LIMIT} numbers {self.low}..{self.high}, such as {self.show(self.default)}"

    def _read(self, value: object) -> tuple[int, ...]:
        given = split_words(value) if isinstance(value, str) else value
        if not isinstance(given, (list, tuple)) or not 1 <= len(given) <= LIST_LIMIT:
            raise self.refuse(value)
        numbers = tuple(read_whole(item) for item in given)
        if any(number is None or not self.low <= number <= self.high for number in numbers):
            raise self.refuse(value)
        return numbers  # type: ignore[return-value]

    def _encode(self, value: Any) -> dict[str, int | tuple[int, ...]]:
        return {self.name: (*value, *[value[-1]] * (LIST_LIMIT - len(value)))}
