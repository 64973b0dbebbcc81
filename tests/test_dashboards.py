"""Every page on the sample, on an empty run and on runs of other variants; the filters; the launching command."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dashboards import export, runs
from engine.errors import BadInput
from pipeline.commands import open as opening
from pipeline.simulation import simulate

APP = Path(__file__).parents[1] / "dashboards" / "app.py"

Opener = Callable[..., AppTest]


@pytest.fixture
def open_app(monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Runs the dashboard on these runs, with this address; fails on anything it raises."""

    def opened(*runs: Path, **address: str) -> AppTest:
        monkeypatch.setenv(opening.RUNS, os.pathsep.join(map(str, runs)))
        app = AppTest.from_file(str(APP), default_timeout=60)
        for key, value in address.items():
            app.query_params[key] = value
        app.run()
        assert [error.message for error in app.exception] == []
        return app

    return opened


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the two-player variants only, with too few games for an interval."""
    folder = tmp_path_factory.mktemp("runs") / "duel"
    simulate({"variants": ["classic2", "gamecolony2"], "lineups": ["naive"], "games": 20}, folder, workers=1)
    return folder


@pytest.fixture(scope="module")
def holed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which one variant was not played by one line-up."""
    folder = tmp_path_factory.mktemp("runs") / "holed"
    cells = [
        {"variant": "classic4", "lineup": "naive"},
        {"variant": "classic4", "lineup": "safe"},
        {"variant": "classic2", "lineup": "safe"},
        {"variant": "classic4", "lineup": "safe~naive"},
    ]
    simulate({"cells": cells, "games": 450}, folder, workers=1)
    return folder


def said(app: AppTest) -> str:
    """All text of the page."""
    kinds = (app.title, app.header, app.subheader, app.markdown, app.caption, app.info, app.warning, app.code)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def test_overview_opens_on_the_sample(open_app: Opener, sample_run: Path) -> None:
    app = open_app(sample_run)
    assert app.title[0].value == "Overview"
    assert "turns per game" in said(app).lower()


def test_overview_opens_on_two_player_variants_and_claims_nothing_from_few_games(open_app: Opener, duel: Path) -> None:
    app = open_app(duel)
    assert said(app).count("Too few games to say") >= 3


def test_a_combination_that_was_not_played_is_counted_as_missing(open_app: Opener, holed: Path) -> None:
    assert "2 of 6 combinations not played" in said(open_app(holed))


def test_names_with_tildes_are_written_and_not_struck_out(open_app: Opener, holed: Path) -> None:
    app = open_app(holed, variant="classic4")
    app.multiselect(key="lineup").set_value(["naive", "safe~naive"]).run()
    titles = [element.value for element in app.markdown if element.value.startswith("#####")]
    assert any(r"safe\~naive" in title for title in titles)
    assert not any(re.search(r"(?<!\\)~", title) for title in titles)


def test_filters_without_a_common_cell_are_answered_in_words(open_app: Opener, holed: Path) -> None:
    app = open_app(holed, variant="classic2", lineup="naive")
    assert "No games" in said(app)


