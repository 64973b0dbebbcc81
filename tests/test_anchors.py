"""Outside anchors as ranges: what is published about Canasta, or measured on bots of other people."""

from __future__ import annotations

import numpy as np
import pytest

from engine.log import DEAL_ENDINGS, code
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup

GAMES = 300


@pytest.fixture(scope="module")
def deals() -> dict[str, dict[str, np.ndarray]]:
    variant = load_variant("classic4")
    found = {}
    for name in ("safe", "hoarder"):
        blocks = list(play_blocks(variant, parse_lineup(name, variant.rules), seed=11, first_game=1, games=GAMES))
        assert len(blocks) == 1  # a block is a view, valid until the next
        found[name] = {column: blocks[0]["deals"][column].copy() for column in ("game", "turns", "ending")}
    return found


@pytest.mark.parametrize("name", ["safe", "hoarder"])
def test_almost_every_classic_deal_ends_by_going_out(deals: dict[str, dict[str, np.ndarray]], name: str) -> None:
    out = np.isin(deals[name]["ending"], [code(DEAL_ENDINGS, "out"), code(DEAL_ENDINGS, "concealed")])
    assert out.mean() > 0.98


def test_games_of_players_who_play_on_last_four_to_six_deals(deals: dict[str, dict[str, np.ndarray]]) -> None:
    assert 4 <= len(deals["hoarder"]["game"]) / GAMES <= 6


@pytest.mark.parametrize("name", ["safe", "hoarder"])
def test_half_the_deals_last_twenty_to_forty_turns(deals: dict[str, dict[str, np.ndarray]], name: str) -> None:
    assert 20 <= np.median(deals[name]["turns"]) <= 40
