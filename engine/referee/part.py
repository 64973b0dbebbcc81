"""How much of the pile is taken, and which card is melded for it (RULES §1.7, §9, §19)."""

from __future__ import annotations

from engine.history.record import UNKNOWN, Action, show_cards
from engine.referee.cards import kind_of
from engine.referee.table import Table

TOP = 7
"""Cards of a pile of which only the top is taken (RULES §9)."""


def find_part(table: Table, action: Action) -> tuple[int, int]:
    """How many cards are taken, from the top, and the one that is melded; a fault when it may not be so many."""
    pile, told = table.pile, _count_told(table, action)
    if table.rules.pile_portion == "from_melded" and told is not None:
        place = len(pile) - (1 if told == len(pile) and _is_meant_for_top(table) else told)
        if place in table.face_down:
            table.fault("whole_pile", f"seat {action.seat} takes the pile from a card that lies face down")
        return told, pile[place]
    due = len(pile) if table.rules.pile_portion != "top7" else min(TOP, len(pile))
    if (told is not None and told != due) or (action.cards and pile[-due] not in (action.cards[0], UNKNOWN)):
        part = show_cards(action.cards) if action.cards else f"{action.number} cards"
        amount = f"all {due} cards are" if due == len(pile) else f"the top {due} are"
        table.fault(
            "whole_pile",
            f"seat {action.seat} takes the pile from {part}; {amount} taken"
            if action.cards
            else f"seat {action.seat} takes {part}; {amount.replace(' cards', '')} taken",
        )
    return due, pile[-1]


def _count_told(table: Table, action: Action) -> int | None:
    """Cards taken as the action says: their number, or down to the lowest card named, where it lies uppermost."""
    pile = table.pile
    if action.number is not None:
        return min(action.number, len(pile)) if table.rules.pile_portion == "from_melded" else action.number
    if not action.cards or table.rules.pile_portion != "from_melded":
        return None
    places = [place for place, card in enumerate(pile) if card == action.cards[0]]
    if not places:
        table.fault("whole_pile", f"seat {action.seat} takes the pile from {show_cards(action.cards)}, not in it")
        return None
    return len(pile) - places[-1]


def _is_meant_for_top(table: Table) -> bool:
    """Whether cards were laid for the upcard and none for the bottom card, of a pile told to be taken down to that."""
    kinds = {meld.kind for meld in table.turn.before_take}
    return kind_of(table.pile[-1]) in kinds and kind_of(table.pile[0]) not in kinds
