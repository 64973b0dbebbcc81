"""What a long job tells of itself while it goes on."""

from __future__ import annotations

import re
import time

from engine.play import play_blocks
from pipeline import compiling, progress
from pipeline import simulation as playing
from pipeline.progress import Progress
from pipeline.simulation import simulate


def test_a_short_job_shows_no_progress(capsys):
    with Progress(100) as progress:
        progress.update(50)
    assert capsys.readouterr().err == ""


def test_a_long_job_tells_how_far_it_is_and_how_long_it_takes(capsys, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with Progress(100_000, done=40_000) as progress:
        now[0] += 4
        progress.update(60_000)
        now[0] += 1
        progress.update(65_000)
        now[0] += 15
        progress.update(80_000)
    assert capsys.readouterr().err.splitlines() == [
        "60,000 of 100,000 games (60%), 5,000 games/s, 8 s left",
        "80,000 of 100,000 games (80%), 2,000 games/s, 10 s left",
    ]


def test_a_long_wait_is_told_again_and_again(capsys, monkeypatch):
    monkeypatch.setattr(progress, "WAIT_SECONDS", 0.02)
    with progress.waiting("Compiling"):
        time.sleep(0.3)
    told = capsys.readouterr().err.splitlines()
    assert len(told) >= 2
    assert set(told) == {"Compiling: 0 s so far …"}


def test_compiling_is_told_apart_from_playing(tmp_path, capsys, monkeypatch):
    def slow(*given, **options):
        if options["games"] == 1:
            time.sleep(2)
        return play_blocks(*given, **options)

    monkeypatch.setattr(compiling, "is_cached", lambda: False)
    monkeypatch.setattr(playing, "play_blocks", slow)
    started = time.monotonic()
    summary = simulate({"games": 10, "lineups": ["naive"]}, tmp_path / "run", progress=True)
    assert time.monotonic() - started - summary.seconds >= 2
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith("Compiling the engine")
    assert re.fullmatch(r"Compiled in \d+ s\.", last)


def test_an_expected_total_may_grow_on_the_way_and_says_that_it_is_about(capsys, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with Progress(1_000, about=True) as progress:
        progress.total = 8_000
        now[0] += 4
        progress.update(2_000)
    assert capsys.readouterr().err == "2,000 of about 8,000 games (25%), 500 games/s, 12 s left\n"
