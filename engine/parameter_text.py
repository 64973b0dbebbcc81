"""How the values of rule parameters are written as text and read back, and the mapping that holds some.

Words are separated by commas, rows by semicolons: `wild,black3`, `natural=500,mixed=300`, `<0:15;0:50`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

BELOW_ALL = -99_999
"""First score of the row that holds for the lowest scores; written `<0`."""


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


LEAST_BEGUN = 3
"""Letters of a word's beginning that name it."""


def near(word: object, words: Iterable[str]) -> str:
    """Text naming the words that begin so, or those closest to a mistyped one: `; did you mean x or y?`, or nothing."""
    if not isinstance(word, str):
        return ""
    known = list(dict.fromkeys(words))
    begun = [one for one in known if len(word) >= LEAST_BEGUN and one.startswith(word)]
    matches = begun[:3] or difflib.get_close_matches(word, known, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(matches)}?" if matches else ""


def shorten(text: str) -> str:
    """Text given by somebody, on one line and short enough for a message."""
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"


def show_value(value: Any) -> str:
    """Text of a value in any form, which a parameter reads back."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ",".join(f"{key}={show_value(item)}" for key, item in value.items()) or "none"
    if isinstance(value, (tuple, list)):
        if value and all(isinstance(row, (tuple, list)) and len(row) == 2 for row in value):
            starts = ["<0" if start == BELOW_ALL else str(start) for start, _ in value]
            return ";".join(f"{start}:{show_value(item)}" for start, (_, item) in zip(starts, value, strict=True))
        return ",".join(show_value(item) for item in value) or "none"
    return str(value)


def plain_value(value: Any) -> Any:
    """JSON form of a normal value."""
    if isinstance(value, Mapping):
        return {key: plain_value(item) for key, item in value.items()}
    return [plain_value(item) for item in value] if isinstance(value, tuple) else value


def read_whole(value: object) -> int | None:
    """The whole number given as a number or text, or None."""
    if isinstance(value, str):
        try:
            return int(value.strip().encode("ascii"))  # digits of other scripts are no number here
        except ValueError:
            return None
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return int(value)
    return None


def split_words(text: str, mark: str = ",") -> list[str]:
    """Words between marks, without the space around them; an empty text and `none` have none."""
    words = [word.strip() for word in text.split(mark)]
    return [] if words in ([""], ["none"]) else words


def read_pairs(value: object) -> list[tuple[str, object]] | None:
    """Key and value of each entry of a mapping or of `key=value,key=value`.

    None when it is neither, or names a key twice.
    """
    if isinstance(value, Mapping):
        return [(str(key), item) for key, item in value.items()]
    if not isinstance(value, str):
        return None
    pairs = [word.partition("=") for word in split_words(value)]
    if any(not mark for _, mark, _ in pairs) or len({key for key, _, _ in pairs}) < len(pairs):
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
