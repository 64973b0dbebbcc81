"""A run whose beginning, roll-ups or commits are damaged goes on, answers what it can, or says what mends it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from canasta_command import refused
from finished_run import content, plan

from engine.errors import BadInput
from pipeline import writer
from pipeline.dataset import COMMITS, ROLLUPS, committed
from pipeline.rollup_run import make_rollups
from pipeline.run import open_run
from pipeline.simulation import simulate


@pytest.fixture(scope="module")
def rolled(tmp_path_factory) -> Path:
    """A run with games enough for roll-ups to answer, not to be changed."""
    folder = tmp_path_factory.mktemp("damaged") / "run"
    simulate(plan(650, shard_games=650), folder)
    return folder


@pytest.fixture
def damaged(rolled, tmp_path) -> Path:
    """A copy of it without its roll-ups."""
    folder = Path(shutil.copytree(rolled, tmp_path / "run"))
    shutil.rmtree(folder / ROLLUPS)
    return folder


def change_commit(run: Path, **facts: object) -> None:
    path = next((run / COMMITS).iterdir())
    path.write_text(json.dumps({**json.loads(path.read_text()), **facts}))


# ------------------------------------------------------------------------------------------------ beginnings


@pytest.mark.parametrize("left", [["commits/"], ["commits/", "games/"], ["manifest.json.tmp"], ["rollups/", "lock"]])
def test_a_run_killed_before_its_manifest_is_begun_anew(made, tmp_path, left):
    for name in left:
        (tmp_path / name).mkdir() if name.endswith("/") else (tmp_path / name).write_text("")
    simulate(plan(), tmp_path)
    assert content(tmp_path) == content(made)


def test_the_manifest_is_the_first_thing_of_a_run(tmp_path, monkeypatch):
    there: list[list[str]] = []
    write = writer.write_json

    def note(path, words):
        there.append(sorted(one.name for one in tmp_path.iterdir() if one.name != "lock"))
        write(path, words)

    monkeypatch.setattr(writer, "write_json", note)
    simulate(plan(1), tmp_path)
    assert there[0] == []


def test_a_folder_of_a_runs_name_with_something_in_it_is_not_taken_over(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="neither empty nor a run"):
        simulate(plan(), tmp_path)


# ------------------------------------------------------------------------------------------------ roll-ups


def test_without_its_roll_ups_a_run_answers_what_needs_none(damaged, rolled):
    question = "select count(*) as games from games"
    assert open_run(damaged).sql(question).equals(open_run(rolled).sql(question))
    where = "turns > 0"
    answers = [open_run(one).metric("turns_per_game", where=where) for one in (damaged, rolled)]
    assert answers[0].equals(answers[1])


@pytest.mark.parametrize("metric", ["turns_per_game", "take_rate", "swing"])
def test_a_question_to_a_lost_roll_up_names_what_makes_it_anew(damaged, metric):
    with pytest.raises(BadInput, match=r"roll-up \w+ cannot be read.*`canasta rollup RUN`"):
        open_run(damaged).metric(metric, by=["variant"])


def test_damaged_roll_ups_are_told_in_a_line_and_made_anew(rolled, tmp_path, capsys):
    run = Path(shutil.copytree(rolled, tmp_path / "run"))
    for path in (run / ROLLUPS).rglob("*.parquet"):
        path.write_bytes(b"x" * path.stat().st_size)
    assert "roll-up games cannot be read" in refused(capsys, "metric", "turns_per_game", str(run))
    with pytest.raises(BadInput, match="canasta rollup"):
        open_run(run).sql("select count(*) from rollup_games")
    make_rollups(run)
    assert open_run(run).metric("turns_per_game").equals(open_run(rolled).metric("turns_per_game"))
    assert open_run(run).sql("select sum(rows)::integer as games from ROLLUP_GAMES").item() == 650


@pytest.mark.parametrize("left", [None, 0, 300])
@pytest.mark.parametrize("words", ["query freeze_rate RUN", "replay RUN 1 1", "metric discard_risk RUN"])
def test_a_cut_or_lost_file_of_a_run_is_told_in_a_line_that_says_what_mends_it(damaged, capsys, words, left):
    for path in [path for table in ("moves", "turns", "deals") for path in (damaged / table).rglob("*.parquet")]:
        if left is None:
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:left])
    told = refused(capsys, *(str(damaged) if word == "RUN" else word for word in words.split()))
    assert "canasta audit" in told or "canasta rollup" in told


def test_a_connection_of_ones_own_has_the_views_of_roll_ups_that_can_be_read(rolled, damaged):
    assert open_run(rolled).connect().view("rollup_games").columns[:3] == ["variant", "lineup", "block"]
    assert open_run(damaged).connect().sql("select count(*) from games").fetchall() == [(650,)]


@pytest.mark.parametrize("kept", [[], ["games"]])
def test_a_commit_that_lacks_a_roll_up_of_today_leaves_the_answer_to_the_tables(rolled, tmp_path, kept):
    run = Path(shutil.copytree(rolled, tmp_path / "run"))
    there = committed(run)[0].rollups
    change_commit(run, rollups={name: vars(there[name]) for name in kept})
    answer = open_run(run).metric("turns_per_game")
    assert answer["source"].to_list() == ["games"]
    assert answer["value"].to_list() == open_run(rolled).metric("turns_per_game")["value"].to_list()


# ------------------------------------------------------------------------------------------------ commits


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"first_game": 0}, "shard 1 does not begin with game 0"),
        ({"first_game": 2}, "shard 1 does not begin with game 2"),
        ({"games": 0}, "0 games; a shard has 1 to 650"),
        ({"games": 10**9}, "1000000000 games"),
        ({"games": -5}, "-5 games"),
    ],
)
def test_a_commit_with_games_that_its_shard_cannot_have_is_refused(rolled, tmp_path, facts, told):
    run = Path(shutil.copytree(rolled, tmp_path / "run"))
    change_commit(run, **facts)
    with pytest.raises(BadInput, match=f"is no commit of a run: {told}"):
        open_run(run)
    simulate(plan(650, shard_games=650), run)
    assert content(run) == content(rolled)


@pytest.mark.parametrize("key", ["rows", "bytes"])
def test_a_commit_with_less_than_no_rows_is_refused(rolled, tmp_path, key):
    run = Path(shutil.copytree(rolled, tmp_path / "run"))
    files = {table: vars(file) for table, file in committed(run)[0].files.items()}
    change_commit(run, files={**files, "games": {**files["games"], key: -1}})
    with pytest.raises(BadInput, match="is no commit of a run: games:"):
        open_run(run)


def test_a_manifest_whose_shards_have_no_games_is_refused(rolled, tmp_path):
    run = Path(shutil.copytree(rolled, tmp_path / "run"))
    path = run / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "shard_games": 0}))
    with pytest.raises(BadInput, match="shard_games=0"):
        open_run(run)
