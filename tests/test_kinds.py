"""Spreads and means over mirror blocks against plain arithmetic on the sample run, and their refusals."""

from __future__ import annotations

import math
from collections import defaultdict
from statistics import NormalDist, correlation, fmean, stdev

import numpy as np
import polars as pl
import pytest

from engine.errors import BadInput
from pipeline.kinds import spread
from pipeline.kinds.mirror import count_to_tell
from pipeline.metric import load_metric, metric_names
from pipeline.run import Run, open_run
from tests.test_dimensions import card_class, pile_size

SEATINGS = ("safe~naive", "naive~safe")


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


def margins_of(run: Run, variant: str, lineup: str) -> dict[tuple[int, int, int], int]:
    """Margin of each side of each deal."""
    scores = {(g, d, s): score for g, d, s, score in run.sides(variant, lineup)
              .select("game", "deal", "side", "score").collect().iter_rows()}  # fmt: skip
    return {(g, d, s): score - scores[g, d, 3 - s] for (g, d, s), score in scores.items()}


def test_every_metric_of_a_kind_of_its_own_is_checked():
    own = {name for name in metric_names() if load_metric(name).own_kind}
    quantiles = {"open_turn", "first_canasta_turn"}  # test_distribution.py
    here = {"swing", "discard_cost", "card_luck_share", "win_rate", "points_edge", "skill", "skill_per_deal"}
    assert own == quantiles | here | {"games_to_tell"}


def test_the_swing_is_the_standard_deviation_of_side_1s_margins(run):
    for row in run.metric("swing").iter_rows(named=True):
        margins = [
            margin for (_, _, side), margin in margins_of(run, row["variant"], row["lineup"]).items() if side == 1
        ]
        assert row["value"] == pytest.approx(stdev(margins))
        assert row["low"] < row["value"] < row["high"]
        assert (row["denominator"], row["games"], row["method"]) == (len(margins), 60, "S")
    by_deal = run.metric("swing", ["variant", "deal"])
    assert by_deal["denominator"].sum() == run.deals().collect().height


