"""Curves, cumulative distributions and areas: steps, bands from their columns, strips of what was counted."""

from __future__ import annotations

import polars as pl
import pytest

from dashboards import charts, theme
from dashboards.charts import Measure, Words
from tests.chart_spec import fields, layers_of, marked, nodes

WORDS = Words("The pile is frozen most often in round 9", ("definition", "n = 3,000 games"))
SHARE = Measure("freeze rate", share=True)
VARIANTS = ["classic4", "classic2"]
STATES = ["open", "frozen", "empty"]


@pytest.fixture
def palette() -> theme.Palette:
    return theme.palette(VARIANTS)


def by_round(last: int = 12) -> pl.DataFrame:
    """Shares by round, few games in the tail, one deal in thousands beyond it."""
    rows = [
        {
            "variant": variant, "round": number, "value": 0.01 * number, "low": 0.01 * number - 0.005,
            "high": 0.01 * number + 0.005, "games": 3000, "few": number > last - 3,
            "denominator": 1 if number == last else 4000 - 200 * number,
        }
        for variant in VARIANTS for number in range(1, last + 1)
    ]  # fmt: skip
    return pl.DataFrame(rows)


def by_state() -> pl.DataFrame:
    shares = {"open": 0.7, "frozen": 0.3, "empty": 0.0}
    rows = [
        {
            "variant": variant, "round": number, "state": state, "value": share, "low": share, "high": share,
            "games": 3000, "few": False, "denominator": 1000,
        }
        for variant in VARIANTS for number in range(1, 5) for state, share in shares.items()
    ]  # fmt: skip
    return pl.DataFrame(rows)


def by_number() -> pl.DataFrame:
    """A distribution in which a tenth never comes."""
    cums = [0.2, 0.6, 0.8, 0.9, 0.9]
    rows = [
        {
            "variant": variant, "at": number, "n": 10, "share": 0.1, "cum": cum, "cum_low": cum - 0.02,
            "cum_high": cum + 0.02, "games": 3000,
        }
        for variant in VARIANTS for number, cum in enumerate(cums, 1)
    ]  # fmt: skip
    never = [row | {"at": None, "cum": 1.0} for row in rows[:1]]
    return pl.DataFrame([*rows, *never])


def test_a_curve_is_steps_in_a_band_from_low_to_high_over_bars_of_what_was_counted(palette: theme.Palette) -> None:
    layers = layers_of(charts.curve(by_round(), WORDS, SHARE, palette, x="round", counted="turns"))
    band, line, bars = (marked(layers, mark)[0] for mark in ("area", "line", "bar"))
    assert (fields(band)["y"], fields(band)["y2"]) == ("low", "high")
    assert {band["mark"]["interpolate"], line["mark"]["interpolate"]} == {"step-after"}
    assert (fields(bars)["y"], fields(bars)["y2"]) == ("bottom", "top")
    assert bars["encoding"]["y"]["title"] == "turns"
    assert fields(bars)["x"] == fields(line)["x"]


def test_a_curve_and_its_strip_lie_above_one_another_in_one_view(palette: theme.Palette) -> None:
    chart = charts.curve(by_round(), WORDS, SHARE, palette, x="round")
    layers = layers_of(chart)
    line, strip = (marked(layers, mark)[0]["encoding"]["y"]["scale"]["range"] for mark in ("line", "bar"))
    assert 0 == line[1] < line[0] < strip[1] < strip[0] == chart.to_dict()["height"]  # pixels from the top
    assert "vconcat" not in dict(nodes(chart.to_dict()))


def test_a_step_is_drawn_about_its_number_and_closed_at_its_end(palette: theme.Palette) -> None:
    layers = layers_of(charts.curve(by_round(), WORDS, SHARE, palette, x="round"))
    one = [row for row in marked(layers, "line")[0]["rows"] if row["variant"] == "classic4" and not row["few"]]
    assert [row["from"] for row in one] == [*(number - 0.5 for number in range(1, 10)), 9.5]
    assert one[-1]["value"] == one[-2]["value"] == pytest.approx(9)


def test_numbers_with_too_few_games_are_a_dashed_run_of_their_own(palette: theme.Palette) -> None:
    line = marked(layers_of(charts.curve(by_round(), WORDS, SHARE, palette, x="round")), "line")[0]
    runs = {(row["variant"], row["run"], row["few"]) for row in line["rows"]}
    assert runs == {(variant, run, bool(run)) for variant in VARIANTS for run in (0, 1)}
    assert line["encoding"]["strokeDash"]["condition"][0]["test"] == "datum.few"


def test_what_hardly_any_deal_reaches_is_left_out_of_the_chart(palette: theme.Palette) -> None:
    line = marked(layers_of(charts.curve(by_round(12), WORDS, SHARE, palette, x="round")), "line")[0]
    assert max(row["round"] for row in line["rows"]) == 11


