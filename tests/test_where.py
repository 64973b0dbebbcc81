"""`where=`: a metric of some rows is that of the rows filtered by Polars, and what is no condition is refused."""

from __future__ import annotations

import polars as pl
import pytest

from engine.errors import BadInput
from pipeline import stats
from pipeline.run import Run, open_run


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("pile >= 8", pl.col("pile") >= 8),
        ("PILE >= 8 and state = 'open' -- large", (pl.col("pile") >= 8) & (pl.col("state") == "open")),
        ("turn between 5 and 9 or hand < 3", pl.col("turn").is_between(5, 9) | (pl.col("hand") < 3)),
        ("upcard in ('AS', 'AH') and not opened", pl.col("upcard").is_in(["AS", "AH"]) & ~pl.col("opened")),
        ("case when side = 1 then true else frozen_by is not null end",
         (pl.col("side") == 1) | pl.col("frozen_by").is_not_null()),
        ("stock::double / 2 > abs(-20)", pl.col("stock") / 2 > 20),
    ],
)  # fmt: skip
def test_a_condition_keeps_the_rows_for_which_it_holds(run, where, kept):
    cell = run.parts[2]
    rows = run.turns(cell.variant, cell.lineup).collect().filter(kept)
    counted = rows.select("game", k=pl.col("took").is_not_null().cast(pl.Int64), n=pl.col("could_take").cast(pl.Int64))
    expected = stats.ratio(counted, "k", "n", method="W").row(0, named=True)
    found = run.metric("take_rate", where=where, variant=cell.variant, lineup=cell.lineup).row(0, named=True)
    assert (found["numerator"], found["denominator"], found["games"]) == tuple(
        expected[name] for name in ("k", "n", "games")
    )
    assert [found[end] for end in ("value", "low", "high")] == [
        expected[end] if expected[end] is None else pytest.approx(expected[end]) for end in ("value", "low", "high")
    ]


def test_the_coarsest_table_that_has_the_columns_answers(run):
    games = run.games().collect().filter(pl.col("takes") > 20)
    assert run.metric("take_rate", [], where="takes > 20")["numerator"].item() == games["takes"].sum()
    deals = run.deals().collect().filter(pl.col("stock") > 20)
    assert run.metric("turns_per_deal", [], where="stock > 20")["denominator"].item() == deals.height


def test_a_condition_goes_with_dimensions_splits_and_relations(run):
    found = run.metric("discard_risk", ["rank", "strategy"], where="in_theirs")
    alone = run.metric("discard_risk", ["rank", "strategy", "in_theirs"]).filter(in_theirs="yes")
    assert found.select("rank", "strategy", "value").rows() == alone.select("rank", "strategy", "value").rows()
    ended = run.metric("ending_share", ["variant"], where="turns > 30")
    assert ended.group_by("variant").agg(pl.col("value").sum())["value"].to_list() == pytest.approx([1, 1])
    assert set(run.metric("leader_wins", "deal", where="deal <= 2")["deal"]) == {1, 2}


@pytest.mark.parametrize(
    ("where", "written_out"),
    [
        ("round = 3", "(turn - 1) // 4 + 1 = 3"),
        (pl.col("round") == 3, "(turn - 1) // 4 + 1 = 3"),
        ("'é' <> 'round' and \"round\" > 2 and Round < 5 -- round", "turn between 9 and 16"),
    ],
)
def test_a_condition_may_name_a_dimension_that_is_no_column(run, where, written_out):
    by_rank = ["variant", "rank"]
    assert run.metric("discard_risk", by_rank, where=where).equals(
        run.metric("discard_risk", by_rank, where=written_out)
    )
    by_round = run.metric("discard_risk", "round").filter(pl.col("round") == 3)["numerator"].item()
    assert run.metric("discard_risk", "round", where="round = 3")["numerator"].item() == by_round


def test_a_condition_that_no_row_meets_leaves_no_row(run):
    assert run.metric("discard_risk", where="pile > 10000").height == 0


@pytest.mark.parametrize(
    ("where", "fault"),
    [
        ("", "not a condition"),
        ("pile >", "not a condition"),
        ("true; drop table turns", "not a condition"),
        ("true) or (true", "not a condition"),
        ("true union select 1", "not a condition"),
        ("true group by 1", "more than one expression"),
        ("true limit 1", "more than one expression"),
        ("true qualify true", "more than one expression"),
        ("game in (select game from games)", "a question inside it is not allowed"),
        ("exists (from games)", "a question inside it"),
        ("row_number() over () > 1", "a window function"),
        ("pile > $variant", "a parameter"),
        ("pile > ?", "a parameter"),
        ("len(list_filter([1], lambda x: x > 0)) = 1", "a lambda"),
        ("columns(*) > 1", "a star"),
        ("turns.pile > 1", "write pile, not turns.pile"),
        ("pil > 3", "no column 'pil' in games or turns, which take_rate counts; did you mean pile"),
        ("pile > 3 and score > 2", "no column 'score'"),
        ("pile > 3 and seed > 2", "not in one table; take_rate counts games or turns"),
        ("sum(pile) > 3", "WHERE clause cannot contain aggregates"),
        ("pile > 'many'", "Could not convert"),
        ("no_such_function(pile)", "no_such_function"),
        ("turns", "gives integer, not yes or no"),
        ("pile + 1", "gives integer, not yes or no"),
        ("state", "gives varchar, not yes or no"),
        ("round", "not yes or no"),
        ("null", "not yes or no"),
    ],
)
def test_what_is_no_condition_on_one_row_is_refused(run, where, fault):
    with pytest.raises(BadInput, match=r"^where") as refused:
        run.metric("take_rate", where=where)
    assert fault in str(refused.value)
    assert "\n" not in str(refused.value).removeprefix(f"where '{where}'")


def test_what_two_tables_count_takes_no_condition(run):
    with pytest.raises(BadInput, match="no table has them on the same row"):
        run.metric("freezes_per_deal", "cause", where="deals > 2")


def test_a_condition_means_what_is_counted_not_the_totals_of_its_game(run):
    deals = run.deals().collect().filter(pl.col("turns") > 30)
    found = run.metric("turns_per_deal", [], where="turns > 30")
    assert (found["numerator"].item(), found["denominator"].item()) == (deals["turns"].sum(), deals.height)
    kept = run.deals().collect().filter(pl.col("ending") != "out")
    assert run.metric("turns_per_deal", [], where="ending <> 'out'")["denominator"].item() == kept.height
    sides = run.sides().collect().filter(pl.col("takes") > 4)
    assert run.metric("takes_per_side_deal", [], where="takes > 4")["denominator"].item() == sides.height


@pytest.mark.parametrize("where", [5, True, ["pile > 1"], b"pile > 1"])
def test_what_is_no_condition_at_all_is_refused(run, where):
    with pytest.raises(BadInput, match="give a condition"):
        run.metric("take_rate", where=where)


def test_the_name_of_a_column_is_no_piece_of_sql(run):
    with pytest.raises(BadInput, match="no column 'pile > 8 or pile'"):
        run.metric("take_rate", where=pl.col("pile > 8 or pile") > 0)
