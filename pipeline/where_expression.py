"""A condition written as a Polars expression, as the SQL text that `where=` takes.

Comparisons of columns and values, `&`, `|`, `~`, `is_in`, `is_between`, `is_null`, `is_not_null`, `+ - *` and boolean
columns; whatever else Polars can say is refused, with the advice to write SQL.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from engine.errors import BadInput
from pipeline.literal import literal

_SIGNS = {
    "Eq": "=",
    "NotEq": "<>",
    "Lt": "<",
    "LtEq": "<=",
    "Gt": ">",
    "GtEq": ">=",
    "And": "and",
    "Or": "or",
    "Plus": "+",
    "Minus": "-",
    "Multiply": "*",
}
_BETWEEN = {"Both": (">=", "<="), "Left": (">=", "<"), "Right": (">", "<="), "None": (">", "<")}


def write_where(where: str | pl.Expr | None) -> str | None:
    """The condition as SQL text; a text stays as it is. BadInput for an expression that this cannot write."""
    if where is None or isinstance(where, str):
        return where
    if not isinstance(where, pl.Expr):
        raise BadInput(f"where {where!r}: give a condition, as SQL text or as a Polars expression")
    text = _write(json.loads(where.meta.serialize(format="json")))
    return text.removeprefix("(").removesuffix(")") if text.startswith("(") and _is_one(text) else text


def _is_one(text: str) -> bool:
    """Whether the first bracket closes with the last."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return place == len(text) - 1
    return False


def _write(tree: Any) -> str:
    if not isinstance(tree, dict) or len(tree) != 1:
        raise _refused(tree)
    [(kind, inner)] = tree.items()
    if kind == "Column":
        return _column(str(inner))
    if kind == "Literal":
        return literal(_value(tree))
    if kind == "BinaryExpr" and inner["op"] in _SIGNS:
        return f"({_write(inner['left'])} {_SIGNS[inner['op']]} {_write(inner['right'])})"
    if kind == "Function" and isinstance(inner["function"], dict) and "Boolean" in inner["function"]:
        return _write_boolean(inner["function"]["Boolean"], inner["input"])
    raise _refused(tree)


def _column(name: str) -> str:
    """The name of a column; BadInput when it is more than a name, which SQL would read as a condition."""
    if not name.isidentifier():
        raise BadInput(f"where: no column '{name}'")
    return name


def _write_boolean(function: str | Mapping[str, Any], given: Sequence[Any]) -> str:
    if isinstance(function, str):
        patterns = {"Not": "(not {})", "IsNull": "({} is null)", "IsNotNull": "({} is not null)"}
        if function in patterns:
            return patterns[function].format(_write(given[0]))
    elif "IsBetween" in function:
        value, low, high = map(_write, given)
        above, below = _BETWEEN[function["IsBetween"]["closed"]]
        return f"({value} {above} {low} and {value} {below} {high})"
    elif "IsIn" in function:
        values = _value(given[1])
        if isinstance(values, (list, tuple)) and values:
            return f"({_write(given[0])} in ({', '.join(map(literal, values))}))"
    raise _refused(function)


def _value(tree: Any) -> Any:
    """The value of a literal: Polars itself reads what it wrote."""
    try:
        expression = pl.Expr.deserialize(io.BytesIO(json.dumps(tree).encode()), format="json")
        found = pl.select(expression).item()
    except (pl.exceptions.PolarsError, ValueError):
        raise _refused(tree) from None
    value = found.to_list() if isinstance(found, pl.Series) else found
    if not isinstance(value, (bool, int, float, str, list)):
        raise _refused(tree)
    return value


def _refused(tree: Any) -> BadInput:
    what = next(iter(tree)) if isinstance(tree, dict) and tree else str(tree)
    return BadInput(
        f"where: a Polars expression with {what} cannot be turned into SQL; compare columns with values, or write the "
        "condition as text, such as \"pile >= 8 and state = 'open'\""
    )
