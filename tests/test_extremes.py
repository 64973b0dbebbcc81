"""Titles of ranges: equal digits, nothing said twice, and a word for every row that the title leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from dashboards import wording
from dashboards.extremes import between, left_out, shares_between
from pipeline.answer_sentences import say_answer
from pipeline.metric import Metric, load_metric

FREEZE = load_metric("frozen_turn_share")
PLAYED = pl.DataFrame({"lineup": ["safe", "builder"], "games": [300, 300]})
TYPES = {"value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "few": pl.Boolean, "by_rule": pl.Boolean}


def rows(*given: tuple[str, str, float, float, bool, bool]) -> pl.DataFrame:
    """Variant, line-up, value, half-width, few, by rule."""
    told = [
        {"variant": one, "given_lineup": who, "value": value, "low": value - half, "high": value + half, "few": few,
         "by_rule": ruled, "games": 300}
        for one, who, value, half, few, ruled in given
    ]  # fmt: skip
    return pl.DataFrame(told, schema_overrides=TYPES)


def span(metric: Metric, *values: tuple[float, float]) -> str:
    table = rows(*((f"v{place}", "safe", value, half, False, False) for place, (value, half) in enumerate(values)))
    least, most = (table.row(place, named=True) for place in (0, -1))
    return between(least, most, table, metric, first="from ")


def test_both_ends_have_the_digits_of_the_less_certain_one() -> None:
    metric = load_metric("canastas_per_side_deal")
    assert span(metric, (4.63, 0.0121), (9.44, 0.12)) == "from 4.63 (v0) to 9.44 (v1)"
    assert span(metric, (4.63, 1.5), (9.44, 0.01)) == "from 4.6 (v0) to 9.4 (v1)"


def test_ends_that_look_the_same_are_said_once() -> None:
    assert span(load_metric("canastas_per_side_deal"), (4.63, 1.5), (4.64, 1.5)) == "4.6"
    table = rows(("a", "x", 0.006, 0.001, False, False), ("b", "x", 0.014, 0.001, False, False))
    least, most = (table.row(place, named=True) for place in (0, 1))
    assert shares_between(least, most, table, "value") == "0.6 % (a) to 1.4 % (b)"
    table = table.with_columns(value=pl.Series([0.0101, 0.0102]))
    least, most = (table.row(place, named=True) for place in (0, 1))
    assert shares_between(least, most, table, "value") == "1 %"
    table = table.with_columns(value=pl.Series([0.1, 0.4]))
    least, most = (table.row(place, named=True) for place in (0, 1))
    assert shares_between(least, most, table, "value", "from ") == "from 10 % (a) to 40 % (b)"


HOLLOW = (
    ("railroad", "safe", 0.03, 0.01, True, False),
    ("railroad", "builder", 0.04, 0.01, True, False),
    ("samba", "safe", 0.10, 0.005, False, False),
    ("samba", "builder", 0.14, 0.005, False, False),
    ("cuban", "safe", 1.0, 0.0, False, True),
    ("cuban", "builder", 1.0, 0.0, False, True),
)


def test_a_title_says_which_rows_it_leaves_out_and_that_the_rules_decide_no_finding() -> None:
    words = wording.range_of(rows(*HOLLOW), FREEZE, PLAYED)
    assert words.sentence == f"{FREEZE.title}: from 10.0 % (samba, safe) to 14.0 % (samba, builder)"
    assert "drawn pale, too few games to say: railroad, safe; railroad, builder" in words.facts
    assert "by the rules alone: cuban" in words.facts
    assert left_out(rows(*HOLLOW[2:4])) == ()


def test_many_rows_left_out_are_counted() -> None:
    many = [(f"v{place}", "safe", 0.03, 0.01, place > 0, False) for place in range(8)]
    assert left_out(rows(*many)) == ("drawn pale, too few games to say: 7 of 8",)
    assert left_out(rows(*many[1:])) == ("drawn pale, too few games to say: all",)


def test_a_sentence_of_the_command_says_what_it_leaves_out_too() -> None:
    told = say_answer(rows(*HOLLOW), FREEZE, None)
    assert told.endswith("(samba, builder); too few games to say for 2 of 6 rows; 2 of 6 rows by the rules alone")
    alike = rows(("a", "x", 0.10001, 0.015, False, False), ("b", "x", 0.10002, 0.015, False, False))
    assert say_answer(alike, FREEZE, None) == f"{FREEZE.title}: 10.0 % in all 2 rows"


@pytest.mark.parametrize(
    ("forms", "told"),
    [
        (["more", "few"], "{more} for safe, not sure yet for builder"),
        (["more", "less"], "depends on given lineup: {more} for safe, {less} for builder"),
        (
            ["more", "less", "few"],
            "depends on given lineup: {more} for safe, {less} for builder, not sure yet for naive",
        ),
    ],
)
def test_line_ups_that_are_not_sure_contradict_nobody(forms: Sequence[str], told: str) -> None:
    lineups = ["safe", "builder", "naive"][: len(forms)]
    table: dict[str, Any] = {
        "variant": ["classic4"] * len(forms) + ["samba"] * len(forms),
        "given_lineup": lineups * 2,
        "value": [0.1] * 2 * len(forms),
        "form": [None] * len(forms) + list(forms),
    }
    sentence = say_answer(pl.DataFrame(table), FREEZE, "classic4")
    assert sentence.endswith(f"samba: {told.format(more=FREEZE.more, less=FREEZE.less)}")
