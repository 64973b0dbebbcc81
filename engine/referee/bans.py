"""What may not be discarded (RULES §1.4, §10, §13, §17)."""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARDS, RANKS, RED_THREES
from engine.history.record import UNKNOWN
from engine.referee.cards import KIND, WILD, is_three
from engine.referee.reserve import waits_for_foot
from engine.referee.table import Table

ACE, SEVEN = RANKS.index("A"), RANKS.index("7")
FIRM = frozenset(("red3", "three", "7_as_last_card"))
"""Bans that hold whatever else the hand has."""


def check_discard(table: Table, seat: int, card: int) -> None:
    """Fault a card that may not be discarded; it has left the hand and does not lie on the pile yet."""
    reason = find_ban(table, seat, card)
    if reason:
        table.fault("discard_ban", f"seat {seat} discards {CARDS[card]}{reason}")


def find_ban(table: Table, seat: int, card: int) -> str:
    """What forbids the discard of a card that has left the hand; empty when nothing does."""
    bans, kind = table.rules.discard_bans, KIND[card]
    if kind == RED_THREES and "red3" in bans:
        return "; red threes are not discarded"
    if is_three(card) and "three" in bans:
        return "; threes are not discarded"
    if (
        kind == SEVEN
        and "7_as_last_card" in bans
        and table.hands[seat - 1].is_empty
        and not waits_for_foot(table, seat)
    ):
        return " as its last card"
    return _find_reason(table, seat, card)


def find_free_kinds(table: Table, seat: int) -> set[int]:
    """Kinds of the cards of a hand, all of them known, that may be discarded."""
    hand = table.hands[seat - 1].cards
    free = set()
    for card in {KIND[card]: card for card in hand}.values():
        hand.remove(card)
        if not find_ban(table, seat, card):
            free.add(KIND[card])
        hand.append(card)
    return free


def _find_reason(table: Table, seat: int, card: int) -> str:
    """Why the card must stay as long as the hand holds another that may be thrown; empty where it need not.

    Sevens, aces, wilds and dead cards are let off where there is no other (RULES §10); what the other bans name only
    where they leave nothing at all, for a turn must end. Cards of the hand that are not known count for nothing.
    """
    if table.book.freeze_limit is None and FIRM.issuperset(table.rules.discard_bans):
        return ""
    others = table.hands[seat - 1].cards
    free = [other for place, other in enumerate(others) if not _is_kept(table, other, _without(others, place, card))]
    if _is_kept(table, card, others):
        return _word(table, card) if free else ""
    swad = "swad_on_empty_pile" in table.rules.discard_bans and not table.pile and _is_swad(table, card)
    better = swad and any(not _is_swad(table, other) for other in free)
    return "; its hand holds a card that may be discarded" if better else ""


def _without(others: list[int], place: int, card: int) -> list[int]:
    """The rest of a hand for one of its cards, the card on its way out among it."""
    return [*others[:place], *others[place + 1 :], card]


def _is_kept(table: Table, card: int, others: list[int]) -> bool:
    """Whether a ban holds a card back, beside others of its hand, whatever lies on the pile."""
    bans, kind = table.rules.discard_bans, KIND[card]
    if _is_three_kept(table, card):
        return True
    if WILD[card] and "wild_unless_out_or_all_wild" in bans:
        return any(not WILD[other] and not _is_three_kept(table, other) for other in others)
    if table.book.freeze_limit is not None and _freezes_too_often(table, kind):
        return True
    if kind == BLACK_THREES and "black3_first_round" in bans and table.round <= 1:
        return True
    return kind == SEVEN and "7_until_7s_canasta" in bans and not _all_have_sevens(table)


def _is_three_kept(table: Table, card: int) -> bool:
    """A three that is never discarded."""
    bans = table.rules.discard_bans
    return (KIND[card] == RED_THREES and "red3" in bans) or (is_three(card) and "three" in bans)


def is_banned_last(table: Table, card: int) -> bool:
    """Whether a card, perhaps one not known, may not be the last discard, which goes out."""
    bans = table.rules.discard_bans
    if card == UNKNOWN:
        return "7_as_last_card" in bans or "three" in bans
    return (KIND[card] == SEVEN and "7_as_last_card" in bans) or (is_three(card) and "three" in bans)


def _word(table: Table, card: int) -> str:
    """What to say of a card that must stay."""
    if WILD[card] and "wild_unless_out_or_all_wild" in table.rules.discard_bans:
        return "; a wild is discarded only as the last card or from a hand of wilds"
    limit = table.book.freeze_limit
    if limit is not None and _freezes_too_often(table, KIND[card]):
        times = "once" if limit == 1 else f"{limit} times"
        return f", freezing the pile again after {times} in the deal, which is the limit"
    return "; its hand holds a card that may be discarded"


def _freezes_too_often(table: Table, kind: int) -> bool:
    """House rule: a player freezes the pile only so many times a deal; onto a frozen one it does not."""
    limit = table.book.freeze_limit
    frozen = table.frozen or table.book.always_frozen
    return kind in table.book.freezing and not frozen and table.freezes[table.turn.seat - 1] >= (limit or 0)


def _all_have_sevens(table: Table) -> bool:
    """Every side has a canasta of sevens."""
    return all(any(meld.is_canasta for meld in melds.of(SEVEN)) for melds in table.melds)


def _is_swad(table: Table, card: int) -> bool:
    """A seven, a wild, an ace or a card of a dead rank."""
    return WILD[card] or KIND[card] in (SEVEN, ACE) or table.is_dead(KIND[card])
