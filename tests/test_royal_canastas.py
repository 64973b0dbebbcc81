"""Canastas of black threes count wherever canastas are counted, and notes say what figures mean under other rules."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from dashboards.wording_canastas import TYPES
from dashboards.wording_length import endings_of
from engine.rules import load_variant
from pipeline import metric
from pipeline.metric import load_metric, metric_names
from pipeline.run import open_run
from pipeline.simulation import simulate

FOLDER = Path(metric.__file__).parent
TOLD = sorted([*FOLDER.glob("metrics/*.toml"), *FOLDER.glob("sql/*/*.sql")])
COUNTING = [path for path in TOLD if re.search(r"\bsequence_canastas\b", path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", COUNTING, ids=lambda path: path.name)
def test_who_counts_sequences_counts_black_threes_too(path: Path) -> None:
    """But for the totals of `games`, which have no column for them."""
    counts = len(re.findall(r"\broyal_canastas\b", path.read_text(encoding="utf-8")))
    assert counts > 0 or path.stem == "game_totals"


def test_every_sort_of_canasta_has_a_word_and_a_colour() -> None:
    words = tuple(load_metric("canastas_per_side_deal").split["type"].words)
    assert words == tuple(TYPES) == tuple(load_metric("any_canasta_rate").split["type"].words)
    assert len(set(TYPES.values())) == len(TYPES)


def test_partners_found_during_a_deal_are_one_side_for_metrics_of_canastas() -> None:
    for name in metric_names():
        found = load_metric(name)
        if found.table == "sides" and found.numerator and "natural_canastas" in found.numerator:
            assert found.denominator == "(partner is null or partner > side)::integer", name


def test_partners_found_during_a_deal_have_their_canastas_counted_once(tmp_path: Path) -> None:
    """Three players: as many canastas as there are melds of seven, whoever's row they stand in."""
    run = tmp_path / "three"
    simulate({"variants": ["classic3"], "lineups": ["safe"], "games": 20}, run, workers=1)
    found = open_run(run)
    melds = found.sql(
        "select count(*) as many from (select game, deal, least(side, coalesce(partner, side)) as home, meld"
        " from moves join sides using (game, deal, side) where action in ('meld', 'take') and meld <> '3'"
        " group by all having count(*) >= 7)"
    )
    counted = found.metric("canastas_per_side_deal")["numerator"].sum()
    # Both partners may have had a meld of one rank: they are kept apart, and only here run together.
    assert 0 < counted <= melds["many"].sum() * 1.1
    assert counted >= melds["many"].sum() * 0.9


def test_no_ending_is_told_of_few_games_but_for_what_the_rules_rule_out() -> None:
    rows = [
        {"variant": "samba", "lineup": "safe", "ending": "out", "value": 0.9, "few": True, "games": 100},
        {"variant": "samba", "lineup": "safe", "ending": "special", "value": 0.0, "few": False, "games": 100},
    ]
    played = pl.DataFrame({"variant": ["samba"], "lineup": ["safe"], "games": [100]})
    words = endings_of(pl.DataFrame(rows), load_metric("ending_share"), played)
    assert words.sentence == "Too few games to say: how deals end"
    assert load_variant("samba").rules.special_hands == {}
