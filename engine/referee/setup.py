"""Lays the table of a history: a whole deal or a position, and the faults of the set-up (action 0)."""

from __future__ import annotations

from engine.cards import CARDS, RED_THREES
from engine.history.record import UNKNOWN, Cards, History, Position
from engine.referee.book import open_book
from engine.referee.cards import NATURAL_KINDS, SEQUENCE, WILD_MELD, kind_of
from engine.referee.opening import find_minimum
from engine.referee.pile import FREEZES
from engine.referee.shape import check_meld, is_rank, limit_faults, word_of_rank
from engine.referee.table import KIND, WILD, Hand, Meld, Table, name_kind
from engine.referee.upcards import find_face_down, find_turned, find_upcard_fault
from engine.rules import Rules

__all__ = ["find_minimum", "find_sits_out", "lay_table"]

DEFAULT_STOCK = 40
"""Cards left in the stock of a position that does not tell."""


def find_sits_out(history: History, rules: Rules) -> int:
    """The seat that does not play: of the side of three, in rotation by deal unless told (§1.11); 0 elsewhere."""
    if rules.sides != "two_v_three":
        return 0
    return history.sits_out or (5, 3, 1)[((history.deal or 1) - 1) % 3]


def lay_table(history: History, rules: Rules) -> Table:
    """The table as the first action finds it."""
    book = open_book(rules, find_sits_out(history, rules))
    table = Table(rules, book)
    table.turn.seat = 0
    table.deal = history.deal or 1
    table.dealer = history.dealer or book.order[-1]
    if history.scores is not None:
        table.scores = list(history.scores)
    table.minimums = [find_minimum(rules, score, table.deal) for score in table.scores]
    if history.position is None:
        _lay_deal(table, history)
    else:
        _lay_position(table, history.position)
    return table


def _lay_deal(table: Table, history: History) -> None:
    rules, book = table.rules, table.book
    for seat, cards in enumerate(history.hands or (), 1):
        table.hands.append(_lay_hand(table, seat, cards, rules.hand_size, "dealt"))
    if rules.reserve_size:
        for seat, cards in enumerate(history.reserve or ((),) * book.seats, 1):
            table.reserves[seat - 1] = _lay_hand(table, seat, cards, rules.reserve_size, "dealt as reserve")
    elif any(history.reserve or ()):
        table.fault("not_in_rules", "reserve: these rules have none")
    upcards = history.upcards or ()
    for card in upcards:
        table.see(card)
    table.pile = list(upcards)
    table.face_down = find_face_down(rules, upcards)
    freezing = [kind_of(card) for card in find_turned(rules, upcards) if kind_of(card) in book.freezing_upcards]
    if freezing:
        table.frozen = True
        table.frozen_by = f"upcard_{FREEZES[freezing[0]]}"
        table.freezer = table.dealer
    wrong = find_upcard_fault(rules, upcards)
    if wrong:
        shown = " ".join("??" if card == UNKNOWN else CARDS[card] for card in upcards) or "none"
        table.fault("upcard", f"upcards {shown}: {wrong}")
    dealt = [hand.size or 0 for hand in (*table.hands, *table.reserves) if hand is not None]
    table.stock = book.pack - sum(dealt) - len(upcards)
    if table.stock < 0:
        table.fault("pack", f"{book.pack - table.stock} cards are dealt; the pack has {book.pack}")
        table.stock = 0
    table.dealing = True
    table.turn.seat = book.next_of(table.dealer)


def _lay_hand(table: Table, seat: int, cards: Cards, size: int, how: str) -> Hand:
    """A hand or a reserve as dealt; nothing told is so many cards not known."""
    if seat not in table.book.order:
        if cards:
            table.fault("sits_out", f"seat {seat} is {how} {len(cards)} cards; it sits out", seat=seat)
        return Hand([])
    if cards and len(cards) != size:
        table.fault("hand_size", f"seat {seat} is {how} {len(cards)} cards, not {size}", seat=seat)
    hand = Hand.of(cards) if cards else Hand([], size)
    for card in hand.cards:
        table.see(card)
    return hand


