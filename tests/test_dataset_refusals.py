"""What cannot extend a run or is none is refused, and nothing of it changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from finished_run import content, plan

from engine.errors import BadInput
from pipeline import manifest
from pipeline.dataset import committed, read_manifest
from pipeline.plan import make_plan
from pipeline.simulation import simulate


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


def test_a_file_is_no_place_for_a_run(tmp_path):
    (tmp_path / "run").write_text("mine")
    for replace in (False, True):
        with pytest.raises(BadInput, match="is a file; give a folder"):
            simulate(plan(100), tmp_path / "run", replace=replace)


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
    with pytest.raises(BadInput, match=f"is damaged: {words}.*make the run anew with .*--replace"):
        read_manifest(run)
