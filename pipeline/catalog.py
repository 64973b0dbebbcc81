"""DuckDB views over the committed files of a run, and the connection that may read nothing else.

Views name files one by one, never by a pattern, so that what is not committed does not exist. They widen
integers (an 8-bit one overflows at 128), and beside every seat stand its side and strategy; text stays
text. The same statements, with paths relative to the run, make `views.sql` for the DuckDB shell.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import duckdb

from engine import log
from engine.errors import BadInput
from pipeline.card_rows import card_rows
from pipeline.cells import RunCell, cell_rows, cell_types
from pipeline.literal import literal
from pipeline.rollup import has_rollups, load_rollups
from pipeline.schema import duckdb_type
from pipeline.seats import seats_sql

FOLDER = Path(__file__).parent / "sql"
_SHOWING = threading.Lock()
WRITING = {
    "alter",
    "attach",
    "call",
    "checkpoint",
    "copy",
    "create",
    "delete",
    "detach",
    "drop",
    "export",
    "import",
    "insert",
    "install",
    "load",
    "merge",
    "truncate",
    "update",
    "vacuum",
}

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "temp_directory": str(Path(tempfile.gettempdir()) / "canasta-duckdb")
}
"""Of every connection: what does not fit in memory is spilled there, not in the working directory."""


@cache
def read_sql(name: str) -> str:
    """Text of a file of pipeline/sql, such as `views/table.sql`."""
    return (FOLDER / name).read_text(encoding="utf-8")


def files_of(cells: Iterable[RunCell], table: str, games: tuple[int, int] | None = None) -> list[str]:
    """Committed files of a table, relative to the run, of shards that hold any of the games first..last."""
    first, last = games or (1, 2**31)
    return [
        shard.files[table].path
        for cell in cells
        for shard in cell.shards
        if table in shard.files and shard.first_game <= last and first < shard.first_game + shard.games
    ]


def rollups_of(cells: Iterable[RunCell]) -> dict[str, list[str]]:
    """Committed files of each roll-up of today's definitions, relative to the run; nothing where a run has none."""
    current = [shard for cell in cells for shard in cell.shards if shard.rollups and has_rollups(shard)]
    return {name: [shard.rollups[name].path for shard in current] for name in load_rollups()} if current else {}


def views_sql(
    cells: Sequence[RunCell], seed: int, root: str | Path | None = None, games: tuple[int, int] | None = None
) -> str:
    """Statements that make the macros and views of a run; `root` goes before every path, None leaves them relative.

    Roll-ups are of whole shards: where `games` are asked for, there are none.
    """
    rollups = {} if games else rollups_of(cells)
    made = [_rollup_sql(name, files, root) for name, files in rollups.items()]
    return "\n".join([_tables_sql(cells, seed, root, games), *made])


def _tables_sql(
    cells: Sequence[RunCell], seed: int, root: str | Path | None, games: tuple[int, int] | None = None
) -> str:
    """`views_sql` without the roll-ups."""
    return "\n".join(
        [
            read_sql("macros.sql"),
            seats_sql(cells, read_sql("views/seats.sql")),
            _cards_sql(),
            cells_sql(cells, seed),
            *(_table_sql(table, files_of(cells, table, games), root) for table in log.TABLES),
        ]
    )


def committed_sql(cell: RunCell, root: Path) -> str:
    """Statements that make the view `committed` of a cell's files, with whole paths, and the variable `paths`."""
    rows = [
        (str(root / file.path), file.rows, file.bytes, shard.first_game, shard.first_game + shard.games - 1)
        for shard in cell.shards
        for file in shard.files.values()
    ]
    return read_sql("views/committed.sql").format(
        rows=",\n".join("(" + ", ".join(map(literal, row)) + ")" for row in rows)
    )


def write_views(path: Path, cells: Sequence[RunCell], seed: int) -> None:
    """Writes `views.sql` into the run folder in one atomic step."""
    text = (
        "-- The tables of this run as views. In this folder:  duckdb -init views.sql\n"
        "-- From elsewhere, before any question:              set file_search_path = 'path of this folder';\n"
        + views_sql(cells, seed)
    )
    draft = path / "views.sql.tmp"
    draft.write_text(text, encoding="utf-8")
    draft.replace(path / "views.sql")


def connect(
    path: Path, cells: Sequence[RunCell], seed: int, games: tuple[int, int] | None = None, *, lock: bool = True
) -> duckdb.DuckDBPyConnection:
    """An in-memory connection with the run's views and macros.

    Locked, it can open no file but the run's committed ones and its configuration cannot be changed. Use one
    cursor a thread. `games` leaves out files that hold none of the games first..last. Roll-ups have their views
    once `show_rollup` was asked for them: a view reads its files to learn their columns.
    """
    connection = duckdb.connect(config=SETTINGS)
    root = path.resolve()
    connection.execute(_tables_sql(cells, seed, root, games))
    rollups = {} if games else rollups_of(cells)
    made = [(name, _rollup_sql(name, files, root)) for name, files in rollups.items()]
    connection.execute(read_sql("views/unmade.sql").format(rows=",\n".join(map(_row_sql, [*made, ("", "")]))))
    if lock:
        files = [file for table in log.TABLES for file in files_of(cells, table, games)]
        files += [file for one in rollups.values() for file in one]
        paths = [str(path.resolve() / file) for file in files]
        connection.execute(f"set allowed_paths = {literal(paths)}")
        connection.execute("set enable_external_access = false")
        connection.execute("set lock_configuration = true")
    return connection


