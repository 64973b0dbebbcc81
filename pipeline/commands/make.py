"""`canasta simulate` and `canasta runs`: making runs and finding them again."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.errors import BadInput, IllegalChoice
from pipeline.output import Format, print_rows
from pipeline.whole_number import whole_number

if TYPE_CHECKING:
    from pipeline.dataset import Commit
    from pipeline.plan import Plan

RUNS = Path("data/runs")
NOTHING = "nothing was written"


def register(app: typer.Typer) -> None:
    """Add the commands to the `canasta` application."""
    app.command("simulate")(simulate)
    app.command("runs")(runs)


def simulate(
    plan: Annotated[
        Path | None,
        typer.Argument(metavar="[PLAN]", help="Plan file (TOML); options given beside it replace its keys."),
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(help="Variant or TOML file; several by comma or repeated. [default: classic4]")
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            "--lineup",
            help="Line-up: safe, safe~random (a side each), safe+hoarder~naive (partners apart), mine.py:careful; "
            "several by comma or repeated. [default: safe]",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="INTEGER",
            help="Games of each variant and line-up; with --until the most. [default: 10000, with --until 1000000]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="INTEGER", help="Seed of all cards and choices. [default: 1]"),
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="RULE=VALUE", help="Change a rule of all variants: canastas_out=2; repeatable."),
    ] = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC±WIDTH",
            help='Play each variant and line-up until its interval is as narrow: "turns_per_game ± 0.1", "± 1%" of the '
            'value, "± 0.5pp" of a share; several by comma or repeated must all hold.',
        ),
    ] = None,
    level: Annotated[float | None, typer.Option(help="Level of these intervals. [default: 0.95]")] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Play a few games of each cell aside and tell what to expect: time, precision."),
    ] = False,
    workers: Annotated[int | None, typer.Option(help="Threads. [default: one a processor]", min=1)] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run. [default: data/runs/NAME, by the plan]")] = None,
    mirror: Annotated[bool, typer.Option(help="Play every line-up in all rotations over the sides too.")] = True,
    replace: Annotated[
        bool, typer.Option("--replace", help="Make anew the run that is in the folder, of whatever version.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="How to print what --dry-run tells.")] = Format.TABLE,
) -> int:
    """Play games and log every move into a run.

    The same command goes on with an unfinished run; with more games, variants or line-ups it extends one.
    """
    from engine.rules import parse_changes
    from pipeline.plan import make_plan, name_run, read_plan

    options = read_plan(plan) if plan else {}
    changes = options.get("set", {})
    if not isinstance(changes, Mapping):
        raise BadInput(f"plan: set={changes!r}: write a table of rules, [set], each RULE = VALUE")
    given: dict[str, Any] = {
        "variants": split_words(variant),
        "lineups": split_words(strategy),
        "games": games,
        "seed": seed,
        "mirror": None if mirror else False,
        "until": split_words(until),
        "level": level,
        "set": {**changes, **parse_changes(change)} if change else None,
    }
    options |= {key: value for key, value in given.items() if value is not None}
    made = make_plan(options)
    for line in made.left_out:
        print(f"canasta: left out: {line}", file=sys.stderr)
    if dry_run:
        return _expect(made, workers, form)
    folder = out or RUNS / (plan.stem if plan else name_run(made))
    return play_into(made, folder, workers, command_again(folder, out), replace)


def runs(
    folder: Annotated[Path, typer.Argument(help="Where to look.")] = RUNS,
    form: Annotated[Format, typer.Option("--format", help="How to print.")] = Format.TABLE,
) -> int:
    """List the runs in a folder and what they lack."""
    from pipeline.dataset import committed, find_runs, read_manifest

    if not folder.is_dir():
        raise BadInput(f"no folder {folder}; `canasta simulate` makes runs in {RUNS}")
    rows = []
    for run in find_runs(folder):
        row: dict[str, Any] = {"run": str(run), **dict.fromkeys(_COLUMNS)}
        try:
            row |= _describe(read_manifest(run), committed(run))
        except Exception as error:  # whatever is wrong with one must not hide the others
            row["state"] = f"broken: {error if isinstance(error, BadInput) else f'{type(error).__name__}: {error}'}"
        rows.append(row)
    if not rows:
        print(f"no runs in {folder}; `canasta simulate` makes one", file=sys.stderr)
    if rows or form is not Format.TABLE:
        print_rows(rows, form)
    return 0


_COLUMNS = ("games", "planned", "variants", "lineups", "seed", "megabytes", "created", "finished", "state")


def _describe(manifest: dict[str, Any], commits: list[Commit]) -> dict[str, Any]:
    cells, summary = manifest["cells"], manifest["summary"]
    return {
        "games": sum(commit.games for commit in commits),
        "planned": sum(cell["games"] for cell in cells),
        "variants": len({cell["variant"] for cell in cells}),
        "lineups": len({cell["lineup"] for cell in cells}),
        "seed": manifest["seed"],
        "megabytes": round(sum(file.bytes for commit in commits for file in commit.all_files) / 1e6, 1),
        "created": manifest["created"],
        "finished": summary["finished"] if summary else None,
        "state": "finished" if summary else "unfinished",
    }


def _expect(plan: Plan, workers: int | None, form: Format) -> int:
    from pipeline.expectation import expect, print_expectation

    expected = expect(plan, workers=workers)
    if form is Format.TABLE:
        print_expectation(expected)
    else:
        print_rows(expected, form)
    return 0


def play_into(plan: Plan, folder: Path, workers: int | None, command: str, replace: bool) -> int:
    """Play a plan with its progress and what became of it on standard error; returns the exit code.

    `command` is what goes on with the run when it is stopped.
    """
    from pipeline.cli import FAILED, NO, STOPPED, describe_os_error
    from pipeline.progress import Stopped
    from pipeline.simulation import GAMES
    from pipeline.simulation import simulate as play

    before = _identify(folder) if replace else None

    def kept() -> str:
        return f"the run that was in {folder} is as it was" if before and _identify(folder) == before else _kept(folder)

    def to_go_on() -> str:
        return command + (" --replace" if before and _identify(folder) == before else "")

    try:
        with _stoppable():
            done = play(plan, folder, workers=workers, progress=True, replace=replace)
    except KeyboardInterrupt:
        told = f"stopped; {kept()}; to go on: {to_go_on()}"
        if any(thread.name.startswith(GAMES) for thread in threading.enumerate()):
            print(f"canasta: {told}", file=sys.stderr, flush=True)
            os._exit(STOPPED)  # a game that does not end holds its thread, and Python would wait for it
        raise Stopped(told) from None
    except IllegalChoice as error:
        print(f"canasta: {error}; {kept()}", file=sys.stderr)
        return FAILED
    except OSError as error:
        on = "" if kept() == NOTHING else f"; to go on: {to_go_on()}"
        print(f"canasta: cannot write {folder}: {describe_os_error(error)}; {kept()}{on}", file=sys.stderr)
        return FAILED
    rate = f", {done.played / done.seconds:,.0f} games/s" if done.seconds else ""
    time = f" in {done.seconds:.1f} s{rate}" if done.played else ""
    print(
        f"{done.path}: {done.games:,} games in {done.cells} cell{'s' * (done.cells != 1)}, {done.rows:,} rows, "
        f"{done.bytes / 1e6:,.1f} MB; {done.played:,} played now{time}",
        file=sys.stderr,
    )
    for width in done.missed:
        print(f"canasta: {width.describe_miss()}", file=sys.stderr)
    return NO if done.missed else 0


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """Let a request to end, as a shell or a cluster sends it, stop as cleanly as Ctrl-C does."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _identify(folder: Path) -> tuple[int, int] | None:
    """What tells the run in a folder from one that takes its place."""
    try:
        told = (folder / "manifest.json").stat()
    except OSError:
        return None
    return told.st_ino, told.st_mtime_ns


def _kept(folder: Path) -> str:
    from pipeline.dataset import committed

    try:
        games = sum(commit.games for commit in committed(folder))
    except (BadInput, OSError):
        return NOTHING
    return f"{games:,} finished games are kept in {folder}"


def split_words(words: list[str] | None) -> list[str] | None:
    """The words of a repeatable option, each of which may hold several by comma."""
    return [part.strip() for word in words for part in word.split(",")] if words else None


def command_again(folder: Path, out: Path | None) -> str:
    """The command that was given, with the folder spelled out and without --replace."""
    words = [word for word in sys.argv[1:] if word != "--replace"]
    return shlex.join(["canasta", *words, *([] if out else ["--out", str(folder)])])