def slow_cost(run: Run, variant: str, lineup: str) -> float:
    margins = margins_of(run, variant, lineup)
    strata: dict[tuple, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for row in run.turns(variant, lineup).filter(pl.col("next_took").is_not_null()).collect().iter_rows(named=True):
        key = ((row["turn"] - 1) // 4, pile_size(row["pile"]), row["state"], card_class(row["discard"]))
        strata[key][row["next_took"] > 0].append(margins[row["game"], row["deal"], row["side"]])
    both = [(left, taken) for left, taken in strata.values() if left and taken]
    rows = sum(len(left) + len(taken) for left, taken in both)
    return sum((len(left) + len(taken)) * (fmean(left) - fmean(taken)) for left, taken in both) / rows


def test_the_cost_of_a_discard_taken_compares_like_with_like(run):
    variant, lineup = run.variants[0], "safe~naive"
    row = run.metric("discard_cost", variant=variant, lineup=lineup).row(0, named=True)
    assert row["value"] == pytest.approx(slow_cost(run, variant, lineup))
    assert row["low"] < row["value"] < row["high"]
    by_class = run.metric("discard_cost", ["variant", "card_class"])
    discards = run.turns().filter(pl.col("next_took").is_not_null()).collect()
    assert by_class["denominator"].sum() == discards.height


def test_a_cost_has_an_interval_even_to_both_sides_though_resamples_lose_strata(run):
    for row in run.metric("discard_cost").iter_rows(named=True):
        assert row["high"] - row["value"] == pytest.approx(row["value"] - row["low"])


def test_of_very_many_games_the_first_tell_the_cost(run, monkeypatch):
    monkeypatch.setattr(spread, "MANY_GAMES", 50)
    monkeypatch.setattr(spread, "SAMPLE", 40)
    found = run.metric("discard_cost")
    first = run.metric("discard_cost", where="game <= 40")
    columns = ["variant", "lineup", "value", "low", "high", "denominator"]
    assert found.select(columns).equals(first.select(columns))
    assert set(found["games"]) == {40}
    assert set(found["source"]) == {"discard_margins, 40 of 60 games"}
    assert set(run.metric("card_luck_share")["games"]) == {60}


def test_costs_of_line_ups_added_up_are_means_over_their_own_strata(run):
    variant = run.variants[0]
    whole = run.metric("discard_cost", ["variant"], variant=variant)["value"].item()
    parts = run.metric("discard_cost", variant=variant)
    assert parts["value"].min() <= whole <= parts["value"].max()


def test_luck_is_what_both_seatings_make_of_the_same_first_deal(run):
    found = run.metric("card_luck_share")
    assert found.select("variant", "given_lineup").rows() == [(variant, "safe~naive") for variant in run.variants]
    for row in found.iter_rows(named=True):
        first, second = (margins_of(run, row["variant"], lineup) for lineup in SEATINGS)
        pairs = [(first[game, 1, 1], second[game, 1, 2]) for game in range(1, 61)]
        assert row["value"] == pytest.approx(-correlation(*zip(*pairs, strict=True)))
        assert row["low"] < row["value"] < row["high"]
        assert row["games"] == 60
    mean = run.metric("card_luck_share", [])["value"].item()
    assert mean == pytest.approx(found["value"].mean())


def test_win_rate_and_points_are_those_of_the_head_to_head(run):
    table = run.query("head_to_head").sort("variant", "strategy")
    for name, column in (("win_rate", "win_rate"), ("points_edge", "points_per_deal")):
        found = run.metric(name).sort("variant", "strategy")
        assert found["games"].to_list() == table["blocks"].to_list()
        for end, suffix in (("value", ""), ("low", "_low"), ("high", "_high")):
            assert found[end].to_list() == pytest.approx(table[column + suffix].to_list())


def test_skill_is_the_win_rate_of_the_strong_over_the_weak_both_named(run):
    wins = run.metric("win_rate", variant=run.variants[0]).filter(strategy="safe").row(0, named=True)
    skill = run.metric("skill", variant=run.variants[0]).row(0, named=True)
    turned = run.metric("skill", variant=run.variants[0], strong="naive", weak="safe").row(0, named=True)
    assert [skill[end] for end in ("value", "low", "high")] == [wins[end] for end in ("value", "low", "high")]
    assert turned["value"] == pytest.approx(1 - skill["value"])
    with pytest.raises(BadInput, match="no line-up of strong safe and weak hoarder alone; there are safe~naive"):
        run.metric("skill", weak="hoarder")


def test_skill_per_deal_is_the_share_of_deals_over_both_seatings(run):
    variant = run.variants[0]
    blocks: dict[int, list[float]] = defaultdict(lambda: [0, 0])
    for place, lineup in enumerate(SEATINGS, 1):
        for (game, _, side), margin in margins_of(run, variant, lineup).items():
            if side == place:
                blocks[game][0] += 1 if margin > 0 else 0.5 if margin == 0 else 0
                blocks[game][1] += 1
    row = run.metric("skill_per_deal", variant=variant).row(0, named=True)
    won, deals = (sum(column) for column in zip(*blocks.values(), strict=True))
    se = math.sqrt(sum((k - won / deals * n) ** 2 for k, n in blocks.values()) * 60 / 59) / deals
    assert row["value"] == pytest.approx(won / deals)
    assert row["high"] == pytest.approx(won / deals + 1.959964 * se, rel=1e-6)
    assert row["games"] == 60


def test_games_to_tell_are_the_fewest_that_show_the_stronger_ahead():
    for rate in (0.51, 0.55, 0.7):
        [games] = count_to_tell(np.array([rate]))
        for count, ahead in ((games, True), (games - 1, False)):
            chance = NormalDist(rate * count, math.sqrt(count * rate * (1 - rate))).cdf(count / 2)
            assert (1 - chance >= 0.95 - 1e-12) == ahead
    assert np.isinf(count_to_tell(np.array([0.5, 0.4]))).all()
    assert count_to_tell(np.array([1.0])) == [1]


def test_games_to_tell_turn_the_win_rates_interval_round(run):
    skill = run.metric("skill", variant=run.variants[0]).row(0, named=True)
    row = run.metric("games_to_tell", variant=run.variants[0]).row(0, named=True)
    expected = count_to_tell(np.array([skill["value"], skill["high"], skill["low"]]))
    assert [row[end] for end in ("value", "low", "high")] == expected.tolist()
    weak = run.metric("games_to_tell", variant=run.variants[0], strong="naive", weak="safe").row(0, named=True)
    assert (weak["value"], weak["few"]) == (None, True)


def test_any_seating_stands_for_its_contest(run):
    assert run.metric("win_rate", lineup="naive~safe").equals(run.metric("win_rate"))
    assert run.metric("card_luck_share", lineup="naive~safe").equals(run.metric("card_luck_share"))


def test_the_cells_of_a_contest_are_all_its_seatings(run):
    for lineup in (None, *SEATINGS, list(SEATINGS)):
        cells = run.pose("win_rate", None, None, lineup)[2]
        assert {cell.lineup for cell in cells} >= set(SEATINGS), lineup
    assert len(run.pose("win_rate", None, run.variants[0], SEATINGS[0])[2]) == 2


@pytest.mark.parametrize("name", ["win_rate", "points_edge", "skill", "skill_per_deal", "card_luck_share"])
def test_a_contest_of_like_sides_is_refused_with_the_reason(run, name):
    with pytest.raises(BadInput, match=r"unlike strategies, such as safe~naive.*one and the same; chosen: safe"):
        run.metric(name, lineup="safe")


@pytest.mark.parametrize(
    ("name", "given", "fault"),
    [
        ("swing", {"by": ["rank"]}, "cannot be split by 'rank'"),
        ("swing", {"base": "classic4"}, "no ratio of sums"),
        ("win_rate", {"by": ["lineup"]}, "it can be split by variant, given_lineup, strategy"),
        ("games_to_tell", {"base": "classic4"}, "no ratio of sums"),
        ("skill", {"strongest": "safe"}, "did you mean strong"),
        ("swing", {"level": 1.5}, "level 1.5"),
    ],
)
def test_what_such_a_metric_cannot_do_is_refused_with_the_reason(run, name, given, fault):
    with pytest.raises(BadInput, match=fault):
        run.metric(name, **given)


def test_a_win_rate_may_be_held_against_that_under_a_base(run):
    found = run.metric("win_rate", base=run.variants[0])
    rates = dict(found.select(pl.concat_str("variant", "strategy"), "value").iter_rows())
    for row in found.filter(pl.col("diff").is_not_null()).iter_rows(named=True):
        assert row["diff"] == pytest.approx(
            rates[row["variant"] + row["strategy"]] - rates[run.variants[0] + row["strategy"]]
        )
        assert row["paired"]


def test_a_condition_keeps_rows_of_a_spread(run):
    kept = run.metric("swing", ["variant"], where="open_turn is not null")
    assert kept["denominator"].sum() == run.sides().filter(pl.col("side") == 1).collect()["open_turn"].count()
