"""Named queries: one file pipeline/sql/queries/NAME.sql each, a TOML header in a comment, then one SELECT.

The header says title, what the query answers, its grain, parameters (type, default, description, choices)
and columns (unit, description, digits). Both are checked: parameters before anything is asked, columns
against what came out. A share has the unit `%` and lies between 0 and 1 in the data. Columns `x`, `x_low`,
`x_high` are a value and its interval. Every query takes `variant`, `lineup` and `level`. `empty` says what it means
that there are no rows. `{NAME}` in the SQL is a relation of pipeline/sql/relations, and `then` a function of
`pipeline.kinds.ladder` that makes the answer of the rows.
"""

from __future__ import annotations

import importlib
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from engine.errors import BadInput
from engine.parameter_text import near
from pipeline import levels

FOLDER = Path(__file__).parent / "sql" / "queries"
RELATIONS = Path(__file__).parent / "sql" / "relations"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a query; `default` None means: all, or none."""

    name: str
    type: str
    default: Any
    description: str
    choices: tuple[Any, ...] = ()
    least: float | None = None

    def check(self, value: Any) -> Any:
        """The value itself, read from text if need be; BadInput says what is allowed."""
        if value is None:
            return self.default
        try:
            checked: Any = _READERS[self.type](value)
        except (TypeError, ValueError, OverflowError):
            raise BadInput(f"{self.name}: '{value}' given; give {_NAMES[self.type]}") from None
        if self.least is not None and checked < self.least:
            raise BadInput(f"{self.name}: '{value}' given; give {self.least} or more")
        if self.choices and checked not in self.choices:
            raise BadInput(f"{self.name}: '{value}' given; one of {', '.join(map(str, self.choices))}")
        return checked


@dataclass(frozen=True)
class Column:
    """A column of an answer; `digits` after the point when shown, of a share's percentage."""

    name: str
    unit: str
    description: str
    digits: int = 0


@dataclass(frozen=True)
class Query:
    """A named query, its header read and checked."""

    name: str
    title: str
    answers: str
    grain: tuple[str, ...]
    parameters: Mapping[str, Parameter]
    columns: Mapping[str, Column]
    sql: str
    empty: str = ""
    then: str = ""


