"""A short legal deal of classic4 and what is logged of it, written out by hand for the tests of the referee.

Seat 1 is dealt a red three and seat 4 draws one; seat 2 opens; seat 3 freezes the pile; seat 1 takes it with a
pair of kings, asks its partner, and goes out concealed.
"""

from __future__ import annotations

from typing import Any

from engine.cards import CARDS, RANKS
from engine.log import ACTIONS, DEAL_ENDINGS, FREEZES, LIFE_ENDINGS, MELDS, NULL, OPENINGS, STATES, TABLES, TAKES

Rows = dict[str, list[Any]]

HANDS = (
    "QC QD QH QS QC QD KC KD 3H 5C 5D",
    "AC AD AH 4C 4D 6C 7C 8C TC JC KS",
    "4H 4S 6D 6H 7D 7H 8D 8H TD TH 2C",
    "QS 6S 6C 7S 7C 8S 8C TS JH JS KH",
)
UPCARDS = "5H"
MOVES = """
0 1 red3 3H
0 1 draw QH
1 1 draw 9C
1 1 discard 9C
2 2 draw 9D
2 2 meld AC A
2 2 meld AD A
2 2 meld AH A
2 2 discard KS
3 3 draw 9H
3 3 discard 2C
4 4 draw 3D
4 4 red3 3D
4 4 draw 9S
4 4 discard KH
5 1 meld KC K
5 1 meld KD K
5 1 meld QC Q
5 1 meld QD Q
5 1 meld QH Q
5 1 meld QS Q
5 1 meld QC Q
5 1 meld QD Q
5 1 meld QH Q
5 1 take KH K 5
5 1 ask
5 3 agree
5 1 meld 5C 5
5 1 meld 5D 5
5 1 meld 5H 5
5 1 meld KS K
5 1 meld 2C K
5 1 discard 9C
"""
"""Lines `turn seat action card meld taken`."""

SIDES = {
    "score_before": (100, 1495),
    "score_after": (965, 1505),
    "minimum": (50, 50),
    "open_turn": (2, 1),
    "open_seat": (1, 2),
    "opening": ("pile", "hand"),
    "open_points": (100, 60),  # K K K and seven queens; three aces
    "first_canasta_turn": (2, NULL),
    "legal_takes": (2, 0),  # its first turn too: 5 5 and the queens
    "takes": (1, 0),
    "taken_cards": (5, 0),
    "freezes": (1, 0),
    "natural_canastas": (1, 0),
    "mixed_canastas": (0, 0),
    "melded_cards": (15, 3),
    "held_cards": (11, 19),
    "red_threes": (1, 1),
    "natural_points": (500, 0),
    "mixed_points": (0, 0),
    "card_points": (145, 60),  # 70 + 60 + 15
    "held_points": (-80, -150),
    "red_three_points": (100, 100),
    "out_points": (200, 0),
    "score": (865, 10),
}
DEAL = {
    "dealer": 4,
    "seats": 4,
    "sits_out": NULL,
    "turns": 5,
    "ending": "concealed",
    "out_seat": 1,
    "stock": 57,  # 108 - 44 - 1, a replacement for 3H, four draws and one more for 3D
    "pile": 1,
    "biggest_take": 5,
    "biggest_take_seat": 1,
}
TURNS = """
1 5H 1 11 62 unopened -    1 - -    no  0   0 9C
2 9C 2 11 61 unopened -    0 - -    yes 3  60 KS
3 KS 3 11 60 unopened -    0 - -    no  0   0 2C
4 2C 4 11 59 wild_top wild 0 - -    no  0   0 KH
1 KH 5 11 57 frozen   wild 1 5 pair yes 15 145 9C
"""
"""Lines `seat upcard pile hand stock state frozen_by could_take took how opened laid laid_points discard`."""
PILES = {
    "first_turn": (0, 5),
    "last_turn": (5, 5),
    "frozen_turn": (3, NULL),
    "frozen_by": ("wild", ""),
    "frozen_seat": (3, NULL),
    "wilds_on_frozen": (0, 0),
    "black_threes": (0, 0),
    "ending": ("take", "deal"),
    "taken_seat": (1, NULL),
    "how": ("pair", ""),
    "cards": (5, 1),
    "card_points": (55, 10),  # 5 + 10 + 10 + 20 + 10
}


def _code(words: tuple[str, ...], word: str) -> int:
    return words.index(word) + 1 if word in words else 0


def write_moves(text: str = MOVES) -> Rows:
    """The rows of `moves`."""
    rows: Rows = {column.name: [] for column in TABLES["moves"]}
    for number, line in enumerate(text.split("\n")[1:-1], 1):
        turn, seat, action, *rest = line.split()
        card, meld, taken = [*rest, "", "", ""][:3]
        values = (7, 2, int(turn), number, int(seat), _code(ACTIONS, action), _code(CARDS, card), _code(MELDS, meld))
        for name, value in zip(rows, (*values, int(taken) if taken else NULL), strict=True):
            rows[name].append(value)
    return rows


def write_deal() -> dict[str, Any]:
    """The row of `deals`."""
    hands = [[_code(CARDS, card) for card in hand.split()] + [0] * 5 for hand in HANDS]
    row = {"game": 7, "deal": 2, **DEAL, "hands": [*hands, [0] * 16, [0] * 16]}
    return {**row, "ending": _code(DEAL_ENDINGS, DEAL["ending"]), "upcards": [_code(CARDS, UPCARDS), *[0] * 23]}


def write_sides() -> Rows:
    """The rows of `sides`."""
    rows: Rows = {"game": [7, 7], "deal": [2, 2], "side": [1, 2], **{name: list(pair) for name, pair in SIDES.items()}}
    rows["opening"] = [_code(OPENINGS, word) for word in SIDES["opening"]]
    for rank in RANKS[:11]:
        rows[f"natural_{rank}"] = [int(rank == "Q"), 0]
        rows[f"mixed_{rank}"] = [0, 0]
    return rows


def write_turns() -> Rows:
    """The rows of `turns`, as far as the referee looks at them."""
    names = ("seat", "upcard", "pile", "hand", "stock", "state", "frozen_by", "could_take", "took", "how", "opened")
    rows: Rows = {name: [] for name in ("game", "deal", "turn", *names, "laid", "laid_points", "discard")}
    words = {"upcard": CARDS, "discard": CARDS, "state": STATES, "frozen_by": FREEZES, "how": TAKES}
    for number, line in enumerate(TURNS.split("\n")[1:-1], 1):
        for name, text in zip(rows, ("7", "2", str(number), *line.split()), strict=True):
            if name in words:
                rows[name].append(_code(words[name], text))
            else:
                rows[name].append(
                    {"-": NULL, "yes": 1, "no": 0}.get(text, int(text) if text.lstrip("-").isdigit() else 0)
                )
    return rows


def write_piles() -> Rows:
    """The rows of `piles`."""
    rows: Rows = {"game": [7, 7], "deal": [2, 2], "pile": [1, 2], **{name: list(pair) for name, pair in PILES.items()}}
    for name, words in (("frozen_by", FREEZES), ("ending", LIFE_ENDINGS), ("how", TAKES)):
        rows[name] = [_code(words, word) for word in PILES[name]]
    return rows
