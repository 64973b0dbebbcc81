"""Lists of deals to look at, freeze histories, biggest swings, first canastas and the ladder, against the rows."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from pipeline.query import load_query
from pipeline.run import Run, open_run

KEYS = ["variant", "lineup", "game", "deal"]
MANY = 100_000


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.fixture(scope="module")
def deals(run) -> pl.DataFrame:
    """Deals with what their sides made."""
    sides = (
        run.sides().collect().with_columns((pl.col("natural_canastas") + pl.col("mixed_canastas")).alias("canastas"))
    )
    best = pl.col("score").max()
    of_sides = sides.group_by(KEYS).agg(
        pl.col("canastas").sum(), best.alias("best"), (2 * best - pl.col("score").sum()).alias("swing")
    )
    return run.deals().collect().join(of_sides, on=KEYS)


WANTED: dict[str, tuple[str, bool, pl.Expr]] = {
    "longest": ("turns", True, pl.lit(True)),
    "shortest": ("turns", False, pl.lit(True)),
    "biggest_take": ("biggest_take", True, pl.col("biggest_take").is_not_null()),
    "concealed": ("turns", True, pl.col("ending") == "concealed"),
    "special": ("turns", True, pl.col("ending") == "special"),
    "stock": ("turns", True, pl.col("ending").is_in(["stock", "red_three"])),
    "cap": ("turns", True, pl.col("ending") == "cap"),
    "biggest_swing": ("swing", True, pl.lit(True)),
    "highest_score": ("best", True, pl.lit(True)),
    "most_canastas": ("canastas", True, pl.lit(True)),
    "no_canasta": ("canastas", False, pl.col("canastas") == 0),
}


def test_every_choice_of_deals_is_checked():
    assert set(load_query("deals_to_look_at").parameters["what"].choices) == set(WANTED)


@pytest.mark.parametrize("what", WANTED)
def test_deals_to_look_at_are_the_extreme_ones(run, deals, what):
    column, falling, kept = WANTED[what]
    ordered = deals.filter(kept).sort(column, descending=falling)
    assert run.query("deals_to_look_at", what=what, most=MANY).height == ordered.height
    found = run.query("deals_to_look_at", what=what, most=15)
    assert found["value"].to_list() == ordered[column].head(15).to_list()
    both = found.join(deals.select(*KEYS, pl.col(column).cast(pl.Int64).alias("own")), on=KEYS)
    assert both["own"].to_list() == both["value"].to_list()
    assert set(found["what"]) <= {what}


def test_a_listed_deal_names_the_command_that_shows_it(run):
    for name in ("deals_to_look_at", "biggest_swings", "freeze_histories"):
        row = run.query(name, most=1).row(0, named=True)
        assert row["command"] == (
            f"canasta replay RUN {row['game']} {row['deal']} --variant {row['variant']} --lineup {row['lineup']}"
        )


def test_lists_are_the_same_each_time_whatever_ties(run):
    for name in ("deals_to_look_at", "biggest_swings", "freeze_histories"):
        whole = run.query(name, most=60)
        assert run.query(name, most=60).equals(whole)
        assert run.query(name, most=7).equals(whole.head(7))


def test_a_swing_is_the_best_sides_margin_and_says_how_the_lead_turned(run):
    sides = run.sides().collect()
    both = sides.join(sides, on=KEYS, suffix="_other").filter(pl.col("side") != pl.col("side_other"))
    margins = both.select(
        *KEYS,
        "side",
        "strategy",
        (pl.col("score") - pl.col("score_other")).alias("margin"),
        (pl.col("score_before") - pl.col("score_before_other")).alias("lead_before"),
        (pl.col("score_after") - pl.col("score_after_other")).alias("lead_after"),
    )
    found = run.query("biggest_swings", most=30)
    assert found["margin"].to_list() == margins["margin"].sort(descending=True).head(30).to_list()
    columns = [*KEYS, "side", "strategy", "lead_before", "lead_after"]
    assert found.join(margins, on=columns).height == 30
    assert (found["lead_after"] - found["lead_before"] == found["margin"]).all()


def test_freeze_histories_are_the_piles_that_a_card_froze(run):
    piles = run.piles().collect().filter(pl.col("frozen_turn").is_not_null())
    found = run.query("freeze_histories", most=MANY)
    assert found.height == piles.height
    assert found["turns"].is_sorted(descending=True)
    both = found.join(piles, on=[*KEYS, "pile"], suffix="_of_pile")
    assert both.height == piles.height
    assert (both["turns"] == both["last_turn"] - both["frozen_turn"]).all()
    assert both["frozen_strategy"].equals(both["frozen_strategy_of_pile"])
    won = both.filter(pl.col("won").is_not_null())
    assert (won["won"] == ((won["taken_seat"] - won["frozen_seat"]) % 2 == 0)).all()
    assert won.height == piles.drop_nulls(["taken_seat", "frozen_seat"]).height


def test_a_games_freezes_come_in_the_order_of_play(run):
    cell = run.parts[1]
    piles = run.piles(cell.variant, cell.lineup).collect().filter(pl.col("frozen_turn").is_not_null())
    game = piles["game"].mode().sort()[0]
    asked = {"variant": cell.variant, "lineup": cell.lineup, "game": game, "first": "played", "most": MANY}
    found = run.query("freeze_histories", **asked).select("game", "deal", "pile").rows()
    assert len(found) > 1
    assert found == sorted(piles.filter(game=game).select("game", "deal", "pile").rows())


def test_first_canastas_are_counted_over_all_sides(run):
    sides = run.sides().collect()
    for row in run.query("first_canasta").iter_rows(named=True):
        own = sides.filter(**{name: row[name] for name in ("variant", "lineup", "strategy")})
        ordered = own["first_canasta_turn"].fill_null(10**9).sort()
        assert row["side_deals"] == own.height
        assert row["with_canasta"] == pytest.approx(own["first_canasta_turn"].count() / own.height)
        for name, p in (("first_tenth", 0.1), ("half", 0.5), ("nine_tenths", 0.9)):
            expected = ordered[math.ceil(p * own.height - 1e-9) - 1]
            assert row[name] == (None if expected == 10**9 else expected)


def test_a_ladder_of_two_is_their_win_rate_on_a_scale_of_odds(run):
    found = run.query("ladder")
    rates = run.query("head_to_head").filter(strategy="safe")
    assert found["variant"].to_list() == [variant for variant in run.variants for _ in range(2)]
    assert found["rank"].to_list() == [1, 2] * len(run.variants)
    for row, rate in zip(found.filter(rank=1).iter_rows(named=True), rates.iter_rows(named=True), strict=True):
        won = (rate["win_rate"] * rate["blocks"] + 0.5) / (rate["blocks"] + 1)
        assert row["strategy"] == "safe"
        assert row["strength"] == pytest.approx(np.log(won / (1 - won)) / 2)
        assert (row["blocks"], row["ties"], row["few"]) == (rate["blocks"], "", True)


def test_a_ladder_or_a_head_to_head_of_like_sides_is_empty_and_says_why(run):
    for name in ("ladder", "head_to_head"):
        assert run.query(name, lineup="safe").is_empty()
        assert "such as safe~naive" in load_query(name).empty
