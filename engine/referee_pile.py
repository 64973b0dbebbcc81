"""The pile: what freezes it, who may take it and how, and when it must be taken (RULES §1.7–1.9)."""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARDS, JOKERS, RED_THREES, TWOS
from engine.history import Action, show_cards
from engine.referee_melds import commit, find_aim
from engine.referee_table import KIND, NATURAL_KINDS, POINTS, Meld, Table, name_kind

FREEZES = {TWOS: "wild", JOKERS: "wild", BLACK_THREES: "black3", RED_THREES: "red3"}
"""The log's word for what a card of a kind does when it freezes the pile."""


def discard_onto(table: Table, card: int) -> None:
    """Put a card on the pile; it may freeze it."""
    table.pile.append(card)
    if KIND[card] in table.book.freezing and not is_frozen(table):
        table.frozen = table.turn.froze = True
        table.frozen_by = FREEZES[KIND[card]]


def is_frozen(table: Table) -> bool:
    """Frozen for everybody."""
    return table.frozen or table.book.always_frozen


def take_pile(table: Table, action: Action) -> None:
    """Take the pile: judge it, meld the upcard, pick up the rest."""
    turn, pile, seat = table.turn, table.pile, action.seat
    if turn.began:
        table.fault("drawn_already", f"seat {seat} takes the pile after {'drawing' if turn.drawn else 'taking it'}")
    if not pile:
        table.fault("empty_pile", f"seat {seat} takes the pile, which is empty")
        return
    upcard = pile[-1]
    kind = KIND[upcard]
    _check_portion(table, action)
    if kind >= NATURAL_KINDS:
        table.fault("stopped_pile", f"seat {seat} takes the pile with {CARDS[upcard]} on top")
        _pick_up(table, seat, pile)
        return
    if action.aim is not None:
        aimed = find_aim(table, action)
        if aimed is not None and aimed != kind:
            table.fault("one_rank", f"seat {seat} takes {CARDS[upcard]} to the meld of {name_kind(aimed)}")
    _check_one_card(table)
    turn.way = _find_way(table, kind)
    _lay_upcard(table, kind, upcard)
    turn.took = True
    commit(table, going_out=False)
    _pick_up(table, seat, pile[:-1])


def _check_portion(table: Table, action: Action) -> None:
    pile = table.pile
    if (action.number is not None and action.number != len(pile)) or (action.cards and action.cards[0] != pile[0]):
        part = show_cards(action.cards) if action.cards else f"{action.number} cards"
        table.fault(
            "whole_pile",
            f"seat {action.seat} takes the pile from {part}; all {len(pile)} cards are taken"
            if action.cards
            else f"seat {action.seat} takes {part}; all {len(pile)} are taken",
        )


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


def _find_way(table: Table, kind: int) -> str | None:
    """How the upcard is used, with a fault when that is not enough."""
    turn, rules = table.turn, table.rules
    naturals, wilds = turn.before_take.get(kind, (0, 0))
    on_top = CARDS[table.pile[-1]]
    if is_frozen(table) or not turn.opened_before:
        if naturals < 2:
            shown = f"{naturals} natural and {wilds} wild" if naturals or wilds else "no card from its hand"
            if is_frozen(table):
                table.fault(
                    "pile_frozen",
                    f"seat {turn.seat} takes the frozen pile ({on_top} on top) with {shown}; a natural pair is needed",
                )
            else:
                table.fault(
                    "pile_unopened",
                    f"seat {turn.seat}, whose side has not melded, takes the pile ({on_top} on top) "
                    f"with {shown}; a natural pair is needed",
                )
        return "pair" if naturals >= 2 else "natural_wild" if naturals else "add"
    old = None if kind in turn.new_kinds else table.melds[turn.side].get(kind)
    if naturals >= 2:
        way = "pair"
    elif naturals == 1 and wilds:
        way = "natural_wild"
    elif old is not None:
        way = "add"
        if naturals or wilds:
            table.fault(
                "laid_before_take",
                f"seat {turn.seat} lays a card it does not need to take the pile by adding {on_top} to its meld",
            )
        if old.is_canasta and not rules.add_to_complete:
            table.fault("add_to_complete", f"seat {turn.seat} takes the pile by adding {on_top} to a completed canasta")
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


def _lay_upcard(table: Table, kind: int, upcard: int) -> None:
    turn = table.turn
    melds = table.melds[turn.side]
    meld = melds.get(kind)
    if meld is None:
        meld = melds[kind] = Meld(kind)
        turn.new_kinds.add(kind)
    elif kind not in turn.new_kinds:
        turn.added_to_old = True
    meld.add(upcard)
    if meld.is_canasta and table.first_canastas[turn.side] is None:
        table.first_canastas[turn.side] = table.own_turns[turn.seat - 1]
    turn.touched.add(kind)
    turn.laid += 1
    turn.laid_points += POINTS[upcard]


def _pick_up(table: Table, seat: int, cards: list[int]) -> None:
    """The rest of the pile joins the hand; red threes in it are laid, not replaced (RULES §1.3)."""
    turn = table.turn
    turn.took = True
    turn.took_cards += len(table.pile)
    hand = table.hands[seat - 1].cards
    for card in cards:
        if KIND[card] != RED_THREES:
            hand.append(card)
        else:
            table.red_threes[turn.side].append(card)
            turn.shown_reds.append(card)
    table.pile = []
    table.frozen = False
    table.frozen_by = None
