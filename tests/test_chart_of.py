"""The chart of an answer: the shape follows from what it was split by, the numbers from its table."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import pipeline as cl
from dashboards import charts, theme
from engine.errors import BadInput
from pipeline.ask import Answer
from pipeline.metric import load_metric


@pytest.fixture(scope="module")
def run(sample_run):
    return cl.open_run(sample_run)


def marks_of(chart: Any) -> set[str]:
    """Kinds of marks in all layers."""
    found: set[str] = set()

    def look(part: Any) -> None:
        if isinstance(part, dict):
            if "mark" in part:
                found.add(part["mark"]["type"] if isinstance(part["mark"], dict) else part["mark"])
            for inner in part.values():
                look(inner)
        elif isinstance(part, list):
            for inner in part:
                look(inner)

    look(chart.to_dict())
    return found


def rows_in(chart: Any) -> pl.DataFrame:
    """The rows that the chart draws, of its largest data set."""
    return pl.DataFrame(max(chart.to_dict()["datasets"].values(), key=len))


@pytest.mark.parametrize(
    ("name", "options", "marks"),
    [
        ("turns_per_game", {}, {"rule", "point"}),
        ("turns_per_game", {"by": "variant", "base": "classic4"}, {"rule", "point"}),
        ("turns_per_game", {"by": []}, {"rule", "point"}),
        ("ending_share", {"by": ["variant", "ending"]}, {"rule", "point"}),
        ("discard_risk", {"by": ["variant", "card_class", "strategy"]}, {"rule", "point"}),
        ("frozen_turn_share", {"by": "round"}, {"line", "area", "bar"}),
        ("frozen_turn_share", {"by": ["variant", "round"]}, {"line", "area", "bar"}),
        ("discard_risk", {"by": ["rank", "round"]}, {"rect", "text"}),
        ("discard_risk", {"by": ["rank", "card_class"]}, {"rect", "text"}),
    ],
)
def test_the_shape_follows_from_the_split(run, name, options, marks):
    answer = run.ask(name, **options)
    chart = charts.of(answer)
    assert marks <= marks_of(chart)
    assert chart.title.text == answer.sentence
    assert "extent" not in str(chart.to_dict())


def test_a_forest_draws_every_row_and_its_interval(run):
    answer = run.ask("turns_per_game")
    drawn = rows_in(charts.of(answer)).sort("variant", "lineup")
    table = answer.table.sort("variant", "lineup")
    for column in ("value", "low", "high"):
        assert drawn[column].to_list() == pytest.approx(table[column].to_list())


def test_differences_leave_the_base_to_the_rule_at_0(run):
    answer = run.ask("turns_per_game", base="classic4")
    drawn = rows_in(charts.of(answer))
    assert set(drawn["variant"]) == {"classic4.canastas_out-2"}
    assert drawn.height == 3


def test_words_in_an_order_keep_it(run):
    order = rows_in(charts.of(run.ask("discard_risk", by="card_class")))["of"].to_list()
    assert order == ["natural", "wild", "black3"]


def test_colours_are_those_of_the_dashboard(run):
    palette = charts.palette_of(run)
    assert set(palette.places) == {*run.variants, "safe", "safe~naive"}
    chart = charts.of(run.ask("turns_per_game", by=["variant", "given_lineup"]), palette)
    assert palette.colour("classic4") in str(chart.to_dict())


def test_a_chart_is_saved_as_a_file(run, tmp_path):
    theme.dressed(charts.of(run.ask("turns_per_game"))).save(tmp_path / "turns.svg")
    assert "Turns per game" in (tmp_path / "turns.svg").read_text(encoding="utf-8")


def test_what_has_no_value_is_refused(run):
    answer = run.ask("turns_per_game")
    empty = Answer(**{**vars(answer), "table": answer.table.with_columns(value=pl.lit(None, pl.Float64))})
    with pytest.raises(ValueError, match="no value to draw"):
        charts.of(empty)
    alone = run.ask("turns_per_game", by="variant", base="classic4", variant="classic4")
    with pytest.raises(ValueError, match="nothing is compared with classic4"):
        charts.of(alone)


@pytest.mark.parametrize(
    ("method", "name", "options", "marks"),
    [
        ("metric", "turns_per_game", {}, {"rule", "point"}),
        ("metric", "turns_per_game", {"by": "variant", "base": "classic4"}, {"rule", "point"}),
        ("metric", "frozen_turn_share", {"by": "round"}, {"line", "area"}),
        ("metric", "discard_risk", {"by": ["rank", "round"]}, {"rect", "text"}),
        ("metric", ["take_rate", "frozen_turn_share"], {"by": "variant"}, {"rule", "point"}),
        ("distribution", "turns_per_game", {"by": []}, {"bar", "rule"}),
        ("distribution", "turns_per_game", {"by": "variant"}, {"line", "area"}),
        ("distribution", "turns_per_game", {}, {"line", "area"}),
        ("distribution", "open_turn", {"by": ["variant", "side"]}, {"line", "area"}),
        ("quantiles", "turns_per_game", {}, {"rule", "point"}),
        ("quantiles", "open_turn", {"by": []}, {"rule", "point"}),
    ],
)
def test_a_table_is_drawn_as_its_columns_say(run, tmp_path, method, name, options, marks):
    table = getattr(run, method)(name, **options)
    chart = charts.of(table)
    assert marks <= marks_of(chart)
    theme.dressed(chart).save(tmp_path / "table.svg")
    if isinstance(name, str):
        title = charts.of(table, metric=name).title
        assert title.text.startswith(load_metric(name).title)
        assert title.subtitle[0] == load_metric(name).sentence


def test_a_table_has_the_numbers_and_the_scale_of_its_answer(run):
    answer = run.ask("frozen_turn_share", by="variant")
    assert_frame_equal(rows_in(charts.of(answer.table)), rows_in(charts.of(answer)))
    table = run.distribution("deals_per_game", by=[])
    drawn = rows_in(charts.of(table))
    assert drawn["share"].to_list() == pytest.approx((100 * table["share"]).to_list()[: drawn.height])


def test_what_is_no_answer_is_refused_in_one_line(run):
    mixed = run.metric(["take_rate", "turns_per_game"], by="variant")
    for given, told in (
        (run.turns(), "not of a LazyFrame"),
        ([1, 2], "not of a list"),
        (run.cells, "can be drawn"),
        (mixed, "take_rate, turns_per_game are in % and turns"),
        (run.distribution("turns_per_game").clear(), "no rows to draw"),
    ):
        with pytest.raises(BadInput, match=told) as refused:
            charts.of(given)
        assert "\n" not in str(refused.value)
