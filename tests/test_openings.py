"""Openings and what they go with, and what each strategy throws, against the rows of the sample run."""

from __future__ import annotations

import polars as pl
import pytest

from pipeline.run import Run, open_run
from tests.slow_intervals import slow_interval


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


def margins(run: Run, variant: str, lineup: str) -> pl.DataFrame:
    """Sides of deals with their margin."""
    sides = run.sides(variant, lineup).collect()
    other = sides.select("game", "deal", (3 - pl.col("side")).alias("side"), pl.col("score").alias("other"))
    return sides.join(other, on=["game", "deal", "side"]).with_columns(
        (pl.col("score") - pl.col("other")).alias("margin")
    )


def test_the_margin_with_an_opening_is_that_of_the_sides_that_opened_then(run):
    cell = run.parts[1]
    rows = margins(run, cell.variant, cell.lineup).filter(pl.col("open_seat").is_not_null())
    found = run.metric("open_margin", ["open_turn", "minimum"], variant=cell.variant, lineup=cell.lineup)
    groups = {key: part for key, part in rows.group_by("open_turn", "minimum")}
    assert {(row["open_turn"], row["minimum"]) for row in found.iter_rows(named=True)} == set(groups)
    for row in found.iter_rows(named=True):
        part = groups[row["open_turn"], row["minimum"]]
        games = part.group_by("game").agg(pl.col("margin").sum(), pl.len()).select("margin", "len").rows()
        expected = slow_interval(games, "R")
        assert row["denominator"] == part.height
        assert [row[end] for end in ("value", "low", "high")] == [
            end if end is None else pytest.approx(end, rel=1e-6) for end in expected
        ]


def test_sides_that_never_open_are_in_no_row_of_the_margin_with_an_opening(run):
    found = run.metric("open_margin")
    assert found["open_turn"].null_count() == 0
    assert found["denominator"].sum() == run.sides().collect()["open_seat"].count()


def test_ways_of_opening_are_shares_of_the_sides_that_opened(run):
    for row in run.metric("opening_share", ["variant", "strategy", "opening"]).iter_rows(named=True):
        own = run.sides(row["variant"]).filter(pl.col("strategy") == row["strategy"]).collect()
        assert row["numerator"] == own.filter(opening=row["opening"]).height
        assert row["denominator"] == own["open_turn"].count()


def class_of(card: str, in_theirs: bool) -> str:
    rank = card if card == "JK" else card[0]
    if rank in ("JK", "2"):
        return "wild"
    if rank == "3":
        return "black3" if card[1] in "CS" else "red3"
    if in_theirs:
        return "feeds"
    return "low" if rank in "4567" else "ace" if rank == "A" else "high"


def test_every_discard_is_of_one_class(run):
    turns = run.turns().filter(pl.col("discard").is_not_null()).collect()
    counts: dict[tuple[str, str], int] = {}
    for strategy, card, fed in turns.select("strategy", "discard", "in_theirs").iter_rows():
        key = (strategy, class_of(card, fed))
        counts[key] = counts.get(key, 0) + 1
    found = run.metric("discard_class_share", ["strategy", "class"])
    assert {
        (r["strategy"], r["class"]): r["numerator"] for r in found.iter_rows(named=True) if r["numerator"]
    } == counts
    for _, part in found.group_by("strategy"):
        assert part["value"].sum() == pytest.approx(1)
