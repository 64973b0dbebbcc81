"""Rules: what every parameter accepts, how it is written, compiled and refused; the built-in variants."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from engine.errors import BadInput
from engine.parameter_kinds import Whole, Word, Words, YesNo
from engine.parameter_tables import Points
from engine.rules import (
    PARAMETERS,
    RULES,
    Rules,
    bit,
    check_playable,
    code,
    compile_rules,
    load_variant,
    side_of_seats,
    variant_names,
)
from engine.rules_page import write_page
from engine.variant import FOLDER

ROOT = Path(__file__).resolve().parents[1]
PRESETS: dict[str, dict[str, Any]] = json.loads((ROOT / "tests" / "data" / "presets.json").read_text("utf-8"))


HOUSES = {
    *(f"gamecolony_{table}" for table in ("222_3fw", "222", "202", "102")),
    *(f"house_{rule}" for rule in ("seven_cards", "balance", "devon", "one_freeze", "six_jokers", "six_wild")),
}
"""Variants of house rules and of tables, each on top of a preset."""


@pytest.mark.parametrize("name", PRESETS)
def test_a_built_in_variant_has_exactly_the_values_of_its_rule_book(name: str) -> None:
    variant = load_variant(name)
    assert variant.rules.as_dict() == PRESETS[name]
    assert (variant.name, variant.slug, dict(variant.changes)) == (name, name, {})
    assert variant.title
    assert variant.confidence in ("H", "M", "L")


def test_every_built_in_variant_is_known_and_no_other() -> None:
    assert set(variant_names()) == set(PRESETS) | HOUSES
    assert variant_names()[0] == "classic4"
    assert len(PARAMETERS) == 67


@pytest.mark.parametrize("name", PRESETS)
def test_a_variant_file_states_only_what_differs_from_its_base(name: str) -> None:
    stated = set(tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))) & set(PARAMETERS)
    variant = load_variant(name)
    assert stated == set(variant.file_changes)
    base = load_variant(variant.base).rules if variant.base else Rules()
    assert {key: mine for key, (mine, _) in variant.rules.differences(base).items()} == dict(variant.file_changes)


@pytest.mark.parametrize("name", variant_names())
def test_every_built_in_variant_is_played(name: str) -> None:
    check_playable(load_variant(name).rules)


def test_a_value_that_is_not_played_would_be_refused_by_name() -> None:
    parameter = replace(PARAMETERS["stock_end"], playable=("immediate",))
    assert parameter.find_unplayable("pile_play_free") == "immediate"
    assert parameter.find_unplayable("immediate") is None


def test_rules_cannot_be_changed_once_made() -> None:
    rules = Rules()
    with pytest.raises(AttributeError):
        rules.canastas_out = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        rules.canasta_bonus["natural"] = 600  # type: ignore[index]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"canastas_out": 9}, "canastas_out=9 is not allowed; allowed: 1..7"),
        ({"canastas_out": True}, "canastas_out=yes is not allowed; allowed: 1..7"),
        ({"canasta_out": 2}, "unknown parameter 'canasta_out'; did you mean canastas_out"),
        ({"hand_size": 17}, "hand_size=17 is not allowed; allowed: 1..16"),
        ({"freeze_by": "wlid"}, "allowed: none or any of wild, red3_upcard, red3_discard, black3"),
        ({"canasta_bonus": {"natural": 1, "mixd": 2}}, "no key 'mixd'; did you mean mixed?"),
        ({"canasta_bonus": {"natural": 1}}, "mixed is missing"),
        ({"initial_minimums": "<0:15;1500:90;0:50"}, "from must rise from row to row"),
        ({"initial_draw": "when=at_once"}, "counts and when go together"),
        ({"players": 5}, "sides=two_teams does not go with players=5; allowed: players=4 or 6, or sides=individual or"),
        ({"sides": "three_teams"}, "sides=three_teams does not go with players=4; allowed: players=6"),
        ({"players": 2, "sides": "individual"}, "ask_partner=optional needs partners"),
        ({"players": 6, "hand_size": 16}, "takes 96 of 108 cards; allowed: at most 87"),
        ({"packs": 3}, "red3_totals has 4 totals but packs=3 hold 6 red threes"),
        ({"reserve_size": 11}, "reserve_size=11 does not go with reserve_pickup=none"),
        ({"reserve_size": 1, "reserve_pickup": "hand_empty"}, "reserve_size=1: who takes it up"),
        ({"red3_use": "discardable"}, "allowed: discard_bans without red3"),
        ({"target": None}, "a game would never end"),
        (
            {"untakeable_tops": "wild"},
            "lacks black3,red3: under a wild card or a three the pile is never taken",
        ),
        ({"black3_role": "bonus"}, "does not go with black3_meld=going_out"),
        ({"black3_role": "bonus", "black3_meld": "never", "freeze_by": "black3"}, "allowed: freeze_by without black3"),
        ({"red3_use": "on_clean_canasta", "last_red3": "stays_in_hand"}, "allowed: last_red3=end_at_once"),
        (
            {"red3_use": "on_clean_canasta"},
            "a hand of red threes could not end its turn; allowed: discard_bans without red3",
        ),
        (
            {"discard_bans": "three"},
            "a hand of threes could not end its turn; allowed: discard_bans without three, or black3_role=bonus and",
        ),
        (
            {
                "black3_role": "bonus",
                "black3_meld": "never",
                "upcard": "none",
                "hand_size": 16,
                "reserve_size": 10,
                "reserve_pickup": "hand_empty",
            },
            "takes 104 of 108 cards; allowed: at most 100, threes and upcard need the rest",
        ),
        ({"initial_minimums": "0:50"}, "must start below every score"),
        ({"initial_basis": "deal"}, "must start at deal 1"),
        ({"initial_content": "0:any"}, "initial_content must start below every score"),
        ({"canastas_out_types": "natural=2"}, "allowed: canastas_out=2 or more"),
        ({"canastas_out_types": "sequence=1"}, "needs sequences=yes"),
        ({"canastas_out_types": "wild=1"}, "needs wild_melds other than none"),
        ({"out_conditions": "reserve_taken"}, "needs reserve_size above 0"),
    ],
)
def test_impossible_rules_are_refused_saying_what_is_allowed(changes: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput) as refused:
        Rules.from_dict(changes)
    assert message in str(refused.value)


@pytest.mark.parametrize("name", PRESETS)
def test_the_compiled_record_holds_every_value(name: str) -> None:
    rules = load_variant(name).rules
    record = compile_rules(rules)
    assert record.dtype == RULES
    for parameter in PARAMETERS.values():
        value = getattr(rules, parameter.name)
        match parameter:
            case Whole() | YesNo():
                assert record[parameter.name] == (value or 0)
            case Word():
                assert parameter.words[record[parameter.name]] == value
                assert record[parameter.name] == code(parameter.name, value)
            case Words():
                held = {word for word in parameter.words if record[parameter.name] & bit(parameter.name, word)}
                assert held == set(value)
            case Points():
                given_points = {key: value.get(key) or 0 for key in parameter.keys}
                assert given_points == {
                    key: record[f"{parameter.name}_{key.replace(':', '_')}"] for key in parameter.keys
                }
    assert record.red3_totals.tolist() == [rules.red3_totals[min(k, len(rules.red3_totals) - 1)] for k in range(16)]
    rows = zip(record.minimum_from, record.minimum_count, strict=True)
    assert [(int(start), int(count)) for start, count in rows][: record.minimum_rows] == list(rules.initial_minimums)
    assert record.initial_draw_counts.tolist()[: len(rules.initial_draw["counts"])] == list(
        rules.initial_draw["counts"]
    )
    assert tuple(record.seat_sides[: rules.players]) == side_of_seats(rules)
    assert all(RULES.fields[field][0].base == np.int32 for field in RULES.names or ())


def test_compiled_code_reads_the_record() -> None:
    @numba.njit  # type: ignore[untyped-decorator, unused-ignore]
    def minimum_at(rules, score):  # type: ignore[no-untyped-def]
        found = 0
        for row in range(rules.minimum_rows):
            if score >= rules.minimum_from[row]:
                found = rules.minimum_count[row]
        return found

    record = compile_rules(Rules())
    assert [minimum_at(record, score) for score in (-5, 0, 1495, 1500, 2995, 3000)] == [15, 50, 50, 90, 90, 120]


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("classic4", [0, 1, 0, 1]),
        ("classic2", [0, 1]),
        ("classic3_cutthroat", [0, 1, 2]),
        ("classic6_two", [0, 1, 0, 1, 0, 1]),
        ("classic6_three", [0, 1, 2, 0, 1, 2]),
    ],
)
def test_partners_sit_alternately(name: str, sides: list[int]) -> None:
    record = compile_rules(load_variant(name).rules)
    assert record.seat_sides.tolist() == sides + [0] * (6 - len(sides))
    assert record.side_count == max(sides) + 1


def test_codes_and_bits_are_places_in_the_order_of_declaration() -> None:
    assert [code("wild_ratio", word) for word in ("none", "not_more", "fewer")] == [0, 1, 2]
    assert [bit("freeze_by", word) for word in ("wild", "red3_upcard", "red3_discard", "black3")] == [1, 2, 4, 8]
    assert code("initial_content", "natural_canasta") == 5
    with pytest.raises(KeyError):
        bit("wild_ratio", "fewer")
    with pytest.raises(KeyError):
        code("freeze_by", "wild")


def test_every_default_and_every_playable_item_is_allowed() -> None:
    for parameter in PARAMETERS.values():
        assert parameter.check(parameter.default) == parameter.default
        assert parameter.find_unplayable(parameter.default) is None
        if isinstance(parameter, (Word, Words)):
            assert set(parameter.playable or ()) | set(parameter.needed) <= set(parameter.words)


def test_the_committed_page_of_parameters_is_the_generated_one() -> None:
    assert (ROOT / "docs" / "parameters.md").read_text("utf-8") == write_page(), "make docs writes it anew"


def test_every_section_cited_exists_in_the_rules_page() -> None:
    page = (ROOT / "docs" / "rules.md").read_text("utf-8")
    sections = set(re.findall(r"^#+ (\d+(?:\.\d+)?)", page, re.M))
    cited = " ".join([p.source for p in PARAMETERS.values()] + [load_variant(name).source for name in variant_names()])
    assert set(re.findall(r"§([\d.]*\d)", cited)) <= sections
