"""Canastas: what sort they are, and what each is worth (RULES §1.10, §3, §4, §7, §10, §13, §15, §18)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cards import BLACK_THREES, RANKS
from engine.referee.cards import CANASTA, NATURAL_KINDS, SEQUENCE, WILD_MELD, Meld
from engine.rules import Rules

SEVEN = RANKS.index("7")
Counts = dict[str, int]
"""Canastas by sort (natural, mixed, sequence, wild); natural_7 and mixed_7 are those of sevens among them."""


SORTS = ("natural", "mixed", "sequence", "wild")


def count_canastas(melds: Iterable[Meld]) -> Counts:
    """Canastas among melds by sort."""
    counts = dict.fromkeys((*SORTS, "natural_7", "mixed_7"), 0)
    for meld in melds:
        if meld.is_canasta:
            counts[meld.sort] += 1
            if meld.kind == SEVEN:
                counts[f"{meld.sort}_7"] += 1
    return counts


def find_bonus(rules: Rules, meld: Meld) -> int:
    """Points of a canasta beside its cards."""
    bonus = rules.canasta_bonus
    if meld.kind == WILD_MELD:
        return _find_wild_bonus(rules, meld)
    if meld.kind == BLACK_THREES:
        royal = bonus.get("royal")
        return royal if royal is not None else bonus[meld.sort] or 0
    if meld.kind < NATURAL_KINDS:
        rank = f"rank:{RANKS[meld.kind]}"
        if meld.sort == "natural" and rank in bonus:
            return bonus[rank] or 0
        if f"{rank}:any" in bonus:
            return bonus[f"{rank}:any"] or 0
    return bonus.get(meld.sort) or 0


def _find_wild_bonus(rules: Rules, meld: Meld) -> int:
    """A wild canasta: of twos alone, of four jokers or more, or of any others."""
    bonus, plain = rules.canasta_bonus, rules.canasta_bonus.get("wild") or 0
    if not meld.jokers:
        return bonus.get("wild_all_twos", plain) or 0
    return (bonus.get("wild_4_jokers", plain) if meld.jokers >= 4 else plain) or 0


def find_set_bonus(rules: Rules, counts: Counts) -> int:
    """Bonuses for collections of canastas: the best of those of naturals, and those of any number (RULES §7, §8)."""
    bonuses = rules.set_bonuses
    natural, total = counts["natural"], sum(counts[sort] for sort in SORTS)
    best = max(
        bonuses.get("five_natural", 0) if natural >= 5 else 0,
        bonuses.get("four_natural_one_mixed", 0) if natural >= 4 and counts["mixed"] else 0,
    )
    best += bonuses.get("ten_any", 0) if total >= 10 else 0
    return best + (bonuses.get("seven_any", 0) if total >= 7 else 0)


def find_penalty(rules: Rules, meld: Meld) -> int:
    """Penalty for a meld still incomplete: pure aces, sevens, wilds, short sequences (RULES §5, §10, §16)."""
    penalties = rules.open_meld_penalty
    if meld.kind == SEQUENCE:
        return penalties.get("sequence_lt5", 0) if len(meld.cards) < 5 else 0
    if len(meld.cards) >= CANASTA:
        return 0
    if meld.kind == WILD_MELD:
        plain = penalties.get("wild", 0)
        return penalties.get("wild_4_jokers", plain) if meld.jokers >= 4 else plain
    if meld.kind == RANKS.index("A"):
        return 0 if meld.wilds else penalties.get("A", 0)
    return penalties.get("7", 0) if meld.kind == SEVEN else 0
