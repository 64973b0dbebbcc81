"""The reserve (foot, back hand, kitty): when it is taken up, and what an empty hand means then (RULES §9, §17)."""

from __future__ import annotations

from engine.cards import CARDS
from engine.history.record import Action
from engine.referee.cards import Hand, kind_of
from engine.referee.table import Table


def note_canasta(table: Table) -> None:
    """The player whose turn it is has completed a canasta; its first may bring it the reserve."""
    turn = table.turn
    if table.first_canastas[turn.side] is None:
        table.first_canastas[turn.side] = table.own_turns[turn.seat - 1]
    if table.rules.reserve_pickup == "first_canasta":
        take_up(table, turn.seat)


def owns_reserve(table: Table, seat: int) -> bool:
    """Whether a seat's reserve still lies there."""
    return table.reserves[seat - 1] is not None


def waits_for_foot(table: Table, seat: int) -> bool:
    """Whether an empty hand of a seat is filled with its reserve."""
    return table.rules.reserve_pickup == "hand_empty" and owns_reserve(table, seat)


def brings_foot(table: Table, seat: int) -> bool:
    """Whether a canasta that a seat completes brings it its reserve."""
    return table.rules.reserve_pickup == "first_canasta" and owns_reserve(table, seat)


def take_up(table: Table, seat: int) -> None:
    """The reserve joins the hand; threes in it that are laid are laid, each with a replacement to come."""
    reserve = table.reserves[seat - 1]
    if reserve is None:
        return
    table.reserves[seat - 1] = None
    table.turn.foot = table.turn.had_foot = True
    hand = table.hands[seat - 1]
    for card in reserve.cards:
        if kind_of(card) in table.book.laid_threes:
            table.red_threes[table.book.side_of[seat]].append(card)
            table.due_threes.append(card)
        else:
            hand.cards.append(card)
    hand.unknown += reserve.unknown


def tell_foot(table: Table, action: Action) -> None:
    """`foot`: takes up the reserve, or tells that it was taken up."""
    turn, seat = table.turn, action.seat
    if not table.rules.reserve_size:
        table.fault("not_in_rules", f"seat {seat}: foot belongs to other variants")
    elif turn.foot:
        turn.foot = False
    elif not owns_reserve(table, seat):
        table.fault("foot", f"seat {seat} takes up its reserve, which it no longer has")
    elif table.rules.reserve_pickup == "hand_empty" and not table.hands[seat - 1].cards:
        hand = table.hands[seat - 1]
        table.hands[seat - 1] = Hand([]) if hand.endless else Hand([], hand.unknown)
        if hand.unknown:
            table.fault("foot", f"seat {seat} takes up its reserve with {hand.unknown} cards in hand")
        take_up(table, seat)
        turn.foot = False
    else:
        reason = (
            f"with {', '.join(CARDS[card] for card in table.hands[seat - 1].cards)} in hand"
            if table.rules.reserve_pickup == "hand_empty"
            else "without a canasta of its own"
        )
        table.fault("foot", f"seat {seat} takes up its reserve {reason}")
