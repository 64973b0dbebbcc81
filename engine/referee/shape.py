"""What a meld may hold: limits that nothing repairs, and what it must have when it is judged (RULES §1.5, §3, §10)."""

from __future__ import annotations

from itertools import pairwise

from engine.cards import BLACK_THREES, RANKS, TWOS
from engine.history.record import show_cards
from engine.referee.cards import CANASTA, KIND, LEAST, NATURAL_KINDS, SEQUENCE, WILD, WILD_MELD, Meld, kind_of
from engine.referee.table import Table
from engine.rules import Rules


def is_rank(table: Table, kind: int) -> bool:
    """Whether a meld of a kind is one of a rank, with the limits of such."""
    return kind < NATURAL_KINDS or (kind == BLACK_THREES and table.book.threes_as_rank)


def largest(table: Table, kind: int) -> int:
    """Most cards of a meld of a kind."""
    if kind in (SEQUENCE, WILD_MELD) or (table.rules.closed_ranks_dead and is_rank(table, kind)):
        return CANASTA  # the seventh card of a rank closes it
    if kind == BLACK_THREES and not table.book.threes_as_rank:
        return 999  # any number of them goes out
    return table.rules.max_meld_size or 999


def word_of_rank(rules: Rules, kind: int) -> str | None:
    """How a rank refuses wilds: always, opening_only or not at all."""
    return rules.natural_only_ranks.get(RANKS[kind]) if kind < NATURAL_KINDS else None


def is_opening(table: Table) -> bool:
    """Whether cards laid now are part of the opening of the side."""
    return not table.turn.opened_before and not table.turn.opened


def is_locked(table: Table, side: int, card: int, to: Meld | None) -> bool:
    """Whether an incomplete wild meld of the side keeps a wild from being used elsewhere (RULES §7, §10)."""
    rules = table.rules
    if not rules.open_wild_meld_locks_wilds or not WILD[card] or (to is not None and to.kind == WILD_MELD):
        return False
    if rules.wild_melds == "twos_first" and KIND[card] != TWOS:
        return False
    return any(len(meld.cards) < CANASTA for meld in table.melds[side].of(WILD_MELD))


def wild_faults(table: Table, meld: Meld, cards: tuple[int, ...]) -> list[tuple[str, str]]:
    """What forbids the wilds among cards just laid to a meld of a rank, by rule."""
    rules, turn = table.rules, table.turn
    wilds = [card for card in cards if WILD[card]]
    if not wilds:
        return []
    shown = show_cards(meld.cards)
    if meld.kind == BLACK_THREES and not table.book.threes_as_rank:
        return [("black_three_meld", f"{shown}: black threes are melded without wilds")]
    faults = []
    if meld.wilds > rules.max_wilds:
        faults.append(("max_wilds", f"{shown} has {meld.wilds} wilds; the most is {rules.max_wilds}"))
    word = word_of_rank(rules, meld.kind)
    if word == "always":
        faults.append(("natural_only", f"{shown}: this rank takes no wilds"))
    elif word == "opening_only" and not is_opening(table) and meld.wilds == len(wilds):
        faults.append(("natural_only", f"{shown}: this rank takes wilds only in the opening"))
    naturals = meld.naturals + _comes_with(table, meld)
    if not is_opening(table) and naturals < rules.wild_add_min_naturals:
        faults.append(
            (
                "rule_of_five",
                f"{show_cards(wilds)} to {naturals} naturals; once the side has opened "
                f"{rules.wild_add_min_naturals} are needed",
            )
        )
    locked = [card for card in wilds if is_locked(table, turn.side, card, meld)]
    if locked:
        faults.append(
            ("wild_locked", f"{show_cards(locked)} to {meld.name}; the wild meld of the side is not complete")
        )
    return faults


def _comes_with(table: Table, meld: Meld) -> int:
    """The card taken, where that is not settled yet any of the pile, joins in one act with cards laid for it before."""
    cards = table.pile if table.rules.pile_portion == "from_melded" else table.pile[-1:]
    return int(not table.turn.began and any(kind_of(card) == meld.kind for card in cards))


