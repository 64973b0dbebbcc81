"""The SQL of a named query with its parameters written in, to be pasted wherever the run's views are."""

from __future__ import annotations

import re
from typing import Any

from pipeline.query import Query


def spell_sql(query: Query, **given: Any) -> str:
    """The query's SQL, each `$name` as a literal; empty where its answer needs more than SQL. BadInput as for `run`."""
    if query.then:
        return ""
    values = {name: parameter.check(given.get(name)) for name, parameter in query.parameters.items()}
    return re.sub(r"\$(\w+)\b", lambda found: _literal(values[found[1]]) if found[1] in values else found[0], query.sql)


def _literal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return "'" + str(value).replace("'", "''") + "'"
