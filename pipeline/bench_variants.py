"""How fast each preset is played: what `canasta bench --variants` prints.

Games are played and thrown away, in this one thread; nothing is encoded or written. The first games of a variant do
not count: they pay for memory, and the very first of all for compiling.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.errors import BadInput, IllegalChoice
from engine.play import play_blocks
from engine.rules import Variant, check_playable, load_variant, variant_names
from engine.strategies import parse_lineup

WARM_GAMES = 5


@dataclass(frozen=True)
class VariantSpeed:
    """Speed of one variant: games, deals, turns and logged moves a CPU second; `failed` says why there are none."""

    variant: str
    games: int
    games_per_second: float | None = None
    deals_per_second: float | None = None
    turns_per_second: float | None = None
    moves_per_second: float | None = None
    failed: str = ""


def measure_variants(games: int, *, variants: Sequence[str] = (), strategy: str = "safe") -> Iterator[VariantSpeed]:
    """The speed of every preset in turn, or of those named, with one strategy on all seats."""
    for name in variants or variant_names():
        try:
            yield measure_variant(load_variant(name), games, strategy)
        except (BadInput, IllegalChoice) as error:
            yield VariantSpeed(name, 0, failed=str(error))


def measure_variant(variant: Variant, games: int, strategy: str = "safe") -> VariantSpeed:
    """The speed of so many games of a variant; BadInput where it is not playable, IllegalChoice where one stops."""
    check_playable(variant.rules)
    _count_rows(variant, strategy, 1, WARM_GAMES)
    before = time.process_time()
    rows = _count_rows(variant, strategy, WARM_GAMES + 1, games)
    seconds = max(time.process_time() - before, 1e-9)
    deals, turns, moves = (rows[table] / seconds for table in ("deals", "turns", "moves"))
    return VariantSpeed(variant.slug, games, games / seconds, deals, turns, moves)


def _count_rows(variant: Variant, strategy: str, first_game: int, games: int) -> dict[str, int]:
    rows = dict.fromkeys(("deals", "turns", "moves"), 0)
    lineup = parse_lineup(strategy, variant.rules)
    for blocks in play_blocks(variant, lineup, seed=1, first_game=first_game, games=games):
        for table in rows:
            rows[table] += len(blocks[table])
    return rows
