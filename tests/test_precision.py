"""Precision first: where a run stops that is to be so narrow, and what it says of itself before it is played."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from canasta_command import printed, refused
from finished_run import content
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput
from pipeline import stats, writer
from pipeline.cli import main
from pipeline.dataset import committed, read_manifest
from pipeline.expectation import COLUMNS, HEADLINES, expect
from pipeline.plan import FIRST_CHECK, UNTIL_GAMES, make_plan
from pipeline.precision import Goal, Width, read_goals
from pipeline.run import open_run
from pipeline.simulation import simulate

KEYS = {"games": 6_000, "shard_games": 200, "variants": ["classic4", "classic2"], "lineups": ["naive~random"]}
GOALS = ["turns_per_game ± 1.7", "takes_per_deal +- 1.4%"]
BY = ("variant", "lineup")


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """KEYS played until GOALS by one worker at one go."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    simulate(KEYS, folder, workers=1, until=GOALS)
    return folder


def games_of(run: Path) -> dict[tuple[str, str], int]:
    games: dict[tuple[str, str], int] = {}
    for commit in committed(run):
        games[commit.key[:2]] = games.get(commit.key[:2], 0) + commit.games
    return games


def half_widths(run: Path, metric: str, level: float = 0.95) -> list[float]:
    found = open_run(run).metric(metric, by=BY, level=level)
    return ((found["high"] - found["low"]) / 2).to_list()


def width_of(games: pl.DataFrame, k: str, n: str | None = None) -> float:
    """Half-width of a ratio over games, relative when it is of n."""
    found = stats.ratio(games.with_columns(one=1), k, n or "one").row(0, named=True)
    return (found["high"] - found["low"]) / 2 / (found["value"] if n else 1)


# ------------------------------------------------------------------------------------------------ where it stops


def test_every_cell_of_the_run_as_opened_is_as_narrow_as_asked_by_every_goal(whole):
    assert max(half_widths(whole, "turns_per_game")) <= 1.7
    found = open_run(whole).metric("takes_per_deal", by=BY)
    assert ((found["high"] - found["low"]) / 2 <= 0.014 * found["value"]).all()


def test_every_cell_stops_on_its_own_at_whole_shards_and_not_long_after_it_could(whole):
    games = games_of(whole)
    assert len(games) == 4
    assert len(set(games.values())) > 1
    for (variant, lineup), count in games.items():
        assert count % KEYS["shard_games"] == 0
        before = open_run(whole).games(variant, lineup, games=(1, int(count * 0.7))).collect()
        assert width_of(before, "turns") > 1.7 or width_of(before, "takes", "deals") > 0.014


def test_where_it_stops_does_not_depend_on_the_number_of_workers(whole, tmp_path):
    simulate(KEYS, tmp_path / "run", workers=3, until=GOALS)
    assert content(tmp_path / "run") == content(whole)
    for key in ("until", "reached"):
        assert read_manifest(tmp_path / "run")[key] == read_manifest(whole)[key]


def test_a_run_stopped_again_and_again_ends_at_the_same_games(whole, tmp_path, monkeypatch):
    run, real, left = tmp_path / "run", writer.RunWriter.commit, [0]

    def commit(self, shard, files):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        real(self, shard, files)

    monkeypatch.setattr(writer.RunWriter, "commit", commit)
    for allowed in (1, 6, 4, 7):
        left[0] = allowed
        with pytest.raises(KeyboardInterrupt):
            simulate(KEYS, run, workers=2, until=GOALS)
    left[0] = 1_000
    assert simulate(KEYS, run, workers=2, until=GOALS).played > 0
    assert content(run) == content(whole)
    assert read_manifest(run)["reached"] == read_manifest(whole)["reached"]


