"""Who wins: shares over mirror blocks against plain arithmetic, with ties, three sides, capped and missing games."""

from __future__ import annotations

import math
from statistics import fmean, stdev

import numpy as np
import polars as pl
import pytest

from pipeline.query import load_query, run_query
from pipeline.run import Run, open_run

Z = 1.959964
Game = tuple[int, tuple[int, ...], str]


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


def results_of(scores: tuple[int, ...]) -> list[float]:
    best = max(scores)
    return [(score == best) / scores.count(best) for score in scores]


def slow_blocks(cells: dict[tuple[str, ...], dict[int, Game]], strategy: str) -> list[tuple[float, float, int]]:
    """Mean result, points ahead and deals of a strategy in each block that every seating has and no cap ended."""
    blocks = []
    for game in sorted(set.intersection(*(set(games) for games in cells.values()))):
        seatings = [(sides, games[game]) for sides, games in cells.items()]
        if any(ending == "cap" for _, (_, _, ending) in seatings):
            continue
        won, ahead, deals = [], 0.0, 0
        for sides, (played, scores, _) in seatings:
            for side, name in enumerate(sides):
                if name == strategy:
                    others = [score for place, score in enumerate(scores) if place != side]
                    won.append(results_of(scores)[side])
                    ahead += scores[side] - fmean(others)
                    deals += played
        blocks.append((fmean(won), ahead, deals))
    return blocks


def check(row: dict, blocks: list[tuple[float, float, int]], seatings: int) -> None:
    won = [one for one, _, _ in blocks]
    half = Z * stdev(won) / math.sqrt(len(won))
    assert (row["blocks"], row["games"]) == (len(blocks), seatings * len(blocks))
    assert (row["win_rate"], row["win_rate_low"], row["win_rate_high"]) == pytest.approx(
        (fmean(won), fmean(won) - half, fmean(won) + half)
    )
    deals = sum(n for _, _, n in blocks)
    edge = sum(k for _, k, _ in blocks) / deals
    squares = sum((k - edge * n) ** 2 for _, k, n in blocks) * len(blocks) / (len(blocks) - 1)
    half = Z * math.sqrt(squares) / deals
    assert (row["points_per_deal"], row["points_per_deal_high"]) == pytest.approx((edge, edge + half))


def read_cells(run: Run, variant: str, given: str) -> dict[tuple[str, ...], dict[int, Game]]:
    return {
        cell.side_strategies: {
            game: (deals, tuple(scores), ending)
            for game, deals, scores, ending in run.games(variant, cell.lineup)
            .select("game", "deals", "scores", "ending").collect().iter_rows()
        }
        for cell in run.parts
        if (cell.variant, cell.given) == (variant, given)
    }  # fmt: skip


def test_win_rates_and_points_are_means_over_mirror_blocks(run):
    found = run.query("head_to_head")
    assert set(found["lineup"]) == {"safe~naive"}
    for row in found.iter_rows(named=True):
        check(row, slow_blocks(read_cells(run, row["variant"], row["lineup"]), row["strategy"]), 2)
        assert row["mirrored"]
        assert {row["strategy"], row["opponent"]} == {"safe", "naive"}


def test_what_one_wins_the_other_loses(run):
    for _, rows in run.query("head_to_head").group_by("variant"):
        assert rows["win_rate"].sum() == pytest.approx(1)
        assert rows["points_per_deal"].sum() == pytest.approx(0, abs=1e-9)


def test_any_seating_stands_for_its_line_up_and_a_level_widens(run):
    whole = run.query("head_to_head")
    assert run.query("head_to_head", lineup="naive~safe").equals(whole)
    wide = run.query("head_to_head", level=0.99)
    assert (wide["win_rate_high"] > whole["win_rate_high"]).all()


def synthetic(run: Run, cells: dict[tuple[str, ...], dict[int, Game]]) -> pl.DataFrame:
    """The query on made-up seatings of one line-up."""
    plan = pl.DataFrame({
        "cell": range(1, len(cells) + 1), "variant": "v", "lineup": ["~".join(sides) for sides in cells],
        "given_lineup": "~".join(next(iter(cells))), "side_strategies": [list(sides) for sides in cells],
    })  # fmt: skip
    rows = [
        ("v", "~".join(sides), game, deals, list(scores), ending,
         None if ending == "cap" or scores.count(max(scores)) > 1 else scores.index(max(scores)) + 1)
        for sides, games in cells.items() for game, (deals, scores, ending) in games.items()
    ]  # fmt: skip
    names = ["variant", "lineup", "game", "deals", "scores", "ending", "winner"]
    games = pl.DataFrame(rows, schema=names, orient="row")
    connection = run.connect(lock=False)
    for name, frame in (("cells", plan), ("games", games)):
        connection.register(f"made_{name}", frame.to_arrow())
        connection.execute(f"create or replace view {name} as from made_{name}")
    return run_query(connection, load_query("head_to_head"))


def make_games(rng: np.random.Generator, sides: int, games: int) -> dict[int, Game]:
    return {
        game: (int(rng.integers(2, 6)), tuple(int(score) for score in rng.integers(0, 5, sides) * 500), "target")
        for game in range(1, games + 1)
    }


def test_three_sides_ties_and_games_that_cannot_count(run):
    rng = np.random.default_rng(1)
    cells = {sides: make_games(rng, 3, 50) for sides in (("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"))}
    deals, scores, _ = cells["a", "b", "c"][7]
    cells["a", "b", "c"][7] = (deals, scores, "cap")
    del cells["c", "a", "b"][9]
    found = synthetic(run, cells)
    assert found["strategy"].to_list() == ["a", "b", "c"]
    assert found["opponent"].to_list() == ["b~c", "a~c", "a~b"]
    assert found["win_rate"].sum() == pytest.approx(1)
    for row in found.iter_rows(named=True):
        blocks = slow_blocks(cells, row["strategy"])
        assert len(blocks) == 48
        check(row, blocks, 3)


def test_a_strategy_on_two_of_three_sides_is_their_mean(run):
    rng = np.random.default_rng(2)
    cells = {sides: make_games(rng, 3, 40) for sides in (("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a"))}
    for row in synthetic(run, cells).iter_rows(named=True):
        check(row, slow_blocks(cells, row["strategy"]), 3)


def test_a_line_up_without_its_other_seatings_says_so(run):
    rng = np.random.default_rng(3)
    found = synthetic(run, {("a", "b"): make_games(rng, 2, 40)})
    assert not found["mirrored"].any()
    assert found["games"].to_list() == found["blocks"].to_list() == [40, 40]


def test_who_always_wins_still_has_an_interval(run):
    games = {game: (3, (5000, 100), "target") for game in range(1, 101)}
    turned = {game: (3, (100, 5000), "target") for game in range(1, 101)}
    found = synthetic(run, {("a", "b"): games, ("b", "a"): turned})
    best = found.row(0, named=True)
    assert (best["win_rate"], best["win_rate_high"]) == (1, 1)
    assert 0.95 < best["win_rate_low"] < 0.98
