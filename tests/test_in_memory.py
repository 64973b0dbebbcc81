"""Games played in memory: the same tables as a run on disk has, the same answers, and nothing written."""

from __future__ import annotations

import polars as pl
import pytest

import pipeline as cl
from engine import log
from engine.errors import BadInput
from pipeline.frames import frame_schema
from pipeline.in_memory import MOST_GAMES, PlayedRun
from pipeline.run import Run


@pytest.fixture(scope="module")
def played() -> PlayedRun:
    return cl.play(["classic4", cl.rules(canastas_out=2)], "safe~naive", games=120, seed=7)


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Run:
    """The same games on disk."""
    return cl.simulate(
        variants=["classic4", {"base": "classic4", "canastas_out": 2}],
        strategies=["safe~naive"],
        games=120,
        seed=7,
        out=tmp_path_factory.mktemp("runs") / "run",
    )


@pytest.mark.parametrize("table", log.TABLES)
def test_rows_in_memory_are_those_on_disk(played, written, table):
    keys = ["variant", "lineup", *log.KEYS[table]]
    mine, theirs = (run.frame(table).sort(keys).collect() for run in (played, written))
    assert dict(mine.schema) == frame_schema(table)
    assert mine.equals(theirs)


@pytest.mark.parametrize("table", ["cells", *log.TABLES])
def test_views_in_memory_are_those_on_disk(played, written, table):
    keys = ["variant", "lineup", *log.KEYS.get(table, ())]
    assert played.sql(f"from {table}").sort(keys).equals(written.sql(f"from {table}").sort(keys))
    assert played.schema(table).equals(written.schema(table))


def test_answers_in_memory_are_those_on_disk(played, written):
    for ask in (
        lambda run: run.metric("turns_per_game", ["variant", "given_lineup"], base="classic4").drop("source"),
        lambda run: run.metric("discard_risk", "card_class", where=pl.col("pile") >= 4).drop("source"),
        lambda run: run.query("head_to_head"),
        lambda run: run.distribution("turns_per_deal", "variant"),
        lambda run: pl.DataFrame(run.deal("classic4", "naive~safe", game=5, deal=1).turns),
    ):
        assert ask(played).equals(ask(written))


def test_games_are_chosen_as_on_disk(played):
    some = played.games("classic4", "safe~naive", (3, 5)).collect()
    assert some["game"].to_list() == [3, 4, 5]
    assert played.sample("games", 10).collect().height == played.games().collect().height


def test_the_python_of_its_answers_plays_the_games_again(played):
    answer = played.ask("turns_per_game", by="variant")
    *before, last = answer.python.splitlines()
    names: dict[str, object] = {}
    exec("\n".join(before), names)
    assert eval(last, names).equals(answer.table)
    assert answer.command == ""


def test_nothing_is_written(played, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = cl.play(games=20)
    run.sql("select count(*) from moves")
    run.metric("turns_per_game")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadInput, match="have no files"):
        run.files("moves")


def test_rows_do_not_depend_on_workers():
    one, two = (cl.play("classic2", "naive", games=250, workers=workers) for workers in (1, 2))
    assert one.turns().collect().equals(two.turns().collect())


def test_a_line_up_may_be_played_unmirrored():
    assert cl.play("classic4", "safe~naive", games=2, mirror=False).lineups == ("safe~naive",)
    assert cl.play("classic4", "safe~naive", games=2).lineups == ("safe~naive", "naive~safe")


def test_its_connection_reads_no_file(played, tmp_path):
    (tmp_path / "x.csv").write_text("a\n1\n")
    with pytest.raises(BadInput, match="SQL: "):
        played.sql(f"from '{tmp_path / 'x.csv'}'")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"variant": "whist"}, "unknown variant 'whist'"),
        ({"lineup": "nobody"}, "unknown strategy 'nobody'"),
        ({"games": 0}, "games=0"),
        ({"games": MOST_GAMES + 1}, "in memory 20,000 are played at most"),
        ({"variant": {"base": "classic4", "hand": 3}}, "unknown parameter 'hand'"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, fault):
    with pytest.raises(BadInput, match=fault):
        cl.play(**arguments)
