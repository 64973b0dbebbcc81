"""A sweep: what each rule of a run does to some metrics, how rules work together, under each line-up by itself.

`effects` and `interactions` are weighted sums of variants (`sweep_design`), paired where variants met the same cards,
with intervals from games or blocks of games; Holm's correction over each table decides which get a word.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from engine.errors import BadInput
from engine.rules import Variant
from pipeline import notebook, stats
from pipeline.cells import RunCell
from pipeline.metric import Metric, load_metric
from pipeline.plan import make_plan, read_plan
from pipeline.run import Run, open_run
from pipeline.sweep_design import Design, find_design
from pipeline.sweep_ratios import Rated, check_metric, dimensions_of, read_rated, ruled_variants
from pipeline.sweep_rows import (
    COMPARED,
    MEANS,
    Row,
    effect_rows,
    frame,
    free_first,
    interaction_rows,
    mean_rows,
    put_in_words,
    spread_of,
)
from pipeline.sweep_words import say_effect, say_effects, say_interaction, say_interactions

Ask = Callable[[Rated, Design, float, Container[str]], list[Row]]
METRICS = ("turns_per_game", "turns_per_deal", "deals_per_game", "minutes_per_game")


@dataclass(frozen=True)
class Sweep:
    """The effects of a run's rules on some metrics."""

    run: Run
    design: Design
    metrics: tuple[str, ...] = METRICS
    level: float = 0.95
    lineups: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        varied = " × ".join(f"{one.name} {', '.join(one.levels)}" for one in self.design.factors)
        return "\n".join([f"Sweep of {self.design.base}: {varied}", *self.sentences])

    @cached_property
    def effects(self) -> pl.DataFrame:
        """What each level does against the base's, on average over the settings of the other rules.

        Settings in which the rules alone decide a metric are left out of it.
        Columns: `metric`, its own dimensions, `given_lineup factor base_level level settings`, then COMPARED.
        """
        keys = ("factor", "base_level", "level")
        return self._compare(effect_rows, keys, say_effect)

    @cached_property
    def interactions(self) -> pl.DataFrame:
        """How much the effect of a level changes with another rule's level: both together less the sum of the two.

        Columns: `metric`, its own dimensions, `given_lineup factor base_level level other other_base other_level
        settings at_base at_other`, both with `_low` and `_high`: the effect at the other's two levels; then COMPARED.
        """
        keys = ("factor", "base_level", "level", "other", "other_base", "other_level")
        return self._compare(interaction_rows, keys, say_interaction)

    @cached_property
    def means(self) -> pl.DataFrame:
        """The value at every combination of levels of two rules, on average over the settings of the others.

        Columns: `metric`, its own dimensions, `given_lineup factor level other other_level settings value low high
        games few`.
        """
        keys = ("factor", "level", "other", "other_level")
        rows = [
            {"metric": metric.name, **rated.keys, "given_lineup": rated.lineup, **row}
            for metric, rated in self._rated
            for row in self._rows(metric, rated, keys, mean_rows)
        ]
        return frame(rows, MEANS)

    @cached_property
    def cells(self) -> pl.DataFrame:
        """Every variant of the sweep with its value and its difference to the base: rules alone and together.

        Columns of `Run.metric` with a base, `metric` in front.
        """
        lineups = list(dict.fromkeys(cell.lineup for cell in self._cells))
        tables, keys = [], ["metric", "variant", "given_lineup"]
        for metric in self._definitions:
            own = {name: value for name, value in self.parameters.items() if name in metric.parameters}
            by = ["variant", "given_lineup", *dimensions_of(metric)]
            table = self.run.metric(metric.name, by, variant=list(self.design.variants), lineup=lineups,
                                    base=self.design.base, level=self.level, **own)  # fmt: skip
            tables.append(table.select(pl.lit(metric.name).alias("metric"), pl.all()))
            keys += [name for name in by if name not in keys]
        table = pl.concat(tables, how="diagonal_relaxed")
        return table.select(*keys, pl.exclude(keys))

    @property
    def sentences(self) -> list[str]:
        """What can be said of effects and interactions over all line-ups; where they disagree: depends on play."""
        return say_effects(self.effects) + say_interactions(self.interactions)

    @cached_property
    def _definitions(self) -> list[Metric]:
        return [load_metric(name) for name in self.metrics]

    @cached_property
    def _cells(self) -> list[RunCell]:
        return [cell for cell in self.run.parts if cell.shards and cell.variant in self.design.variants
                and (not self.lineups or cell.given in self.lineups)]  # fmt: skip

    @cached_property
    def _rated(self) -> list[tuple[Metric, Rated]]:
        found = []
        for metric in self._definitions:
            own = {name: value for name, value in self.parameters.items() if name in metric.parameters}
            rated = read_rated(self.run, metric, dimensions_of(metric), self._cells, **own)
            found += [(metric, one) for one in rated]
        return found

    def _rows(self, metric: Metric, rated: Rated, names: Sequence[str], ask: Ask) -> list[Row]:
        """The rows of a metric under a line-up, from settings in which the rules leave something to decide."""
        free = set(rated.variants) - ruled_variants(self.run, metric, rated.keys)
        whole = ask(rated, self.design, self.level, rated.variants)
        left = ask(rated, self.design, self.level, free) if len(free) < len(rated.variants) else whole
        return free_first(whole, left, names)

    def _compare(self, ask: Ask, names: Sequence[str], say: Callable[[Metric, Row], str]) -> pl.DataFrame:
        """The rows of all metrics with Holm's p over them, a form, a sentence; what the rules decide gets neither."""
        rows: list[Row] = []
        told = []
        for metric, rated in self._rated:
            for row in self._rows(metric, rated, names, ask):
                if metric.unit == "%" and not rated.ratios.errors.any():
                    row["diff_low"] = row["diff_high"] = (
                        None  # always or never: no variance between games is to be seen
                    )
                row["spread"] = spread_of(rated, self.design.base)
                rows.append({"metric": metric.name, **rated.keys, "given_lineup": rated.lineup, **row})
                told.append(metric)
        adjusted = stats.holm([np.nan if row["p"] is None or row["ruled"] else row["p"] for row in rows])
        for metric, row, p in zip(told, rows, adjusted.tolist(), strict=True):
            row["p"] = None if np.isnan(p) else p
            put_in_words(metric, row, 1 - self.level, say)
        numbers = {f"{at}{end}": pl.Float64 for at in ("at_base", "at_other") for end in ("", "_low", "_high")}
        between = {"settings": pl.Int64, **(numbers if "other" in names else {})}
        return frame(rows, {**dict.fromkeys(names, pl.String), **between, **COMPARED})


