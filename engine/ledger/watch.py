"""Looks on as the referee follows a logged deal, and notes what each turn could do and what its discard met.

These are columns of `turns` that must be read off the table at the moment: whether a legal take existed, and for
the discard the melds it lies in, who threw its kind before, how many copies the thrower could see.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import JOKERS, TWOS
from engine.referee.bans import find_free_kinds
from engine.referee.cards import SEQUENCE, Melds
from engine.referee.could import may_take
from engine.referee.table import KIND, Table


@dataclass(slots=True)
class Discard:
    """What a discard met; the columns of `turns` of the same names."""

    in_theirs: bool
    in_ours: bool
    thrown_before: bool
    seen: int
    had_other: bool


@dataclass(slots=True)
class TurnNotes:
    """What was noted of each turn, by its place."""

    could_take: list[bool] = field(default_factory=list)
    discards: list[Discard | None] = field(default_factory=list)
    thrown: dict[int, set[int]] = field(default_factory=dict)

    def begin_turn(self, table: Table) -> None:
        """Whether the seat could take the pile."""
        self.could_take.append(may_take(table))
        self.discards.append(None)

    def look_again(self, table: Table) -> None:
        """What the turn meets once a reserve has been taken up."""
        turn = table.turn
        turn.hand, turn.stock = table.hands[turn.seat - 1].size, table.stock
        self.could_take[-1] = may_take(table)

    def discard(self, table: Table, card: int) -> None:
        """What the discard meets; it has left the hand and does not lie on the pile yet."""
        turn, kind = table.turn, KIND[card]
        following = table.book.next_of(turn.seat)
        theirs = table.melds[table.book.side_of[following]]
        hand = table.hands[turn.seat - 1].cards
        seen = sum([1 for other in hand if KIND[other] == kind])
        hidden = table.face_down
        seen += sum([1 for place, other in enumerate(table.pile) if KIND[other] == kind and place not in hidden])
        for melds in {id(melds): melds for melds in table.melds}.values():  # partners of a deal have theirs in common
            for meld in melds.values():
                if meld.kind == kind or meld.wilds or meld.kind == SEQUENCE:
                    seen += sum([1 for other in meld.cards if KIND[other] == kind])
        hand.append(card)  # what may be discarded goes by the hand as it was
        free = find_free_kinds(table, turn.seat)
        had_other = any(other != kind and not _lies_in(theirs, other) for other in free)
        hand.remove(card)
        self.discards[-1] = Discard(
            in_theirs=_lies_in(theirs, kind),
            in_ours=_lies_in(table.melds[turn.side], kind),
            thrown_before=kind in self.thrown.get(following, ()),
            seen=seen,
            had_other=had_other,
        )
        self.thrown.setdefault(turn.seat, set()).add(kind)


def _lies_in(melds: Melds, kind: int) -> bool:
    """Whether cards of a kind lie in a meld as its naturals; wild cards never do."""
    return kind not in (TWOS, JOKERS) and kind in melds
