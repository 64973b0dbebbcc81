"""A condition on rows, `where=`: one SQL expression over a table's columns and dimensions, checked before it is asked.

What is checked is DuckDB's own syntax tree: nothing follows the expression, and it holds columns, values, operators
and functions, no question of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

from engine.errors import BadInput
from pipeline.catalog import read_sql

EXAMPLE = "write one condition on a row, such as pile >= 8 and state = 'open'"
_ALLOWED = {
    "COLUMN_REF",
    "CONSTANT",
    "COMPARISON",
    "CONJUNCTION",
    "OPERATOR",
    "FUNCTION",
    "CASE",
    "CAST",
    "TYPE",
    "BETWEEN",
}
_REFUSED = {
    "SUBQUERY": "a question inside it",
    "WINDOW": "a window function",
    "PARAMETER": "a parameter",
    "LAMBDA": "a lambda",
    "STAR": "a star",
}


@dataclass(frozen=True)
class Condition:
    """A checked condition: its text and where it names columns: name in small letters, first byte, byte behind."""

    text: str
    places: tuple[tuple[str, int, int], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in the order in which they first stand there."""
        return tuple(dict.fromkeys(name for name, _, _ in self.places))

    def spell(self, expressions: Mapping[str, str]) -> str:
        """The text with the expressions of these names, where they have one, in their place."""
        text = self.text.encode()
        for name, start, end in sorted(self.places, key=lambda place: -place[1]):
            if expressions.get(name):
                text = text[:start] + f"({expressions[name]})".encode() + text[end:]
        return text.decode()


def read_condition(connection: duckdb.DuckDBPyConnection, text: str) -> Condition:
    """The condition in a text; BadInput when it is not one expression, or holds more than may be in one."""
    plain, given = (_parse(connection, one) for one in ("true", text))
    if given is None or plain is None:
        raise BadInput(f"where '{text}': not a condition in SQL; {EXAMPLE}")
    condition = given["node"].pop("where_clause")
    before = plain["node"].pop("where_clause")["query_location"]
    parameter = given.pop("named_param_map")
    plain.pop("named_param_map")
    if given != plain:
        raise BadInput(f"where '{text}': more than one expression; {EXAMPLE}")
    nodes = list(_walk(condition))
    for node in nodes:
        kind = node["class"]
        if kind not in _ALLOWED or parameter:
            what = _REFUSED["PARAMETER"] if parameter else _REFUSED.get(kind, kind.lower().replace("_", " "))
            raise BadInput(f"where '{text}': {what} is not allowed; {EXAMPLE}")
    places = []
    for node in nodes:
        if node["class"] != "COLUMN_REF":
            continue
        *table, name = node["column_names"]
        if table:
            raise BadInput(f"where '{text}': write {name}, not {'.'.join([*table, name])}")
        start = node["query_location"] - before
        places.append((name.lower(), start, start + node["query_location_length"]))
    return Condition(text, tuple(places))


def _parse(connection: duckdb.DuckDBPyConnection, text: str) -> dict[str, Any] | None:
    """The statement `… where` this text, as a tree; None when it is none, or not one."""
    [(found,)] = connection.execute(read_sql("metric/where.sql"), {"text": text}).fetchall()
    tree: dict[str, Any] = json.loads(found)
    statements: list[dict[str, Any]] = [] if tree["error"] else tree["statements"]
    return statements[0] if len(statements) == 1 and statements[0]["node"]["type"] == "SELECT_NODE" else None


def _walk(tree: Any) -> Iterator[dict[str, Any]]:
    """All expressions of a tree."""
    if isinstance(tree, dict):
        if "class" in tree:
            yield tree
        for branch in tree.values():
            yield from _walk(branch)
    elif isinstance(tree, list):
        for branch in tree:
            yield from _walk(branch)
