"""What the figures on game length say."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from dashboards import theme
from dashboards.charts import Measure, Words
from dashboards.comparing import axis_of, effects_of, pairing_of
from dashboards.extremes import named
from dashboards.wording import ALONE, games_in, measure_of, players_of, range_of
from pipeline.metric import Metric
from pipeline.stats import FEW_GAMES

PACES = {"online": "8 s a turn, 4 a take, 20 a deal", "club": "20 s a turn, 10 a take, 1 a card melded, 240 a deal",
         "social": "30 s a turn, 15 a take, 1½ a card melded, 300 a deal"}  # fmt: skip
ENDINGS = ("out", "concealed", "special", "stock", "red_three", "cap")
ENDED = {"out": "going out", "concealed": "going out concealed", "special": "a special hand", "stock": "an empty stock",
         "red_three": "the last red three", "cap": "the cap"}  # fmt: skip


def at_pace(words: Words, pace: str) -> Words:
    """The words of a figure in minutes, with the pace they assume."""
    return Words(f"{words.sentence} at {pace} pace", (*words.facts, f"{pace} pace, an assumption: {PACES[pace]}"))


def parts_of(table: pl.DataFrame, metrics: Sequence[Metric], base: str, played: pl.DataFrame) -> Words:
    """How deals and games change together: the variant that lengthens one and shortens the other, if there is one."""
    axis = axis_of(table, base)
    facts = (
        "Turns per deal × deals per game = turns per game, the same along each grey line",
        games_in(played),
        ALONE,
        *((pairing_of(table),) if axis else ()),
        players_of(table, played),
    )
    if not axis:
        return Words("Turns per game are turns per deal times deals per game", facts)
    told = [
        {one.subject: one for one in effects_of(table.filter(pl.col("part") == metric.title), metric, base)}
        for metric in metrics
    ]
    subjects = [name for name in told[0] if all(name in one for one in told)]
    if not subjects:
        return Words("Turns per game are turns per deal times deals per game", facts)
    apart = [
        name
        for name in subjects
        if told[0][name].size * told[1][name].size < 0 and told[0][name].known and told[1][name].known
    ]
    subject = max(apart or subjects, key=lambda name: abs(told[0][name].size))
    return Words(f"{theme.label(subject)}: {'; '.join(one[subject].clause for one in told)}", facts)


def finished_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame, pace: str, minutes: float) -> Words:
    """The least and the most that is over in time."""
    words = at_pace(range_of(table, metric, played), pace)
    sentence = words.sentence.replace(metric.title, f"Over within {theme.number(minutes)} minutes", 1)
    facts = (f"Share of completed games over within {theme.number(minutes)} minutes", *words.facts[1:])
    return Words(sentence, facts)


def minutes_of(table: pl.DataFrame, played: pl.DataFrame, pace: str, group: str, minutes: float) -> Words:
    """How many games are over in time, of the shortest and the longest, and when half of them are."""
    facts = ("Share of completed games over by then", games_in(played), "95 % bands", players_of(table, played),
             f"{pace} pace, an assumption: {PACES[pace]}")  # fmt: skip
    told = []
    for part in table.drop_nulls("at").partition_by(group, maintain_order=True):
        games, over = part["games"].to_list()[0], part.filter(pl.col("at") <= minutes)["cum"].to_list()
        half = part.filter(pl.col("cum") >= 0.5)["at"].to_list()
        if games >= FEW_GAMES and half:
            told.append((over[-1] if over else 0.0, half[0], theme.label(str(part[group][0]))))
    if not told:
        return Words(f"Too few games to say: minutes per game at {pace} pace", facts)
    ends = sorted(told)
    several = len(told) > 1
    clauses = [
        f"{theme.number(100 * share)} % of {f'{name} games' if several else 'games'} are over within "
        f"{theme.number(minutes)} minutes, half of them within {half}"
        for share, half, name in ((ends[0], ends[-1]) if several else ends)
    ]
    return Words(f"{'; '.join(clauses)}, at {pace} pace", facts)


def deals_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame, group: str) -> Words:
    """How many deals most games take."""
    facts = (metric.sentence, games_in(played), "95 % intervals", players_of(table, played))
    told = []
    known = table.drop_nulls("at").filter(pl.col("games") >= FEW_GAMES)
    for part in known.partition_by(group, maintain_order=True):
        shares = dict(part.select("at", "share").iter_rows())
        mode = max(shares, key=lambda at: shares[at])
        second = max((shares.get(mode - 1, 0.0), mode - 1), (shares.get(mode + 1, 0.0), mode + 1))
        low, high = sorted((mode, second[1]))
        both = shares[mode] + second[0]
        told.append((theme.label(str(part[group][0])), low, high, both))
    if not told:
        return Words(f"Too few games to say: {metric.title.lower()}", facts)
    clauses = [
        f"{name}: {theme.number(100 * both)} % of games take {low} or {high} deals" for name, low, high, both in told
    ]
    if len(told) == 1:
        return Words(f"{theme.number(100 * told[0][3])} % of games take {told[0][1]} or {told[0][2]} deals", facts)
    ends = sorted(range(len(told)), key=lambda place: told[place][1])
    return Words("; ".join(clauses[place] for place in dict.fromkeys((ends[0], ends[-1]))), facts)


def endings_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame) -> Words:
    """How most deals end, and where the next most frequent ending is at its most frequent."""
    facts = (metric.sentence, f"deals of {games_in(played)}", ALONE, players_of(table, played))
    sure = table.filter(~pl.col("few") | (pl.col("games") >= FEW_GAMES)).drop_nulls("value")
    if sure.filter(pl.col("value") > 0).is_empty():  # of few games, only what the rules never let happen is sure
        return Words("Too few games to say: how deals end", facts)
    means = sure.group_by("ending", maintain_order=True).agg(pl.col("value").mean()).sort("value", descending=True)
    first = means["ending"][0]
    least = sure.filter(pl.col("ending") == first).sort("value").row(0, named=True)
    text = f"{_percent(least['value'])} of deals and more end by {ENDED[first]}"
    others = sure.filter(pl.col("ending") != first, pl.col("value") > 0).sort("value", descending=True)
    if others.is_empty():
        return Words(text, facts)
    most = others.row(0, named=True)
    return Words(f"{text}; {_percent(most['value'])} at most by {ENDED[most['ending']]}{named(most, table)}", facts)


def _percent(share: float) -> str:
    return f"{theme.number(100 * share, 2 if share < 0.01 else 1)} %"


def measures_of(metrics: Sequence[Metric]) -> tuple[Measure, Measure, Measure]:
    """The axes of turns per deal, deals per game and turns per game."""
    first, second, third = (measure_of(metric) for metric in metrics)
    return first, second, third
