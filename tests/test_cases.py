"""Rule cases as data: every file of tests/cases, asked of every judge."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kernel_judge import judge_by_kernel

from engine.cards import POINTS_OF, parse_cards
from engine.history.reader import read_history
from engine.history.record import History
from engine.referee.faults import RULE_TEXTS
from engine.referee.verdict import follow, judge
from engine.rules import load_variant

FOLDER = Path(__file__).parent / "cases"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "expect.toml").read_text(encoding="utf-8"))
CASES: list[dict[str, str]] = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
ABOUT = {"cases", "why", "source", "fault_action", "fault_any", "rule", "winner", "melds"}

JUDGES: dict[str, Callable[[History], Any]] = {"referee": judge, "kernel": judge_by_kernel}
"""Who is asked. A verdict has `legal`, `faults` (each with `action`) and, where it tells them, `ending` and so on."""


def read_case(name: str) -> History:
    return read_history((FOLDER / name).read_text(encoding="utf-8"))


ASKED = [(judge_name, name) for judge_name in JUDGES for name in sorted(EXPECTED)]
"""Every case is asked of both; rules the kernel does not play would be no reason to leave one out."""


@pytest.mark.parametrize(("judge_name", "name"), ASKED)
def test_case_gets_its_verdict(judge_name: str, name: str) -> None:
    verdict, expected = JUDGES[judge_name](read_case(name)), EXPECTED[name]
    first = verdict.faults[0].action if verdict.faults else None
    assert verdict.legal == expected["legal"], verdict.faults
    if not expected["legal"]:
        assert first in expected.get("fault_any", [expected.get("fault_action")]), verdict.faults
    for key in ("ending", "deal_scores", "scores"):
        if key in expected:
            found = getattr(verdict, key)
            assert (list(found) if isinstance(found, tuple) else found) == expected[key], key


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_referee_names_the_rule_and_the_table(name: str) -> None:
    verdict, expected = judge(read_case(name)), EXPECTED[name]
    if "rule" in expected:
        assert expected["rule"] in {fault.rule for fault in verdict.faults}, verdict.faults
    assert {fault.rule for fault in verdict.faults} <= set(RULE_TEXTS)
    shown = verdict.as_dict()
    for key in expected.keys() - ABOUT:
        if key == "hands":
            assert {seat: shown["hands"][seat] for seat in expected[key]} == expected[key]
        else:
            assert shown[key] == expected[key], key
    if "melds" in expected:
        assert [[sorted(meld.split()) for meld in side] for side in shown["melds"]] == [
            [sorted(meld.split()) for meld in side] for side in expected["melds"]
        ]
    if "winner" in expected:
        assert (verdict.winner or 0) == expected["winner"]


def test_every_fault_of_a_case_lies_in_its_first_faulty_action_or_later() -> None:
    for name, expected in EXPECTED.items():
        actions = [fault.action for fault in judge(read_case(name)).faults]
        assert actions == sorted(actions), name
        assert bool(actions) != expected["legal"], name


def test_every_file_has_an_expectation() -> None:
    assert {path.name for path in FOLDER.glob("*.chh")} == set(EXPECTED)


def test_every_case_is_covered() -> None:
    covered = {case for expected in EXPECTED.values() for case in expected.get("cases", [])}
    assert {case["id"] for case in CASES} == covered
    assert len(CASES) == 115


def test_every_answered_dispute_is_a_case() -> None:
    """Files `dNN` ask dispute NN; the gaps are questions that were left out of the list."""
    numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 16, 17, 19, 20, 21, 22, 24, 25, 26, *range(28, 39)]
    assert sorted({int(name[1:3]) for name in EXPECTED if name.startswith("d")}) == numbers


def test_every_fault_of_the_table_is_met_by_a_case() -> None:
    met = {fault.rule for name in EXPECTED for fault in judge(read_case(name)).faults}
    only_elsewhere = {name for name in RULE_TEXTS if name.startswith("log_")}
    assert set(RULE_TEXTS) - met == only_elsewhere


@pytest.mark.parametrize("name", sorted(name for name in EXPECTED if read_case(name).hands is not None))
def test_c172_every_card_of_a_whole_deal_is_somewhere(name: str) -> None:
    history = read_case(name)
    if not EXPECTED[name]["legal"]:
        return
    table = follow(history, history.load_rules().rules)
    melded = sum(len(meld.cards) for melds in set(table.melds) for meld in melds)
    held = sum(hand.size or 0 for hand in table.hands)
    laid = sum(len(cards) for cards in (*table.red_threes, *table.set_aside))
    feet = sum(reserve.size or 0 for reserve in table.reserves if reserve is not None)
    assert table.stock + len(table.pile) + held + feet + melded + laid == table.book.pack


def test_c172_points_are_multiples_of_five() -> None:
    assert all(points % 5 == 0 for points in POINTS_OF)
    for name, expected in EXPECTED.items():
        assert all(score % 5 == 0 for score in expected.get("deal_scores", [])), name


def test_c001_deck_has_four_jokers_four_black_and_four_red_threes() -> None:
    rules = load_variant("classic4").rules
    book = follow(read_case("c001_pack_of_108_leaves_63_in_the_stock.chh"), rules).book
    assert book.pack == sum(book.copies) == 108
    assert [
        sum(book.copies[card] for card in parse_cards(cards)) for cards in ("JK", "3C 3S", "3D 3H", "2C 2D 2H 2S")
    ] == [
        4,
        4,
        4,
        8,
    ]
