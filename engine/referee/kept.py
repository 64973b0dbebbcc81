"""One three may be kept for a straight while the side has not opened (RULES §10)."""

from __future__ import annotations

from engine.cards import CARDS
from engine.history.record import Action
from engine.referee.cards import is_three, kind_of
from engine.referee.table import Table, Turn


def keep_three(table: Table, action: Action) -> None:
    """`keep`: a three just drawn, which would be laid, is kept as one of the cards drawn."""
    turn, card = table.turn, action.cards[0]
    if card not in turn.shown_reds or not turn.drawn:
        table.fault("card_not_held", f"seat {action.seat} keeps {CARDS[card]}, no three it has drawn")
    elif not _may_keep(table, turn):
        table.fault("red_three_kept", f"seat {action.seat} keeps {CARDS[card]}, which must be laid at once")
    else:
        _take_back(table, turn, card)


def keeps_untold(table: Table, turn: Turn) -> bool:
    """A three drawn last and not replaced was kept."""
    if turn.owed != 1 or not turn.shown_reds or not _may_keep(table, turn):
        return False
    _take_back(table, turn, turn.shown_reds[-1])
    return True


def _may_keep(table: Table, turn: Turn) -> bool:
    """One alone, before the side has opened."""
    held = any(is_three(card) for card in table.hands[turn.seat - 1].cards)
    return table.book.keeps_a_three and not turn.opened_before and not held


def _take_back(table: Table, turn: Turn, card: int) -> None:
    """A three that counted as laid joins the hand."""
    turn.shown_reds.remove(card)
    table.red_threes[turn.side].remove(card)
    table.give(turn.seat, card)
    turn.gained += 1
    turn.owed = max(turn.owed - 1, 0)


def gives_up(table: Table, action: Action) -> bool:
    """Whether a three laid is the one kept, now that the side has opened, not another of the kind laid before."""
    card, turn = action.cards[0], table.turn
    held = card in table.hands[action.seat - 1].cards and kind_of(card) in table.book.laid_threes
    return held and table.book.keeps_a_three and not turn.owed and bool(table.melds[turn.side])


def check_kept(table: Table, seat: int) -> None:
    """A three kept is laid by the end of the seat's next turn, once its side has opened."""
    if not table.book.keeps_a_three or not table.melds[table.turn.side]:
        return
    kept = [card for card in table.hands[seat - 1].cards if kind_of(card) in table.book.laid_threes]
    if kept:
        table.fault("red_three_kept", f"seat {seat} still keeps {CARDS[kept[0]]}; its side has opened")
