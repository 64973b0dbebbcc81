"""Prints a digest of every table of a few games, one line a cell; run apart to compile or interpret otherwise.

`python tests/play_digest.py SEED FIRST GAMES VARIANT=LINEUP…`
"""

from __future__ import annotations

import hashlib
import sys

import numpy as np

from engine.log import TABLES
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup


def digest_games(name: str, lineup: str, *, seed: int, first_game: int, games: int) -> str:
    """Rows of each table and a digest of all their columns, whatever the blocks."""
    variant = load_variant(name)
    columns: dict[str, list[np.ndarray]] = {}
    for block in play_blocks(
        variant, parse_lineup(lineup, variant.rules), seed=seed, first_game=first_game, games=games
    ):
        for table in TABLES:
            for column in block[table].columns:
                columns.setdefault(f"{table}.{column}", []).append(block[table][column].copy())
    whole = hashlib.sha256()
    for name, parts in columns.items():
        whole.update(name.encode())
        whole.update(np.ascontiguousarray(np.concatenate(parts)).tobytes())
    return f"{sum(map(len, columns['moves.card']))} moves {whole.hexdigest()[:16]}"


if __name__ == "__main__":
    seed, first, games = map(int, sys.argv[1:4])
    for cell in sys.argv[4:]:
        name, _, lineup = cell.partition("=")
        print(cell, digest_games(name, lineup, seed=seed, first_game=first, games=games))
