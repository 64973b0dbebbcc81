"""Dimensions of rows: what each metric says by each of them, against plain Polars on the rows themselves."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from engine.errors import BadInput
from pipeline.dimensions import load_dimensions
from pipeline.measure import measure
from pipeline.metric import CELL, FOLDER, GROUPS, load_metric, metric_names, parse_metric
from pipeline.run import Run, open_run
from tests.slow_intervals import slow_interval
from tests.slow_metrics import slow_leaders


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


def card_class(card: str | None) -> str | None:
    if card is None:
        return None
    if card == "JK" or card[0] == "2":
        return "wild"
    return "natural" if card[0] != "3" else "black3" if card[1] in "CS" else "red3"


def pile_size(cards: int) -> str:
    return next((word for most, word in ((0, "0"), (3, "1-3"), (7, "4-7"), (15, "8-15")) if cards <= most), "16+")


def yes_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


VALUES: dict[str, Callable[[dict], object]] = {
    "round": lambda row: (row["turn"] + 3) // 4,
    "rank": lambda row: row["discard"] and (row["discard"] if row["discard"] == "JK" else row["discard"][0]),
    "card_class": lambda row: card_class(row["discard"]),
    "pile_size": lambda row: pile_size(row["cards" if "card_points" in row else "pile"]),
    "in_theirs": lambda row: yes_no(row["in_theirs"]),
    "in_ours": lambda row: yes_no(row["in_ours"]),
    "thrown_before": lambda row: yes_no(row["thrown_before"]),
    "opened": lambda row: yes_no(row["open_seat"] is not None),
    "cause": lambda row: row["frozen_by"],
    "pile_ending": lambda row: row["ending"],
    "seen": lambda row: row["seen"],
    "they_opened": lambda row: yes_no(row["they_opened"]),
    "strategy": lambda row: row["frozen_strategy"] if "frozen_seat" in row else row["strategy"],
}

COUNTS: dict[str, tuple[str, Callable[[dict], float], Callable[[dict], float]]] = {
    "discard_risk": ("turns", lambda row: (row["next_took"] or 0) > 0, lambda row: row["next_took"] is not None),
    "discard_danger": ("turns", lambda row: row["next_could_take"] is True,
                       lambda row: row["next_could_take"] is not None),
    "feed_rate": ("turns", lambda row: row["had_other"] is True and row["in_theirs"],
                  lambda row: row["had_other"] is True),
    "frozen_turn_share": ("turns", lambda row: row["state"] == "frozen" or row["frozen_by"] is not None,
                          lambda _: 1),
    "take_rate": ("turns", lambda row: row["took"] is not None, lambda row: row["could_take"]),
    "cards_per_take": ("turns", lambda row: row["took"] or 0, lambda row: row["took"] is not None),
    "turns_per_deal": ("deals", lambda row: row["turns"], lambda _: 1),
    "rounds_per_deal": ("deals", lambda row: row["turns"] / 4, lambda _: 1),
    "out_rate": ("deals", lambda row: row["out_seat"] is not None, lambda _: 1),
    "concealed_rate": ("deals", lambda row: row["ending"] == "concealed", lambda _: 1),
    "special_rate": ("deals", lambda row: row["ending"] == "special", lambda _: 1),
    "canastas_per_side_deal": ("sides", lambda row: row["natural_canastas"] + row["mixed_canastas"], lambda _: 1),
    "any_canasta_rate": ("sides", lambda row: row["first_canasta_turn"] is not None, lambda _: 1),
    "points_per_side_deal": ("sides", lambda row: row["score_after"] - row["score_before"], lambda _: 1),
    "open_rate": ("sides", lambda row: row["open_seat"] is not None, lambda _: 1),
    "freeze_length": ("piles", lambda row: row["last_turn"] - row["frozen_turn"] if row["frozen_by"] else 0,
                      lambda row: row["frozen_by"] is not None),
    "freeze_won_rate": ("piles", lambda row: row["frozen_by"] == "wild" and row["taken_seat"] is not None
                        and (row["taken_seat"] - row["frozen_seat"]) % 2 == 0,
                        lambda row: row["frozen_by"] == "wild" and row["taken_seat"] is not None),
    "freeze_left_rate": ("piles", lambda row: row["frozen_by"] == "wild" and row["taken_seat"] is None,
                         lambda row: row["frozen_by"] == "wild"),
    "freeze_ended_rate": ("piles", lambda row: row["frozen_turn"] is not None and row["taken_seat"] is None,
                          lambda row: row["frozen_turn"] is not None),
    "takes_per_side_deal": ("sides", lambda row: row["takes"], lambda _: 1),
    "freezes_per_side_deal": ("sides", lambda row: row["freezes"], lambda _: 1),
}  # fmt: skip
APART = {
    "biggest_take_wins", "take_margin", "leader_wins", "comeback", "lead_edge_deal", "lead_edge_points", "open_margin",
    "ending_share", "canasta_rank_share", "pile_state_share", "discard_class_share", "opening_share",
}  # fmt: skip
"""Those whose rows are no table's, and those that are always split."""


