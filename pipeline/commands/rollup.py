"""`canasta rollup`: the roll-ups of a run made from its tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the `canasta` application."""
    app.command("rollup")(rollup)


def rollup(
    run: Annotated[Path, typer.Argument(help="Folder of the run.")],
    workers: Annotated[int | None, typer.Option(help="Threads. [default: one a processor]", min=1)] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Also of shards that have them.")] = False,
) -> int:
    """Make the roll-ups of a run from its tables.

    Of shards that lack them or have those of older definitions. Roll-ups let metrics answer without reading the
    tables; `canasta simulate` leaves them with every shard.
    """
    from pipeline.dataset import committed
    from pipeline.progress import Progress, Stopped
    from pipeline.rollup_run import lacking_games, make_rollups
    from pipeline.simulation import count_processors

    total = sum(commit.games for commit in committed(run)) if anew else lacking_games(run)
    done = 0
    with Progress(total) as shown:

        def progress(games: int) -> None:
            nonlocal done
            done += games
            shown.update(done)

        try:
            made = make_rollups(run, workers=workers or count_processors(), anew=anew, progress=progress)
        except KeyboardInterrupt:
            raise Stopped(
                f"stopped; {done:,} of {total:,} games have their roll-ups; to go on: canasta rollup {run}"
            ) from None
    print(
        f"{run}: {made.rollups} roll-ups of {made.games:,} games, {made.bytes / 1e6:,.1f} MB; "
        f"made now of {made.made:,}",
        file=sys.stderr,
    )
    return 0
