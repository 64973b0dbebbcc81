"""Distributions and quantiles of the metrics' own numbers against the rows of the sample run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import polars as pl
import pytest

from engine.errors import BadInput
from pipeline.metric import CELL, load_metric, metric_names
from pipeline.run import Run, open_run
from tests.slow_intervals import slow_interval

HAVING = [name for name in metric_names() if load_metric(name).distribution]
NEVER = 10**9


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


def hundreds(points: float) -> int:
    return math.floor(points / 100) * 100


NUMBERS: dict[str, tuple[str, Callable[[dict], int | None]]] = {
    "turns_per_game": ("games", lambda row: row["turns"]),
    "deals_per_game": ("games", lambda row: row["deals"]),
    "turns_per_deal": ("deals", lambda row: row["turns"]),
    "rounds_per_deal": ("deals", lambda row: (row["turns"] + 3) // 4),
    "freeze_length": ("piles", lambda row: row["last_turn"] - row["frozen_turn"] if row["frozen_by"] else None),
    "cards_per_take": ("turns", lambda row: row["took"]),
    "canastas_per_side_deal": ("sides", lambda row: sum(row[name] for name in row if name[-2:-1] == "_")),
    "points_per_side_deal": ("sides", lambda row: hundreds(row["score_after"] - row["score_before"])),
    "takes_per_side_deal": ("sides", lambda row: row["takes"]),
    "freezes_per_side_deal": ("sides", lambda row: row["freezes"]),
    "open_turn": ("sides", lambda row: row["open_turn"] if row["open_seat"] else NEVER),
    "first_canasta_turn": ("sides", lambda row: row["first_canasta_turn"] or NEVER),
}
"""The number of each row by plain arithmetic; None where a row has none."""


def numbers_of(run: Run, name: str, variant: str, lineup: str) -> list[tuple[int, int]]:
    """Game and number of each row that has one."""
    table, number = NUMBERS[name]
    rows = run.frame(table, variant, lineup).collect().to_dicts()
    return [(row["game"], value) for row in rows if (value := number(row)) is not None]


def test_every_distribution_is_checked():
    assert set(HAVING) == {*NUMBERS, "minutes_per_game", "swing"}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_distribution_counts_the_numbers_of_the_rows(run, name):
    cell = run.parts[1]
    numbers = numbers_of(run, name, cell.variant, cell.lineup)
    found = run.distribution(name, CELL, variant=cell.variant, lineup=cell.lineup)
    ats = [NEVER if at is None else at for at in found["at"]]
    assert ats == sorted(ats)
    assert dict(zip(ats, found["n"], strict=True)) == Counter(value for _, value in numbers)
    games = {game for game, _ in numbers}
    for row, at in zip(found.iter_rows(named=True), ats, strict=True):
        for name_of, keep in (("share", lambda x, at=at: x == at), ("cum", lambda x, at=at: x <= at)):
            units = [
                (sum(keep(x) for g, x in numbers if g == game), sum(g == game for g, _ in numbers)) for game in games
            ]
            expected = slow_interval(units, "W")
            assert [row[name_of], row[f"{name_of}_low"], row[f"{name_of}_high"]] == [
                pytest.approx(end, rel=1e-6) for end in expected
            ]
        if row["cum"] > 0.2:
            break


@pytest.mark.parametrize("name", [name for name in NUMBERS if name != "points_per_side_deal"])
def test_quantiles_are_those_of_the_sorted_numbers(run, name):
    cell = run.parts[0]
    ordered = sorted(value for _, value in numbers_of(run, name, cell.variant, cell.lineup))
    found = run.quantiles(name, [0.1, 0.5, 0.9], CELL, variant=cell.variant, lineup=cell.lineup)
    for row in found.iter_rows(named=True):
        expected = ordered[math.ceil(row["p"] * len(ordered) - 1e-9) - 1]
        assert row["value"] == (None if expected == NEVER else expected)
        assert row["never"] == (expected == NEVER)
        assert row["n"] == len(ordered)


def test_quantiles_of_points_are_exact_though_the_distribution_is_in_hundreds(run):
    scores = run.sides().collect()["score"].sort()
    value = run.quantiles("points_per_side_deal", [0.5], [])["value"].item()
    assert value == scores[math.ceil(len(scores) / 2) - 1]
    assert all(at % 100 == 0 for at in run.distribution("points_per_side_deal", [])["at"])


def test_margins_of_side_1_are_spread_out_like_the_scores(run):
    sides = run.sides().collect()
    keys = ["variant", "lineup", "game", "deal"]
    both = sides.filter(side=1).join(sides.filter(side=2), on=keys)
    margins = Counter(hundreds(one - two) for one, two in both.select("score", "score_right").iter_rows())
    found = run.distribution("swing", [])
    assert dict(found.select("at", "n").iter_rows()) == margins


def test_minutes_are_counted_for_each_pace_and_agree_with_finished_within(run):
    found = run.distribution("minutes_per_game", ["variant"])
    assert found["pace"].unique(maintain_order=True).to_list() == ["online", "club", "social"]
    for minutes in (60, 120):
        shares = run.metric("finished_within", ["variant", "pace"], minutes=minutes)
        for row in shares.iter_rows(named=True):
            kept = found.filter(variant=row["variant"], pace=row["pace"]).filter(pl.col("at") <= minutes)
            assert (kept["cum"].max() or 0) == pytest.approx(row["value"])


def test_a_split_with_numbers_of_its_own_is_distributed_by_it(run):
    found = run.distribution("canastas_per_side_deal", ["strategy", "type"])
    sides = run.sides().collect()
    for (strategy, kind), part in found.group_by("strategy", "type"):
        counted = sides.filter(strategy=strategy)[f"{kind}_canastas"].value_counts()
        assert dict(part.select("at", "n").iter_rows()) == dict(counted.iter_rows())


def test_means_of_distributions_are_the_metrics(run):
    for name in ("turns_per_game", "deals_per_game", "turns_per_deal", "cards_per_take", "takes_per_side_deal",
                 "freeze_length", "canastas_per_side_deal", "freezes_per_side_deal"):  # fmt: skip
        found = run.distribution(name, [])
        mean = (found["at"] * found["n"]).sum() / found["n"].sum()
        assert mean == pytest.approx(run.metric(name, [])["value"].item())


def test_rotations_and_conditions_go_with_distributions(run):
    found = run.distribution("turns_per_deal", ["given_lineup"], where="ending = 'out'")
    deals = run.deals().filter(pl.col("ending") == "out").collect()
    assert found["n"].sum() == deals.height
    both = run.distribution("turns_per_deal", [], lineup=["safe~naive", "naive~safe"], where="ending = 'out'")
    assert found.filter(given_lineup="safe~naive").drop("given_lineup").equals(both)


def test_a_metric_that_is_a_quantile_is_the_median_or_the_one_asked_for(run):
    for name in ("open_turn", "first_canasta_turn"):
        for given, p in (({}, 0.5), ({"p": 0.25}, 0.25), ({"p": 0.99}, 0.99)):
            found = run.metric(name, ["variant", "strategy"], **given)
            expected = run.quantiles(name, [p], ["variant", "strategy"])
            for one in ("value", "low", "high", "never", "high_never", "games"):
                assert found[one].cast(pl.Float64).to_list() == expected[one].cast(pl.Float64).to_list()
            assert found["method"].unique().to_list() == ["Q"]
    assert run.metric("first_canasta_turn", [], p=0.99).select("value", "never").row(0) == (None, True)


@pytest.mark.parametrize(
    ("ask", "fault"),
    [
        (lambda run: run.distribution("take_rate"), "no distribution of whole numbers; these have: canastas"),
        (lambda run: run.distribution("turns_per_deal", ["rank"]), "counts all sides of a deal.*no rank of their own"),
        (lambda run: run.distribution("points_per_side_deal", ["item"]), "cannot be split by 'item'"),
        (lambda run: run.quantiles("turns_per_deal", [1.5]), "quantile 1.5: give a share between 0 and 1"),
        (lambda run: run.metric("open_turn", p=0), "between 0 and 1"),
        (lambda run: run.metric("open_turn", ["turn"]), "counts sides of deals, which have no turn"),
        (lambda run: run.metric("open_turn", base="classic4"), "no ratio of sums, so it has no difference"),
        (lambda run: run.distribution("turns_per_deal", where="score > 3"), "no column 'score' in deals"),
        (lambda run: run.distribution("turns_per_deal", level=2), "level 2"),
        (lambda run: run.distribution("turns_per_deal", minutes=2), "takes no 'minutes'"),
    ],
)  # fmt: skip
def test_what_has_no_distribution_is_refused_with_the_reason(run, ask, fault):
    with pytest.raises(BadInput, match=fault):
        ask(run)
