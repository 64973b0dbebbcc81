"""Throw any legal card."""

from __future__ import annotations

from engine.cards import CARD_COUNT
from engine.decision import strategy
from engine.pile import may_discard
from engine.rng import below


@strategy(kind="discard")
def discard_random(table, hand, rules, weights, plan):
    """Every card that may be discarded equally often."""
    pick = below(hand, hand.count)
    for card in range(CARD_COUNT):
        if may_discard(hand, rules, card):
            pick -= hand.cards[card]
            if pick < 0:
                return card
    return -1
