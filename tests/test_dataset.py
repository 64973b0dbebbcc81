"""A run on disk: what counts, what is removed, what extends it, what is refused, and who may write."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import log
from engine.errors import BadInput
from pipeline import dataset, manifest
from pipeline.dataset import committed, files, find_runs, read_manifest
from pipeline.plan import Plan, make_plan
from pipeline.simulate import simulate
from pipeline.writer import open_writer


def plan(games: int = 250, **options: object) -> Plan:
    return make_plan({"games": games, "shard_games": 100, "lineups": ["naive"], **options})


def content(run: Path) -> dict[tuple[str, str, int], tuple[int, dict[str, tuple[int, str]]]]:
    """What the finished shards hold, wherever it lies."""
    return {
        commit.key: (commit.games, {table: (file.rows, file.hash) for table, file in commit.files.items()})
        for commit in committed(run)
    }


def parquet_files(run: Path) -> set[Path]:
    return {path for path in run.rglob("*") if path.suffix in (".parquet", dataset.UNFINISHED)}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A finished run of 250 games in shards of 100."""
    folder = tmp_path_factory.mktemp("runs") / "made"
    simulate(plan(), folder)
    return folder


@pytest.fixture
def run(made, tmp_path) -> Path:
    """A copy of it to change."""
    return Path(shutil.copytree(made, tmp_path / "run"))


# ------------------------------------------------------------------------------------------------ what is there


def test_a_finished_run_has_a_commit_a_shard_and_a_file_a_table(made):
    assert [(commit.shard, commit.first_game, commit.games) for commit in committed(made)] == [
        (1, 1, 100), (2, 101, 100), (3, 201, 50),
    ]  # fmt: skip
    named = {made / file.path for commit in committed(made) for file in commit.files.values()}
    assert len(named) == 3 * len(log.TABLES)
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
    assert parquet_files(run) == {run / file.path for commit in committed(run) for file in commit.files.values()}


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
    simulate(make_plan({"games": 4_000, "lineups": ["naive"]}), tmp_path / "run")
    assert read_manifest(tmp_path / "run")["shard_games"] == 100
    assert [commit.games for commit in committed(tmp_path / "run")] == [100] * 40


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


# ------------------------------------------------------------------------------------------------ refusals


def mine(folder: Path, weight: int) -> str:
    path = folder / "mine.toml"
    path.write_text(f'draw = "all"\nmelds = "all"\ndiscard = "weighed"\n[weights.discard]\n{WEIGHT} = {weight}\n')
    return str(path)


WEIGHT = "feed_open_meld"


def test_other_weights_of_a_strategy_are_refused(tmp_path):
    simulate(make_plan({"games": 20, "lineups": [mine(tmp_path, -10)]}), tmp_path / "run")
    with pytest.raises(BadInput, match=rf"another strategy mine \(discard weight {WEIGHT} -10.*not -20"):
        simulate(make_plan({"games": 40, "lineups": [mine(tmp_path, -20)]}), tmp_path / "run")
    assert simulate(make_plan({"games": 40, "lineups": [mine(tmp_path, -10)]}), tmp_path / "run").played > 0


def test_other_rules_under_the_same_name_are_refused(tmp_path):
    rules = tmp_path / "house.toml"
    rules.write_text('base = "classic4"\ntarget = 1000\n')
    simulate(make_plan({"games": 20, "variants": [str(rules)], "lineups": ["naive"]}), tmp_path / "run")
    rules.write_text('base = "classic4"\ntarget = 2000\n')
    with pytest.raises(BadInput, match="house naive with target=1000, not 2000"):
        simulate(make_plan({"games": 20, "variants": [str(rules)], "lineups": ["naive"]}), tmp_path / "run")


def test_another_strategy_or_variant_of_the_same_name_cannot_extend_a_run(tmp_path):
    rules, own = tmp_path / "house.toml", mine(tmp_path, -10)
    rules.write_text('base = "classic4"\ntarget = 1000\n')
    simulate(plan(10, variants=[str(rules)], lineups=[own]), tmp_path / "run")
    with pytest.raises(BadInput, match="another strategy called 'mine'"):
        simulate(plan(10, lineups=[f"{mine(tmp_path, -20)}~naive"]), tmp_path / "run")
    rules.write_text('base = "classic4"\ntarget = 2000\n')
    with pytest.raises(BadInput, match="other rules called 'house'"):
        simulate(plan(10, variants=[str(rules)], lineups=["naive"]), tmp_path / "run")


@pytest.mark.parametrize(
    ("options", "words"), [({"seed": 2}, "seed 1, this is 2"), ({"shard_games": 60}, "shard_games 100, this is 60")]
)
def test_another_seed_or_size_of_shards_is_refused(run, options, words):
    before = content(run)
    with pytest.raises(BadInput, match=words):
        simulate(plan(500, **options), run)
    assert content(run) == before
    assert read_manifest(run)["summary"]


