"""Named queries: their headers hold, their parameters are checked, the headline answers are right."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest

from engine.errors import BadInput
from pipeline import queries, query
from pipeline.query import FOLDER, load_query, parse_query, query_names, run_query
from pipeline.run import Run, open_run

HEADER = """/*
title = "T"
answers = "A?"
grain = ["variant"]
[parameters.most]
type = "int"
default = 3
description = "most"
[columns]
variant = { unit = "", description = "slug" }
n = { unit = "games", description = "games" }
*/
"""
SQL = "select variant, count(*) as n from games where game <= $most group by variant order by variant"


OF_GIVEN_LINEUPS = ("games_played", "head_to_head", "ladder")
"""Queries whose rows hold all rotations of a line-up."""
LISTS = ("biggest_swings", "deals_to_look_at", "freeze_histories")
"""Queries that give the first rows of many: tests/test_lists_of_deals.py."""


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.mark.parametrize("name", query_names())
def test_every_query_answers_with_the_columns_of_its_header(run, name):
    asked = load_query(name)
    answer = run.query(name)
    assert answer.columns == list(asked.columns)
    assert answer.height
    assert answer.select(asked.grain).is_unique().all()
    assert not any(kind in (pl.Int128, pl.Decimal) for kind in answer.dtypes)


@pytest.mark.parametrize("name", query_names())
def test_every_query_keeps_to_the_variants_and_lineups_asked_for(run, name):
    last = run.parts[-1]
    variant, lineup = last.variant, last.given if name in OF_GIVEN_LINEUPS else last.lineup
    whole = run.query(name)
    part = run.query(name, variant, lineup)
    asked = {"variant": variant, "lineup": lineup}
    assert part.height
    assert part.equals((part if name in LISTS else whole).filter(**{key: asked[key] for key in asked if key in part}))


def test_queries_are_short_and_describe_every_column():
    for name in query_names():
        assert len((FOLDER / f"{name}.sql").read_text(encoding="utf-8").splitlines()) <= 80
        assert all(column.description for column in load_query(name).columns.values())


def test_answers_come_in_the_order_of_the_plan(run):
    found = run.query("game_length").select("variant", "lineup").rows()
    assert found == [(cell.variant, cell.lineup) for cell in run.parts]


def test_game_length_is_turns_and_deals_of_completed_games(run):
    for row in run.query("game_length").iter_rows(named=True):
        games = run.games(row["variant"], row["lineup"]).collect()
        done = games.filter(pl.col("ending") != "cap")
        assert row["games"] == done.height
        assert row["capped"] == pytest.approx(1 - done.height / games.height)
        assert row["turns_per_game"] == pytest.approx(done["turns"].mean())
        half = 1.959964 * done["turns"].std() / math.sqrt(done.height)
        assert row["turns_per_game_high"] - row["turns_per_game"] == pytest.approx(half, rel=1e-6)
        assert row["turns_per_deal"] == pytest.approx(games["turns"].sum() / games["deals"].sum())


def test_freeze_rate_counts_turns_that_begin_frozen_and_deals_ever_frozen(run):
    for row in run.query("freeze_rate").iter_rows(named=True):
        turns = run.turns(row["variant"], row["lineup"]).collect()
        piles = run.piles(row["variant"], row["lineup"]).collect()
        deals = turns.select("game", "deal").n_unique()
        assert row["frozen_turn_share"] == pytest.approx(turns["frozen_by"].is_not_null().mean())
        frozen = piles.filter(pl.col("frozen_turn").is_not_null())
        assert row["freezes_per_deal"] == pytest.approx(frozen.height / deals)
        assert row["frozen_deal_share"] == pytest.approx(frozen.select("game", "deal").n_unique() / deals)
        assert row["frozen_turn_share_low"] < row["frozen_turn_share"] < row["frozen_turn_share_high"]


def test_canasta_frequency_adds_up_by_type_and_by_rank(run):
    answer = run.query("canasta_frequency")
    for (_, _), part in answer.group_by("variant", "lineup"):
        whole = part.filter(pl.col("split") == "all").row(0, named=True)
        for split, rows in (("type", 2), ("rank", 11)):
            some = part.filter(pl.col("split") == split)
            assert some.height == rows
            assert some["canastas"].sum() == whole["canastas"]
            assert some["share"].sum() == pytest.approx(1)
            assert some["per_side_deal"].sum() == pytest.approx(whole["per_side_deal"])
    ranks = answer.filter(pl.col("split") == "rank")["canasta"].unique(maintain_order=True).to_list()
    assert ranks == ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]


def test_canasta_frequency_counts_melds_of_seven_cards(run):
    cell = run.parts[0]
    melds = run.moves(cell.variant, cell.lineup).filter(pl.col("action").is_in(["meld", "take"]))
    sevens = melds.group_by("game", "deal", "side", "meld").agg(pl.len()).filter(pl.col("len") >= 7).collect()
    row = run.query("canasta_frequency", cell.variant, cell.lineup, split="type").row(0, named=True)
    assert row["canastas"] == sevens.height
    assert row["side_deals"] == 2 * run.deals(cell.variant, cell.lineup).collect().height


def test_a_split_chooses_its_rows(run):
    whole = run.query("canasta_frequency")
    for split in ("type", "rank"):
        part = run.query("canasta_frequency", split=split)
        assert part.equals(whole.filter(pl.col("split").is_in(["all", split])))


def test_a_higher_level_widens_the_interval(run):
    narrow, wide = (run.query("game_length", level=level).row(0, named=True) for level in (0.8, 0.99))
    assert narrow["turns_per_game"] == wide["turns_per_game"]
    assert narrow["turns_per_game_low"] > wide["turns_per_game_low"]


def test_parameters_may_come_as_text(run):
    assert run.query("game_length", level="0.8").equals(run.query("game_length", level=0.8))


@pytest.mark.parametrize(
    ("name", "given", "fault"),
    [
        ("game_lenght", {}, "did you mean game_length"),
        ("nothing", {}, "there are biggest_swings, canasta_frequency"),
        ("game_length", {"split": "rank"}, "takes no 'split'.*variant, lineup, level"),
        ("game_length", {"level": "high"}, "give a number"),
        ("game_length", {"level": 95}, "between 0 and 1"),
        ("game_length", {"variant": "samba"}, "variant 'samba': the run has classic4"),
        ("game_length", {"lineup": "nobody"}, "line-up 'nobody'"),
        ("canasta_frequency", {"split": "suit"}, "one of both, type, rank"),
        ("biggest_swings", {"most": -1}, "give 0 or more"),
        ("biggest_swings", {"most": 10**20}, "give a whole number"),
        ("biggest_swings", {"most": float("inf")}, "give a whole number"),
        ("freeze_histories", {"game": -3}, "give 0 or more"),
        ("game_length", {"variant": 5}, "5 given; give a name"),
        ("game_length", {"level": float("nan")}, "give a number"),
    ],
)
def test_what_a_query_cannot_use_is_refused_with_what_is_allowed(run, name, given, fault):
    with pytest.raises(BadInput, match=fault):
        run.query(name, **given)


def test_a_query_of_ones_own_takes_checked_parameters(run):
    asked = parse_query("mine", HEADER + SQL)
    found = run_query(run.connect(), asked, most="2")
    assert found["n"].to_list() == [2 * len(run.lineups)] * len(run.variants)
    with pytest.raises(BadInput, match=r"most: '1\.5' given; give a whole number"):
        run_query(run.connect(), asked, most=1.5)


def test_an_answer_must_have_the_columns_of_the_header(run):
    asked = parse_query("mine", HEADER + SQL.replace("as n", "as games"))
    with pytest.raises(ValueError, match="header says"):
        run_query(run.connect(), asked)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("select 1", "begins with a header"),
        ("/* title = 'T' */ select 1", "the header has title, answers, grain, columns"),
        (HEADER.replace('type = "int"', 'type = "date"') + SQL, "type of parameter most"),
        (HEADER.replace('grain = ["variant"]', 'grain = ["seat"]') + SQL, "grain"),
        (HEADER.replace("title", "name") + SQL, "found name"),
    ],
)
def test_a_header_that_lacks_something_says_what(text, fault):
    with pytest.raises(ValueError, match=fault):
        parse_query("mine", text)


def test_the_list_of_queries_says_what_each_takes_and_gives():
    found = queries()
    assert found["name"].to_list() == list(query_names())
    row = found.filter(pl.col("name") == "canasta_frequency").row(0, named=True)
    assert "split: text = both" in row["parameters"]
    assert "per_side_deal (canastas)" in row["columns"]


def test_sql_lives_in_sql_files_only():
    """But for the benchmark, which asks as a user would."""
    for path in Path(query.__file__).parent.rglob("*.py"):
        if path.name == "bench.py":
            continue
        text = path.read_text(encoding="utf-8").lower()
        assert "select " not in text.replace("one select", "").replace("select,", ""), path
