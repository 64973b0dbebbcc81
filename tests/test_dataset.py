"""A run on disk: what counts, what is removed and made anew, what extends it."""

from __future__ import annotations

import json
import shutil

import pytest
from finished_run import content, parquet_files, plan

from engine import log
from engine.errors import BadInput
from pipeline import dataset
from pipeline.dataset import committed, files, find_runs, read_manifest
from pipeline.plan import make_plan
from pipeline.rollup import load_rollups
from pipeline.simulation import simulate

# ------------------------------------------------------------------------------------------------ what is there


def test_a_finished_run_has_a_commit_a_shard_and_a_file_a_table(made):
    assert [(commit.shard, commit.first_game, commit.games) for commit in committed(made)] == [
        (1, 1, 100), (2, 101, 100), (3, 201, 50),
    ]  # fmt: skip
    named = {made / file.path for commit in committed(made) for file in commit.all_files}
    assert len(named) == 3 * (len(log.TABLES) + len(load_rollups()))
    assert parquet_files(made) == named
    assert not (made / "lock").exists()


def test_a_commit_states_rows_bytes_and_a_hash_of_the_rows(made):
    import pyarrow.parquet as pq

    from pipeline import schema

    for commit in committed(made):
        for table, file in commit.files.items():
            rows = pq.read_table(made / file.path, partitioning=None)
            content = schema.ContentHash(table)
            content.add(schema.to_block(table, rows))
            assert (file.rows, file.hash) == (rows.num_rows, content.hexdigest())
            assert file.bytes == (made / file.path).stat().st_size


def test_every_file_says_what_it_is_of(made):
    import pyarrow.parquet as pq

    from engine.jit import KERNEL_DIGEST

    facts = pq.read_schema(files(made, "sides")[1]).metadata
    expected = {
        "variant": "classic4", "lineup": "naive", "shard": "2", "first_game": "101", "games": "100", "seed": "1",
        "schema_version": log.SCHEMA_VERSION, "kernel": KERNEL_DIGEST,
    }  # fmt: skip
    assert {key: facts[key.encode()].decode() for key in expected} == expected


def test_the_manifest_holds_the_whole_plan_and_a_summary(made):
    from engine.rules import PARAMETERS

    told = read_manifest(made)
    (cell,) = told["cells"]
    assert (told["seed"], told["schema_version"], cell["games"]) == (1, log.SCHEMA_VERSION, 250)
    assert set(cell["rules"]) == set(PARAMETERS)
    assert [(seat["seat"], seat["side"]) for seat in cell["seats"]] == [(1, 1), (2, 2), (3, 1), (4, 2)]
    assert set(cell["strategies"]["naive"]["decisions"]) == {"draw", "melds", "discard", "answer"}
    assert told["summary"]["games"] == 250
    assert told["summary"]["rows"]["games"] == 250
    assert set(told["packages"]) == {"numpy", "numba", "pyarrow"}


def test_runs_are_found_at_any_depth(made, tmp_path):
    shutil.copytree(made, tmp_path / "a" / "b")
    shutil.copytree(made, tmp_path / "c")
    assert find_runs(tmp_path) == [tmp_path / "a" / "b", tmp_path / "c"]


# ------------------------------------------------------------------------------------------------ going on


def test_what_no_commit_names_is_removed_and_made_anew(run):
    before = content(run)
    last = committed(run)[-1]
    (run / dataset.commit_path(*last.key)).unlink()
    stray = run / "moves/variant=classic4/lineup=naive/00007.parquet"
    stray.write_bytes(b"PAR1")
    dataset.unfinished(stray).write_bytes(b"PA")
    assert simulate(plan(), run).played == 50
    assert content(run) == before
    assert parquet_files(run) == {run / file.path for commit in committed(run) for file in commit.all_files}


@pytest.mark.parametrize("harm", ["missing", "short"])
def test_a_shard_whose_file_is_missing_or_cut_short_is_played_again(run, harm):
    before = content(run)
    victim = files(run, "turns")[1]
    if harm == "missing":
        victim.unlink()
    else:
        victim.write_bytes(victim.read_bytes()[:-20])
    assert simulate(plan(), run).played == 100
    assert content(run) == before


def test_a_finished_run_is_left_alone(run):
    before = {path: path.stat().st_mtime_ns for path in [*parquet_files(run), run / "manifest.json"]}
    assert simulate(plan(), run).played == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert read_manifest(run)["summary"]["games"] == 250


def test_more_games_extend_a_run_and_replace_only_its_short_last_shard(run, tmp_path):
    kept = {path: path.stat().st_mtime_ns for path in parquet_files(run) if path.stem in ("00001", "00002")}
    assert len(kept) == 12
    assert simulate(plan(420), run).played == 220
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    simulate(plan(420), tmp_path / "whole")
    assert content(run) == content(tmp_path / "whole")
    assert read_manifest(run)["summary"]["games"] == 420


def test_the_size_of_shards_of_a_run_stays_when_it_is_extended(tmp_path):
    simulate(make_plan({"games": 150, "lineups": ["naive"]}), tmp_path / "run")
    simulate(make_plan({"games": 4_250, "lineups": ["naive"]}), tmp_path / "run")
    assert read_manifest(tmp_path / "run")["shard_games"] == 250
    assert [commit.games for commit in committed(tmp_path / "run")] == [250] * 17


def test_more_cells_extend_a_run(run):
    before = content(run)
    assert simulate(plan(lineups=["naive", "naive~random"], games=250), run).played == 500
    assert [cell["lineup"] for cell in read_manifest(run)["cells"]] == ["naive", "naive~random", "random~naive"]
    assert {key: value for key, value in content(run).items() if key[1] == "naive"} == before


def test_other_cells_alone_leave_those_of_the_run_as_they_are(run):
    before = content(run)
    simulate(plan(100, lineups=["random"]), run)
    assert [(cell["lineup"], cell["games"]) for cell in read_manifest(run)["cells"]] == [
        ("naive", 250),
        ("random", 100),
    ]
    assert content(run).items() >= before.items()


def test_fewer_games_than_a_run_has_change_nothing(run):
    before = content(run)
    assert simulate(plan(20), run).played == 0
    assert content(run) == before
    assert read_manifest(run)["cells"][0]["games"] == 250


def test_fewer_games_than_an_unfinished_run_was_to_have_are_enough(run):
    for commit in committed(run)[1:]:
        (run / dataset.commit_path(*commit.key)).unlink()
    assert simulate(plan(150), run).played == 50
    assert [commit.games for commit in committed(run)] == [100, 50]
    assert read_manifest(run)["summary"]["games"] == 150


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"variant": 3}', "same name"])
def test_an_unreadable_commit_is_played_again(run, text):
    before = content(run)
    path = run / "commits" / "classic4__naive-00002.json"
    path.write_text((run / "commits" / "classic4__naive-00001.json").read_text() if text == "same name" else text)
    with pytest.raises(BadInput, match=r"00002\.json is no commit of a run: .*remove it, or go on with the run"):
        committed(run)
    assert simulate(plan(), run).played == 100
    assert content(run) == before


def test_a_shard_with_other_rows_of_the_same_size_is_played_again(run):
    before = content(run)
    path = run / "commits" / "classic4__naive-00002.json"
    commit = json.loads(path.read_text())
    commit["files"]["moves"]["rows"] += 1
    path.write_text(json.dumps(commit))
    assert simulate(plan(), run).played == 100
    assert content(run) == before
