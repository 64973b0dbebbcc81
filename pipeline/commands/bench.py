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
    variants: Annotated[
        bool, typer.Option("--variants", help="Speed of each preset instead; nothing written.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="How to print.")] = Format.TABLE,
) -> int:
    """Measure speed, size and memory, each beside its aim.

    Other programs that run meanwhile make it slower. With --variants: games, deals, turns and moves a second of every
    preset, on one core, of a hundredth of the games each.
    """
    if variants:
        return _print_variants(games // 100, form)
    from pipeline.bench import measure_figures

    rows = []
    for figure in measure_figures(games, workers=workers):
        print(f"{figure.figure}: {figure.value:,.4g} {figure.unit}", file=sys.stderr)
        rows.append(vars(figure))
    print_rows(rows, form)
    return 0


def _print_variants(games: int, form: Format) -> int:
    """Print the speed of every preset; 1 where one could not be played."""
    from pipeline.bench_variants import measure_variants

    rows = []
    for speed in measure_variants(games):
        print(f"{speed.variant}: {speed.failed or f'{speed.games_per_second:,.0f} games/s'}", file=sys.stderr)
        rows.append(vars(speed))
    print_rows(rows, form)
    return int(any(row["failed"] for row in rows))
