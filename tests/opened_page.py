"""A page of the dashboard opened under AppTest, and the figures that it showed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dashboards import figure
from dashboards.charts import Words
from dashboards.figure import Source
from pipeline.commands import open as opening

APP = Path(__file__).parents[1] / "dashboards" / "app.py"


@dataclass(frozen=True)
class Shown:
    """A figure as a page showed it."""

    words: Words
    table: pl.DataFrame
    source: Source
    chart: alt.LayerChart
    legend: tuple[str, ...]


@dataclass(frozen=True)
class Opened:
    """A page, its figures by key, and all its text."""

    app: AppTest
    figures: dict[str, Shown]

    @property
    def said(self) -> str:
        kinds = (self.app.title, self.app.header, self.app.markdown, self.app.info)
        return "\n".join(str(element.value) for kind in kinds for element in kind)


def open_page(monkeypatch: pytest.MonkeyPatch, page: str, run: Path, **address: Any) -> Opened:
    """Open a page by its address on a run; fails on anything it raises."""
    figures: dict[str, Shown] = {}
    show = figure.show

    def noted(key: str, draw: Any, palette: Any, words: Words, table: Any, source: Source, **given: Any) -> None:
        figures[key] = Shown(words, table, source, draw(palette), tuple(given.get("legend", ())))
        show(key, draw, palette, words, table, source, **given)

    monkeypatch.setattr(figure, "show", noted)
    monkeypatch.setenv(opening.RUNS, os.pathsep.join([str(run)]))
    app = AppTest.from_file(str(APP), default_timeout=120)
    for key, value in address.items():
        app.query_params[key] = value
    app._page_hash = calc_hash(page)  # the public switch_page knows only pages that are files
    app.run()
    assert [error.message for error in app.exception] == []
    return Opened(app, figures)
