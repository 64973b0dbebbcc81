"""Always let the partner go out."""

from __future__ import annotations

from engine.decision import strategy


@strategy(kind="answer")
def answer_always(table, hand, rules, weights, plan):
    """Yes."""
    return 1
