"""What the figures of the page on canastas say: titles computed from their tables, and the tables as drawn."""

from __future__ import annotations

import polars as pl

from dashboards.charts import Words
from dashboards.extremes import Row, between, named, shares_between
from dashboards.telling import also, ends, facts, groups_in, part, percent, points, said, sure
from dashboards.wording_pile import FEW, medians
from pipeline.metric import Metric
from pipeline.stats import FEW_GAMES

TYPES = {"natural": 7, "mixed": 0, "wild": 5, "sequence": 2, "royal": 3}
"""Places in the palette: red and black, as at the table."""
RANKS = {
    "4": "fours", "5": "fives", "6": "sixes", "7": "sevens", "8": "eights", "9": "nines", "T": "tens", "J": "jacks",
    "Q": "queens", "K": "kings", "A": "aces",
}  # fmt: skip
OPENED, CANASTA = "opened", "first canasta"


def types_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """How many canastas a side has in a deal and how many of them are natural; parts `type` and `all`."""
    told, rows = facts(metric, table, played), sure(part(table, "all"))
    if rows.is_empty():
        return Words(f"{FEW} how many canastas a side makes", told)
    natural = part(table, "type").filter(pl.col("type") == "natural").select(*groups_in(table), natural="value")
    shares = rows.join(natural, on=groups_in(table), how="left", maintain_order="left").with_columns(
        share=pl.col("natural") / pl.col("value")
    )
    least, most = ends(rows)
    known = shares.filter(pl.col("share").is_finite())
    some = ""
    if known.height:
        few, many = (percent(row["share"]) for row in ends(known, "share"))
        some = f", {few if few == many else f'{few[:-2]} to {many}'} of them natural"
    return Words(f"{between(least, most, rows, metric, first='From ')} canastas a side and deal{some}", told)


def without_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """In how many deals a side ends without a canasta, from the distribution of canastas."""
    told = facts(metric, table, played)
    counted = table.drop_nulls(["at", "share_low"]).filter(pl.col("games") >= FEW_GAMES) if table.height else table
    if counted.is_empty():
        return Words(f"{FEW} how often a side ends without a canasta", told)
    rows = counted.filter(pl.col("at") == 0)
    if rows.is_empty():
        return Words("No side ends without a canasta", told)
    least, most = ends(rows, "share")
    return Words(f"A side ends without a canasta in {shares_between(least, most, rows, 'share')} of deals", told)


def ranks_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """Which rank becomes canastas most and least often."""
    told, rows = facts(metric, table, played, "the dashed rule: an even share"), sure(table)
    if rows.height < 2:
        return Words(f"{FEW} which ranks become canastas", told)
    least, most = ends(rows)
    first, last = (f"{RANKS[row['rank']]} {{}} often ({said(row, metric)}{also(row, rows)})" for row in (most, least))
    return Words(f"{first.format('become canastas most').capitalize()}, {last.format('least')}", told)


def even_share(table: pl.DataFrame) -> float:
    """The share of each rank if all became canastas alike; the ranks that can are those of the table."""
    return 1 / max(table["rank"].n_unique(), 1)


def by_rank_name(table: pl.DataFrame) -> pl.DataFrame:
    """The ranks as people say them."""
    return table.with_columns(pl.col("rank").cast(pl.String).replace(RANKS))


def by_minimum(table: pl.DataFrame) -> pl.DataFrame:
    """The minima as rows are labelled."""
    return table.with_columns(minimum=pl.format("minimum {}", "minimum"))


def when_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """By which own turn half of all sides have opened and have a canasta; parts OPENED and CANASTA."""
    told = facts(metric, table, played, "solid: opened, dashed: first canasta; sides that never do are counted too")
    groups = table.select(groups_in(table)).unique().height
    halves = {name: medians(part(table, name)) for name in (OPENED, CANASTA)}
    if table["games"].to_numpy().max(initial=0) < FEW_GAMES:
        return Words(f"{FEW} when sides open", told)
    done = {name: _by_turn(rows) for name, rows in halves.items() if rows.height == groups}
    if OPENED not in done:
        return Words("Fewer than half of all sides ever open", told)
    made = (
        f"and have a canasta by their {done[CANASTA]}" if CANASTA in done else "and fewer than half ever have a canasta"
    )
    return Words(f"Half of all sides have opened by their {done[OPENED]} turn, {made}", told)


def _by_turn(halves: pl.DataFrame) -> str:
    least, most = ends(halves, "at")
    if least["at"] == most["at"]:
        return nth(most["at"])
    return " to ".join(f"{nth(row['at'])}{named(row, halves)}" for row in (least, most))


def nth(number: float) -> str:
    """`4th`, of a whole number."""
    whole = int(number)
    ending = "th" if 10 < whole % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(whole % 10, "th")
    return f"{whole}{ending}"


def pays_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """What opening on an early turn goes with against a late one, where that makes the greatest difference."""
    told, rows = facts(metric, table, played), sure(table)
    groups = rows.partition_by(*groups_in(rows), "minimum", maintain_order=True) if rows.height else []
    pairs = [(rows.row(0, named=True), rows.row(-1, named=True)) for rows in groups if rows.height > 1]
    if not pairs:
        return Words(f"{FEW} what opening early goes with", told)
    early, late = max(pairs, key=lambda pair: abs(pair[0]["value"] - pair[1]["value"]))
    where = named(early, rows)
    return Words(
        f"At a minimum of {early['minimum']}, opening on own turn {early['open_turn']} goes with "
        f"{points(early, metric)}, on {late['open_turn']} with {points(late, metric)}{where}",
        told,
    )


def opening_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """At which minimum most and fewest sides open."""
    told, rows = facts(metric, table, played), sure(table)
    if rows.is_empty():
        return Words(f"{FEW} how many sides open", told)
    least, most = ends(rows)
    if rows.height == 1:
        return Words(f"{said(most, metric)} of sides open", told)
    if least["minimum"] == most["minimum"]:
        return Words(f"{between(least, most, rows, metric, first='From ')} of sides open", told)
    low, high = (f"at a minimum of {row['minimum']}{named(row, rows)}" for row in (least, most))
    return Words(f"{said(most, metric)} of sides open {high}, {said(least, metric)} {low}", told)


def turns_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """By which own turn half of all sides open, at the least and the greatest minimum."""
    told, rows = facts(metric, table, played), sure(table)
    if rows.is_empty():
        return Words(f"{FEW} when sides open", told)
    least, most = ends(rows)
    first, last = (f"own turn {row['value']:.0f}{_at(row, rows)}" for row in (least, most))
    if least["value"] == most["value"]:
        return Words(f"Half of all sides have opened by own turn {most['value']:.0f}, whatever the minimum", told)
    return Words(f"Half of all sides have opened by {first}, by {last}", told)


def _at(row: Row, rows: pl.DataFrame) -> str:
    minimum = f" at {row['minimum']}" if rows["minimum"].n_unique() > 1 else ""
    return f"{minimum}{named(row, rows)}"
