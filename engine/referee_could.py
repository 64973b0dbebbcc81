"""What a seat could do with the pile before it acts: whether any legal take exists (RULES §1.6, §1.7, §1.9).

A take is possible only when its turn can be finished: the last card may be discarded, or laid, only by who
goes out. The hand must be known.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import RED_THREES
from engine.referee_melds import may_add_wild
from engine.referee_pile import is_frozen, is_one_card_ban
from engine.referee_table import CANASTA, KIND, NATURAL_KINDS, POINTS, WILD, Meld, Table
from engine.rules import Rules

Opening = tuple[int, int, int, int]
"""Points, cards from hand, wilds and canastas of melds laid together."""


def may_take(table: Table) -> bool:
    """Whether the seat whose turn begins could legally take the pile."""
    turn, pile = table.turn, table.pile
    if not pile or KIND[pile[-1]] >= NATURAL_KINDS or is_one_card_ban(table, turn.hand):
        return False
    kind = KIND[pile[-1]]
    hand = table.hands[turn.seat - 1].cards
    naturals = sum(1 for card in hand if KIND[card] == kind)
    if not turn.opened_before:
        return naturals >= 2 and _may_open(table, kind)
    meld = table.melds[turn.side].get(kind) or Meld(kind)
    if is_frozen(table):
        return naturals >= 2 and _may_finish(table, meld, 2, None)
    ways, rules = table.rules.unfrozen_take, table.rules
    if "add" in ways and may_add_upcard(table, meld) and _may_finish(table, meld, 0, None):
        return True
    if "pair" in ways and naturals >= 2 and _may_finish(table, meld, 2, None):
        return True
    if "natural_wild" not in ways or not naturals:
        return False
    wilds = {card for card in hand if WILD[card]}
    return any(_may_lay_wild(rules, meld) and _may_finish(table, meld, 1, wild) for wild in wilds)


def may_add_upcard(table: Table, meld: Meld) -> bool:
    """Whether the upcard may be taken by adding it to a meld of the side."""
    return bool(meld.cards) and (table.rules.add_to_complete or not meld.is_canasta)


def _may_lay_wild(rules: Rules, meld: Meld) -> bool:
    """One natural, one wild and the upcard: a valid meld, joined to what lies there."""
    return may_add_wild(rules, meld, naturals=2) and meld.naturals + 2 >= rules.min_naturals


def _may_finish(table: Table, meld: Meld, naturals: int, wild: int | None) -> bool:
    """Whether the turn can be finished after laying naturals, perhaps a wild, and the upcard to a meld."""
    hand = list(table.hands[table.turn.seat - 1].cards)
    for _ in range(naturals):
        hand.remove(next(card for card in hand if KIND[card] == meld.kind))
    if wild is not None:
        hand.remove(wild)
    rest = _pick_up(table)
    if len(hand) + len(rest) >= 2:
        return True
    sizes = {other.kind: len(other.cards) for other in table.melds[table.turn.side].values()}
    sizes[meld.kind] = len(meld.cards) + naturals + (wild is not None) + 1
    return _may_go_out(table, sizes, [*hand, *rest])


def must_take(table: Table) -> bool:
    """With the stock empty: the upcard fits an own meld and the pile is not frozen (RULES §1.9)."""
    turn, rules, pile = table.turn, table.rules, table.pile
    if rules.stock_end != "pile_play_forced" or not pile or is_frozen(table) or "add" not in rules.unfrozen_take:
        return False
    kind = KIND[pile[-1]]
    meld = None if kind in turn.new_kinds else table.melds[turn.side].get(kind)
    if meld is None or kind >= NATURAL_KINDS or not may_add_upcard(table, meld):
        return False
    return not is_one_card_ban(table, turn.hand) and (
        not table.hands[turn.seat - 1].is_known or _may_finish(table, meld, 0, None)
    )


def _pick_up(table: Table) -> list[int]:
    """The cards below the upcard that join the hand; red threes among them are laid (RULES §1.3)."""
    return [card for card in table.pile[:-1] if KIND[card] != RED_THREES]


def _may_go_out(table: Table, sizes: dict[int, int], last: list[int]) -> bool:
    """Whether a hand of at most one card may be emptied, with melds of these sizes on the table."""
    rules = table.rules
    missing = rules.canastas_out - sum(1 for kind, size in sizes.items() if size >= CANASTA and kind < NATURAL_KINDS)
    if missing <= 0:
        return bool(last) or rules.out_discard == "optional"
    if missing > 1 or rules.out_discard == "required" or not last:
        return False
    card = last[0]
    melds = table.melds[table.turn.side]
    return any(
        size == CANASTA - 1
        and (KIND[card] == kind or (WILD[card] and may_add_wild(rules, melds.get(kind) or Meld(kind), naturals=1)))
        for kind, size in sizes.items()
    )


# ------------------------------------------------------------------------------------------------ opening with the pile
def _may_open(table: Table, kind: int) -> bool:
    """Whether an opening with a natural pair for the upcard reaches the minimum and leaves a turn that can end."""
    turn, rules = table.turn, table.rules
    hand = table.hands[turn.seat - 1].cards
    counts = [0] * NATURAL_KINDS
    for card in hand:
        if KIND[card] < NATURAL_KINDS:
            counts[KIND[card]] += 1
    wilds = sorted((POINTS[card] for card in hand if WILD[card]), reverse=True)
    need = table.minimums[turn.side] - POINTS[table.pile[-1]]
    if _count_most(rules, counts, wilds, kind) < need:
        return False
    left = len(hand) + len(_pick_up(table))
    if left - len(hand) >= 2:
        return True
    return any(
        points >= need
        and (
            left - cards >= 2 or (canastas >= rules.canastas_out and (left > cards or rules.out_discard == "optional"))
        )
        for points, cards, _, canastas in _openings(rules, counts, wilds, kind)
    )


def _count_most(rules: Rules, counts: list[int], wilds: list[int], kind: int) -> int:
    """The most points the hand can lay in melds, with two naturals or more to the upcard; -1 when it cannot."""
    best = {0: 0}  # wilds used → points of naturals
    for other, held in enumerate(counts):
        if not held:
            continue
        there = other == kind
        following: dict[int, int] = {} if there else dict(best)
        points = held * _POINTS_OF_KIND[other]
        for used, gained in best.items():
            for more in _wilds_for(rules, held + there, len(wilds) - used):
                total = used + more
                if following.get(total, -1) < gained + points:
                    following[total] = gained + points
        best = following
    return max((points + sum(wilds[:used]) for used, points in best.items()), default=-1)


def _wilds_for(rules: Rules, naturals: int, left: int) -> range:
    """Numbers of wilds that make a valid meld with so many naturals."""
    most = {"none": left, "not_more": naturals, "fewer": naturals - 1}[rules.wild_ratio]
    least = max(3 - naturals, 0) if naturals >= rules.min_naturals else left + 1
    return range(least, min(left, rules.max_wilds, most) + 1)


def _openings(rules: Rules, counts: list[int], wilds: list[int], kind: int) -> Iterator[Opening]:
    """Every set of melds the hand can lay with two naturals or more to the upcard: for the rare short hand and pile."""
    found: set[Opening] = {(0, 0, 0, 0)}
    for other, held in enumerate(counts):
        there = other == kind
        grown: set[Opening] = set() if there else set(found)
        for naturals in range(2 if there else 1, held + 1):
            for points, cards, used, canastas in found:
                for more in _wilds_for(rules, naturals + there, len(wilds) - used):
                    size = naturals + there + more
                    grown.add(
                        (
                            points + naturals * _POINTS_OF_KIND[other],
                            cards + naturals + more,
                            used + more,
                            canastas + (size >= CANASTA),
                        )
                    )
        found = grown
    for points, cards, used, canastas in found:
        yield points + sum(wilds[:used]), cards, used, canastas


_POINTS_OF_KIND = [POINTS[kind * 4] for kind in range(NATURAL_KINDS)]
