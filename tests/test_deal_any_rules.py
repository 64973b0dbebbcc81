"""A deal of any variant told again: no card is lost, melds are those that scored, and words say what was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

import pipeline as cl
from engine import log
from engine.rules import load_variant, variant_names
from pipeline.deal import Deal
from pipeline.laid_melds import LaidMelds, is_sequence
from pipeline.replay import CANASTA, write_text
from pipeline.replay_words import _FROZEN, tell

MANY_MELDS = ("samba", "bolivia", "railroad", "hand_and_foot", "classic3", "royal_magazzu")


@pytest.fixture(scope="module")
def deals() -> dict[str, list[Deal]]:
    """The first deal of a few games of every variant."""
    found = {}
    for name in variant_names():
        games = 4 if name in MANY_MELDS else 1
        run = cl.play(cl.rules(name), "safe", games=games)
        found[name] = [run.deal(game=game, deal=1) for game in range(1, games + 1)]
    return found


def each(deals: dict[str, list[Deal]]) -> Iterator[Deal]:
    for of_variant in deals.values():
        yield from of_variant


def test_the_table_at_a_turn_is_what_the_turn_met_under_any_rules(deals):
    for deal in each(deals):
        seats = [move["seat"] for move in deal.replay.moves if move["action"] == "foot"]
        for turn in deal.replay.turns:
            there = deal.at(turn["turn"])
            assert len(there.pile) == turn["pile"], deal.variant
            assert (there.pile[-1] if there.pile else None) == turn["upcard"], deal.variant
            if turn["hand"] != len(there.hands[turn["seat"] - 1]):  # a reserve due since the discard before
                assert turn["seat"] in seats, (deal.variant, turn["turn"])


def test_no_card_is_lost_or_found_under_any_rules(deals):
    for deal in each(deals):
        rules = load_variant(deal.variant).rules
        if rules.pile_rest == "removed":
            continue
        end, row = deal.replay.end, deal.replay.deal
        places = [*end.hands, end.pile, *end.red_threes, *end.asides, *end.reserves]
        places += [cards for melds in end.melds for cards in melds.values()]
        assert sum(map(len, places)) + row["stock"] == 52 * rules.packs + rules.jokers, deal.variant
        assert min(Counter(card for cards in places for card in cards).values()) > 0


def test_the_melds_at_the_end_are_those_that_scored_under_any_rules(deals):
    for deal in each(deals):
        for side in deal.replay.sides:
            if side["partner"] is not None or side["special_points"]:
                continue  # the partner's row has what both laid
            melds = deal.replay.end.melds[side["side"] - 1]
            assert sum(map(len, melds.values())) == side["melded_cards"], deal.variant
            told = sum(side[f"{kind}_canastas"] for kind in ("natural", "mixed", "wild", "sequence", "royal"))
            assert sum(len(cards) >= CANASTA for cards in melds.values()) == told, deal.variant
            long = [word for word, cards in melds.items() if is_sequence(word) and len(cards) >= CANASTA]
            assert len(long) == side["sequence_canastas"], deal.variant


def test_text_and_page_tell_every_variant(deals):
    for deal in each(deals):
        canastas = sum(len(cards) >= CANASTA for melds in deal.replay.end.melds for cards in melds.values())
        assert write_text(deal.replay).count("(canasta)") == canastas, deal.variant
        assert deal._repr_html_().count(" canasta<") + deal._repr_html_().count(" canasta</") >= (canastas > 0)


def test_a_sequence_that_grows_downward_stays_one_meld() -> None:
    laid = LaidMelds()
    for word, card in (("D6", "6D"), ("D6", "7D"), ("D6", "8D"), ("D6", "5D"), ("D5", "4D"), ("D4", "9D")):
        laid.lay(word, card)
    assert laid.named() == {"D4": ("4D", "5D", "6D", "7D", "8D", "9D")}


def test_the_second_sequence_of_a_name_gets_it_once_the_first_has_grown() -> None:
    laid = LaidMelds()
    for word, card in [("C5", "5C"), ("C5", "6C"), ("C5.2", "5C"), ("C5.2", "6C"), ("C5", "4C"), ("C5", "4C")]:
        laid.lay(word, card)
    assert laid.named() == {"C4": ("4C", "5C", "6C"), "C4.2": ("4C", "5C", "6C")}


def test_melds_that_are_joined_are_one_and_later_ones_move_up() -> None:
    laid = LaidMelds()
    for word, cards in (("K", "KC KC KD"), ("K.2", "KH KH KS"), ("K.3", "KD 2C 2C")):
        for card in cards.split():
            laid.lay(word, card)
    laid.join("K", "K.2")
    assert laid.named() == {"K": ("KC", "KC", "KD", "KH", "KH", "KS"), "K.2": ("KD", "2C", "2C")}


def test_partners_found_during_the_deal_keep_both_melds_of_a_rank() -> None:
    first, second = LaidMelds(), LaidMelds()
    for laid, cards in ((first, "KC KD KH"), (second, "KC KC KS")):
        for card in cards.split():
            laid.lay("K", card)
    second.lay("Q", "QC")
    first.add_all(second)
    assert first.named() == {"Q": ("QC",), "K": ("KC", "KD", "KH"), "K.2": ("KC", "KC", "KS")}
    assert second.named() == {}


def told(*moves: tuple[str, str | None, str | None]) -> list[str]:
    return list(tell([{"action": action, "card": card, "meld": meld, "taken": 4} for action, card, meld in moves]))


def test_a_knave_is_no_joker_and_cards_that_name_their_meld_do_it_alone() -> None:
    assert told(*(("meld", card, "J") for card in ("JC", "JD", "JS"))) == ["melds JC JD JS"]
    assert told(*(("meld", card, "J") for card in ("JC", "JD", "JK"))) == ["melds JC JD JK to J"]
    assert told(*(("meld", card, "J.2") for card in ("JC", "JD", "JS"))) == ["melds JC JD JS to J.2"]
    assert told(("meld", "JC", "J")) == ["melds JC to J"]
    assert told(("meld", "9D", "D9"), ("meld", "TD", "D9"), ("meld", "JD", "D9")) == ["melds 9D TD JD"]
    assert told(("meld", "8D", "D9")) == ["melds 8D to the sequence D9"]
    assert told(("meld", "2C", "wild"), ("meld", "JK", "wild")) == ["melds 2C JK to the wild cards"]


def test_every_action_and_freeze_of_the_log_is_told_in_words() -> None:
    assert set(_FROZEN) == set(log.FREEZES)
    for action in log.ACTIONS:
        rows = [(action, "3C" if action not in ("ask", "agree", "refuse", "pass", "foot") else None, "pairs")]
        if action == "join":
            rows = [("join", None, "K"), ("join", None, "K.2")]
        (line,) = told(*rows)
        assert not line.startswith(("foot", "aside", "join ", "special", "bonus", "red3")), line
    assert told(("join", None, "K"), ("join", None, "K.2")) == ["joins the meld K to K.2"]
    assert told(("foot", None, None)) == ["takes up the reserve"]
    assert told(("aside", "3C", None), ("aside", "3S", None)) == ["sets aside 3C 3S"]