def mark_opened(rows: list[dict]) -> list[dict]:
    """Turns with whether the other side had opened in an earlier turn of the deal."""
    opened = {(row["game"], row["deal"], row["side"]): row["turn"] for row in rows if row["opened"]}
    return [
        {**row, "they_opened": opened.get((row["game"], row["deal"], 3 - row["side"]), 999) < row["turn"]}
        for row in rows
    ]


def own_dimensions(name: str) -> list[str]:
    metric = load_metric(name)
    return [one for one in metric.dimensions if one not in (*GROUPS, *metric.split)]


def test_every_metric_with_dimensions_is_checked():
    plain = [name for name in metric_names() if not load_metric(name).own_kind]
    assert {name for name in plain if own_dimensions(name)} == set(COUNTS) | APART


@pytest.mark.parametrize("name", COUNTS)
def test_a_metric_by_a_dimension_is_what_its_rows_say(run, name):
    table, count_k, count_n = COUNTS[name]
    cell = run.parts[1]
    rows = run.frame(table, cell.variant, cell.lineup).collect().to_dicts()
    rows = mark_opened(rows) if table == "turns" else rows
    counts = [(row["game"], count_k(row), count_n(row)) for row in rows]
    for dimension in own_dimensions(name):
        units: dict[object, dict[int, list[float]]] = {}
        for row, (game, k, n) in zip(rows, counts, strict=True):
            value = VALUES.get(dimension, lambda row, name=dimension: row[name])(row)
            if value is not None:
                both = units.setdefault(value, {}).setdefault(game, [0, 0])
                both[0], both[1] = both[0] + k, both[1] + n
        found = run.metric(name, [*CELL, dimension], variant=cell.variant, lineup=cell.lineup)
        assert set(found[dimension]) == set(units)
        for row in found.iter_rows(named=True):
            games = [(k, n) for k, n in units[row[dimension]].values() if n]
            k, n = sum(k for k, _ in games), sum(n for _, n in games)
            assert (row["numerator"], row["denominator"], row["games"]) == (pytest.approx(k), n, len(games))
            expected = slow_interval(games, load_metric(name).interval) if games else (None, None, None)
            assert [row[end] for end in ("value", "low", "high")] == [
                end if end is None else pytest.approx(end, rel=1e-6) for end in expected
            ]


@pytest.mark.parametrize("name", [name for name in metric_names() if load_metric(name).rows])
def test_the_finer_rows_add_up_to_the_whole(run, name):
    whole = run.metric(name, "lineup").select("numerator", "denominator").rows()
    parts = run.metric(name, ["lineup", "deal" if "deal" in load_metric(name).dimensions else "side"])
    sums = parts.group_by("lineup", maintain_order=True).agg(pl.col("numerator", "denominator").sum())
    assert sums.select("numerator", "denominator").rows() == whole


def test_values_come_in_the_order_of_their_words(run):
    ranks = run.metric("discard_risk", "rank")["rank"].to_list()
    words = load_dimensions()["rank"].words
    assert ranks == [word for word in words if word in ranks]
    rounds = run.metric("discard_risk", "round")["round"].to_list()
    assert rounds == sorted(rounds)


def test_two_dimensions_may_be_asked_at_once(run):
    found = run.metric("discard_risk", ["strategy", "card_class"])
    assert found.select("strategy", "card_class").is_unique().all()
    alone = run.metric("discard_risk", "strategy")
    sums = found.group_by("strategy").agg(pl.col("denominator").sum()).sort("strategy")
    assert sums.rows() == alone.select("strategy", "denominator").sort("strategy").rows()


def test_a_split_goes_with_dimensions_of_its_own_rows(run):
    for name, split in (("points_per_side_deal", "item"), ("canastas_per_side_deal", "type")):
        parts, whole = run.metric(name, ["strategy", split]), run.metric(name, "strategy")
        sums = parts.group_by("strategy", maintain_order=True).agg(pl.col("numerator").sum())
        assert sums.rows() == whole.select("strategy", "numerator").rows()
    states = run.metric("pile_state_share", ["round", "state"]).group_by("round").agg(pl.col("value").sum())
    assert states["value"].to_list() == pytest.approx([1] * states.height)


def test_minutes_are_seconds_of_turns_takes_cards_and_deals(run):
    cell = run.parts[0]
    games = run.games(cell.variant, cell.lineup).collect()
    seconds = 30 * games["turns"] + 15 * games["takes"] + 1.5 * games["melded_cards"] + 300 * games["deals"]
    found = run.metric("minutes_per_game", variant=cell.variant, lineup=cell.lineup)
    assert found["pace"].to_list() == ["online", "club", "social"]
    assert found["value"][2] == pytest.approx((seconds / 60).mean())
    for minutes in (90, 140):
        asked = {"variant": cell.variant, "lineup": cell.lineup, "minutes": minutes}
        share = (seconds / 60 <= minutes).mean()
        assert run.metric("finished_within", **asked)["value"][2] == pytest.approx(share)
    assert run.metric("finished_within")["value"].to_list() == run.metric("finished_within", minutes=90)[
        "value"].to_list()  # fmt: skip


