"""What stands out: differences to a base by size, paired where the cards agree, called more or less with care."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from engine.errors import BadInput
from pipeline import differences, levels, overview
from pipeline.cells import RunCell
from pipeline.differences import Block, compare_blocks, group_rotations, metrics_of_games, read_blocks
from pipeline.metric import load_metric
from pipeline.overview import FINDINGS, findings
from pipeline.run import Run, open_run
from pipeline.sentences import choose_form, say


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.fixture(scope="module")
def found(run) -> pl.DataFrame:
    return findings(run)


def block(variant: str, k: np.ndarray, *, packs: int = 2, ruled: str = "", there: np.ndarray | None = None) -> Block:
    """One rotation of `safe` and what turns_per_game counts."""
    rules = {"players": 4, "packs": packs, "jokers": 4}
    cell = RunCell(variant, "safe", "safe", "a", {}, "H", rules, (1, 2), ("safe", "safe"), len(k), ())
    metric = load_metric("turns_per_game")
    totals = dict(zip(differences._counted(metric), (k.astype(float), np.ones(len(k))), strict=True))
    games = np.ones(len(k), bool) if there is None else there
    return Block((cell,), totals, games, {metric.name: float(k.std(ddof=1))}, frozenset({ruled}))


def compare(base: Block, other: Block) -> dict[str, object]:
    return next(compare_blocks([load_metric("turns_per_game")], base, other))


def test_every_other_variant_is_held_against_the_base_in_every_metric_of_games(run, found):
    assert found.columns == list(FINDINGS)
    others = [variant for variant in run.variants if variant != "classic4"]
    given = {cell.given for cell in run.parts}
    assert found.height == len(others) * len(given) * len(metrics_of_games())
    assert set(found["base_variant"]) == {"classic4"}
    assert set(found["lineup"]) == given == set(found["base_lineup"])


def test_findings_come_by_size_against_the_spread_between_games(run, found):
    effects = found["effect"].drop_nulls().abs().to_list()
    assert found["effect"].head(len(effects)).null_count() == 0
    assert effects == sorted(effects, reverse=True)
    row = found.filter(metric="turns_per_game", lineup="safe").row(0, named=True)
    games = {variant: run.games(variant, "safe").collect()["turns"] for variant in (row["variant"], "classic4")}
    assert row["diff"] == pytest.approx(games[row["variant"]].mean() - games["classic4"].mean())
    assert row["effect"] == pytest.approx(row["diff"] / games["classic4"].std())
    assert row["base_value"] == pytest.approx(games["classic4"].mean())
    se = (games[row["variant"]] - games["classic4"]).std() / len(games["classic4"]) ** 0.5
    assert row["high"] - row["diff"] == pytest.approx(1.959964 * se, rel=1e-6)
    assert row["paired"]


def test_rotations_of_a_lineup_are_one_block(run, found):
    row = found.filter(metric="turns_per_deal", lineup="safe~naive").row(0, named=True)
    for variant, value in ((row["variant"], row["value"]), ("classic4", row["base_value"])):
        games = run.games(variant, ["safe~naive", "naive~safe"]).collect()
        assert value == pytest.approx(games["turns"].sum() / games["deals"].sum())
    assert row["games"] == 2 * run.games("classic4", "safe~naive").collect().height


def test_with_one_variant_line_ups_are_compared(run):
    there = findings(run, variant="classic4")
    assert set(there["base_variant"]) == set(there["variant"]) == {"classic4"}
    assert set(there["base_lineup"]) == {run.parts[0].given}
    turned = findings(run, "safe~naive", variant="classic4")
    assert set(turned["lineup"]) == {"safe"}


def test_a_base_may_be_chosen_and_must_be_there(run, found):
    other = run.variants[1]
    turned = findings(run, other)
    key = ["metric", "lineup"]
    both = found.join(turned, on=key, suffix="_turned")
    assert both.height == found.height
    assert both["diff"].to_list() == pytest.approx([-diff for diff in both["diff_turned"]])
    with pytest.raises(BadInput, match="base 'samba': one of classic4"):
        findings(run, "samba")


def test_nothing_to_compare_gives_no_rows(run):
    there = findings(run, variant="classic4", lineup="safe")
    assert there.is_empty()
    assert there.schema == pl.Schema(FINDINGS)


def test_p_values_are_corrected_over_the_whole_table(run, found):
    rows = list(compare_blocks(metrics_of_games(), *blocks_of(run)))
    smallest = min(row["p"] for row in rows)
    alone = findings(run, lineup="safe")
    assert alone["p"].min() == pytest.approx(min(1, smallest * len(rows)))


def blocks_of(run: Run) -> list[Block]:
    return read_blocks(run, group_rotations(run.choose(lineup="safe")), metrics_of_games())


def test_cells_pair_when_packs_and_players_agree_and_games_are_there():
    rng = np.random.default_rng(1)
    luck = rng.normal(100, 20, 500)
    base, other = block("a", luck), block("b", luck + 5 + rng.normal(0, 1, 500))
    paired = compare(base, other)
    assert paired["paired"]
    assert paired["gain"] > 50
    strangers = compare(base, block("b", next(iter(other.totals.values())), packs=3))
    assert (strangers["paired"], strangers["gain"]) == (False, 1.0)
    assert strangers["diff"] == pytest.approx(paired["diff"])
    assert strangers["high"] - strangers["low"] > 5 * (paired["high"] - paired["low"])


def test_only_games_that_both_have_are_paired():
    k = np.arange(100.0)
    there = np.arange(100) < 60
    row = compare(block("a", k), block("b", np.where(there, k + 1, 0), there=there))
    assert row["diff"] == pytest.approx(1)
    assert row["base_value"] == pytest.approx(k[:60].mean())


def shares(variant: str, out: np.ndarray) -> Block:
    """One rotation of `safe`, one deal a game, and which of them ended by going out."""
    metric = load_metric("out_rate")
    totals = dict(zip(differences._counted(metric), (out.astype(float), np.ones(len(out))), strict=True))
    spread = {metric.name: float(out.std(ddof=1))}
    return Block(block(variant, out).cells, totals, np.ones(len(out), bool), spread, frozenset())


def test_a_share_that_is_nearly_always_1_is_measured_against_the_games_of_both():
    games = np.arange(2_000)
    base, other = shares("a", games % 1_000 > 0), shares("b", games % 25 > 0)
    both = np.concatenate([games % 1_000 > 0, games % 25 > 0]).std(ddof=1)
    forth, back = (next(compare_blocks([load_metric("out_rate")], *two)) for two in ((base, other), (other, base)))
    assert forth["diff"] == pytest.approx(-0.039)
    assert forth["spread"] == pytest.approx(both, rel=1e-3)
    assert abs(forth["effect"]) < 0.3 < abs(forth["diff"]) / base.spread["out_rate"]
    assert back["spread"] == pytest.approx(other.spread["out_rate"])
    certain = next(compare_blocks([load_metric("out_rate")], shares("a", games >= 0), other))
    assert certain["spread"] == pytest.approx(both, rel=0.02)


def test_what_the_rules_decide_is_not_compared():
    k = np.arange(50.0)
    assert not list(
        compare_blocks([load_metric("turns_per_game")], block("a", k), block("b", k, ruled="turns_per_game"))
    )


@pytest.mark.parametrize(
    ("shift", "games", "form"),
    [
        (10, 1_000, "more"),
        (-10, 1_000, "less"),
        (0.1, 100_000, "same"),
        (0.5, 200, "few"),
        (10, 20, "few"),
        (10, 399, "few"),
    ],
)
def test_words_are_chosen_with_care(shift, games, form):
    rng = np.random.default_rng(2)
    base = block("a", rng.normal(100, 20, games))
    row = compare(base, block("b", rng.normal(100, 20, games) + shift, packs=3))
    assert choose_form(row, 0.05) == form
    sentence = say(overview._who(row), load_metric(row["metric"]), {**row, "form": form})
    words = {
        "more": "more turns per game (+",
        "less": "fewer turns per game (−",
        "same": "no difference worth noticing",
        "few": "too few games to say",
    }
    assert words[form] in sentence
    assert sentence.startswith("b with safe")


def test_a_significant_difference_inside_the_margin_is_none_worth_noticing():
    rng = np.random.default_rng(3)
    luck = rng.normal(100, 20, 50_000)
    row = compare(block("a", luck), block("b", luck + 0.5 + rng.normal(0, 1, 50_000)))
    assert row["p"] < 1e-9
    assert choose_form(row, 0.05) == "same"


def test_shares_differ_by_percentage_points(run, found):
    row = found.filter(metric="out_rate").row(0, named=True)
    text = say(overview._who(row), load_metric(row["metric"]), {**row, "form": "more"})
    assert "percentage points" in text
    assert f"{100 * row['diff']:+.0f}"[:2].replace("-", "−") in text


def test_slugs_keep_their_hyphens(found):
    assert all("classic4.canastas_out-2" in sentence for sentence in found["sentence"])


def test_the_level_is_checked(run):
    with pytest.raises(BadInput, match="between 0 and 1"):
        findings(run, level=95)
    wide, narrow = (findings(run, level=level).sort("metric", "lineup") for level in (0.99, 0.8))
    assert (wide["high"] - wide["low"] > narrow["high"] - narrow["low"]).all()
    assert levels.check_level(0.9) == 0.9
