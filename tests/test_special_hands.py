"""Special hands: what each is made of, which one counts when two fit, and when one may be declared."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.cards import KIND_OF, parse_cards
from engine.kernel.melds import give_card
from engine.kernel.special import NAMES, find_special, is_special, judge_special, may_keep_three, wants_three
from engine.kernel.state import HAND, TABLE, new_record
from engine.ledger.deals import split_deals
from engine.ledger.replay import judge_logged
from engine.ledger.rows import read_moves
from engine.log import MAX_SEATS
from engine.play import play_blocks
from engine.referee.special import HANDS as REFEREES
from engine.rules import compile_rules, load_variant
from engine.strategies import parse_lineup
from engine.strategies.discard_weighed import spare_straight

HANDS = {
    "pairs": "4C 4D 5C 5D 6C 6D 8C 8D 9C 9D JC JD KC KD",
    "wild_pairs": "4C 4D 5C 5D 7C 7D 8C 8D 9C 9D AC AD 2C 2D",
    "miami_pairs": "4C 4D 6C 6D 7C 7D 8C 8D JK JK AC AD 2C 2D",
    "zip_code": "8C 8D JK JK QC QD QH KC KD KH 4C 4D 4H 4S",
    "straight": "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC JK",
    "garbage": "8C 8D 8H 8S QC QD QH QS 5C 5D 5H KC KD KH",
    "blast_off": "KC KC KD KH KS QC QD QH QS 8C 8D 8H 2C 2D",
    "triples": "8C 8D 8H QC QD QH KC KD KH 4C 4D 4H JK JK",
    "quads": "8C 8D 8H 8S QC QD QH QS KC KD KH KS 2C 2D",
    "dream_plus_4": "4C 4C 4D 4H 4S KC KC KD KH KS JK JK JK JK",
    "dream_plus_5": "4C 4C 4D 4H 4S KC KD KH KS 2C 2D 2H JK JK",
}
NEARLY = {
    "pairs": "4C 4D 5C 5D 6C 6D 8C 8D 9C 9D JC JD JH JS",  # two pairs of one rank
    "wild_pairs": "4C 4D 5C 5D 7C 7D 8C 8D 9C 9D AC AD 2C JK",  # wild cards that do not match
    "miami_pairs": "4C 4D 5C 5D 6C 6D 8C 8D JK JK AC AD 2C 2D",  # no sevens
    "zip_code": "8C 8D 9C 9D QC QD QH KC KD KH 4C 4D 4H 5H",
    "straight": "AC 2C 4C 4D 5C 6C 7C 8C 9C TC JC QC KC JK",  # no three
    "garbage": "8C 8D 8H 8S QC QD QH QS 5C 5D 5H 2C 2D 2H",  # wild cards
    "blast_off": "KC KC KD KH KS QC QD QH QS 8C 8D 8H 2C JK",
    "triples": "8C 8D 8H QC QD QH KC KD KH 2C 2D 2H 4C 4D",  # the pair is natural
    "quads": "8C 8D 8H 8S QC QD QH QS KC KD KH KS 9C 9D",
    "dream_plus_4": "4C 4C 4D 4H 4S KC KC KD KH KS JK JK 2C 2D",
    "dream_plus_5": "4C 4C 4D 4H 4S KC KC KD KH KS 2C JK JK JK",
}


def hold(cards: str) -> tuple[object, object]:
    """A table on which nothing lies yet and a hand of cards that has just drawn."""
    table, hand = new_record(TABLE), new_record(HAND)
    table.players = MAX_SEATS
    for card in parse_cards(cards):
        give_card(table, hand, card)
    return table, hand


@pytest.mark.parametrize("name", NAMES)
def test_a_special_hand_is_made_of_its_groups_and_nothing_near_it_is(name: str) -> None:
    code, rules = NAMES.index(name) + 1, compile_rules(load_variant("modern_american").rules)
    assert is_special(hold(HANDS[name])[1], rules, code)
    assert not is_special(hold(NEARLY[name])[1], rules, code)


@pytest.mark.parametrize("kind", ["any", "twos"])
@pytest.mark.parametrize("wilds", ["2C 2D", "JK JK", "2C JK"])
def test_wild_pairs_take_a_pair_of_either_wild_or_of_twos_alone(wilds: str, kind: str) -> None:
    rules = compile_rules(load_variant("modern_american", {"wild_pair_kind": kind}).rules)
    hand = hold(f"4C 4D 5C 5D 7C 7D 8C 8D 9C 9D AC AD {wilds}")[1]
    fits = wilds == "2C 2D" or (wilds == "JK JK" and kind == "any")
    assert is_special(hand, rules, NAMES.index("wild_pairs") + 1) == fits


@pytest.mark.parametrize("name", NAMES)
def test_kernel_and_referee_know_the_same_hands(name: str) -> None:
    rules = compile_rules(load_variant("modern_american").rules)
    for cards in (*HANDS.values(), *NEARLY.values()):
        kinds = Counter(int(KIND_OF[card]) for card in parse_cards(cards))
        assert REFEREES[name](kinds) == bool(is_special(hold(cards)[1], rules, NAMES.index(name) + 1)), cards


@pytest.mark.parametrize("name", NAMES)
def test_it_may_be_declared_where_the_rules_know_it(name: str) -> None:
    table, hand = hold(HANDS[name])
    code = NAMES.index(name) + 1
    known = load_variant("modern_american").rules
    few = load_variant("modern_american_pagat").rules
    assert find_special(table, hand, compile_rules(known)) == code
    assert judge_special(table, hand, compile_rules(known), code) == 0
    assert (find_special(table, hand, compile_rules(few)) == code) == (name in few.special_hands)
    assert find_special(table, hand, compile_rules(load_variant("classic4").rules)) == 0


def test_the_hand_worth_most_counts() -> None:
    rules = compile_rules(load_variant("modern_american", {"special_hands": "pairs=100,garbage=200"}).rules)
    assert find_special(*hold(HANDS["garbage"]), rules) == NAMES.index("garbage") + 1
    assert find_special(*hold(HANDS["pairs"]), rules) == NAMES.index("pairs") + 1


@pytest.mark.parametrize("field", ["took", "laid", "opened"])
def test_none_may_be_declared_after_a_take_or_a_meld(field: str) -> None:
    rules = compile_rules(load_variant("modern_american").rules)
    table, hand = hold(HANDS["pairs"])
    if field == "opened":
        table.opened[0] = 1  # type: ignore[attr-defined]
    else:
        setattr(hand, field, 3)
    assert judge_special(table, hand, rules, NAMES.index("pairs") + 1) != 0


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [
        ("AC 2C 4C 5C 6C 7C 8C 9C TC JC QC KC KD", True),  # the joker is lacking
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", True),  # the same with a three
        ("AC 2C 4C 5C 6C 7C 8C 9C TC JC QC QD KD", True),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC QD", False),  # two are
        ("AC 2C 4C 5C 6C 7C 8C 9C TC JC QC KC", False),  # too few cards for fourteen
    ],
)
def test_a_three_is_wanted_where_one_card_at_most_lacks_to_a_straight(cards: str, wanted: bool) -> None:
    rules = compile_rules(load_variant("modern_american").rules)
    table, hand = hold(cards)
    assert bool(wants_three(table, hand, rules)) == wanted
    assert not wants_three(table, hand, compile_rules(load_variant("classic4").rules))
    table.opened[0] = 1  # type: ignore[attr-defined]
    assert not wants_three(table, hand, rules)


def test_one_three_alone_may_be_kept_while_the_side_has_not_opened() -> None:
    rules = compile_rules(load_variant("modern_american").rules)
    table, hand = hold("AC 2C 4C")
    assert may_keep_three(table, hand, rules)
    assert not may_keep_three(*hold("AC 2C 3S"), rules)
    assert not may_keep_three(table, hand, compile_rules(load_variant("classic4").rules))
    table.opened[0] = 1  # type: ignore[attr-defined]
    assert not may_keep_three(table, hand, rules)


def test_a_straight_to_come_is_not_thrown_away() -> None:
    _, hand = hold("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC KD")
    every = int(hand.holds)  # type: ignore[attr-defined]
    assert spare_straight(hand, every) == 1 << 9  # the kings
    assert spare_straight(hand, every & ~(1 << 9)) == every & ~(1 << 9)


def test_threes_are_kept_in_play_and_the_referee_agrees() -> None:
    variant = load_variant("modern_american", {"deals": 1, "target": None})
    kept = 0
    for block in play_blocks(variant, parse_lineup("random", variant.rules), seed=3, first_game=1, games=1500):
        for deal in split_deals(block):
            actions = read_moves(variant.rules, deal).actions
            if any(action.verb == "keep" for action in actions):
                kept += 1
                assert not judge_logged(variant, deal)
    assert kept > 0
