"""What the figures on the effects of rules say, and their tables as the charts take them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from dashboards import theme
from dashboards.charts import Measure, Words
from dashboards.comparing import pairing_of
from dashboards.extremes import SHARE
from dashboards.theme import Palette
from dashboards.wording import ALONE, games_in, players_of
from dashboards.wording_length import PACES
from pipeline.metric import Metric
from pipeline.sweep_words import say_at_both, say_effects, say_interactions

HOLM = "95 % intervals, words by Holm over the table"
Pair = tuple[str, str]


def at(table: pl.DataFrame, pace: str) -> pl.DataFrame:
    """The rows at a pace, of a table that has paces."""
    return table.filter(pl.col("pace") == pace) if "pace" in table.columns else table


def paces_of(table: pl.DataFrame) -> list[str]:
    """The pace that minutes assume."""
    paces = table["pace"].drop_nulls().unique(maintain_order=True).to_list() if "pace" in table.columns else []
    return [f"{pace} pace, an assumption: {PACES[pace]}" for pace in paces]


def changes_of(table: pl.DataFrame) -> pl.DataFrame:
    """Effects with `change`, the name of their row, as a forest takes them; pale where too few games tell."""
    change = pl.format("{}: {} → {}", "factor", "base_level", "level")
    return table.drop_nulls("diff").with_columns(change=change, few=pl.col("form") == "few")


def effects_of(table: pl.DataFrame, metric: Metric, base: str, played: pl.DataFrame) -> tuple[Words, list[str]]:
    """The largest effect as title, and a sentence for each rule and value."""
    notes = say_effects(table)
    sizes = table.group_by("factor", "level", maintain_order=True).agg(pl.col("diff").abs().max())["diff"].to_list()
    largest = max(range(len(notes)), key=lambda place: sizes[place] or 0.0)
    facts = (
        f"{metric.title}, difference to the value of {theme.label(base)}, mean over the settings of the other rules",
        games_in(played),
        HOLM,
        pairing_of(table),
        players_of(table, played),
        *paces_of(table),
    )
    return Words(notes[largest], facts), notes if len(notes) > 1 else []


def measure_of(metric: Metric) -> Measure:
    """The axis of differences."""
    unit = "% points" if metric.unit == SHARE else metric.unit
    return Measure(f"difference ({unit})", share=metric.unit == SHARE)


def strongest(table: pl.DataFrame, pairs: Sequence[Pair]) -> Pair | None:
    """The pair of rules whose interaction is largest; None where no rules meet."""
    if table.is_empty() or not pairs:
        return pairs[0] if pairs else None
    sizes = table.group_by("factor", "other", maintain_order=True).agg(pl.col("diff").abs().max())
    found = [(one, two) for one, two, _ in sizes.sort("diff", descending=True, maintain_order=True).iter_rows()]
    return next((pair for pair in found if pair in pairs), pairs[0])


def pairs_of(means: pl.DataFrame) -> list[Pair]:
    """The pairs of rules that there are means of."""
    return [(one, two) for one, two in means.select("factor", "other").unique(maintain_order=True).iter_rows()]


def of_pair(table: pl.DataFrame, pair: Pair) -> pl.DataFrame:
    """The rows of two rules."""
    return table.filter(pl.col("factor") == pair[0], pl.col("other") == pair[1])


def together_of(
    interactions: pl.DataFrame, means: pl.DataFrame, metric: Metric, pair: Pair, played: pl.DataFrame
) -> Words:
    """How two rules work together: what all line-ups agree in, or that they add up, or that it cannot be said."""
    own = of_pair(interactions, pair)
    facts = (f"{metric.sentence}; mean over the settings of the other rules", games_in(played), ALONE,
             pairing_of(own), players_of(means, played), *paces_of(means))  # fmt: skip
    told = own.filter(pl.col("form").is_in(["more", "less"]))
    if told.height:
        first = told.row(0, named=True)
        rows = own.filter(pl.col("level") == first["level"], pl.col("other_level") == first["other_level"])
        return Words(
            f"{metric.title} by {say_at_both(metric, rows.to_dicts())}", (*say_interactions(own, brief=True), *facts)
        )
    title, names = metric.title.lower(), " and ".join(pair)
    if own["form"].drop_nulls().is_empty():
        return Words(f"{names}: the rules alone decide ({title})", facts)
    if set(own["form"].drop_nulls()) == {"same"}:
        return Words(f"{names} add up: neither changes what the other does to {title}", facts)
    return Words(f"Too few games to say whether {names} change what the other does to {title}", facts)


def colours_of(levels: Sequence[str], palette: Palette) -> Palette:
    """Colours of the values of a rule, which are no variant of their own."""
    names = list(dict.fromkeys(levels))
    return Palette(
        palette.mode, {name: place for place, name in enumerate(names) if place < len(theme.PALETTES["light"])}
    )


def named(factor: str, levels: Sequence[str]) -> dict[str, str]:
    """What the legend says of the values of a rule: `hand_size 15`."""
    return {level: f"{factor} {level}" for level in levels}
