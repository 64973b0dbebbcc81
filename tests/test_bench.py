"""The bench measures what it says; how fast this machine is decides nothing here."""

from __future__ import annotations

from pathlib import Path

from engine.rules import load_variant
from pipeline.bench import describe_cost, measure_deal, measure_game_cost, measure_run
from pipeline.bench_answers import measure_turns_question
from pipeline.bench_variants import measure_variant, measure_variants
from pipeline.run import open_run


def test_cost_of_a_game_is_made_of_its_tables() -> None:
    cost = measure_game_cost(60)
    encode = sum(value for key, value in cost.items() if key.endswith(" encode"))
    assert abs(encode - cost["encode"]) < 1e-9
    assert 3 < cost["deals"] < 12
    assert {figure.unit for figure in describe_cost(cost)} == {"deals/s", "µs"}


def test_a_measured_run_is_there_to_be_read(tmp_path: Path) -> None:
    rate, size = measure_run(tmp_path / "run", 200, 2)
    assert rate > 0
    assert size["all"] > size["moves"] > size["rows"] > 0
    assert measure_deal(tmp_path / "run", 200) > 0


def test_a_question_about_turns_is_measured_beside_a_scan(sample_run: Path) -> None:
    question, scan = measure_turns_question(open_run(sample_run))
    assert question > 0
    assert scan > 0


def test_the_speed_of_a_variant_counts_games_deals_turns_and_moves() -> None:
    speed = measure_variant(load_variant("classic2"), 20)
    assert speed.games == 20
    rates = [speed.games_per_second, speed.deals_per_second, speed.turns_per_second, speed.moves_per_second]
    rising = [rate or 0.0 for rate in rates]
    assert 0 < rising[0] < rising[1] < rising[2] < rising[3]


def test_a_variant_that_cannot_be_measured_says_why_and_does_not_stop_the_others() -> None:
    unknown, known = measure_variants(5, variants=["no_such_game", "classic2"])
    assert "no_such_game" in unknown.failed
    assert unknown.games_per_second is None
    assert known.games_per_second
    assert not known.failed
