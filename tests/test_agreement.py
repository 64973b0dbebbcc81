"""Kernel and referee agree: every deal the kernel logs is legal play by the rules, and logged as it was played.

The two are written apart, one from the other's blind side: the kernel compiled and by counts, the referee in plain
Python from the text. Fast: about a thousand deals over every playable variant, many changed parameters and random
sets of rules. Slow: twenty thousand and more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from drawn_rules import draw_variants
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playable import VARIANTS

from engine.ledger.replay import judge_block
from engine.play import play_blocks
from engine.rules import PARAMETERS, Variant, load_variant, side_of_seats
from engine.strategies import lineup_slug, parse_lineup, strategy_names

STRATEGIES = strategy_names()
SIX_TOTALS = [100, 200, 300, 400, 1000, 1200]

CHANGES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("classic4", {"hand_size": 15}),
    ("classic4", {"hand_size": 3, "initial_minimums": "<0:15;0:30"}),
    ("classic4", {"hand_size": 1, "one_card_pile": "allowed", "initial_minimums": "<0:0"}),
    ("classic4", {"canastas_out": 2}),
    ("classic6_three", {"canastas_out": 3}),
    ("classic4", {"draw_count": 2}),
    ("classic2", {"draw_count": 1}),
    ("classic4", {"pile_frozen": "always"}),
    ("classic2", {"wild_ratio": "fewer"}),
    ("classic4", {"wild_ratio": "not_more"}),
    ("classic4", {"min_naturals": 3}),
    ("classic4", {"min_naturals": 1, "wild_ratio": "none"}),
    ("classic2", {"min_naturals": 1, "max_wilds": 2}),
    ("classic4", {"max_wilds": 1}),
    ("classic4", {"max_wilds": 0}),
    ("classic4", {"max_wilds": 6, "jokers": 18}),
    ("classic4", {"jokers": 6}),
    ("classic4", {"jokers": 0}),
    ("classic4", {"packs": 3, "red3_totals": SIX_TOTALS}),
    ("classic4", {"stock_end": "immediate"}),
    ("classic2", {"stock_end": "immediate", "canastas_out": 4}),
    ("classic2", {"stock_end": "pile_play_free", "canastas_out": 4}),
    ("classic2", {"canastas_out": 5, "add_to_complete": False}),
    ("classic4", {"initial_basis": "deal", "initial_minimums": "1:50;2:90;3:120;4:150"}),
    ("classic4", {"initial_minimums": "<0:0"}),
    ("classic4", {"initial_minimums": "<0:200", "initial_waivers": []}),
    ("classic4", {"red3_sign": "one_canasta"}),
    ("classic4", {"red3_sign": "two_canastas"}),
    ("classic4", {"red3_sign": "plus_only", "red3_totals": [5, 10, 20, 1000]}),
    ("classic4", {"out_discard": "required"}),
    ("classic2", {"out_discard": "required", "hand_size": 4, "canastas_out": 1, "initial_minimums": "<0:15"}),
    ("classic4", {"concealed_with_pile": False, "out_bonus": {"out": 50, "concealed": 400, "concealed_plain": 150}}),
    ("classic4", {"add_to_complete": False}),
    ("classic4", {"unfrozen_take": ["pair"]}),
    ("classic4", {"unfrozen_take": ["pair", "add"]}),
    ("classic4", {"unfrozen_take": ["pair", "natural_wild"]}),
    ("classic4", {"upcard": "single"}),
    ("classic4", {"upcard": "until_natural", "freeze_by": ["wild", "red3_upcard", "black3"]}),
    ("classic4", {"freeze_by": ["black3"]}),
    ("classic4", {"freeze_by": []}),
    ("classic2", {"one_card_pile": "allowed", "hand_size": 5}),
    ("classic4", {"black3_meld": "never"}),
    ("classic4", {"ask_partner": "none"}),
    ("classic4", {"discard_bans": [], "red3_use": "discardable", "freeze_by": ["wild", "red3_discard"]}),
    ("classic4", {"target": 1000, "tie": "shared", "canasta_bonus": {"natural": 700, "mixed": 0}}),
    ("classic4", {"target": None, "deals": 3}),
    ("classic4", {"meld_from_round": 2}),
    ("classic4", {"freeze_limit": 1}),
    ("classic2", {"initial_content": "any_canasta"}),
    ("classic2", {"initial_content": "natural_canasta"}),
    ("classic2", {"one_card_pile": "forbidden_while_stock", "hand_size": 5}),
    ("classic4", {"pile_portion": "top7", "pile_rest": "removed"}),
    ("classic4", {"freeze_ends": "turn"}),
    ("classic4", {"red3_sign": "sevens_canasta"}),
    ("classic2", {"last_red3": "meld_no_discard", "canastas_out": 4}),
    ("classic4", {"one_turn_canasta_bonus": 200}),
    ("classic4", {"freeze_limit": 1, "freeze_ends": "turn", "freeze_by": ["wild", "black3"]}),
    ("classic4", {"pile_extra_draw": 1, "hand_size": 3, "initial_minimums": "<0:0"}),
    ("albany", {"pile_rest": "removed", "hand_size": 5}),
    ("railroad", {"hand_size": 5, "pile_frozen": "dynamic", "canastas_out": 1, "canastas_out_types": {}}),
    ("mexicana", {"hand_size": 3, "upcard": "single"}),
    ("classic6_two", {"packs": 7, "red3_totals": [100 * count for count in range(1, 15)], "jokers": 21}),
    ("samba", {"discard_bans": ["wild_unless_out_or_all_wild", "swad_on_empty_pile"]}),
    ("classic4", {"discard_bans": ["wild_unless_out_or_all_wild", "black3_first_round", "7_until_7s_canasta"]}),
    ("classic2", {"last_red3": "stays_in_hand", "canastas_out": 4}),
    ("classic4", {"unfrozen_take": ["add"]}),
    ("classic4", {"unfrozen_take": ["natural_wild"], "pile_portion": "from_melded"}),
    ("samba", {"unfrozen_take": ["natural_wild", "add"]}),
    ("hand_and_foot", {"unfrozen_take": []}),
    ("classic3", {"initial_draw": "counts=4,3,when=next_turn"}),
    ("classic3", {"initial_draw": "counts=2,2,when=at_once", "discard_bans": ["7_until_7s_canasta"]}),
    ("albany", {"untakeable_tops": ["wild", "black3", "red3", "7"]}),
    ("cuban", {"pile_extra_draw": 1}),
    ("railroad", {"black3_role": "set_aside"}),
    ("italian", {"pile_portion": "from_melded"}),
    ("italian", {"pile_portion": "top7"}),
    ("canastone", {"counted_canastas": "as_many_as_out"}),
    ("classic4", {"special_hands": {"straight": 3000}, "hand_size": 13}),
    ("samba", {"discard_bans": ["7_until_7s_canasta", "red3"], "sequences": False}),
)
"""Parameters changed, alone or with those they need to matter."""

MIXED = {1: ("safe", "random"), 2: ("random+safe", "hoarder+freezer"), 3: ("random+safe+naive", "hoarder")}
"""Partners that differ, by seats of a side."""


def mix(variant: Variant) -> str:
    """A line-up in which no two neighbours play alike."""
    seats = side_of_seats(variant.rules)
    first, others = MIXED[seats.count(0)]
    return "~".join([first, *[others] * max(seats)])


def find_disagreements(variant: Variant, lineup_text: str, *, seed: int, games: int) -> tuple[int, list[str]]:
    """Deals judged, and what the referee says against them."""
    lineup = parse_lineup(lineup_text, variant.rules)
    where = f"{variant.slug} {lineup_slug(lineup, variant.rules)} seed {seed}"
    deals, found = 0, []
    for block in play_blocks(variant, lineup, seed=seed, first_game=1, games=games, guard=True):
        for game, deal, faults in judge_block(variant, block):
            deals += 1
            found += [f"{where} game {game} deal {deal}: {fault}" for fault in faults]
    return deals, found


def check(variant: Variant, lineup_text: str, *, seed: int, games: int) -> int:
    deals, found = find_disagreements(variant, lineup_text, seed=seed, games=games)
    assert not found, f"{len(found)} faults in {deals} deals {dict(variant.changes)}\n" + "\n".join(found[:5])
    assert deals >= games
    return deals


@pytest.mark.parametrize("strategy", [*STRATEGIES, "mixed"])
@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_and_strategy(name: str, strategy: str) -> None:
    variant = load_variant(name)
    check(variant, mix(variant) if strategy == "mixed" else strategy, seed=7, games=2)


@pytest.mark.parametrize("place", range(len(CHANGES)))
def test_every_change_of_rules(place: int) -> None:
    base, changes = CHANGES[place]
    variant = load_variant(base, changes)
    check(variant, STRATEGIES[place % len(STRATEGIES)], seed=place, games=1)
    check(variant, mix(variant), seed=place, games=1)


def test_every_playable_value_is_changed_somewhere() -> None:
    played = [load_variant(name).rules for name in VARIANTS] + [load_variant(*change).rules for change in CHANGES]
    for name, parameter in PARAMETERS.items():
        words = getattr(parameter, "words", ())
        values = [getattr(rules, name) for rules in played]
        if isinstance(parameter.default, str) and words:
            single = {value for value in values if isinstance(value, str)}  # some take rows by score as well
            assert single == set(parameter.playable or words), name
        elif isinstance(parameter.default, tuple) and words:
            allowed = set(words if parameter.playable is None else parameter.playable)
            assert set().union(*values) == allowed, name
            assert any(set(value) < allowed for value in values) or set(parameter.needed) == allowed, name
        elif isinstance(parameter.default, bool) and parameter.playable is None:
            assert set(values) == {True, False}, name
        elif parameter.playable is None:
            assert len(set(values)) > 1, name


# -------------------------------------------------------------------------------------------- rules nobody thought of
ALWAYS = {"deals": 3, "target": None}


@st.composite
def draw_cells(draw: st.DrawFn) -> tuple[Variant, str]:
    """A playable variant with up to ten parameters changed, and a line-up for it."""
    variant = draw(draw_variants(ALWAYS, most=10))
    return variant, draw(st.sampled_from([*STRATEGIES, mix(variant)]))


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(draw_cells(), st.integers(0, 2**40))
def test_any_set_of_rules(cell: tuple[Variant, str], seed: int) -> None:
    check(*cell, seed=seed, games=1)


# ------------------------------------------------------------------------------------------------ many
def cells() -> Iterator[tuple[Variant, str]]:
    for variant in [load_variant(name) for name in VARIANTS] + [load_variant(*change) for change in CHANGES]:
        for lineup in (*STRATEGIES, mix(variant)):
            yield variant, lineup


@pytest.mark.slow
def test_twenty_thousand_deals() -> None:
    deals, found, count = 0, [], 0
    for count, (variant, lineup) in enumerate(cells(), 1):
        more, faults = find_disagreements(variant, lineup, seed=1000 + count, games=12)
        deals += more
        found += faults
    print(f"\nkernel and referee: {deals:,} deals of {count} cells, {len(found)} disagreements")
    assert not found, "\n".join(found[:20])
    assert deals >= 20_000


@pytest.mark.slow
@settings(max_examples=1500, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(draw_cells(), st.integers(0, 2**40))
def test_fifteen_hundred_sets_of_rules(cell: tuple[Variant, str], seed: int) -> None:
    check(*cell, seed=seed, games=1)
