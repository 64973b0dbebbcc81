"""Threes dealt: laid and replaced before the first turn, or one kept for a straight (RULES §1.3, §10)."""

from __future__ import annotations

from engine.cards import CARDS
from engine.history.record import UNKNOWN, Action
from engine.referee.cards import kind_of
from engine.referee.stock import may_lay, replace_red_three, take_from_stock
from engine.referee.table import Table


def lay_dealt_red_three(table: Table, action: Action) -> None:
    """Before the first turn: in turn order from the dealer's left."""
    seat, card = action.seat, action.cards[0]
    table.turn.seat = seat
    order, first = table.book.order, table.book.next_of(table.dealer)
    place = (order.index(seat) - order.index(first)) % len(order) if seat in order else 0
    if place < table.last_dealt:
        table.fault("red_three_order", f"seat {seat} lays a dealt red three after a seat that acts later")
    table.last_dealt = max(place, table.last_dealt)
    if not may_lay(table, card) or not table.remove(seat, card):
        table.fault("card_not_held", f"seat {seat} lays {CARDS[card]}, no red three in its hand")
        return
    replace_red_three(table, action)


def keep_dealt_three(table: Table, action: Action) -> None:
    """Before the first turn: a dealt three is kept for a straight (RULES §10)."""
    seat, card = action.seat, action.cards[0]
    table.turn.seat = seat
    if kind_of(card) not in table.book.laid_threes or card not in table.hands[seat - 1].cards:
        table.fault("card_not_held", f"seat {seat} keeps {CARDS[card]}, no three in its hand that is laid")
    elif not table.book.keeps_a_three or table.kept[seat - 1] is not None:
        table.fault("red_three_kept", f"seat {seat} keeps {CARDS[card]}, which must be laid at once")
    else:
        table.kept[seat - 1] = card


def is_kept(table: Table, action: Action) -> bool:
    """Whether a three laid is one that was kept: its seat lays it as it begins the first turn."""
    card = action.cards[0]
    return table.kept[action.seat - 1] == card and table.hands[action.seat - 1].cards.count(card) == 1


def begin_play(table: Table) -> None:
    """Dealt threes nobody told of are laid and replaced by cards not known; the first turn begins."""
    book = table.book
    table.dealing = False
    first = book.next_of(table.dealer)
    place = book.order.index(first)
    for seat in (*book.order[place:], *book.order[:place]):
        hand = table.hands[seat - 1]
        laid = [card for card in hand.cards if kind_of(card) in book.laid_threes]
        kept = table.kept[seat - 1]
        if kept is not None:
            laid.remove(kept)
        for card in laid:
            hand.cards.remove(card)
            table.red_threes[book.side_of[seat]].append(card)
            if table.stock:
                take_from_stock(table, UNKNOWN)
                hand.unknown += 1
                table.invented += 1
    table.start_turn(first)
