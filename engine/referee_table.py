"""What lies on the table as the referee follows a deal: hands, melds, pile, stock and the turn under way.

Plain Python on card codes, sharing nothing with the compiled engine but the cards and the rules. A hand
may hold cards that are not known, and a hand nobody told of may hold any. Sides count from 0 here and
melds lie under the kind of their rank; black threes have a meld of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from engine.cards import BLACK_THREES, CARDS, JOKERS, KIND_OF, POINTS_OF, RANKS, TWOS
from engine.history import UNKNOWN
from engine.referee_book import Book
from engine.referee_faults import Fault
from engine.rules import Rules

KIND: tuple[int, ...] = tuple(int(kind) for kind in KIND_OF)
"""Kind of each card code."""
POINTS: tuple[int, ...] = tuple(int(points) for points in POINTS_OF)
"""Points of each card code."""
WILD: tuple[bool, ...] = tuple(kind in (TWOS, JOKERS) for kind in KIND)
"""Whether each card code is wild."""
NATURAL_KINDS = 11
CANASTA = 7


def name_kind(kind: int) -> str:
    """Text of a meld's kind: its rank, `3` for black threes."""
    return "3" if kind == BLACK_THREES else RANKS[kind]


class Meld:
    """Cards melded as one kind; naturals and wilds counted."""

    __slots__ = ("cards", "kind", "naturals", "wilds")

    def __init__(self, kind: int) -> None:
        self.kind = kind
        self.cards: list[int] = []
        self.naturals = 0
        self.wilds = 0

    def add(self, card: int) -> None:
        """Lay one card."""
        self.cards.append(card)
        if WILD[card]:
            self.wilds += 1
        else:
            self.naturals += 1

    @property
    def is_canasta(self) -> bool:
        """Seven cards or more of a natural rank."""
        return len(self.cards) >= CANASTA and self.kind < NATURAL_KINDS


class Hand:
    """Cards a seat holds: known ones, and a number of others; `endless` when nobody told how many."""

    __slots__ = ("cards", "endless", "unknown")

    def __init__(self, cards: list[int], unknown: int = 0, *, endless: bool = False) -> None:
        self.cards = cards
        self.unknown = unknown
        self.endless = endless

    @property
    def size(self) -> int | None:
        """Number of cards; None when not known."""
        return None if self.endless else len(self.cards) + self.unknown

    @property
    def is_empty(self) -> bool:
        """Certainly no card."""
        return not self.cards and not self.unknown and not self.endless

    @property
    def is_known(self) -> bool:
        """Every card known."""
        return not self.unknown and not self.endless


@dataclass(slots=True)
class Turn:
    """What happens in one seat's turn, and what it met."""

    number: int
    seat: int
    side: int
    hand: int | None = None  # what it met: cards in hand, None when not known
    upcard: int | None = None
    pile: int = 0
    stock: int = 0
    frozen: bool = False  # for everybody
    frozen_by: str | None = None
    opened_before: bool = False  # the side had melded
    drawn: bool = False  # from the stock
    first_draw: int = 0  # action that drew
    gained: int = 0  # cards drawn, red threes that were laid apart
    owed: int = 0  # cards still to be drawn
    drawn_reds: list[int] = field(default_factory=list)  # red threes drawn and kept
    shown_reds: list[int] = field(default_factory=list)  # laid automatically; the history may tell so afterwards
    took: bool = False
    took_cards: int = 0
    way: str | None = None  # how the upcard was used
    before_take: dict[int, list[int]] = field(default_factory=dict)  # kind: naturals, wilds laid before it had begun
    early_action: int = 0  # first of those melds
    early_flagged: bool = False
    melded_after: bool = False  # cards laid since it had begun
    laid: int = 0
    laid_points: int = 0
    new_kinds: set[int] = field(default_factory=set)  # melds begun in it
    added_to_old: bool = False  # cards joined a meld that lay there before
    touched: set[int] = field(default_factory=set)  # melds not judged yet
    opened: bool = False  # the side's opening was judged in it
    asked: int = 0  # action that asked
    answer: str | None = None
    discard: int | None = None
    froze: bool = False  # its discard froze the pile for everybody

    @property
    def began(self) -> bool:
        """It has drawn or taken."""
        return self.drawn or self.took


class Watch(Protocol):
    """Who looks on as a history is followed."""

    def begin_turn(self, table: Table) -> None:
        """A turn begins."""

    def discard(self, table: Table, card: int) -> None:
        """A card has left the hand and is about to lie on the pile."""