def test_sizes_in_words_are_points_joined_in_their_order(palette: theme.Palette) -> None:
    sizes = ["1-3", "4-7", "8-15", "16+"]
    table = by_round(5).filter(pl.col("round") < 5).with_columns(size=pl.col("round").replace_strict(
        dict(enumerate(sizes, 1)), return_dtype=pl.String))  # fmt: skip
    layers = layers_of(charts.curve(table, WORDS, Measure("margin", "points"), palette, x="size"))
    line, points = marked(layers, "line")[0], marked(layers, "point")[0]
    assert line["encoding"]["x"]["sort"] == sizes
    assert line["mark"]["interpolate"] == "linear"
    assert points["mark"]["opacity"] == 1
    assert points["encoding"]["fill"]["condition"]["value"] == "transparent"


def test_rows_of_a_curve_are_panels_with_a_title_each(palette: theme.Palette) -> None:
    table = pl.concat([by_round().with_columns(minimum=minimum) for minimum in (50, 90)])
    layers = layers_of(charts.curve(table, WORDS, SHARE, palette, x="round", rows="minimum"))
    assert [layer["rows"][0]["panel"] for layer in marked(layers, "text")] == ["minimum 50", "minimum 90"]
    ranges = [layer["encoding"]["y"]["scale"]["range"] for layer in marked(layers, "line")]
    assert ranges[0][0] < ranges[1][1]


def test_shares_by_round_are_areas_made_up_to_all_in_a_fixed_order(palette: theme.Palette) -> None:
    chart = charts.area(by_state(), WORDS, SHARE, palette, x="round", parts="state", order=STATES, counted="turns")
    areas = marked(layers_of(chart), "area")
    assert len(areas) == len(VARIANTS)
    for area in areas:
        assert area["encoding"]["y"]["stack"] == "normalize"
        assert area["mark"]["interpolate"] == "step-after"
        assert area["encoding"]["color"]["scale"]["domain"] == ["open", "frozen"]  # empty never comes
        assert {row["place"] for row in area["rows"]} == {0, 1}


def test_an_areas_hidden_bars_tell_the_share_that_is_drawn_there(palette: theme.Palette) -> None:
    chart = charts.area(by_state(), WORDS, SHARE, palette, x="round", parts="state", order=STATES)
    hidden = next(layer for layer in marked(layers_of(chart), "bar") if layer["mark"]["opacity"] == 0)
    frozen = next(row for row in hidden["rows"] if row["state"] == "frozen")
    assert (frozen["bottom"], frozen["top"]) == pytest.approx((0.7, 1.0))
    assert {"round", "state", "n", "games"} <= {told["title"] for told in hidden["encoding"]["tooltip"]}


def test_a_cumulative_distribution_is_steps_in_a_band_and_need_not_reach_all(palette: theme.Palette) -> None:
    layers = layers_of(charts.ecdf(by_number(), WORDS, Measure("own turn"), palette))
    band, line = marked(layers, "area")[0], marked(layers, "line")[0]
    assert (fields(band)["y"], fields(band)["y2"]) == ("cum_low", "cum_high")
    assert line["mark"]["interpolate"] == "step-after"
    assert max(row["cum"] for row in line["rows"]) == pytest.approx(90)
    assert line["encoding"]["y"]["scale"]["domain"] == [0, 100]


def test_each_line_of_a_cumulative_distribution_runs_to_the_right_edge(palette: theme.Palette) -> None:
    table = by_number().filter((pl.col("variant") == "classic4") | (pl.col("at") < 3))
    line = marked(layers_of(charts.ecdf(table, WORDS, Measure("own turn"), palette)), "line")[0]
    ends = {variant: max(row["at"] for row in line["rows"] if row["variant"] == variant) for variant in VARIANTS}
    assert ends == {"classic4": 4, "classic2": 4}  # beyond 4 nothing more comes


def test_what_never_ends_is_a_ring_at_the_edge_as_far_below_all_as_it_is_large(palette: theme.Palette) -> None:
    edge = pl.DataFrame({
        "variant": VARIANTS, "value": [0.1, 0.25], "low": [0.08, 0.2], "high": [0.12, 0.3], "games": [900, 900],
        "few": [False, False],
    })  # fmt: skip
    layers = layers_of(charts.ecdf(by_number(), WORDS, Measure("turns"), palette, edge=edge))
    ring = next(layer for layer in marked(layers, "point") if fields(layer)["y"] == "under")
    assert ring["encoding"]["x"] == {"value": "width"}
    assert [row["under"] for row in ring["rows"]] == [90, 75]


def test_a_second_kind_of_line_is_dashed(palette: theme.Palette) -> None:
    both = pl.concat([by_number().with_columns(part=pl.lit(part)) for part in ("opened", "first canasta")])
    line = marked(layers_of(charts.ecdf(both, WORDS, Measure("own turn"), palette, dash="part")), "line")[0]
    assert fields(line)["strokeDash"] == "part"
    assert line["encoding"]["strokeDash"]["scale"]["range"] == [[1, 0], [5, 4]]
