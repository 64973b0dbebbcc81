"""What the figures on strategies say."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from dashboards import theme
from dashboards.charts import Words
from dashboards.extremes import left_out
from dashboards.wording import ALONE, games_in, players_of
from pipeline.metric import Metric
from pipeline.stats import FEW_GAMES

RANKS = ("A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2", "JK")
NATURAL = RANKS[:11]
NAMES = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks", "T": "tens", "9": "nines", "8": "eights",
         "7": "sevens", "6": "sixes", "5": "fives", "4": "fours", "3": "black threes", "2": "twos",
         "JK": "jokers"}  # fmt: skip
CLASSES = ("feeds", "low", "high", "ace", "black3", "wild", "red3")
CLASS = {"feeds": "feeding an open meld", "low": "fours to sevens", "high": "eights to kings", "ace": "aces",
         "black3": "black threes", "wild": "wild cards", "red3": "red threes"}  # fmt: skip
PANELS = {"yes": "The rank lies in the next side's melds", "no": "It does not"}
FEW_LEADS = "too few games to say"
COULD, TOOK = "could take", "took"
SITUATIONS = (
    ("In their melds", "in_theirs"), ("In our melds", "in_ours"), ("Thrown by them before", "thrown_before"),
    ("Copies seen", "seen"),
)  # fmt: skip
MIRROR = "mirror blocks: the same cards in every seating"


def ladder_of(table: pl.DataFrame) -> Words:
    """Who leads, and who cannot be told apart, in each variant."""
    facts = (
        "Chance to win a game against a player of the pool's mean strength (Bradley–Terry)",
        f"{theme.large(sum(table['blocks'].to_list()) / 2)} {MIRROR}",
        "95 % intervals, each by itself",
    )
    several = table["variant"].n_unique() > 1
    told: dict[str, list[str]] = {}
    for part in table.sort("rank", maintain_order=True).partition_by("variant", maintain_order=True):
        told.setdefault(_leads(part), []).append(theme.label(part["variant"][0]))
    if set(told) == {FEW_LEADS}:
        return Words("Too few games to say who leads", facts)
    if len(told) == 1:
        text = next(iter(told))
        return Words(f"{text} in all {table['variant'].n_unique()} variants" if several else text, facts)
    return Words("; ".join(f"{', '.join(variants)}: {text}" for text, variants in told.items()), facts)


def _leads(part: pl.DataFrame) -> str:
    rows = part.to_dicts()
    first = rows[0]
    if first["few"]:
        return FEW_LEADS
    ties = [name for name in (first["ties"] or "").split(", ") if name]
    if ties:
        return f"{_listed([first['strategy'], *ties])} cannot be told apart"
    later = next((row for row in rows[1:] if row["ties"]), None)
    text = f"{first['strategy']} leads"
    return f"{text}; {_listed([later['strategy'], *later['ties'].split(', ')])} cannot be told apart" if later else text


def _listed(names: Sequence[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]


def rungs(table: pl.DataFrame) -> pl.DataFrame:
    """Win rates of a ladder as a forest's rows."""
    names = {"win_rate": "value", "win_rate_low": "low", "win_rate_high": "high", "blocks": "games"}
    return table.rename(names)


def matrix_of(table: pl.DataFrame) -> Words:
    """The clearest win of one strategy over another."""
    games = f"{theme.large(sum(table['games'].to_list()) / 2)} games"
    facts = ("Games won by the strategy of the row against that of the column", games, MIRROR, ALONE)
    sure = table.filter(pl.col("win_rate_low") > 0.5, ~pl.col("few")).sort("win_rate", descending=True)
    if table["few"].all():
        return Words("Too few games to say who beats whom", facts)
    if sure.is_empty():
        return Words("No strategy here is told to beat another", facts)
    best = sure.row(0, named=True)
    where = f" in {theme.label(best['variant'])}" if table["variant"].n_unique() > 1 else ""
    won, low, high = (theme.number(100 * best[name], 1) for name in ("win_rate", "win_rate_low", "win_rate_high"))
    text = f"{best['strategy']} beats {best['opponent']} most clearly: {won} % of games ({low}–{high})"
    return Words(f"{text}{where}", facts)


