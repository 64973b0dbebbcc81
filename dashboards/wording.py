"""What figures say of themselves: sentences made from their tables, never by hand.

A sentence claims no more than the table holds: rows with too few games are left out of it, and where all
are it says so.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from dashboards import theme
from dashboards.charts import Measure, Words
from dashboards.extremes import KEYS, SHARE, between, left_out, named, telling
from pipeline.metric import Metric

CELL = "a cell is a variant played by one rotation of a line-up over the sides"
ALONE = "95 % intervals, each by itself"


def measure_of(metric: Metric) -> Measure:
    """The axis of a metric."""
    return Measure(metric.title, metric.unit, share=metric.unit == SHARE)


def range_of(table: pl.DataFrame, metric: Metric, played: pl.DataFrame, by: Sequence[str] = KEYS) -> Words:
    """The least and the greatest value of a metric's table, and which rows have them; `played` has the games.

    Names only what differs between rows: with one line-up in the table, the variants alone.
    """
    facts = (metric.sentence, *left_out(table), games_in(played), ALONE, players_of(table, played))
    sure = telling(table)
    if sure.is_empty():
        return Words(f"Too few games to say: {_lower(metric.title)}", facts)
    ends = sure.sort("value", maintain_order=True)
    least, most = ends.row(0, named=True), ends.row(-1, named=True)
    where = named(least, table, by) if ends.height == 1 else ""
    return Words(f"{metric.title}: {between(least, most, table, metric, by=by, first='from ')}{where}", facts)


def games_in(played: pl.DataFrame) -> str:
    """`60,000 games`, of the table that `data.games` gives."""
    return f"{theme.large(sum(played['games'].to_list()))} games"


def players_of(table: pl.DataFrame, played: pl.DataFrame) -> str:
    """Whose play a table's numbers hold for: every effect of a rule is one under these players."""
    lineups = played["lineup"].unique(maintain_order=True).to_list()
    if len(lineups) == 1:
        return f"played by {lineups[0]}"
    by_itself = {"given_lineup", "lineup"} & set(table.columns)
    return f"{len(lineups)} line-ups, {'each by itself' if by_itself else 'added up'}"


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]


def counts_of(table: pl.DataFrame) -> Words:
    """How many games there are, and whether any combination is missing or thin."""
    variants, lineups = table["variant"].n_unique(), table["lineup"].n_unique()
    games = table["games"].to_list()
    each = f"{'each' if len(set(games)) == 1 else 'each at least'} {theme.large(min(games, default=0))}"
    holes = variants * lineups - table.filter(pl.col("games") > 0).height
    missing = f", {holes} of {variants * lineups} combinations not played" if holes else ""
    shape = f"{count(variants, 'variant')} × {count(lineups, 'line-up')}"
    cells = count(sum(table["cells"].to_list()), "cell")
    facts = (f"{CELL}; here the rotations of a line-up are added up",)
    return Words(f"{theme.large(sum(games))} games in {cells}: {shape}, {each}{missing}", facts)


def count(number: int, word: str) -> str:
    """`1 cell`, `3 cells`."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def standouts_of(table: pl.DataFrame) -> tuple[Words, list[str]]:
    """The largest finding as title, and a sentence for each; the table has a row at least."""
    first = table.row(0, named=True)
    across = first["variant"] != first["base_variant"]
    base = theme.label(first["base_variant"] if across else first["base_lineup"])
    facts = (
        f"each variant compared with {base} under the same line-up"
        if across
        else f"one variant only, so each line-up is compared with {base}",
        "95 % intervals",
    )
    notes = table["said"].unique(maintain_order=True).to_list()
    subject, finding = str(first["row"]).split("\n")
    return Words(f"{subject} differs most from {base}: {finding}", facts), notes


def nothing_stands_out(base: str, variants: Sequence[str], lineups: Sequence[str]) -> str:
    """Why there is no finding: nothing to compare, or nothing that can be told apart."""
    if len({base, *variants, *lineups} - {""}) < 3:
        return "There is nothing to compare: one variant and one line-up. Play another variant or line-up into a run."
    against = f" to {theme.label(base)}" if base else ""
    return f"No difference{against} that these games can tell, or none worth noticing."
