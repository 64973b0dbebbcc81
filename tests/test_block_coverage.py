"""Intervals from blocks cover what they promise on games that were really played, drawn again and again."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline import stats
from pipeline.comparison import _read_units
from pipeline.measure_question import pose
from pipeline.metric import load_metric
from pipeline.run import Run, open_run
from pipeline.stats import Blocks, estimate_blocks, subtract_blocks

GAMES = 1_280
SIZES = [
    pytest.param(500, 0.92, 0.98, id="fast"),
    pytest.param(6_000, 0.93, 0.97, id="precise", marks=pytest.mark.slow),
]


@pytest.fixture(scope="module")
def run(rolled_run) -> Run:
    return open_run(rolled_run)


def units(run: Run, name: str, by: tuple[str, ...] = ("variant", "lineup")) -> dict[tuple, np.ndarray]:
    """K and n of each game of a cell or row of the answer, games down, in their order."""
    question = pose(run.cursor(), load_metric(name), by)
    found = _read_units(run.cursor(), question, {"variant": None, "lineup": None})
    return {key: frame.sort("game").select("k0", "n").to_numpy().astype(float) for key, frame in found.items()}


def draw(rng: np.random.Generator, games: int, datasets: int) -> np.ndarray:
    """Which games each dataset has, by block."""
    return rng.integers(0, games, (datasets, GAMES // 64, 64))


def blocks_of(played: np.ndarray, chosen: np.ndarray) -> Blocks:
    both = played[chosen].sum(1)
    return Blocks(both[..., 0], both[..., 1], np.full(len(chosen), float(GAMES)))


@pytest.mark.parametrize(("datasets", "least", "most"), SIZES)
@pytest.mark.parametrize(
    ("name", "method"),
    [("turns_per_game", "R"), ("points_per_side_deal", "R"), ("frozen_turn_share", "W"), ("take_rate", "W")],
)
def test_intervals_of_played_games_cover_95_percent(run, name, method, datasets, least, most):
    played = units(run, name)[run.variants[0], "safe"]
    found = estimate_blocks(blocks_of(played, draw(np.random.default_rng(11), len(played), datasets)), method)
    k, n = played.sum(0)
    assert least < np.mean((found.low <= k / n) & (k / n <= found.high)) < most


@pytest.mark.parametrize(("datasets", "least", "most"), SIZES)
@pytest.mark.parametrize("paired", [True, False])
def test_differences_of_played_games_cover_95_percent(run, paired, datasets, least, most):
    cells = units(run, "turns_per_deal")
    one, two = (cells[variant, "safe"] for variant in run.variants)
    rng = np.random.default_rng(12)
    chosen = draw(rng, len(one), datasets)
    other = chosen if paired else draw(rng, len(two), datasets)
    found = subtract_blocks(blocks_of(one, chosen), blocks_of(two, other), np.full(datasets, paired))
    truth = two[:, 0].sum() / two[:, 1].sum() - one[:, 0].sum() / one[:, 1].sum()
    assert least < np.mean((found.low <= truth) & (truth <= found.high)) < most
    by_game = stats.subtract_pairs((one[:, 0], one[:, 1]), (two[:, 0], two[:, 1]))
    assert np.median(found.gain) == pytest.approx(by_game.gain[0] if paired else 1, rel=0.15)
