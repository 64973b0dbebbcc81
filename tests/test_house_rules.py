"""House rules that people have published: each line of the list is a variant, with just those rules changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import BadInput
from engine.log import DEAL_ENDINGS, GAME_ENDINGS
from engine.play import play_blocks
from engine.rules import Variant, load_variant, variant_names
from engine.strategies import parse_lineup
from pipeline.cli import main

WILD_2000 = {"natural": 500, "mixed": 300, "wild": 2000, "wild_4_jokers": 2000, "wild_all_twos": 2000}
WILD_1000 = {**WILD_2000, "wild": 1000, "wild_4_jokers": 1000, "wild_all_twos": 1000}

LINES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("Seven-card rule: the top seven cards only; the take ends the freeze",
     "house_seven_cards", "classic2", {"pile_portion": "top7"}),
    ("Balance rule: the others count only as many canastas as the side that went out",
     "house_balance", "house_seven_cards", {"counted_canastas": "as_many_as_out"}),
    ("2-2-2: draw 2; always two naturals; two canastas to go out",
     "gamecolony_222", "gamecolony2", {"pile_frozen": "always"}),
    ("2-2-2 3fw: the same; red threes may be discarded and freeze; wild canasta 1,000",
     "gamecolony_222_3fw", "gamecolony_222",
     {"discard_bans": (), "red3_use": "discardable", "freeze_by": ("wild", "red3_upcard", "red3_discard"),
      "wild_melds": "any", "canasta_bonus": WILD_1000}),
    ("2-0-2: the pile freezes only by a wild", "gamecolony_202", "gamecolony2", {"freeze_by": ("wild",)}),
    ("1-0-2: draw 1", "gamecolony_102", "gamecolony_202", {"draw_count": 1}),
    ("Hand and Foot, packs = players + 1; frozen until the turn comes back; a pair gives the top seven; naturals "
     "outnumber wilds; a canasta laid at once +500; all red threes doubled; one natural and one mixed to go out",
     "house_devon", "hand_and_foot",
     {"packs": 5, "jokers": 10, "freeze_ends": "round", "unfrozen_take": ("pair",), "pile_portion": "top7",
      "wild_ratio": "fewer", "one_turn_canasta_bonus": 500, "red3_use": "lay_replace", "discard_bans": ("red3",),
      "red3_totals": (100, 200, 300, 400, 500, 600, 700, 800, 900, 2000), "held_penalty": {}, "canastas_out": 2,
      "canastas_out_types": {"natural": 1, "mixed": 1}, "initial_pile": "top_counts"}),
    ("Each player may freeze the pile once a deal", "house_one_freeze", "classic4", {"freeze_limit": 1}),
    ("Three jokers a pack, 110 cards", "house_six_jokers", "classic4", {"jokers": 6}),
    ("Six players: wild melds; wild canasta 2,000; incomplete −2,000", "house_six_wild", "classic6_two",
     {"wild_melds": "any", "canasta_bonus": WILD_2000, "open_meld_penalty": {"wild": 2000}}),
)  # fmt: skip
NAMES = [name for _, name, _, _ in LINES]


def play(variant: Variant, strategy: str, games: int) -> tuple[set[str], set[str], int]:
    """Endings of deals and games, and how many games there were; an illegal choice raises."""
    deals, ends, count = set(), set(), 0
    for block in play_blocks(
        variant, parse_lineup(strategy, variant.rules), seed=11, first_game=1, games=games, guard=True
    ):
        deals |= {DEAL_ENDINGS[code - 1] for code in block["deals"]["ending"]}
        ends |= {GAME_ENDINGS[code - 1] for code in block["games"]["ending"]}
        count += len(block["games"]["ending"])
    return deals, ends, count


@pytest.mark.parametrize(("line", "name", "base", "changes"), LINES, ids=NAMES)
def test_a_house_rule_changes_just_what_its_line_says(line: str, name: str, base: str, changes: dict[str, Any]) -> None:
    variant = load_variant(name)
    assert variant.base == base, line
    assert variant.rules == load_variant(base, changes).rules, line
    assert set(variant.rules.differences(load_variant(base).rules)) == set(changes), line


def test_a_house_rule_is_said_to_be_one_page_and_where_it_stands() -> None:
    for name in NAMES:
        variant = load_variant(name)
        assert variant.confidence == "M", name
        assert variant.source.partition(";")[0].partition(",")[0] not in ("", "docs/rules.md"), name
        assert variant.note, name


def test_every_house_rule_of_the_folder_has_its_line() -> None:
    assert {name for name in variant_names() if name.startswith(("house_", "gamecolony_"))} == set(NAMES)


def test_what_the_two_player_tables_take_from_their_base_is_theirs() -> None:
    for name in ("gamecolony_222_3fw", "gamecolony_222", "gamecolony_202", "gamecolony_102"):
        rules = load_variant(name).rules
        assert (rules.players, rules.draw_count, rules.canastas_out) == (2, 1 if name.endswith("_102") else 2, 2)
    devon = load_variant("house_devon").rules
    assert dict(devon.initial_minimums) == {1: 50, 2: 90, 3: 120, 4: 150}
    assert load_variant("house_six_jokers").rules.packs * 52 + load_variant("house_six_jokers").rules.jokers == 110


@pytest.mark.parametrize("strategy", ["safe", "naive"])
@pytest.mark.parametrize("name", NAMES)
def test_a_house_rule_plays_fifty_games_to_their_end(name: str, strategy: str) -> None:
    deals, ends, games = play(load_variant(name), strategy, 50)
    assert games == 50
    assert "cap" not in deals | ends


@pytest.mark.parametrize(
    ("players", "sides"), [(2, "individual"), (3, "individual"), (5, "individual"), (6, "three_teams")]
)
def test_hand_and_foot_of_the_club_plays_with_a_pack_more_than_players(players: int, sides: str) -> None:
    packs = players + 1
    totals = [100 * count for count in range(1, 2 * packs)] + [400 * packs]
    changes = {"players": players, "sides": sides, "ask_partner": "none", "packs": packs, "jokers": 2 * packs,
               "red3_totals": totals}  # fmt: skip
    deals, _, games = play(load_variant("house_devon", changes), "safe", 4)
    assert games == 4
    assert "cap" not in deals


def test_packs_end_at_seven() -> None:
    with pytest.raises(BadInput, match=r"packs=8 is not allowed; allowed: 2\.\.7"):
        load_variant("house_devon", {"players": 6, "packs": 8})


def test_house_rules_are_listed_with_their_source(capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        assert main(["variants", name]) == 0
        text = capsys.readouterr().out
        variant = load_variant(name)
        assert f"base: {variant.base}" in text
        assert f"source: {variant.source}" in " ".join(text.split())
        assert "confidence: M (one good source)" in text
        changed = set(variant.rules.differences(load_variant(str(variant.base)).rules))
        assert {line.split(" = ")[0] for line in text.splitlines() if " = " in line and line[0] != " "} == changed
        assert max(map(len, text.splitlines())) <= 80
    assert main(["variants", "--format", "json"]) == 0
    rows = {row["variant"]: row for row in json.loads(capsys.readouterr().out)}
    assert all(rows[name]["source"] and rows[name]["playable"] == "yes" for name in NAMES)
