"""The page on canastas: on the sample, on other variants and without games; what its titles claim."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest

from dashboards import wording_canastas
from dashboards.wording_canastas import CANASTA, OPENED
from pipeline.metric import load_metric
from pipeline.simulation import simulate
from tests.chart_spec import fields, layers_of, marked
from tests.opened_page import open_page

FIGURES = {"canastas", "canastas_of_a_side", "ranks", "when", "open_margin", "open_rate", "open_turn"}
PLAYED = pl.DataFrame({"lineup": ["safe"], "games": [3000]})


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One canasta to go out against two, enough games to speak."""
    folder = tmp_path_factory.mktemp("runs") / "two"
    plan = {"variants": ["classic4", {"base": "classic4", "canastas_out": 2}], "lineups": ["naive"], "games": 450}
    simulate(plan, folder, workers=1)
    return folder


def test_the_page_shows_all_its_figures_on_the_sample_and_claims_nothing_from_few_games(
    monkeypatch: pytest.MonkeyPatch, sample_run: Path
) -> None:
    page = open_page(monkeypatch, "canastas", sample_run)
    assert page.app.title[0].value == "Canastas"
    assert set(page.figures) >= FIGURES
    assert all(page.figures[key].words.sentence.startswith("Too few games to say") for key in FIGURES)


def test_the_page_opens_on_another_family_of_variants(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    simulate({"variants": ["gamecolony2"], "lineups": ["naive"], "games": 20}, tmp_path / "duel", workers=1)
    page = open_page(monkeypatch, "canastas", tmp_path / "duel")
    assert set(page.figures) >= FIGURES
    assert "There is nothing to compare" in page.said
    empty = tmp_path / "empty"
    empty.mkdir()
    shutil.copy(tmp_path / "duel" / "manifest.json", empty)
    page = open_page(monkeypatch, "canastas", empty)
    assert page.app.title[0].value == "This run cannot be shown"


def test_titles_say_what_the_tables_hold(monkeypatch: pytest.MonkeyPatch, two: Path) -> None:
    page = open_page(monkeypatch, "canastas", two)
    said = {key: shown.words.sentence for key, shown in page.figures.items()}
    every = page.figures["canastas"].table.filter(pl.col("part") == "all").sort("value")
    assert every["variant"].to_list() == ["classic4", "classic4.canastas_out-2"]
    assert said["canastas"].startswith(f"From {every['value'][0]:.3f} (classic4)")
    assert said["canastas"].endswith(" of them natural")
    none = page.figures["canastas_of_a_side"].table.filter(pl.col("at") == 0).sort("share")
    assert f"{100 * none['share'][0]:.0f} % (classic4 · canastas_out 2)" in said["canastas_of_a_side"]
    assert "become canastas most often" in said["ranks"]
    assert said["when"].startswith("Half of all sides have opened by their ")
    assert "more canastas per side and deal" in said["canastas_per_side_deal_difference"]
    for shown in page.figures.values():
        facts = " · ".join(shown.words.facts)
        assert "games" in facts
        assert "95 %" in facts
        assert "played by naive" in facts
    assert any("goes with it" in fact for fact in page.figures["open_margin"].words.facts)


def test_charts_show_the_parts_the_even_share_and_both_turns(monkeypatch: pytest.MonkeyPatch, two: Path) -> None:
    page = open_page(monkeypatch, "canastas", two, variant="classic4")
    stack = marked(layers_of(page.figures["canastas"].chart), "bar")[0]
    assert stack["encoding"]["color"]["scale"]["domain"] == ["natural", "mixed"]
    even = marked(layers_of(page.figures["ranks"].chart), "rule")[-1]
    assert even["rows"] == [{"rule": pytest.approx(100 / 11)}]
    line = marked(layers_of(page.figures["when"].chart), "line")[0]
    ends = {part: max(row["cum"] for row in line["rows"] if row["part"] == part) for part in (OPENED, CANASTA)}
    assert 0 < ends[CANASTA] < ends[OPENED] < 100  # sides that never do either are counted
    assert fields(line)["strokeDash"] == "part"


def when(opened: list[float], canasta: list[float], games: int = 3000) -> pl.DataFrame:
    rows = [
        {"part": part, "variant": "classic4", "at": turn, "cum": cum, "cum_low": cum, "cum_high": cum, "games": games}
        for part, cums in ((OPENED, opened), (CANASTA, canasta)) for turn, cum in enumerate(cums, 1)
    ]  # fmt: skip
    return pl.DataFrame(rows)


@pytest.mark.parametrize(
    ("opened", "canasta", "said"),
    [
        ([0.3, 0.45, 0.6], [0.1, 0.2, 0.5], "Half of all sides have opened by their 3rd turn, and have a canasta by"),
        ([0.3, 0.6, 0.9], [0.1, 0.2, 0.4], "Half of all sides have opened by their 2nd turn, and fewer than half ever"),
        ([0.3, 0.4, 0.45], [0.1, 0.2, 0.3], "Fewer than half of all sides ever open"),
    ],
)
def test_half_of_the_sides_is_half_of_all_of_them(opened: list[float], canasta: list[float], said: str) -> None:
    words = wording_canastas.when_of(when(opened, canasta), load_metric("open_turn"), PLAYED)
    assert words.sentence.startswith(said)


def test_what_opening_early_goes_with_is_said_of_the_greatest_difference() -> None:
    rows = [(50, 1, 240.0), (50, 4, -60.0), (120, 1, 30.0), (120, 4, 20.0)]
    table = pl.DataFrame(
        {"variant": "classic4", "minimum": minimum, "open_turn": turn, "value": value, "low": value - 9.0,
         "high": value + 9.0, "games": 3000, "few": value == 20}
        for minimum, turn, value in rows
    )  # fmt: skip
    words = wording_canastas.pays_of(table, load_metric("open_margin"), PLAYED)
    assert words.sentence == "At a minimum of 50, opening on own turn 1 goes with +240 points, on 4 with −60 points"


def test_few_games_say_nothing_about_when() -> None:
    words = wording_canastas.when_of(when([0.6], [0.5], games=399), load_metric("open_turn"), PLAYED)
    assert words.sentence == "Too few games to say when sides open"


def test_no_side_without_a_canasta_is_said_in_words() -> None:
    rows = {"variant": "classic4", "at": [1, 2], "share": [0.6, 0.4], "share_low": 0.3, "games": 3000}
    words = wording_canastas.without_of(pl.DataFrame(rows), load_metric("canastas_per_side_deal"), PLAYED)
    assert words.sentence == "No side ends without a canasta"


def test_turns_are_counted_in_words() -> None:
    assert [wording_canastas.nth(turn) for turn in (1, 2, 3, 4, 11, 12, 13, 21, 102)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd",
    ]  # fmt: skip
