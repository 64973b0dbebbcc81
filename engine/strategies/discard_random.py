"""Throw any legal card."""

from __future__ import annotations

from engine.cards import CARD_COUNT, KIND_OF
from engine.decision import strategy
from engine.kernel.discards import find_discards
from engine.rng import below


@strategy(kind="discard")
def discard_random(table, hand, rules, weights, plan):
    """Every card that may be discarded equally often."""
    kinds = find_discards(table, hand, rules)
    count = 0
    for card in range(CARD_COUNT):
        count += hand.cards[card] * (kinds >> KIND_OF[card] & 1)
    pick = below(hand, count)
    for card in range(CARD_COUNT):
        pick -= hand.cards[card] * (kinds >> KIND_OF[card] & 1)
        if pick < 0:
            return card
    return -1
