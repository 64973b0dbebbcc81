"""The rows of `piles`: the lives of the pile in a deal, told again from the turns the referee followed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.cards import BLACK_THREES
from engine.ledger.deals import LoggedDeal
from engine.ledger.rows import Ledger
from engine.log import FREEZES, LIFE_ENDINGS, NULL, TAKES
from engine.referee.faults import Fault
from engine.referee.table import KIND, POINTS, WILD, Table


@dataclass
class Life:
    """One life of the pile, from its first card to a take or the end of the deal."""

    first_turn: int
    cards: list[int] = field(default_factory=list)
    frozen_turn: int | None = None
    frozen_by: str | None = None
    frozen_seat: int | None = None
    wilds_on_frozen: int = 0
    black_threes: int = 0
    last_turn: int = 0
    taken_seat: int | None = None
    how: str | None = None

    def as_columns(self) -> dict[str, int]:
        """The values logged of it."""
        return {
            "first_turn": self.first_turn,
            "last_turn": self.last_turn,
            "frozen_turn": NULL if self.frozen_turn is None else self.frozen_turn,
            "frozen_by": 0 if self.frozen_by is None else FREEZES.index(self.frozen_by) + 1,
            "frozen_seat": NULL if self.frozen_seat is None else self.frozen_seat,
            "wilds_on_frozen": self.wilds_on_frozen,
            "black_threes": self.black_threes,
            "ending": LIFE_ENDINGS.index("deal" if self.taken_seat is None else "take") + 1,
            "taken_seat": NULL if self.taken_seat is None else self.taken_seat,
            "how": 0 if self.how is None else TAKES.index(self.how) + 1,
            "cards": len(self.cards),
            "card_points": sum(POINTS[card] for card in self.cards),
        }


def find_lives(table: Table, upcards: Iterable[int], turns: int) -> list[Life]:
    """The lives of the pile in order, over so many turns."""
    lives: list[Life] = []
    first = Life(0, list(upcards))
    if table.turns and table.turns[0].frozen_by not in (None, "always"):
        first.frozen_turn, first.frozen_by = 0, table.turns[0].frozen_by
    life = first if first.cards else None
    for turn in table.turns[:turns]:
        if turn.took and life is not None:
            life.last_turn, life.taken_seat, life.how = turn.number, turn.seat, turn.way
            lives.append(life)
            rest = life.cards[: len(life.cards) - turn.took_cards] if table.rules.pile_rest == "stays" else []
            life = Life(turn.number, rest) if rest else None
        if turn.discard is None:
            continue
        life = life or Life(turn.number)
        on_frozen = life.frozen_by is not None
        if table.book.always_frozen:
            on_frozen = len(life.cards) > 0
        elif table.rules.freeze_ends != "taken":
            on_frozen = turn.frozen and not turn.took
        life.wilds_on_frozen += WILD[turn.discard] and on_frozen
        life.black_threes += KIND[turn.discard] == BLACK_THREES
        life.cards.append(turn.discard)
        if turn.froze:
            life.frozen_turn, life.frozen_seat = turn.number, turn.seat
            life.frozen_by = (
                "wild" if WILD[turn.discard] else "black3" if KIND[turn.discard] == BLACK_THREES else "red3"
            )
    if life is not None:
        life.last_turn = turns
        lives.append(life)
    return lives


def compare_piles(table: Table, logged: LoggedDeal, ledger: Ledger) -> Iterable[Fault]:
    """The rows of `piles` against the lives found."""
    rows = logged.piles
    upcards = [code - 1 for code in logged.deal["upcards"] if code > 0]
    lives = find_lives(table, upcards, ledger.turns)
    if rows["pile"] != list(range(1, len(lives) + 1)):
        yield Fault(0, 0, "log_pile", f"piles {rows['pile']} are logged; the moves give 1 to {len(lives)}")
        return
    for place, life in enumerate(lives):
        for column, value in life.as_columns().items():
            if rows[column][place] != value:
                text = f"pile {place + 1}: {column} is {rows[column][place]}; the moves give {value}"
                yield Fault(0, 0, "log_pile", text)