def show_rollup(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Make the view `rollup_NAME` if the connection of a run has it not yet; BadInput where a file cannot be read."""
    with _SHOWING:
        try:
            views = connection.table_function("duckdb_views").filter("not internal").project("view_name").fetchall()
            if (f"rollup_{name}",) in views or ("unmade_rollups",) not in views:
                return
            found = connection.view("unmade_rollups").filter(f"name = {literal(name)}").fetchall()
            for _, statement in found:
                connection.execute(statement)
        except duckdb.Error:
            raise unreadable_rollup(name) from None


def unreadable_rollup(name: str) -> BadInput:
    """What to do where files of a roll-up are missing or damaged."""
    return BadInput(
        f"roll-up {name} cannot be read, a file of it is missing or damaged: `canasta rollup RUN` makes it anew"
    )


def check_reading(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    """BadInput unless the text is one statement that only reads.

    A locked connection may still overwrite the run's own files by COPY, inside a WITH too.
    """
    try:
        statements = connection.extract_statements(text)
    except duckdb.Error as error:
        raise BadInput(f"not SQL: {first_line(error)}") from None
    if len(statements) != 1:
        raise BadInput(f"{len(statements)} statements: give one")
    kinds = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN, duckdb.StatementType.MULTI)
    marks = [place for place, kind in duckdb.tokenize(text) if kind == duckdb.token_type.keyword]
    words = {_word_at(text, place) for place in marks} & WRITING
    if statements[0].type not in kinds or words:
        raise BadInput(
            "only questions are answered: one SELECT, DESCRIBE, SUMMARIZE or EXPLAIN statement, which may "
            f"hold no {', '.join(sorted(words)) or statements[0].type.name.lower()}"
        )


def first_line(error: Exception) -> str:
    """The first line of what DuckDB says, without the kind of the error; of a wrong name its suggestion too."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    hints = [line for line in lines[1:] if line.startswith(("Did you mean", "Candidate bindings"))]
    return " ".join([lines[0].partition("Error: ")[2] or lines[0], *hints]) if lines else "unknown error"


def _word_at(text: str, place: int) -> str:
    end = place
    data = text.encode()
    while end < len(data) and chr(data[end]).isalpha():
        end += 1
    return data[place:end].decode().lower()


def added_columns(table: str) -> list[tuple[str, str, str]]:
    """Columns that the views add to a table: after which column, name, expression."""
    names = [column.name for column in log.TABLES[table]]
    added = []
    for name in names:
        prefix = name.removesuffix("seat")
        if name == "seat" or name.endswith("_seat"):
            if "side" not in names:
                added.append((name, f"{prefix}side", f"side_of({name}, variant)"))
            added.append((name, f"{prefix}strategy", f"strategy_of({name}, variant, lineup)"))
        elif name in ("side", "winner"):
            added.append(
                (
                    name,
                    "strategy" if name == "side" else "winner_strategy",
                    f"side_strategy_of({name}, variant, lineup)",
                )
            )
    return added


def describe_added(table: str) -> dict[str, tuple[str, str]]:
    """Unit and description of the columns that the views add to a table."""
    described = {"variant": ("", "slug of the rules"), "lineup": ("", "slug of the strategies of all sides")}
    for after, name, _ in added_columns(table):
        kind = "side" if name.endswith("side") else "strategy"
        described[name] = ("number" if kind == "side" else "", f"{kind} of `{after}`")
    return described


def view_type(column: log.Column) -> str:
    """DuckDB type of a column in the views: at least 32 bits."""
    return duckdb_type(column).replace("TINYINT", "INTEGER").replace("SMALLINT", "INTEGER")


def columns_sql(table: str) -> str:
    """What a view selects from the rows of a table: its columns, widened, and beside seats what belongs to them."""
    added = added_columns(table)
    columns = ["variant", "lineup"]
    for column in log.TABLES[table]:
        wide = view_type(column)
        columns.append(column.name if wide == duckdb_type(column) else f"{column.name}::{wide} as {column.name}")
        columns += [f"{expression} as {name}" for after, name, expression in added if after == column.name]
    return ", ".join(columns)


def _table_sql(table: str, files: Sequence[str], root: str | Path | None) -> str:
    if not files:
        nulls = ", ".join(f"null::{duckdb_type(column)} as {column.name}" for column in log.TABLES[table])
        return read_sql("views/no_rows.sql").format(table=table, columns=columns_sql(table), nulls=nulls)
    return read_sql("views/table.sql").format(table=table, columns=columns_sql(table), files=_paths_sql(files, root))


def _rollup_sql(name: str, files: Sequence[str], root: str | Path | None) -> str:
    columns = ["variant", "lineup", *load_rollups()[name].columns]
    return read_sql("views/table.sql").format(
        table=f"rollup_{name}", columns=", ".join(f'"{column}"' for column in columns), files=_paths_sql(files, root)
    )


def _row_sql(values: Sequence[str]) -> str:
    return "(" + ", ".join(map(literal, values)) + ")"


def _paths_sql(files: Sequence[str], root: str | Path | None) -> str:
    return ",\n".join(literal(str(Path(root) / file) if root else file) for file in files)


def cells_sql(cells: Sequence[RunCell], seed: int) -> str:
    """The statement that makes the view `cells`."""
    types = cell_types()
    rows = ",\n".join(
        "(" + ", ".join(f"{literal(row[name])}::{kind}" for name, kind in types.items()) + ")"
        for row in cell_rows(cells, seed)
    )
    return read_sql("views/cells.sql").format(rows=rows, names=", ".join(f'"{name}"' for name in types))


def _cards_sql() -> str:
    values = ",\n".join("(" + ", ".join(map(literal, row.values())) + ")" for row in card_rows())
    return read_sql("views/cards.sql").format(rows=values)
