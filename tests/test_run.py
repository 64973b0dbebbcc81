"""A run opened for reading: frames, files, schema, and what is refused."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

import pipeline
from engine import log
from engine.cards import CARDS
from engine.errors import BadInput
from pipeline.dataset import committed
from pipeline.frames import frame_schema
from pipeline.run import Run, open_run
from pipeline.simulation import simulate


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.fixture(scope="module")
def sharded(tmp_path_factory) -> Run:
    """Twenty-five games in shards of ten."""
    folder = tmp_path_factory.mktemp("runs") / "sharded"
    simulate({"games": 25, "shard_games": 10, "lineups": ["naive"]}, folder)
    return open_run(folder)


def test_the_package_opens_runs_and_lists_what_can_be_asked(sample_run):
    assert pipeline.open_run(sample_run).path == sample_run
    assert pipeline.queries().height
    assert pipeline.metrics().height
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pipeline.nothing


@pytest.mark.parametrize("table", log.TABLES)
def test_frames_have_the_rows_of_the_commits_and_the_columns_of_the_views(run, table):
    frame = run.frame(table)
    schema = frame.collect_schema()
    assert dict(schema) == frame_schema(table)
    assert list(schema) == run.schema(table)["name"].to_list()
    rows = sum(commit.files[table].rows for commit in committed(run.path))
    assert frame.select(pl.len()).collect().item() == rows


def test_every_table_has_its_method(run):
    for table in log.TABLES:
        assert getattr(run, table)().collect_schema() == run.frame(table).collect_schema()


def test_frames_and_views_say_the_same(run):
    for table in log.TABLES:
        keys = ["variant", "lineup", *log.KEYS[table]]
        frame = run.frame(table).sort(keys).collect()
        view = run.sql(f"from {table}").sort(keys)
        words = [name for name, kind in frame.schema.items() if isinstance(kind, pl.Enum)]
        lists = [
            name for name, kind in frame.schema.items() if isinstance(kind, pl.List) and name in ("hands", "upcards")
        ]
        assert frame.drop(lists).with_columns(pl.col(words).cast(pl.String)).equals(view.drop(lists))


def test_cards_sort_as_in_play(run):
    drawn = run.moves().filter(pl.col("action") == "draw").select("card").unique().sort("card").collect()
    assert drawn["card"].to_list() == [card for card in CARDS if card in set(drawn["card"])]
    assert drawn["card"].dtype == pl.Enum(CARDS)


def test_integers_subtract_below_zero(run):
    assert run.turns().select((pl.col("seat") - 200).min()).collect().item() < -190


def test_frames_may_be_narrowed_to_cells_and_games(run, sharded):
    cell = run.parts[-1]
    one = run.games(cell.variant, cell.lineup, (2, 5)).collect()
    assert one["game"].to_list() == [2, 3, 4, 5]
    assert set(one["lineup"]) == {cell.lineup}
    assert len(sharded.files("games")) == 3
    plan = sharded.games(games=(11, 12)).explain()
    assert "00002" in plan
    assert "00001" not in plan
    assert sharded.games(games=(11, 12)).collect()["game"].to_list() == [11, 12]
    assert sharded.deals(games=(26, 30)).collect().is_empty()


def test_several_variants_and_lineups_may_be_chosen(run):
    chosen = run.choose(list(run.variants), [run.lineups[0]])
    assert [cell.variant for cell in chosen] == list(run.variants)


def test_files_are_the_committed_ones(run):
    for table in log.TABLES:
        assert run.files(table) == [run.path / commit.files[table].path for commit in committed(run.path)]
        assert all(path.is_file() for path in run.files(table))


def test_the_schema_names_type_unit_meaning_and_key(run):
    sides = run.schema("sides")
    assert not sides.null_count().sum_horizontal().item()
    assert sides.filter("key")["name"].to_list() == ["variant", "lineup", "game", "deal", "side"]
    assert sides.filter(pl.col("name") == "score").row(0)[1:3] == ("INTEGER", "points")
    assert sides.filter(pl.col("name") == "strategy")["description"].item() == "strategy of `side`"
    rules = run.schema("cells")
    assert rules.filter(pl.col("name") == "canastas_out")["description"].item()
    assert rules.filter("key")["name"].to_list() == ["variant", "lineup"]


def test_cells_are_a_frame_with_a_row_a_cell(run):
    assert run.cells.select("variant", "lineup").rows() == [(cell.variant, cell.lineup) for cell in run.parts]
    assert run.cells["games"].to_list() == [cell.games for cell in run.parts]
    assert run.cells["target"].dtype == pl.Int32


def test_sql_takes_parameters_and_gives_whole_numbers(run):
    found = run.sql("select lineup, sum(turns) as turns from games where lineup = $l group by lineup", l=run.lineups[0])
    assert found["turns"].dtype == pl.Int64
    assert found["turns"].item() == run.games(lineup=run.lineups[0]).collect()["turns"].sum()


def test_sums_too_large_for_64_bits_stay_exact(run):
    found = run.sql("select sum(9000000000000000000::bigint) as n from games")["n"].item()
    assert int(found) == 9000000000000000000 * run.games().collect().height


def test_answers_may_be_asked_from_several_threads(run):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: run.query("game_length"), range(8)))
    assert all(one.equals(found[0]) for one in found)


def test_a_run_still_being_played_shows_what_is_committed(sharded, tmp_path):
    copy = Path(shutil.copytree(sharded.path, tmp_path / "run"))
    for path in sorted((copy / "commits").iterdir())[1:]:
        path.unlink()
    there = open_run(copy)
    assert there.games().collect()["game"].to_list() == list(range(1, 11))
    assert there.cells.select("games", "games_planned").row(0) == (10, 25)
    summary = there.summary()
    assert (summary["games"], summary["complete"]) == (10, False)


def test_a_run_without_a_finished_shard_is_refused(sharded, tmp_path):
    copy = Path(shutil.copytree(sharded.path, tmp_path / "run"))
    shutil.rmtree(copy / "commits")
    with pytest.raises(BadInput, match="no committed shard yet"):
        open_run(copy)


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(BadInput, match="is no run"):
            open_run(path)


def test_another_major_schema_is_refused(sharded, tmp_path):
    copy = Path(shutil.copytree(sharded.path, tmp_path / "run"))
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "schema_version": "9.0.0"}))
    with pytest.raises(BadInput, match=r"schema 9\.0\.0.*reads 2\.x"):
        open_run(copy)
    (copy / "manifest.json").write_text(json.dumps({**manifest, "schema_version": "2.7.0"}))
    assert open_run(copy).seed == manifest["seed"]


@pytest.mark.parametrize(
    ("ask", "fault"),
    [
        (lambda run: run.games("samba"), "variant 'samba': the run has classic4"),
        (lambda run: run.games(lineup="nobody"), "line-up 'nobody': the run has safe"),
        (lambda run: run.games(games=(0, 5)), "the first and the last, from 1"),
        (lambda run: run.games(games=(5, 4)), "the first and the last, from 1"),
        (lambda run: run.frame("rounds"), "one of moves, turns"),
        (lambda run: run.files("rounds"), "one of moves, turns"),
        (lambda run: run.sql("select x from games"), "SQL: .*x"),
        (lambda run: run.sql("select * from '/etc/passwd'"), "SQL: "),
        (lambda run: run.sql("drop view games"), "only questions"),
        (lambda run: run.sql("select $n"), "SQL: "),
    ],
)
def test_what_a_run_does_not_have_is_refused_with_what_it_has(run, ask, fault):
    with pytest.raises(BadInput, match=fault):
        ask(run)


def test_a_run_says_what_it_holds(run):
    assert f"{len(run.variants)} variants" in repr(run)
    summary = run.summary()
    assert summary["games"] == summary["games_planned"] == run.games().collect().height
    assert summary["complete"]
    assert summary["deals"] == run.deals().collect().height
    assert summary["turns"] == run.turns().select(pl.len()).collect().item()
    assert summary["moves"] == run.moves().select(pl.len()).collect().item()
    assert summary["capped_games"] == summary["capped_deals"] == 0
    stock = run.deals().filter(pl.col("ending").is_in(["stock", "red_three"])).collect().height
    assert summary["stock_share"] == pytest.approx(stock / summary["deals"])
