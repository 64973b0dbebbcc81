"""`canasta variants`, `strategies`, `replay` and `check`: showing what there is and judging what is given."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from engine.errors import BadInput
from pipeline.output import Format, print_rows
from pipeline.whole_number import whole_number

PrintAs = Annotated[Format, typer.Option("--format", help="How to print.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the `canasta` application."""
    for command in (variants, strategies, replay, check):
        app.command(command.__name__)(command)


def variants(
    name: Annotated[str | None, typer.Argument(help="Variant or TOML file to show in full.")] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", metavar="RULE=VALUE", help="Change a rule of the variant shown.")
    ] = None,
    form: PrintAs = Format.TABLE,
) -> int:
    """List the variants, or show one rule by rule."""
    from engine.rules import PARAMETERS, load_variant, parse_changes, variant_names
    from pipeline.variant_page import write_variant
    from pipeline.variant_rows import describe_variant, load_base

    if name is None:
        if change:
            raise BadInput("--set needs the variant to change: canasta variants classic4 --set canastas_out=2")
        _list_variants([describe_variant(load_variant(one)) for one in variant_names()], form)
        return 0
    variant = load_variant(name, parse_changes(change or ()))
    base = load_base(name, variant)
    if form is Format.TABLE:
        print(write_variant(variant, base))
        return 0
    rows = []
    for rule, parameter in PARAMETERS.items():
        value = getattr(variant.rules, rule)
        row: dict[str, Any] = {"rule": rule, "value": parameter.show(value)}
        if base is not None:
            theirs = getattr(base.rules, rule)
            row[f"in {base.name}"] = None if value == theirs else parameter.show(theirs)
        rows.append({**row, "meaning": parameter.meaning})
    if base is not None:
        rows.sort(key=lambda row: row[f"in {base.name}"] is None)  # what differs stands first
    print_rows(rows, form)
    return 0


def _list_variants(rows: list[dict[str, Any]], form: Format) -> None:
    from pipeline.variant_page import say_marks

    if form is not Format.TABLE:
        print_rows(rows, form)
        return
    print_rows([{"variant": row["variant"], "known": row["confidence"], "title": row["title"]} for row in rows])
    unplayed = [row["variant"] for row in rows if row["playable"] != "yes"]
    print(f"\nKnown: {say_marks()}.")
    told = f"Not playable yet: {', '.join(unplayed)}." if unplayed else f"All {len(rows)} can be played."
    print(textwrap.fill(told, 80))
    print("`canasta variants NAME` shows base, source, changes, and what is assumed.")


def strategies(
    name: Annotated[str | None, typer.Argument(help="Strategy, mine.py:name or TOML file to show in full.")] = None,
    form: PrintAs = Format.TABLE,
) -> int:
    """List the strategies, or show one weight by weight."""
    from engine.strategies import load_strategy, strategy_names

    if name is None:
        listed = [load_strategy(one) for one in strategy_names()]
        print_rows([{"strategy": one.name, "description": one.description} for one in listed], form)
        return 0
    strategy = load_strategy(name)
    if form is Format.TABLE:
        print(f"{strategy.name}: {strategy.description}\n")
    rows: list[dict[str, Any]] = []
    for kind, decision in strategy.decisions.items():
        weights = strategy.weights_of(kind)
        rows += [
            {
                "decision": kind,
                "function": decision.name,
                "weight": weight,
                "value": value,
                "default": decision.weights.get(weight),
                "meaning": decision.meanings.get(weight),
            }
            for weight, value in weights.items()
        ] or [{"decision": kind, "function": decision.name}]
    print_rows(rows, form)
    return 0


def replay(
    run: Annotated[Path, typer.Argument(help="Folder of the run.")],
    game: Annotated[int, typer.Argument(parser=whole_number, help="Number of the game, from 1.")],
    deal: Annotated[int, typer.Argument(parser=whole_number, help="Number of the deal within the game, from 1.")],
    variant: Annotated[str | None, typer.Option(help="Variant, where the run has several.")] = None,
    lineup: Annotated[str | None, typer.Option(help="Line-up, where the run has several.")] = None,
    form: Annotated[Literal["text", "chh", "json"], typer.Option("--format", help="How to print.")] = "text",
) -> int:
    """Show one deal of a run, move by move."""
    from engine.history.writer import write_history
    from pipeline.replay import find_deal, to_history, write_text
    from pipeline.run import open_run

    found = find_deal(open_run(run), game, deal, variant, lineup)
    if form == "json":
        print(json.dumps(found.as_dict(), indent=1))
    else:
        print(write_text(found) if form == "text" else write_history(to_history(found)), end="")
    return 0


def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="Hand histories: .chh, or .chhs of several deals.")
    ],
    form: Annotated[Literal["text", "json"], typer.Option("--format", help="How to print.")] = "text",
) -> int:
    """Judge hand histories by the rules.

    Exit 0 when all are legal, 1 at a fault, 2 at a file that cannot be read.
    """
    from engine.check import check_files, find_exit_code

    results = check_files(files)
    for result in results:
        if form == "json":
            print(json.dumps(result, ensure_ascii=False))
        elif "error" in result:
            print(f"{_place(result)}: {result['error']}", file=sys.stderr)
        else:
            print(f"{_place(result)}: {_verdict(result)}")
            for fault in result["faults"]:
                where = f"action {fault['action']}" if fault["action"] else "set-up"
                print(f"  {where}: {fault['text']} [{fault['rule']}]")
    return find_exit_code(results)


def _place(result: dict[str, Any]) -> str:
    return f"{result['file']} [{result['deal']}]" if "deal" in result else str(result["file"])


def _verdict(result: dict[str, Any]) -> str:
    count = len(result["faults"])
    legal = "legal" if result["legal"] else f"{count} fault{'s' * (count != 1)}"
    if not result["ended"]:
        return f"{legal}; the deal goes on, seat {result['to_act']} is to act"
    scores = result["deal_scores"]
    told = ", ".join("unknown" if score is None else f"{score:,}" for score in scores) if scores else "unknown"
    return f"{legal}; the deal ends ({result['ending']}), scores {told}"
