"""Finds the line of a value in TOML text, for error messages; tomllib does not tell lines of what it has read.

Text and strings are scanned just far enough to follow tables, keys and places in lists, in text that
tomllib has already accepted.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|'
    r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*'|#[^\n]*|\n|[\[\]{},=]|[^\s\[\]{},=#\"']+",
    re.DOTALL,
)


Path = tuple[str | int, ...]
Place = tuple[Path, int]
Tokens = list[tuple[str, int]]


def find_line(text: str, path: Path) -> int:
    """Line, from 1, of the value at a path of keys and places (from 0); of its nearest parent where it is not found."""
    found = {place: line for place, line in _places(text)}
    for length in range(len(path), 0, -1):
        if path[:length] in found:
            return found[path[:length]]
    return 1


def _places(text: str) -> Iterator[Place]:
    """Every path with the line where it begins."""
    table: Path = ()
    tokens = [(match[0], text.count("\n", 0, match.start()) + 1) for match in _TOKEN.finditer(text)]
    tokens = [(token, line) for token, line in tokens if not token.startswith("#")]
    at = 0
    while at < len(tokens):
        token, line = tokens[at]
        if token == "\n":
            at += 1
        elif token == "[":
            end = _end_of_line(tokens, at)
            table = _keys("".join(word for word, _ in tokens[at:end] if word not in "[]"))
            yield table, line
            at = end
        else:
            end = next((place for place in range(at, len(tokens)) if tokens[place][0] == "="), len(tokens))
            key = (*table, *_keys("".join(word for word, _ in tokens[at:end])))
            yield key, line
            at = yield from _value(tokens, end + 1, key)


def _value(tokens: Tokens, at: int, path: Path) -> Generator[Place, None, int]:
    """Places inside the value that begins at a token; returns the token after it."""
    if at < len(tokens) and tokens[at][0] in "[{":
        return (yield from _list_or_table(tokens, at, path))
    while at < len(tokens) and tokens[at][0] not in "\n,]}":
        at += 1
    return at


def _list_or_table(tokens: Tokens, at: int, path: Path) -> Generator[Place, None, int]:
    is_list = tokens[at][0] == "["
    place = 0
    at += 1
    while at < len(tokens):
        token, line = tokens[at]
        if token in "]}":
            return at + 1
        if token in ("\n", ","):
            at += 1
        elif is_list:
            yield (*path, place), line
            at = yield from _value(tokens, at, (*path, place))
            place += 1
        else:
            end = next((spot for spot in range(at, len(tokens)) if tokens[spot][0] == "="), len(tokens))
            key = (*path, *_keys("".join(word for word, _ in tokens[at:end])))
            yield key, line
            at = yield from _value(tokens, end + 1, key)
    return at


def _end_of_line(tokens: Tokens, at: int) -> int:
    return next((place for place in range(at, len(tokens)) if tokens[place][0] == "\n"), len(tokens))


def _keys(text: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.\s]+", text))
