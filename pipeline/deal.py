"""One deal of a run as an object: its rows, the table at any turn, a hand history, and a page for a notebook.

To play on from a turn with another card is not there yet.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import polars as pl

from engine.errors import BadInput
from engine.history.writer import write_history
from engine.referee.verdict import Verdict, judge
from pipeline.frames import frame_schema
from pipeline.position import Position
from pipeline.replay import Replay, to_history, write_text


class Deal:
    """A deal of a run, found by its numbers (`Run.deal`)."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.variant, self.lineup = replay.cell.variant, replay.cell.lineup
        self.game, self.number = int(replay.deal["game"]), int(replay.deal["deal"])

    def __repr__(self) -> str:
        return write_text(self.replay).rstrip()

    def _repr_html_(self) -> str:
        from pipeline.deal_page import write_page

        return write_page(self)

    @cached_property
    def turns(self) -> pl.DataFrame:
        """Its rows of `turns`, as `Run.turns` gives them."""
        return pl.DataFrame(list(self.replay.turns), schema=frame_schema("turns"))

    @cached_property
    def moves(self) -> pl.DataFrame:
        """Its rows of `moves`, as `Run.moves` gives them."""
        return pl.DataFrame(list(self.replay.moves), schema=frame_schema("moves"))

    @cached_property
    def sides(self) -> pl.DataFrame:
        """Its rows of `sides`, as `Run.sides` gives them."""
        return pl.DataFrame(list(self.replay.sides), schema=frame_schema("sides"))

    @property
    def positions(self) -> dict[int, Position]:
        """The table as each turn begins; 0 is as dealt, the number after the last turn the end."""
        return self.replay.positions

    def at(self, turn: int = 0) -> Position:
        """The table as a turn begins: hands, melds, red threes, pile; BadInput for a turn that was not played."""
        if turn not in self.positions:
            raise BadInput(f"turn {turn}: the deal has turns 1 to {max(self.positions) - 1}, 0 is as dealt")
        return self.positions[turn]

    def hands(self, turn: int = 0) -> dict[int, str]:
        """The hand of each seat as a turn begins (0: as dealt), cards in playing order: `4H 4S 9D …`."""
        return {seat: " ".join(cards) for seat, cards in enumerate(self.at(turn).hands, start=1)}

    def chh(self) -> str:
        """The deal as a hand history (docs/hand_history.md), which `canasta check` judges."""
        return write_history(to_history(self.replay))

    def save(self, path: Path | str) -> Path:
        """Write the hand history to a file, best named `….chh`, and say where."""
        place = Path(path)
        place.write_text(self.chh(), encoding="utf-8")
        return place

    def check(self) -> Verdict:
        """What the referee says of it."""
        return judge(to_history(self.replay))
