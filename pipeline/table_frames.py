"""The log's tables by their names, one method each, for whatever has rows of them: a run, or several."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import polars as pl

Games = tuple[int, int]
Choice = str | Sequence[str] | None


class TableFrames(ABC):
    """LazyFrames of the log's tables; `frame` is the one there must be."""

    @abstractmethod
    def frame(
        self, table: str, variant: Choice = None, lineup: Choice = None, games: Games | None = None
    ) -> pl.LazyFrame:
        """A table by its name; arguments as in `moves`."""

    def moves(self, variant: Choice = None, lineup: Choice = None, games: Games | None = None) -> pl.LazyFrame:
        """Cards moved, in order. `variant`, `lineup` (one or several) and `games` (first, last) leave files unread."""
        return self.frame("moves", variant, lineup, games)

    def turns(self, variant: Choice = None, lineup: Choice = None, games: Games | None = None) -> pl.LazyFrame:
        """Turns of seats; arguments as in `moves`."""
        return self.frame("turns", variant, lineup, games)

    def piles(self, variant: Choice = None, lineup: Choice = None, games: Games | None = None) -> pl.LazyFrame:
        """Lives of the pile; arguments as in `moves`."""
        return self.frame("piles", variant, lineup, games)

    def deals(self, variant: Choice = None, lineup: Choice = None, games: Games | None = None) -> pl.LazyFrame:
        """Deals; arguments as in `moves`."""
        return self.frame("deals", variant, lineup, games)

    def sides(self, variant: Choice = None, lineup: Choice = None, games: Games | None = None) -> pl.LazyFrame:
        """Sides of deals; arguments as in `moves`."""
        return self.frame("sides", variant, lineup, games)

    def games(self, variant: Choice = None, lineup: Choice = None, games: Games | None = None) -> pl.LazyFrame:
        """Games; arguments as in `moves`."""
        return self.frame("games", variant, lineup, games)
