"""One deal as an object: the table at any turn agrees with the log, and a notebook shows every card."""

from __future__ import annotations

import re
from collections import Counter

import polars as pl
import pytest

import pipeline as cl
from engine import log
from engine.cards import CARDS
from engine.errors import BadInput
from pipeline.deal import Deal
from pipeline.position import Ledger

RULES = {"pile_rest": "stays", "sides": "two_teams"}


@pytest.fixture(scope="module")
def run(sample_run):
    return cl.open_run(sample_run)


@pytest.fixture(scope="module")
def deals(run) -> list[Deal]:
    """Deals of two variants and of partners who differ."""
    found = [run.deal("classic4", "safe", game=game, deal=deal) for game in range(1, 5) for deal in (1, 2)]
    other = cl.play("classic2", "naive~safe", games=3)
    return [*found, *(other.deal("classic2", "naive~safe", game=game, deal=1) for game in (1, 2, 3))]


def test_the_table_at_a_turn_is_what_the_turn_met(deals):
    for deal in deals:
        for turn in deal.replay.turns:
            there = deal.at(turn["turn"])
            assert len(there.hands[turn["seat"] - 1]) == turn["hand"]
            assert len(there.pile) == turn["pile"]
            assert (there.pile[-1] if there.pile else None) == turn["upcard"]


def test_no_card_is_lost_between_turns(deals):
    for deal in deals:
        stock = None
        for turn in deal.replay.turns:
            there = deal.at(turn["turn"])
            seen = Counter(card for hand in there.hands for card in hand) + Counter(there.pile)
            for melds, threes in zip(there.melds, there.red_threes, strict=True):
                seen += Counter(card for cards in melds.values() for card in cards) + Counter(threes)
            assert seen.total() + turn["stock"] == 108
            assert stock is None or turn["stock"] <= stock
            stock = turn["stock"]


def test_melds_and_red_threes_at_the_end_are_those_that_scored(deals):
    for deal in deals:
        end = deal.at(max(deal.positions))
        for side in deal.replay.sides:
            melded = [card for cards in end.melds[side["side"] - 1].values() for card in cards]
            assert len(melded) == side["melded_cards"]
            assert len(end.red_threes[side["side"] - 1]) == side["red_threes"]


def test_hands_are_as_dealt_or_as_a_turn_begins(run):
    deal = run.deal("classic4", "safe", game=3, deal=2)
    dealt = deal.hands()
    assert [len(hand.split()) for hand in dealt.values()] == [11] * 4
    assert [dealt[seat].split() for seat in (1, 2, 3, 4)] == [
        sorted(hand, key=CARDS.index) for hand in deal.replay.deal["hands"]
    ]
    assert len(deal.hands(turn=7)[deal.turns["seat"][6]].split()) == deal.turns["hand"][6]
    with pytest.raises(BadInput, match=r"turn 99: the deal has turns 1 to \d+"):
        deal.hands(turn=99)


def test_its_rows_are_those_of_the_run(run):
    deal = run.deal("classic4", "naive~safe", game=2, deal=3)
    for table in ("turns", "moves", "sides"):
        rows = run.frame(table, "classic4", "naive~safe", (2, 2)).filter(pl.col("deal") == 3).sort(log.KEYS[table])
        assert getattr(deal, table).equals(rows.collect())


def test_the_referee_finds_it_legal_and_its_history_reads_back(deals, tmp_path):
    for deal in deals:
        assert deal.check().legal
        assert cl.check(deal.save(tmp_path / "deal.chh")) == deal.check()


def test_a_notebook_shows_every_card_dealt_and_every_turn(run):
    deal = run.deal("classic4", "safe", game=1, deal=1)
    shown = deal._repr_html_()
    plain = re.sub(r"<[^>]+>", "", shown)
    assert plain.count("♥") == shown.count("color:#c0392b") - plain.count("♦")
    assert shown.count("<tr>") == shown.count("</tr>") > deal.turns.height
    for seat, hand in deal.hands().items():
        signs = " ".join(card if card == "JK" else card[0] + "♣♦♥♠"["CDHS".index(card[1])] for card in hand.split())
        assert f"seat {seat}, safe{signs}" in plain
    assert repr(deal).startswith("classic4 · safe · game 1, deal 1 · seed 1")


def test_a_move_of_another_kind_is_refused():
    ledger = Ledger({"hands": [["4C"]], "reserves": [], "upcards": []}, (1,), RULES)
    with pytest.raises(ValueError, match="'swap' cannot be told"):
        ledger.add({"seat": 1, "card": None, "action": "swap", "meld": None})


@pytest.mark.parametrize(
    ("numbers", "fault"),
    [
        ({"game": 9999, "deal": 1}, "game 9999 is not in the run"),
        ({"game": 1, "deal": 99}, "game 1 has no deal 99"),
        ({"lineup": "nobody", "game": 1, "deal": 1}, "line-up 'nobody'"),
    ],
)
def test_a_deal_that_is_not_there_is_refused(run, numbers, fault):
    with pytest.raises(BadInput, match=fault):
        run.deal("classic4", **{"lineup": "safe", **numbers})
    with pytest.raises(BadInput, match="name one"):
        run.deal(game=1, deal=1)
