"""Special hands: fourteen cards after a stock draw that end the deal (RULES §10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from engine.cards import BLACK_THREES, JOKERS, RANKS, RED_THREES, TWOS
from engine.history.record import Action, show_cards
from engine.referee.cards import KIND, NATURAL_KINDS
from engine.referee.table import Table

_ACE, _SEVEN = RANKS.index("A"), RANKS.index("7")
Kinds = Counter[int]


def _groups(kinds: Kinds) -> list[int]:
    """Sizes of the groups of natural ranks, largest first; empty when the hand holds anything else."""
    if any(kind >= NATURAL_KINDS for kind in kinds):
        return []
    return sorted(kinds.values(), reverse=True)


def _wilds(kinds: Kinds) -> int:
    return kinds[TWOS] + kinds[JOKERS]


def _naturals(kinds: Kinds) -> Kinds:
    return Counter({kind: count for kind, count in kinds.items() if kind not in (TWOS, JOKERS)})


def _is_pairs(kinds: Kinds) -> bool:
    return bool(_groups(kinds)) and all(count % 2 == 0 for count in kinds.values())


def _is_wild_pairs(kinds: Kinds) -> bool:
    paired = all(count % 2 == 0 for count in kinds.values()) and not kinds[RED_THREES] + kinds[BLACK_THREES]
    return paired and all(kinds[kind] >= 2 for kind in (TWOS, _SEVEN, _ACE))


def _is_straight(kinds: Kinds) -> bool:
    threes = kinds[RED_THREES] + kinds[BLACK_THREES]
    ones = all(kinds[kind] == 1 for kind in (*range(NATURAL_KINDS), TWOS, JOKERS))
    return ones and threes == 1


def _is_triples(kinds: Kinds) -> bool:
    return _groups(_naturals(kinds)) == [3, 3, 3, 3] and _wilds(kinds) == 2


def _is_quads(kinds: Kinds) -> bool:
    groups, wilds = _groups(_naturals(kinds)), _wilds(kinds)
    return (groups == [4, 4, 4, 2] and not wilds) or (groups == [4, 4, 4] and wilds == 2)


HANDS: dict[str, Callable[[Kinds], bool]] = {
    "pairs": _is_pairs,
    "wild_pairs": _is_wild_pairs,
    "zip_code": lambda kinds: _groups(kinds) == [4, 3, 3, 2, 2],
    "straight": _is_straight,
    "garbage": lambda kinds: _groups(kinds) == [4, 4, 3, 3],
    "blast_off": lambda kinds: _groups(kinds) == [5, 4, 3, 2],
    "triples": _is_triples,
    "quads": _is_quads,
}
"""What makes up each special hand the text describes; it only names Miami pairs and the dream hands."""


def declare(table: Table, action: Action) -> None:
    """Declare a special hand: it ends the deal."""
    turn, seat, name = table.turn, action.seat, action.word or ""
    hands = table.rules.special_hands
    if not hands:
        table.fault("not_in_rules", f"seat {seat}: special belongs to other variants")
        return
    if name not in hands:
        table.fault("special_hand", f"seat {seat} declares {name}; these rules know {', '.join(hands)}")
        return
    if not turn.drawn or turn.took:
        table.fault("special_hand", f"seat {seat} declares {name} without a card drawn from the stock")
    if turn.opened_before or turn.laid:
        table.fault("special_hand", f"seat {seat} declares {name}; its side has melded")
    _check_cards(table, seat, name)
    table.special = name
    table.out_seat = seat
    table.end("special")


def _check_cards(table: Table, seat: int, name: str) -> None:
    hand = table.hands[seat - 1]
    if not hand.is_known:
        return
    test = HANDS.get(name)
    if test is None:
        table.fault("special_hand", f"seat {seat} declares {name}; the rules do not tell what makes it up")
    elif len(hand.cards) != 14 or not test(Counter(KIND[card] for card in hand.cards)):
        table.fault("special_hand", f"seat {seat} declares {name} with {show_cards(sorted(hand.cards))}")
