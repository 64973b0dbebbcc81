"""A hand history on its way through the kernel: the turn under way, the plan being gathered, cards from the stock.

What every action needs; `kernel_judge` holds the actions themselves. Seats count from 0, actions from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NoReturn

from kernel_table import KernelTable, RefusedError

from engine.cards import CARD_COUNT, NATURAL_KINDS
from engine.faults import FAULTS
from engine.history.record import UNKNOWN
from engine.kernel.draw import lay_dealt
from engine.kernel.melds import clear_plan
from engine.kernel.outlook import search_after_draw
from engine.kernel.rows import put_took
from engine.kernel.special import STRAIGHT, find_award
from engine.kernel.state import FIRST_PLACES, SEQUENCE


class Walk:
    """The kernel's records and where the history stands in them."""

    def __init__(self, kernel: KernelTable) -> None:
        self.kernel = kernel
        self.actions = kernel.history.actions
        self.number = 0
        self.rows: list[tuple[int, int]] = []  # cards melded since the last commit point, and where
        self.news: list[int] = []  # melds they begin in further places
        self.first_meld = 0
        self.began = False
        self.drawn_with = 0  # last action whose cards have been drawn with an earlier one
        self.shown: Counter[int] = Counter()  # threes the kernel has laid by itself; the file may tell so
        self.waiting = -1

    @property
    def hand(self) -> Any:
        """HAND of the seat whose turn it is."""
        return self.kernel.seats.hand[int(self.kernel.table.seat)]

    @property
    def state(self) -> tuple[Any, Any, Any, Any, Any]:
        """What most functions of the kernel work on."""
        kernel = self.kernel
        return kernel.table, self.hand, kernel.rules, kernel.croupier, kernel.log

    def refuse(self, why: str, action: int | None = None) -> NoReturn:
        raise RefusedError(self.number if action is None else action, why)

    def need(self, done: bool) -> None:
        """Refuse for the reason the kernel's own judge left behind, if it did not go on."""
        if not done and self.kernel.croupier.fault:
            self.refuse(list(FAULTS.values())[int(self.kernel.croupier.fault)])

    def fill_plan(self) -> Any:
        plan = self.kernel.plan
        clear_plan(plan)
        for plan.rows, (card, meld) in enumerate(self.rows):
            plan.card[plan.rows] = card
            plan.meld[plan.rows] = meld
        plan.rows = len(self.rows)
        plan.news = len(self.news)
        first = FIRST_PLACES + int(self.kernel.table.extras[self.hand.side])
        for number, kind in enumerate(self.news):
            ranks = [card // 4 for card, meld in self.rows if meld == first + number]
            if kind >= SEQUENCE and ranks:
                kind += min(min(ranks), NATURAL_KINDS - 3) - (kind - SEQUENCE) % 16
            plan.new_kind[number] = kind
        return plan

    def look(self) -> None:
        """After the draw or take: what the kernel finds the hand could do."""
        table, hand, rules, croupier, log = self.state
        self.began = True
        search_after_draw(table, hand, rules, self.kernel.plan, croupier)
        put_took(log, table, hand, croupier)

    def learn_cards(self, seat: int) -> None:
        """What a seat with cards not known lays and discards in this turn is among them."""
        kernel = self.kernel
        if not kernel.unknown[seat]:
            return
        had = Counter(dict(enumerate(kernel.seats.hand[seat].cards.tolist())))
        had[kernel.filler] -= kernel.unknown[seat]
        for number, action in enumerate(self.actions[self.number :], self.number + 1):
            if action.seat != seat + 1 and action.verb not in ("agree", "refuse"):
                return
            if action.verb in ("draw", "red3", "bonus"):
                had.update(action.cards)
            elif action.verb == "foot":
                had.update(kernel.croupier.reserves[seat, : kernel.table.reserves[seat]].tolist())
            elif action.verb == "take":
                had.update(kernel.table.pile[: max(kernel.table.pile_count - 1, 0)].tolist())
            elif action.verb in ("meld", "discard"):
                for card in action.cards:
                    had[card] -= 1
                    if had[card] < 0 and kernel.unknown[seat]:
                        had[card] = 0
                        kernel.learn(seat, card, number)
            if action.verb in ("discard", "pass"):
                return

    def need_cards(self, cards: Iterable[int]) -> None:
        """Cards laid or thrown that are not known to be in the hand are among those not known."""
        seat = int(self.kernel.table.seat)
        laid = Counter(card for card, _ in self.rows) + Counter(cards)
        for card in set(cards):
            while self.kernel.unknown[seat] and self.hand.cards[card] - self.count_fillers(card) < laid[card]:
                self.kernel.learn(seat, card, self.number)

    def count_fillers(self, card: int) -> int:
        """How many of a card in the hand only stand for cards not known."""
        return self.kernel.unknown[int(self.kernel.table.seat)] if card == self.kernel.filler else 0

    def lay_dealt_red_threes(self) -> None:
        """Before the first turn: in turn order from the dealer's left, each replaced by what the file tells."""
        kernel, place, order = self.kernel, 0, self.kernel.order
        stock: dict[int, list[int]] = {seat: [] for seat in order}
        held = [Counter(dict(enumerate(hand.cards.tolist()))) for hand in kernel.seats.hand]
        for action in self.actions:
            if action.verb not in ("red3", "keep"):
                break
            self.number += 1
            seat = action.seat - 1
            if action.verb == "keep":
                self.keep_dealt(seat, action.cards[0], held[seat])
                continue
            after = order.index(seat) if seat in order else -1
            if after < place or not held[seat][action.cards[0]] or not kernel.is_laid(action.cards[0]):
                self.refuse("a dealt red three laid out of order, or not held")
            place = after
            received = [self.see_drawn(card) for card in action.cards[1:] or (UNKNOWN,)]
            held[seat].update([received[-1]])
            held[seat][action.cards[0]] -= 1
            stock[seat] += received
        cards = []
        for seat, told in stock.items():
            hand = kernel.seats.hand[seat]
            threes = sum(int(hand.cards[card]) for card in range(CARD_COUNT) if kernel.is_laid(card))
            if kernel.is_laid(kernel.filler):
                threes -= kernel.unknown[seat]
            threes -= int(hand.keeps)
            lacking = threes - sum(not kernel.is_laid(card) for card in told)
            cards += [*told, *[UNKNOWN] * lacking]
            kernel.unknown[seat] += told.count(UNKNOWN) + max(lacking, 0)
        count = kernel.put_on_stock(cards)
        lay_dealt(kernel.table, kernel.seats, kernel.rules, kernel.croupier, kernel.log)
        if kernel.croupier.next != count:
            self.refuse("each dealt red three is replaced by one card")

    def keep_dealt(self, seat: int, card: int, held: Counter[int]) -> None:
        """A dealt three is kept for a straight."""
        hand = self.kernel.seats.hand[seat]
        if not self.kernel.is_laid(card) or not held[card] or hand.keeps:
            self.refuse("no three that may be kept")
        hand.keeps = find_award(self.kernel.rules, STRAIGHT) > 0
        if not hand.keeps:
            self.refuse("no straight to keep a three for")

    def see_drawn(self, card: int) -> int:
        """A card comes from the stock: the next one where the stock is known, one the pack has where it is not."""
        known = self.kernel.stock_known
        if known is not None:
            following = known.pop(0) if known else UNKNOWN
            if UNKNOWN not in (following, card) and following != card:
                self.refuse("another card lies on the stock")
            card = max(card, following)
        elif card != UNKNOWN:
            self.kernel.see(card, self.number)
        return card
