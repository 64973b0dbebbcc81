"""Metrics against slow arithmetic on the tables that the definition names, and their refusals."""

from __future__ import annotations

import math
from collections import defaultdict

import polars as pl
import pytest

from engine import log
from engine.cards import RANKS
from engine.errors import BadInput
from pipeline import metrics
from pipeline.measure import measure
from pipeline.metric import CELL, Metric, load_metric, metric_names, parse_metric
from pipeline.run import Run, open_run
from tests.slow_intervals import slow_interval
from tests.slow_metrics import slow_units, tables


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


PLAIN = [name for name in metric_names() if not load_metric(name).own_kind]
WHOLE = [name for name in PLAIN if load_metric(name).numerator and load_metric(name).default_by == CELL]


@pytest.mark.parametrize("name", WHOLE)
def test_a_metric_is_what_slow_arithmetic_on_the_tables_says(run, name):
    found = run.metric(name)
    assert found.select(CELL).rows() == [(cell.variant, cell.lineup) for cell in run.parts]
    for row in found.iter_rows(named=True):
        k_of, n_of = slow_units(name, tables(run, row["variant"], row["lineup"]))
        games = [(k_of.get(game, 0), n) for game, n in n_of.items() if n]
        k, n = sum(k for k, _ in games), sum(n for _, n in games)
        assert (row["numerator"], row["denominator"], row["games"]) == (pytest.approx(k), n, len(games))
        expected = slow_interval(games, load_metric(name).interval)
        assert (row["value"], row["low"], row["high"]) == (
            expected if expected[1] is None else pytest.approx(expected, rel=1e-6))  # fmt: skip


def test_every_headline_metric_is_checked():
    by_dimension = {"discard_risk", "discard_danger", "open_margin"}
    mirrored = {name for name in PLAIN if load_metric(name).seatings == "mirrored"}  # test_leads.py
    splits = {"canasta_rank_share", "ending_share", "pile_state_share", "minutes_per_game", "finished_within",
              "discard_class_share", "opening_share"}  # fmt: skip
    assert set(WHOLE) | by_dimension | mirrored | splits == set(PLAIN)


@pytest.mark.parametrize(
    ("name", "split", "words"),
    [
        ("freezes_per_deal", "cause", [word for word in log.FREEZES if word != "always"]),
        ("ending_share", "ending", list(log.DEAL_ENDINGS)),
        ("canasta_rank_share", "rank", list(RANKS[:11])),
        ("discard_class_share", "class", ["feeds", "low", "high", "ace", "wild", "black3", "red3"]),
        ("opening_share", "opening", ["hand", "pile"]),
        ("canastas_per_side_deal", "type", ["natural", "mixed", "wild", "sequence", "royal"]),
        (
            "points_per_side_deal",
            "item",
            [
                "natural",
                "mixed",
                "wild",
                "sequence",
                "royal",
                "sets",
                "cards",
                "held",
                "held_penalties",
                "open_melds",
                "red_threes",
                "out",
                "aside",
                "one_turn",
                "special",
            ],
        ),
    ],
)
def test_a_split_has_every_word_and_adds_up_to_the_whole(run, name, split, words):
    parts = run.metric(name, [*CELL, split])
    assert parts[split].unique(maintain_order=True).to_list() == words
    whole = run.metric(name) if load_metric(name).numerator else None
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for row in parts.iter_rows(named=True):
        sums[row["variant"], row["lineup"]] += row["value"]
    for key, total in sums.items():
        expected = 1 if whole is None else whole.filter(variant=key[0], lineup=key[1])["value"].item()
        assert total == pytest.approx(expected)


def test_split_values_are_counts_of_the_table(run):
    cell = run.parts[0]
    there = tables(run, cell.variant, cell.lineup)
    deals, piles, sides = there["deals"], there["piles"], there["sides"]
    found = run.metric("freezes_per_deal", "cause", variant=cell.variant, lineup=cell.lineup)
    for row in found.iter_rows(named=True):
        assert row["numerator"] == piles.filter(pl.col("frozen_by") == row["cause"]).height
        assert row["denominator"] == deals.height
    for row in run.metric("ending_share", "ending", variant=cell.variant, lineup=cell.lineup).iter_rows(named=True):
        assert row["numerator"] == deals.filter(pl.col("ending") == row["ending"]).height
    for row in run.metric("canasta_rank_share", "rank", variant=cell.variant, lineup=cell.lineup).iter_rows(named=True):
        assert row["numerator"] == sides[f"natural_{row['rank']}"].sum() + sides[f"mixed_{row['rank']}"].sum()
        assert row["denominator"] == sides["natural_canastas"].sum() + sides["mixed_canastas"].sum()


def test_line_ups_added_up_are_clustered_by_their_common_games(run):
    variant = run.variants[0]
    games = run.games(variant).collect()
    row = run.metric("turns_per_deal", "variant", variant=variant).row(0, named=True)
    units = games.group_by("game").agg(pl.col("turns").sum(), pl.col("deals").sum())
    assert (row["numerator"], row["denominator"], row["games"]) == (
        games["turns"].sum(), games["deals"].sum(), units.height)  # fmt: skip
    p = row["value"]
    squares = sum((k - p * n) ** 2 for k, n in units.select("turns", "deals").iter_rows())
    se = math.sqrt(squares * units.height / (units.height - 1)) / row["denominator"]
    assert (row["high"] - row["low"]) / 2 == pytest.approx(1.959964 * se, rel=1e-6)
    everything = run.metric("turns_per_deal", []).row(0, named=True)
    assert everything["denominator"] == run.games().collect()["deals"].sum()