def limit_faults(table: Table, meld: Meld) -> list[tuple[str, str]]:
    """What nothing repairs in a meld, beside its wilds: its size, and the cards of a sequence or a wild meld."""
    rules = table.rules
    shown = show_cards(meld.cards)
    faults = []
    if meld.kind == SEQUENCE:
        ranks = meld.ranks
        if meld.wilds:
            faults.append(("sequence", f"{shown}: a sequence has no wilds"))
        elif len({card % 4 for card in meld.cards}) > 1 or len(set(ranks)) < len(ranks):
            faults.append(("sequence", f"{shown}: a sequence is of one suit, a card of each rank"))
        elif table.book.full_sequences_grow:
            pass  # who goes out may lengthen a complete one: judged at the commit point
        elif len(meld.cards) > CANASTA:
            faults.append(("meld_full", f"{shown}: a sequence has at most seven cards"))
        elif ranks[-1] - ranks[0] >= CANASTA:
            faults.append(("sequence", f"{shown}: no seven cards in a row, four low and ace high"))
        return faults
    if len(meld.cards) > largest(table, meld.kind):
        faults.append(("meld_full", f"{shown} has {len(meld.cards)} cards; the most is {largest(table, meld.kind)}"))
    if meld.kind == WILD_MELD and rules.wild_melds == "twos_first" and meld.jokers > rules.max_wilds:
        faults.append(
            ("max_wilds", f"{shown} has {meld.jokers} jokers; a meld of twos takes at most {rules.max_wilds}")
        )
    return faults


def fits(table: Table, meld: Meld, cards: tuple[int, ...], *, later: bool = False) -> bool:
    """Whether cards of its rank, or wilds, may join a meld: its size, wilds, closed canastas.

    `later`: once the side has opened, whether or not it has now.
    """
    rules = table.rules
    wilds = sum(1 for card in cards if WILD[card])
    size = len(meld.cards) + len(cards)
    if size > largest(table, meld.kind):
        return False
    if meld.kind == WILD_MELD:
        jokers = meld.jokers + sum(1 for card in cards if WILD[card] and KIND[card] != TWOS)
        return rules.wild_melds != "twos_first" or jokers <= rules.max_wilds
    if not wilds:
        return True
    naturals = meld.naturals + len(cards) - wilds
    total = meld.wilds + wilds
    most = {"none": total, "not_more": naturals, "fewer": naturals - 1}[rules.wild_ratio]
    word = word_of_rank(rules, meld.kind)
    if total > min(rules.max_wilds, most) or word == "always":
        return False
    if (later or not is_opening(table)) and (
        naturals < rules.wild_add_min_naturals or (word == "opening_only" and not meld.wilds)
    ):
        return False
    return not any(is_locked(table, table.turn.side, card, meld) for card in cards if WILD[card])


def check_meld(table: Table, side: int, meld: Meld, *, going_out: bool) -> None:
    """Fault what a meld lacks when it is judged."""
    rules = table.rules
    shown = show_cards(meld.cards)
    if meld.kind == BLACK_THREES and not table.book.threes_as_rank:
        if rules.black3_meld != "going_out":
            return  # already the fault of who laid them
        if len(meld.cards) < LEAST:
            table.fault("black_three_meld", f"{shown}: black threes are melded three or more at once")
        elif not going_out:
            table.fault("black_three_meld", f"{shown}: black threes are melded only by who goes out")
        return
    if len(meld.cards) < LEAST:
        table.fault("meld_size", f"side {side + 1}'s meld {shown} has fewer than three cards")
        return
    if meld.kind == SEQUENCE:
        if any(later - earlier > 1 for earlier, later in pairwise(meld.ranks)):
            table.fault("sequence", f"{shown}: the cards of a sequence follow one another")
        if len(meld.cards) > CANASTA and table.book.full_sequences_grow and not going_out:
            table.fault("meld_full", f"{shown}: only who goes out adds to a complete sequence")
        return
    if meld.kind == WILD_MELD:
        twos = len(meld.cards) - meld.jokers
        if rules.wild_melds == "twos_first" and twos < rules.min_naturals:
            table.fault("wild_meld", f"{shown} has {twos} twos; a meld of twos has at least {rules.min_naturals}")
        return
    if meld.naturals < rules.min_naturals:
        table.fault(
            "min_naturals",
            f"side {side + 1}'s meld {shown} has {meld.naturals} naturals; it needs {rules.min_naturals}",
        )
    if (rules.wild_ratio == "not_more" and meld.wilds > meld.naturals) or (
        rules.wild_ratio == "fewer" and meld.wilds >= meld.naturals
    ):
        allowed = "no more" if rules.wild_ratio == "not_more" else "fewer"
        table.fault(
            "wild_ratio",
            f"side {side + 1}'s meld {shown} has {meld.wilds} wilds and {meld.naturals} naturals; "
            f"{allowed} wilds than naturals are allowed",
        )
