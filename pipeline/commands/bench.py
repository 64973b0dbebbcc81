"""`canasta bench`: measured figures beside their aims, on this machine, now."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pipeline.output import Format, print_rows


def register(app: typer.Typer) -> None:
    """Add the command to the `canasta` application."""
    app.command("bench")(bench)


def bench(
    games: Annotated[int, typer.Option(help="Games of the run that is written and read.", min=1_000)] = 40_000,
    workers: Annotated[int | None, typer.Option(help="Threads. [default: one a processor]", min=1)] = None,
    form: Annotated[Format, typer.Option("--format", help="How to print.")] = Format.TABLE,
) -> int:
    """Measure speed, size and memory, each beside its aim.

    Other programs that run meanwhile make it slower.
    """
    from pipeline.bench import measure_figures

    rows = []
    for figure in measure_figures(games, workers=workers):
        print(f"{figure.figure}: {figure.value:,.4g} {figure.unit}", file=sys.stderr)
        rows.append(vars(figure))
    print_rows(rows, form)
    return 0
