"""What the figures of the page on the pile say: titles computed from their tables, and the tables as drawn."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from dashboards import theme
from dashboards.charts import Words
from dashboards.charts.words import written
from dashboards.extremes import Row, between, named, shares_between
from dashboards.telling import also, ends, facts, groups_in, percent, points, said, sure
from pipeline.metric import Metric
from pipeline.stats import FEW_GAMES

FEW = "Too few games to say"
STATES = {
    "open": "open to the side",
    "frozen": "frozen for all",
    "unopened": "frozen until it opens",
    "stopped": "stopped by a black three",
    "wild_top": "a wild card on top",
    "empty": "empty",
}
STATE_PLACES = dict(zip(STATES.values(), (2, 0, 6, 1, 5, 7), strict=True))  # of the palette
CAUSES = {
    "wild": "a wild card thrown",
    "red3": "a red three thrown",
    "black3": "a black three thrown",
    "upcard_wild": "a wild card turned up",
    "upcard_red3": "a red three turned up",
    "upcard_black3": "a black three turned up",
}
SIZES = {"0": "none", "1-3": "1 to 3 cards", "4-7": "4 to 7 cards", "8-15": "8 to 15 cards", "16+": "16 cards or more"}


def always_frozen(variants: Sequence[str]) -> tuple[str, ...]:
    """A remark on the variants whose pile is always frozen, which have no row."""
    names = ", ".join(theme.label(name) for name in variants)
    return (f"always frozen by rule, so without a row: {names}",) if variants else ()


def frozen_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame, ruled: Sequence[str]) -> Words:
    """How often the pile is frozen, from least to most; `ruled` are the variants in which it always is."""
    told, rows = facts(metric, table, played, *always_frozen(ruled)), sure(table)
    if rows.is_empty():
        return Words(f"{FEW} how often the pile is frozen", told)
    least, most = ends(rows)
    return Words(f"{between(least, most, rows, metric, first='From ')} of turns face a frozen pile", told)


def frozen_along(table: pl.DataFrame, metric: Metric, played: pl.DataFrame, x: str, ruled: Sequence[str]) -> Words:
    """Where in the deal the pile is frozen most and least often; `ruled` as in `frozen_of`."""
    reached = f"of the deals that reached the {x}"
    told, rows = facts(metric, table, played, reached, *always_frozen(ruled)), sure(table)
    if rows.height < 2:
        return Words(f"{FEW} when the pile is frozen", told)
    least, most = ends(rows)
    where = f"{'on' if x == 'turn' else 'in'} {x}"
    first, last = (f"{where} {row[x]} ({said(row, metric)} of turns{also(row, rows)})" for row in (most, least))
    return Words(f"The pile is frozen most often {first}, least {last}", told)


def states_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """When the pile is open to the side whose turn it is."""
    told = facts(metric, table, played)
    there = table.filter(pl.col("state") == "open")
    if there.filter(pl.col("games") >= FEW_GAMES).height and not there["numerator"].sum():
        return Words("The pile is open on no turn", told)
    rows = sure(there)
    if rows.height < 2:
        return Words(f"{FEW} when the pile is open", told)
    least, most = ends(rows)
    first, last = (f"in round {row['round']} ({said(row, metric)} of turns{also(row, rows)})" for row in (most, least))
    return Words(f"The pile is open to the side whose turn it is most often {first}, least {last}", told)


def causes_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """What makes most freezes, as a share of all of them."""
    told = facts(metric, table, played)
    shares = table.with_columns(part=pl.col("value") / pl.col("value").sum().over(groups_in(table)))
    rows = sure(shares).filter(pl.col("part").is_finite())
    if rows.is_empty():
        known = table.drop_nulls("low").height and not table["numerator"].sum()
        return Words("Nothing ever froze the pile" if known else f"{FEW} what freezes the pile", told)
    top = rows.sort("part", descending=True, maintain_order=True).row(0, named=True)
    same = rows.filter(pl.col("cause") == top["cause"])
    least, most = ends(same, "part")
    cause = CAUSES.get(top["cause"], top["cause"])
    cause = f"{cause[:1].upper()}{cause[1:]}"
    if same.height == 1:
        return Words(f"{cause} makes {percent(most['part'])} of all freezes{named(most, table)}", told)
    return Words(f"{cause} makes {shares_between(least, most, same, 'part')} of all freezes", told)


def lengths_of(table: pl.DataFrame, left: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """Within how many turns half of all freezes are over; `table` is the distribution, `left` those never taken."""
    told = facts(metric, table, played, "a ring at the right edge: those that the end of the deal ended")
    halves = medians(table)
    if halves.is_empty():
        return Words(f"{FEW} how long a freeze lasts", told)
    rest = sure(left)
    ended = ""
    if rest.height:
        _, most = ends(rest)
        ended = f"; {'' if rest.height == 1 else 'up to '}{percent(most['value'])} last to the end of the deal"
    least, most = ends(halves, "at")
    if least["at"] == most["at"]:
        return Words(f"Half of all freezes are over within {_turns(most['at'])}{ended}", told)
    low, high = (f"{row['at']}{named(row, halves)}" for row in (least, most))
    return Words(f"Half of all freezes are over within {low} to {high} turns{ended}", told)


def medians(table: pl.DataFrame) -> pl.DataFrame:
    """Of a distribution: each group's least number that half of its rows do not exceed, of groups with games enough."""
    if table.is_empty():
        return table
    rows = table.filter((pl.col("cum") >= 0.5) & (pl.col("games") >= FEW_GAMES)).drop_nulls(["at", "cum_low"])
    groups = groups_in(rows)
    rows = rows.sort("at", maintain_order=True)
    return rows.unique(groups, keep="first", maintain_order=True) if groups else rows.head(1)


