"""The kernel's records for a hand history, and what is known of the cards in them.

A card nobody told of is a filler: one that justifies nothing. `kernel_setup` lays the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from engine.block import LOG as LOG_RECORD
from engine.cards import BLACK_THREES, KIND_OF, NATURAL_KINDS, RED_THREES, parse_card
from engine.history.record import UNKNOWN, Cards, History
from engine.kernel.deal import TWO_V_THREE, clear_deal, fill_pack, seat_players
from engine.kernel.draw import BONUS
from engine.kernel.game import begin_game, find_minimum
from engine.kernel.melds import give_card, remove_card
from engine.kernel.opening_rules import find_content
from engine.kernel.state import CROUPIER, MAX_PACK, PLAN, new_record, new_table
from engine.log import TABLES
from engine.rules import compile_rules

BLACK_THREE = parse_card("3C")
LOG = new_record(LOG_RECORD)
DEAL_OF_SEAT = {5: 1, 3: 2, 1: 3}
"""Five players: the first deal in which each seat of the side of three sits out (RULES §1.11)."""


class RefusedError(Exception):
    """The kernel refuses an action: its number (0 the set-up) and why."""

    def __init__(self, action: int, why: str) -> None:
        super().__init__(why)
        self.action = action


class KernelTable:
    """The kernel's records for one history. Seats and sides count from 0.

    Whether its rules are played yet is not asked here: a rule's cases are what shows that they can be.
    """

    def __init__(self, history: History) -> None:
        rules = history.load_rules().rules
        self.history = history
        self.log = LOG
        for name in TABLES:
            self.log[f"{name}_rows"] = 0
        self.guard, self.table, self.seats, self.rules = new_table(compile_rules(rules))
        self.croupier, self.plan = new_record(CROUPIER), new_record(PLAN)
        self.table.dealer = 0
        begin_game(self.table, self.seats, self.rules, self.croupier)
        self._begin_deal(history)
        fill_pack(self.rules, self.croupier)
        self.copies = Counter(self.croupier.pack[: self.croupier.pack_size].tolist())
        self.pack_size = int(self.croupier.pack_size)
        self.filler = BLACK_THREE if self.rules.black3_role != BONUS else _find_unused(history)
        self.seen: Counter[int] = Counter()
        self.unknown = [0] * self.table.players
        self.unknown_reserve = [0] * self.table.players
        self.untold: set[int] = set()  # seats of which not even the number of cards is known
        self.stock_known: list[int] | None = None
        self.croupier.next = 0

    def _begin_deal(self, history: History) -> None:
        """What the kernel sets before it deals: who plays, who deals, each side's minimum and what it must contain."""
        table, rules = self.table, self.rules
        table.deal = history.deal or 1
        if rules.sides == TWO_V_THREE and history.sits_out:
            table.deal = DEAL_OF_SEAT[history.sits_out]
        seat_players(table, rules, self.seats)
        clear_deal(table, self.seats, self.croupier)
        table.deal = history.deal or 1
        table.dealer = 3 if rules.sides == TWO_V_THREE else table.players - 1
        if history.dealer is not None:
            table.dealer = history.dealer - 1
        for side, score in enumerate(history.scores or ()):
            table.scores[side] = score
        for side in range(table.sides):
            table.minimum[side] = find_minimum(table, rules, side)
            self.croupier.minimums[side] = table.minimum[side]
            table.content[side] = find_content(table, rules, side)

    @property
    def players(self) -> int:
        return int(self.table.players)

    @property
    def first(self) -> int:
        """The seat that acts first."""
        return int(self.table.next_seat[int(self.table.dealer)])

    @property
    def order(self) -> list[int]:
        """Who plays, from the dealer's left."""
        seats = [self.first]
        while self.follow(seats[-1]) != seats[0]:
            seats.append(self.follow(seats[-1]))
        return seats

    def follow(self, seat: int) -> int:
        """The seat that acts after another."""
        return int(self.table.next_seat[seat])

    def is_laid(self, card: int) -> bool:
        """Whether a known card is a three of those laid with the melds."""
        kind = KIND_OF[card]
        return card >= 0 and (kind == RED_THREES or (kind == BLACK_THREES and self.rules.black3_role == BONUS))

    def see(self, card: int, action: int) -> None:
        """A card turns up; it cannot be one the pack does not have."""
        if card == UNKNOWN:
            return
        self.seen[card] += 1
        if self.seen[card] > self.copies[card]:
            raise RefusedError(action, f"the pack has no {self.seen[card]} of card {card}")

    def fill(self, cards: Iterable[int]) -> list[int]:
        """Cards with fillers for those not known."""
        return [self.filler if card == UNKNOWN else card for card in cards]

    def give(self, seat: int, cards: Iterable[int]) -> None:
        """Cards the file tells of, or fillers, into a hand."""
        cards = list(cards)
        self.unknown[seat] += cards.count(UNKNOWN)
        for card, filled in zip(cards, self.fill(cards), strict=True):
            self.see(card, 0)
            give_card(self.table, self.seats.hand[seat], filled)

    def lay_reserve(self, seat: int, cards: Cards) -> None:
        """Cards the file tells of, or fillers, face down before a seat."""
        for card in cards:
            self.see(card, 0)
        self.unknown_reserve[seat] = cards.count(UNKNOWN)
        self.table.reserves[seat] = len(cards)
        self.croupier.reserves[seat, : len(cards)] = self.fill(cards)

    def learn(self, seat: int, card: int, action: int) -> None:
        """A card not known turns out to be this one."""
        hand = self.seats.hand[seat]
        self.see(card, action)
        self.unknown[seat] -= 1
        remove_card(self.table, hand, self.filler)
        give_card(self.table, hand, card)

    def learn_reserve(self, seat: int, card: int, action: int) -> None:
        """A card of a reserve not known turns out to be this one."""
        place = self.croupier.reserves[seat, : self.table.reserves[seat]].tolist().index(self.filler)
        self.see(card, action)
        self.unknown_reserve[seat] -= 1
        self.croupier.reserves[seat, place] = card

    def put_on_stock(self, cards: Iterable[int]) -> int:
        """Put cards on top of the stock, whose number stays; how many there are."""
        cards = self.fill(cards)
        self.croupier.pack[:] = np.full(MAX_PACK, self.filler, np.int8)
        self.croupier.pack[: len(cards)] = cards
        self.croupier.next = 0
        return len(cards)


def _find_unused(history: History) -> int:
    """A card of a rank of which the file tells nothing, so that a filler pairs with nothing."""
    position = history.position
    groups: list[Cards] = [*(history.hands or ()), *(action.cards for action in history.actions)]
    if position is not None:
        groups += [
            *position.hands.values(),
            position.pile or (),
            *(meld for side in position.melds or () for meld in side),
        ]
    ranks = {card // 4 for cards in groups for card in cards}
    return 4 * next((rank for rank in range(NATURAL_KINDS) if rank not in ranks), 0)
