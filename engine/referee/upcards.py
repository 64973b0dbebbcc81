"""The cards turned at the deal (RULES §1.2, §7)."""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARDS, RANKS, RED_THREES
from engine.history.record import UNKNOWN, Cards
from engine.referee.cards import NATURAL_KINDS, kind_of
from engine.referee.table import WILD
from engine.rules import Rules

PIPS = {place: 1 if rank == "A" else place + 4 for place, rank in enumerate(RANKS[:NATURAL_KINDS])}
"""Cards that go face down under an upcard of each rank in a value pile."""


def find_upcard_fault(rules: Rules, upcards: Cards) -> str:
    """What is wrong with the cards turned at the deal; empty when nothing is."""
    if rules.upcard == "none":
        return "no card is turned" if upcards else ""
    if not upcards:
        return "a card is turned from the stock"
    if rules.upcard == "single":
        return "one card is turned, whatever it is" if len(upcards) > 1 else ""
    if rules.upcard == "value_pile":
        return _find_value_fault(upcards)
    covered = {RED_THREES} | ({BLACK_THREES} if rules.upcard == "until_natural" else set())
    for place, card in enumerate(upcards, 1):
        goes_on = card == UNKNOWN or WILD[card] or kind_of(card) in covered
        if goes_on and place == len(upcards):
            return f"another card is turned onto {CARDS[card]}" if card != UNKNOWN else ""
        if not goes_on and place < len(upcards):
            return f"{CARDS[card]} may stay, nothing is turned onto it"
    return ""


def _find_value_fault(upcards: Cards) -> str:
    """As many cards face down as the top is worth, and wilds and threes turned before it."""
    kind = kind_of(upcards[-1])
    if not 0 <= kind < NATURAL_KINDS:
        return "another card is turned onto a wild or a three" if kind >= 0 else ""
    due, others = PIPS[kind], upcards[:-1]
    passed = sum(1 for card in others if not 0 <= kind_of(card) < NATURAL_KINDS)
    if len(others) < due or len(others) - due > passed:
        return f"{len(others)} cards lie under {CARDS[upcards[-1]]}, which takes {due}"
    return ""


def find_turned(rules: Rules, upcards: Cards) -> Cards:
    """The cards that were turned face up; of a value pile those that could not stay, which lie lowest."""
    if rules.upcard != "value_pile":
        return upcards
    if not upcards:
        return ()
    return upcards[: find_face_down(rules, upcards).start]


def find_face_down(rules: Rules, upcards: Cards) -> range:
    """Places in the pile of the cards dealt face down, under the upcard of a value pile."""
    if rules.upcard != "value_pile" or not upcards:
        return range(0)
    top = len(upcards) - 1
    return range(max(top - PIPS.get(kind_of(upcards[-1]), 0), 0), top)
