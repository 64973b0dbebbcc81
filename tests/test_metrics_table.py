"""Every number of the table of metrics is there under its name, with its interval, or said not to be answered."""

from __future__ import annotations

import pytest

from pipeline.metric import load_metric, metric_names

TABLE: dict[int, tuple[str, tuple[str, ...]]] = {
    1: ("R", ("turns_per_game",)),
    2: ("R", ("deals_per_game",)),
    3: ("R", ("turns_per_deal",)),
    4: ("R", ("rounds_per_deal",)),
    5: ("R", ("minutes_per_game",)),
    6: ("B", ("finished_within",)),
    7: ("W", ("ending_share", "out_rate")),
    8: ("W", ("frozen_turn_share",)),
    9: ("W", ("frozen_turn_share",)),
    10: ("W", ("frozen_deal_share",)),
    11: ("R", ("freezes_per_deal", "freezes_per_side_deal")),
    12: ("R", ("freeze_length",)),
    13: ("W", ("freeze_won_rate", "freeze_left_rate")),
    14: ("W", ("pile_state_share",)),
    15: ("R", ("takes_per_deal", "takes_per_side_deal")),
    16: ("W", ("take_rate",)),
    17: ("R", ("cards_per_take",)),
    18: ("R", ("take_margin",)),
    19: ("W", ("biggest_take_wins",)),
    20: ("W", ("open_rate",)),
    21: ("Q", ("open_turn",)),
    22: ("R", ("canastas_per_side_deal",)),
    23: ("W", ("any_canasta_rate",)),
    24: ("W", ("canasta_rank_share",)),
    25: ("Q", ("first_canasta_turn",)),
    26: ("W", ("concealed_rate", "special_rate")),
    27: ("R", ("points_per_side_deal",)),
    28: ("S", ("swing",)),
    29: ("R", ("lead_edge_deal", "lead_edge_points")),
    30: ("R", ("lead_edge_game",)),
    31: ("B", ("leader_wins", "comeback")),
    32: ("R", ("lead_changes",)),
    33: ("P", ("win_rate", "points_edge")),
    34: ("P", ("skill", "skill_per_deal", "games_to_tell")),
    35: ("S", ("card_luck_share",)),
    36: ("W", ("discard_risk",)),
    37: ("W", ("discard_danger",)),
    38: ("S", ("discard_cost",)),
    39: ("W", ("feed_rate",)),
}
"""Numbers of METRICS §3 with their interval."""
BESIDE = {
    "freeze_ended_rate": "12: the share that ended with the deal",
    "open_margin": "what an opening goes with, by turn and minimum",
    "opening_share": "20: by hand or pile",
    "discard_class_share": "what each strategy throws",
}
NOT_ANSWERED = {
    "take_value": "18: the same position played on both ways needs a strategy that searches, the log has one way only",
    "discard_value": "38: the causal cost needs the same position with another card played on",
}
QUANTILES = (
    "deals_per_game", "turns_per_deal", "rounds_per_deal", "freeze_length", "cards_per_take", "turns_per_game",
    "minutes_per_game", "canastas_per_side_deal", "points_per_side_deal", "swing", "open_turn", "first_canasta_turn",
)  # fmt: skip
"""Metrics whose own number has a distribution."""


@pytest.mark.parametrize("number", TABLE)
def test_every_number_of_the_table_is_answered_with_its_interval(number):
    interval, names = TABLE[number]
    assert {load_metric(name).interval for name in names} == {interval}


def test_the_table_and_what_stands_beside_it_are_all_metrics():
    assert list(TABLE) == list(range(1, 40))
    named = {name for _, names in TABLE.values() for name in names}
    assert named | set(BESIDE) == set(metric_names())
    assert not set(NOT_ANSWERED) & set(metric_names())


def test_lengths_sizes_and_scores_have_distributions():
    assert all(load_metric(name).distribution for name in QUANTILES)


@pytest.mark.parametrize(
    ("name", "dimensions"),
    [
        ("frozen_turn_share", {"turn", "round"}),
        ("freezes_per_deal", {"cause"}),
        ("take_margin", {"take_size", "round"}),
        ("open_rate", {"minimum"}),
        ("canastas_per_side_deal", {"type"}),
        ("pile_state_share", {"state", "round"}),
        ("leader_wins", {"deal"}),
        (
            "discard_risk",
            {"rank", "round", "card_class", "they_opened", "seen", "in_theirs", "in_ours", "thrown_before"},
        ),
        ("open_margin", {"open_turn", "minimum"}),
    ],
)
def test_what_the_table_says_by_is_a_dimension(name, dimensions):
    assert dimensions <= set(load_metric(name).dimensions)


@pytest.mark.parametrize("name", ["take_margin", "discard_cost", "open_margin"])
def test_what_goes_with_something_does_not_claim_to_be_its_cause(name):
    assert "goes with" in load_metric(name).sentence
