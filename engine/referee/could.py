"""What a seat could do with the pile before it acts: whether any legal take exists (RULES §1.6, §1.7, §1.9).

A take is possible only when its turn can be finished: the last card may be discarded, or laid, only by who
goes out. The hand must be known.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, RED_THREES
from engine.history.record import UNKNOWN
from engine.referee.finish import joins_hand, may_finish, pick_up
from engine.referee.openings import may_open
from engine.referee.part import TOP
from engine.referee.pile import is_frozen, is_one_card_ban, may_add_upcard, may_be_melded, may_be_taken
from engine.referee.shape import fits
from engine.referee.table import KIND, WILD, Meld, Table


def may_take(table: Table) -> bool:
    """Whether the seat whose turn begins could legally take the pile."""
    turn, pile = table.turn, table.pile
    if not pile or not may_be_taken(table, pile[-1]) or is_one_card_ban(table, turn.hand):
        return False
    if not table.hands[turn.seat - 1].is_known:
        return False
    if table.own_turns[turn.seat - 1] + table.turns_before < table.book.meld_from:
        return False
    return any(_may_take_for(table, _bring(table, places), card) for places, card in _parts(table))


def _parts(table: Table) -> list[tuple[range, int]]:
    """Every part of the pile that may be taken: places of cards that follow into the hand, and the card melded."""
    pile, portion = table.pile, table.rules.pile_portion
    top = len(pile) - 1
    if portion == "top7":
        return [(range(max(0, len(pile) - TOP), top), pile[-1])]
    parts = [(range(top), pile[-1])]
    if portion == "from_melded":
        seen = [place for place in range(len(pile)) if place not in table.face_down]
        parts += [(range(place + 1, len(pile)), pile[place]) for place in seen if may_be_melded(pile[place])]
    return parts


def _bring(table: Table, places: range) -> list[int]:
    """Cards of the pile that surely join the hand: any that lie face down may be threes, which perhaps do not."""
    known = [table.pile[place] for place in places if place not in table.face_down]
    unseen = sum(place in table.face_down for place in places)
    laid = sum(not joins_hand(table, kind) for kind in (RED_THREES, BLACK_THREES))
    return pick_up(table, known) + [UNKNOWN] * max(0, unseen - 2 * table.rules.packs * laid)


def _may_take_for(table: Table, rest: list[int], card: int) -> bool:
    """Whether a part of the pile could be taken for a card of it."""
    turn, kind = table.turn, KIND[card]
    hand = table.hands[turn.seat - 1].cards
    pair = [other for other in hand if KIND[other] == kind][:2]
    if not turn.opened_before:
        return len(pair) == 2 and table.rules.initial_pile != "forbidden" and may_open(table, rest, card)
    ways = table.rules.unfrozen_take if not is_frozen(table) else ("pair",)
    if "pair" in ways and len(pair) == 2 and _may_join(table, kind, (*pair, card), rest):
        return True
    if "natural_wild" in ways and pair:
        wilds = {other for other in hand if WILD[other]}
        if any(_may_join(table, kind, (pair[0], wild, card), rest) for wild in wilds):
            return True
    return "add" in ways and any(
        may_add_upcard(table, meld, card) and may_finish(table, meld, (card,), list(hand), rest)
        for meld in table.melds[turn.side]
    )


def _may_join(table: Table, kind: int, cards: tuple[int, ...], rest: list[int]) -> bool:
    """Whether cards from hand and the card taken could lie in a meld of their rank, and the turn be finished."""
    turn = table.turn
    if table.is_dead(kind):
        return False
    hand = list(table.hands[turn.seat - 1].cards)
    for card in cards[:-1]:
        hand.remove(card)
    melds = table.melds[turn.side].of(kind)
    if not melds or table.book.several:
        melds = [*melds, Meld(kind, counts=kind != BLACK_THREES or table.book.threes_as_rank)]
    return any(_holds(table, meld, cards) and may_finish(table, meld, cards, hand, rest) for meld in melds)


def _holds(table: Table, meld: Meld, cards: tuple[int, ...]) -> bool:
    naturals = meld.naturals + sum(1 for card in cards if not WILD[card])
    return fits(table, meld, cards) and naturals >= table.rules.min_naturals
