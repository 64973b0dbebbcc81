"""What the commands that ask runs share: their options, opening the runs, the words below a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import BadInput
from pipeline.output import Format

if TYPE_CHECKING:
    import polars as pl

    from pipeline.run import Run
    from pipeline.runs import Runs

PrintAs = Annotated[Format, typer.Option("--format", help="How to print.")]
Folders = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs; several add a column `run`.")]
Variants = Annotated[list[str] | None, typer.Option("--variant", help="Only this variant; may be given again.")]
Lineups = Annotated[list[str] | None, typer.Option("--lineup", help="Only this line-up; may be given again.")]
Level = Annotated[float, typer.Option(help="Confidence level of the intervals.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Give a parameter of its own; repeatable.")
]
Where = Annotated[
    str | None, typer.Option(metavar="CONDITION", help='Only rows for which this holds: "pile >= 8 and round = 3".')
]
By = Annotated[str | None, typer.Option(help="Dimensions to split by, separated by commas; `none` for all together.")]


def open_each(paths: Sequence[Path]) -> Runs:
    """The runs of these folders; standard error hears of each that lacks games of its plan."""
    from pipeline.runs import Runs

    return Runs([open_told(path) for path in paths])


def open_told(path: Path) -> Run:
    """A run; standard error hears when it lacks games of its plan."""
    from pipeline.progress import say
    from pipeline.run import open_run

    run = open_run(path)
    if run.unfinished:
        say(f"canasta: {path} is unfinished: {run.unfinished}")
    return run


def ask_all(runs: Runs, ask: Callable[[Run], pl.DataFrame]) -> pl.DataFrame:
    """The answers of all runs one below the other, with a column `run` if there are several."""
    return runs.stack(ask) if len(runs) > 1 else ask(next(iter(runs)))


def split_names(by: str | None) -> list[str] | None:
    """The dimensions in an option, none of them for `none`; None where it was not given."""
    return None if by is None else [] if by == "none" else by.split(",")


def read_settings(words: Sequence[str] | None) -> dict[str, str]:
    """Names and values of `--set NAME=VALUE`; BadInput for a word without `=`."""
    found = {}
    for word in words or ():
        name, mark, value = word.partition("=")
        if not mark:
            raise BadInput(f"--set {word}: write NAME=VALUE")
        found[name.strip()] = value.strip()
    return found


def say_level(level: float) -> str:
    """What stands in brackets in a table."""
    return f"In brackets: {level * 100:g} % intervals, each on its own, clustered by game."
