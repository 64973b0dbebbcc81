"""Weighted sums of ratios: equal to a difference where they are one, as sure as they say, paired where cards agree."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline import stats

TWO = np.array([[-1.0, 1.0]])
SAME, OTHER = np.array([0, 0]), np.array([0, 1])
FOUR = np.array([[-0.5, 0.5, -0.5, 0.5], [1.0, -1.0, -1.0, 1.0]])


def games_of(rng: np.random.Generator, cells: int, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and denominators of cells that share the luck of each game; a cell's ratio is 20 + 3 · its place."""
    luck = rng.gamma(4, 1, games)
    n = rng.poisson(3 + luck, (cells, games)) + 1.0
    k = rng.poisson(n * (20 + 3 * np.arange(cells)[:, None]) * (0.7 + 0.3 * luck / 4)) + 0.0
    return k, n


def blocks_of(k: np.ndarray, n: np.ndarray) -> stats.Blocks:
    sums = [one.reshape(len(one), -1, 64).sum(1) for one in (k, n)]
    return stats.Blocks(*sums, np.full(len(k), float(k.shape[1])))


@pytest.mark.parametrize("cards", [SAME, OTHER], ids=["paired", "unpaired"])
def test_two_cells_come_out_as_method_d_has_them(cards: np.ndarray) -> None:
    k, n = games_of(np.random.default_rng(1), 2, 640)
    paired = bool((cards == SAME).all())
    by_game = stats.contrast(stats.ratios_of_games(k, n), TWO, cards)
    sums = [stats.sum_games(*one) for one in zip(k, n, strict=True)]
    known = stats.subtract_pairs((k[0], n[0]), (k[1], n[1])) if paired else stats.subtract(*sums)
    blocks = blocks_of(k, n)
    parts = [stats.Blocks(blocks.k[at : at + 1], blocks.n[at : at + 1], blocks.games[:1]) for at in (0, 1)]
    by_block = stats.contrast(stats.ratios_of_blocks(blocks), TWO, cards)
    jackknifed = stats.subtract_blocks(*parts, np.array([paired]))
    for mine, theirs in ((by_game, known), (by_block, jackknifed)):
        for name in ("value", "low", "high", "gain", "p"):
            assert getattr(mine, name) == pytest.approx(getattr(theirs, name)), name


def test_a_value_alone_has_the_interval_of_the_ratio() -> None:
    k, n = games_of(np.random.default_rng(2), 1, 640)
    found = stats.contrast(stats.ratios_of_games(k, n), np.ones((1, 1)), np.zeros(1, int))
    known = stats.estimate(stats.sum_games(k[0], n[0]))
    assert (found.low[0], found.high[0]) == pytest.approx((known.low[0], known.high[0]))


@pytest.mark.parametrize("by_block", [False, True], ids=["games", "blocks"])
def test_intervals_of_means_of_differences_and_of_interactions_cover_what_is_true(by_block: bool) -> None:
    rng, hits, times = np.random.default_rng(3), np.zeros(2), 600
    true = FOUR @ (20 + 3 * np.arange(4))
    cards = np.array([0, 0, 1, 1])
    whole, wide = games_of(rng, 4, 64 * 2_000), np.zeros(2)
    true = FOUR @ (whole[0].sum(1) / whole[1].sum(1))
    for _ in range(times):
        (k1, n1), (k2, n2) = games_of(rng, 4, 704), games_of(rng, 4, 704)
        k, n = np.stack([*k1[:2], *k2[2:]]), np.stack([*n1[:2], *n2[2:]])  # cells 2 and 3 met other cards
        ratios = stats.ratios_of_blocks(blocks_of(k, n)) if by_block else stats.ratios_of_games(k, n)
        found = stats.contrast(ratios, FOUR, cards)
        hits += (found.low <= true) & (true <= found.high)
        wide += found.gain / times
    assert (hits / times > 0.925).all(), hits / times
    assert (hits / times < 0.975).all(), hits / times
    assert (wide > 1.05).all()  # sharing cards gained something


def test_a_cell_with_nothing_to_count_leaves_its_sums_without_a_value_and_no_others() -> None:
    k, n = games_of(np.random.default_rng(4), 3, 640)
    k[2] = n[2] = 0
    weights = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    for ratios in (stats.ratios_of_games(k, n), stats.ratios_of_blocks(blocks_of(k, n))):
        found = stats.contrast(ratios, weights, np.zeros(3, int))
        assert np.isnan(found.value).tolist() == [False, True]
        assert np.isnan(found.low).tolist() == [False, True]


def test_cells_that_played_alike_have_no_error_left() -> None:
    k, n = games_of(np.random.default_rng(5), 1, 640)
    twice = stats.ratios_of_games(np.concatenate([k, k]), np.concatenate([n, n]))
    found = stats.contrast(twice, TWO, SAME)
    assert (found.value[0], found.se[0], found.gain[0]) == (0, 0, np.inf)


def test_fewer_games_than_an_interval_needs_get_none() -> None:
    k, n = games_of(np.random.default_rng(6), 2, 20)
    found = stats.contrast(stats.ratios_of_games(k, n), TWO, SAME)
    assert not np.isnan(found.value[0])
    assert np.isnan(found.low[0])
