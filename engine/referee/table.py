"""What lies on the table as the referee follows a deal: hands, melds, pile, stock and the turn under way.

Plain Python on card codes, sharing nothing with the compiled engine but the cards and the rules. A hand
may hold cards that are not known, and a hand nobody told of may hold any. Sides count from 0 here. In lone
hand every seat is a side with a score of its own; partners of a deal share one list of melds.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol

from engine.cards import BLACK_THREES, CARDS
from engine.history.record import UNKNOWN
from engine.referee.book import Book
from engine.referee.cards import CANASTA, KIND, NATURAL_KINDS, POINTS, WILD, Hand, Meld, Melds, name_kind
from engine.referee.faults import Fault
from engine.rules import Rules

__all__ = ["CANASTA", "KIND", "NATURAL_KINDS", "POINTS", "WILD", "Hand", "Meld", "Melds", "Table", "Turn", "name_kind"]


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
    before_take: dict[Meld, list[int]] = field(default_factory=dict)  # naturals, wilds laid before it had begun
    early_action: int = 0  # first of those melds
    early_flagged: bool = False
    melded_after: bool = False  # cards laid since it had begun
    laid: int = 0
    laid_points: int = 0
    new_melds: list[Meld] = field(default_factory=list)  # melds begun in it
    added_to_old: bool = False  # cards joined a meld that lay there before
    touched: list[Meld] = field(default_factory=list)  # melds not judged yet
    opened: bool = False  # the side's opening was judged in it
    sufficed: bool = False  # what was laid so far had all an opening needs
    set_aside: list[int] = field(default_factory=list)  # put out of play; the history may tell so afterwards
    foot: bool = False  # took up its reserve; the history may tell so afterwards
    had_foot: bool = False  # took up its reserve
    upcard_meld: Meld | None = None  # where the upcard taken lies
    last_three: bool = False  # drew the last card, a three, and may still meld
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
        self.melds: list[Melds] = [Melds() for _ in range(book.sides)]
        self.red_threes: list[list[int]] = [[] for _ in range(book.sides)]  # black ones too where both are laid
        self.set_aside: list[list[int]] = [[] for _ in range(book.sides)]
        self.reserves: list[Hand | None] = [None] * book.seats  # not yet taken up
        self.lone = 0  # the seat that plays alone, once that is settled
        self.removed: list[int] = []  # left behind by a take and out of play
        self.freezer = 0  # seat that threw the last card that freezes; the dealer for an upcard
        self.frozen_since = 0  # its turn
        self.freezes = [0] * book.seats
        self.one_turn_canastas = [0] * book.sides
        self.turns_before = 0  # own turns each seat has had before the first one told of
        self.round = 1  # how many times the turn has come round
        self.due_cards: tuple[int, int] = (0, 0)  # seat, and cards it is to receive beside its draw
        self.kept: list[int | None] = [None] * book.seats  # dealt threes kept for a straight
        self.due_threes: list[int] = []  # laid from a reserve, their replacements not told of
        self.special: str | None = None
        self.pile: list[int] = []
        self.face_down: Collection[int] = ()  # places of its cards that nobody has seen
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

    def new_meld(self, side: int, kind: int, suit: int = -1) -> Meld:
        """Begin a meld of a side."""
        meld = Meld(kind, suit, counts=kind != BLACK_THREES or self.book.threes_as_rank)
        self.melds[side].laid.append(meld)
        return meld

    def start_turn(self, seat: int) -> None:
        """The turn of a seat begins."""
        side = self.book.side_of[seat]
        turn = Turn(len(self.turns) + 1, seat, side)
        self._end_freeze(seat, turn.number)
        turn.hand = self.hands[seat - 1].size
        turn.upcard = self.pile[-1] if self.pile else None
        turn.pile = len(self.pile)
        turn.stock = self.stock
        turn.frozen = self.frozen or self.book.always_frozen
        turn.frozen_by = "always" if self.book.always_frozen else self.frozen_by
        turn.opened_before = bool(self.melds[side])
        self.turn = turn
        self.turns.append(turn)
        self.own_turns[seat - 1] += 1
        if self.watch is not None:
            self.watch.begin_turn(self)

    def _end_freeze(self, seat: int, number: int) -> None:
        """House rules: a freeze lasts until the turn comes back to who threw the card, or for one turn."""
        ends = self.book.freeze_ends
        if (ends == "round" and seat == self.freezer) or (ends == "turn" and number > self.frozen_since + 1):
            self.frozen, self.frozen_by, self.freezer = False, None, 0

    def leave_turn(self) -> None:
        """The turn is over: who has laid a card in it has melded before from now on."""
        self.one_turn_canastas[self.turn.side] += sum(meld.is_canasta for meld in self.turn.new_melds)
        if self.turn.laid:
            self.melded.add(self.turn.seat)

    def change_turn(self, seat: int) -> None:
        """The turn of another seat, and with the first one a new round."""
        self.leave_turn()
        if seat == self.book.next_of(self.dealer):
            self.round += 1
        self.start_turn(seat)

    def end(self, ending: str) -> None:
        """The deal ends."""
        self.ended = True
        self.ending = ending

    def team_of(self, seat: int) -> list[int]:
        """The seats that play together with a seat in this deal, itself among them, in turn order from it."""
        book = self.book
        place = book.order.index(seat) if seat in book.order else 0
        order = [*book.order[place:], *book.order[:place]]
        melds = self.melds[book.side_of[seat]]
        return [other for other in order if self.melds[book.side_of[other]] is melds]

    def partner_of(self, seat: int) -> int:
        """The partner next in turn after a seat; 0 where it has none."""
        return next((other for other in self.team_of(seat) if other != seat), 0)

    def form_sides(self, lone: int) -> None:
        """Lone hand: the first to take the pile, or to go out, plays alone; the others pool their melds (§1.11)."""
        if self.rules.sides != "lone_hand" or self.lone:
            return
        self.lone = lone
        first, second = (seat for seat in self.book.order if seat != lone)
        self.melds[first - 1].laid += self.melds[second - 1].laid
        self.melds[second - 1] = self.melds[first - 1]

    def is_dead(self, kind: int) -> bool:
        """A rank of which a canasta lies on either side, where that closes it (RULES §10)."""
        return (
            self.rules.closed_ranks_dead
            and (kind < NATURAL_KINDS or kind == BLACK_THREES)
            and any(meld.is_canasta for melds in self.melds for meld in melds.of(kind))
        )

    def count_canastas(self, side: int) -> int:
        """Canastas of a side."""
        return sum(1 for meld in self.melds[side] if meld.is_canasta)
