"""`canasta metric`, `metrics` and `distribution`: numbers of runs with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from engine.errors import BadInput
from pipeline.asking import (
    By,
    Folders,
    Level,
    Lineups,
    PrintAs,
    Settings,
    Variants,
    Where,
    ask_all,
    open_each,
    print_one,
    print_parameters,
    read_settings,
    say_level,
    split_names,
)
from pipeline.output import Format, print_rows
from pipeline.progress import say

if TYPE_CHECKING:
    import polars as pl

    from pipeline.metric import Metric
    from pipeline.runs import Runs


def register(app: typer.Typer) -> None:
    """Add the commands to the `canasta` application."""
    for command in (metric, metrics, distribution):
        app.command(command.__name__)(command)


def metric(
    name: Annotated[
        str, typer.Argument(help="Name of the metric, several by comma; `canasta metrics` lists them.", metavar="NAME")
    ],
    runs: Folders,
    by: By = None,
    base: Annotated[str | None, typer.Option(help="Also show the difference to this variant or line-up.")] = None,
    where: Where = None,
    setting: Settings = None,
    variant: Variants = None,
    lineup: Lineups = None,
    level: Level = 0.95,
    form: PrintAs = Format.TABLE,
    copy_as: Annotated[
        Literal["sql", "python", "address"] | None,
        typer.Option(help="Print what gives the table again instead: SQL, Python, or where the dashboard shows it."),
    ] = None,
) -> int:
    """Show metrics of runs with their intervals.

    By variant and line-up if not told otherwise; `given_lineup` adds up the rotations of a line-up.
    """
    from pipeline.metric import load_metric

    names = name.split(",")
    asked = [load_metric(one) for one in names]
    asking: dict[str, Any] = {
        "by": split_names(by),
        "variant": variant or None,
        "lineup": lineup or None,
        "where": where,
        "base": base,
        "level": level,
        **read_settings(setting),
    }
    opened = open_each(runs)
    if copy_as:
        if len(opened) > 1 or len(names) > 1:
            raise BadInput("--copy-as: give one metric and one run")
        answer = next(iter(opened)).ask(names[0], **asking)
        if not getattr(answer, copy_as):
            raise BadInput(f"--copy-as {copy_as}: no single text gives this table; try python")
        print(getattr(answer, copy_as))
        return 0
    table, refusals = _ask_possible(opened, asked, asking)
    for name, reason in refusals.items():
        say(f"canasta: left out: {reason}" if name in str(reason) else f"canasta: left out: {name}: {reason}")
    asked = [one for one in asked if one.name not in refusals]
    code = 2 if refusals else 0
    if form is not Format.TABLE:
        print_rows(table, form)
        return code
    for place, one in enumerate(asked):
        if place:
            print()
        chosen = (one.name, asking["by"], variant or None, lineup or None, base)
        _print_metric(one, table, where, level, sum(cell.games for run in opened for cell in run.pose(*chosen)[2]))
    return code


def _ask_possible(
    opened: Runs, asked: Sequence[Metric], asking: dict[str, Any]
) -> tuple[pl.DataFrame, dict[str, BadInput]]:
    """The table of one metric or several, and of these the ones that cannot be answered, with the reason.

    BadInput where none can.
    """
    names = [one.name for one in asked]
    if len(names) == 1:
        return ask_all(opened, lambda run: run.metric(names[0], **asking)), {}
    try:
        return ask_all(opened, lambda run: run.metric(names, **asking)), {}
    except BadInput:
        refusals = {}
        taken = {name for one in asked for name in one.parameters}
        for one in asked:
            others = taken - set(one.parameters)
            own = {name: value for name, value in asking.items() if name not in others}
            try:
                ask_all(opened, lambda run, one=one, own=own: run.metric(one.name, **own))  # type: ignore[misc]
            except BadInput as reason:
                refusals[one.name] = reason
        rest = [name for name in names if name not in refusals]
        if not refusals or not rest:
            raise
        kept = {parameter for one in asked if one.name in rest for parameter in one.parameters}
        own = {name: value for name, value in asking.items() if name not in taken - kept}
        return ask_all(opened, lambda run: run.metric(rest, **own)), refusals


def metrics(
    name: Annotated[str | None, typer.Argument(help="Metric to show in full.")] = None, form: PrintAs = Format.TABLE
) -> int:
    """List the metrics, or show what one counts and is split by."""
    from pipeline.metric import describe_columns, load_metric
    from pipeline.metric import metrics as list_metrics

    if name is not None:
        asked = load_metric(name)
        print_one(name, list_metrics(), form)
        if form is Format.TABLE:
            print_parameters(asked.parameters)
            print()
            columns = describe_columns(asked)
            print_rows([{"dimension": one, "meaning": columns[one].description} for one in asked.dimensions])
    elif form is Format.TABLE:
        print_rows(list_metrics().select("name", "unit", "title"))
        print("\n`canasta metrics NAME` shows what a metric counts and what it can be split by.")
    else:
        print_rows(list_metrics(), form)
    return 0


def distribution(
    name: Annotated[str, typer.Argument(help="Name of a metric whose rows have a number of their own.")],
    runs: Folders,
    by: By = None,
    quantiles: Annotated[
        str | None, typer.Option(metavar="SHARES", help="Show these quantiles instead, such as 0.1,0.5,0.9.")
    ] = None,
    where: Where = None,
    setting: Settings = None,
    variant: Variants = None,
    lineup: Lineups = None,
    level: Level = 0.95,
    form: PrintAs = Format.TABLE,
) -> int:
    """Show how often a number takes each value.

    The number is a metric's own, such as the turns of a game.
    """
    from pipeline.metric import load_metric

    asked = load_metric(name)
    asking: dict[str, Any] = {
        "by": split_names(by),
        "variant": variant or None,
        "lineup": lineup or None,
        "where": where,
        "level": level,
        **read_settings(setting),
    }
    opened = open_each(runs)
    if quantiles is None:
        table = ask_all(opened, lambda run: run.distribution(name, **asking))
    else:
        shares = _read_shares(quantiles)
        table = ask_all(opened, lambda run: run.quantiles(name, shares, **asking))
    if form is not Format.TABLE:
        print_rows(table, form)
    else:
        _print_numbers(asked, table, where, level)
    return 0


def _print_metric(asked: Metric, table: pl.DataFrame, where: str | None, level: float, games: int) -> None:
    import polars as pl

    from pipeline.answers import in_whole_numbers, print_answer
    from pipeline.ask import HIDDEN
    from pipeline.metric import describe_columns

    if "metric" in table.columns:  # a column of another metric alone is null in this one's rows
        table = table.filter(pl.col("metric") == asked.name)
        table = table.select(one.name for one in table if one.name in _COUNTED or one.null_count() < table.height)
    title = f"{asked.title}: {asked.sentence[0].lower()}{asked.sentence[1:]}" + (f"; where {where}" if where else "")
    if asked.whole_numbers:
        table = in_whole_numbers(table)
    note = say_level(level, "mirror block" if asked.interval == "P" else "game")
    print_answer(title, table.drop("metric", *HIDDEN, strict=False), describe_columns(asked), note)
    if table.height:
        print(_say_source(table, games))
    if "sentence" in table.columns:
        for row in table.drop_nulls("sentence").iter_rows(named=True):
            print((f"{row['run']}: " if "run" in row else "") + row["sentence"])


_COUNTED = ("value", "low", "high", "games", "few")


def _say_source(table: pl.DataFrame, games: int) -> str:
    """Which tables or roll-ups answered, and from how many games."""
    import polars as pl

    told = table["source"] if "source" in table.columns else pl.Series([], dtype=pl.String)
    sources = told.drop_nulls().unique(maintain_order=True).to_list()
    rollups = [one.removeprefix("rollup ") for one in sources if one.startswith("rollup ")]
    parts = [one for one in sources if not one.startswith("rollup ")]
    if rollups:
        parts.append(f"roll-up {', '.join(rollups)} in 64 blocks of games")
    if any(one.endswith(" games") for one in sources):  # a sample, which says of how many
        return f"From {' and '.join(parts)}."
    said = f"From {' and '.join(parts)}, {games:,} games" if parts else f"From {games:,} games"
    groups = [name for name in ("run", "variant", "lineup", "given_lineup") if name in table.columns]
    most = table.group_by(groups or pl.lit(1)).agg(pl.col("games").max())["games"].sum()
    if "lineup" in groups or games <= most:
        return f"{said}."
    return f"{said}.\nCells are added up: the table counts games of the same number once."


def _print_numbers(asked: Metric, table: pl.DataFrame, where: str | None, level: float) -> None:
    import polars as pl

    from pipeline.answers import in_whole_numbers, print_answer
    from pipeline.metric import describe_columns
    from pipeline.query import Column

    of = asked.distribution
    never = of.never if of and of.never else "never"
    columns = describe_columns(asked) | {
        "at": Column("at", "", "value"),
        "p": Column("quantile", "", "share of the rows that lie at or below the value", 2),
        "value": Column("value", "", "value", 0),
        "low": Column("low", "", "lower end of its interval"),
        "high": Column("high", "", "upper end of its interval"),
        "n": Column("n", "", "rows"),
        "share": Column("share", "%", "share of the rows", 2),
        "share_low": Column("share_low", "%", "lower end of its interval", 2),
        "share_high": Column("share_high", "%", "upper end of its interval", 2),
        "cum": Column("up to", "%", "share of the rows up to the value", 1),
    }
    left = ("cum_low", "cum_high", "below")
    if "at" in table.columns:
        table = table.with_columns(pl.col("at").cast(pl.String).fill_null(never))
    else:
        table = in_whole_numbers(table)
    unit = f" ({of.unit})" if of and of.unit and of.unit not in asked.title.lower() else ""
    bins = f", {of.bin} to a row: from `at` to {of.bin - 1} more" if of and of.bin > 1 and "at" in table.columns else ""
    title = f"{asked.title}{unit}{bins}" + (f"; where {where}" if where else "")
    print_answer(title, table.drop(left, strict=False), columns, say_level(level))


def _read_shares(text: str) -> Sequence[float]:
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise BadInput(f"--quantiles {text}: give shares between 0 and 1, such as 0.1,0.5,0.9") from None
