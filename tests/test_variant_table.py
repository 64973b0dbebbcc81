"""Tables of what every variant looks like: the winner of each, and the page they stand in."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import BadInput
from engine.rules import load_variant
from engine.strategies import parse_lineup, rotations
from pipeline.run import open_run
from pipeline.variant_table import BEGIN, END, find_best, main, replace_tables, write_tables


def test_the_best_strategy_is_the_one_that_wins_most(sample_run: Path) -> None:
    run = open_run(sample_run)
    rates = {(row["variant"], row["strategy"]): row["value"] for row in run.metric("win_rate").to_dicts()}
    best = find_best(run)
    assert best.keys() == {variant for variant, _ in rates}
    for variant, contest in best.items():
        assert contest.mean == max(rate for (of, _), rate in rates.items() if of == variant)


def test_the_tables_hold_the_best_strategy_of_every_variant(sample_run: Path) -> None:
    run = open_run(sample_run)
    lines = write_tables(run, "seed 1").splitlines()
    for variant in run.variants:
        assert sum(line.startswith(f"| `{variant}` |") for line in lines) == 3


def test_tables_go_between_the_marks_of_a_page_and_nothing_else_changes() -> None:
    page = f"before\n{BEGIN}old\n{END}after\n"
    assert replace_tables(page, "new\n") == f"before\n{BEGIN}new\n{END}after\n"
    with pytest.raises(BadInput, match="no lines"):
        replace_tables("a page without marks\n", "new\n")


def test_a_page_that_is_not_there_is_bad_input(sample_run: Path, tmp_path: Path) -> None:
    assert main([str(sample_run), str(tmp_path / "none.md")]) == 2


@pytest.mark.parametrize("lineup", ["safe", "safe~hoarder"])
def test_sides_of_two_and_three_seats_change_places(lineup: str) -> None:
    rules = load_variant("classic5").rules
    turned = rotations(parse_lineup(lineup, rules), rules)
    assert len(turned) == len(lineup.split("~"))
    assert all(len(seats) == rules.players for seats in turned)