def _lay_position(table: Table, position: Position) -> None:
    book = table.book
    for seat in range(1, book.seats + 1):
        cards = position.hands.get(seat)
        hand = Hand.of(cards) if cards is not None else Hand([], endless=seat in book.order)
        table.hands.append(hand)
        laid = [card for card in hand.cards if kind_of(card) in book.laid_threes]
        opened = bool(position.melds and position.melds[book.side_of[seat]])
        for card in laid[1:] if book.keeps_a_three and not opened else laid:
            table.fault("red_three_kept", f"seat {seat} holds {CARDS[card]}, which must be laid", seat=seat)
    for seat, cards in (position.reserve or {}).items():
        if table.rules.reserve_size:
            table.reserves[seat - 1] = Hand.of(cards) if cards else Hand([], table.rules.reserve_size)
        else:
            table.fault("not_in_rules", "reserve: these rules have none")
    _lay_stock(table, position)
    table.pile = list(position.pile or ())
    freezing = book.freezing | book.freezing_upcards
    table.frozen = (
        position.frozen if position.frozen is not None else any(kind_of(card) in freezing for card in table.pile)
    )
    for side, melds in enumerate(position.melds or ()):
        for cards in melds:
            _lay_meld(table, side, cards)
    for side, cards in enumerate(position.red_threes or ()):
        table.red_threes[side] = [card for card in cards if card != UNKNOWN]
        for card in table.red_threes[side]:
            if kind_of(card) not in book.laid_threes | {RED_THREES}:
                table.fault("red_three_meld", f"{CARDS[card]} lies among the red threes of side {side + 1}")
    table.round = position.round or 3
    table.turns_before = table.round - 1
    if position.lone_hand is not None:
        table.form_sides(position.lone_hand)
    if position.melded is not None:
        table.melded = set(position.melded)
    else:
        table.melded = {seat for seat in range(1, book.seats + 1) if table.melds[book.side_of[seat]]}
    _count_cards(table, position)
    table.start_turn(position.turn or book.next_of(table.dealer))
    table.turn.drawn = bool(position.drawn)


def _lay_stock(table: Table, position: Position) -> None:
    if position.stock is None or isinstance(position.stock, int):
        table.stock = DEFAULT_STOCK if position.stock is None else position.stock
    else:
        table.stock = len(position.stock)
        table.stock_cards = list(reversed(position.stock))


def _lay_meld(table: Table, side: int, cards: Cards) -> None:
    shown = " ".join("??" if card == UNKNOWN else CARDS[card] for card in cards)
    kind = _find_kind(table, cards)
    if kind is None:
        rule = "wild_meld" if cards and all(card != UNKNOWN and WILD[card] for card in cards) else "one_rank"
        table.fault(rule, f"side {side + 1} has a meld of {shown or 'no card'}")
        return
    if kind == RED_THREES:
        table.fault("red_three_meld", f"side {side + 1} has a meld of {shown}")
        return
    meld = table.melds[side].get(kind)
    if meld is None or kind == SEQUENCE or table.book.several:
        meld = table.new_meld(side, kind, cards[0] % 4 if kind == SEQUENCE else -1)
    else:
        table.fault("second_meld", f"side {side + 1} has two melds of {name_kind(kind)}")
    for card in cards:
        meld.add(card)
    _check_laid(table, side, meld, shown)


def _check_laid(table: Table, side: int, meld: Meld, shown: str) -> None:
    """The limits of a meld that lies there."""
    rules = table.rules
    if meld.kind >= NATURAL_KINDS and meld.kind not in (WILD_MELD, SEQUENCE) and not is_rank(table, meld.kind):
        table.fault("black_three_meld", f"side {side + 1} has a meld of {shown} and the deal goes on")
        return
    if is_rank(table, meld.kind) and meld.wilds > rules.max_wilds:
        table.fault("max_wilds", f"side {side + 1} has {meld.wilds} wilds in {shown}")
    if meld.wilds and word_of_rank(rules, meld.kind) == "always":
        table.fault("natural_only", f"side {side + 1} has {shown}: this rank takes no wilds")
    for rule, text in limit_faults(table, meld):
        table.fault(rule, f"side {side + 1}: {text}")
    check_meld(table, side, meld, going_out=False)


def _find_kind(table: Table, cards: Cards) -> int | None:
    """The kind of a meld that lies there; None where its cards are none."""
    if not cards or UNKNOWN in cards:
        return None
    kinds = {KIND[card] for card in cards if not WILD[card]}
    if len(kinds) == 1:
        return kinds.pop()
    if not kinds:
        return WILD_MELD if table.rules.wild_melds != "none" else None
    return SEQUENCE if table.rules.sequences and all(card < 4 * NATURAL_KINDS for card in cards) else None


def _count_cards(table: Table, position: Position) -> None:
    """No card is there too often, and with the stock no more cards than the pack has."""
    places = [
        *(hand.cards for hand in table.hands),
        table.pile,
        *table.red_threes,
        *(position.reserve or {}).values(),
        *(meld.cards for melds in {id(melds): melds for melds in table.melds}.values() for meld in melds),
        table.stock_cards or [],
    ]
    for cards in places:
        for card in cards:
            table.see(card)
    told = 0 if position.stock is None or table.stock_cards is not None else table.stock
    total = told + sum(len(cards) for cards in places) + sum(hand.unknown for hand in table.hands)
    if total > table.book.pack:
        table.fault("pack", f"{total} cards are on the table; the pack has {table.book.pack}")
