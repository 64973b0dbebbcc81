"""`canasta sweep`: plays a plan or options, or only analyses a run; what it prints and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from canasta_command import printed, refused

from pipeline.cli import main

TWO = ("--vary", "canastas_out=1,2", "--vary", "hand_size=11,15")


def test_options_play_a_sweep_its_size_said_before_and_the_same_again_plays_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["sweep", "--base", "classic4", *TWO, "--lineup", "random", "--games", "3", "--out", str(tmp_path / "run"),
             "--metric", "turns_per_deal", "--format", "json"]  # fmt: skip
    assert main(words) == 0
    first = capsys.readouterr()
    assert first.err.startswith("4 variants × 1 line-up = 4 cells with all rotations, 12 games\n")
    rows = json.loads(first.out)
    assert [(row["factor"], row["level"], row["settings"]) for row in rows] == [
        ("hand_size", "15", 2), ("canastas_out", "2", 2)
    ]  # fmt: skip
    assert main(words) == 0
    again = capsys.readouterr()
    assert again.out == first.out
    assert "0 played now" in again.err


def test_a_plan_file_is_played_and_options_beside_it_replace_its_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "mine.toml"
    plan.write_text('games = 900\nlineups = ["random"]\n[sweep]\nvary = { hand_size = [11, 15] }\n')
    assert main(["sweep", str(plan), "--games", "2", "--vary", "draw_count=2", "--out", str(tmp_path / "r")]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("2 variants × 1 line-up = 2 cells with all rotations, 4 games\n")
    assert "draw_count 1 → 2 under random: too few games to say (turns per game)" in captured.out


def test_a_dry_run_says_the_size_and_what_is_left_out_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sweep", "--vary", "players=3", "--vary", "hand_size=13", "--leave-out", "refused", "--dry-run"]) == 0
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    assert [line.partition(": sides")[0] for line in lines[:2]] == [
        "canasta: left out: players=3", "canasta: left out: players=3, hand_size=13"
    ]  # fmt: skip
    assert lines[2] == "2 variants × 1 line-up = 2 cells with all rotations, 20,000 games"
    assert captured.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_run_is_only_analysed_tables_with_intervals_first_then_what_can_be_said(
    capsys: pytest.CaptureFixture[str], sweep_run: Path
) -> None:
    out = printed(capsys, "sweep", str(sweep_run), "--metric", "turns_per_deal,turns_per_game")
    lines = out.splitlines()
    assert lines[0].startswith("Turns per deal: each value against the base's")
    assert lines[1].split()[:5] == ["line-up", "rule", "base's", "value", "value"]
    assert any(line.startswith("Turns per game: how much more a value does") for line in lines)
    assert "In brackets: 95 % intervals" in out
    assert [line for line in lines if line.startswith("hand_size 11 → 15: shorter deals under all 2 line-ups")]
    assert any(
        line.startswith("hand_size 11 → 15 with canastas_out 1 → 2: turns per deal, below the") for line in lines
    )


@pytest.mark.parametrize("show", ["effects", "interactions", "means", "cells"])
def test_each_table_can_be_had_alone_by_people_and_programs(
    capsys: pytest.CaptureFixture[str], sweep_run: Path, show: str
) -> None:
    words = ["sweep", str(sweep_run), "--metric", "minutes_per_game", "--show", show, "--lineup", "naive"]
    table = printed(capsys, *words)
    assert table.startswith("Minutes per game: ")
    assert "naive~random" not in table
    rows = json.loads(printed(capsys, *words, "--format", "json"))
    assert {row["pace"] for row in rows} == {"online", "club", "social"}
    assert {row["given_lineup"] for row in rows} == {"naive"}
    assert {len(row) for row in rows} == {len(rows[0])}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "give a plan file with a table [sweep], the folder of a run, or --base and --vary"),
        (("--base", "classic4"), "nothing varies; give --vary"),
        (("--vary", "hand_size"), "--vary hand_size: write RULE=VALUE,VALUE"),
        (("--vary", "players=4,3"), "players=3: sides=two_teams does not go with players=3"),
        ((*TWO, "--metric", "swing"), "swing is no ratio of sums"),
        ((*TWO, "--variant", "classic4"), "--variant chooses among those of a run"),
        (("nowhere.toml",), "no plan file nowhere.toml"),
        ((*TWO, "--games", "0"), "games"),
    ],
)
def test_what_cannot_be_swept_is_refused_before_anything_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in refused(capsys, "sweep", *words)
    assert list(tmp_path.iterdir()) == []


def test_options_of_a_plan_beside_a_run_and_a_run_that_is_no_sweep_are_refused(
    capsys: pytest.CaptureFixture[str], sweep_run: Path, made: Path
) -> None:
    assert "--vary, --games beside the run" in refused(capsys, "sweep", str(sweep_run), *TWO, "--games", "9")
    assert "no two variants of the run differ in a single rule" in refused(capsys, "sweep", str(made))
    assert "base 'classic2': the run has the variants classic4" in refused(
        capsys, "sweep", str(sweep_run), "--base=classic2"
    )