def test_a_run_that_is_precise_enough_is_left_alone(whole):
    before = {path: path.stat().st_mtime_ns for path in whole.rglob("*") if path.suffix in (".parquet", ".json")}
    summary = simulate(KEYS, whole, until=GOALS)
    assert (summary.played, summary.missed) == (0, ())
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_the_manifest_says_what_was_asked_and_what_was_reached(whole):
    told = read_manifest(whole)
    assert told["until"]["goals"] == ["turns_per_game ± 1.7", "takes_per_deal ± 1.4%"]
    assert told["until"]["level"] == 0.95
    assert {one[2] for one in told["until"]["most_games"]} == {6_000}
    assert len(told["reached"]) == 8
    assert all(one["met"] for one in told["reached"])
    assert {cell["games"] for cell in told["cells"]} == set(games_of(whole).values())
    assert told["summary"]["games"] == sum(games_of(whole).values())


def test_a_wide_interval_is_not_looked_at_before_the_first_check(tmp_path):
    simulate({"lineups": ["naive"], "shard_games": 100}, tmp_path / "run", until="turns_per_game ± 100%")
    assert games_of(tmp_path / "run") == {("classic4", "naive"): 700}
    assert FIRST_CHECK == 640


def test_another_level_needs_other_games(tmp_path):
    for level in (0.8, 0.99):
        keys = {"lineups": ["naive"], "shard_games": 100, "level": level}
        simulate(keys, tmp_path / str(level), until="turns_per_game ± 1.5")
        assert half_widths(tmp_path / str(level), "turns_per_game", level)[0] <= 1.5
    assert sum(games_of(tmp_path / "0.8").values()) < sum(games_of(tmp_path / "0.99").values())


def test_a_run_with_more_games_than_needed_keeps_them_and_is_as_narrow(tmp_path):
    keys = {"lineups": ["naive"], "shard_games": 300, "games": 1_450}
    simulate(keys, tmp_path / "run")
    summary = simulate(keys, tmp_path / "run", until="turns_per_game ± 5")
    assert (summary.played, [width.games for width in summary.widths], summary.missed) == (0, [1_450], ())
    summary = simulate({**keys, "games": 9_000}, tmp_path / "run", until="turns_per_game ± 1.2")
    assert summary.games > 1_450
    assert half_widths(tmp_path / "run", "turns_per_game")[0] <= 1.2


def test_the_most_games_come_first_and_the_answer_is_no(tmp_path, capsys):
    command = ["simulate", "--lineup", "naive", "--games", "950", "--out", str(tmp_path / "run"), "--until"]
    assert main([*command, "turns_per_game ± 0.1"]) == 1
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.startswith("canasta: classic4 naive: turns_per_game ± 0.1 is not met after 950 games: ± ")
    assert "games would do" in told
    assert read_manifest(tmp_path / "run")["summary"]["games"] == 950
    assert main([*command, "turns_per_game ± 10"]) == 0


def test_without_games_a_cell_has_at_most_a_million():
    plan = make_plan({"until": ["turns_per_game ± 1"]})
    assert [cell.games for cell in plan.cells] == [UNTIL_GAMES]
    assert plan.settled().shard_games == 1_000


# ------------------------------------------------------------------------------------------------ goals as written


@given(
    st.sampled_from(["±", "+-", "+/-"]), st.sampled_from(["", " ", "  "]), st.decimals("0.01", "99", places=2),
    st.sampled_from(["", "%", " %"]),
)  # fmt: skip
def test_a_goal_reads_the_same_however_it_is_written(sign, space, number, kind):
    (goal,) = read_goals(f" turns_per_game{space}{sign}{space}{number}{kind} ")
    width = float(number) / (100 if kind else 1)
    assert goal == Goal("turns_per_game", width, bool(kind), f"turns_per_game ± {number}{kind.strip()}")


def test_shares_may_be_in_percentage_points_or_from_0_to_1_and_a_percentage_is_of_the_value():
    points, share, part = read_goals(["take_rate ± 0.5pp, take_rate ± .005", "take_rate ± 1%"])
    assert (points.half_width, points.relative) == (share.half_width, share.relative) == (0.005, False)
    assert (part.asked(0.4), part.relative) == (0.004, True)


