"""What the built-in strategies live up to."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from playable import VARIANTS

from engine.log import DEAL_ENDINGS, GAME_ENDINGS
from engine.play import play_blocks
from engine.rules import Variant, load_variant
from engine.strategies import (
    parse_lineup,
    strategy_names,
)

CLASSIC = load_variant("classic4")
SENSIBLE = ("naive", "safe", "freezer", "hoarder", "builder")

CROWDED = ("pennies_from_heaven", "railroad")
"""A side can lay fewer cards (one meld of seven a rank) than it is dealt and draws: many deals end with the stock."""


def play(
    variant: Variant, lineup: str, table: str, *, games: int, seed: int = 1, guard: bool = False
) -> dict[str, Any]:
    """The rows of one table of so many games, column by column."""
    blocks = play_blocks(
        variant, parse_lineup(lineup, variant.rules), seed=seed, first_game=1, games=games, guard=guard
    )
    parts = [{name: block[table][name].copy() for name in block[table].columns} for block in blocks]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


# --------------------------------------------------------------------------------------------------- built-in ones
@pytest.mark.parametrize("strategy", strategy_names())
@pytest.mark.parametrize("name", VARIANTS)
def test_every_strategy_plays_every_variant(name: str, strategy: str) -> None:
    variant = load_variant(name)
    endings = Counter()
    for block in play_blocks(
        variant, parse_lineup(strategy, variant.rules), seed=3, first_game=1, games=50, guard=True
    ):
        endings.update(f"deal {DEAL_ENDINGS[code - 1]}" for code in block["deals"]["ending"])
        endings.update(f"game {GAME_ENDINGS[code - 1]}" for code in block["games"]["ending"])
    assert sum(count for ending, count in endings.items() if ending.startswith("game")) == 50
    assert endings["deal cap"] == 0
    assert endings["game cap"] == 0 or strategy not in SENSIBLE


@pytest.mark.parametrize("strategy", SENSIBLE)
def test_sensible_strategies_end_deals_by_going_out_in_a_sensible_time(strategy: str) -> None:
    deals = play(CLASSIC, strategy, "deals", games=400)
    out = np.isin(deals["ending"], [DEAL_ENDINGS.index(word) + 1 for word in ("out", "concealed")])
    assert out.mean() >= 0.95
    low, high = np.percentile(deals["turns"], [10, 90])
    assert low >= 10
    assert high <= 50


@pytest.mark.parametrize("name", VARIANTS)
def test_deals_of_every_variant_end_by_going_out_and_bring_points(name: str) -> None:
    variant = load_variant(name)
    went_out = [DEAL_ENDINGS.index(word) + 1 for word in ("out", "concealed", "special")]
    shares = [np.isin(play(variant, one, "deals", games=60)["ending"], went_out).mean() for one in ("safe", "builder")]
    assert max(shares) >= (0.2 if name in CROWDED else 0.4)
    assert play(variant, "builder", "sides", games=60)["score"].mean() > 200


def test_classic_games_last_four_to_eight_deals() -> None:
    assert 4 <= play(CLASSIC, "safe", "games", games=400)["deals"].mean() <= 8


@pytest.mark.parametrize("weak", ["random", "naive"])
def test_safe_beats_weak_strategies_from_either_side(weak: str) -> None:
    won = [
        play(CLASSIC, lineup, "games", games=400)["winner"] == side
        for lineup, side in ((f"safe~{weak}", 1), (f"{weak}~safe", 2))
    ]
    share, count = np.mean(won), np.size(won)
    assert share > 0.5 + 3 * 0.5 / np.sqrt(count)


def test_leading_is_worth_little() -> None:
    variant = load_variant("classic4")
    won, decided = 0, 0
    for block in play_blocks(variant, parse_lineup("safe", variant.rules), seed=9, first_game=1, games=2000):
        scores = block["sides"]["score"].reshape(-1, 2)
        leads = block["deals"]["dealer"] % 2  # place of the side of the seat after the dealer
        mine = np.take_along_axis(scores, leads[:, None].astype(np.int64), 1)[:, 0]
        other = scores.sum(1) - mine
        won += int((mine > other).sum())
        decided += int((mine != other).sum())
    assert 0.48 <= won / decided <= 0.54


def test_an_opening_that_goes_out_is_laid_whole() -> None:
    variant = load_variant("classic3_cutthroat", {"initial_minimums": "<0:200"})
    assert len(play(variant, "hoarder", "deals", games=2, seed=802659, guard=True)["game"]) > 2