def test_a_run_without_games_is_answered_in_words(open_app: Opener, duel: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    shutil.copy(duel / "manifest.json", empty)
    app = open_app(empty)
    assert app.title[0].value == "This run cannot be shown"
    assert "no committed shard" in said(app)


def test_a_broken_run_is_answered_in_words_and_the_others_stay_open(
    open_app: Opener, duel: Path, tmp_path: Path
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_text("{")
    app = open_app(duel, tmp_path, run="broken")
    assert app.title[0].value == "This run cannot be shown"
    app.selectbox(key="run").set_value("duel").run()
    assert app.title[0].value == "Overview"


def test_no_run_at_all_shows_the_command_that_makes_one(open_app: Opener, tmp_path: Path) -> None:
    app = open_app(tmp_path)
    assert app.title[0].value == "There is no run yet"
    assert "canasta simulate" in said(app)


def test_an_address_chooses_run_variant_lineup_and_base(open_app: Opener, duel: Path, holed: Path) -> None:
    app = open_app(duel, holed, run="holed", variant="classic4", lineup="safe", base="classic2")
    assert app.selectbox(key="run").value == "holed"
    assert app.multiselect(key="variant").value == ["classic4"]
    assert app.multiselect(key="lineup").value == ["safe"]
    assert app.selectbox(key="base").value == "classic2"


def test_an_address_that_names_what_is_not_there_shows_everything(open_app: Opener, duel: Path) -> None:
    app = open_app(duel, variant="samba", base="samba")
    assert app.selectbox(key="run").value == "duel"
    assert app.title[0].value == "Overview"


def test_an_address_that_names_no_run_is_told_which_there_are(open_app: Opener, duel: Path, holed: Path) -> None:
    app = open_app(duel, holed, run="nosuch")
    for _ in range(2):
        assert app.title[0].value == "This run cannot be shown"
        assert "There is no run “nosuch”. There are: duel, holed" in said(app)
        app.run()
    app.selectbox(key="run").set_value("holed").run()
    assert app.title[0].value == "Overview"
    assert "nosuch" not in said(app)


def test_an_unfinished_run_says_so_and_is_not_opened_first(open_app: Opener, holed: Path, tmp_path: Path) -> None:
    for name in ("a_finished", "half", "unbegun"):
        shutil.copytree(holed, tmp_path / name)
    manifest = json.loads((tmp_path / "half" / "manifest.json").read_text())
    (tmp_path / "half" / "manifest.json").write_text(json.dumps(manifest | {"summary": None}))
    for commit in (tmp_path / "half" / "commits").glob("classic2__*.json"):
        commit.unlink()
    shutil.rmtree(tmp_path / "unbegun" / "commits")
    app = open_app(tmp_path)
    assert app.selectbox(key="run").options == ["a_finished", "half", "unbegun"]
    assert "Unfinished" not in said(app)
    app.selectbox(key="run").set_value("half").run()
    assert "Unfinished: 1,800 of 2,250 games so far" in said(app)


def test_the_demo_opens_first_then_the_newest_here_and_beside_the_sources(
    duel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(opening.RUNS, raising=False)
    monkeypatch.chdir(tmp_path)
    there = list(runs.find_runs())
    assert "sample" in there
    for place, name in enumerate(("old", "new")):
        copy = shutil.copytree(duel, tmp_path / "data" / "runs" / name)
        os.utime(copy / "manifest.json", (4e9 + place, 4e9 + place))
    assert [name for name in runs.find_runs() if name in ("old", "new", "sample")] == ["new", "old", "sample"]
    shutil.copytree(duel, tmp_path / "data" / "runs" / "demo")
    assert runs.find_runs()["demo"].folder == str(tmp_path / "data" / "runs" / "demo")
    assert next(iter(runs.find_runs())) == "demo"


def test_compare_with_is_offered_where_there_is_something_to_compare(
    open_app: Opener, holed: Path, tmp_path: Path
) -> None:
    simulate({"lineups": ["naive", "random"], "games": 500}, tmp_path / "two", workers=1)
    app = open_app(tmp_path)
    assert app.selectbox(key="base").options == ["naive", "random"]
    assert "one variant only, so each line-up is compared with naive" in said(app)
    app.selectbox(key="base").set_value("random").run()
    assert "each line-up is compared with random" in said(app)
    simulate({"lineups": ["naive"], "games": 20}, tmp_path / "one", workers=1)
    app = open_app(tmp_path / "one")
    assert "base" not in [box.key for box in app.selectbox]
    assert "There is nothing to compare: one variant and one line-up" in said(app)
    app = open_app(holed, variant="classic2")
    assert "each variant compared with classic4 under the same line-up" in said(app)


@pytest.mark.parametrize("page", ["game_length", "strategies", "pile", "canastas"])
def test_every_page_answers_filters_without_a_common_cell_in_words(open_app: Opener, holed: Path, page: str) -> None:
    app = open_app(holed, variant="classic2", lineup="naive")
    app._page_hash = calc_hash(page)  # the public switch_page knows only pages that are files
    app.run()
    assert app.exception == []
    assert "No games with these filters" in said(app)


def test_filters_hold_on_the_next_page(open_app: Opener, holed: Path) -> None:
    app = open_app(holed, variant="classic4", base="classic2")
    app.multiselect(key="lineup").set_value(["safe"]).run()
    app._page_hash = calc_hash("game_length")
    app.run()
    assert app.title[0].value == "Game length"
    assert app.multiselect(key="variant").value == ["classic4"]
    assert app.multiselect(key="lineup").value == ["safe"]
    assert app.selectbox(key="base").value == "classic2"


def test_a_filter_narrows_the_tables(open_app: Opener, holed: Path) -> None:
    app = open_app(holed)
    app.multiselect(key="lineup").set_value(["safe"]).run()
    assert "2 variants × 1 line-up" in said(app)


def test_runs_are_found_in_folders_of_runs_and_keep_names_apart(
    duel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    shutil.copytree(duel, tmp_path / "a" / "duel")
    monkeypatch.setenv(opening.RUNS, os.pathsep.join(map(str, (duel, tmp_path / "a", duel))))
    assert list(runs.find_runs()) == ["duel", "a/duel"]


# --------------------------------------------------------------------------------------- canasta dashboard


def test_the_command_starts_streamlit_on_the_app_with_the_run_first(
    duel: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[tuple[list[str], dict[str, str]]] = []
    monkeypatch.setattr(os, "execve", lambda _program, command, environment: started.append((command, environment)))
    monkeypatch.delenv(opening.RUNS, raising=False)
    opening.dashboard(duel, port=0 + 18501)
    command, environment = started[0]
    assert command[1:5] == ["-m", "streamlit", "run", str(APP)]
    assert environment[opening.RUNS].split(os.pathsep) == [str(duel), *opening.PLACES]
    assert "http://127.0.0.1:18501/?run=duel" in capsys.readouterr().err


def test_the_command_refuses_what_is_no_run_and_a_port_in_use(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a run"):
        opening.dashboard(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(BadInput, match="choose another with --port"):
        opening.dashboard(None, port=taken.getsockname()[1])


# ------------------------------------------------------------------------------------------- chart files


def test_a_metric_is_drawn_into_svg_files_for_light_and_dark_pages(
    holed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export.main([str(holed), str(tmp_path / "img"), "--lineup", "safe"]) == 0
    files = capsys.readouterr().out.splitlines()
    assert [Path(file).name for file in files] == ["turns_per_game-light.svg", "turns_per_game-dark.svg"]
    assert all("Turns per game: from" in Path(file).read_text("utf-8") for file in files)


@pytest.mark.parametrize("wrong", [["--metric", "turn_per_game"], ["--lineup", "hoarder"]])
def test_a_chart_of_what_is_not_there_is_refused_in_one_line(
    holed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: list[str]
) -> None:
    assert export.main([str(holed), str(tmp_path), *wrong]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
