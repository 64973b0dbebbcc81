"""Which meld cards join: the one they name, or the one they are aimed at (CHH, "Actions"; RULES §1.5, §3, §4)."""

from __future__ import annotations

from engine.cards import BLACK_THREES, RANKS, RED_THREES, SUITS
from engine.history.record import Action, show_cards
from engine.referee.cards import CANASTA, NATURAL_KINDS, SEQUENCE, WILD_MELD, kind_of
from engine.referee.shape import fits, is_rank
from engine.referee.table import KIND, WILD, Meld, Table, name_kind


def find_target(table: Table, action: Action) -> Meld | None:
    """The meld the cards of an action join, begun if need be; None, with a fault, when they cannot be melded."""
    seat, cards = action.seat, action.cards
    naturals = [card for card in cards if not WILD[card]]
    kinds = {KIND[card] for card in naturals}
    if RED_THREES in kinds:
        table.fault("red_three_meld", f"seat {seat} melds {show_cards(cards)}; red threes are never melded")
        return None
    if action.aim is not None:
        return _find_aimed(table, action, kinds)
    if len(kinds) > 1:
        if table.rules.sequences and _is_sequence(cards):
            return table.new_meld(table.turn.side, SEQUENCE, cards[0] % 4)
        table.fault("one_rank", f"seat {seat} lays {show_cards(cards)} as one meld")
        return None
    if not kinds:
        if table.rules.wild_melds == "none":
            table.fault("wild_meld", f"seat {seat} melds {show_cards(cards)}; wilds alone are no meld")
            return None
        return choose_meld(table, WILD_MELD, cards)
    return choose_meld(table, kinds.pop(), cards)


def _is_sequence(cards: tuple[int, ...]) -> bool:
    """Naturals of one suit and of different ranks that seven cards in a row can hold."""
    ranks = [card // 4 for card in cards]
    return (
        all(kind_of(card) < NATURAL_KINDS for card in cards)
        and len({card % 4 for card in cards}) == 1
        and len(set(ranks)) == len(ranks)
        and max(ranks) - min(ranks) < CANASTA
    )


def choose_meld(table: Table, kind: int, cards: tuple[int, ...], *, place: int | None = None) -> Meld:
    """The meld of a kind that cards of it go to: the first that can take them, else a new one.

    Before a take there must be room for the upcard too. `place` names one from 1, as far as there is such.
    """
    turn = table.turn
    melds = table.melds[turn.side].of(kind)
    if place is not None and place <= len(melds):
        return melds[place - 1]
    if place is None:
        coming = table.pile[-1:] if not turn.began and table.pile and kind_of(table.pile[-1]) == kind else []
        for meld in melds:
            closed = coming and meld.is_canasta and table.book.several and not table.rules.add_to_complete
            if not closed and fits(table, meld, (*cards, *coming)):
                return meld
        if melds and not table.book.several:
            return melds[0]
    return table.new_meld(turn.side, kind)


def _find_aimed(table: Table, action: Action, kinds: set[int]) -> Meld | None:
    """The meld an action aims at, begun if it is a new one; None, with a fault, when there can be no such."""
    turn, rules, seat = table.turn, table.rules, action.seat
    parts = read_aim(table, action, action.aim or "")
    if parts is None:
        return None
    kind, suit, which = parts
    shown = show_cards(action.cards)
    if kind == SEQUENCE:
        return _find_sequence(table, action, suit, which)
    if kind == WILD_MELD:
        if kinds:
            table.fault("one_rank", f"seat {seat} lays {shown} to the meld of wild")
            return None
    elif kinds and kinds != {kind}:
        table.fault("one_rank", f"seat {seat} lays {shown} to the meld of {name_kind(kind)}")
        return None
    count = len(table.melds[turn.side].of(kind))
    place = _read_place(which, count)
    if place > count and count and (not table.book.several or not (is_rank(table, kind) or kind == WILD_MELD)):
        table.fault("second_meld", f"seat {seat} aims {shown} at a second meld of {name_kind(kind)}")
        place = 1
    elif place > count + 1 and not (rules.same_rank_melds == "several" and count + 1 == place):
        table.fault("second_meld", f"seat {seat} aims {shown} at meld {place} of {name_kind(kind)}; there are {count}")
    return choose_meld(table, kind, action.cards, place=place)


def _read_place(which: str, count: int) -> int:
    if which == "new":
        return count + 1
    return int(which) if which else 1


def _find_sequence(table: Table, action: Action, suit: int, which: str) -> Meld | None:
    """The sequence of a name; a new one when the cards make it up."""
    turn, seat = table.turn, action.seat
    name = (action.aim or "").partition(":")[2] or (action.aim or "")
    name = name.partition(".")[0]
    shown = show_cards(action.cards)
    there = table.melds[turn.side].called(name)
    place = _read_place(which, len(there))
    if any(WILD[card] for card in action.cards):
        table.fault("sequence", f"seat {seat} lays {shown} to the sequence {name}; a sequence has no wilds")
        return None
    if place <= len(there):
        return there[place - 1]
    lowest = RANKS.index(name[1])
    if not _is_sequence(action.cards) or action.cards[0] % 4 != suit or min(action.cards) // 4 != lowest:
        table.fault("sequence", f"seat {seat} lays {shown} to the sequence {name}, which its side does not have")
        return None
    return table.new_meld(turn.side, SEQUENCE, suit)


def read_aim(table: Table, action: Action, aim: str) -> tuple[int, int, str] | None:
    """Kind, suit and place of an aim; None, with a fault, when these rules have no such meld."""
    seat, shown = action.seat, show_cards(action.cards) or action.word or "the upcard"
    side, mark, rest = aim.partition(":")
    if mark:
        if int(side) - 1 != table.turn.side:
            table.fault("others_meld", f"seat {seat} adds {shown} to a meld of side {side}")
            return None
        aim = rest
    name, _, which = aim.partition(".")
    if name == "wild":
        if table.rules.wild_melds == "none":
            table.fault("wild_meld", f"seat {seat} melds {shown} as wilds")
            return None
        return WILD_MELD, -1, which
    if name == "3":
        return BLACK_THREES, -1, which
    if name in RANKS:
        return RANKS.index(name), -1, which
    if not table.rules.sequences:
        table.fault("sequence", f"seat {seat} aims {shown} at the sequence {name}")
        return None
    return SEQUENCE, SUITS.index(name[0]), which


def find_named(table: Table, action: Action, name: str) -> Meld | None:
    """The meld of the own side that a name means, if it has it; faults as for an aim."""
    parts = read_aim(table, action, name)
    if parts is None:
        return None
    kind, _, which = parts
    plain = name.partition(":")[2] or name
    plain = plain.partition(".")[0]
    melds = table.melds[table.turn.side]
    there = melds.called(plain) if kind == SEQUENCE else melds.of(kind)
    place = _read_place(which, len(there))
    return there[place - 1] if place <= len(there) else None
