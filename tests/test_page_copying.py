"""Every figure of every page: drawn from its table, which what can be copied from under it gives again."""

from __future__ import annotations

import ast
import io
import shlex
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.cli import main
from pipeline.run import open_run
from pipeline.simulation import simulate
from tests.chart_spec import nodes
from tests.opened_page import Shown, open_page

PAGES = ("overview", "game_length", "strategies", "pile", "canastas")
PYTHON_ONLY = {"standouts"}
"""Made of the answers of every metric; no single command or statement gives it."""
NO_SQL = PYTHON_ONLY | {"ladder", "cost"}
"""Strengths are found by iteration; they and what a taken discard costs are bootstrapped by draws that SQL has not."""


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which two variants were played by a strategy alone and by two against each other."""
    folder = tmp_path_factory.mktemp("runs") / "contest"
    variants = ["classic4", {"base": "classic4", "hand_size": 15}]
    simulate({"variants": variants, "lineups": ["safe", "safe~naive"], "games": 400}, folder, workers=1)
    return folder


def evaluated(python: str) -> pl.DataFrame:
    """The value of the last line of a piece of Python."""
    *setup, last = ast.parse(python).body
    assert isinstance(last, ast.Expr)
    names: dict[str, object] = {}
    exec(compile(ast.Module(setup, []), "copied", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "copied", "eval"), names)
    assert isinstance(value, pl.DataFrame)
    return value


def parts_of(shown: Shown) -> list[pl.DataFrame]:
    """The table, or where it is of several answers each of them, without the columns that only others have."""
    if "part" not in shown.table.columns:
        return [shown.table]
    parts = shown.table.partition_by("part", maintain_order=True, include_key=False)
    return [part.select(name for name in part.columns if part[name].null_count() < part.height) for part in parts]


def drawn_from_columns(shown: Shown) -> bool:
    """Nothing that was measured is left to Vega: intervals and sums are the table's; panels stretch with the page."""
    spec = shown.chart.to_dict()
    marks = {value if isinstance(value, str) else value["type"] for key, value in nodes(spec) if key == "mark"}
    keys = {key for key, _ in nodes(spec)}
    vega = {"extent", "aggregate", "facet", "row", "column", "hconcat", "repeat", "density", "bin"}
    return not marks & {"errorbar", "errorband", "boxplot"} and not keys & vega


@pytest.mark.parametrize("page", PAGES)
def test_every_figure_is_drawn_from_its_table_and_what_is_copied_gives_it_again(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], contest: Path, page: str
) -> None:
    figures = open_page(monkeypatch, page, contest, rules="classic4", closer="safe~naive").figures
    assert len(figures) > 4, list(figures)
    run = open_run(contest)
    for key, shown in figures.items():
        assert drawn_from_columns(shown), key
        assert_frame_equal(evaluated(shown.source.python), shown.table)
        if key in PYTHON_ONLY:
            continue
        parts = parts_of(shown)
        commands = shown.source.command.splitlines()
        assert len(commands) == len(parts), key
        for command, part in zip(commands, parts, strict=True):
            assert main([*shlex.split(command)[1:], "--format", "parquet"]) == 0
            printed = pl.read_parquet(io.BytesIO(capsysbinary.readouterr().out))
            assert_frame_equal(printed.select(part.columns), part)
        statements = shown.source.sql
        assert bool(statements) != (key in NO_SQL), key
        for statement, part in zip(statements, parts, strict=len(statements) == len(parts)):
            found = run.sql(statement)
            same = [name for name in found.columns if name in part.columns]
            assert {"value", "low", "high"} <= set(same) or len(same) == len(part.columns), key
            assert_frame_equal(found.select(same), part.select(same), check_dtypes=False)