def sweep(
    what: str | Path | Variant | Mapping[str, Any] | Run,
    vary: Mapping[str, Sequence[Any]] | None = None,
    *,
    design: str = "factorial",
    leave_out: Sequence[Mapping[str, Any]] | str = (),
    lineups: Sequence[str] | None = None,
    metrics: Sequence[str] | str = METRICS,
    games: int | None = None,
    seed: int | None = None,
    out: Path | str | None = None,
    workers: int | None = None,
    progress: bool = False,
    **chosen: Any,
) -> Sweep:
    """Play a sweep of rules and analyse it, or analyse a run: `sweep("classic4", {"canastas_out": [1, 2]})`.

    `what` is the base variant with rules to `vary`, a plan file with a table `[sweep]`, or without either a run or its
    folder. `leave_out` lists combinations that are not played, or is `refused`: those that the rules forbid. What the
    folder `out` has already is not played again. `chosen` is what `analyse` takes beside: `level`, the metrics' own
    parameters, and of a run `base` and `variants`; there `lineups` chooses too.
    """
    if vary is None and isinstance(what, Run):
        return analyse(what, metrics, lineups=lineups, **chosen)
    plan: dict[str, Any]
    if vary is None and isinstance(what, (str, Path)):
        if Path(what).is_dir():
            return analyse(open_run(what), metrics, lineups=lineups, **chosen)
        plan = read_plan(Path(what))
    elif vary is None or isinstance(what, Run):
        raise BadInput("sweep: give a base variant with rules to vary, a plan file, or a run alone")
    else:
        base = str(what) if isinstance(what, Path) else what
        left = leave_out if isinstance(leave_out, str) else [dict(one) for one in leave_out]
        values = {name: list(own) for name, own in vary.items()}
        plan = {"sweep": {"base": base, "vary": values, "design": design, "leave_out": left}}
    given = {"lineups": None if lineups is None else list(lineups), "games": games, "seed": seed}
    plan |= {key: value for key, value in given.items() if value is not None}
    check_metrics(metrics, {key: value for key, value in chosen.items() if key not in ("base", "variants", "level")})
    source = what if vary is None else None
    folder = out or (notebook.RUNS / Path(str(source)).stem if source else None)
    run = notebook.simulate(make_plan(plan), out=folder, workers=workers, progress=progress)
    return analyse(run, metrics, **chosen)


def analyse(
    run: Run,
    metrics: Sequence[str] | str = METRICS,
    *,
    base: str | None = None,
    variants: Sequence[str] | None = None,
    lineups: Sequence[str] | None = None,
    level: float = 0.95,
    **parameters: Any,
) -> Sweep:
    """The sweep that a run is, or these variants and line-ups (as given) of it; its base is the first of its variants.

    BadInput when no two of its variants differ in a single rule, or for metrics that are no ratio of sums.
    """
    names = check_metrics(metrics, parameters)
    there = list(dict.fromkeys(cell.given for cell in run.parts))
    for lineup in lineups or ():
        if lineup not in there:
            raise BadInput(f"line-up '{lineup}': the run has {', '.join(there)}")
    known = run.choose(variants and [*variants, *([base] if base else [])])
    return Sweep(
        run, find_design([cell for cell in known if cell.shards], base), names, level, tuple(lineups or ()), parameters
    )


def check_metrics(metrics: Sequence[str] | str, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of metrics that rules can have effects on; BadInput for another, or a parameter that none takes."""
    names = (metrics,) if isinstance(metrics, str) else tuple(dict.fromkeys(metrics))
    if not names:
        raise BadInput("metrics: give one at least")
    loaded = [load_metric(name) for name in names]
    for metric in loaded:
        check_metric(metric)
    for name in parameters:
        if not any(name in metric.parameters for metric in loaded):
            raise BadInput(f"none of {', '.join(names)} takes '{name}'")
    return names
