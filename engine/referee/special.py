"""Special hands: fourteen cards after a stock draw that end the deal (RULES §10).

RULES names them and gives sizes; what makes each up is the Canasta League's page as its source has it: pairs are of
different ranks, groups of wilds match (jokers or twos) but for the five of a dream hand, none but the straight has
a three.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from engine.cards import BLACK_THREES, JOKERS, RANKS, RED_THREES, TWOS
from engine.history.record import Action, show_cards
from engine.referee.cards import KIND, NATURAL_KINDS
from engine.referee.table import Table

_ACE, _SEVEN = RANKS.index("A"), RANKS.index("7")
Kinds = Counter[int]


def _sizes(kinds: Kinds) -> list[int]:
    """Sizes of the groups of natural ranks, largest first."""
    return sorted((count for kind, count in kinds.items() if kind < NATURAL_KINDS), reverse=True)


def _wilds(kinds: Kinds) -> list[int]:
    """Sizes of the groups of twos and of jokers, largest first."""
    return sorted((kinds[kind] for kind in (TWOS, JOKERS) if kinds[kind]), reverse=True)


def _with_wilds(kinds: Kinds) -> list[int]:
    """Sizes of all groups, twos and jokers each one of their own."""
    return sorted((*_sizes(kinds), *_wilds(kinds)), reverse=True)


def _is_pairs_of(kinds: Kinds, wild: tuple[int, ...]) -> bool:
    """Seven different pairs with aces and sevens, and with just these kinds of wilds."""
    needed = {_ACE, _SEVEN, *wild} <= {*kinds}
    return needed and _with_wilds(kinds) == [2] * 7 and len(_wilds(kinds)) == len(wild)


def _is_straight(kinds: Kinds) -> bool:
    threes = kinds[RED_THREES] + kinds[BLACK_THREES]
    ones = all(kinds[kind] == 1 for kind in (*range(NATURAL_KINDS), TWOS, JOKERS))
    return ones and threes == 1


HANDS: dict[str, Callable[[Kinds], bool]] = {
    "pairs": lambda kinds: _sizes(kinds) == [2] * 7,
    "wild_pairs": lambda kinds: _is_pairs_of(kinds, (TWOS,)) or _is_pairs_of(kinds, (JOKERS,)),
    "miami_pairs": lambda kinds: _is_pairs_of(kinds, (TWOS, JOKERS)),
    "zip_code": lambda kinds: _with_wilds(kinds) == [4, 3, 3, 2, 2],
    "straight": _is_straight,
    "garbage": lambda kinds: _sizes(kinds) == [4, 4, 3, 3],
    "blast_off": lambda kinds: _with_wilds(kinds) == [5, 4, 3, 2],
    "triples": lambda kinds: (_sizes(kinds), _wilds(kinds)) == ([3, 3, 3, 3], [2]),
    "quads": lambda kinds: (_sizes(kinds), _wilds(kinds)) == ([4, 4, 4], [2]),
    "dream_plus_4": lambda kinds: (_sizes(kinds), _wilds(kinds)) == ([5, 5], [4]),
    "dream_plus_5": lambda kinds: (_sizes(kinds), sum(_wilds(kinds))) == ([5, 4], 5),
}
"""What makes up each special hand of fourteen cards; wild pairs as the Canasta League has them."""


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
    kinds = Counter(KIND[card] for card in hand.cards)
    made_up = HANDS[name](kinds)
    if name == "wild_pairs" and table.rules.wild_pair_kind == "twos":
        made_up = _is_pairs_of(kinds, (TWOS,)) or _is_pairs_of(kinds, (TWOS, JOKERS))
    if len(hand.cards) != 14 or not made_up:
        table.fault("special_hand", f"seat {seat} declares {name} with {show_cards(sorted(hand.cards))}")