def _whole(value: Any) -> int:
    if isinstance(value, bool) or int(value) != float(value) or abs(int(value)) >= 2**63:
        raise ValueError
    return int(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not math.isfinite(number := float(value)):
        raise ValueError
    return number


def _yes_no(value: Any) -> bool:
    words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    return words[str(value).lower()] if str(value).lower() in words else bool(_refuse())


def _refuse() -> int:
    raise ValueError


def _texts(value: Any) -> list[str]:
    return value.split(",") if isinstance(value, str) else [str(item) for item in value]


_READERS: dict[str, Callable[[Any], Any]] = {
    "int": _whole,
    "float": _number,
    "text": str,
    "bool": _yes_no,
    "texts": _texts,
}
_NAMES = {
    "int": "a whole number",
    "float": "a number",
    "text": "a text",
    "bool": "yes or no",
    "texts": "one or several names, separated by commas",
}
COMMON = {
    "variant": Parameter("variant", "texts", None, "only these variants; all if not given"),
    "lineup": Parameter("lineup", "texts", None, "only these line-ups; all if not given"),
    "level": Parameter("level", "float", 0.95, "confidence level of the intervals"),
}
"""Parameters that every query takes."""


def query_names() -> tuple[str, ...]:
    """Names of all queries."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.sql")))


@cache
def load_query(name: str) -> Query:
    """A named query; BadInput names those there are."""
    if name not in query_names():
        raise BadInput(f"no query '{name}'{near(name, query_names())}; there are {', '.join(query_names())}")
    return parse_query(name, (FOLDER / f"{name}.sql").read_text(encoding="utf-8"))


def parse_query(name: str, text: str) -> Query:
    """The query of a file's text; ValueError tells what its header lacks."""
    header, sql = split_header(name, text)
    unknown = set(header) - {"title", "answers", "grain", "parameters", "columns", "empty", "then"}
    if unknown or not {"title", "answers", "grain", "columns"} <= set(header):
        raise ValueError(
            f"{name}.sql: the header has title, answers, grain, columns and may have parameters, empty, then; "
            f"found {', '.join(header)}"
        )
    own = {key: read_parameter(name, key, entry) for key, entry in header.get("parameters", {}).items()}
    columns = {key: Column(key, **entry) for key, entry in header["columns"].items()}
    if not set(header["grain"]) <= set(columns):
        raise ValueError(f"{name}.sql: the grain {header['grain']} is no part of the columns")
    return Query(
        name,
        header["title"],
        header["answers"],
        tuple(header["grain"]),
        {**COMMON, **own},
        columns,
        fill_in_relations(sql),
        header.get("empty", ""),
        header.get("then", ""),
    )


def fill_in_relations(sql: str) -> str:
    """The SQL with each `{NAME}` of a relation as a question of its own."""
    for path in RELATIONS.glob("*.sql"):
        sql = sql.replace(f"{{{path.stem}}}", f"({path.read_text(encoding='utf-8').strip()}) as {path.stem}")
    return sql


def split_header(name: str, text: str) -> tuple[dict[str, Any], str]:
    """The TOML in a file's first comment, and the SQL after it."""
    start, mark, sql = text.strip().partition("*/")
    if not start.startswith("/*") or not mark:
        raise ValueError(f"{name}.sql: begins with a header between /* and */")
    return tomllib.loads(start.removeprefix("/*")), sql.strip().removesuffix(";")


def read_parameter(owner: str, name: str, entry: Mapping[str, Any]) -> Parameter:
    """A parameter as the file of its query or metric declares it; ValueError tells what is wrong with it."""
    if entry.get("type") not in _READERS:
        raise ValueError(f"{owner}: the type of parameter {name} is one of {', '.join(_READERS)}")
    parameter = Parameter(
        name,
        entry["type"],
        entry.get("default"),
        entry["description"],
        tuple(entry.get("choices", ())),
        entry.get("least"),
    )
    parameter.check(parameter.default)
    return parameter


def run_query(connection: duckdb.DuckDBPyConnection, query: Query, **given: Any) -> pl.DataFrame:
    """Answer of a query on a run's connection; BadInput for a parameter it does not take or a value not allowed."""
    for name in given:
        if name not in query.parameters:
            raise BadInput(
                f"query {query.name} takes no '{name}'{near(name, query.parameters)}; it takes "
                f"{', '.join(query.parameters)}"
            )
    values = {name: parameter.check(given.get(name)) for name, parameter in query.parameters.items()}
    levels.check_level(values["level"])
    used = {name: value for name, value in values.items() if re.search(rf"\${name}\b", query.sql)}
    answer = plain_frame(connection.sql(query.sql, params=used or None))
    if query.then:
        answer = getattr(importlib.import_module("pipeline.kinds.ladder"), query.then)(answer, values["level"])
    if answer.columns != list(query.columns):
        raise ValueError(f"{query.name}.sql: its header says {list(query.columns)}, it gives {answer.columns}")
    return answer


def plain_frame(relation: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """The answer as Polars; sums, which come as decimals of 38 digits, as whole numbers where they fit 64 bits."""
    frame: pl.DataFrame = relation.pl()
    for name, kind in frame.schema.items():
        if kind == pl.Decimal(38, 0):
            whole = frame[name].cast(pl.Int64, strict=False)
            if whole.null_count() == frame[name].null_count():
                frame = frame.with_columns(whole)
    return frame


def queries() -> pl.DataFrame:
    """All named queries: name, title, what each answers, grain, parameters with types and defaults, columns."""
    loaded = [load_query(name) for name in query_names()]
    return pl.DataFrame(
        {
            "name": [query.name for query in loaded],
            "title": [query.title for query in loaded],
            "answers": [query.answers for query in loaded],
            "grain": [", ".join(query.grain) for query in loaded],
            "parameters": [
                ", ".join(
                    f"{one.name}: {one.type} = {'all' if one.default is None else one.default}"
                    for one in query.parameters.values()
                )
                for query in loaded
            ],
            "columns": [
                ", ".join(
                    f"{column.name} ({column.unit})" if column.unit else column.name
                    for column in query.columns.values()
                )
                for query in loaded
            ],
        }
    )
