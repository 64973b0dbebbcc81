"""`canasta query`, `queries` and `audit`: questions to runs, printed for people or programs."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.asking import (
    Folders,
    Level,
    Lineups,
    PrintAs,
    Settings,
    Variants,
    ask_all,
    open_each,
    open_told,
    print_one,
    print_parameters,
    read_settings,
    say_level,
)
from pipeline.output import Format, print_rows

if TYPE_CHECKING:
    import polars as pl

    from pipeline.audit import Report
    from pipeline.run import Run


def register(app: typer.Typer) -> None:
    """Add the commands to the `canasta` application."""
    for command in (query, queries, audit):
        app.command(command.__name__)(command)


def query(
    name: Annotated[str, typer.Argument(help="Name of the query; `canasta queries` lists them.")],
    runs: Folders,
    setting: Settings = None,
    variant: Variants = None,
    lineup: Lineups = None,
    level: Level = 0.95,
    form: PrintAs = Format.TABLE,
) -> int:
    """Answer a named question about runs."""
    from pipeline.answers import print_answer
    from pipeline.query import Column, load_query

    asked = load_query(name)
    own = {"level": level, **read_settings(setting)}
    answer = ask_all(
        open_each(runs), lambda run: _name_run(run, run.query(name, variant or None, lineup or None, **own))
    )
    if form is Format.TABLE:
        columns = {"run": Column("run", "", ""), **asked.columns}
        print_answer(asked.title, answer, columns, say_level(level, "mirror block" if "blocks" in columns else "game"))
        if answer.is_empty() and asked.empty:
            print(asked.empty)
    else:
        print_rows(answer, form)
    return 0


SHARED = ("variant", "lineup", "level")
"""Parameters of every query, which have options of their own."""


def _name_run(run: Run, answer: pl.DataFrame) -> pl.DataFrame:
    """The answer with the run's folder in the commands that it names, to be pasted as they stand."""
    import polars as pl

    if "command" not in answer.columns:
        return answer
    return answer.with_columns(pl.col("command").str.replace("RUN", shlex.quote(run.folders[0]), literal=True))


def queries(
    name: Annotated[str | None, typer.Argument(help="Query to show in full.")] = None, form: PrintAs = Format.TABLE
) -> int:
    """List the named queries, or show one in full."""
    import polars as pl

    from pipeline.query import load_query
    from pipeline.query import queries as list_queries

    if name is not None:
        asked = load_query(name)
        print_one(name, list_queries(), form)
        if form is Format.TABLE:
            print_parameters({one: asked.parameters[one] for one in asked.parameters if one not in SHARED})
            print()
            print_rows([{"column": name, "unit": one.unit, "meaning": one.description}
                        for name, one in asked.columns.items()])  # fmt: skip
    elif form is Format.TABLE:
        question = pl.col("answers").str.extract("^([^:?]*)") + "?"
        print_rows(list_queries().select("name", question.alias("answers")))
        print("\n`canasta queries NAME` shows a query in full, its parameters and columns.")
    else:
        print_rows(list_queries(), form)
    return 0


def audit(
    path: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    only: Annotated[list[str] | None, typer.Option("--only", help="Only this audit; may be given again.")] = None,
    form: PrintAs = Format.TABLE,
) -> int:
    """Ask a run whether it keeps every rule of the log.

    Exit 1 when a row breaks one or games could not be asked. The result of all audits is kept in the run folder, where
    the dashboard finds it.
    """
    from pipeline.audit import audit_run, save_report
    from pipeline.progress import Progress, say

    run = open_told(path)
    with Progress(sum(cell.games for cell in run.parts)) as progress:
        report = audit_run(run, only or None, progress=progress.update)
    _print_report(report, form)
    if not only:
        try:
            save_report(run, report)
        except OSError as error:
            say(f"canasta: the report could not be kept in {path}: {error.strerror}")
    return 0 if report.clean else 1


def _print_report(report: Report, form: Format) -> None:
    if form is not Format.TABLE:
        import polars as pl

        print_rows(
            pl.DataFrame(
                {
                    "audit": one.name,
                    "title": one.title,
                    "rule": one.rule,
                    "rows": one.breaks,
                    "unasked": one.unasked,
                    "seconds": one.seconds,
                    "examples": [str(row) for row in one.examples],
                }
                for one in report.audits
            ),
            form,
        )
        return
    print_rows(
        [
            {
                "audit": one.name,
                "breaks": "not asked" if one.breaks is None else one.breaks,
                "seconds": round(one.seconds, 1),
                "rule": one.rule,
            }
            for one in report.audits
        ],
        form,
    )
    for one in report.audits:
        if one.rows:
            print(f"\n{one.title}: {one.rows:,} rows break it, such as")
            print_rows(one.examples, form)
    print(f"\n{report.games:,} games in {report.seconds:,.0f} s: {report.verdict}")