def matchups(table: pl.DataFrame) -> pl.DataFrame:
    """Win rates as a grid's cells."""
    return table.rename({"win_rate": "value", "win_rate_low": "low", "win_rate_high": "high", "blocks": "n"})


def edges(table: pl.DataFrame) -> pl.DataFrame:
    """Points ahead per deal of the one who is ahead in most variants, one row a variant and pair, as differences."""
    named = table.with_columns(
        pair=pl.concat_str("strategy", pl.lit(" over "), "opponent"),
        key=pl.concat_list("strategy", "opponent").list.sort().list.join("~"),
    )
    ahead = named.group_by("key", "pair", maintain_order=True).agg(pl.col("points_per_deal").mean().alias("mean"))
    kept = ahead.sort("mean", descending=True, maintain_order=True).unique("key", keep="first", maintain_order=True)
    columns = {"points_per_deal": "diff", "points_per_deal_low": "diff_low", "points_per_deal_high": "diff_high"}
    return named.filter(pl.col("pair").is_in(kept["pair"].to_list())).rename(columns)


def edges_of(table: pl.DataFrame) -> Words:
    """The largest edge in points."""
    facts = (
        "Points per deal ahead of the other sides' mean",
        f"{theme.large(sum(table['games'].to_list()))} games",
        *left_out(table, "diff"),
        MIRROR,
        ALONE,
    )
    sure = table.filter(~pl.col("few")) if not table["few"].all() else table.clear()
    if sure.is_empty():
        return Words("Too few games to say: points ahead per deal", facts)
    best = sure.sort("diff", descending=True).row(0, named=True)
    where = f" in {theme.label(best['variant'])}" if table["variant"].n_unique() > 1 else ""
    points, low, high = (theme.number(best[name], signed=True) for name in ("diff", "diff_low", "diff_high"))
    return Words(f"{best['pair']}: {points} points per deal ({low} to {high}){where}, the largest edge", facts)


def risk_of(table: pl.DataFrame, played: pl.DataFrame, variant: str) -> Words:
    """How often a discard is taken where its rank lies in their melds, where not, and which rank most."""
    facts = ("Discards that the next seat took the pile for, of those after which it had a turn",
             theme.label(variant), *left_out(table), games_in(played), ALONE, players_of(table, played))  # fmt: skip
    known = table.filter(pl.col("rank").is_in(NATURAL))
    taken = {key: _pooled(known.filter(pl.col("in_theirs") == key)) for key in PANELS}
    if None in taken.values() or sum(played["games"].to_list()) < FEW_GAMES or known["few"].all():
        return Words("Too few games to say: which discards are taken", facts)
    text = f"{_percent(taken['yes'])} of discards of a rank in their melds are taken, {_percent(taken['no'])} of others"
    told = known.filter(pl.col("in_theirs") == "no", ~pl.col("few"))
    if told["rank"].n_unique() < 2:
        return Words(text, facts)
    ranks = told.group_by("rank", maintain_order=True).agg(pl.col("numerator").sum(), pl.col("denominator").sum())
    ends = ranks.with_columns(risk=pl.col("numerator") / pl.col("denominator")).sort("risk")["rank"].to_list()
    return Words(f"{text}: of these, {NAMES[ends[-1]]} most often, {NAMES[ends[0]]} least", facts)


def _pooled(rows: pl.DataFrame) -> float | None:
    counted = sum(rows["denominator"].to_list())
    return sum(rows["numerator"].to_list()) / counted if counted else None


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{theme.number(100 * share, 1 if share < 0.1 else 0)} %"


