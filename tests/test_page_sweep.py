"""The effects of the rules on the page on game length: on a run that varies rules, and only there."""

from __future__ import annotations

import io
import shlex
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from dashboards import charts, theme, wording_sweep
from dashboards.export import main as export
from pipeline.cli import main
from pipeline.metric import load_metric
from pipeline.run import open_run
from pipeline.simulation import simulate
from pipeline.sweeps import analyse
from tests.chart_spec import fields, layers_of, marked
from tests.opened_page import Shown, open_page
from tests.test_page_copying import drawn_from_columns, evaluated

OWN = {"rules", "rules_together"}
BOTH = "classic4.hand_size-15.canastas_out-2"


def printed(capsysbinary: pytest.CaptureFixture[bytes], shown: Shown) -> pl.DataFrame:
    assert main([*shlex.split(shown.source.command)[1:], "--format", "parquet"]) == 0
    return pl.read_parquet(io.BytesIO(capsysbinary.readouterr().out))


def test_both_figures_are_drawn_from_tables_that_what_is_copied_gives_again(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], sweep_run: Path
) -> None:
    page = open_page(monkeypatch, "game_length", sweep_run, lineup="naive~random", base=BOTH)
    assert set(page.figures) >= OWN
    assert "Effects of the rules" in page.said
    for key in OWN:
        shown = page.figures[key]
        assert drawn_from_columns(shown), key
        assert set(shown.table["given_lineup"]) == {"naive~random"}
        assert_frame_equal(evaluated(shown.source.python), shown.table)
        assert_frame_equal(printed(capsysbinary, shown), shown.table)
    assert set(page.figures["rules"].table["base_level"]) == {"15", "2"}


def test_the_forest_has_a_row_for_each_value_and_a_dot_for_each_line_up(
    monkeypatch: pytest.MonkeyPatch, sweep_run: Path
) -> None:
    shown = open_page(monkeypatch, "game_length", sweep_run, effect="Turns per deal").figures["rules"]
    dots = marked(layers_of(shown.chart), "point")[0]
    assert fields(dots)["color"] == "given_lineup"
    drawn = {(row["change"], row["given_lineup"]): row["diff"] for row in dots["rows"]}
    assert drawn == {
        (f"{row['factor']}: {row['base_level']} → {row['level']}", row["given_lineup"]): row["diff"]
        for row in shown.table.iter_rows(named=True)
    }
    assert len(drawn) == 4
    assert shown.words.sentence.startswith(("hand_size 11 → 15: shorter deals", "canastas_out 1 → 2: longer deals"))
    assert any(fact.startswith("paired on common cards, gain ×") for fact in shown.words.facts)


def test_lines_run_along_one_rule_for_each_value_of_the_other_in_a_panel_a_line_up(
    monkeypatch: pytest.MonkeyPatch, sweep_run: Path
) -> None:
    shown = open_page(monkeypatch, "game_length", sweep_run, effect="Turns per deal").figures["rules_together"]
    lines = marked(layers_of(shown.chart), "line")
    assert [{row["given_lineup"] for row in line["rows"]} for line in lines] == [{"naive"}, {"naive~random"}]
    assert {fields(line)["x"] for line in lines} == {"level"}
    assert [(row["level"], row["other_level"]) for row in lines[0]["rows"]] == [
        ("11", "1"), ("11", "2"), ("15", "1"), ("15", "2")
    ]  # fmt: skip
    assert shown.words.sentence.startswith("Turns per deal by hand_size 11 → 15: −")
    assert shown.words.facts[0].startswith("hand_size 11 → 15 with canastas_out 1 → 2: turns per deal, below the sum")


def test_minutes_are_shown_at_the_chosen_pace_and_say_what_it_assumes(
    monkeypatch: pytest.MonkeyPatch, sweep_run: Path
) -> None:
    page = open_page(monkeypatch, "game_length", sweep_run, effect="Minutes per game", pace="social")
    for key in OWN:
        shown = page.figures[key]
        assert {row["pace"] for row in marked(layers_of(shown.chart), "point")[0]["rows"]} == {"social"}, key
        assert any(fact.startswith("social pace, an assumption") for fact in shown.words.facts)
    assert set(page.figures["rules"].table["pace"]) == {"online", "club", "social"}


def test_a_run_without_two_values_to_compare_with_the_base_has_no_such_section(
    monkeypatch: pytest.MonkeyPatch, sample_run: Path
) -> None:
    page = open_page(monkeypatch, "game_length", sample_run)
    assert not OWN & set(page.figures)
    assert "Effects of the rules" not in page.said


def test_rules_one_at_a_time_have_effects_and_nothing_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    varied = {"vary": {"canastas_out": [2], "draw_count": [2]}, "design": "one_at_a_time"}
    simulate({"sweep": varied, "lineups": ["naive"], "games": 20}, tmp_path / "run", workers=1)
    page = open_page(monkeypatch, "game_length", tmp_path / "run")
    assert OWN & set(page.figures) == {"rules"}
    assert page.figures["rules"].words.sentence.endswith("too few games to say (turns per game)")


def test_words_of_two_rules_claim_no_more_than_their_rows(sweep_run: Path) -> None:
    found = analyse(open_run(sweep_run), "turns_per_deal")
    metric, pair = load_metric("turns_per_deal"), ("hand_size", "canastas_out")
    played = pl.DataFrame({"lineup": ["naive", "naive~random"], "games": [2600, 5200]})

    def said(form: str | None) -> str:
        rows = found.interactions.with_columns(form=pl.lit(form, pl.String))
        words = wording_sweep.together_of(rows, found.means, metric, pair, played)
        return "\n".join([words.sentence, words.facts[0]])

    assert said("same").startswith(
        "hand_size and canastas_out add up: neither changes what the other does to turns per"
    )
    assert said("few").startswith("Too few games to say whether hand_size and canastas_out")
    assert "the rules alone decide (turns per deal)" in said(None)
    assert "above the sum of both effects" in said("more")


def test_an_interaction_plot_of_a_single_line_up_fills_the_view(sweep_run: Path) -> None:
    means = analyse(open_run(sweep_run), "out_rate", lineups=["naive"]).means
    words, measure = charts.Words("said"), charts.Measure("Out rate", share=True)
    chart = charts.interaction(means, words, measure, theme.palette(), x="level", lines="other_level")
    line = marked(layers_of(chart), "line")[0]
    values = [100 * value for value in means["value"]]
    assert [row["value"] for row in line["rows"]] == pytest.approx(values)
    assert chart.height > 250


def test_charts_of_a_sweep_are_written_for_light_and_dark_pages(sweep_run: Path, tmp_path: Path) -> None:
    assert export(["--rules", str(sweep_run), str(tmp_path / "img"), "--metric", "turns_per_deal"]) == 0
    names = sorted(path.name for path in (tmp_path / "img").iterdir())
    shapes = ("rules-turns_per_deal", "together-turns_per_deal")
    assert names == [f"{shape}-{mode}.svg" for shape in shapes for mode in ("dark", "light")]
    assert "hand_size: 11 → 15" in (tmp_path / "img" / names[0]).read_text("utf-8")
