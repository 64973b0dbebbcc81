"""The page on strategies: on the sample, on other variants, on a run without a contest; its tables and sentences."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from dashboards import wording_strategies
from engine.strategies import strategy_names
from pipeline.simulation import simulate
from tests.chart_spec import layers_of, marked
from tests.opened_page import open_page

CONTEST = {"ladder", "matrix", "points_ahead"}
DISCARDS = {"risk", "danger", "folklore", "throws", "cost"}


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two strategies against each other and each alone, enough games to speak."""
    folder = tmp_path_factory.mktemp("runs") / "contest"
    simulate({"lineups": ["safe", "safe~random"], "games": 420}, folder, workers=1)
    return folder


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "duel"
    simulate({"variants": ["classic2", "viennese"], "lineups": ["naive"], "games": 20}, folder, workers=1)
    return folder


def test_all_figures_are_there_on_the_sample(monkeypatch: pytest.MonkeyPatch, sample_run: Path) -> None:
    page = open_page(monkeypatch, "strategies", sample_run)
    assert page.app.title[0].value == "Strategies"
    assert set(page.figures) == CONTEST | DISCARDS
    assert page.figures["ladder"].words.sentence == "Too few games to say who leads"
    for key in ("matrix", "risk", "danger", "folklore", "points_ahead"):
        assert page.figures[key].words.sentence.startswith("Too few games to say"), key


def test_a_run_of_equals_says_what_cannot_be_shown_and_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, duel: Path
) -> None:
    page = open_page(monkeypatch, "strategies", duel)
    assert set(page.figures) == DISCARDS
    assert "No two sides here play unlike strategies" in page.said
    (command,) = (code.value for code in page.app.code if code.value.startswith("canasta simulate"))
    others = ",".join(f"naive~{other}" for other in strategy_names() if other != "naive")
    assert f"--variant=classic2 '--lineup={others}' --games=10000" in command


def test_titles_say_what_the_tables_hold(monkeypatch: pytest.MonkeyPatch, contest: Path) -> None:
    page = open_page(monkeypatch, "strategies", contest, closer="safe")
    said = {key: shown.words.sentence for key, shown in page.figures.items()}
    assert said["ladder"] == "safe leads"
    assert said["matrix"].startswith("safe beats random most clearly: ")
    assert said["points_ahead"].startswith("safe over random: +")
    assert " % of discards of a rank in their melds are taken, " in said["risk"]
    assert said["danger"].startswith("The next seat could take ")
    assert said["throws"].startswith("Strategies differ most in ")
    assert said["cost"].startswith("Being taken goes with ") or said["cost"].startswith("Too few games")
    assert "goes with, is not the cause" in page.figures["cost"].words.facts
    for key in DISCARDS - {"throws", "cost"}:
        assert "played by safe" in page.figures[key].words.facts


def test_the_line_up_of_the_figures_on_discards_comes_from_the_address(
    monkeypatch: pytest.MonkeyPatch, contest: Path
) -> None:
    page = open_page(monkeypatch, "strategies", contest, closer="safe~random")
    assert "played by safe~random" in page.figures["risk"].words.facts


def test_a_matchup_is_coloured_about_its_middle(monkeypatch: pytest.MonkeyPatch, contest: Path) -> None:
    boxes = marked(layers_of(open_page(monkeypatch, "strategies", contest).figures["matrix"].chart), "rect")[0]
    low, middle, high = boxes["encoding"]["fill"]["scale"]["domain"]
    assert middle == 50
    assert middle - low == pytest.approx(high - middle)


# ---------------------------------------------------------------------------------------- sentences of tables


def ladder(*rows: tuple[str, str, bool], variant: str = "classic4") -> pl.DataFrame:
    """Strategies from the strongest, each with whom it ties and whether games are few."""
    return pl.DataFrame(
        [(variant, place, name, ties, few, 1000) for place, (name, ties, few) in enumerate(rows, 1)],
        schema=["variant", "rank", "strategy", "ties", "few", "blocks"], orient="row",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ((("a", "", False), ("b", "", False)), "a leads"),
        ((("a", "b", False), ("b", "a", False), ("c", "", False)), "a and b cannot be told apart"),
        ((("a", "", False), ("b", "c", False), ("c", "b", False)), "a leads; b and c cannot be told apart"),
        ((("a", "", True), ("b", "", True)), "Too few games to say who leads"),
    ],
)
def test_a_ladder_tells_who_leads_and_who_ties(rows: tuple[tuple[str, str, bool], ...], sentence: str) -> None:
    assert wording_strategies.ladder_of(ladder(*rows)).sentence == sentence


def test_variants_with_one_verdict_share_a_sentence_and_others_are_named() -> None:
    one, other = ladder(("a", "", False), ("b", "", False)), ladder(("a", "", False), ("b", "", False), variant="boat")
    assert wording_strategies.ladder_of(pl.concat([one, other])).sentence == "a leads in all 2 variants"
    turned = ladder(("b", "", False), ("a", "", False), variant="boat")
    assert wording_strategies.ladder_of(pl.concat([one, turned])).sentence == "classic4: a leads; boat: b leads"


def test_a_pair_is_one_row_told_from_the_one_who_is_ahead() -> None:
    rows = [("classic4", "a~b", "a", "b", -20.0), ("classic4", "a~b", "b", "a", 20.0), ("boat", "a~b", "a", "b", 5.0),
            ("boat", "a~b", "b", "a", -5.0)]  # fmt: skip
    table = pl.DataFrame(rows, schema=["variant", "lineup", "strategy", "opponent", "points_per_deal"], orient="row")
    table = table.with_columns(
        points_per_deal_low=pl.col("points_per_deal") - 1, points_per_deal_high=pl.col("points_per_deal") + 1
    )
    assert wording_strategies.edges(table).select("variant", "pair", "diff").rows() == [
        ("classic4", "b over a", 20.0), ("boat", "b over a", -5.0),
    ]  # fmt: skip


def test_folklore_is_of_natural_cards_only() -> None:
    table = pl.DataFrame({
        "part": ["In their melds", "In their melds", "Copies seen"], "card_class": ["natural", "wild", "natural"],
        "in_theirs": ["yes", "yes", None], "in_ours": None, "thrown_before": None, "seen": [None, None, 3],
    })  # fmt: skip
    assert wording_strategies.folklore(table)["situation"].to_list() == ["In their melds: yes", "Copies seen: 3"]
