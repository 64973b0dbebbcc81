"""Whether a turn in which the pile is taken can be finished, and whether it must be taken (RULES §1.9).

The last card may be discarded, or laid, only by who goes out. The hand must be known.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES
from engine.history.record import UNKNOWN
from engine.referee.bans import is_banned_last
from engine.referee.cards import LEAST, Meld, kind_of
from engine.referee.out import find_out_faults
from engine.referee.pile import is_frozen, is_one_card_ban, may_add_upcard, may_be_taken
from engine.referee.reserve import brings_foot, waits_for_foot
from engine.referee.shape import fits, is_rank
from engine.referee.table import WILD, Table


def must_take(table: Table) -> bool:
    """With the stock empty: the upcard fits an own meld and the pile is not frozen (RULES §1.9)."""
    turn, rules, pile = table.turn, table.rules, table.pile
    if rules.stock_end != "pile_play_forced" or not pile or is_frozen(table) or "add" not in rules.unfrozen_take:
        return False
    card = pile[-1]
    if not may_be_taken(table, card) or is_one_card_ban(table, turn.hand):
        return False
    hand = table.hands[turn.seat - 1]
    return any(
        not hand.is_known or may_finish(table, meld, (card,), list(hand.cards), pick_up(table, pile[:-1]))
        for meld in table.melds[turn.side]
        if meld not in turn.new_melds and may_add_upcard(table, meld, card)
    )


def pick_up(table: Table, cards: list[int]) -> list[int]:
    """Those of some cards of the pile that join the hand: threes may be laid, or put out of play."""
    return [card for card in cards if joins_hand(table, kind_of(card))]


def joins_hand(table: Table, kind: int) -> bool:
    """Whether a card of a kind in the pile joins the hand of who takes it."""
    if kind == BLACK_THREES and table.rules.black3_role == "set_aside":
        return False
    return kind not in table.book.laid_from_pile


def may_finish(table: Table, meld: Meld, laid: tuple[int, ...], hand: list[int], rest: list[int]) -> bool:
    """Whether the turn can be finished after cards (the upcard among them) joined a meld, with these cards left."""
    turn = table.turn
    coming = min(table.rules.pile_extra_draw, count_sure(table))
    left = [*hand, *rest, *[UNKNOWN] * coming]
    if len(left) >= 2 or waits_for_foot(table, turn.seat):
        return True
    grown = _grown(meld, laid)
    if grown.is_canasta and not meld.is_canasta and brings_foot(table, turn.seat):
        return True
    melds = [grown if other is meld else other for other in table.melds[turn.side]]
    if meld not in table.melds[turn.side].values():
        melds.append(grown)
    return may_go_out(table, melds, left)


def count_sure(table: Table) -> int:
    """Cards the stock gives for certain, whatever threes, which are laid and replaced, are still to come."""
    kinds = table.book.laid_threes
    laid = sum(kind_of(card) in kinds for side in table.red_threes for card in side)
    return max(0, table.stock - (2 * table.rules.packs * len(kinds) - laid))


def may_go_out(table: Table, melds: list[Meld], last: list[int]) -> bool:
    """Whether a hand of at most one card, perhaps one not known, may be emptied, with these melds on the table.

    A partner who must agree has not been asked yet, and may say no.
    """
    rules = table.rules
    if rules.ask_partner == "required" and table.partner_of(table.turn.seat):
        return False
    optional = rules.out_discard == "optional"
    if not last:
        return optional and not find_out_faults(table, melds)
    card = last[0]
    if not is_banned_last(table, card) and not find_out_faults(table, melds):
        return True
    return (
        optional
        and card != UNKNOWN
        and any(
            not find_out_faults(table, [_grown(meld, (card,)) if meld is grown else meld for meld in melds])
            for grown in melds
            if _may_lay(table, grown, card)
        )
    )


def _may_lay(table: Table, meld: Meld, card: int) -> bool:
    if not WILD[card] and kind_of(card) != meld.kind:
        return may_add_upcard(table, meld, card) and not meld.is_canasta
    return (
        len(meld.cards) >= LEAST
        and (is_rank(table, meld.kind) or WILD[card])
        and not table.is_dead(meld.kind)
        and fits(table, meld, (card,), later=True)
    )


def _grown(meld: Meld, cards: tuple[int, ...]) -> Meld:
    """A copy of a meld with cards added."""
    grown = Meld(meld.kind, meld.suit, counts=meld.counts)
    for card in (*meld.cards, *cards):
        grown.add(card)
    return grown
