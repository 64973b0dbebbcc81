"""Deals the referee lets pass: they end, no card is lost, and the history of one is the same deal again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from dealt_by_referee import Dealt, deal_cards, play_deal

from engine.history.reader import read_history
from engine.history.writer import write_history
from engine.referee.table import Table
from engine.referee.verdict import judge
from engine.rules import variant_names

QUICK = (
    *("albany", "boat", "brazilian", "canastone", "classic3", "classic5", "cuban", "italian", "mexicana"),
    *("modern_american", "pennies_from_heaven", "samba"),
)


def count_cards(table: Table) -> int:
    """Every card that lies anywhere."""
    hands = sum(hand.size or 0 for hand in (*table.hands, *table.reserves) if hand is not None)
    laid = sum(len(cards) for cards in (*table.red_threes, *table.set_aside, table.removed))
    melds = {id(melds): melds for melds in table.melds}.values()
    return table.stock + len(table.pile) + hands + laid + sum(len(meld.cards) for side in melds for meld in side)


def check_deal(dealt: Dealt) -> None:
    table = dealt.table
    assert not table.faults
    assert table.ended
    assert not table.invented
    assert count_cards(table) == table.book.pack
    history = replace(dealt.history, actions=tuple(dealt.actions))
    verdict = judge(read_history(write_history(history)))
    assert verdict.legal
    assert verdict.ending == table.ending
    assert verdict.deal_scores is not None
    assert all(score is not None and score % 5 == 0 for score in verdict.deal_scores)
    assert verdict.breakdown is not None
    for items, score in zip(verdict.breakdown, verdict.deal_scores, strict=True):
        assert items is not None
        assert sum(items.values()) == score


@pytest.mark.parametrize("variant", QUICK)
def test_a_deal_without_a_fault_ends_and_loses_no_card(variant: str) -> None:
    check_deal(play_deal(deal_cards(variant, 0)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("variant", variant_names())
def test_deals_without_a_fault_end_and_lose_no_card(variant: str, seed: int) -> None:
    check_deal(play_deal(deal_cards(variant, seed)))
