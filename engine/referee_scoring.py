"""What a deal scores for each side, and which side has won the game (RULES §1.10)."""

from __future__ import annotations

from engine.cards import RANKS
from engine.referee_table import POINTS, Table
from engine.rules import Rules

Items = dict[str, int]
"""Items of a side's score: canastas (natural and mixed apart), red_threes, cards, held, out."""


def count_items(table: Table, side: int) -> Items | None:
    """The items of a side's score once the deal has ended; None when a hand is not known."""
    rules, book = table.rules, table.book
    hands = [table.hands[seat - 1] for seat in range(1, book.seats + 1) if book.side_of[seat] == side]
    if not all(hand.is_known for hand in hands):
        return None
    natural = mixed = cards = 0
    canastas = 0
    for meld in table.melds[side].values():
        cards += sum([POINTS[card] for card in meld.cards])
        if meld.is_canasta:
            canastas += 1
            if meld.wilds:
                mixed += _bonus_of(rules, meld.kind, "mixed")
            else:
                natural += _bonus_of(rules, meld.kind, "natural")
    out = table.out_bonus if table.out_seat and book.side_of[table.out_seat] == side else 0
    return {
        "natural": natural,
        "mixed": mixed,
        "red_threes": _count_red_threes(table, side, canastas),
        "cards": cards,
        "held": -sum([POINTS[card] for hand in hands for card in hand.cards]),
        "out": out,
    }


def _bonus_of(rules: Rules, kind: int, sort: str) -> int:
    bonus = rules.canasta_bonus
    rank = f"rank:{RANKS[kind]}"
    if f"{rank}:any" in bonus:
        return bonus[f"{rank}:any"] or 0
    if sort == "natural" and rank in bonus:
        return bonus[rank] or 0
    return bonus[sort] or 0


def _count_red_threes(table: Table, side: int, canastas: int) -> int:
    """The total of a side's red threes, negative when it has not earned them."""
    count = len(table.red_threes[side])
    if not count:
        return 0
    totals = table.rules.red3_totals
    total = totals[min(count, len(totals)) - 1]
    earned = {
        "melded": bool(table.melds[side]),
        "one_canasta": canastas >= 1,
        "two_canastas": canastas >= 2,
        "plus_only": True,
    }[table.rules.red3_sign]
    return total if earned else -total


def find_winner(rules: Rules, totals: list[int], deal: int) -> tuple[bool, int | None]:
    """Whether the game is over after the deal of a number, and the side (from 1) that has won it.

    Equal highest totals: another deal, or a shared win, which no side has won.
    """
    reached = rules.target is not None and max(totals) >= rules.target
    if not reached and (rules.deals is None or deal < rules.deals):
        return False, None
    best = [side for side, total in enumerate(totals, 1) if total == max(totals)]
    if len(best) == 1:
        return True, best[0]
    return rules.tie == "shared", None
