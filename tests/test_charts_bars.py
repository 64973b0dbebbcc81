"""Bars, stacks, histograms and dots: intervals from their columns, fixed orders, and none where there was no chance."""

from __future__ import annotations

import json

import polars as pl
import pytest

from dashboards import charts, theme
from dashboards.charts import Measure, Words
from tests.chart_spec import fields, layers_of, marked, nodes
from tests.test_charts_curve import STATES, by_number, by_round, by_state

WORDS = Words("A wild card thrown makes 62 % of all freezes", ("definition", "n = 3,000 games"))
FREEZES = Measure("freezes per deal")
TAKES = Measure("take rate", share=True)
VARIANTS = ["classic4", "classic2"]
CAUSES = ["wild", "red3", "upcard_wild"]


@pytest.fixture
def palette() -> theme.Palette:
    return theme.palette(VARIANTS, ["safe", "naive"])


def by_cause() -> pl.DataFrame:
    rows = [
        {
            "variant": variant, "cause": cause, "value": 0.1 + 0.2 * place, "low": 0.1 + 0.18 * place,
            "high": 0.1 + 0.22 * place, "games": 3000, "few": place == 1, "denominator": 20_000,
        }
        for variant in VARIANTS for place, cause in enumerate(CAUSES)
    ]  # fmt: skip
    return pl.DataFrame(rows)


def take_rates() -> pl.DataFrame:
    """`safe` had no chance at a pile of 16 cards: once as a row without value, once as no row at all."""
    rows = [("1-3", "safe", 0.8), ("1-3", "naive", 1.0), ("16+", "naive", 1.0)]
    return pl.DataFrame(
        {"pile_size": size, "strategy": strategy, "value": value, "low": value - 0.1, "high": min(1.0, value + 0.1),
         "games": 900, "few": False, "denominator": 5000}
        for size, strategy, value in rows
    )  # fmt: skip


def counts() -> pl.DataFrame:
    shares = [0.31, 0.4, 0.2, 0.08, 0.006, 0.004]
    rows = [
        {
            "variant": variant, "at": number, "n": 10, "share": share, "share_low": 0.9 * share,
            "share_high": 1.1 * share, "cum": sum(shares[: number + 1]), "games": 3000,
        }
        for variant in VARIANTS for number, share in enumerate(shares)
    ]  # fmt: skip
    return pl.DataFrame(rows)


def all_charts(palette: theme.Palette) -> dict[str, theme.Figure]:
    types = by_cause().rename({"cause": "type"})
    return {
        "bars": charts.bars(by_cause(), WORDS, FREEZES, palette, rows="cause"),
        "stack": charts.stack(types, types.filter(pl.col("type") == "wild"), WORDS, FREEZES, palette, rows="variant",
                              parts="type", order=CAUSES),
        "histogram": charts.histogram(counts(), WORDS, Measure("canastas"), palette),
        "dots": charts.dots(take_rates(), WORDS, TAKES, palette, rows="pile_size", group="strategy"),
        "curve": charts.curve(by_round(), WORDS, TAKES, palette, x="round"),
        "area": charts.area(by_state(), WORDS, TAKES, palette, x="round", parts="state", order=STATES),
        "ecdf": charts.ecdf(by_number(), WORDS, Measure("own turn"), palette),
    }  # fmt: skip


def test_every_shape_is_valid_has_sentence_and_facts_and_leaves_intervals_to_their_columns(
    palette: theme.Palette,
) -> None:
    for name, chart in all_charts(palette).items():
        spec = theme.dressed(chart, palette.mode).to_dict()
        assert spec["title"] == {"text": WORDS.sentence, "subtitle": list(WORDS.facts)}, name
        json.dumps(spec, allow_nan=False)
        seen = dict(nodes(spec))
        assert not {"extent", "aggregate", "density", "facet", "hconcat", "vconcat"} & set(seen), name
        kinds = {layer["mark"]["type"] for layer in layers_of(chart)}
        assert not {"boxplot", "errorbar", "errorband"} & kinds, name


def test_every_shape_tells_how_many_games_it_rests_on(palette: theme.Palette) -> None:
    for name, chart in all_charts(palette).items():
        told = {tip["title"] for layer in layers_of(chart) for tip in layer["encoding"].get("tooltip", [])}
        assert {"games", "n"} <= told, name


