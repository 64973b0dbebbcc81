"""A table of the kernel laid from a hand history: TABLE, SEATS and CROUPIER as the first action finds them.

Everything is put in place by the kernel's own functions. What the kernel makes impossible by construction (a hand of
the wrong size, a card the pack does not have) is refused here, as a fault of the set-up.
"""

from __future__ import annotations

from collections.abc import Iterable

from kernel_melds import lay_any_meld
from kernel_table import KernelTable, RefusedError

from engine.cards import KIND_OF, NATURAL_KINDS, NO_CARD, RED_THREES, parse_card
from engine.history.record import UNKNOWN, Cards, History, Position
from engine.kernel.deal import begin_life, count_active, find_freeze, freeze, put_on_pile
from engine.kernel.draw import BONUS, LAY_REPLACE
from engine.kernel.melds import is_wild
from engine.kernel.sides import form_sides
from engine.kernel.special import STRAIGHT, find_award
from engine.kernel.upcards import VALUE_PILE, find_pip_value, turn_upcards

NATURAL = parse_card("4C")
"""Turned where the kernel wants one card more than the file has."""
UNTOLD = 10
"""Cards given to a seat nobody told of."""
DEFAULT_STOCK, DEFAULT_ROUND = 40, 3


def lay_table(history: History) -> KernelTable:
    """The table as the first action finds it; RefusedError with action 0 for a set-up that cannot be."""
    kernel = KernelTable(history)
    if history.position is None:
        _lay_deal(kernel)
    else:
        _lay_position(kernel, history.position)
    return kernel


# ---------------------------------------------------------------------------------------------------- a whole deal
def _lay_deal(kernel: KernelTable) -> None:
    history, table, rules = kernel.history, kernel.table, kernel.rules
    seats = ((),) * kernel.players
    for seat, cards in enumerate(history.hands or ()):
        kernel.give(seat, _deal(kernel, seat, cards, rules.hand_size))
    for seat, cards in enumerate(history.reserve or (seats if rules.reserve_size else ())):
        kernel.lay_reserve(seat, _deal(kernel, seat, cards, rules.reserve_size))
    upcards = history.upcards or ()
    for card in upcards:
        kernel.see(card, 0)
    table.stock = kernel.pack_size - (rules.hand_size + rules.reserve_size) * count_active(table)
    kernel.put_on_stock([*_order_upcards(kernel, upcards), NATURAL])
    turn_upcards(table, rules, kernel.croupier, kernel.log)
    if table.pile_count != len(upcards):
        raise RefusedError(0, f"{len(upcards)} upcards, the kernel turns {table.pile_count}")


def _deal(kernel: KernelTable, seat: int, cards: Cards, size: int) -> Cards:
    """A packet as dealt to a seat: so many cards, known or not; none to who sits out."""
    if seat == kernel.table.sits_out:
        size = 0
    if cards and len(cards) != size:
        raise RefusedError(0, f"a packet of {len(cards)} cards")
    return cards or (UNKNOWN,) * int(size)


def _order_upcards(kernel: KernelTable, upcards: Cards) -> list[int]:
    """The first cards of the pile, bottom first, in the order in which they come from the stock (RULES §7)."""
    if kernel.rules.upcard != VALUE_PILE or not upcards or KIND_OF[upcards[-1]] >= NATURAL_KINDS:
        return list(upcards)
    turned = max(len(upcards) - 1 - int(find_pip_value(upcards[-1])), 0)
    if UNKNOWN in (*upcards[:turned], upcards[-1]):
        raise RefusedError(0, "more cards lie face down than the upcard counts")
    return [*upcards[:turned], upcards[-1], *upcards[turned:-1]]