def test_the_margin_with_a_take_is_that_of_the_takers_side_in_the_deal(run):
    cell = run.parts[1]
    scores = {
        (game, deal, side): score
        for game, deal, side, score in run.sides(cell.variant, cell.lineup)
        .select("game", "deal", "side", "score").collect().iter_rows()
    }  # fmt: skip
    takes = run.turns(cell.variant, cell.lineup).filter(pl.col("took").is_not_null()).collect()
    units: dict[str, dict[int, list[int]]] = {}
    for row in takes.iter_rows(named=True):
        margin = scores[row["game"], row["deal"], row["side"]] - scores[row["game"], row["deal"], 3 - row["side"]]
        both = units.setdefault(pile_size(row["took"]), {}).setdefault(row["game"], [0, 0])
        both[0], both[1] = both[0] + margin, both[1] + 1
    found = run.metric("take_margin", "take_size", variant=cell.variant, lineup=cell.lineup)
    assert set(found["take_size"]) == set(units)
    for row in found.iter_rows(named=True):
        games = list(units[row["take_size"]].values())
        expected = slow_interval(games, "R")
        assert row["denominator"] == sum(n for _, n in games)
        assert [row[end] for end in ("value", "low", "high")] == [
            end if end is None else pytest.approx(end, rel=1e-6) for end in expected
        ]
    by_strategy = run.metric("take_margin", ["strategy", "round", "how"], variant=cell.variant, lineup=cell.lineup)
    assert by_strategy["denominator"].sum() == takes.height


def test_leader_wins_counts_games_that_went_on_with_a_leader(run):
    cell = run.parts[0]
    winners = dict(run.games(cell.variant, cell.lineup).select("game", "winner").collect().iter_rows())
    leaders = slow_leaders(run.sides(cell.variant, cell.lineup).collect())
    for row in run.metric("leader_wins", variant=cell.variant, lineup=cell.lineup).iter_rows(named=True):
        place = row["deal"] - 1
        went_on = [winners[game] == led[place] for game, led in leaders.items() if place < len(led) - 1 and led[place]]
        assert (row["numerator"], row["denominator"]) == (sum(went_on), len(went_on))
        if row["low"] is not None:
            expected = slow_interval([(won, 1) for won in went_on], "B")
            assert (row["value"], row["low"], row["high"]) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "by", "fault"),
    [
        ("turns_per_game", ["rank"], "counts all sides of a game together, which have no rank of their own"),
        ("turns_per_deal", ["strategy"], "counts all sides of a deal together, which have no strategy"),
        ("open_rate", ["round"], "counts sides of deals, which have no round"),
        ("discard_risk", ["rang"], "did you mean rank"),
        ("freezes_per_deal", ["seat"], "it can be split by variant, lineup, given_lineup, cause"),
    ],
)
def test_a_dimension_that_a_metric_lacks_is_refused_with_the_reason(run, name, by, fault):
    with pytest.raises(BadInput, match=fault):
        run.metric(name, by)


def test_a_split_of_one_table_by_a_dimension_of_another_is_refused(run):
    text = (FOLDER / "canastas_per_side_deal.toml").read_text(encoding="utf-8")
    changes = {
        'table = "sides"\nnumerator = "natural_canastas + mixed_canastas + wild_canastas + sequence_canastas + '
        'royal_canastas"\ndenominator = "(partner is null or partner > side)::integer"':
            'table = "games"\nnumerator = "0"\ndenominator = "deals * len(scores)"',
        'table = "sides"\n[split': 'table = "games"\n[split',
        '[distribution]': '[rows]\ntable = "sides"\nnumerator = "0"\ndenominator = "1"\n\n[distribution]',
        **{f'= "{kind}_canastas"\n': f'= "list_sum(side_{kind}_canastas)"\n' for kind in
           ("natural", "mixed", "wild", "sequence")},
        'royal = "royal_canastas"\n': 'royal = "0"\n',
    }  # fmt: skip
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    metric = parse_metric("types_of_games", text)
    with run.connect() as connection:
        by_cell = measure(connection, metric, [*CELL, "type"])
        same = run.metric("canastas_per_side_deal", [*CELL, "type"])
        assert_frame_equal(by_cell.drop("source"), same.drop("source"))
        with pytest.raises(BadInput, match="no table has them on the same row"):
            measure(connection, metric, ["type", "strategy"])


def test_a_parameter_that_a_metric_lacks_is_refused(run):
    with pytest.raises(BadInput, match="takes no 'minutes'; it takes no parameters"):
        run.metric("turns_per_game", minutes=3)
    with pytest.raises(BadInput, match="did you mean minutes"):
        run.metric("finished_within", minute=3)
    with pytest.raises(BadInput, match="give a number"):
        run.metric("finished_within", minutes="long")
