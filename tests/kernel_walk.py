"""A hand history on its way through the kernel: the turn under way, the plan being gathered, cards from the stock.

What every action needs; `kernel_judge` holds the actions themselves. Seats count from 0, actions from 1.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NoReturn

from kernel_table import FILLER, KernelTable, RefusedError

from engine.cards import KIND_OF, NATURAL_KINDS, RED_THREES
from engine.faults import FAULTS
from engine.history.record import UNKNOWN
from engine.kernel.draw import lay_dealt
from engine.kernel.melds import clear_plan
from engine.kernel.outlook import search_after_draw
from engine.kernel.rows import put_took
from engine.kernel.state import FIRST_PLACES, SEQUENCE
from engine.kernel.turn import begin_turn


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
        self.shown: Counter[int] = Counter()  # red threes the kernel has laid by itself; the file may tell so
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

    def begin(self, seat: int) -> None:
        kernel = self.kernel
        self.learn_cards(seat)
        begin_turn(kernel.table, kernel.seats.hand[seat], kernel.rules, kernel.croupier, kernel.log, kernel.plan)
        self.rows, self.news, self.first_meld, self.began = [], [], 0, False
        self.shown.clear()

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
        had[FILLER] -= kernel.unknown[seat]
        for number, action in enumerate(self.actions[self.number :], self.number + 1):
            if action.seat != seat + 1 and action.verb not in ("agree", "refuse"):
                return
            if action.verb in ("draw", "red3"):
                had.update(action.cards)
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

    def lay_dealt_red_threes(self) -> None:
        """Before the first turn: in turn order from the dealer's left, each replaced by what the file tells."""
        kernel, place = self.kernel, 0
        stock: list[list[int]] = [[] for _ in range(kernel.players)]
        held = [Counter(dict(enumerate(hand.cards.tolist()))) for hand in kernel.seats.hand]
        for action in self.actions:
            if action.verb != "red3":
                break
            self.number += 1
            after = (action.seat - 2 - int(kernel.table.dealer)) % kernel.players
            if after < place or not held[action.seat - 1][action.cards[0]] or KIND_OF[action.cards[0]] != RED_THREES:
                self.refuse("a dealt red three laid out of order, or not held")
            place = after
            received = [self.see_drawn(card) for card in action.cards[1:] or (UNKNOWN,)]
            held[action.seat - 1].update([received[-1]])
            held[action.seat - 1][action.cards[0]] -= 1
            stock[after] += received
        cards = []
        for step, told in enumerate(stock):
            seat = (int(kernel.table.dealer) + 1 + step) % kernel.players
            lacking = int(kernel.seats.hand[seat].kinds[RED_THREES]) - sum(KIND_OF[card] != RED_THREES for card in told)
            cards += [*told, *[UNKNOWN] * lacking]
            kernel.unknown[seat] += sum(card == UNKNOWN for card in told) + max(lacking, 0)
        count = kernel.put_on_stock(cards)
        lay_dealt(kernel.table, kernel.seats, kernel.rules, kernel.croupier, kernel.log)
        if kernel.croupier.next != count:
            self.refuse("each dealt red three is replaced by one card")

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
