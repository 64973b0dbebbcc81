"""`Run.ask`: the texts of an answer give its table again, and its sentence claims no more than the table holds."""

from __future__ import annotations

import io
import shlex
import shutil
from pathlib import Path
from urllib.parse import parse_qs

import duckdb
import polars as pl
import pytest

import dashboards
import pipeline as cl
from engine.errors import BadInput
from pipeline.answer_sentences import say_answer
from pipeline.ask import PAGES
from pipeline.cli import main
from pipeline.metric import load_metric, metric_names
from pipeline.run import Run, open_run

ASKED = [
    ("turns_per_game", {}),
    ("turns_per_game", {"by": "variant", "base": "classic4", "lineup": "safe"}),
    ("discard_risk", {"by": ["strategy", "card_class"], "where": "pile >= 4 and state <> 'frozen'"}),
    ("finished_within", {"by": [], "minutes": 140, "level": 0.8}),
    ("ending_share", {"by": ["variant", "ending"], "variant": ["classic4"]}),
]


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


def run_text(python: str) -> pl.DataFrame:
    """What the last line of a Python text gives."""
    *before, last = python.splitlines()
    names: dict[str, object] = {}
    exec("\n".join(before), names)
    found = eval(last, names)
    assert isinstance(found, pl.DataFrame)
    return found


@pytest.mark.parametrize(("name", "options"), ASKED)
def test_the_python_of_an_answer_gives_its_table(run, name, options):
    answer = run.ask(name, **options)
    assert answer.table.equals(run.metric(name, **options))
    assert run_text(answer.python).equals(answer.table)


@pytest.mark.parametrize(("name", "options"), ASKED)
def test_the_command_of_an_answer_gives_its_table(run, capsys, name, options):
    answer = run.ask(name, **options)
    words = shlex.split(answer.command)
    assert words[:2] == ["canasta", "metric"]
    assert main([*words[1:], "--format", "csv"]) == 0
    printed = pl.read_csv(io.StringIO(capsys.readouterr().out), schema_overrides=dict(answer.table.schema))
    assert printed.columns == answer.table.columns
    numbers = [column for column, kind in answer.table.schema.items() if kind.is_numeric()]
    assert printed.select(numbers).equals(answer.table.select(numbers))


@pytest.mark.parametrize(("name", "options"), ASKED)
def test_the_sql_of_an_answer_gives_its_numbers(run, name, options):
    answer = run.ask(name, **options)
    found = run.sql(answer.sql)
    assert found.height == answer.table.height
    for column in found.columns:
        mine, theirs = answer.table[column].to_list(), found[column].to_list()
        assert theirs == (pytest.approx(mine) if found[column].dtype.is_numeric() else mine)


def test_the_address_names_page_run_filters_and_base(run):
    address = run.ask("turns_per_game", base="classic4", lineup=["safe", "naive~safe"], by=["variant"]).address
    page, _, query = address.partition("?")
    assert page == "/game_length"
    assert parse_qs(query) == {"run": [run.name], "lineup": ["safe", "safe~naive"], "base": ["classic4"]}


def test_every_page_in_an_address_is_one_of_the_dashboard():
    views = {path.stem for path in (Path(dashboards.__file__).parent / "views").glob("*.py")}
    assert set(PAGES.values()) <= views
    assert set(PAGES) <= {load_metric(name).family for name in metric_names()}


def test_a_notebook_shows_sentence_and_table_and_escapes_both(run):
    answer = run.ask("take_rate", by=["state"], where="pile < 9 and state <> 'frozen'")
    shown = answer._repr_html_()
    assert answer.sentence.replace("<", "&lt;") in shown
    assert "<th>state</th>" in shown
    assert shown.count("<tr>") == 1 + answer.table.height
    assert answer.sentence in repr(answer)


def test_what_cannot_be_asked_is_refused(run):
    for name, options in (("nothing", {}), ("take_rate", {"by": "suit"}), ("take_rate", {"base": "samba"})):
        with pytest.raises(BadInput):
            run.ask(name, **options)


def table_of(values, **columns):
    """A metric's table with these values, each ± 1, of many games."""
    rows = {"value": values, "low": [v and v - 1 for v in values], "high": [v and v + 1 for v in values]}
    return pl.DataFrame({**columns, **rows, "games": 1000, "few": [False] * len(values)})


def test_a_range_names_what_differs_between_its_ends():
    metric = load_metric("turns_per_game")
    table = table_of([180.0, 120.0, 150.0], variant=["a", "b", "c"], lineup=["safe"] * 3)
    assert say_answer(table, metric, None) == "Turns per game: from 120.0 (b) to 180.0 (a)"
    assert say_answer(table.head(1), metric, None) == "Turns per game: 180.0, interval 179.0 – 181.0"


def test_rows_with_too_few_games_make_no_sentence():
    metric = load_metric("turns_per_game")
    table = table_of([180.0, 120.0], variant=["a", "b"]).with_columns(few=pl.Series([False, True]))
    assert "120" not in say_answer(table, metric, None)
    assert say_answer(table.tail(1), metric, None).endswith("too few games to say")
    assert say_answer(table.clear(), metric, None).endswith("nothing to count")


def test_a_direction_is_claimed_only_where_all_line_ups_agree():
    metric = load_metric("turns_per_game")
    table = table_of([1.0] * 6, variant=["a", "a", "b", "b", "c", "c"], lineup=["safe", "naive"] * 3)
    table = table.with_columns(form=pl.Series([None, None, "more", "more", "more", "same"]), sentence=pl.lit("…"))
    said = say_answer(table, metric, "a")
    assert f"b: {metric.more} in all 2 rows" in said
    assert f"c: depends on lineup: {metric.more} for safe, no difference worth noticing for naive" in said


@pytest.fixture(scope="module")
def moved(tmp_path_factory) -> Path:
    """A run large enough for its roll-ups to answer, copied elsewhere after it was made."""
    folder = tmp_path_factory.mktemp("runs")
    plan = {"variants": ["classic4", {"base": "classic4", "canastas_out": 2}], "lineups": ["naive"], "games": 700}
    cl.simulate(plan, out=folder / "made")
    return shutil.copytree(folder / "made", folder / "moved")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("turns_per_game", {"by": ["variant"], "base": "classic4"}),
        ("discard_risk", {"by": ["rank"]}),
        ("take_rate", {"by": ["variant"], "where": "pile >= 8"}),
    ],
)
def test_the_sql_of_an_answer_runs_in_a_duckdb_shell_after_views_sql(moved, name, options):
    answer = cl.open_run(moved).ask(name, **options)
    shell = duckdb.connect()
    shell.execute("set file_search_path = ?", [str(moved)])
    shell.execute((moved / "views.sql").read_text(encoding="utf-8"))
    found = shell.sql(answer.sql).pl()
    for column in ("value", "low", "high"):
        assert found[column].to_list() == pytest.approx(answer.table[column].to_list())


def test_a_large_run_is_answered_from_roll_ups_and_says_so(moved, capsys):
    run = cl.open_run(moved)
    assert set(run.metric("discard_risk", by=["rank"])["source"]) == {"rollup discards"}
    assert main(["metric", "discard_risk", str(moved), "--by", "rank"]) == 0
    assert "\nFrom roll-up discards in 64 blocks of games, 1,400 games.\n" in capsys.readouterr().out