@pytest.mark.parametrize(("name", "value"), [("KERNEL_DIGEST", "0123"), ("SCHEMA_VERSION", "1.99.0")])
def test_another_version_of_engine_or_schema_is_refused(run, monkeypatch, name, value):
    monkeypatch.setattr(manifest, name, value)
    with pytest.raises(BadInput, match=f"this is {value}"):
        simulate(plan(500), run)


def test_a_run_of_a_newer_major_schema_cannot_be_read(run):
    told = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**told, "schema_version": "9.0.0"}))
    with pytest.raises(BadInput, match=r"log schema 9\.0\.0"):
        read_manifest(run)


@pytest.mark.parametrize(
    ("text", "words"),
    [(None, "is no run"), ("{", "cannot be read"), ("[]", "no manifest"), ('{"format": "x"}', "no manifest")],
)
def test_what_is_no_run_is_said_to_be_none(tmp_path, text, words):
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(BadInput, match=words):
        read_manifest(tmp_path)


def test_a_damaged_commit_is_named(run):
    (run / "commits" / "classic4__naive-00002.json").write_text("{}")
    with pytest.raises(BadInput, match=r"classic4__naive-00002\.json is no commit"):
        committed(run)


def test_a_folder_with_something_else_in_it_is_not_written_to(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="neither empty nor a run"):
        simulate(plan(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


# ------------------------------------------------------------------------------------------------ the lock


def test_a_run_has_one_writer_at_a_time(run):
    with open_writer(run, plan()), pytest.raises(BadInput, match="being written by another process"):
        simulate(plan(500), run)
    assert simulate(plan(300), run).played == 100


def test_the_lock_of_a_dead_process_is_none(run):
    code = f"""
import os
from pathlib import Path
from pipeline.lock import locked
with locked(Path({str(run)!r})):
    os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert (run / "lock").exists()
    assert simulate(plan(300), run).played == 100
    assert not (run / "lock").exists()


def old_schema(run: Path) -> None:
    told = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**told, "schema_version": "0.1.0"}))


@pytest.mark.parametrize(
    "harm",
    [
        lambda run: None,
        old_schema,
        lambda run: (run / "manifest.json").write_text("{"),
        lambda run: (run / "manifest.json").unlink(),
        lambda run: next((run / "commits").iterdir()).write_text(""),
        shutil.rmtree,
        lambda run: [shutil.rmtree(run), run.mkdir()],
    ],
)
def test_whatever_run_is_there_can_be_replaced(run, harm):
    harm(run)
    assert simulate(plan(100, seed=5), run, replace=True).games == 100
    assert read_manifest(run)["seed"] == 5
    assert parquet_files(run) == {run / file.path for commit in committed(run) for file in commit.files.values()}


@pytest.mark.parametrize(
    "other", ["notes.txt", "inner/manifest.json", "moves/mine.csv", "commits/old/x.json", "sides/variant=a/b.parquet"]
)
def test_what_is_not_the_runs_is_named_and_kept_by_a_replacement(run, other):
    (run / other).parent.mkdir(parents=True, exist_ok=True)
    (run / other).write_text("mine")
    before = {path for path in run.rglob("*") if path.is_file()}
    with pytest.raises(BadInput, match=f"also holds {other.replace('inner/manifest.json', 'inner/')[:9]}"):
        simulate(plan(100, seed=5), run, replace=True)
    assert {path for path in run.rglob("*") if path.is_file()} == before


def test_the_manifest_of_something_else_is_not_replaced(tmp_path):
    (tmp_path / "manifest.json").write_text('{"name": "A web page"}')
    with pytest.raises(BadInput, match=r"also holds manifest\.json"):
        simulate(plan(100), tmp_path, replace=True)
    assert (tmp_path / "manifest.json").read_text() == '{"name": "A web page"}'


def test_a_run_that_is_being_written_is_not_replaced(run):
    before = content(run)
    with open_writer(run, plan()), pytest.raises(BadInput, match="being written"):
        simulate(plan(100, seed=5), run, replace=True)
    assert content(run) == before


def test_a_file_is_no_place_for_a_run(tmp_path):
    (tmp_path / "run").write_text("mine")
    for replace in (False, True):
        with pytest.raises(BadInput, match="is a file; give a folder"):
            simulate(plan(100), tmp_path / "run", replace=replace)


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


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema_version": None}, "schema_version=null is no str"),
        ({"seed": "1"}, 'seed="1" is no int'),
        ({"seed": True}, "seed=true is no int"),
        ({"cells": {}}, "cells=.* is no list"),
        ({"cells": [3]}, "cell 1: 3 is no table"),
        ({"cells": [{"variant": "a"}]}, "cell 1: it has no lineup"),
        ({"summary": 3}, "summary=3 is no dict or NoneType"),
    ],
)
def test_a_manifest_with_a_wrong_value_is_refused_with_what_to_do(run, change, words):
    told = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**told, **change}))
    with pytest.raises(BadInput, match=f"is damaged: {words}.*make the run anew with --replace"):
        read_manifest(run)
