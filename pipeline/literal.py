"""Values as DuckDB writes them in a statement."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any


def literal(value: Any) -> str:
    """A value as DuckDB writes it: a mapping is a map, a list a list, a tuple a struct by place."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "map {" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(literal(item) for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"row({inner})"
    return "'" + str(value).replace("'", "''") + "'"


def fill_in(text: str, chosen: Mapping[str, Sequence[str]], values: Mapping[str, Any]) -> str:
    """A statement with names in place of its choices (`picked(variant, $variant)`), values in place of parameters."""
    for name, names in chosen.items():
        text = text.replace(f"picked({name}, ${name})", f"{name} in ({', '.join(map(literal, names))})")
    for name, value in values.items():
        text = re.sub(rf"\${name}\b", lambda _, value=value: literal(value), text)  # type: ignore[misc]
    return text
