"""No strategy of the lab makes an illegal choice, whatever the rules: what it is told it could do may be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from drawn_rules import list_variants
from playable import VARIANTS

from engine.errors import IllegalChoice
from engine.play import play_blocks
from engine.rules import Variant, load_variant
from engine.strategies import parse_lineup, strategy_names

LAST_SEVEN = {"discard_bans": ["red3", "7_as_last_card"]}
STOPPED: tuple[tuple[str, dict[str, Any], str, int, int], ...] = (
    # an opening of all cards where going out takes more than canastas
    ("classic4", {"ask_partner": "required"}, "hoarder", 99, 6),
    ("classic4", {"ask_partner": "required"}, "random", 99, 332),
    ("classic4", {"ask_partner": "required"}, "naive", 99, 368),
    ("classic4", {"ask_partner": "required"}, "builder", 99, 507),
    ("classic4", LAST_SEVEN, "hoarder", 99, 6),
    ("classic4", LAST_SEVEN, "naive", 99, 1338),
    # wild cards of an opening that goes out, spread over two melds instead of making the canasta that was counted
    ("classic4", {"max_wilds": 4}, "hoarder", 99, 213),
    # a take that leaves one card, which only one meld lets go out
    ("samba", LAST_SEVEN, "builder", 99, 220),
    ("samba", LAST_SEVEN, "naive", 99, 554),
    ("classic4", {"canastas_out_types": {"mixed": 1}}, "naive", 99, 86),
    ("classic4", {"canastas_out_types": {"mixed": 1}}, "hoarder", 99, 601),
    ("classic4", {"canastas_out_types": {"mixed": 1}}, "random", 99, 1226),
    ("railroad", {}, "hoarder", 77, 1912),
    # one that could only be laid, for a canasta that brings the reserve
    ("railroad", {"canastas_out_types": {"natural": 1}}, "hoarder", 5, 21),
    # asking after melds have been joined
    ("samba", {"max_wilds": 1}, "random", 99, 1124),
)
"""Games in which a strategy did, by rules, strategy, seed and number."""
GAMES = 120


def find_illegal(variant: Variant, strategy: str, *, seed: int, first: int, games: int) -> Iterator[str]:
    """What the kernel says of the first illegal choice in so many games, if there is one."""
    lineup = parse_lineup(strategy, variant.rules)
    try:
        for _ in play_blocks(variant, lineup, seed=seed, first_game=first, games=games):
            pass
    except IllegalChoice as stopped:
        yield f"seed {seed} {strategy} {dict(variant.changes)}: {stopped}"


def find_all_illegal(variants: Iterable[Variant], games: int) -> list[str]:
    """The same over rules and all strategies, each with other cards."""
    found: list[str] = []
    for place, variant in enumerate(variants):
        for strategy in strategy_names():
            found += find_illegal(variant, strategy, seed=1000 + place, first=1, games=games)
    return found


@pytest.mark.parametrize("case", STOPPED, ids=lambda case: f"{case[0]}-{'-'.join(case[1])}-{case[2]}-{case[4]}")
def test_a_game_once_stopped_is_played_to_the_end(case: tuple[str, dict[str, Any], str, int, int]) -> None:
    base, changes, strategy, seed, game = case
    assert not list(find_illegal(load_variant(base, changes), strategy, seed=seed, first=game, games=1))


@pytest.mark.slow
@pytest.mark.parametrize("base", ["classic4", "samba"])
def test_one_rule_changed_makes_no_strategy_err(base: str) -> None:
    assert not find_all_illegal(list_variants(base), GAMES)


@pytest.mark.slow
def test_no_strategy_errs_in_any_variant() -> None:
    assert not find_all_illegal(map(load_variant, VARIANTS), 2 * GAMES)
