"""Throw the highest card that is of no use."""

from __future__ import annotations

from engine.cards import BLACK_THREES, NATURAL_KINDS, POINTS_OF_KIND, RED_THREES, TWOS
from engine.decision import strategy
from engine.melds import find_card, has_meld
from engine.pile import RED3_BANNED


@strategy(kind="discard")
def discard_highest(table, hand, rules, weights, plan):
    """The highest single the side has not melded, then a black three, then the highest natural, then a wild card."""
    best, value = -1, -1.0
    for kind in range(NATURAL_KINDS):
        held = hand.kinds[kind]
        if held > 0:
            useless = held == 1 and not has_meld(table, hand.side, kind)
            worth = POINTS_OF_KIND[kind] + (1000.0 if useless else 0.0)
            if worth > value:
                best, value = kind, worth
    if value < 1000.0 and hand.kinds[BLACK_THREES] > 0:
        best = BLACK_THREES
    if best < 0 and hand.kinds[RED_THREES] > 0 and (rules.discard_bans & RED3_BANNED) == 0:
        best = RED_THREES
    if best < 0:
        best = TWOS if hand.kinds[TWOS] > 0 else TWOS + 1
    return find_card(hand, best)
