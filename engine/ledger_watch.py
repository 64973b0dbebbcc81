"""Looks on as the referee follows a logged deal, and notes what each turn could do and what its discard met.

These are columns of `turns` that must be read off the table at the moment: whether a legal take existed, and for
the discard the melds it lies in, who threw its kind before, how many copies the thrower could see.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import RED_THREES
from engine.referee_cards import SEQUENCE
from engine.referee_could import may_take
from engine.referee_table import KIND, Table


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

    def discard(self, table: Table, card: int) -> None:
        """What the discard meets; it has left the hand and does not lie on the pile yet."""
        turn, kind = table.turn, KIND[card]
        following = table.book.next_of(turn.seat)
        theirs = table.melds[table.book.side_of[following]]
        hand = table.hands[turn.seat - 1].cards
        seen = sum([1 for other in hand if KIND[other] == kind]) + sum(
            [1 for other in table.pile if KIND[other] == kind]
        )
        for melds in table.melds:
            for meld in melds.values():
                if meld.kind == kind or meld.wilds or meld.kind == SEQUENCE:
                    seen += sum([1 for other in meld.cards if KIND[other] == kind])
        banned = (RED_THREES,) if "red3" in table.rules.discard_bans else ()
        self.discards[-1] = Discard(
            in_theirs=kind in theirs,
            in_ours=kind in table.melds[turn.side],
            thrown_before=kind in self.thrown.get(following, ()),
            seen=seen,
            had_other=any(
                KIND[other] != kind and KIND[other] not in theirs and KIND[other] not in banned for other in hand
            ),
        )
        self.thrown.setdefault(turn.seat, set()).add(kind)