def beside_even(table: pl.DataFrame) -> pl.DataFrame:
    """Freezes won with `even`, the side's share of all takes; from the parts `won`, `takes` and `all`.

    `even` is takes per side and deal ÷ takes per deal, of the same strategy, line-up and variant.
    """
    keys = ["variant", "given_lineup"]
    parts = {name: table.filter(pl.col("part") == name) for name in ("won", "takes", "all")}
    own = parts["takes"].select(*keys, "strategy", own="value")
    every = parts["all"].select(*keys, every="value")
    joined = parts["won"].join(own, on=[*keys, "strategy"], how="left", maintain_order="left")
    return joined.join(every, on=keys, how="left", maintain_order="left").with_columns(
        even=pl.when(pl.col("every") > 0).then(pl.col("own") / pl.col("every")),
        row=pl.concat_str(
            written(pl.col("variant"), theme.label),
            pl.lit("\n"),
            pl.when(pl.col("strategy") == pl.col("given_lineup"))
            .then(pl.col("strategy"))
            .otherwise(pl.concat_str(pl.col("strategy"), pl.lit(" in "), pl.col("given_lineup"))),
        ),
    )


def profit_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """Who wins the piles it froze furthest beyond its share of all takes; `table` as `beside_even` gives it."""
    told = facts(metric, table, played, "the upright stroke: the side's share of all takes")
    rows = sure(table)
    rows = rows.drop_nulls("even").with_columns(gain=pl.col("value") - pl.col("even")) if rows.height else rows
    if rows.is_empty():
        return Words(f"{FEW} who profits from a freeze", told)
    least, most = ends(rows, "gain")
    row = most if abs(most["gain"]) >= abs(least["gain"]) else least
    where = named(row, rows)
    won = f"{row['strategy']} wins {said(row, metric)} of the piles that it froze and anybody took"
    return Words(f"{won}, against {percent(row['even'])} of all takes{where}", told)


def sizes_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """The median number of cards that a take brings."""
    told, halves = facts(metric, table, played), medians(table)
    if halves.is_empty():
        return Words(f"{FEW} how large the piles are that are taken", told)
    least, most = ends(halves, "at")
    if least["at"] == most["at"]:
        return Words(f"The median take brings {_cards(most['at'])}", told)
    low, high = (f"{row['at']}{named(row, halves)}" for row in (least, most))
    return Words(f"The median take brings {low} to {high} cards", told)


def bring_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """Which take goes with the greatest and the least margin."""
    told, rows = facts(metric, table, played), sure(table)
    if rows.is_empty():
        return Words(f"{FEW} what a take goes with", told)
    least, most = ends(rows)
    great = f"A take of {_size(most)} goes with {points(most, metric)}{named(most, rows)}"
    if rows.height == 1:
        return Words(great, told)
    return Words(f"{great}, one of {_size(least)} with {points(least, metric)}{named(least, rows)}", told)


def leaves_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """Who leaves most of the piles that it could take."""
    told, rows = facts(metric, table, played), sure(table)
    if rows.is_empty():
        return Words(f"{FEW} who leaves a pile that it could take", told)
    least, _ = ends(rows)
    if least["value"] == 1:
        return Words("Every strategy takes every pile that it can", told)
    rest = dict(least) | {"value": 1 - least["value"], "low": 1 - least["high"], "high": 1 - least["low"]}
    size = SIZES.get(least["pile_size"], least["pile_size"])
    return Words(f"{least['strategy']} leaves {said(rest, metric)} of the piles of {size} that it could take", told)


def _turns(number: float) -> str:
    return "a turn" if number == 1 else f"{number:.0f} turns"


def _cards(number: float) -> str:
    return "1 card" if number == 1 else f"{number:.0f} cards"


def _size(row: Row) -> str:
    size = str(row["take_size"])
    return SIZES.get(size, size)
