"""What the Overview says: no sentence goes further than its numbers and no line-up is spoken for."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from dashboards import wording, wording_run
from dashboards.standouts import standing_out
from pipeline.audit import Finding, Report
from pipeline.metric import load_metric
from pipeline.overview import FINDINGS


def finding(metric: str, variant: str, lineup: str, diff: float, form: str, **other: Any) -> dict[str, Any]:
    """A row of `Run.findings`: twice the difference is the effect, the interval a tenth of it to each side."""
    sure = form != "few"
    row = {
        "metric": metric, "family": load_metric(metric).family, "variant": variant, "lineup": lineup,
        "base_variant": "classic4", "base_lineup": lineup, "value": 180 + diff, "base_value": 180.0, "diff": diff,
        "low": diff - abs(diff) / 10 if sure else None, "high": diff + abs(diff) / 10 if sure else None,
        "effect": 2 * diff, "paired": True, "gain": 1.2, "games": 1000, "p": 0.0, "form": form, "sentence": "",
    }  # fmt: skip
    return row | other


def said(*rows: dict[str, Any], most: int = 10) -> list[str]:
    found = standing_out(pl.DataFrame(list(rows), schema=FINDINGS), most)
    return found["said"].unique(maintain_order=True).to_list()


def test_lineups_that_agree_make_one_sentence_with_the_span_of_their_differences() -> None:
    rows = [
        finding("turns_per_game", "classic2", "safe", -40, "less"),
        finding("turns_per_game", "classic2", "naive", -30, "less"),
    ]
    assert said(*rows) == [
        "**classic2**: fewer turns per game under every line-up (−40.0 to −30.0 turns, −22 to −17 %)"
    ]


def test_lineups_that_disagree_make_it_depend_on_play() -> None:
    rows = [
        finding("turns_per_game", "classic2", "safe", -40, "less"),
        finding("turns_per_game", "classic2", "naive", 30, "more"),
    ]
    assert said(*rows) == ["**classic2**: turns per game depends on play (safe −40.0, naive +30.0 turns)"]


def test_a_lineup_without_a_difference_worth_noticing_makes_it_depend_on_play_too() -> None:
    rows = [
        finding("turns_per_game", "classic2", "safe", -40, "less"),
        finding("turns_per_game", "classic2", "naive", 0.5, "same"),
    ]
    assert "depends on play" in said(*rows)[0]


def test_lineups_with_too_few_games_are_not_spoken_for() -> None:
    rows = [
        finding("turns_per_game", "classic2", "safe", -40, "less"),
        finding("turns_per_game", "classic2", "naive", 30, "few"),
    ]
    assert "under 1 of 2 line-ups, not sure yet in the others" in said(*rows)[0]


def test_what_is_few_or_the_same_everywhere_is_not_said_at_all() -> None:
    assert said(finding("turns_per_game", "classic2", "safe", -40, "few")) == []
    assert said(finding("turns_per_game", "classic2", "safe", 0.1, "same")) == []
    assert said() == []


def test_the_largest_effect_comes_first_whatever_its_p_and_its_sign() -> None:
    rows = [
        finding("turns_per_game", "a", "safe", 5, "more", p=0.0),
        finding("turns_per_game", "b", "safe", -50, "less", p=0.04),
    ]
    assert [sentence[:6] for sentence in said(*rows)] == ["**b**:", "**a**:"]


def test_one_metric_of_a_family_is_kept_for_each_variant_and_ten_in_all() -> None:
    both = [
        finding("turns_per_game", "a", "safe", 5, "more"),
        finding("deals_per_game", "a", "safe", 7, "more"),
    ]
    assert len(said(*both)) == 1
    many = [finding("turns_per_game", f"v{number}", "safe", 5, "more") for number in range(30)]
    assert len(said(*many)) == 10


def test_shares_differ_by_percentage_points() -> None:
    row = finding("frozen_turn_share", "classic2", "safe", 0.05, "more", base_value=0.1)
    assert said(row) == ["**classic2**: more turns with a frozen pile (+5.0 percentage points)"]


def test_the_interval_of_an_effect_is_that_of_its_difference_in_spreads() -> None:
    row = standing_out(pl.DataFrame([finding("turns_per_game", "a", "safe", 5, "more")], schema=FINDINGS)).row(
        0, named=True
    )
    assert (row["effect_low"], row["effect"], row["effect_high"]) == pytest.approx((9, 10, 11))


# ---------------------------------------------------------------------------------------------- headlines

PLAYED = pl.DataFrame({"variant": ["a", "b"], "lineup": ["safe", "safe"], "games": [1000, 1000]})


def headline(*rows: tuple[str, float, bool]) -> str:
    table = pl.DataFrame(
        [(name, "safe", value, value - 1, value + 1, few) for name, value, few in rows],
        schema=["variant", "given_lineup", "value", "low", "high", "few"], orient="row",
    )  # fmt: skip
    return wording.range_of(table, load_metric("turns_per_game"), PLAYED).sentence


def test_a_headline_names_the_ends_and_only_what_differs() -> None:
    assert headline(("a", 180, False), ("b", 120, False)) == "Turns per game: from 120.0 (b) to 180.0 (a)"


def test_a_headline_leaves_out_rows_with_too_few_games() -> None:
    assert headline(("a", 180, False), ("b", 120, True)) == "Turns per game: 180.0 (a)"
    assert headline(("a", 180, True)) == "Too few games to say: turns per game"


# ------------------------------------------------------------------------------------------------- badges

SUMMARY = {
    "path": "data/runs/x",
    "complete": True,
    "games": 9,
    "games_planned": 9,
    "capped_games": 0,
    "capped_deals": 0,
    "stock_share": 0.0,
}


def audit(rows: int, *, stale: bool = False) -> Report:
    return Report("2026-01-01", 100, 1.0, [Finding("melds", "Melds", "", rows)], stale)


@pytest.mark.parametrize(
    ("report", "text", "colour"),
    [
        (None, "Not audited yet", "gray"),
        (audit(0), "All 1 audits clean", "green"),
        (audit(3), "1 audit found faults", "red"),
        (audit(0, stale=True), "Audited before the last games were played", "orange"),
    ],
)
def test_the_audit_badge_says_what_the_kept_audit_says(report: Report | None, text: str, colour: str) -> None:
    badge = wording_run.badges_of(report, SUMMARY)[0]
    assert (badge.text, badge.colour) == (text, colour)
    assert "canasta audit data/runs/x" in badge.meaning


def test_caps_and_exhausted_stocks_are_told() -> None:
    clean = [badge.text for badge in wording_run.badges_of(None, SUMMARY)[1:]]
    assert clean == ["No game or deal hit the cap", "No deal ran out of stock"]
    capped = wording_run.badges_of(None, SUMMARY | {"capped_games": 1, "capped_deals": 2, "stock_share": 0.0123})[1:]
    assert [badge.text for badge in capped] == ["1 game and 2 deals hit the cap", "1.2 % of deals ran out of stock"]
    assert capped[0].colour == "orange"
