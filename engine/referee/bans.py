"""What may not be discarded (RULES §1.4, §10, §13, §17)."""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARDS, RANKS, RED_THREES
from engine.history.record import UNKNOWN
from engine.referee.cards import KIND, WILD, is_three
from engine.referee.reserve import waits_for_foot
from engine.referee.table import Table

ACE, SEVEN = RANKS.index("A"), RANKS.index("7")


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
    return _find_way_out(table, seat, card) if is_banned(table, card) else ""


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


def is_banned(table: Table, card: int) -> bool:
    """Whether a discard is banned as long as the hand holds another that is not."""
    bans, kind = table.rules.discard_bans, KIND[card]
    if (kind == RED_THREES and "red3" in bans) or (is_three(card) and "three" in bans):
        return True
    if WILD[card] and "wild_unless_out_or_all_wild" in bans:
        return True
    if table.book.freeze_limit is not None and _freezes_too_often(table, kind):
        return True
    if kind == BLACK_THREES and "black3_first_round" in bans and table.round <= 1:
        return True
    if kind == SEVEN and "7_until_7s_canasta" in bans and not _all_have_sevens(table):
        return True
    return "swad_on_empty_pile" in bans and not table.pile and _is_swad(table, card)


def is_banned_last(table: Table, card: int) -> bool:
    """Whether a card, perhaps one not known, may not be the last discard, which goes out."""
    bans = table.rules.discard_bans
    if card == UNKNOWN:
        return "7_as_last_card" in bans or "three" in bans
    return (KIND[card] == SEVEN and "7_as_last_card" in bans) or (is_three(card) and "three" in bans)


def _find_way_out(table: Table, seat: int, card: int) -> str:
    """The reason a banned card must stay in the hand; empty where the hand holds nothing better, or is not known."""
    hand = table.hands[seat - 1]
    if WILD[card] and "wild_unless_out_or_all_wild" in table.rules.discard_bans:
        if any(not WILD[other] and not is_three(other) for other in hand.cards):
            return "; a wild is discarded only as the last card or from a hand of wilds"
        return ""
    if not any(not is_banned(table, other) for other in hand.cards):
        return ""
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