HALVES = st.floats(1e-6, 1e3)


@given(st.floats(0.01, 1e6), HALVES, HALVES, HALVES, st.booleans())
def test_a_goal_is_met_when_no_more_games_are_needed_for_either_interval(value, half, clustered, asked, relative):
    width = Width("a", "b", Goal("x", asked, relative, ""), 1_000, value, half, clustered)
    assert width.met == (max(half, clustered) / width.goal.asked(value) <= 1)
    if abs(width.games_needed - 1_000) > 1e-6:
        assert width.met == (width.games_needed < 1_000)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("turns_per_gme ± 1", "no metric 'turns_per_gme'; did you mean turns_per_game"),
        ("ending_share ± 1%", "is always split by ending; allowed: any_canasta_rate, "),
        ("win_rate ± 1%", r"no interval that shrinks with the games of a cell \(method P\)"),
        ("turns_per_game", 'is no metric with a half-width; write it as "turns_per_game ± 0.1"'),
        ("turns_per_game ± x", "is no metric with a half-width"),
        ("turns_per_game ± -1", "is no metric with a half-width"),
        ("turns_per_game ± 0", "a half-width is more than 0"),
        ("turns_per_game ± 1pp", "pp are for shares, turns_per_game is in turns"),
        ("take_rate ± 5", "take_rate is a share from 0 to 1; write ± 0.01 or ± 1pp"),
    ],
)
def test_a_goal_that_cannot_be_is_refused_in_one_line_before_anything_is_played(tmp_path, capsys, text, words):
    with pytest.raises(BadInput, match=words):
        read_goals(text)
    refused(capsys, "simulate", "--until", text, "--out", str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


# ------------------------------------------------------------------------------------------------ before a run


def test_the_half_width_expected_before_a_run_is_that_which_it_has(tmp_path):
    plan = make_plan({"games": 5_000, "variants": ["classic4", "classic2"], "lineups": ["naive"], "seed": 3})
    told = expect(plan)
    assert dict(told.schema) == COLUMNS
    assert set(told["metric"]) == set(HEADLINES)
    done = simulate(plan, tmp_path / "run")
    for name in HEADLINES:
        expected = told.filter(metric=name)["half_width"]
        for mine, real in zip(expected, half_widths(tmp_path / "run", name), strict=True):
            assert mine == pytest.approx(real, rel=0.25)
    cells = told.unique(["variant", "lineup"])
    assert cells["bytes"].sum() == pytest.approx(done.bytes, rel=0.15)
    assert cells["seconds"].min() > 0


def test_the_games_a_goal_takes_are_told_before_a_run(whole):
    told = expect({**KEYS, "until": GOALS, "seed": 1})
    games = games_of(whole)
    for row in told.filter(metric="turns_per_game").iter_rows(named=True):
        assert row["games"] == pytest.approx(games[row["variant"], row["lineup"]], rel=0.25, abs=200)
    assert told.filter(~told["goal"].is_null())["enough"].all()
    assert told.filter(metric="turns_per_deal")["games_needed"].is_null().all()


def test_a_dry_run_tells_and_writes_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["simulate", "--lineup", "naive", "--games", "700", "--until", "turns_per_game ± 0.1", "--dry-run"]
    text = printed(capsys, *words)
    assert "an estimate from a pilot of 640 games a cell" in text
    assert "classic4 naive: turns_per_game ± 0.1 would take" in text
    rows = json.loads(printed(capsys, *words, "--format", "json"))
    assert [row["metric"] for row in rows] == list(HEADLINES)
    assert list(rows[0]) == list(COLUMNS)
    assert list(tmp_path.iterdir()) == []


def test_a_pilot_of_nothing_or_of_what_has_no_width_is_refused():
    with pytest.raises(BadInput, match="pilot=0"):
        expect(make_plan({}), pilot=0)
    with pytest.raises(BadInput, match="always split by"):
        expect(make_plan({}), ["ending_share"])
