"""What leading is worth, in a deal, in a game and after a deal, over all seatings of a line-up."""

from __future__ import annotations

from collections import defaultdict

import polars as pl
import pytest

from engine.errors import BadInput
from pipeline.measure import measure
from pipeline.metric import load_metric
from pipeline.run import Run, open_run
from tests.slow_intervals import slow_interval
from tests.slow_metrics import slow_leaders

GIVEN = {"safe": ("safe",), "safe~naive": ("safe~naive", "naive~safe")}
Units = dict[int, list[float]]


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


def leads_of(run: Run, variant: str, lineup: str) -> tuple[Units, Units, Units]:
    """By game: the leading side's results in deals less a half, its margins, its result in the game less a half."""
    scores: dict[tuple[int, int], list[int]] = defaultdict(list)
    for game, deal, _, score in (
        run.sides(variant, lineup).select("game", "deal", "side", "score").sort("side").collect().iter_rows()
    ):
        scores[game, deal].append(score)
    finals = dict(run.games(variant, lineup).select("game", "scores").collect().iter_rows())
    deals: Units = defaultdict(list)
    margins: Units = defaultdict(list)
    games: Units = defaultdict(list)
    for game, deal, dealer in run.deals(variant, lineup).select("game", "deal", "dealer").collect().iter_rows():
        side = dealer % 4 % 2  # seat dealer % 4 + 1 acts first; seats 1 and 3 are side 1, here place 0
        own, other = scores[game, deal][side], scores[game, deal][1 - side]
        deals[game].append(50 * ((own > other) - (own < other)))
        margins[game].append(own - other)
        if deal == 1:
            own, other = finals[game][side], finals[game][1 - side]
            games[game].append(50 * ((own > other) - (own < other)))
    return deals, margins, games


@pytest.mark.parametrize(("name", "place"), [("lead_edge_deal", 0), ("lead_edge_points", 1), ("lead_edge_game", 2)])
def test_an_edge_is_the_leading_sides_result_over_all_seatings(run, name, place):
    found = run.metric(name)
    assert found.select("variant", "given_lineup").rows() == [(v, given) for v in run.variants for given in GIVEN]
    for row in found.iter_rows(named=True):
        units = [leads_of(run, row["variant"], lineup)[place] for lineup in GIVEN[row["given_lineup"]]]
        games = [(sum(sum(one[game]) for one in units), sum(len(one[game]) for one in units)) for game in range(1, 61)]
        assert [row[end] for end in ("value", "low", "high")] == pytest.approx(slow_interval(games, "R"), rel=1e-6)


def test_a_deal_of_three_sides_is_led_by_a_third(run):
    """The definition itself, asked of made-up tables: three seats, each a side; the first seat wins, then ties."""
    connection = run.connect(lock=False)
    rows = [
        (game, 1, side, 100 if side == game % 3 + 1 or game > 30 else 0) for game in range(1, 61) for side in (1, 2, 3)
    ]
    made = {
        "sides": pl.DataFrame(rows, schema=["game", "deal", "side", "score"], orient="row"),
        "deals": pl.DataFrame({"game": range(1, 61)}).with_columns(
            deal=1, dealer=pl.col("game").replace_strict({g: g % 3 or 3 for g in range(1, 61)}), sits_out=None
        ),
    }
    connection.execute("create table kept as from cells where false")
    for name, frame in made.items():
        connection.register(f"made_{name}", frame.with_columns(variant=pl.lit("v"), lineup=pl.lit("a")).to_arrow())
        connection.execute(f"create or replace view {name} as from made_{name}")
    connection.execute("create or replace macro side_of(seat, variant) as seat")
    connection.execute(
        "create or replace view cells as select 1 as cell, 'v' as variant, 'a' as lineup, 'a' as given_lineup, "
        "['a', 'a', 'a'] as side_strategies, ['a', 'a', 'a'] as seat_strategies"
    )
    row = measure(connection, load_metric("lead_edge_deal")).row(0, named=True)
    assert row["value"] == pytest.approx(100 * ((30 * 1 + 30 / 3) / 60 - 1 / 3))
    margin = measure(connection, load_metric("lead_edge_points")).row(0, named=True)
    assert margin["value"] == pytest.approx(50)


def test_comebacks_are_what_leaders_do_not_win(run):
    comebacks, leaders = run.metric("comeback"), run.metric("leader_wins")
    assert comebacks.select("variant", "given_lineup", "deal").rows() == leaders.select(
        "variant", "given_lineup", "deal").rows()  # fmt: skip
    for one, other in zip(comebacks.iter_rows(named=True), leaders.iter_rows(named=True), strict=True):
        assert one["numerator"] + other["numerator"] == one["denominator"] == other["denominator"]
    cell = run.parts[0]
    winners = dict(run.games(cell.variant, cell.lineup).select("game", "winner").collect().iter_rows())
    led = slow_leaders(run.sides(cell.variant, cell.lineup).collect())
    turned = [winners[game] != led[game][0] for game in led if len(led[game]) > 1 and led[game][0]]
    row = run.metric("comeback", variant=cell.variant, lineup=cell.lineup).row(0, named=True)
    assert (row["numerator"], row["denominator"]) == (sum(turned), len(turned))


MIRRORED = ["lead_edge_deal", "lead_edge_points", "lead_edge_game", "leader_wins", "comeback"]


@pytest.mark.parametrize("name", MIRRORED)
def test_a_seating_alone_is_refused_with_the_reason(run, name):
    assert load_metric(name).seatings == "mirrored"
    with pytest.raises(BadInput, match=f"{name} needs every seating.*of safe~naive not all were played or chosen"):
        run.metric(name, lineup="safe~naive")
    with pytest.raises(BadInput, match="split it by given_lineup, not by lineup"):
        run.metric(name, ["lineup"])
    assert run.metric(name, ["lineup"], lineup="safe")["lineup"].unique().to_list() == ["safe"]
    both = run.metric(name, lineup=["safe~naive", "naive~safe"])
    assert both.equals(run.metric(name).filter(given_lineup="safe~naive"))


def test_a_line_up_of_which_a_seating_was_not_played_is_refused(run):
    connection = run.connect(lock=False)
    connection.execute("create table kept as from cells where lineup <> 'naive~safe'")
    connection.execute("create or replace view cells as from kept")
    for name in ("lead_edge_deal", "win_rate", "card_luck_share"):
        with pytest.raises(BadInput, match="not all were played or chosen"):
            measure(connection, load_metric(name))
