"""`canasta query`, `queries`, `metric`, `metrics` and `audit`: questions to runs, printed for people or programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.errors import BadInput
from pipeline.output import Format, print_rows

if TYPE_CHECKING:
    import polars as pl

    from pipeline.audit import Report
    from pipeline.run import Run

PrintAs = Annotated[Format, typer.Option("--format", help="How to print.")]
Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs; several add a column `run`.")]
Variants = Annotated[list[str] | None, typer.Option("--variant", help="Only this variant; may be given again.")]
Lineups = Annotated[list[str] | None, typer.Option("--lineup", help="Only this line-up; may be given again.")]
Level = Annotated[float, typer.Option(help="Confidence level of the intervals.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the `canasta` application."""
    for command in (query, queries, metric, metrics, audit):
        app.command(command.__name__)(command)


def query(
    name: Annotated[str, typer.Argument(help="Name of the query; `canasta queries` lists them.")],
    runs: Runs,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Give the query a parameter of its own.")
    ] = None,
    variant: Variants = None,
    lineup: Lineups = None,
    level: Level = 0.95,
    form: PrintAs = Format.TABLE,
) -> int:
    """Answer a named question about runs."""
    from pipeline.answers import print_answer
    from pipeline.query import Column, load_query

    asked = load_query(name)
    own = dict(_split_setting(word) for word in setting or ())
    answer = _ask_all(runs, lambda run: run.query(name, variant or None, lineup or None, **{"level": level, **own}))
    if form is Format.TABLE:
        columns = {"run": Column("run", "", ""), **asked.columns}
        print_answer(asked.title, answer, columns, _interval_note(level))
        if answer.is_empty() and asked.empty:
            print(asked.empty)
    else:
        print_rows(answer, form)
    return 0


def queries(form: PrintAs = Format.TABLE) -> int:
    """List the named queries with their parameters."""
    from pipeline.query import queries as list_queries

    found = list_queries()
    print_rows(found.select("name", "answers", "parameters") if form is Format.TABLE else found, form)
    return 0


def metric(
    name: Annotated[str, typer.Argument(help="Name of the metric; `canasta metrics` lists them.")],
    runs: Runs,
    by: Annotated[
        str | None, typer.Option(help="Dimensions to split by, separated by commas; `none` for all together.")
    ] = None,
    base: Annotated[str | None, typer.Option(help="Also show the difference to this variant or line-up.")] = None,
    where: Annotated[
        str | None, typer.Option(metavar="CONDITION", help='Only rows for which this holds, such as "pile >= 8".')
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Give the metric a parameter of its own.")
    ] = None,
    variant: Variants = None,
    lineup: Lineups = None,
    level: Level = 0.95,
    form: PrintAs = Format.TABLE,
) -> int:
    """Show a metric of runs with its interval.

    By variant and line-up if not told otherwise.
    """
    from pipeline.answers import print_answer
    from pipeline.metric import describe_columns, load_metric

    asked = load_metric(name)
    split = None if by is None else [] if by == "none" else by.split(",")
    own = dict(_split_setting(word) for word in setting or ())
    asking: dict[str, Any] = {
        "variant": variant or None,
        "lineup": lineup or None,
        "where": where,
        "base": base,
        "level": level,
        **own,
    }
    answer = _ask_all(runs, lambda run: run.metric(name, split, **asking))
    if form is Format.TABLE:
        title = f"{asked.title}: {asked.sentence[0].lower()}{asked.sentence[1:]}" + (
            f"; where {where}" if where else ""
        )
        left = ("numerator", "denominator", "method", "p", "form", "sentence")
        print_answer(title, answer.drop(left, strict=False), describe_columns(asked), _interval_note(level))
        for sentence in answer["sentence"].drop_nulls() if base else ():
            print(sentence)
    else:
        print_rows(answer, form)
    return 0


def metrics(form: PrintAs = Format.TABLE) -> int:
    """List the metrics with their definitions."""
    from pipeline.metric import metrics as list_metrics

    found = list_metrics()
    print_rows(found.select("name", "unit", "sentence", "dimensions") if form is Format.TABLE else found, form)
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

    run = _open(path)
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


def _ask_all(paths: list[Path], ask: Callable[[Run], pl.DataFrame]) -> pl.DataFrame:
    """The answers of all runs one below the other, with a column `run` if there are several."""
    import polars as pl

    runs = [_open(path) for path in paths]
    answers = [ask(run) for run in runs]
    if len(runs) == 1:
        return answers[0]
    names = [run.name for run in runs]
    unique = names if len(set(names)) == len(names) else [str(run.path) for run in runs]
    return pl.concat(
        [answer.select(pl.lit(name).alias("run"), pl.all()) for name, answer in zip(unique, answers, strict=True)]
    )


def _open(path: Path) -> Run:
    """The run; standard error hears when it lacks games of its plan."""
    from pipeline.progress import say
    from pipeline.run import open_run

    run = open_run(path)
    if run.unfinished:
        say(f"canasta: {path} is unfinished: {run.unfinished}")
    return run


def _interval_note(level: float) -> str:
    return f"In brackets: {level * 100:g} % intervals, each on its own, clustered by game."


def _split_setting(word: str) -> tuple[str, str]:
    name, mark, value = word.partition("=")
    if not mark:
        raise BadInput(f"--set {word}: write NAME=VALUE")
    return name.strip(), value.strip()
