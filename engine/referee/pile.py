"""The pile: what freezes it, who may take it, how and how much of it (RULES §1.7, §1.8, §3, §8–10, §13, §15, §19)."""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARDS, JOKERS, RED_THREES, TWOS
from engine.history.record import Action, show_cards
from engine.referee.aim import choose_meld, read_aim
from engine.referee.cards import SEQUENCE, kind_of
from engine.referee.melds import check_round, put_down
from engine.referee.opening import commit, open_before_take, owe
from engine.referee.part import find_part
from engine.referee.shape import largest, limit_faults
from engine.referee.table import KIND, NATURAL_KINDS, Meld, Table, name_kind

FREEZES = {TWOS: "wild", JOKERS: "wild", BLACK_THREES: "black3", RED_THREES: "red3"}
"""The log's word for what a card of a kind does when it freezes the pile."""


def discard_onto(table: Table, card: int) -> None:
    """Put a card on the pile; it may freeze it."""
    table.pile.append(card)
    if KIND[card] in table.book.freezing:
        table.freezer, table.frozen_since = table.turn.seat, table.turn.number
    if KIND[card] in table.book.freezing and not is_frozen(table):
        table.freezes[table.turn.seat - 1] += 1
        table.frozen = table.turn.froze = True
        table.frozen_by = FREEZES[KIND[card]]


def is_frozen(table: Table) -> bool:
    """Frozen for everybody."""
    return table.frozen or table.book.always_frozen


def may_be_taken(table: Table, card: int) -> bool:
    """Whether a card on top lets the pile be taken at all."""
    return kind_of(card) not in table.book.untakeable and may_be_melded(card)


def may_be_melded(card: int) -> bool:
    """Whether a take may meld a card of the pile: no three, but a seven that would block on top (RULES §15, §19)."""
    return 0 <= kind_of(card) < NATURAL_KINDS


def take_pile(table: Table, action: Action) -> None:
    """Take the pile: judge it, meld the upcard, pick up the rest."""
    turn, pile, seat = table.turn, table.pile, action.seat
    if turn.began:
        table.fault("drawn_already", f"seat {seat} takes the pile after {'drawing' if turn.drawn else 'taking it'}")
    if not pile:
        table.fault("empty_pile", f"seat {seat} takes the pile, which is empty")
        return
    table.form_sides(seat)
    check_round(table, f"seat {seat} takes the pile")
    taken, card = find_part(table, action)
    if not may_be_taken(table, pile[-1]) or not may_be_melded(card):
        top = show_cards([pile[-1] if not may_be_taken(table, pile[-1]) else card])
        table.fault("stopped_pile", f"seat {seat} takes the pile with {top} on top")
        _pick_up(table, seat, taken, None)
        return
    _check_one_card(table)
    unopened = not turn.opened_before
    if unopened and table.rules.initial_pile == "forbidden":
        table.fault("opening_pile", f"seat {seat} takes the pile in the turn that opens its side")
        turn.opened = True
    elif unopened and table.rules.initial_pile == "after_own":
        open_before_take(table)
    meld = _find_meld(table, action, card)
    if table.is_dead(meld.kind):
        table.fault("dead_rank", f"seat {seat} takes {CARDS[card]}; a canasta of its rank is complete")
    turn.way = _find_way(table, meld, card)
    put_down(table, meld, (card,))
    turn.upcard_meld = meld
    for rule, text in limit_faults(table, meld):
        table.fault(rule, text)
    turn.took = True
    commit(table, going_out=False)
    _pick_up(table, seat, taken, card)
    owe(table, seat, table.rules.pile_extra_draw)


def is_one_card_ban(table: Table, hand: int | None) -> bool:
    """A hand of one card may not take a pile of one card, where the rules forbid it."""
    rule = table.rules.one_card_pile
    return (
        hand == 1
        and len(table.pile) == 1
        and (rule == "forbidden" or (rule == "forbidden_while_stock" and table.stock > 0))
    )


def _check_one_card(table: Table) -> None:
    turn = table.turn
    if is_one_card_ban(table, turn.hand):
        table.fault("one_card", f"seat {turn.seat} takes a pile of one card with one card in hand")


# ------------------------------------------------------------------------------------------------ the card on top
def _find_meld(table: Table, action: Action, card: int) -> Meld:
    """The meld the card joins: what it is aimed at, what was laid for it, the first it may lengthen, else a new one."""
    turn, kind = table.turn, KIND[card]
    melds = table.melds[turn.side]
    if action.aim is not None:
        aimed = _find_aimed(table, action, card)
        if aimed is not None:
            return aimed
    laid = [meld for meld in turn.before_take if meld.kind == kind]
    laid += [meld for meld in turn.before_take if meld.kind == SEQUENCE and meld.suit == card % 4]
    if laid:
        return laid[-1]
    for meld in melds.of(kind):
        if may_add_upcard(table, meld, card):
            return meld
    fitting = [meld for meld in melds.of(SEQUENCE) if may_add_upcard(table, meld, card)]
    if fitting and not is_frozen(table):
        return fitting[0]
    return choose_meld(table, kind, (card,), place=1)