def danger_of(table: pl.DataFrame, played: pl.DataFrame, variant: str) -> Words:
    """The rank with the widest gap between what the next seat could take and what it took."""
    what = "Discards that the next seat could legally take the pile for, and did"
    facts = (what, theme.label(variant), *left_out(table), games_in(played), ALONE, players_of(table, played))
    sides = [table.filter(pl.col("part") == part, ~pl.col("few")).select("rank", "value") for part in (COULD, TOOK)]
    both = sides[0].join(sides[1], on="rank", suffix="_took").filter(pl.col("rank").is_in(NATURAL))
    if both.is_empty():
        return Words("Too few games to say: what could be taken and what was", facts)
    widest = both.sort((pl.col("value") - pl.col("value_took")).abs(), descending=True).row(0, named=True)
    name, could, took = NAMES[widest["rank"]], _percent(widest["value"]), _percent(widest["value_took"])
    return Words(f"The next seat could take {could} of the {name} and took {took}: the widest gap", facts)


def folklore(table: pl.DataFrame) -> pl.DataFrame:
    """Natural discards by situation, one row each with its label."""
    keys = [name for _, name in SITUATIONS]
    held = pl.coalesce(*(pl.col(name).cast(pl.String) for name in keys))
    rows = table.filter(pl.col("card_class") == "natural").with_columns(held=held)
    return rows.with_columns(situation=pl.concat_str("part", pl.lit(": "), "held"))


def folklore_of(rows: pl.DataFrame, played: pl.DataFrame, variant: str) -> Words:
    """What a discard's being thrown before by the next seat, or lying in the own melds, goes with."""
    facts = ("Natural discards taken by the next seat, by situation", theme.label(variant), *left_out(rows),
             games_in(played), ALONE, players_of(rows, played))  # fmt: skip
    told = []
    for part, text in ((SITUATIONS[2][0], "the next seat threw before"), (SITUATIONS[1][0], "in our own melds")):
        here = {row["held"]: row for row in rows.filter(pl.col("part") == part, ~pl.col("few")).to_dicts()}
        if {"yes", "no"} <= set(here):
            yes, no = (_percent(here[key]["value"]) for key in ("yes", "no"))
            told.append(f"{yes} of those of a rank {text} are taken, {no} of others")
    return Words("; ".join(told) or "Too few games to say: what makes a discard safe", facts)


def throws_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame, variant: str) -> Words:
    """The class of card in which strategies differ most."""
    facts = (metric.sentence, theme.label(variant), games_in(played), ALONE)
    sure = table.filter(~pl.col("few") | (pl.col("games") >= FEW_GAMES)).drop_nulls("value")
    if sure.is_empty():
        return Words("Too few games to say: what each strategy throws", facts)
    if sure["strategy"].n_unique() < 2:
        most = sure.sort("value", descending=True).row(0, named=True)
        return Words(
            f"{most['strategy']} throws {CLASS[most['class']]} most: {_percent(most['value'])} of its discards", facts
        )
    spread = sure.group_by("class", maintain_order=True).agg(
        (pl.col("value").max() - pl.col("value").min()).alias("spread")
    )
    widest = spread.sort("spread", descending=True)["class"][0]
    ends = sure.filter(pl.col("class") == widest).sort("value")
    low, high = ends.row(0, named=True), ends.row(-1, named=True)
    first, last = (f"{_percent(row['value'])} ({row['strategy']})" for row in (low, high))
    return Words(f"Strategies differ most in {CLASS[widest]}: from {first} to {last} of their discards", facts)


def cost_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame, variant: str) -> Words:
    """What being taken goes with."""
    facts = (
        "Margin of the thrower's side in the deal where its discard is taken, against where it is left, like with like",
        "goes with, is not the cause", theme.label(variant), *left_out(table), games_in(played), ALONE,
        players_of(table, played),
    )  # fmt: skip
    sure = table.filter(~pl.col("few")).drop_nulls("value").sort("value")
    if sure.is_empty():
        return Words(f"Too few games to say: {metric.title.lower()}", facts)
    ends = dict.fromkeys(f"{theme.number(sure['value'][at])} ({sure['strategy'][at]})" for at in (0, -1))
    return Words(f"Being taken goes with a margin {' to '.join(ends)} points lower", facts)