# ------------------------------------------------------------------------------------------------------ a position
def _lay_position(kernel: KernelTable, position: Position) -> None:
    table = kernel.table
    for seat in range(kernel.players):
        cards = position.hands.get(seat + 1)
        if cards is None and seat != table.sits_out:
            kernel.untold.add(seat)
            cards = (UNKNOWN,) * UNTOLD
        _check_hand(kernel, seat, cards or (), position)
        kernel.give(seat, cards or ())
    for number, cards in (position.reserve or {}).items():
        if not kernel.rules.reserve_size:
            raise RefusedError(0, "these rules have no reserve")
        kernel.lay_reserve(number - 1, cards or (UNKNOWN,) * int(kernel.rules.reserve_size))
    _lay_pile(kernel, position)
    for side, melds in enumerate(position.melds or ()):
        _lay_melds(kernel, side, melds)
    kernel.croupier.opened_sides = int(table.opened.sum())
    for side, cards in enumerate(position.red_threes or ()):
        for card in cards:
            kernel.see(card, 0)
            (table.red_threes if KIND_OF[card] == RED_THREES else table.black_threes)[side] += 1
    if position.lone_hand is not None:
        form_sides(table, kernel.seats, position.lone_hand - 1)
    table.own_turns[:] = (position.round or DEFAULT_ROUND) - 1
    for seat in range(kernel.players):
        opened = table.opened[table.seat_sides[seat]] != 0
        table.melded[seat] = opened if position.melded is None else seat + 1 in position.melded
    _lay_stock(kernel, position)


def _check_hand(kernel: KernelTable, seat: int, cards: Cards, position: Position) -> None:
    """A three that must be laid may not be in a hand; one may that is kept for a straight (RULES §1.3, §10)."""
    rules = kernel.rules
    laid = [
        card
        for card in cards
        if kernel.is_laid(card) and (KIND_OF[card] != RED_THREES or rules.red3_use == LAY_REPLACE)
    ]
    opened = bool(position.melds and position.melds[int(rules.seat_sides[seat])])
    keeps = rules.black3_role == BONUS and find_award(rules, STRAIGHT) > 0 and not opened
    if len(laid) > keeps:
        raise RefusedError(0, "a three in hand that must be laid")


def _lay_pile(kernel: KernelTable, position: Position) -> None:
    table, rules, croupier = kernel.table, kernel.rules, kernel.croupier
    begin_life(table, croupier, 0)
    for card in position.pile or ():
        kernel.see(card, 0)
        if card == UNKNOWN:
            croupier.hidden[table.hidden] = kernel.filler
            table.pile[table.pile_count] = NO_CARD
            table.hidden += 1
            table.pile_count += 1
            continue
        put_on_pile(table, card)
        kind = KIND_OF[card]
        cause = find_freeze(rules, kind, True) or find_freeze(rules, kind, False)
        freeze(table, rules, croupier, cause if position.frozen is None else int(position.frozen), -1)


def _lay_melds(kernel: KernelTable, side: int, melds: Iterable[Cards]) -> None:
    """Melds of a position must be such as the kernel could have laid."""
    for cards in melds:
        naturals = [int(KIND_OF[card]) for card in cards if not is_wild(KIND_OF[card])]
        if kernel.rules.plain and (len({*naturals}) != 1 or kernel.table.melds[side] >> naturals[0] & 1):
            raise RefusedError(0, "no meld of one rank, or a second of it")
        if kernel.rules.plain and naturals[0] > 10:
            raise RefusedError(0, "a meld of threes")
        lay_any_meld(kernel, side, cards)


def _lay_stock(kernel: KernelTable, position: Position) -> None:
    table = kernel.table
    if position.stock is None or isinstance(position.stock, int):
        table.stock = DEFAULT_STOCK if position.stock is None else position.stock
    else:
        kernel.stock_known = list(position.stock)
        table.stock = len(position.stock)
        for card in position.stock:
            kernel.see(card, 0)
    told = 0 if position.stock is None or kernel.stock_known is not None else position.stock
    if kernel.seen.total() + told > kernel.pack_size:
        raise RefusedError(0, "more cards than the pack has")
