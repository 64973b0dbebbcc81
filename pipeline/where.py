"""A condition on rows, `where=`: one SQL expression over the columns of one table, read and checked before it is asked.

What is checked is DuckDB's own syntax tree: nothing follows the expression, and it holds columns, values, operators
and functions, no question of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
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
    """A checked condition: its text, and the columns it names, in small letters."""

    text: str
    columns: tuple[str, ...]


def read_condition(connection: duckdb.DuckDBPyConnection, text: str) -> Condition:
    """The condition in a text; BadInput when it is not one expression, or holds more than may be in one."""
    plain, given = (_parse(connection, one) for one in ("true", text))
    if given is None or plain is None:
        raise BadInput(f"where '{text}': not a condition in SQL; {EXAMPLE}")
    condition = given["node"].pop("where_clause")
    plain["node"].pop("where_clause")
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
    names = [node["column_names"] for node in nodes if node["class"] == "COLUMN_REF"]
    for parts in names:
        if len(parts) > 1:
            raise BadInput(f"where '{text}': write {parts[-1]}, not {'.'.join(parts)}")
    return Condition(text, tuple(dict.fromkeys(parts[0].lower() for parts in names)))


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