class Table:
    """The whole table, and the faults found so far."""

    def __init__(self, rules: Rules, book: Book) -> None:
        self.rules = rules
        self.book = book
        self.faults: list[Fault] = []
        self.action = 0  # action being judged
        self.hands: list[Hand] = []  # by seat − 1
        self.melds: list[dict[int, Meld]] = [{} for _ in range(book.sides)]
        self.red_threes: list[list[int]] = [[] for _ in range(book.sides)]
        self.pile: list[int] = []
        self.frozen = False
        self.frozen_by: str | None = None  # what froze it, in the log's words
        self.stock = 0
        self.stock_cards: list[int] | None = None  # next last, when known
        self.seen = [0] * len(CARDS)
        self.melded: set[int] = set()  # seats that laid a card in an earlier turn
        self.invented = 0  # cards not told of that the rules needed: replacements
        self.scores = [0] * book.sides
        self.deal = 1
        self.minimums = [0] * book.sides
        self.dealer = book.seats
        self.dealing = False  # before the first turn
        self.last_dealt = 0  # place, from the dealer's left, of the last seat that laid a dealt red three
        self.turn = Turn(0, 1, 0)
        self.turns: list[Turn] = []
        self.own_turns = [0] * book.seats
        self.watch: Watch | None = None  # told of every turn and discard
        self.waiting = 0  # seat that owes its partner an answer
        self.ended = False
        self.unfinished_out = False  # the hand was emptied without the right to go out
        self.ending: str | None = None
        self.out_seat = 0
        self.out_bonus = 0
        self.openings: list[tuple[int, int, int, str] | None] = [None] * book.sides  # turn, seat, points, how
        self.first_canastas: list[int | None] = [None] * book.sides

    def fault(self, rule: str, text: str, *, seat: int | None = None, action: int | None = None) -> None:
        """Note a fault of the action being judged and the seat whose turn it is, unless told otherwise."""
        self.faults.append(
            Fault(self.action if action is None else action, self.turn.seat if seat is None else seat, rule, text)
        )

    def see(self, card: int) -> None:
        """A card turns up for the first time; it cannot be one too many."""
        if card == UNKNOWN:
            return
        self.seen[card] += 1
        if self.seen[card] == self.book.copies[card] + 1:
            self.fault("pack", f"{CARDS[card]} appears {self.seen[card]} times; the pack has {self.book.copies[card]}")

    def remove(self, seat: int, card: int) -> bool:
        """Take a card from a hand; False when it does not hold it. A card not known may be any."""
        hand = self.hands[seat - 1]
        if card in hand.cards:
            hand.cards.remove(card)
            return True
        if hand.unknown:
            hand.unknown -= 1
        elif not hand.endless:
            return False
        self.see(card)
        return True

    def give(self, seat: int, card: int) -> None:
        """Put a card into a hand."""
        hand = self.hands[seat - 1]
        if card == UNKNOWN:
            hand.unknown += 1
        else:
            hand.cards.append(card)

    def start_turn(self, seat: int) -> None:
        """The turn of a seat begins."""
        side = self.book.side_of[seat]
        turn = Turn(len(self.turns) + 1, seat, side)
        turn.hand = self.hands[seat - 1].size
        turn.upcard = self.pile[-1] if self.pile else None
        turn.pile = len(self.pile)
        turn.stock = self.stock
        turn.frozen = self.frozen or self.book.always_frozen
        turn.frozen_by = "always" if self.book.always_frozen else self.frozen_by
        turn.opened_before = bool(self.melds[side])
        self.turn = turn
        self.turns.append(turn)
        if self.watch is not None:
            self.watch.begin_turn(self)
        self.own_turns[seat - 1] += 1

    def leave_turn(self) -> None:
        """The turn is over: who has laid a card in it has melded before from now on."""
        if self.turn.laid:
            self.melded.add(self.turn.seat)

    def next_turn(self) -> None:
        """The next seat's turn."""
        self.leave_turn()
        self.start_turn(self.turn.seat % self.book.seats + 1)

    def end(self, ending: str) -> None:
        """The deal ends."""
        self.ended = True
        self.ending = ending

    def count_canastas(self, side: int) -> int:
        """Canastas of a side."""
        return sum(1 for meld in self.melds[side].values() if meld.is_canasta)