@pytest.mark.parametrize("name", ["bars", "histogram", "dots", "curve", "area", "ecdf", "stack"])
def test_an_empty_table_is_an_empty_chart(palette: theme.Palette, name: str) -> None:
    empty = {
        "bars": lambda: charts.bars(by_cause().clear(), WORDS, FREEZES, palette, rows="cause"),
        "stack": lambda: charts.stack(by_cause().clear(), by_cause().clear(), WORDS, FREEZES, palette, rows="variant",
                                      parts="cause", order=CAUSES),
        "histogram": lambda: charts.histogram(counts().clear(), WORDS, Measure("canastas"), palette),
        "dots": lambda: charts.dots(take_rates().clear(), WORDS, TAKES, palette, rows="pile_size", group="strategy"),
        "curve": lambda: charts.curve(by_round().clear(), WORDS, TAKES, palette, x="round"),
        "area": lambda: charts.area(by_state().clear(), WORDS, TAKES, palette, x="round", parts="state", order=STATES),
        "ecdf": lambda: charts.ecdf(by_number().clear(), WORDS, Measure("own turn"), palette),
    }  # fmt: skip
    json.dumps(empty[name]().to_dict(), allow_nan=False)


def test_bars_start_at_zero_and_keep_the_order_of_the_table_with_intervals_from_their_columns(
    palette: theme.Palette,
) -> None:
    layers = layers_of(charts.bars(by_cause(), WORDS, FREEZES, palette, rows="cause", at=0.3))
    bar = marked(layers, "bar")[0]
    whisker, even = marked(layers, "rule")
    assert bar["encoding"]["x"]["scale"]["zero"] is True
    assert bar["encoding"]["y"]["sort"] == CAUSES
    assert (fields(whisker)["x"], fields(whisker)["x2"]) == ("low", "high")
    assert even["rows"] == [{"rule": 0.3}]


def test_a_stack_keeps_its_parts_in_order_and_has_the_total_as_dot_and_interval(palette: theme.Palette) -> None:
    parts = by_cause()
    totals = parts.group_by("variant", maintain_order=True).agg(
        pl.col("value", "low", "high").sum(), pl.col("games", "denominator").first(), few=pl.lit(value=False)
    )
    chart = charts.stack(parts, totals, WORDS, FREEZES, palette, rows="variant", parts="cause", order=CAUSES)
    layers = layers_of(chart)
    bar, whisker, dot = (marked(layers, mark)[0] for mark in ("bar", "rule", "point"))
    assert bar["encoding"]["x"]["stack"] == "zero"
    assert {row["cause"]: row["place"] for row in bar["rows"]} == {cause: at for at, cause in enumerate(CAUSES)}
    assert (fields(whisker)["x"], fields(whisker)["x2"]) == ("low", "high")
    assert [row["value"] for row in dot["rows"]] == pytest.approx([0.9, 0.9])


def test_a_histogram_has_a_bar_for_each_number_and_says_what_lies_beyond(palette: theme.Palette) -> None:
    one = counts().filter(pl.col("variant") == "classic4")
    layers = layers_of(charts.histogram(one, WORDS, Measure("canastas"), palette))
    bar, whisker = marked(layers, "bar")[0], marked(layers, "rule")[0]
    assert {row["at"]: row["share"] for row in bar["rows"]} == pytest.approx({0: 31, 1: 40, 2: 20, 3: 8, 4: 0.6})
    assert (fields(whisker)["y"], fields(whisker)["y2"]) == ("share_low", "share_high")
    assert [layer["rows"][0]["beyond"] for layer in marked(layers, "text")] == ["0.40 % beyond 4 →"]


def test_several_histograms_are_panels_of_one_scale(palette: theme.Palette) -> None:
    bars = marked(layers_of(charts.histogram(counts(), WORDS, Measure("canastas"), palette)), "bar")
    assert len(bars) == len(VARIANTS)
    scales = [bar["encoding"]["y"]["scale"] for bar in bars]
    assert scales[0]["domain"] == scales[1]["domain"]
    assert scales[0]["range"][0] < scales[1]["range"][1]


def test_no_opportunity_is_an_empty_ring_at_the_edge_and_not_a_zero(palette: theme.Palette) -> None:
    for table in (take_rates(), pl.concat([take_rates(), take_rates().head(1).with_columns(
            pile_size=pl.lit("16+"), value=None, low=None, high=None)], how="vertical_relaxed")):  # fmt: skip
        layers = layers_of(charts.dots(table, WORDS, TAKES, palette, rows="pile_size", group="strategy"))
        dot, ring = marked(layers, "point")
        assert {(row["pile_size"], row["strategy"]) for row in ring["rows"]} == {("16+", "safe")}
        assert ring["mark"]["filled"] is False
        assert ring["encoding"]["x"] == {"value": "width"}
        assert all(row["value"] > 0 for row in dot["rows"])
        assert [row["told"] for row in marked(layers, "text")[0]["rows"]] == ["no opportunity"]


def test_dots_stand_beside_what_they_are_compared_with(palette: theme.Palette) -> None:
    table = take_rates().with_columns(even=pl.lit(0.5))
    chart = charts.dots(table, WORDS, TAKES, palette, rows="pile_size", group="strategy", absent="", beside="even")
    layers = layers_of(chart)
    stroke = marked(layers, "tick")[0]
    assert fields(stroke)["x"] == "even"
    assert {row["even"] for row in stroke["rows"]} == {50}
    assert not marked(layers, "text")
