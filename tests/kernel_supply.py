"""Cards beside the draw on the way of a hand history through the kernel: bonus cards, reserves, threes replaced.

The kernel takes them from the stock within a take, a meld or the end of a turn; a file tells of them in actions
that follow. So these are looked up before the call, put on the stock, and compared with what the call has drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from kernel_walk import Walk

from engine.cards import KIND_OF
from engine.history.record import UNKNOWN, Action, Cards
from engine.kernel.draw import LAY_REPLACE, is_laid
from engine.kernel.outlook import refill_hand
from engine.kernel.special import STRAIGHT, find_award
from engine.kernel.turn import begin_turn

TELLING = ("bonus", "foot", "aside", "red3")
"""Actions that may tell of cards the kernel has moved by itself."""
MANY = 40


class Supply(Walk):
    """What knows beforehand which cards come from the stock."""

    def __init__(self, kernel: object) -> None:
        super().__init__(kernel)  # type: ignore[arg-type]
        self.told: set[int] = set()  # actions whose cards an earlier one has brought
        self.asides: Counter[int] = Counter()  # black threes the kernel has put out of play; the file may tell so
        self.footed = False  # the reserve was taken up in this turn and not told of yet
        self.given_up = -1  # a three kept that is laid as the turn begins, for the side has opened

    def begin(self, seat: int) -> None:
        kernel = self.kernel
        self.learn_cards(seat)
        self.rows, self.news, self.first_meld, self.began = [], [], 0, False
        self.shown.clear()
        self.asides.clear()
        self.footed = False
        hand = kernel.seats.hand[seat]
        threes = [
            card for card in range(48, 52) if hand.cards[card] and is_laid(kernel.table, kernel.rules, KIND_OF[card])
        ]
        hand.keeps = find_award(kernel.rules, STRAIGHT) > 0 and len(threes) > 0
        self.given_up = threes[0] if hand.keeps and kernel.table.opened[hand.side] else -1
        self.shown.update(threes if self.given_up >= 0 else ())
        self.supply(
            seat,
            self.number,
            lambda: begin_turn(kernel.table, hand, kernel.rules, kernel.croupier, kernel.log, kernel.plan),
        )

    def refill(self, start: int) -> None:
        """Take up the reserve where melding has made it due."""
        table, hand, rules, croupier, log = self.state
        plan = self.kernel.plan
        self.supply(int(table.seat), start, lambda: refill_hand(table, hand, rules, plan, croupier, log))

    def supply(self, seat: int, start: int, call: Callable[[], None]) -> None:
        """Make a call that may draw cards or take up a reserve; actions after the first `start` tell which."""
        kernel = self.kernel
        if kernel.table.reserves[seat]:
            self.learn_reserve(seat, start)
        reserve = kernel.croupier.reserves[seat, : kernel.table.reserves[seat]].tolist()
        following = [(number, _tell(action)) for number, action in self.find_telling(seat, start)]
        cards = [card for _, told in following for card in told]
        kernel.put_on_stock(self.match_stock(cards))
        call()
        drawn = int(kernel.croupier.next)
        self.note_drawn(seat, following, drawn)
        if reserve and not kernel.table.reserves[seat]:
            self.note_reserve(seat, reserve)

    def find_telling(self, seat: int, start: int) -> Iterator[tuple[int, Action]]:
        """The actions that follow and may tell of a seat's cards, each with its number."""
        for number, action in enumerate(self.actions[start:], start + 1):
            if number in self.told:
                continue
            if action.seat != seat + 1 or action.verb not in TELLING:
                return
            yield number, action

    def match_stock(self, cards: list[int]) -> list[int]:
        """Cards to come, those told filled up with what is known of the stock."""
        known = (self.kernel.stock_known or [])[:MANY]
        cards = cards + [UNKNOWN] * (len(known) - len(cards))
        known += [UNKNOWN] * (len(cards) - len(known))
        return [max(pair) for pair in zip(cards, known, strict=True)]

    def note_drawn(self, seat: int, following: list[tuple[int, Cards]], drawn: int) -> None:
        """So many cards were drawn: which actions told of them, and whether those told of as many."""
        at, left = self.number, drawn
        seen: list[int] = []
        bonus = False
        for number, told in following:
            if not told or not left:
                continue
            self.number = number
            if len(told) > left:
                self.refuse("more cards than are due")
            seen += [self.see_drawn(card) for card in told]
            left -= len(told)
            self.told.add(number)
            action = self.actions[number - 1]
            bonus |= action.verb == "bonus"
            self.shown[action.cards[0]] -= action.verb == "red3"
        if left and bonus:
            self.refuse("fewer cards than are due")
        seen += [self.see_drawn(UNKNOWN) for _ in range(left)]
        self.kernel.unknown[seat] += seen.count(UNKNOWN)
        self.number = at

    def learn_reserve(self, seat: int, start: int) -> None:
        """Threes that a seat lays after taking up a reserve not known are among its cards."""
        kernel = self.kernel
        reserve = Counter(kernel.croupier.reserves[seat, : kernel.table.reserves[seat]].tolist())
        for number, action in self.find_telling(seat, start):
            if action.verb == "red3":
                reserve[action.cards[0]] -= 1
                if reserve[action.cards[0]] < 0 and kernel.unknown_reserve[seat]:
                    kernel.learn_reserve(seat, action.cards[0], number)

    def note_reserve(self, seat: int, reserve: list[int]) -> None:
        """The reserve is in the hand; the file may tell so, and of the threes in it that were laid."""
        kernel = self.kernel
        kernel.unknown[seat] += kernel.unknown_reserve[seat]
        kernel.unknown_reserve[seat] = 0
        self.footed = True
        if kernel.rules.red3_use == LAY_REPLACE:
            self.shown.update(card for card in reserve if kernel.is_laid(card))

    # ----------------------------------------------------------------------------------------------- what tells of it
    def act_foot(self, action: Action) -> None:
        self.commit()
        if not self.footed:
            self.refuse("no reserve to take up")
        self.footed = False

    def act_aside(self, action: Action) -> None:
        for card in action.cards:
            if not self.asides[card]:
                self.refuse("a card not put out of play")
            self.asides[card] -= 1

    def act_bonus(self, action: Action) -> None:
        """Bonus cards not yet received: the melds before them may open."""
        if action.seat - 1 == self.kernel.table.seat:
            self.commit()
        if self.number not in self.told:
            self.refuse("no bonus cards are due")

    def commit(self, start: int | None = None) -> None:
        raise NotImplementedError


def _tell(action: Action) -> Cards:
    """Cards from the stock that an action tells of."""
    return action.cards if action.verb == "bonus" else action.cards[1:] if action.verb == "red3" else ()
