"""A sweep in a plan: which variants come of it, and what is refused or left out."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import BadInput
from engine.rules import load_variant
from pipeline.plan import Plan, make_plan
from pipeline.sweep_plan import parse_left_out, parse_vary

TWO = {"canastas_out": [1, 2], "hand_size": [11, 15]}


def planned(lineups: tuple[str, ...] = ("naive",), **table: Any) -> Plan:
    return make_plan({"sweep": table, "lineups": list(lineups), "games": 10})


def slugs(plan: Plan) -> list[str]:
    return list(dict.fromkeys(cell.variant.slug for cell in plan.cells))


def test_factorial_plays_every_combination_the_base_first() -> None:
    plan = planned(vary=TWO)
    values = [(cell.variant.rules.canastas_out, cell.variant.rules.hand_size) for cell in plan.cells]
    assert values == [(1, 11), (1, 15), (2, 11), (2, 15)]
    assert slugs(plan)[0] == "classic4"


def test_one_at_a_time_plays_the_base_and_each_value_alone() -> None:
    plan = planned(vary={"canastas_out": [1, 2, 3], "hand_size": [15]}, design="one_at_a_time")
    assert slugs(plan) == ["classic4", "classic4.canastas_out-2", "classic4.canastas_out-3", "classic4.hand_size-15"]


def test_the_bases_own_value_belongs_to_the_sweep_whether_it_is_named_or_not() -> None:
    assert slugs(planned(vary={"hand_size": [15, 13]})) == slugs(planned(vary={"hand_size": [11, 15, 13]}))


def test_every_line_up_plays_every_variant_in_all_rotations() -> None:
    plan = planned(("naive", "naive~random"), vary=TWO)
    assert len(plan.cells) == 4 * 3
    assert plan.games == 120


def test_a_base_may_have_changes_and_so_may_the_whole_plan() -> None:
    plan = make_plan({"sweep": {"base": {"base": "classic4", "target": 3000}, "vary": {"hand_size": [15]}},
                      "set": {"draw_count": 2}})  # fmt: skip
    assert {(cell.variant.rules.target, cell.variant.rules.draw_count) for cell in plan.cells} == {(3000, 2)}
    changed = load_variant("classic4", {"hand_size": 15})
    assert slugs(planned(base=changed, vary={"hand_size": [11]})) == ["classic4.hand_size-15", "classic4"]


def test_a_sweep_stands_beside_variants_and_cells_of_the_plan() -> None:
    plan = make_plan({"sweep": {"vary": {"hand_size": [15]}}, "variants": ["classic2"], "cells": [{"lineup": "naive"}]})
    assert [cell.variant.slug for cell in plan.cells] == ["classic4", "classic4.hand_size-15", "classic2", "classic4"]


def test_combinations_named_in_leave_out_are_not_played() -> None:
    plan = planned(vary={**TWO, "draw_count": [2]}, leave_out=[{"canastas_out": 2, "hand_size": "15"}])
    assert len(plan.cells) == 6
    assert plan.left_out == ()


def test_what_the_rules_forbid_stops_the_plan_and_says_which_combination_and_why() -> None:
    with pytest.raises(BadInput, match="sweep: players=3: sides=two_teams does not go with players=3") as refused:
        planned(vary={"players": [3], "hand_size": [13]})
    assert "one of 2 such combinations" in str(refused.value)
    assert 'leave_out = "refused" plays the others' in str(refused.value)


def test_what_the_rules_forbid_can_be_left_out_and_is_told() -> None:
    plan = planned(vary={"players": [3], "hand_size": [13]}, leave_out="refused")
    assert slugs(plan) == ["classic4", "classic4.hand_size-13"]
    assert [line.partition(": ")[0] for line in plan.left_out] == ["players=3", "players=3, hand_size=13"]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"vary": {"canastas_out": [1]}}, "nothing varies with canastas_out 1"),
        ({"vary": {}}, "sweep.vary"),
        ({"vary": {"canasta_out": [2]}}, "unknown parameter 'canasta_out'"),
        ({"vary": {"hand_size": [99]}}, "hand_size=99 is not allowed"),
        ({"vary": {"hand_size": 15}}, "sweep.vary.hand_size"),
        ({"vary": TWO, "design": "latin"}, "'factorial' or 'one_at_a_time'"),
        ({"varied": TWO, "vary": TWO}, "unknown key sweep.varied; allowed: base, vary, design, leave_out"),
        ({"base": "classic9", "vary": TWO}, "unknown variant 'classic9'"),
        ({"vary": TWO, "leave_out": [{"target": 3000}]}, "leave_out names target; the sweep varies canastas_out"),
        ({"vary": TWO, "leave_out": [{"hand_size": 13}]}, "leave_out names hand_size=13; it takes hand_size 11, 15"),
        ({"vary": {"hand_size": list(range(1, 17)), "target": list(range(1000, 1100))}}, "1,616 variants"),
    ],
)
def test_a_sweep_that_makes_no_sense_is_refused_in_one_line(table: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput) as refused:
        planned(**table)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_values_on_the_command_line_are_parted_by_commas_or_where_they_hold_some_by_bars() -> None:
    found = parse_vary(["canastas_out=1,2", "freeze_by=wild|wild,black3"])
    assert found == {"canastas_out": [1, 2], "freeze_by": [("wild",), ("wild", "black3")]}
    for words, told in ((["canastas_out"], "RULE=VALUE"), (["hand_size=1", "hand_size=2"], "given twice")):
        with pytest.raises(BadInput, match=told):
            parse_vary(words)


def test_combinations_on_the_command_line_are_rules_and_values_or_the_word_refused() -> None:
    assert parse_left_out(["hand_size=15, draw_count=2"]) == [{"hand_size": "15", "draw_count": "2"}]
    assert parse_left_out(["refused"]) == "refused"
    for words in (["refused", "hand_size=15"], ["hand_size"]):
        with pytest.raises(BadInput, match="--leave-out"):
            parse_left_out(words)
