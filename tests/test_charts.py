"""Charts and theme: what every chart keeps to, whatever the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

from dashboards import charts, figure, theme
from dashboards.charts import Measure, Words
from dashboards.charts.words import LETTERS, label_row

VARIANTS = ["classic4", "classic4.canastas_out-2", "classic2", "gamecolony2"]
LINEUPS = ["safe", "safe~random"]
WORDS = Words("classic2 games last longest", ("turns of all deals ÷ games", "n = 40,000 games"))
TURNS = Measure("turns per game")


def table() -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    for place, (variant, lineup) in enumerate((v, u) for v in VARIANTS for u in LINEUPS):
        few, value = variant == "gamecolony2", 200.0 + 10 * place
        half = None if few else 1.5
        rows.append({
            "variant": variant, "lineup": lineup, "value": value, "low": half and value - half,
            "high": half and value + half, "n": 20_000.0, "games": 20 if few else 20_000, "few": few,
            "diff": value - 200, "diff_low": half and value - 200 - half, "diff_high": half and value - 200 + half,
        })  # fmt: skip
    return pl.DataFrame(rows)


def all_charts(palette: theme.Palette) -> dict[str, theme.Figure]:
    one = table().filter(pl.col("lineup") == "safe")
    holes = table().head(-1).select("variant", "lineup", "games")
    return {
        "estimate": charts.estimate(one, WORDS, TURNS, palette),
        "estimate by line-up": charts.estimate(table(), WORDS, TURNS, palette, group="lineup"),
        "difference": charts.difference(one, WORDS, TURNS, palette),
        "difference by line-up": charts.difference(table(), WORDS, TURNS, palette, group="lineup"),
        "counts": charts.counts(holes, WORDS, palette, x="lineup", y="variant"),
    }


def nodes(spec: Any) -> Iterator[tuple[str, Any]]:
    """Every key and value of a spec but the data."""
    if isinstance(spec, dict):
        for key, value in spec.items():
            if key != "datasets":
                yield key, value
                yield from nodes(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from nodes(value)


@pytest.fixture(params=theme.MODES)
def palette(request: pytest.FixtureRequest) -> theme.Palette:
    return theme.palette(VARIANTS, LINEUPS, mode=request.param)


def test_every_chart_is_valid_vega_lite_with_a_sentence_and_its_facts(palette: theme.Palette) -> None:
    for name, chart in all_charts(palette).items():
        spec = theme.dressed(chart, palette.mode).to_dict()
        assert spec["title"] == {"text": WORDS.sentence, "subtitle": list(WORDS.facts)}, name
        json.dumps(spec, allow_nan=False)


def test_no_chart_lets_vega_recompute_an_interval(palette: theme.Palette) -> None:
    for name, chart in all_charts(palette).items():
        spec = chart.to_dict()
        assert "extent" not in dict(nodes(spec)), name
        marks = [value.get("type") if isinstance(value, dict) else value for key, value in nodes(spec) if key == "mark"]
        assert set(marks) <= {"rule", "point", "rect", "text"}, name
        assert "aggregate" not in dict(nodes(spec)), name


def test_an_interval_is_drawn_from_the_columns_low_and_high(palette: theme.Palette) -> None:
    spec = charts.estimate(table(), WORDS, TURNS, palette, group="lineup").to_dict()
    rule = next(layer for layer in spec["layer"] if layer["mark"]["type"] == "rule")
    assert (rule["encoding"]["x"]["field"], rule["encoding"]["x2"]["field"]) == ("low", "high")


def test_a_difference_has_its_base_at_zero(palette: theme.Palette) -> None:
    spec = charts.difference(table(), WORDS, TURNS, palette).to_dict()
    assert [{"base": 0}] in spec["datasets"].values()
    assert spec["layer"][0]["mark"]["type"] == "rule"


def test_rows_are_sorted_by_value_and_shares_are_shown_in_percent(palette: theme.Palette) -> None:
    shares = table().with_columns(pl.col("value", "low", "high") / 1000)
    spec = charts.estimate(shares, WORDS, Measure("freeze rate", share=True), palette).to_dict()
    point = next(layer for layer in spec["layer"] if layer["mark"]["type"] == "point")
    assert point["encoding"]["y"]["sort"] == ["gamecolony2", "classic2", "classic4 · canastas_out 2", "classic4"]
    assert point["encoding"]["x"]["title"] == "freeze rate (%)"
    rows = next(iter(spec["datasets"].values()))
    assert max(row["value"] for row in rows) == pytest.approx(27)


def test_a_row_without_interval_says_so_in_its_tooltip(palette: theme.Palette) -> None:
    spec = charts.estimate(table(), WORDS, TURNS, palette).to_dict()
    said = {row["spelled"] for row in next(iter(spec["datasets"].values())) if row["few"]}
    assert said == {"260.00, too few games for an interval", "270.00, too few games for an interval"}


def test_a_grid_keeps_the_place_of_a_combination_that_was_not_played(palette: theme.Palette) -> None:
    spec = charts.counts(table().head(-1), WORDS, palette, x="lineup", y="variant").to_dict()
    rows = next(iter(spec["datasets"].values()))
    assert len(rows) == len(VARIANTS) * len(LINEUPS)
    assert [row["spelled"] for row in rows if row["games"] is None] == ["none"]


def test_charts_are_saved_as_svg_and_png_with_their_title(palette: theme.Palette) -> None:
    def draw(colours: theme.Palette) -> theme.Figure:
        return charts.estimate(table(), WORDS, TURNS, colours, group="lineup")

    svg = figure.drawing(draw, palette, "svg").decode()
    assert WORDS.sentence in svg
    assert theme.PAPER[palette.mode] in svg
    assert figure.drawing(draw, palette, "png").startswith(b"\x89PNG")


# ------------------------------------------------------------------------------------------------ theme

COLOUR_BLIND = {  # Machado et al. 2009, severity 1, on linear RGB
    "none": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def linear(colour: str) -> np.ndarray:
    rgb = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def oklab(rgb: np.ndarray) -> np.ndarray:
    cones = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.63]])
    axes = np.array([[0.2105, 0.7936, -0.0041], [1.978, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
    return axes @ np.cbrt(cones @ np.clip(rgb, 0, 1))


def contrast(one: str, other: str) -> float:
    light = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


@pytest.mark.parametrize("sight", COLOUR_BLIND)
@pytest.mark.parametrize("mode", theme.MODES)
def test_any_two_colours_can_be_told_apart(mode: theme.Mode, sight: str) -> None:
    seen = [oklab(np.array(COLOUR_BLIND[sight]) @ linear(colour)) for colour in theme.PALETTES[mode]]
    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) > 0.09


@pytest.mark.parametrize("mode", theme.MODES)
def test_colours_and_text_stand_out_from_the_page(mode: theme.Mode) -> None:
    assert min(contrast(colour, theme.PAPER[mode]) for colour in theme.PALETTES[mode]) > 2.3
    assert contrast(theme.INK[mode], theme.PAPER[mode]) > 7


def test_a_name_keeps_its_colour_when_others_come_after_it_and_no_two_share_one() -> None:
    few, many = theme.palette(VARIANTS[:2]), theme.palette(VARIANTS)
    assert [few.colour(name) for name in VARIANTS[:2]] == [many.colour(name) for name in VARIANTS[:2]]
    assert len({many.colour(name) for name in VARIANTS}) == len(VARIANTS)


def test_the_ninth_name_is_grey_instead_of_repeating_a_colour() -> None:
    names = [f"variant{number}" for number in range(9)]
    palette = theme.palette(names)
    assert palette.colour(names[8]) == theme.OTHERS
    assert len({palette.colour(name) for name in names}) == 9


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((207.43, 206.91, 207.95), "207.43 (206.91–207.95)"),
        ((1234.5, 1210.0, 1259.0), "1,234 (1,210–1,259)"),
        ((-0.9, -1.4, -0.4), "−0.90 (−1.40 to −0.40)"),
        ((5.0, None, None), "5.00"),
        ((None, None, None), "–"),
    ],
)
def test_a_value_has_the_digits_its_interval_deserves(numbers: tuple[float | None, ...], text: str) -> None:
    assert theme.with_interval(*numbers) == text


def test_large_counts_read_as_a_person_says_them() -> None:
    assert [theme.large(n) for n in (950, 50_000, 1_200_000, 5_400_000_000)] == [
        "950", "50,000", "1.2 million", "5.4 billion",
    ]  # fmt: skip


def test_a_long_label_is_broken_into_lines_that_fit() -> None:
    rows = label_row("classic4\nchances to take the pile used less often").split("\n")
    assert rows[0] == "classic4"
    assert " ".join(rows[1:]) == "chances to take the pile used less often"
    assert max(map(len, rows)) <= LETTERS


@pytest.mark.parametrize("mode", theme.MODES)
def test_text_of_a_chart_can_be_read_on_its_page(mode: theme.Mode) -> None:
    config = theme.dressed(all_charts(theme.palette(mode=mode))["counts"], mode).to_dict()["config"]
    title, axis = config["title"], config["axis"]
    colours = (title["color"], title["subtitleColor"], axis["labelColor"], axis["titleColor"])
    assert min(contrast(colour, theme.PAPER[mode]) for colour in colours) >= 4.5
