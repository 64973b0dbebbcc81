"""`canasta sweep`: what rules do to the game, alone and together."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from engine.errors import BadInput
from pipeline.asking import Level, PrintAs, open_told, read_settings, say_level
from pipeline.output import Format, print_rows
from pipeline.whole_number import whole_number

if TYPE_CHECKING:
    import polars as pl

    from pipeline.plan import Plan
    from pipeline.sweeps import Sweep

MANIFEST = "manifest.json"


def register(app: typer.Typer) -> None:
    """Add the command to the `canasta` application."""
    app.command("sweep")(sweep)


def sweep(
    what: Annotated[
        Path | None,
        typer.Argument(metavar="[PLAN|RUN]", help="Plan file with a table [sweep], or the folder of a run."),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(help="Variant that effects are differences from. [default: classic4; of a run its first]"),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE=VALUES",
            help="A rule and its values, canastas_out=1,2 (parted by | where a value holds commas); repeatable.",
        ),
    ] = None,
    design: Annotated[
        Literal["factorial", "one_at_a_time"] | None,
        typer.Option(help="All combinations, or each value alone. [default: factorial]"),
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE=VALUE,…",
            help="A combination that is not played; repeatable. `refused`: all that the rules forbid.",
        ),
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option("--variant", help="Of a run only this variant, beside the base; repeatable.")
    ] = None,
    lineup: Annotated[
        list[str] | None,
        typer.Option(
            "--lineup", "--strategy", help="Line-up; several by comma or repeated. [default: safe; of a run all]"
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="Metric, several by comma or repeated. [default: turns a game and deal, deals, minutes]"),
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the metrics; repeatable.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="INTEGER", help="Games of each cell. [default: 10000]"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole_number, metavar="INTEGER", help="Seed of all cards. [default: 1]")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run. [default: data/runs/NAME, by the plan]")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads. [default: one a processor]", min=1)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be played, and play nothing.")] = False,
    show: Annotated[
        Literal["effects", "interactions", "means", "cells"] | None,
        typer.Option(
            help="The table to print: effects, interactions, means of two rules, or every variant. "
            "[default: effects and interactions; to programs effects]"
        ),
    ] = None,
    level: Level = 0.95,
    form: PrintAs = Format.TABLE,
) -> int:
    """Vary rules and show what each does, alone and together.

    Plays what is not there yet, as `canasta simulate` would; of a run it only shows the effects.
    """
    from pipeline.commands.make import split_words
    from pipeline.sweeps import METRICS, analyse, check_metrics

    names = split_words(metric) or METRICS
    settings = read_settings(setting)
    check_metrics(names, settings)
    lineups = split_words(lineup)
    code = 0
    of_run: dict[str, Any] = {}
    if what is not None and what.is_dir():
        options = {"--vary": vary, "--design": design, "--leave-out": leave_out, "--games": games, "--seed": seed,
                   "--out": out}  # fmt: skip
        given = [name for name, value in options.items() if value is not None]
        if given:
            raise BadInput(f"{', '.join(given)} beside the run {what}: give a plan, or --base with --vary")
        folder, of_run = what, {"base": base, "variants": variant, "lineups": lineups}
    else:
        plan = _plan(what, base, vary, design, leave_out)
        plan |= {
            key: value for key, value in (("lineups", lineups), ("games", games), ("seed", seed)) if value is not None
        }
        if variant:
            raise BadInput("--variant chooses among those of a run; what is played is --base with --vary")
        made = _say(plan)
        if dry_run:
            return 0
        folder, code = _play(made, what, out, workers)
        if code > 1:
            return code
    _print(analyse(open_told(folder), names, level=level, **of_run, **settings), show, form)
    return code


def _plan(
    file: Path | None, base: str | None, vary: list[str] | None, design: str | None, leave_out: list[str] | None
) -> dict[str, Any]:
    """The keys of the plan: those of the file, with what the options say of the sweep."""
    from pipeline.plan import read_plan
    from pipeline.sweep_plan import parse_left_out, parse_vary

    plan = read_plan(file) if file else {}
    table = plan.get("sweep", {})
    if not isinstance(table, Mapping):
        raise BadInput(f"plan: sweep={table!r}: write a table, [sweep], with base and vary")
    given = {
        "base": base,
        "vary": parse_vary(vary) if vary else None,
        "design": design,
        "leave_out": parse_left_out(leave_out) if leave_out else None,
    }
    given = {**table, **{key: value for key, value in given.items() if value is not None}}
    if given and "vary" not in given:
        raise BadInput("sweep: nothing varies; give --vary RULE=VALUE,VALUE, such as --vary canastas_out=1,2")
    if not given and "variants" not in plan:
        raise BadInput("sweep: give a plan file with a table [sweep], the folder of a run, or --base and --vary")
    return plan | ({"sweep": given} if given else {})


def _say(options: Mapping[str, Any]) -> Plan:
    """The plan, its size said before anything is played."""
    from pipeline.plan import make_plan

    plan = make_plan(options)
    for line in plan.left_out:
        print(f"canasta: left out: {line}", file=sys.stderr)
    variants = len({cell.variant.slug for cell in plan.cells})
    lineups = len({cell.group for cell in plan.cells})
    print(
        f"{variants} variants × {lineups} line-up{'s' * (lineups != 1)} = {len(plan.cells)} cells with all rotations, "
        f"{plan.games:,} games",
        file=sys.stderr,
    )
    return plan


def _play(plan: Plan, file: Path | None, out: Path | None, workers: int | None) -> tuple[Path, int]:
    from pipeline.commands.make import RUNS, command_again, play_into
    from pipeline.plan import name_run

    folder = out or RUNS / (file.stem if file else name_run(plan))
    return folder, play_into(plan, folder, workers, command_again(folder, out), replace=False)


def _print(found: Sweep, show: str | None, form: Format) -> None:
    if form is not Format.TABLE:
        print_rows(getattr(found, show or "effects"), form)
        return
    for place, name in enumerate([show] if show else ["effects", "interactions"]):
        table = getattr(found, name)
        if table.is_empty() and not show:
            continue
        for number, metric in enumerate(found.metrics):
            if place or number:
                print()
            _print_table(name, metric, table, found.level)
    if show is None:
        print()
        print("\n".join(found.sentences))


_TITLES = {
    "effects": "each value against the base's, mean over the values of the other rules",
    "interactions": "how much more a value does with another rule changed too: difference of differences",
    "means": "mean over the values of the other rules",
    "cells": "every variant, with its difference to the base",
}
_LEFT = ("metric", "settings", "base_value", "p", "form", "sentence", "numerator", "denominator", "method", "source")


def _print_table(name: str, metric: str, table: pl.DataFrame, level: float) -> None:
    import polars as pl

    from pipeline.answers import print_answer
    from pipeline.metric import describe_columns, load_metric
    from pipeline.query import Column

    defined = load_metric(metric)
    rows = table.filter(pl.col("metric") == metric).drop(_LEFT, strict=False)
    rows = rows.select(one.name for one in rows if one.null_count() < rows.height or one.name in _KEPT)
    columns = describe_columns(defined) | {
        one: Column(
            _SAID.get(one, one), defined.unit if one.startswith("at_") else "", one.replace("_", " "), defined.digits
        )
        for one in rows.columns
        if one not in describe_columns(defined) or one in _SAID
    }
    print_answer(f"{defined.title}: {_TITLES[name]}", rows, columns, say_level(level))


_SAID = {
    "given_lineup": "line-up", "factor": "rule", "base_level": "base's value", "level": "value",
    "other": "other rule", "other_base": "its base's value", "other_level": "its value",
    "at_base": "effect at its base's", "at_other": "effect at its value",
}  # fmt: skip
"""What people call the columns that programs get."""
_KEPT = ("value", "low", "high", "diff", "diff_low", "diff_high")
