"""Cards beside the draw: those of the side that opens, Mexicana's thirteen, Canastone's extra card; cards set aside.

RULES §7, §10, §13, §15. What a history leaves out is dealt as cards not known.
"""

from __future__ import annotations

from engine.cards import CARDS
from engine.history.record import UNKNOWN, Action, show_cards
from engine.referee.cards import kind_of
from engine.referee.opening import commit
from engine.referee.stock import take_from_stock
from engine.referee.table import Table


def receive_bonus(table: Table, action: Action) -> None:
    """Bonus cards as they are received; threes among them that are laid are replaced on top."""
    seat, rules = action.seat, table.rules
    if rules.initial_draw["when"] == "none" and not rules.pile_extra_draw:
        table.fault("not_in_rules", f"seat {seat}: bonus belongs to other variants")
        return
    turn = table.turn
    if rules.initial_draw["when"] == "at_once" and seat == turn.seat and turn.touched and not turn.opened:
        commit(table, going_out=False)
    who, due = table.due_cards
    if who != seat:
        due = 0
    table.due_cards = (0, 0)
    received = 0
    for card in action.cards:
        received += _receive(table, seat, card)
    if not turn.began and not turn.laid:
        turn.stock = table.stock  # received after the discard, before this turn
    if received > due or (received < due and table.stock):
        table.fault(
            "bonus", f"seat {seat} receives {show_cards(action.cards)} beside its draw; {due} cards are due", seat=seat
        )


def _receive(table: Table, seat: int, card: int) -> int:
    """One card from the stock; 0 for a three that is laid. The last card of the stock may be one that stays."""
    card = take_from_stock(table, card)
    stays = table.stock == 0 and table.rules.last_red3 == "stays_in_hand"
    if kind_of(card) in table.book.laid_threes and not stays:
        table.red_threes[table.book.side_of[seat]].append(card)
        return 0
    table.give(seat, card)
    return 1


def settle(table: Table) -> None:
    """What is due and was not told of: cards not known."""
    seat, due = table.due_cards
    table.due_cards = (0, 0)
    for _ in range(min(due, table.stock)):
        table.invented += 1
        _receive(table, seat, UNKNOWN)
    while table.due_threes:
        replace_due(table, table.due_threes[0], ())


def replace_due(table: Table, three: int, cards: tuple[int, ...]) -> None:
    """The replacement of a three laid from a reserve; a three that replaces it is laid and replaced as well."""
    table.due_threes.remove(three)
    seat = table.turn.seat
    if not cards and table.stock:
        cards = (UNKNOWN,)
        table.invented += 1
    received = sum(_receive(table, seat, card) for card in cards)
    if received > 1:
        table.fault("draw_count", f"seat {seat} draws {show_cards(cards)} for {CARDS[three]}; one replaces it")


def tell_aside(table: Table, action: Action) -> None:
    """`aside`: tells which black threes were put out of play."""
    if table.rules.black3_role != "set_aside":
        table.fault("not_in_rules", f"seat {action.seat}: aside belongs to other variants")
        return
    for card in action.cards:
        if card in table.turn.set_aside:
            table.turn.set_aside.remove(card)
        else:
            table.fault("aside", f"seat {action.seat} puts {CARDS[card]} out of play, which the pile did not hold")
