"""One figure on a page: the finding, the chart, and below it how it is measured, its data and its source."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Literal

import altair as alt
import polars as pl
import streamlit as st

from dashboards import theme
from dashboards.charts import Words
from dashboards.theme import MODES, Figure, Palette

TABLE_WIDTH = 660
_SIGNS = set("\\`*_{}[]<>#~$|:")
Kind = Literal["svg", "png"]
MIMES: dict[Kind, str] = {"svg": "image/svg+xml", "png": "image/png"}


@dataclass(frozen=True)
class Source:
    """Where a figure's numbers come from.

    `definition` is the metric in words; `command` (a line a part), `python` and `sql` (a statement a part) each give
    the figure's table again; an empty one is not shown.
    """

    definition: str
    command: str = ""
    python: str = ""
    sql: tuple[str, ...] = ()


def show(
    key: str,
    draw: Callable[[Palette], Figure],
    palette: Palette,
    words: Words,
    table: pl.DataFrame,
    source: Source,
    *,
    notes: Sequence[str] = (),
    legend: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
) -> None:
    """Show a chart under its title, with its definition, table, downloads and source one click away.

    `draw` makes the chart in the colours it is given, for the page and again for files. On the page title, `notes`
    and `legend` (names with a colour, if there are several, said as in `names`) are text, which wraps on a narrow
    screen; in files title and legend stand in the chart.
    """
    with st.container(border=True, key=f"figure_{key}"):
        st.markdown(f"##### {_plain(words.sentence)}")
        if words.facts:
            st.markdown(f":small[{_plain(' · '.join(words.facts))}]")
        if notes:
            st.markdown("\n".join(f"{place}. {_plain(note, but='*')}" for place, note in enumerate(notes, 1)))
        if len(legend) > 1:
            st.html(_keys(legend, palette, names or {}))
        bare = draw(palette).configure_legend(disable=True)
        bare = bare.configure_axis(labelColor=palette.ink, titleColor=palette.ink)
        bare = bare.configure_axisY(labelFlush=False)
        bare.title = alt.Undefined
        bare.autosize = alt.AutoSizeParams(type="fit-x", contains="padding")
        st.altair_chart(bare, width="stretch", alt=words.sentence, key=f"chart_{key}")
        with st.container(horizontal=True, gap="small"):
            with st.popover("Definition", type="tertiary"):
                st.markdown(source.definition)
            with st.popover("Table", type="tertiary", width="content"):
                with st.container(horizontal=True):
                    _download(f"{key}.csv", partial(_csv, table), "text/csv")
                    _download(f"{key}.parquet", partial(_parquet, table), "application/vnd.apache.parquet")
                st.dataframe(table, hide_index=True, width=TABLE_WIDTH)
            with st.popover("Copy as", type="tertiary"):
                for name, texts, language in (
                    ("Command", (source.command,), "bash"),
                    ("Python", (source.python,), "python"),
                    ("SQL", source.sql, "sql"),
                ):
                    for place, text in enumerate(filter(None, texts)):
                        if not place:
                            st.caption(name)
                        st.code(text, language=language, wrap_lines=True)
            with st.popover("Save", type="tertiary"):
                for mode in MODES:
                    with st.container(horizontal=True):
                        for kind, mime in MIMES.items():
                            save = partial(drawing, draw, palette.on(mode), kind)
                            _download(f"{key}-{mode}.{kind}", save, mime)


def explain(text: str, command: str = "") -> None:
    """What stands in the place of a figure that there is nothing to show in, and the command that would change it."""
    with st.container(border=True):
        st.markdown(text)
        if command:
            st.code(command, language="bash", wrap_lines=True)


def _plain(text: str, but: str = "") -> str:
    """Text that Markdown leaves as it is: `safe~random` would strike out what follows; `but` keeps its meaning."""
    return "".join(f"\\{sign}" if sign in _SIGNS and sign not in but else sign for sign in text)


def _keys(names: Sequence[str], palette: Palette, said: Mapping[str, str]) -> str:
    """Names with the dot of their colour, as HTML."""
    keys = [
        f'<span style="white-space:nowrap"><span style="color:{palette.colour(name)};font-size:1.25em">●</span> '
        f"{escape(said.get(name) or theme.label(name))}</span>"
        for name in palette.ordered(names)
    ]
    return f'<div style="display:flex;flex-wrap:wrap;gap:0.2rem 1.1rem;font-size:0.875rem">{"".join(keys)}</div>'


def _download(name: str, make: partial[bytes], mime: str) -> None:
    st.download_button(name, make, file_name=name, mime=mime, on_click="ignore", key=f"download_{name}")


def _csv(table: pl.DataFrame) -> bytes:
    return table.write_csv().encode()


def _parquet(table: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    table.write_parquet(buffer)
    return buffer.getvalue()


def drawing(draw: Callable[[Palette], Figure], palette: Palette, kind: Kind, width: int = 720) -> bytes:
    """The chart as a file, `svg` or `png`, with its title and the lab's own look; needs no network."""
    finished = theme.dressed(draw(palette).properties(width=width), palette.mode)
    if kind == "svg":
        text = io.StringIO()
        finished.save(text, format="svg")
        return text.getvalue().encode()
    buffer = io.BytesIO()
    finished.save(buffer, format="png", ppi=144)
    return buffer.getvalue()
