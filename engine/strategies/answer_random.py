"""Answer the partner at random."""

from __future__ import annotations

from engine.decision import strategy
from engine.rng import below


@strategy(kind="answer")
def answer_random(table, hand, rules, weights, plan):
    """Yes or no, equally often."""
    return below(hand, 2)
