"""Throw the highest card that is of no use."""

from __future__ import annotations

from engine.cards import BLACK_THREES, NATURAL_KINDS, POINTS_OF_KIND, RED_THREES, TWOS
from engine.decision import strategy
from engine.kernel.discards import find_discards
from engine.kernel.melds import find_card, has_meld
from engine.strategies.goals import find_held_price


@strategy(kind="discard")
def discard_highest(table, hand, rules, weights, plan):
    """The highest single not melded, or ace or seven held too often; then a black three, the highest of all."""
    best, value = -1, -1.0
    allowed = find_discards(table, hand, rules)
    for kind in range(NATURAL_KINDS):
        held = hand.kinds[kind]
        if allowed >> kind & 1:
            dear = find_held_price(rules, kind, held) > 0
            useless = (held == 1 or dear) and not has_meld(table, hand.side, kind)
            worth = POINTS_OF_KIND[kind] + (1000.0 if useless else 0.0)
            if worth > value:
                best, value = kind, worth
    if value < 1000.0 and allowed >> BLACK_THREES & 1:
        best = BLACK_THREES
    if best < 0 and allowed >> RED_THREES & 1:
        best = RED_THREES
    if best < 0:
        best = TWOS if hand.kinds[TWOS] > 0 else TWOS + 1
    return find_card(hand, best)
