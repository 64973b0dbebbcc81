"""Playing games from Python: compiled strategies at the table, blocks of the log as they fill.

The kernel fills one LOG record after another; a block is a view of it, valid until the next is
asked for. Nothing here depends on how games are spread over workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numba.core.errors import NumbaError

from engine.block import LOG, column_in
from engine.decision import KINDS
from engine.errors import BadInput, IllegalChoice
from engine.faults import FAULTS
from engine.kernel.loops import loops
from engine.kernel.state import CROUPIER, PLAN, new_record, new_table
from engine.log import MAX_SEATS, TABLES
from engine.rules import Variant, check_playable, compile_rules
from engine.strategies import Strategy


class Rows(Mapping[str, np.ndarray]):
    """Rows of one table, column by column, without a copy."""

    def __init__(self, block: np.record, table: str) -> None:
        self.table = table
        self.count = int(block[f"{table}_rows"])
        self._columns = {column.name: column_in(block, table, column) for column in TABLES[table]}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return self.count

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns in the order of the log."""
        return tuple(self._columns)


class Game:
    """A table with its seats taken: everything the kernel needs, in one piece of memory each."""

    def __init__(self, variant: Variant, lineup: tuple[Strategy, ...], seed: int, *, guard: bool = False) -> None:
        check_playable(variant.rules)
        if len(lineup) != variant.rules.players:
            raise BadInput(f"a line-up of {len(lineup)} seats for {variant.rules.players} players")
        self.variant, self.lineup = variant, lineup
        self.guard, self.table, self.seats, self.rules = new_table(compile_rules(variant.rules))
        self.guard.on = guard
        self.croupier, self.plan = new_record(CROUPIER), new_record(PLAN)
        self.croupier.seed = seed
        self.block = new_record(LOG)
        seats = [*lineup, *(lineup[0],) * (MAX_SEATS - len(lineup))]
        draw, melds, discard, answer = (tuple(one.decisions[kind].compiled for one in seats) for kind in KINDS)
        self._choose = (draw, melds, discard, answer)
        for place, kind in enumerate(KINDS):
            for seat, one in enumerate(seats):
                self.seats.weights[place, seat] = one.decisions[kind].weigh(one.weights.get(kind, {}))

    def play(self, last: int) -> bool:
        """Play on to the end of game `last` or until the block is full; whether all games are played."""
        for table in TABLES:
            self.block[f"{table}_rows"] = 0
        play_games, play_turn = loops()
        try:
            done = play_games(
                self.table,
                self.seats,
                self.rules,
                self.croupier,
                self.block,
                self.plan,
                *self._choose,
                self.guard,
                play_turn,
                last,
            )
        except (NumbaError, TypeError) as error:  # the latter: no `play_games` for such functions
            names = ", ".join(dict.fromkeys(one.name for one in self.lineup))
            raise BadInput(f"a decision of {names} never returns; each must end with a whole number") from error
        except Exception as error:  # what compiled strategies raise
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise IllegalChoice(
                f"{self.explain_place()}: {self.lineup[int(self.table.seat)].name} fails: {reason}"
            ) from error
        if self.croupier.fault:
            raise IllegalChoice(self.explain_fault())
        return bool(done)

    def explain_fault(self) -> str:
        """The illegal choice the kernel stopped at, in one line."""
        seat = int(self.croupier.fault_seat)
        return f"{self.explain_place()}: {self.lineup[seat].name} {list(FAULTS.values())[int(self.croupier.fault)]}"

    def explain_place(self) -> str:
        """Where play stands: variant, game, deal, turn, seat."""
        return (
            f"{self.variant.slug}, game {int(self.croupier.game)}, deal {int(self.table.deal)}, "
            f"turn {int(self.table.turn)}, seat {int(self.table.seat) + 1}"
        )


def play_blocks(
    variant: Variant, lineup: tuple[Strategy, ...], *, seed: int, first_game: int, games: int, guard: bool = False
) -> Iterator[dict[str, Rows]]:
    """Blocks of the log of so many games, whole deals in order; IllegalChoice stops at the first illegal one.

    `guard` checks at every decision that the strategy changed nothing but its plan; it is always on
    for strategies that are not the lab's own.
    """
    own = any(strategy.own for strategy in lineup)
    game = Game(variant, lineup, seed, guard=guard or own)
    game.croupier.game = first_game - 1
    done = False
    while not done:
        done = game.play(first_game + games - 1)
        yield {table: Rows(game.block, table) for table in TABLES}
