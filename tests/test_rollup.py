"""Definitions of the roll-ups: what they count follows from the metrics."""

from __future__ import annotations

import pytest

from pipeline.metric import load_metric
from pipeline.rollup import load_rollups, parse_rollups, rollup_digest
from pipeline.rollup_lookup import merge
from pipeline.rollup_sql import columns_of, logged_columns


def test_a_roll_up_counts_what_metrics_count_on_its_table_each_once():
    turns = load_rollups()["turns"]
    take_rate = load_metric("take_rate").rows
    assert {take_rate.numerator, take_rate.denominator, "1"} <= turns.counts.keys()
    assert set(load_metric("pile_state_share").split["state"].words.values()) <= turns.counts.keys()
    assert len(set(turns.counts.values())) == len(turns.counts)


def test_only_by_leaves_out_metrics_that_cannot_be_split_so():
    ranks = load_rollups()["ranks"]
    assert load_metric("discard_risk").numerator in ranks.counts
    assert load_metric("take_rate").rows.denominator not in ranks.counts


def test_columns_of_a_roll_up_have_names_of_their_own():
    for rollup in load_rollups().values():
        assert len(set(rollup.columns)) == len(rollup.columns), rollup.name


def test_a_count_that_takes_a_parameter_is_in_no_roll_up():
    assert not any("$" in text for rollup in load_rollups().values() for text in rollup.counts)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[one]\ndimensions = ["deal"]', "one has no table"),
        ('[one]\ntable = "decks"\ndimensions = []', "table decks"),
        ('[one]\ntable = "moves"\ndimensions = []', "table moves"),
        ('[one]\ntable = "deals"\ndimensions = ["rank"]', "rows of deals have no rank"),
        ('[one]\ntable = "deals"\ndimensions = ["luck"]', "rows of deals have no luck"),
        ('[one]\ntable = "deals"\ndimensions = []\nmetrics = []', "not metrics"),
        ('["a b"]\ntable = "deals"\ndimensions = []', "a b"),
    ],
)
def test_a_definition_that_cannot_be_is_refused(text, told):
    with pytest.raises(ValueError, match=told):
        parse_rollups(text)


def test_the_digest_follows_from_the_definitions(monkeypatch):
    before = rollup_digest()
    changed = parse_rollups('[deals]\ntable = "deals"\ndimensions = ["deal"]')
    rollup_digest.cache_clear()
    monkeypatch.setattr("pipeline.rollup.load_rollups", lambda: changed)
    try:
        assert rollup_digest() != before
    finally:
        monkeypatch.undo()
        rollup_digest.cache_clear()
    assert rollup_digest() == before


def test_columns_of_an_expression_are_those_it_names():
    assert columns_of("case when discard = 'JK' then 'pile' else how end") == ("discard", "how")
    assert logged_columns("turns", ("strategy",)) == ("seat",)
    assert logged_columns("turns", ("(turn - 1) // active_seats(variant) + 1",)) == ("turn",)


def test_nothing_to_merge_is_no_class():
    assert merge([]) == []
