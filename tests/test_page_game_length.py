"""The page on game length: on the sample, on other variants, with enough games to speak, and its chosen pace."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from dashboards import comparing, wording_length
from pipeline.metric import load_metric
from pipeline.simulation import simulate
from tests.chart_spec import layers_of, marked
from tests.opened_page import open_page

FIGURES = {"turns", "turns_difference", "deal_or_game", "minutes", "finished", "endings", "over_by", "deals"}
LONG = "classic4.hand_size-15"


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Classic games with eleven and with fifteen cards, by equals and by unequals, enough to speak."""
    folder = tmp_path_factory.mktemp("runs") / "hands"
    variants = ["classic4", {"base": "classic4", "hand_size": 15}]
    simulate({"variants": variants, "lineups": ["naive", "naive~random"], "games": 420}, folder, workers=1)
    return folder


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "duel"
    simulate({"variants": ["classic2", "viennese"], "lineups": ["naive"], "games": 20}, folder, workers=1)
    return folder


def test_all_figures_are_there_on_the_sample_and_claim_nothing_from_few_games(
    monkeypatch: pytest.MonkeyPatch, sample_run: Path
) -> None:
    page = open_page(monkeypatch, "game_length", sample_run)
    assert page.app.title[0].value == "Game length"
    assert set(page.figures) == FIGURES
    for key in ("turns", "minutes", "finished", "over_by", "deals"):
        assert page.figures[key].words.sentence.startswith("Too few games to say"), key


def test_the_page_opens_on_another_family_of_variants(monkeypatch: pytest.MonkeyPatch, duel: Path) -> None:
    page = open_page(monkeypatch, "game_length", duel)
    assert set(page.figures) == FIGURES
    assert page.figures["turns"].table["variant"].unique().sort().to_list() == ["classic2", "viennese"]


def test_titles_say_what_the_tables_hold(monkeypatch: pytest.MonkeyPatch, hands: Path) -> None:
    page = open_page(monkeypatch, "game_length", hands)
    said = {key: shown.words.sentence for key, shown in page.figures.items()}
    ends = page.figures["turns"].table.sort("value")["value"]
    assert said["turns"].startswith(f"Turns per game: from {ends[0]:.1f} (classic4 · hand_size 15, naive")
    assert said["turns_difference"].startswith("classic4 · hand_size 15: fewer turns per game (−")
    assert said["deal_or_game"].startswith("classic4 · hand_size 15: ")
    assert "at club pace" in said["minutes"]
    assert "Over within 90 minutes: from " in said["finished"]
    assert "of classic4 games are over within 90 minutes, half of them within " in said["over_by"]
    assert " % of games take " in said["deals"]
    for shown in page.figures.values():
        facts = " · ".join(shown.words.facts)
        assert "games" in facts
        assert "95 %" in facts
        assert "naive" in facts or "line-ups" in facts


def test_differences_say_that_they_are_paired_and_what_it_gained(monkeypatch: pytest.MonkeyPatch, hands: Path) -> None:
    shown = open_page(monkeypatch, "game_length", hands).figures["turns_difference"]
    gains = shown.table.filter(pl.col("paired"))["gain"]
    assert any(
        fact.startswith(f"paired on common cards, gain ×{gains.to_numpy().min():.2f}") for fact in shown.words.facts
    )
    assert {row["variant"] for layer in marked(layers_of(shown.chart), "point") for row in layer["rows"]} == {LONG}


def test_the_pace_and_the_minutes_there_are_come_from_the_address(monkeypatch: pytest.MonkeyPatch, hands: Path) -> None:
    page = open_page(monkeypatch, "game_length", hands, pace="social", minutes="120")
    assert "at social pace" in page.figures["minutes"].words.sentence
    assert page.figures["finished"].words.sentence.startswith("Over within 120 minutes: ")
    drawn = marked(layers_of(page.figures["minutes"].chart), "point")[0]["rows"]
    assert {row["pace"] for row in drawn} == {"social"}
    rules = marked(layers_of(page.figures["over_by"].chart), "rule")
    assert [{"rule": 120.0}] in [layer["rows"] for layer in rules]


def test_a_variant_alone_is_compared_with_nothing_and_says_so(monkeypatch: pytest.MonkeyPatch, hands: Path) -> None:
    page = open_page(monkeypatch, "game_length", hands, variant="classic4")
    assert set(page.figures) == FIGURES - {"turns_difference"}
    assert "Only classic4 is shown, which is also what is compared with" in page.said


def test_slopes_draw_a_wedge_from_the_base_and_lines_of_equal_games(
    monkeypatch: pytest.MonkeyPatch, hands: Path
) -> None:
    layers = layers_of(open_page(monkeypatch, "game_length", hands).figures["deal_or_game"].chart)
    assert len(marked(layers, "trail")) == 2  # a panel a line-up
    for row in marked(layers, "line")[0]["rows"]:
        assert row["x"] * row["y"] == pytest.approx(row["product"])


# ---------------------------------------------------------------------------------------- sentences of tables


def compared(*forms: tuple[str, str, float]) -> pl.DataFrame:
    """A table of differences to classic4: line-up, form and difference of each row of one variant."""
    lineups = [lineup for lineup, _, _ in forms]
    base = {"variant": "classic4", "given_lineup": lineups, "value": 200.0, "form": None, "diff": None}
    other = {"variant": LONG, "given_lineup": lineups, "value": 190.0, "form": [form for _, form, _ in forms],
             "diff": [diff for _, _, diff in forms]}  # fmt: skip
    types = {"form": pl.String, "diff": pl.Float64}
    rows = pl.concat([pl.DataFrame(base, schema_overrides=types), pl.DataFrame(other, schema_overrides=types)])
    return rows.with_columns(diff_low=pl.col("diff") - 1, diff_high=pl.col("diff") + 1, paired=True, gain=1.2)


def clause(*forms: tuple[str, str, float]) -> str:
    effects = comparing.effects_of(compared(*forms), load_metric("turns_per_game"), "classic4")
    return effects[0].clause


def test_a_direction_is_claimed_only_where_all_line_ups_agree() -> None:
    both = clause(("a", "less", -10.0), ("b", "less", -20.0))
    assert both == "fewer turns per game (−20.0 to −10.0 turns, −10 to −5 %)"
    apart = clause(("a", "less", -10.0), ("b", "more", 5.0))
    assert apart == "turns per game depends on play (a −10.0, b +5.0 turns)"
    assert clause(("a", "less", -10.0), ("b", "few", -3.0)).endswith("not sure yet in 1 of 2)")
    assert clause(("a", "few", -10.0), ("b", "few", -3.0)) == "too few games to say (turns per game)"
    assert clause(("a", "same", 0.2)) == "no difference worth noticing in turns per game (−0.8 to +1.2 turns)"


def test_endings_name_the_rarer_one_where_it_is_most_frequent() -> None:
    rows = [("classic4", "safe", "out", 0.9), ("classic4", "safe", "stock", 0.1), (LONG, "safe", "out", 0.99),
            (LONG, "safe", "stock", 0.01)]  # fmt: skip
    table = pl.DataFrame(rows, schema=["variant", "given_lineup", "ending", "value"], orient="row").with_columns(
        few=False, games=1000
    )
    played = pl.DataFrame({"lineup": ["safe"], "games": [2000]})
    words = wording_length.endings_of(table, load_metric("ending_share"), played)
    assert words.sentence == ("90.0 % of deals and more end by going out; 10.0 % at most by an empty stock (classic4)")
