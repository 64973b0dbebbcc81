"""Words of the log's text columns, in the order of their codes: what happens to cards, melds, endings."""

from __future__ import annotations

from engine.cards import RANKS, SUITS

ACTIONS = (
    "draw",
    "red3",
    "meld",
    "take",
    "discard",
    "foot",
    "bonus",
    "join",
    "aside",
    "ask",
    "agree",
    "refuse",
    "special",
    "pass",
)
SPECIAL_HANDS = (
    "pairs",
    "wild_pairs",
    "miami_pairs",
    "zip_code",
    "straight",
    "garbage",
    "blast_off",
    "triples",
    "quads",
    "dream_plus_4",
    "dream_plus_5",
)
MAX_SAME = 16
"""Melds of one rank, or of wild cards, that a side can have: no pack makes more, for one natural is too few from five
packs on (engine.rule_checks)."""
MAX_SAME_SEQUENCES = 7
"""Sequences of one suit and lowest card: as many as there can be packs."""
_FURTHER = (*(f"{rank}.{number}" for number in range(2, MAX_SAME + 1) for rank in RANKS[:11]),)
_WILD = tuple(f"wild.{number}" for number in range(2, MAX_SAME + 1))
_SEQUENCES = tuple(f"{suit}{rank}" for suit in SUITS for rank in RANKS[:11])
_MORE_SEQUENCES = tuple(f"{name}.{number}" for number in range(2, MAX_SAME_SEQUENCES + 1) for name in _SEQUENCES)
MELDS = (*RANKS[:11], "wild", "3", *_FURTHER, *_WILD, *_SEQUENCES, *_MORE_SEQUENCES, *SPECIAL_HANDS)
"""Melds that cards join: rank, `wild`, `3`; second and later ones `K.2`; a sequence by suit and lowest card."""
STATES = ("open", "frozen", "unopened", "stopped", "wild_top", "empty")
FREEZES = ("wild", "red3", "black3", "upcard_wild", "upcard_red3", "upcard_black3", "always")
TAKES = ("pair", "natural_wild", "add")
DEAL_ENDINGS = ("out", "concealed", "special", "stock", "red_three", "cap")
GAME_ENDINGS = ("target", "deals", "special", "cap")
OPENINGS = ("hand", "pile")
LIFE_ENDINGS = ("take", "deal")