def test_only_metrics_of_completed_games_say_how_many_were_capped(run):
    assert run.metric("turns_per_game")["capped"].null_count() == 0
    assert run.metric("turns_per_game", [])["capped"].item() == 0
    assert run.metric("turns_per_deal")["capped"].null_count() == len(run.parts)


def test_a_capped_game_is_left_out_and_counted(run):
    """The definition itself, asked of a table with one capped game."""
    connection = run.connect(lock=False)
    connection.execute("create table kept as from games")
    connection.execute(
        "create or replace view games as select * replace (if(game = 3, 'cap', ending) as ending) from kept"
    )
    row = measure(connection, load_metric("turns_per_game"), variant=[run.variants[0]], lineup=[run.lineups[0]])
    games = run.games(run.variants[0], run.lineups[0]).collect()
    assert row["games"].item() == games.height - 1
    assert row["capped"].item() == pytest.approx(1 / games.height)
    assert row["numerator"].item() == games.filter(pl.col("game") != 3)["turns"].sum()


def test_what_the_rules_decide_is_marked(run):
    connection = run.connect(lock=False)
    connection.execute("create table kept as from cells")
    connection.execute("create or replace view cells as select * replace ('always' as pile_frozen) from kept")
    assert measure(connection, load_metric("frozen_turn_share"))["by_rule"].all()
    assert not measure(connection, load_metric("turns_per_deal"))["by_rule"].any()
    assert not run.metric("frozen_turn_share")["by_rule"].any()


@pytest.mark.parametrize(
    ("name", "by", "fault"),
    [
        ("turns_per_gam", None, "did you mean turns_per_game"),
        ("nothing", None, "`canasta metrics` lists all"),
        ("turns_per_deal", ["rank"], "cannot be split by 'rank'.*variant, lineup"),
        ("canastas_per_side_deal", ["seat"], "variant, lineup, given_lineup, type"),
    ],
)
def test_what_a_metric_cannot_do_is_refused_with_what_it_can(run, name, by, fault):
    with pytest.raises(BadInput, match=fault):
        run.metric(name, by)


def test_every_metric_says_what_it_is():
    found = metrics()
    assert found["name"].to_list() == list(metric_names())
    assert not found.null_count().sum_horizontal().item()
    for name in metric_names():
        metric = load_metric(name)
        assert metric.unit == "%" or metric.interval in "RQSP"
        assert metric.more != metric.less


GOOD = """title = "T"
sentence = "S"
unit = "turns"
family = "f"
more = "more"
less = "less"
table = "games"
numerator = "turns"
denominator = "1"
interval = "R"
digits = 1
dimensions = ["variant", "lineup"]
"""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (GOOD.replace('"R"', '"X"'), "interval is one of R, W, B, Q, S, P"),
        (GOOD.replace('"R"', '"Q"'), "Q needs a distribution"),
        (GOOD.replace('"R"', '"S"'), "a spread"),
        (GOOD.replace('"R"', '"P"'), "P is a mean over mirror blocks"),
        (GOOD.replace('table = "games"', 'table = "rounds"'), "a table is one of"),
        (GOOD.replace('"lineup"]', '"lineup", "rank"]'), "dimensions"),
        (GOOD.replace('numerator = "turns"\n', ""), "a numerator or a split"),
        (GOOD.replace('table = "games"', 'table = "deals"\ncompleted = true'), "only a metric of games"),
        (GOOD.replace('title = "T"\n', ""), "title"),
        (GOOD + 'colour = "red"\n', "colour"),
    ],
)
def test_a_definition_that_cannot_be_used_says_why(text, fault):
    assert isinstance(parse_metric("good", GOOD), Metric)
    with pytest.raises(ValueError, match=fault):
        parse_metric("bad", text)


@pytest.mark.parametrize(
    ("name", "by", "words"),
    [
        ("discard_danger", "card_class", {"wild", "black3"}),
        ("discard_risk", "rank", {"2", "JK", "3"}),
        ("freezes_per_deal", "cause", {"red3", "black3"}),
        ("ending_share", "ending", {"special"}),
        ("canastas_per_side_deal", "type", {"wild", "sequence", "royal"}),
        ("any_canasta_rate", "type", {"wild", "sequence", "royal"}),
        ("any_canasta_rate", "opened", {"no"}),
        ("take_rate", "state", {"wild_top"}),
    ],
)
def test_a_word_that_the_rules_alone_decide_is_marked_so_and_never_few(run, name, by, words):
    for keys in ([by], ["variant", by]):
        found = run.metric(name, keys)
        assert set(found.filter("by_rule")[by]) == words
        assert not found.filter(pl.col("by_rule") & pl.col("few")).height
        assert found.filter("by_rule")["numerator"].to_list() == [0] * found["by_rule"].sum()
    if by not in load_metric(name).split:
        assert not run.metric(name, "variant")["by_rule"].any()


def test_what_is_ruled_depends_on_the_rules(run):
    connection = run.connect(lock=False)
    connection.execute("create table kept as from cells")
    connection.execute("create or replace view cells as select * replace (['black3'] as untakeable_tops) from kept")
    found = measure(connection, load_metric("discard_risk"), ["card_class"])
    assert found.filter("by_rule")["card_class"].to_list() == ["black3"]


def test_the_range_of_a_sentence_leaves_out_what_the_rules_decide(run):
    few = run.metric("discard_class_share", ["strategy", "class"])
    assert few["by_rule"].sum() == 0
    said = run.ask("discard_danger", by="card_class").sentence
    assert "0.0" not in said
    alone = run.ask("discard_danger", by="card_class", where="card_class in ('wild', 'black3')").sentence
    assert alone == "Discard danger: 0.0 % in all 2 rows"
