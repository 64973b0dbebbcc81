"""Grids, shares, dumbbells and slopes: what each draws from its table, and what it leaves out."""

from __future__ import annotations

import json
from typing import Any

import altair as alt
import polars as pl
import pytest

from dashboards import charts, theme
from dashboards.charts import Measure, Words
from tests.chart_spec import fields, layers_of, marked, nodes

WORDS = Words("A rank in their melds is taken most", ("definition", "n = 3,000 games"))
RISK = Measure("taken", share=True)
RANKS = ["A", "K", "4"]


@pytest.fixture(params=theme.MODES)
def palette(request: pytest.FixtureRequest) -> theme.Palette:
    return theme.palette(["classic4", "boat", "out", "stock", "could", "did"], ["safe"], mode=request.param)


def risks(rounds: int = 20) -> pl.DataFrame:
    """Risk by rank and round, in their melds and not; few in late rounds, no ace in round 3."""
    rows = [
        {"rank": rank, "round": number, "in_theirs": theirs, "value": 0.1, "low": 0.09, "high": 0.11,
         "games": 3000, "few": number > 5, "denominator": 1 if number == 9 else 5000}
        for rank in RANKS for number in range(1, rounds + 1) for theirs in ("yes", "no")
        if (rank, number) != ("A", 3)
    ]  # fmt: skip
    return pl.DataFrame(rows)


def grid(palette: theme.Palette, **given: Any) -> alt.LayerChart:
    options = {"x": "round", "y": "rank", "panels": "in_theirs", "down": ("4", "A"), "count": "denominator"}
    return charts.heat(risks(), WORDS, RISK, palette, **(options | given))


def endings() -> pl.DataFrame:
    rows = [("classic4", "out", 0.9), ("classic4", "stock", 0.1), ("boat", "out", 0.6), ("boat", "stock", 0.4),
            ("classic4", "cap", 0.0), ("boat", "cap", 0.0)]  # fmt: skip
    frame = pl.DataFrame(rows, schema=["variant", "ending", "value"], orient="row")
    return frame.with_columns(low=pl.col("value") - 0.01, high=pl.col("value") + 0.01, games=3000, few=False)


def bars(palette: theme.Palette) -> alt.LayerChart:
    order = ("out", "stock", "cap")
    return charts.shares(endings(), WORDS, RISK, palette, rows=("variant",), parts="ending", order=order)


def pairs(palette: theme.Palette) -> alt.LayerChart:
    rows = [(part, rank, value) for part, value in (("could", 0.3), ("did", 0.2)) for rank in RANKS]
    frame = pl.DataFrame(rows, schema=["part", "rank", "value"], orient="row")
    table = frame.with_columns(low=pl.col("value") - 0.01, high=pl.col("value") + 0.01, games=3000, few=False)
    return charts.dumbbell(table, WORDS, RISK, palette, rows="rank", down=("4", "K", "A"))


def slopes(palette: theme.Palette, base: str = "classic4") -> alt.LayerChart:
    rows = [("turns", "classic4", 40.0), ("deals", "classic4", 5.0), ("turns", "boat", 50.0), ("deals", "boat", 4.0)]
    frame = pl.DataFrame(rows, schema=["part", "variant", "value"], orient="row")
    table = frame.with_columns(
        given_lineup=pl.lit("safe"), low=pl.col("value") - 0.1, high=pl.col("value") + 0.1, games=3000, few=False
    )
    measures = Measure("turns per deal", "turns"), Measure("deals per game"), Measure("turns per game", "turns")
    return charts.slope(table, WORDS, measures, palette, parts=("turns", "deals"), base=base)


def test_every_shape_is_valid_has_its_words_and_recomputes_nothing(palette: theme.Palette) -> None:
    for chart in (grid(palette), bars(palette), pairs(palette), slopes(palette)):
        spec = theme.dressed(chart, palette.mode).to_dict()
        json.dumps(spec, allow_nan=False)
        assert spec["title"] == {"text": WORDS.sentence, "subtitle": list(WORDS.facts)}
        keys = dict(nodes(spec))
        assert not {"extent", "boxplot", "errorbar", "errorband", "aggregate", "facet", "hconcat"} & set(keys)
        marks = {value if isinstance(value, str) else value["type"] for key, value in nodes(spec) if key == "mark"}
        assert not marks & {"errorbar", "errorband", "boxplot"}


