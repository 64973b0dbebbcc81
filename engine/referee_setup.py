"""Lays the table of a history: a whole deal or a position, and the faults of the set-up (action 0)."""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARDS, KIND_OF, RED_THREES
from engine.history import UNKNOWN, Cards, History, Position
from engine.referee_book import open_book
from engine.referee_melds import check_meld
from engine.referee_pile import FREEZES
from engine.referee_table import KIND, NATURAL_KINDS, WILD, Hand, Meld, Table, name_kind
from engine.rules import Rules

DEFAULT_STOCK = 40
"""Cards left in the stock of a position that does not tell."""


def find_minimum(rules: Rules, score: int, deal: int) -> int:
    """Least count of an opening for a side at a score before the deal, in the deal of a number (RULES §1.6)."""
    reached = score if rules.initial_basis == "score" else deal
    minimum = rules.initial_minimums[0][1]
    for start, row in rules.initial_minimums:
        if reached >= start:
            minimum = row
    return minimum


def lay_table(history: History, rules: Rules) -> Table:
    """The table as the first action finds it."""
    book = open_book(rules)
    table = Table(rules, book)
    table.turn.seat = 0
    table.deal = history.deal or 1
    table.dealer = history.dealer or book.seats
    if history.scores is not None:
        table.scores = list(history.scores)
    table.minimums = [find_minimum(rules, score, table.deal) for score in table.scores]
    if history.position is None:
        _lay_deal(table, history)
    else:
        _lay_position(table, history.position)
    return table


def _lay_deal(table: Table, history: History) -> None:
    rules, seats = table.rules, table.book.seats
    for seat, cards in enumerate(history.hands or (), 1):
        if cards and len(cards) != rules.hand_size:
            table.fault("hand_size", f"seat {seat} is dealt {len(cards)} cards, not {rules.hand_size}", seat=seat)
        known = [card for card in cards if card != UNKNOWN]
        table.hands.append(Hand(known, len(cards) - len(known) if cards else rules.hand_size))
        for card in known:
            table.see(card)
    upcards = history.upcards or ()
    for card in upcards:
        table.see(card)
    table.pile = list(upcards)
    freezing = [KIND[card] for card in upcards if card != UNKNOWN and KIND[card] in table.book.freezing_upcards]
    if freezing:
        table.frozen = True
        table.frozen_by = f"upcard_{FREEZES[freezing[0]]}"
    wrong = _find_upcard_fault(rules, upcards)
    if wrong:
        table.fault("upcard", f"upcards {' '.join(CARDS[card] for card in upcards) or 'none'}: {wrong}")
    table.stock = table.book.pack - sum(hand.size or 0 for hand in table.hands) - len(upcards)
    if table.stock < 0:
        table.fault("pack", f"{table.book.pack - table.stock} cards are dealt; the pack has {table.book.pack}")
        table.stock = 0
    table.dealing = True
    table.turn.seat = table.dealer % seats + 1


def _find_upcard_fault(rules: Rules, upcards: Cards) -> str:
    """What is wrong with the cards turned at the deal; empty when nothing is."""
    if rules.upcard == "none":
        return "no card is turned" if upcards else ""
    if not upcards:
        return "a card is turned from the stock"
    if rules.upcard == "single":
        return "one card is turned, whatever it is" if len(upcards) > 1 else ""
    covered = {RED_THREES} | ({BLACK_THREES} if rules.upcard == "until_natural" else set())
    for place, card in enumerate(upcards, 1):
        goes_on = card == UNKNOWN or WILD[card] or KIND[card] in covered
        if goes_on and place == len(upcards):
            return f"another card is turned onto {CARDS[card]}" if card != UNKNOWN else ""
        if not goes_on and place < len(upcards):
            return f"{CARDS[card]} may stay, nothing is turned onto it"
    return ""


def _lay_position(table: Table, position: Position) -> None:
    book = table.book
    for seat in range(1, book.seats + 1):
        cards = position.hands.get(seat)
        known = [card for card in cards or () if card != UNKNOWN]
        table.hands.append(Hand(known, len(cards) - len(known) if cards else 0, endless=cards is None))
        if book.lays_red_threes:
            for card in known:
                if KIND[card] == RED_THREES:
                    table.fault("red_three_kept", f"seat {seat} holds {CARDS[card]}, which must be laid", seat=seat)
    _lay_stock(table, position)
    table.pile = list(position.pile or ())
    freezing = book.freezing | book.freezing_upcards
    table.frozen = (
        position.frozen
        if position.frozen is not None
        else any(card != UNKNOWN and KIND[card] in freezing for card in table.pile)
    )
    for side, melds in enumerate(position.melds or ()):
        for cards in melds:
            _lay_meld(table, side, cards)
    for side, cards in enumerate(position.red_threes or ()):
        table.red_threes[side] = [card for card in cards if card != UNKNOWN]
        for card in table.red_threes[side]:
            if KIND[card] != RED_THREES:
                table.fault("red_three_meld", f"{CARDS[card]} lies among the red threes of side {side + 1}")
    if position.melded is not None:
        table.melded = set(position.melded)
    else:
        table.melded = {seat for seat in range(1, book.seats + 1) if table.melds[book.side_of[seat]]}
    _count_cards(table, position)
    table.start_turn(position.turn or table.dealer % book.seats + 1)
    table.turn.drawn = bool(position.drawn)


def _lay_stock(table: Table, position: Position) -> None:
    if position.stock is None or isinstance(position.stock, int):
        table.stock = DEFAULT_STOCK if position.stock is None else position.stock
    else:
        table.stock = len(position.stock)
        table.stock_cards = list(reversed(position.stock))


def _lay_meld(table: Table, side: int, cards: Cards) -> None:
    kinds = {int(KIND_OF[card]) for card in cards if card != UNKNOWN and not WILD[card]}
    shown = " ".join("??" if card == UNKNOWN else CARDS[card] for card in cards)
    if len(kinds) != 1 or UNKNOWN in cards:
        rule = "wild_meld" if cards and all(card != UNKNOWN and WILD[card] for card in cards) else "one_rank"
        table.fault(rule, f"side {side + 1} has a meld of {shown or 'no card'}")
        return
    kind = kinds.pop()
    if kind == RED_THREES:
        table.fault("red_three_meld", f"side {side + 1} has a meld of {shown}")
        return
    if kind in table.melds[side]:
        table.fault("second_meld", f"side {side + 1} has two melds of {name_kind(kind)}")
    meld = table.melds[side].setdefault(kind, Meld(kind))
    for card in cards:
        meld.add(card)
    if kind >= NATURAL_KINDS:
        table.fault("black_three_meld", f"side {side + 1} has a meld of {shown} and the deal goes on")
    else:
        if meld.wilds > table.rules.max_wilds:
            table.fault("max_wilds", f"side {side + 1} has {meld.wilds} wilds in {shown}")
        check_meld(table, side, meld, going_out=False)


def _count_cards(table: Table, position: Position) -> None:
    """No card is there too often, and with the stock no more cards than the pack has."""
    places = [
        *(hand.cards for hand in table.hands),
        table.pile,
        *table.red_threes,
        *(position.reserve or {}).values(),
        *(meld.cards for melds in table.melds for meld in melds.values()),
        table.stock_cards or [],
    ]
    for cards in places:
        for card in cards:
            table.see(card)
    told = 0 if position.stock is None or table.stock_cards is not None else table.stock
    total = told + sum(len(cards) for cards in places) + sum(hand.unknown for hand in table.hands)
    if total > table.book.pack:
        table.fault("pack", f"{total} cards are on the table; the pack has {table.book.pack}")
