"""Refuse when the own hand would cost too much (STRATEGY P3)."""

from __future__ import annotations

from engine.decision import strategy

WEIGHTS = {"most_points": (150.0, "points of the own hand up to which the partner may go out")}


@strategy(kind="answer", weights=WEIGHTS)
def answer_weighed(table, hand, rules, weights, plan):
    """Yes while the own hand's points stay within the weight."""
    return 1 if hand.points <= weights[0] else 0