def test_every_shape_tells_how_many_games_there_are(palette: theme.Palette) -> None:
    for chart in (grid(palette), bars(palette), pairs(palette), slopes(palette)):
        tooltips = [layer["encoding"]["tooltip"] for layer in layers_of(chart) if "tooltip" in layer["encoding"]]
        assert tooltips
        assert all(any(one["field"] == "games" for one in tooltip) for tooltip in tooltips)


def test_a_grid_leaves_cells_that_are_not_there_empty_and_rare_columns_out(palette: theme.Palette) -> None:
    boxes = marked(layers_of(grid(palette)), "rect")
    assert len(boxes) == 2  # a panel each
    for layer in boxes:
        drawn = {(row["rank"], row["round"]) for row in layer["rows"]}
        assert ("A", 3) not in drawn
        assert {number for _, number in drawn} == set(range(1, 18)) - {9}  # 16 columns, but for what is counted once
        assert {rank for rank, _ in drawn} == {"4", "A"}


def test_a_cell_of_few_games_is_grey_and_has_no_colour_of_its_value(palette: theme.Palette) -> None:
    fill = marked(layers_of(grid(palette)), "rect")[0]["encoding"]["fill"]
    assert fill["condition"] == {"test": "datum.few", "value": theme.OTHERS}
    assert fill["field"] == "value"


def test_a_matchup_has_its_middle_in_the_middle_of_the_colours(palette: theme.Palette) -> None:
    fill = marked(layers_of(grid(palette, middle=0.3)), "rect")[0]["encoding"]["fill"]
    low, middle, high = fill["scale"]["domain"]
    assert (middle, high - middle) == (pytest.approx(30), pytest.approx(middle - low))


def test_parts_lie_end_to_end_up_to_the_whole_and_what_never_comes_has_no_key(palette: theme.Palette) -> None:
    bar = marked(layers_of(bars(palette)), "bar")[0]
    ends = {(row["variant"], row["ending"]): (row["from"], row["to"]) for row in bar["rows"]}
    assert ends["boat", "out"] == (0, pytest.approx(60))
    assert ends["boat", "stock"] == (pytest.approx(60), pytest.approx(100))
    assert bar["encoding"]["color"]["scale"]["domain"] == ["out", "stock"]


def test_a_number_stands_only_where_it_fits(palette: theme.Palette) -> None:
    told = [row["told"] for layer in marked(layers_of(bars(palette)), "text") for row in layer["rows"]]
    assert sorted(told) == ["40 %", "60 %", "90 %"]


def test_a_dumbbell_joins_its_two_dots_and_keeps_the_order_asked_for(palette: theme.Palette) -> None:
    layers = layers_of(pairs(palette))
    line, interval = marked(layers, "rule")
    assert fields(line) == {"x": "from", "x2": "to", "y": "rank"}
    assert fields(interval)["x"] == "low"
    assert (line["rows"][0]["from"], line["rows"][0]["to"]) == (pytest.approx(20), pytest.approx(30))
    assert marked(layers, "point")[0]["encoding"]["y"]["sort"] == ["4", "K", "A"]


def test_a_slope_has_lines_of_equal_products_and_a_wedge_from_its_base(palette: theme.Palette) -> None:
    layers = layers_of(slopes(palette))
    lines = marked(layers, "line")[0]["rows"]
    assert {round(row["x"] * row["y"] - row["product"], 6) for row in lines} == {0}
    wedge = marked(layers, "trail")[0]["rows"]
    assert [(row["x"], row["y"]) for row in wedge] == [(40, 5), (50, 4)]
    assert wedge[0]["thick"] < wedge[1]["thick"]


def test_a_slope_without_its_base_has_no_wedge(palette: theme.Palette) -> None:
    assert marked(layers_of(slopes(palette, base="samba")), "trail") == []
