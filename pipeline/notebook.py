"""What a notebook asks for beside runs: rules, lists of what there is, playing into a folder, judging a deal.

Everything here is reached as `import pipeline as cl`: `cl.rules`, `cl.variants`, `cl.simulate` …
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from engine.cards import CARDS, KINDS, RANKS, SUITS
from engine.decision import Decision, Weights
from engine.decision import strategy as declare
from engine.errors import BadInput
from engine.history.reader import load_histories
from engine.referee.verdict import Verdict, judge
from engine.rules import Variant, load_variant, variant_names
from engine.strategies import add_strategy, load_strategy, strategy_names
from pipeline.card_rows import card_rows
from pipeline.deal import Deal
from pipeline.plan import Plan, make_plan, name_run, read_plan
from pipeline.run import Run, open_run
from pipeline.simulation import simulate as play_plan
from pipeline.variant_rows import describe_variant

RUNS = Path("data/runs")


def rules(variant: str = "classic4", **changes: Any) -> Variant:
    """A named set of rules, or a TOML file, with changes: `rules("classic4", canastas_out=2)`.

    It says what it changes, `.diff(other)` how two differ; `play` and `simulate` take it as a variant.
    """
    return load_variant(variant, changes)


def variants() -> pl.DataFrame:
    """The variants there are: `variant title confidence playable base changes source note`."""
    loaded = [load_variant(name) for name in variant_names()]
    return pl.DataFrame([describe_variant(one) for one in loaded])


def strategies() -> pl.DataFrame:
    """The strategies of the lab: `strategy description`, and the function that makes each of the four decisions."""
    loaded = [load_strategy(name) for name in strategy_names()]
    return pl.DataFrame(
        {"strategy": one.name, "description": one.description}
        | {kind: decision.name for kind, decision in one.decisions.items()}
        for one in loaded
    )


def cards() -> pl.DataFrame:
    """The 53 cards in playing order: `card rank suit colour kind points place`; all texts sort as in play."""
    orders = {
        "card": CARDS,
        "rank": (*RANKS, "JK"),
        "suit": SUITS,
        "colour": ("black", "red"),
        "kind": KINDS,
    }
    return pl.DataFrame(card_rows()).with_columns(pl.col(name).cast(pl.Enum(words)) for name, words in orders.items())


def strategy(kind: str, weights: Weights | None = None) -> Callable[[Callable[..., int]], Decision]:
    """Declare a decision (docs/strategies.md) that line-ups may name at once, as its function is called.

    `safe` makes the other three decisions. A function of the same name takes the place of an earlier one.
    """
    declared = declare(kind, weights)

    def add(function: Callable[..., int]) -> Decision:
        decision = declared(function)
        add_strategy(decision)
        return decision

    return add


def simulate(
    plan: Plan | Mapping[str, Any] | Path | str | None = None,
    *,
    variants: Sequence[str | Variant | Mapping[str, Any]] | None = None,
    strategies: Sequence[str] | None = None,
    lineups: Sequence[str] | None = None,
    games: int | None = None,
    seed: int | None = None,
    mirror: bool | None = None,
    out: Path | str | None = None,
    workers: int | None = None,
    progress: bool = False,
    replace: bool = False,
    until: str | Sequence[str] = (),
    level: float | None = None,
) -> Run:
    """Play a plan into the folder `out` and open the run; what the folder has already is not played again.

    The plan is a file or its keys; what is named beside it replaces keys. A line-up is a strategy for all seats or
    `safe~naive`; `strategies` and `lineups` say the same. Without `out` the run lies in data/runs under the name that
    `canasta simulate` gives it, so that either goes on with the other's. More games or cells extend a run; other
    rules, weights or seed are refused. `until`, such as `turns_per_game ± 0.1`, plays each cell until its intervals, of
    this `level` (0.95), are as narrow, at most the plan's games.
    """
    if strategies is not None and lineups is not None:
        raise BadInput("strategies and lineups say the same; give one of them")
    named = lineups if strategies is None else strategies
    given: dict[str, Any] = {
        "variants": None if variants is None else list(variants),
        "lineups": None if named is None else list(named),
        "games": games,
        "seed": seed,
        "mirror": mirror,
        "level": level,
    }
    given = {key: value for key, value in given.items() if value is not None}
    if isinstance(plan, Plan):
        if given:
            raise BadInput(f"{', '.join(given)} beside a plan that is made already")
        made, stem = plan, None
    else:
        read = {} if plan is None else plan if isinstance(plan, Mapping) else read_plan(Path(plan))
        made = make_plan({**read, **given})
        stem = Path(plan).stem if isinstance(plan, (str, Path)) else None
    folder = RUNS / (stem or name_run(made)) if out is None else Path(out)
    play_plan(made, folder, workers=workers, progress=progress, replace=replace, until=until)
    return open_run(folder)


def check(deal: Path | str | Deal, number: int | None = None) -> Verdict:
    """The referee on a hand history, a file or a deal of a run: `.legal`, `.faults`, scores.

    Of a `.chhs` file with several deals `number` chooses one.
    """
    if isinstance(deal, Deal):
        return deal.check()
    try:
        histories = load_histories(deal)
    except BadInput as error:
        raise BadInput(f"{deal}: {error}") from None
    if number is None and len(histories) > 1:
        raise BadInput(f"{deal} has deals {', '.join(map(str, histories))}; say which: check(…, number)")
    wanted = next(iter(histories)) if number is None else number
    if wanted not in histories:
        raise BadInput(f"{deal} has no deal {number}; it has {', '.join(map(str, histories))}")
    history = histories[wanted]
    if isinstance(history, BadInput):
        raise history
    return judge(history)
