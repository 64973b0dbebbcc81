"""Roll-ups of shards: what they hold is what the tables hold, however they were made."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from engine.errors import BadInput
from pipeline import rollup_codes, rollup_relations, rollup_run, rollup_shard
from pipeline.cli import main
from pipeline.dataset import ROLLUPS, committed
from pipeline.rollup import FRACTION, load_rollups, rollup_digest
from pipeline.rollup_run import make_rollups
from pipeline.rollup_shard import fractions
from pipeline.rollup_sql import counts_sql
from pipeline.run import open_run
from pipeline.simulation import simulate

KEYS = {
    "variants": ["classic4", "classic3"],
    "lineups": ["safe~naive"],
    "games": 130,
    "shard_games": 70,
    "mirror": False,
}
KEYS = {**KEYS, "variants": ["classic4", "classic2"]}


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("rollups") / "run"
    simulate(KEYS, folder)
    return folder


def test_roll_ups_of_games_none_of_which_was_won_are_made(tmp_path):
    """At the limit of deals a game has no result: a table without rows."""
    keys = {"variants": ["pennies_from_heaven"], "lineups": ["random"], "games": 2, "mirror": False, "seed": 3}
    simulate(keys, tmp_path / "run")
    connection = open_run(tmp_path / "run").connect()
    assert connection.sql("select count(*) from rollup_game_results").fetchall() == [(0,)]
    assert connection.sql("select count(*) from rollup_deals").fetchall() != [(0,)]


def rolled(folder: Path) -> dict[tuple[object, ...], tuple[int, str]]:
    """Rows and hash of every roll-up of every shard."""
    return {
        (*commit.key, name): (file.rows, file.hash)
        for commit in committed(folder)
        for name, file in commit.rollups.items()
    }


def without_rollups(folder: Path) -> None:
    """As a run is that was written before there were roll-ups."""
    for path in (folder / ROLLUPS).rglob("*.parquet"):
        path.unlink()
    for path in (folder / "commits").iterdir():
        words = json.loads(path.read_text())
        del words["rollups"], words["rollup_digest"]
        path.write_text(json.dumps(words))


def copy_of(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder, to))


@pytest.mark.parametrize("name", load_rollups())
def test_a_roll_up_has_the_counts_of_its_table(played, name):
    rollup, parts = load_rollups()[name], fractions()[name]
    connection = open_run(played).connect()
    keys = ["variant", "lineup", "block", *rollup.dimensions]
    kept = connection.sql(f"from rollup_{name}").pl()
    counted = connection.sql(counts_sql(rollup, parts).replace("select (game", "select variant, lineup, (game")).pl()
    counted = counted.with_columns(
        pl.col(column) / FRACTION for text, column in rollup.counts.items() if parts[text]
    ).select(kept.columns)
    found = (
        kept.group_by(keys).agg(pl.all().sum()).sort(keys, nulls_last=True),
        counted.sort(keys, nulls_last=True).with_columns(pl.col(key).cast(kept[key].dtype) for key in keys),
    )
    assert kept.height > 0
    assert_frame_equal(*found, check_dtypes=False, rel_tol=1e-9)


def test_roll_ups_made_from_tables_are_those_that_simulate_leaves(played, tmp_path):
    run = copy_of(played, tmp_path / "run")
    without_rollups(run)
    assert not rolled(run)
    make_rollups(run, workers=2)
    assert rolled(run) == rolled(played)
    assert not list((run / ROLLUPS).rglob("*.tmp"))


def test_chunks_do_not_change_a_roll_up(played, tmp_path, monkeypatch):
    monkeypatch.setattr(rollup_shard, "CHUNK_GAMES", 20)
    monkeypatch.setattr(rollup_run, "READ_GAMES", 7)
    run = copy_of(played, tmp_path / "run")
    make_rollups(run, anew=True)
    assert rolled(run) == rolled(played)


def test_many_keys_and_plain_sql_count_the_same(played, tmp_path, monkeypatch):
    monkeypatch.setattr(rollup_codes, "MOST_KEYS", 10)
    run = copy_of(played, tmp_path / "keys")
    make_rollups(run, anew=True)
    assert rolled(run) == rolled(played)
    monkeypatch.setattr(rollup_codes, "MOST_VALUES", 0)
    monkeypatch.setattr(rollup_shard, "RELATIONS", {})
    make_rollups(run, anew=True)
    assert rolled(run) == rolled(played)


def test_relations_without_rows_as_expected_are_left_to_sql(played):
    blocks = next(rollup_run.read_blocks(played, committed(played)[0]))
    cell = open_run(played).parts[0]
    assert rollup_relations.find_take_margins(cell, blocks)
    fewer = {**blocks, "sides": {name: column[1:] for name, column in blocks["sides"].items()}}
    assert rollup_relations.find_take_margins(cell, fewer) is None
    assert rollup_relations.find_biggest_takes(cell, fewer) is None


def test_a_run_without_roll_ups_answers_from_its_tables(played, tmp_path):
    run = copy_of(played, tmp_path / "run")
    without_rollups(run)
    opened = open_run(run)
    assert not any(cell.is_rolled_up(rollup_digest()) for cell in opened.parts)
    assert opened.metric("take_rate", by=["variant"])["value"].is_not_null().all()
    with pytest.raises(BadInput, match="rollup_turns"):
        opened.sql("select * from rollup_turns")


def test_a_stopped_roll_up_goes_on(played, tmp_path, monkeypatch):
    run = copy_of(played, tmp_path / "run")
    without_rollups(run)

    def stop(games: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_rollups(run, progress=stop)
    assert 0 < len(rolled(run)) < len(rolled(played))
    assert make_rollups(run).made < sum(commit.games for commit in committed(run))
    assert rolled(run) == rolled(played)


def test_a_new_definition_replaces_the_older_roll_ups(played, tmp_path):
    run = copy_of(played, tmp_path / "run")
    before = {path.name for path in (run / ROLLUPS).rglob("*.parquet")}
    for path in (run / "commits").iterdir():
        words = json.loads(path.read_text())
        for file in words["rollups"].values():
            new = file["path"].replace(rollup_digest(), "0" * 16)
            (run / file["path"]).rename(run / new)
            file["path"] = new
        path.write_text(json.dumps({**words, "rollup_digest": "0" * 16}))
    assert not open_run(run).parts[0].is_rolled_up(rollup_digest())
    make_rollups(run)
    assert {path.name for path in (run / ROLLUPS).rglob("*.parquet")} == before
    assert rolled(run) == rolled(played)


def test_a_lost_roll_up_is_made_again_by_rollup_and_by_simulate(played, tmp_path):
    for mend in (make_rollups, lambda folder: simulate(KEYS, folder)):
        run = copy_of(played, tmp_path / getattr(mend, "__name__", "run").strip("<>"))
        (run / committed(run)[0].rollups["turns"].path).unlink()
        mend(run)
        assert rolled(run) == rolled(played)
        assert (run / committed(run)[0].rollups["turns"].path).is_file()


def test_an_extended_run_has_the_roll_ups_of_a_whole_one(played, tmp_path):
    run = tmp_path / "run"
    simulate({**KEYS, "games": 100}, run)
    (run / ROLLUPS / "turns" / "left.parquet").write_text("of a kill")
    simulate(KEYS, run)
    assert rolled(run) == rolled(played)
    named = {run / file.path for commit in committed(run) for file in commit.all_files}
    assert {path for path in (run / ROLLUPS).rglob("*.parquet")} <= named


def test_the_command_says_what_it_made_and_refuses_what_is_no_run(played, tmp_path, capsys):
    assert main(["rollup", str(played)]) == 0
    assert "made now of 0" in capsys.readouterr().err
    assert main(["rollup", str(tmp_path)]) == 2
    assert "is no run" in capsys.readouterr().err


def test_the_sample_has_the_roll_ups_of_today(sample_run):
    stale = {commit.key for commit in committed(sample_run) if commit.rollup_digest != rollup_digest()}
    assert not stale, "a metric or dimension changed: canasta rollup data/sample"
