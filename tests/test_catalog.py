"""DuckDB views: only what is committed, with sides and strategies, and nothing else on the disk."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import duckdb
import pytest

from engine import log
from engine.errors import BadInput
from pipeline import catalog
from pipeline.cells import RunCell, cell_types
from pipeline.dataset import committed
from pipeline.run import Run, open_run

SQL = Path(catalog.__file__).parent / "sql"


@pytest.fixture(scope="module")
def run(sample_run) -> Run:
    return open_run(sample_run)


@pytest.fixture(scope="module")
def connection(run) -> duckdb.DuckDBPyConnection:
    return run.connect()


def cell(variant: str, lineup: str, strategies: tuple[str, ...], sides: int = 2) -> RunCell:
    """A cell without files."""
    seats = tuple(seat % sides + 1 for seat in range(len(strategies)))
    return RunCell(variant, lineup, lineup, variant, {}, "H", {"players": len(strategies)}, seats, strategies, 10, ())


def ask(connection: duckdb.DuckDBPyConnection, text: str) -> object:
    return connection.cursor().execute(text).fetchone()[0]


def test_views_hold_the_rows_of_the_commits(connection, sample_run):
    for table in log.TABLES:
        rows = sum(commit.files[table].rows for commit in committed(sample_run))
        assert connection.view(table).count("*").fetchall() == [(rows,)]


def test_what_is_not_committed_does_not_exist(sample_run, tmp_path):
    copy = Path(shutil.copytree(sample_run, tmp_path / "run"))
    left, lost = committed(copy)[0], committed(copy)[1]
    file = copy / left.files["games"].path
    shutil.copy(file, file.with_name("00099.parquet"))
    next(
        path for path in (copy / "commits").iterdir() if path.name.startswith(f"{lost.variant}__{lost.lineup}-")
    ).unlink()
    there = open_run(copy)
    assert there.sql("select count(*) as n from games").item() == sum(one.games for one in committed(copy))
    assert there.sql("select count(*) as n from games where lineup = $l and variant = $v", l=lost.lineup,
                     v=lost.variant).item() == 0  # fmt: skip


def test_integers_are_signed_and_wide_enough_to_subtract(connection):
    for table in log.TABLES:
        narrow = {str(kind) for kind in connection.view(table).types} & {"TINYINT", "SMALLINT", "UTINYINT", "UINTEGER"}
        assert not narrow
    assert ask(connection, "select 3 - max(seat) - 200 from moves") < -190


def test_sides_and_strategies_stand_beside_every_seat(connection, run):
    for one in run.parts:
        found = connection.sql(
            "select distinct seat, side, strategy from turns where variant = $v and lineup = $l order by seat",
            params={"v": one.variant, "l": one.lineup},
        ).fetchall()
        seats = range(1, len(one.seat_sides) + 1)
        assert found == list(zip(seats, one.seat_sides, one.seat_strategies, strict=True))
    assert {"frozen_side", "frozen_strategy", "taken_side", "taken_strategy"} <= set(connection.view("piles").columns)
    assert {"out_side", "out_strategy"} <= set(connection.view("deals").columns)
    assert {"strategy", "open_strategy"} <= set(connection.view("sides").columns)
    assert ask(connection, "select count(*) from games where (winner is null) <> (winner_strategy is null)") == 0


def test_partners_may_differ_and_one_lineup_may_seat_variants_differently():
    cells = [
        cell("classic4", "a+b~c", ("a", "c", "b", "c")),
        cell("classic2", "a~c", ("a", "c")),
        cell("classic4", "a~c", ("a", "c", "a", "c")),
        cell("classic6_three", "a~c~b", ("a", "c", "b", "a", "c", "b"), 3),
    ]
    connection = duckdb.connect()
    connection.execute(catalog.views_sql(cells, 1))
    for one in cells:
        for seat, (side, strategy) in enumerate(zip(one.seat_sides, one.seat_strategies, strict=True), 1):
            found = connection.execute(
                "select side_of($s, $v), strategy_of($s, $v, $l), side_strategy_of(side_of($s, $v), $v, $l)",
                {"s": seat, "v": one.variant, "l": one.lineup},
            ).fetchone()
            assert found == (side, strategy, one.side_strategies[side - 1])
    assert ask(connection, "select side_strategy_of(1, 'classic4', 'a+b~c')") == "a+b"
    assert ask(connection, "select strategy_of(null, 'classic4', 'a~c')") is None


def test_names_with_quotes_stay_names():
    connection = duckdb.connect()
    connection.execute(catalog.views_sql([cell("classic4", "o'hara", ("o'hara",) * 4)], 1))
    assert ask(connection, "select strategy_of(1, 'classic4', 'o''hara')") == "o'hara"
    assert connection.view("cells").project("lineup").fetchall() == [("o'hara",)]


def test_a_table_without_files_is_an_empty_view():
    connection = duckdb.connect()
    connection.execute(catalog.views_sql([cell("classic4", "a", ("a",) * 4)], 1))
    assert connection.view("moves").count("*").fetchall() == [(0,)]


def test_cells_have_every_rule_as_a_typed_column(connection, run):
    view = connection.view("cells")
    assert dict(zip(view.columns, map(str, view.types), strict=True)) == {
        name: re.sub(r"\bcontent\b", '"content"', kind) for name, kind in cell_types().items()
    }
    rows = connection.sql(
        """select variant, canastas_out, target, sequences, canasta_bonus['natural'], initial_minimums[2].minimum,
        list_contains(freeze_by, 'wild'), red3_totals[4], side_strategies[1] from cells order by cell"""
    ).fetchall()
    for row, one in zip(rows, run.parts, strict=True):
        rules = one.rules
        assert row == (
            one.variant, rules["canastas_out"], rules["target"], rules["sequences"], rules["canasta_bonus"]["natural"],
            rules["initial_minimums"][1][1], "wild" in rules["freeze_by"], rules["red3_totals"][3],
            one.side_strategies[0],
        )  # fmt: skip


def test_cells_with_the_same_cards_form_a_group(connection):
    assert ask(connection, "select count(distinct comparable_group) from cells") == 1


def test_cards_join_by_their_text(connection):
    found = connection.sql("select count(*), sum(points), max(place) from cards").fetchall()
    assert found == [(53, 4 * (4 * 5 + 6 * 10 + 20 + 20) + 2 * 5 + 50, 53)]
    kinds = connection.sql("select kind from cards where card in ('3H', '3S', '2C', 'JK') order by place").fetchall()
    assert kinds == [("2",), ("red3",), ("black3",), ("JK",)]


@pytest.mark.parametrize(
    "text",
    [
        "select * from read_csv('/etc/passwd')",
        "select * from '{folder}/manifest.json'",
        "copy (select 1) to '{folder}/new.parquet'",
        "attach '{folder}/new.db'",
        "set threads = 1",
        "set enable_external_access = true",
        "install httpfs",
    ],
)
def test_a_locked_connection_opens_nothing_but_the_run(connection, run, text):
    with pytest.raises(duckdb.Error):
        connection.execute(text.format(folder=run.path))
    assert not (run.path / "new.parquet").exists()


def test_a_locked_connection_still_takes_frames_to_join(connection, run):
    cursor = connection.cursor()
    cursor.register("chosen", run.cells.select("variant").unique())
    found = cursor.execute("select count(*) from games join chosen using (variant)").fetchone()
    assert found == (sum(one.games for one in run.parts),)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("select 1; select 2", "2 statements"),
        ("", "0 statements"),
        ("selec 1", "not SQL"),
        ("drop view games", "drop"),
        ("insert into games values (1)", "insert"),
        ("with x as (copy (select 1) to 'x.parquet') select * from x", "copy"),
        ("explain analyze copy (select 1) to 'x.parquet'", "copy"),
        ("set threads = 1", "only questions"),
        ("call pragma_version()", "call"),
    ],
)
def test_only_one_reading_statement_is_let_through(connection, text, fault):
    with pytest.raises(BadInput, match=fault):
        catalog.check_reading(connection, text)


@pytest.mark.parametrize(
    "text",
    [
        "from games",
        "with a as (select 1) select * from a",
        "describe games",
        "summarize games",
        "explain select 1",
        "select 'copy' as what -- insert nothing",
        "pivot games on ending using count(*) group by variant",
    ],
)
def test_questions_of_any_form_are_let_through(connection, text):
    catalog.check_reading(connection, text)
    connection.sql(text).fetchall()


def test_the_run_folder_has_the_same_views_for_any_duckdb(sample_run, run):
    text = (sample_run / "views.sql").read_text(encoding="utf-8")
    assert str(sample_run) not in text
    here = Path.cwd()
    plain = duckdb.connect()
    try:
        os.chdir(sample_run)
        plain.execute(text)
        found = plain.sql("select variant, strategy, count(*) from turns group by all order by all").fetchall()
    finally:
        os.chdir(here)
    assert found == run.sql("select variant, strategy, count(*) from turns group by all order by all").rows()


def test_views_may_leave_out_files_without_the_games_asked_for(run):
    assert catalog.files_of(run.parts, "games", (100_000, 100_001)) == []
    assert len(catalog.files_of(run.parts, "games", (1, 1))) == len(run.parts)


# ------------------------------------------------------------------------------------------------ macros


def test_macros_agree_with_the_functions(connection, run):
    from pipeline import stats

    games = run.games().collect()
    for macro, method in (("ratio_ci", "R"), ("share_ci", "W")):
        slow = stats.ratio(games, "frozen_turns", "turns", ["variant", "lineup", "game"], method=method, level=0.9)
        found = ask(connection, f"select {macro}(frozen_turns, turns, level := 0.9) from games")
        assert tuple(found.values()) == pytest.approx(slow.select("value", "low", "high").row(0), rel=1e-7)
    found = ask(connection, "select wilson(3, 40)")
    assert tuple(found.values()) == pytest.approx(tuple(float(end) for end in stats.wilson(3, 40)), rel=1e-7)
    assert ask(connection, "select wilson(0, 0)") is None


def test_macros_give_no_interval_below_thirty_games(connection):
    found = ask(connection, "select ratio_ci(turns, 1) from (from games limit 29)")
    assert (found["value"] > 0, found["low"], found["high"]) == (True, None, None)
    assert ask(connection, "select ratio_ci(turns, 1) from games where false")["value"] is None


def test_the_normal_quantile_is_the_normal_quantile(connection):
    from statistics import NormalDist

    for p in (1e-5, 0.02, 0.0243, 0.3, 0.5, 0.9, 0.975, 0.9999):
        assert ask(connection, f"select normal_quantile({p})") == pytest.approx(NormalDist().inv_cdf(p), abs=1e-8)


def test_packed_counts_show_each_card_and_what_is_above(connection):
    packed = "(packed_weight(1) * 2 + packed_weight(13) * 3 + packed_weight(14))::bigint"
    assert ask(connection, f"select [packed_count({packed}, place) for place in [1, 2, 13]]") == [3, 0, 3]
    assert ask(connection, f"select [packed_above({packed}, most) for most in [2, 3]]") == [True, False]
    assert ask(connection, "select packed_above((packed_weight(5) - 2 * packed_weight(3))::bigint, 7)") is True


def test_blocks_are_64_and_the_same_for_all(connection):
    assert ask(connection, "select [block(game) for game in [1, 64, 65]]") == [0, 63, 0]
