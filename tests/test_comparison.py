"""`base=`: differences of a metric to a base, paired where the cards were the same, and what they are called."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from engine.errors import BadInput
from pipeline import stats
from pipeline.cells import RunCell
from pipeline.comparison import COLUMNS, Base, _tell, _word, compare
from pipeline.metric import load_metric
from pipeline.run import Run, open_run
from pipeline.sentences import choose_form


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


def slow_difference(one: dict[int, tuple], two: dict[int, tuple], paired: bool) -> tuple[float, ...]:
    """Second minus first of k and n by game: difference, half-width, unpaired ÷ paired variance."""
    parts = []
    for units in (one, two):
        total = sum(n for _, n in units.values())
        p = sum(k for k, _ in units.values()) / total
        parts.append((p, {game: (k - p * n) / total for game, (k, n) in units.items()}))
    (p1, e1), (p2, e2) = parts
    apart = sum(sum(e * e for e in part.values()) * len(part) / (len(part) - 1) for part in (e1, e2))
    together = sum((e2[game] - e1[game]) ** 2 for game in e1) * len(e1) / (len(e1) - 1) if paired else apart
    return p2 - p1, 1.959964 * math.sqrt(together), apart / together


def units_of(rows: pl.DataFrame, k: pl.Expr, n: pl.Expr) -> dict[int, tuple]:
    return {game: (a, b) for game, a, b in rows.group_by("game").agg(k.alias("k"), n.alias("n")).iter_rows()}


def test_differences_are_paired_by_game(run):
    base, other = run.variants
    found = run.metric("turns_per_deal", base=base)
    for row in found.iter_rows(named=True):
        if row["variant"] == base:
            assert all(row[name] is None for name in COLUMNS)
            continue
        units = [
            units_of(run.deals(variant, row["lineup"]).collect(), pl.col("turns").sum(), pl.len())
            for variant in (base, other)
        ]
        diff, half, gain = slow_difference(*units, paired=True)
        assert (row["diff"], row["diff_low"], row["diff_high"]) == pytest.approx(
            (diff, diff - half, diff + half), rel=1e-6, abs=1e-9
        )
        assert row["gain"] == pytest.approx(gain, rel=1e-6)
        assert row["paired"]


def test_a_line_up_may_be_the_base_and_rows_keep_their_dimensions(run):
    lineup, other = run.lineups[0], run.lineups[1]
    found = run.metric("take_rate", ["lineup", "state"], base=lineup, variant=run.variants[0])
    row = found.filter(lineup=other, state="open").row(0, named=True)
    units = [
        units_of(
            run.turns(run.variants[0], one).collect().filter(state="open"),
            pl.col("took").is_not_null().sum(),
            pl.col("could_take").sum(),
        )
        for one in (lineup, other)
    ]
    assert all(len(games) == 60 for games in units)
    diff, half, gain = slow_difference(*units, paired=True)
    assert (row["diff"], row["diff_high"] - row["diff"], row["gain"]) == pytest.approx((diff, half, gain), rel=1e-6)
    assert found.filter(lineup=lineup)["diff"].null_count() == found.filter(lineup=lineup).height


def changed(run: Run, variant: str, **parts) -> list[RunCell]:
    return [replace(cell, **parts) if cell.variant == variant else cell for cell in run.parts]


def ask(run: Run, cells: list[RunCell], by=("variant", "lineup"), name="turns_per_deal") -> pl.DataFrame:
    return compare(run.connect(), cells, load_metric(name), by, Base("variant", run.variants[0]))


def test_other_cards_are_not_paired(run):
    base, other = run.variants
    cells = changed(run, other, rules={**run.parts[-1].rules, "packs": 3})
    for row in ask(run, cells).filter(variant=other).iter_rows(named=True):
        units = [
            units_of(run.deals(variant, row["lineup"]).collect(), pl.col("turns").sum(), pl.len())
            for variant in (base, other)
        ]
        diff, half, _ = slow_difference(*units, paired=False)
        assert (row["diff"], row["diff_high"] - row["diff"]) == pytest.approx((diff, half), rel=1e-6, abs=1e-9)
        assert (row["paired"], row["gain"]) == (False, 1)


def test_games_that_one_side_lacks_are_left_out_of_the_difference(run):
    base, other = run.variants
    cells = [
        replace(cell, shards=tuple(replace(shard, games=40) for shard in cell.shards))
        if cell.variant == other
        else cell
        for cell in run.parts
    ]
    row = ask(run, cells).filter(variant=other).row(0, named=True)
    units = [
        units_of(run.deals(variant, row["lineup"], games=(1, 40)).collect().filter(pl.col("game") <= 40),
                 pl.col("turns").sum(), pl.len())
        for variant in (base, other)
    ]  # fmt: skip
    diff, half, _ = slow_difference(*units, paired=True)
    assert (row["diff"], row["diff_high"] - row["diff"]) == pytest.approx((diff, half), rel=1e-6, abs=1e-9)
    assert row["sentence"].endswith(", over 40 shared games")
    assert not ask(run, run.parts)["sentence"].str.contains("shared").any()


def test_line_ups_added_up_pair_by_their_common_game(run):
    base, other = run.variants
    row = run.metric("turns_per_deal", "variant", base=base).filter(variant=other).row(0, named=True)
    units = [units_of(run.deals(variant).collect(), pl.col("turns").sum(), pl.len()) for variant in (base, other)]
    diff, half, gain = slow_difference(*units, paired=True)
    assert (row["diff"], row["diff_high"] - row["diff"], row["gain"]) == pytest.approx((diff, half, gain), rel=1e-6)


def test_the_base_is_there_whatever_is_chosen_and_a_condition_holds_for_both(run):
    base, other = run.variants
    found = run.metric("take_rate", variant=other, base=base, where="pile >= 4")
    assert set(found["variant"]) == {base, other}
    plain = run.metric("take_rate", where="pile >= 4")
    assert found.select(plain.columns).equals(plain)
    values = {row["variant"]: row["value"] for row in found.filter(lineup="safe").iter_rows(named=True)}
    assert found.filter(variant=other, lineup="safe")["diff"].item() == pytest.approx(values[other] - values[base])


def test_p_is_holms_over_the_table(run):
    found = run.metric("points_per_side_deal", ["variant", "item"], base=run.variants[0])
    told = found.drop_nulls("diff")
    half = (told["diff_high"] - told["diff_low"]).to_numpy() / 2 / 1.959964
    raw = [math.erfc(abs(diff) / se / math.sqrt(2)) if se else float("nan") for diff, se in zip(
        told["diff"], half, strict=True)]  # fmt: skip
    expected = stats.holm(raw)
    for row, p in zip(told.iter_rows(named=True), expected, strict=True):
        if not math.isnan(p):
            assert row["p"] == pytest.approx(p, rel=1e-4)


def test_what_never_happened_in_either_has_no_interval(run):
    row = run.metric("special_rate", base=run.variants[0]).drop_nulls("diff").row(0, named=True)
    assert (row["diff"], row["diff_low"], row["form"]) == (0, None, "few")


def test_a_base_of_which_all_games_are_alike_still_gives_a_direction():
    alike, other = (stats.Estimate(*(np.array([x]) for x in (value, value, value, se, 1000.0)))
                    for value, se in ((1.0, 0.0), (0.8, 0.003)))  # fmt: skip
    found = stats.subtract(
        stats.sum_games(np.ones(1000), np.ones(1000)),
        stats.sum_games(np.tile([1.0, 1, 1, 1, 0], 200), np.ones(1000)),
    )
    (row,) = _tell(found, alike, other, [False], np.array([1000.0]))
    assert choose_form(row, 0.05) == "less"


def test_what_the_rules_decide_gets_no_word(run):
    connection = run.connect(lock=False)
    connection.execute("create table kept as from cells")
    connection.execute(
        "create or replace view cells as "
        "select * replace (if(variant = 'classic4', 'always', pile_frozen) as pile_frozen) from kept"
    )
    base = Base("variant", run.variants[0])
    found = compare(connection, run.parts, load_metric("frozen_turn_share"), ("variant", "lineup"), base)
    told = found.drop_nulls("diff")
    assert told["form"].null_count() == told.height == 3
    assert all("the rules alone decide" in sentence for sentence in told["sentence"])


@pytest.mark.parametrize(
    ("diff", "half", "games", "form", "words"),
    [
        (9, 3, 1_000, "more", "b with safe: more turns per game (+9.0 turns, +6.0 to +12.0, +9%)"),
        (-9, 3, 1_000, "less", "b with safe: fewer turns per game (−9.0 turns"),
        (0.1, 0.2, 1_000, "same", "b with safe: no difference worth noticing in turns per game (−0.10 to +0.30 turns)"),
        (2, 3, 1_000, "few", "b with safe: too few games to say (turns per game, −1.0 to +5.0 turns)"),
        (0.1, 0.2, 399, "few", "b with safe: too few games to say (turns per game)"),
        (9, 3, 399, "few", "b with safe: too few games to say (turns per game)"),
    ],
)
def test_a_difference_is_said_in_one_of_four_forms(diff, half, games, form, words):
    p = math.erfc(abs(diff) / (half / 1.96) / math.sqrt(2))
    row = {"diff": diff, "low": diff - half, "high": diff + half, "games": games, "spread": 20.0, "p": p, "gain": 1.0,
           "base_value": 100.0, "paired": True, "ruled": False, "who": "b with safe"}  # fmt: skip
    said = _word([dict.fromkeys(COLUMNS), row], load_metric("turns_per_game"), 0.95).row(1, named=True)
    assert said["form"] == form
    assert said["sentence"].startswith(words)


@pytest.mark.parametrize(
    ("by", "base", "fault"),
    [
        (None, "samba", "base 'samba': a variant, classic4, .* or a line-up, safe"),
        ("lineup", "classic4", "is a variant: split by variant to compare with it, not by lineup"),
        ([], "safe", "is a lineup: split by lineup to compare with it, not by none"),
    ],
)
def test_a_base_that_cannot_be_is_refused(run, by, base, fault):
    with pytest.raises(BadInput, match=fault):
        run.metric("turns_per_game", by, base=base)
