"""A table of the kernel laid from a hand history: TABLE, SEATS and CROUPIER as the first action finds them.

Everything is put in place by the kernel's own functions. What the kernel makes impossible by construction (a hand of
the wrong size, a card the pack does not have) is refused here, as a fault of the set-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from engine.block import LOG as LOG_RECORD
from engine.cards import KIND_OF, NO_CARD, RED_THREES, parse_card
from engine.history.record import UNKNOWN, History, Position
from engine.kernel.deal import begin_life, clear_deal, fill_pack, find_freeze, freeze, put_on_pile
from engine.kernel.draw import LAY_REPLACE
from engine.kernel.game import begin_game, find_minimum
from engine.kernel.melds import give_card, is_wild, remove_card
from engine.kernel.opening_rules import find_content
from engine.kernel.state import CROUPIER, MAX_PACK, PLAN, new_record, new_table
from engine.kernel.upcards import turn_upcards
from engine.log import TABLES
from engine.rules import check_playable, compile_rules

FILLER = parse_card("3C")
"""Stands for a card nobody told of: a card that justifies nothing."""
NATURAL = parse_card("4C")
"""Turned where the kernel wants one card more than the file has."""
UNTOLD = 10
"""Cards given to a seat nobody told of."""
DEFAULT_STOCK = 40
LOG = new_record(LOG_RECORD)


class RefusedError(Exception):
    """The kernel refuses an action: its number (0 the set-up) and why."""

    def __init__(self, action: int, why: str) -> None:
        super().__init__(why)
        self.action = action


class KernelTable:
    """The kernel's records for one history. Seats and sides count from 0."""

    def __init__(self, history: History) -> None:
        rules = history.load_rules().rules
        check_playable(rules)
        self.history = history
        self.log = LOG
        for name in TABLES:
            self.log[f"{name}_rows"] = 0
        self.guard, self.table, self.seats, self.rules = new_table(compile_rules(rules))
        self.croupier, self.plan = new_record(CROUPIER), new_record(PLAN)
        self.table.dealer = 0
        begin_game(self.table, self.seats, self.rules, self.croupier)
        clear_deal(self.table, self.seats, self.croupier)
        self.table.deal = history.deal or 1
        self.table.dealer = (history.dealer or self.table.players) - 1
        for side, score in enumerate(history.scores or ()):
            self.table.scores[side] = score
        for side in range(self.table.sides):
            self.table.minimum[side] = find_minimum(self.table, self.rules, side)
            self.table.content[side] = find_content(self.table, self.rules, side)
        fill_pack(self.rules, self.croupier)
        self.copies = Counter(self.croupier.pack[: self.croupier.pack_size].tolist())
        self.pack_size = int(self.croupier.pack_size)
        self.seen: Counter[int] = Counter()
        self.unknown = [0] * self.table.players
        self.untold: set[int] = set()  # seats of which not even the number of cards is known
        self.stock_known: list[int] | None = None
        self.croupier.next = 0

    @property
    def players(self) -> int:
        return int(self.table.players)

    def see(self, card: int, action: int) -> None:
        """A card turns up; it cannot be one the pack does not have."""
        self.seen[card] += 1
        if self.seen[card] > self.copies[card]:
            raise RefusedError(action, f"the pack has no {self.seen[card]} of card {card}")

    def give(self, seat: int, cards: Iterable[int]) -> None:
        """Cards the file tells of, or fillers, into a hand."""
        for card in cards:
            if card == UNKNOWN:
                self.unknown[seat] += 1
            else:
                self.see(card, 0)
            give_card(self.table, self.seats.hand[seat], FILLER if card == UNKNOWN else card)

    def learn(self, seat: int, card: int, action: int) -> None:
        """A card not known turns out to be this one."""
        hand = self.seats.hand[seat]
        self.see(card, action)
        self.unknown[seat] -= 1
        remove_card(self.table, hand, FILLER)
        give_card(self.table, hand, card)

    def put_on_stock(self, cards: Iterable[int]) -> int:
        """Put cards on top of the stock, whose number stays; how many there are."""
        cards = [FILLER if card == UNKNOWN else card for card in cards]
        self.croupier.pack[:] = np.full(MAX_PACK, FILLER, np.int8)
        self.croupier.pack[: len(cards)] = cards
        self.croupier.next = 0
        return len(cards)


def lay_table(history: History) -> KernelTable:
    """The table as the first action finds it; RefusedError with action 0 for a set-up that cannot be."""
    kernel = KernelTable(history)
    if history.position is None:
        _lay_deal(kernel)
    else:
        _lay_position(kernel, history.position)
    return kernel


def _lay_deal(kernel: KernelTable) -> None:
    history, table, rules = kernel.history, kernel.table, kernel.rules
    for seat, cards in enumerate(history.hands or ()):
        if cards and len(cards) != rules.hand_size:
            raise RefusedError(0, f"a hand of {len(cards)} cards")
        kernel.give(seat, cards or [UNKNOWN] * rules.hand_size)
    upcards = history.upcards or ()
    for card in upcards:
        kernel.see(card, 0)
    table.stock = kernel.pack_size - rules.hand_size * kernel.players
    kernel.put_on_stock([*upcards, NATURAL])
    turn_upcards(table, rules, kernel.croupier, kernel.log)
    if table.pile_count != len(upcards):
        raise RefusedError(0, f"{len(upcards)} upcards, the kernel turns {table.pile_count}")


def _lay_position(kernel: KernelTable, position: Position) -> None:
    table, rules = kernel.table, kernel.rules
    for seat in range(kernel.players):
        cards = position.hands.get(seat + 1)
        if cards is None:
            kernel.untold.add(seat)
        elif rules.red3_use == LAY_REPLACE and any(card >= 0 and KIND_OF[card] == RED_THREES for card in cards):
            raise RefusedError(0, "a red three in hand")
        kernel.give(seat, [UNKNOWN] * UNTOLD if cards is None else cards)
    begin_life(table, kernel.croupier, 0)
    for card in position.pile or ():
        kernel.see(card, 0)
        put_on_pile(table, card)
        kind = KIND_OF[card]
        cause = find_freeze(rules, kind, True) or find_freeze(rules, kind, False)
        freeze(table, rules, kernel.croupier, cause if position.frozen is None else int(position.frozen), -1)
    for side, melds in enumerate(position.melds or ()):
        _lay_melds(kernel, side, melds)
    for side, cards in enumerate(position.red_threes or ()):
        for card in cards:
            kernel.see(card, 0)
            (table.red_threes if KIND_OF[card] == RED_THREES else table.black_threes)[side] += 1
    for seat in range(kernel.players):
        opened = table.opened[table.seat_sides[seat]] != 0
        table.melded[seat] = opened if position.melded is None else seat + 1 in position.melded
    _lay_stock(kernel, position)


def _lay_melds(kernel: KernelTable, side: int, melds: Iterable[tuple[int, ...]]) -> None:
    """Melds of a position must be such as the kernel could have laid."""
    from kernel_melds import lay_any_meld

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
            if card != NO_CARD:
                kernel.see(card, 0)
    told = 0 if position.stock is None or kernel.stock_known is not None else position.stock
    if kernel.seen.total() + told > kernel.pack_size:
        raise RefusedError(0, "more cards than the pack has")