def _find_aimed(table: Table, action: Action, card: int) -> Meld | None:
    """The meld the upcard is aimed at; None, with a fault, where it cannot lie there."""
    turn, kind, aim = table.turn, KIND[card], action.aim or ""
    parts = read_aim(table, action, aim)
    if parts is None:
        return None
    aimed, suit, which = parts
    plain = aim.partition(":")[2] or aim
    if aimed == SEQUENCE:
        there = table.melds[turn.side].called(plain.partition(".")[0])
        place = int(which) if which.isdecimal() else 1
        if place > len(there) or suit != card % 4:
            table.fault("take_way", f"seat {turn.seat} takes {CARDS[card]} to the sequence {aim}, where it cannot lie")
            return None
        return there[place - 1]
    if aimed != kind:
        table.fault("one_rank", f"seat {turn.seat} takes {CARDS[card]} to the meld of {name_kind(aimed)}")
        return None
    count = len(table.melds[turn.side].of(kind))
    place = count + 1 if which == "new" else int(which or 1)
    if place > count and count and not table.book.several:
        table.fault("second_meld", f"seat {turn.seat} takes {CARDS[card]} to a second meld of {name_kind(kind)}")
        place = 1
    return choose_meld(table, kind, (card,), place=place)


def may_add_upcard(table: Table, meld: Meld, card: int) -> bool:
    """Whether a card may be taken by adding it to a meld of the side, no card from hand with it."""
    if not meld.cards or table.is_dead(meld.kind) or len(meld.cards) >= largest(table, meld.kind):
        return False
    if meld.is_canasta and not table.rules.add_to_complete:
        return False
    if meld.kind == SEQUENCE:
        ranks = meld.ranks
        return kind_of(card) < NATURAL_KINDS and card % 4 == meld.suit and card // 4 in (ranks[0] - 1, ranks[-1] + 1)
    return kind_of(card) == meld.kind


def _find_way(table: Table, meld: Meld, card: int) -> str | None:
    """How the card is used, with a fault when that is not enough."""
    turn, rules = table.turn, table.rules
    naturals, wilds = turn.before_take.get(meld, (0, 0))
    on_top = CARDS[card]
    is_sequence = meld.kind == SEQUENCE
    if is_frozen(table) or not turn.opened_before:
        return _find_pair(table, meld, card)
    old = meld if meld.cards and meld not in turn.new_melds else None
    if is_sequence and (naturals or old is None):
        table.fault(
            "take_way",
            f"seat {turn.seat} takes {on_top} to a sequence with {naturals} cards from its hand; it may only be "
            "added to one that lies there",
        )
        return None
    if naturals >= 2:
        way = "pair"
    elif naturals == 1 and wilds:
        way = "natural_wild"
    elif old is not None:
        way = "add"
        _check_adding(table, old, card, laid=naturals + wilds)
    else:
        table.fault(
            "take_way",
            f"seat {turn.seat} takes the pile ({on_top} on top) with {naturals} natural and "
            f"{wilds} wild; a natural pair, a natural and a wild, or an own meld of its rank is needed",
        )
        return None
    if way not in rules.unfrozen_take:
        table.fault(
            "take_way",
            f"seat {turn.seat} takes the pile ({on_top} on top) by {way.replace('_', ' and ')}, "
            "which these rules do not know",
        )
    return way


def _find_pair(table: Table, meld: Meld, card: int) -> str:
    """A frozen pile, or a side that has not melded: a natural pair of the rank."""
    turn, on_top = table.turn, CARDS[card]
    naturals, wilds = turn.before_take.get(meld, (0, 0)) if meld.kind != SEQUENCE else (0, 0)
    if naturals < 2:
        shown = f"{naturals} natural and {wilds} wild" if naturals or wilds else "no card from its hand"
        if is_frozen(table):
            table.fault(
                "pile_frozen",
                f"seat {turn.seat} takes the frozen pile ({on_top} on top) with {shown}; a natural pair is needed",
            )
        elif table.rules.initial_pile != "forbidden":
            table.fault(
                "pile_unopened",
                f"seat {turn.seat}, whose side has not melded, takes the pile ({on_top} on top) "
                f"with {shown}; a natural pair is needed",
            )
    return "pair" if naturals >= 2 else "natural_wild" if naturals else "add"


def _check_adding(table: Table, meld: Meld, card: int, *, laid: int) -> None:
    """Adding the card to a meld that lies there."""
    turn, on_top = table.turn, CARDS[card]
    if laid:
        table.fault(
            "laid_before_take",
            f"seat {turn.seat} lays a card it does not need to take the pile by adding {on_top} to its meld",
        )
    if meld.is_canasta and (not table.rules.add_to_complete or meld.kind == SEQUENCE):
        table.fault("add_to_complete", f"seat {turn.seat} takes the pile by adding {on_top} to a completed canasta")
    elif meld.kind == SEQUENCE and not may_add_upcard(table, meld, card):
        table.fault("take_way", f"seat {turn.seat} takes {on_top} to {show_cards(meld.cards)}, where it is at no end")


def _pick_up(table: Table, seat: int, taken: int, melded: int | None) -> None:
    """The rest of what is taken joins the hand; threes in it that are laid are laid, not replaced (RULES §1.3).

    Black threes may be put out of play instead (RULES §13). A take ends the freeze, whatever stays behind.
    """
    turn, side = table.turn, table.turn.side
    turn.took = True
    turn.took_cards += taken
    cards = table.pile[len(table.pile) - taken :]
    table.pile = table.pile[: len(table.pile) - taken]
    if table.book.removes_rest:
        table.removed += table.pile
        table.pile = []
    table.face_down = [place for place in table.face_down if place < len(table.pile)]
    if melded is not None:
        del cards[len(cards) - 1 if melded == cards[-1] else 0]
    for card in cards:
        if kind_of(card) in table.book.laid_from_pile:
            table.red_threes[side].append(card)
            turn.shown_reds.append(card)
        elif kind_of(card) == BLACK_THREES and table.rules.black3_role == "set_aside":
            table.set_aside[side].append(card)
            turn.set_aside.append(card)
        else:
            table.give(seat, card)
    table.frozen = False
    table.frozen_by = None
