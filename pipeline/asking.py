"""What the commands that ask runs share: their options, opening the runs, the words below a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import BadInput
from pipeline.output import Format, print_rows

if TYPE_CHECKING:
    import polars as pl

    from pipeline.query import Parameter
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


def print_one(name: str, listed: pl.DataFrame, form: Format) -> None:
    """Prints one row of a list in full, a line for each of its fields that says something."""
    import polars as pl

    row = listed.filter(pl.col("name") == name)
    if form is not Format.TABLE:
        print_rows(row, form)
        return
    for field, text in row.row(0, named=True).items():
        if text and field not in ("parameters", "dimensions", "columns"):
            print(f"{field}: {text}")


def print_parameters(parameters: Mapping[str, Parameter]) -> None:
    """Prints what `--set` may give, a row for each."""
    if parameters:
        print()
        print_rows([{"--set": name, "default": "all" if one.default is None else str(one.default),
                     "meaning": one.description, "one of": " ".join(map(str, one.choices)) or None}
                    for name, one in parameters.items()])  # fmt: skip


def say_level(level: float, cluster: str = "game") -> str:
    """What stands in brackets in a table, and what its intervals are clustered by."""
    return f"In brackets: {level * 100:g} % intervals, each on its own, clustered by {cluster}."
