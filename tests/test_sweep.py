"""Effects of rules on a run: plain arithmetic on its cells, from roll-ups and tables alike, and what may be said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import pipeline as cl
from engine.errors import BadInput
from pipeline.metric import load_metric
from pipeline.run import Run, open_run
from pipeline.sentences import choose_form
from pipeline.sweep_design import find_design
from pipeline.sweep_words import say_effects, say_interactions
from pipeline.sweeps import Sweep, analyse

LONG, TWO, BOTH = "classic4.hand_size-15", "classic4.canastas_out-2", "classic4.hand_size-15.canastas_out-2"
METRICS = ("turns_per_game", "turns_per_deal", "frozen_turn_share", "ending_share", "out_rate")


@pytest.fixture(scope="module")
def swept(sweep_run: Path) -> Sweep:
    return analyse(open_run(sweep_run), METRICS)


def values_of(run: Run, metric: str, lineup: str) -> dict[str, float]:
    table = run.metric(metric, ["variant", "given_lineup"]).filter(given_lineup=lineup)
    return dict(table.select("variant", "value").iter_rows())


@pytest.mark.parametrize("lineup", ["naive", "naive~random"])
def test_an_effect_is_the_mean_difference_over_the_values_of_the_other_rules(swept: Sweep, lineup: str) -> None:
    for metric in ("turns_per_game", "turns_per_deal", "out_rate"):
        value = values_of(swept.run, metric, lineup)
        found = dict(swept.effects.filter(metric=metric, given_lineup=lineup).select("factor", "diff").iter_rows())
        assert found["hand_size"] == pytest.approx((value[LONG] - value["classic4"] + value[BOTH] - value[TWO]) / 2)
        assert found["canastas_out"] == pytest.approx((value[TWO] - value["classic4"] + value[BOTH] - value[LONG]) / 2)


def test_an_interaction_is_the_difference_of_two_differences_which_stand_beside_it(swept: Sweep) -> None:
    value = values_of(swept.run, "turns_per_deal", "naive")
    row = swept.interactions.filter(metric="turns_per_deal", given_lineup="naive").row(0, named=True)
    assert row["at_base"] == pytest.approx(value[LONG] - value["classic4"])
    assert row["at_other"] == pytest.approx(value[BOTH] - value[TWO])
    assert row["diff"] == pytest.approx(row["at_other"] - row["at_base"])
    assert row["at_base_low"] < row["at_base"] < row["at_base_high"]


def test_means_and_cells_are_the_values_of_the_metric(swept: Sweep) -> None:
    known = swept.run.metric("turns_per_game", ["variant", "given_lineup"], base="classic4")
    cells = swept.cells.filter(metric="turns_per_game")
    for name in ("value", "low", "high", "diff", "diff_low", "gain"):
        assert cells[name].to_list() == known[name].to_list()
    mean = swept.means.filter(metric="turns_per_game", given_lineup="naive", level="15", other_level="2").row(
        0, named=True
    )
    same = known.filter(variant=BOTH, given_lineup="naive").row(0, named=True)
    assert [mean[name] for name in ("value", "low", "high", "games")] == pytest.approx(
        [same[name] for name in ("value", "low", "high", "games")]
    )


def test_an_effect_of_one_rule_is_the_difference_that_a_metric_has_to_its_base(sweep_run: Path) -> None:
    """Same intervals and gain as `Run.metric(base=)`, from roll-ups and, for fewer games, game by game."""
    small = cl.play(["classic4", cl.rules("classic4", hand_size=15)], "naive", games=120)
    for run in (open_run(sweep_run), small):
        found = analyse(run, "turns_per_game", variants=["classic4", LONG]).effects
        known = run.metric("turns_per_game", ["variant", "given_lineup"], variant=["classic4", LONG], base="classic4")
        known = known.filter(variant=LONG)
        for name in ("diff", "diff_low", "diff_high", "gain"):
            assert found[name].to_list() == pytest.approx(known[name].to_list()), name
        assert found["paired"].all()
        assert found["base_value"].to_list() == pytest.approx((known["value"] - known["diff"]).to_list())


def test_roll_ups_and_tables_give_the_same_effects_with_about_the_same_intervals(
    swept: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline import sweep_ratios

    keys = ["metric", "ending", "given_lineup", "factor", "level"]
    monkeypatch.setattr(sweep_ratios, "find_source", lambda *_: None)
    tables = analyse(swept.run, METRICS).effects
    both = swept.effects.join(tables, on=keys, suffix="_tables", nulls_equal=True)
    assert both.height == tables.height == swept.effects.height
    assert (both["diff"] - both["diff_tables"]).abs().to_numpy().max() < 1e-9
    known = both.drop_nulls("diff_low").filter(pl.col("diff") != 0)
    wide = (known["diff_high"] - known["diff_low"]) / (known["diff_high_tables"] - known["diff_low_tables"])
    assert wide.to_numpy().min() > 0.6
    assert wide.to_numpy().max() < 1.6
    assert 0.9 < np.median(wide.to_numpy()) < 1.1


def test_a_metric_split_by_something_of_its_own_has_an_effect_in_each_part(swept: Sweep) -> None:
    shares = swept.effects.filter(metric="ending_share", given_lineup="naive", factor="hand_size")
    assert {"out", "stock"} <= set(shares["ending"])
    special = shares.row(by_predicate=pl.col("ending") == "special", named=True)
    assert (special["form"], special["p"]) == (None, None)  # classic games have no special hands
    assert shares["diff"].to_numpy().sum() == pytest.approx(0, abs=1e-9)


def test_words_follow_interval_and_holm_over_the_table(swept: Sweep) -> None:
    for row in swept.effects.drop_nulls("diff_low").iter_rows(named=True):
        assert row["form"] in ("more", "less", "same", "few")
        if row["form"] in ("more", "less"):
            assert row["p"] < 0.05
            assert (row["diff"] > 0) == (row["form"] == "more")
    assert choose_form({"low": 1.0, "high": 2.0, "diff": 1.5, "games": 399, "spread": 9.0, "p": 0.0}, 0.05) == "few"
    turns = swept.effects.filter(metric="turns_per_deal", factor="hand_size")
    assert set(turns["form"]) == {"less"}
    assert any(line.startswith("hand_size 11 → 15: shorter deals under all 2 line-ups (−") for line in swept.sentences)


def test_where_the_rules_alone_decide_no_effect_is_claimed() -> None:
    run = cl.play(["classic4", cl.rules("classic4", pile_frozen="always")], "naive", games=60)
    found = analyse(run, "frozen_turn_share")
    assert found.effects["form"].to_list() == [None]
    assert found.sentences == [found.effects["sentence"][0]]
    assert "the rules alone decide" in found.sentences[0]


def test_settings_in_which_the_rules_alone_decide_are_left_out_of_the_mean() -> None:
    always = cl.rules("classic4", pile_frozen="always")
    long = cl.rules("classic4", hand_size=15)
    both = cl.rules("classic4", hand_size=15, pile_frozen="always")
    run = cl.play(["classic4", always, long, both], "naive", games=60)
    found = analyse(run, "frozen_turn_share")
    value = values_of(run, "frozen_turn_share", "naive")
    size, frozen = found.effects.sort("factor").iter_rows(named=True)
    assert (size["settings"], size["diff"]) == (1, pytest.approx(value[LONG] - value["classic4"]))
    assert size["form"] is not None
    assert frozen["form"] is None
    assert found.interactions["form"].to_list() == [None]


# ------------------------------------------------------------------------------------------------ designs


def test_one_rule_at_a_time_has_effects_against_the_base_and_no_interactions() -> None:
    run = cl.play(
        ["classic4", cl.rules("classic4", hand_size=15), cl.rules("classic4", canastas_out=2)], "naive", games=40
    )
    found = analyse(run, "turns_per_deal")
    value = values_of(run, "turns_per_deal", "naive")
    assert dict(found.effects.select("factor", "diff").iter_rows()) == pytest.approx(
        {"hand_size": value[LONG] - value["classic4"], "canastas_out": value[TWO] - value["classic4"]}
    )
    assert found.interactions.is_empty()
    assert found.means.is_empty()


def test_combinations_that_were_left_out_are_left_out_of_the_means_too(sweep_run: Path) -> None:
    found = analyse(open_run(sweep_run), "turns_per_deal", variants=["classic4", LONG, BOTH]).effects
    told = dict(found.filter(given_lineup="naive").select("factor", "settings").iter_rows())
    assert told == {"hand_size": 1, "canastas_out": 1}


def test_another_base_turns_the_effects_round(sweep_run: Path) -> None:
    run = open_run(sweep_run)
    there, back = (analyse(run, "turns_per_game", base=base).effects for base in ("classic4", BOTH))
    assert back["diff"].to_list() == pytest.approx((-there["diff"]).to_list())
    assert set(back["base_level"]) == {"15", "2"}


def test_cards_that_differ_between_packs_are_compared_unpaired() -> None:
    run = cl.play(
        ["classic4", cl.rules("classic4", packs=3, red3_totals="100,200,300,800,1000,1200")], "naive", games=40
    )
    with pytest.raises(BadInput, match="no two variants of the run differ in a single rule"):
        analyse(run)
    jokers = cl.play(["classic4", cl.rules("classic4", jokers=3)], "naive", games=40)
    assert analyse(jokers, "turns_per_deal").effects.select("paired", "gain").row(0) == (False, pytest.approx(1.0))


def test_a_run_whose_variants_share_no_rule_change_is_no_sweep(made: Path) -> None:
    for run in (open_run(made), cl.play(["classic4", "classic2"], "naive", games=2)):
        with pytest.raises(BadInput, match="no sweep"):
            analyse(run)


def test_variants_of_another_family_stand_aside() -> None:
    run = cl.play(["classic4", cl.rules("classic4", hand_size=15), "classic2"], "naive", games=30)
    design = find_design(run.parts)
    assert [(one.name, one.levels) for one in design.factors] == [("hand_size", ("11", "15"))]
    assert list(design.variants) == ["classic4", LONG]
    assert analyse(run, "turns_per_deal").cells.height == 2


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"metrics": "swing"}, "swing is no ratio of sums"),
        ({"metrics": "turn_per_game"}, "no metric 'turn_per_game'"),
        ({"metrics": []}, "give one at least"),
        ({"base": "classic2"}, "classic2"),
        ({"lineups": ["safe"]}, "line-up 'safe': the run has naive, naive~random"),
        ({"minutes": 60}, "none of turns_per_game"),
    ],
)
def test_what_cannot_be_analysed_is_refused(sweep_run: Path, given: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        cl.sweep(sweep_run, **given)


def test_sweep_plays_what_is_missing_and_analyses_it(tmp_path: Path) -> None:
    given: dict[str, Any] = {"lineups": ["random"], "metrics": ["turns_per_deal"], "out": tmp_path / "s"}
    found = cl.sweep("classic4", {"hand_size": [11, 15]}, games=4, **given)
    assert found.run.variants == ("classic4", LONG)
    more = cl.sweep("classic4", {"hand_size": [15], "draw_count": [2]}, games=6, design="one_at_a_time", **given)
    assert [cell.games for cell in more.run.parts] == [6, 6, 6]
    assert more.effects["factor"].to_list() == ["hand_size", "draw_count"]
    assert repr(more).startswith("Sweep of classic4: hand_size 11, 15 × draw_count 1, 2\n")


# ---------------------------------------------------------------------------------------------- sentences


def told(*forms: tuple[str | None, float], **more: Any) -> pl.DataFrame:
    rule = {"metric": "turns_per_deal", "factor": "hand_size", "base_level": "11", "level": "15", "base_value": 40.0}
    rows = [
        {"given_lineup": f"l{place}", "diff": diff, "diff_low": diff - 1, "diff_high": diff + 1, "form": form}
        | {"sentence": "alone", **more}
        for place, (form, diff) in enumerate(forms)
    ]
    rows = [{"metric": rule["metric"], "given_lineup": row["given_lineup"], **rule, **row} for row in rows]
    return pl.DataFrame(rows)


def test_a_direction_is_claimed_of_the_line_ups_that_are_sure_of_it() -> None:
    metric, who = load_metric("turns_per_deal"), "hand_size 11 → 15: "
    agreed = f"{who}{metric.less} under all 2 line-ups (−8.0 to −6.0 turns, −20 to −15 %)"
    assert say_effects(told(("less", -6.0), ("less", -8.0))) == [agreed]
    assert say_effects(told(("less", -6.0), ("more", 8.0))) == [
        f"{who}turns per deal depends on play: from −6.0 (l0) to +8.0 (l1) turns"
    ]
    sure = f"{who}{metric.less} under l0 (−6.0 turns, −15 %)"
    assert say_effects(told(("less", -6.0), ("few", 1.0))) == [f"{sure}; not sure yet for l1 +0.0 to +2.0 turns"]
    apart = f"{who}turns per deal depends on play: from −6.0 (l0) to +0.0 (l1) turns"
    assert say_effects(told(("less", -6.0), ("same", 0.0), ("few", -3.0))) == [
        f"{apart}; not sure yet for l2 −4.0 to −2.0 turns"
    ]
    assert say_effects(told(("less", -6.0), ("same", 0.0)))[0].startswith(f"{who}turns per deal depends on play")
    assert say_effects(told(("few", -6.0), ("few", 1.0))) == [
        f"{who}too few games to say (turns per deal; l0 −7.0 to −5.0 turns; l1 +0.0 to +2.0 turns)"
    ]
    assert say_effects(told(("same", 0.2), ("same", 0.0))) == [
        f"{who}no difference worth noticing in turns per deal under all 2 line-ups (−1.0 to +1.2 turns)"
    ]
    assert say_effects(told(("less", -6.0))) == ["alone"]


def test_what_holms_correction_leaves_open_contradicts_nobody() -> None:
    sentence = say_effects(told(("less", -8.4), ("few", -8.2)))[0]
    assert "depends on play" not in sentence
    assert "fewer turns" in sentence.lower() or "shorter" in sentence
    assert sentence.endswith("not sure yet for l1 −9.2 to −7.2 turns")
    more = {"other": "draw_count", "other_base": "1", "other_level": "2", "at_base": 9.0, "at_other": 4.0}
    together = say_interactions(told(("less", -5.0), ("few", -4.0), **more))[0]
    assert "below the sum of both effects under l0" in together
    assert together.endswith("not sure yet for l1 −5.0 to −3.0 turns")


def test_a_line_up_without_an_interval_is_named_as_such() -> None:
    rows = told(("less", -6.0), ("few", 1.0)).with_columns(
        diff_low=pl.when(pl.col("form") == "few").then(None).otherwise("diff_low"),
        diff_high=pl.when(pl.col("form") == "few").then(None).otherwise("diff_high"),
    )
    assert say_effects(rows)[0].endswith("under l0 (−6.0 turns, −15 %); too few games to say for l1")


def test_an_interaction_is_told_with_the_effect_at_both_values_and_one_that_adds_up_is_not() -> None:
    more = {"other": "draw_count", "other_base": "1", "other_level": "2", "at_base": 9.0, "at_other": 4.0}
    assert say_interactions(told(("less", -5.0), ("less", -5.0), **more)) == [
        "hand_size 11 → 15 with draw_count 1 → 2: turns per deal, below the sum of both effects under all 2 line-ups "
        "(hand_size +9.0 turns at draw_count 1, +4.0 turns at draw_count 2; difference −5.0 turns)"
    ]
    assert say_interactions(told(("less", -5.0), ("less", -5.0), **more), brief=True)[0].endswith(
        "line-ups (−5.0 turns)"
    )
    assert say_interactions(told(("same", 0.0), ("few", 0.1), **more)) == []
    assert "depends on play" in say_interactions(told(("same", 0.0), ("more", 5.0), **more))[0]
