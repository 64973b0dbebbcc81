"""The page on the pile: on the sample, on other variants, on one whose pile is always frozen, and without games."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest

from dashboards import telling, theme, wording_pile
from pipeline.metric import load_metric
from pipeline.simulation import simulate
from tests.chart_spec import layers_of, marked
from tests.opened_page import Opened, open_page

ALWAYS = "classic4.pile_frozen-always"
FIGURES = {
    "frozen", "frozen_along", "states", "causes", "freeze_length", "profits", "take_sizes", "take_margin",
    "take_or_leave",
}  # fmt: skip


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Classic games beside such with a pile that is always frozen, enough of them to speak."""
    folder = tmp_path_factory.mktemp("runs") / "frozen"
    plan = {
        "variants": ["classic4", {"base": "classic4", "pile_frozen": "always"}],
        "lineups": ["naive", "naive~freezer"], "games": 500,
    }  # fmt: skip
    simulate(plan, folder, workers=1)
    return folder


@pytest.fixture(scope="module")
def page(frozen: Path) -> Opened:
    """The page on that run, with its figures under the line-up that freezes."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        return open_page(monkeypatch, "pile", frozen, closer="naive~freezer")


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "duel"
    simulate({"variants": ["classic2", "viennese"], "lineups": ["naive"], "games": 20}, folder, workers=1)
    return folder


def test_the_page_shows_all_its_figures_on_the_sample_and_claims_nothing_from_few_games(
    monkeypatch: pytest.MonkeyPatch, sample_run: Path
) -> None:
    page = open_page(monkeypatch, "pile", sample_run)
    assert page.app.title[0].value == "The pile"
    assert set(page.figures) >= FIGURES
    assert {key: shown.words.sentence for key, shown in page.figures.items() if key in FIGURES} == {
        key: sentence for key, shown in page.figures.items()
        if key in FIGURES and (sentence := shown.words.sentence).startswith("Too few games to say")
    }  # fmt: skip


def test_the_page_opens_on_another_family_of_variants(monkeypatch: pytest.MonkeyPatch, duel: Path) -> None:
    page = open_page(monkeypatch, "pile", duel)
    assert set(page.figures) >= FIGURES
    assert page.figures["states"].table["variant"].unique().sort().to_list() == ["classic2", "viennese"]


def test_a_run_without_games_is_answered_in_words(monkeypatch: pytest.MonkeyPatch, duel: Path, tmp_path: Path) -> None:
    shutil.copy(duel / "manifest.json", tmp_path)
    page = open_page(monkeypatch, "pile", tmp_path)
    assert page.app.title[0].value == "This run cannot be shown"
    assert page.figures == {}


def test_titles_say_what_the_tables_hold(page: Opened) -> None:
    said = {key: shown.words.sentence for key, shown in page.figures.items()}
    ends = page.figures["frozen"].table.filter(~pl.col("by_rule")).sort("value")
    assert said["frozen"].startswith(f"From {100 * ends['value'][0]:.1f} % (naive) to {100 * ends['value'][1]:.1f} % ")
    assert said["frozen_along"].startswith("The pile is frozen most often in round ")
    assert said["causes"].startswith("A wild card thrown makes ")
    assert said["freeze_length"].startswith("Half of all freezes are over within ")
    assert "against 6" in said["profits"]
    assert said["take_margin"].startswith("A take of 16 cards or more goes with +")
    for key in FIGURES:
        facts = " · ".join(page.figures[key].words.facts)
        assert "games" in facts
        assert "95 %" in facts
        assert "naive" in facts or "line-ups" in facts


def test_variants_frozen_by_rule_are_named_and_not_drawn(page: Opened) -> None:
    shown = page.figures["frozen"]
    drawn = marked(layers_of(shown.chart), "point")[0]["rows"]
    assert {row["variant"] for row in drawn} == {"classic4"}
    assert ALWAYS in shown.table["variant"].to_list()
    assert f"always frozen by rule, so without a row: {theme.label(ALWAYS)}" in shown.words.facts


def test_a_pile_that_is_always_frozen_has_no_freezes_and_says_so(monkeypatch: pytest.MonkeyPatch, frozen: Path) -> None:
    page = open_page(monkeypatch, "pile", frozen, variant=ALWAYS)
    assert set(page.figures) & FIGURES == {"states", "take_sizes", "take_margin", "take_or_leave"}
    assert page.said.count("by rule") >= 3
    assert page.figures["states"].words.sentence == "The pile is open on no turn"


def test_line_ups_of_a_single_variant_are_told_apart(monkeypatch: pytest.MonkeyPatch, frozen: Path) -> None:
    page = open_page(monkeypatch, "pile", frozen, variant="classic4")
    assert [box.key for box in page.app.selectbox if box.key in ("closer", "of")] == []
    assert set(page.figures["frozen_along"].legend) == {"naive", "naive~freezer"}
    assert "turn" in page.figures["frozen_along"].table.columns


def test_a_side_is_compared_with_its_share_of_all_takes(page: Opened) -> None:
    table = wording_pile.beside_even(page.figures["profits"].table)
    even = {(row["given_lineup"], row["strategy"]): row["even"] for row in table.iter_rows(named=True)}
    assert even["naive", "naive"] == pytest.approx(0.5)
    both = even["naive~freezer", "naive"] + even["naive~freezer", "freezer"]
    assert both == pytest.approx(1)


def test_every_strategy_has_a_colour_of_its_own_and_keeps_that_of_its_line_up() -> None:
    palette = theme.palette(["classic4", "classic2"], ["safe", "naive~freezer"])
    shown = telling.with_strategies(palette, ["safe", "naive", "freezer", "hoarder"])
    assert shown.colour("safe") == palette.colour("safe")
    assert len({shown.colour(name) for name in ("safe", "naive", "freezer", "hoarder")} - {theme.OTHERS}) == 4
    filtered = telling.with_strategies(palette, ["freezer"])
    assert filtered.colour("freezer") == shown.colour("freezer")


def test_nothing_that_ever_froze_is_told_apart_from_too_few_games() -> None:
    played = pl.DataFrame({"lineup": ["safe"], "games": [3000]})
    rows = {"variant": "classic4", "cause": ["wild", "red3"], "value": 0.0, "games": 3000, "few": True, "numerator": 0}
    none = pl.DataFrame(rows | {"low": 0.0, "high": 0.0})
    metric = load_metric("freezes_per_deal")
    assert wording_pile.causes_of(none, metric, played).sentence == "Nothing ever froze the pile"
    few = pl.DataFrame(rows | {"low": pl.Series([None, None], dtype=pl.Float64), "high": 0.0, "numerator": 3})
    assert wording_pile.causes_of(few, metric, played).sentence == "Too few games to say what freezes the pile"
