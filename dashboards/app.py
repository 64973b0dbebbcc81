"""The dashboard's entry: navigation, shared filters, and the words where there is nothing to show.

To add a page, write `views/NAME.py` with a `show(chosen)` and add its line to PAGES.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from dashboards import data, filters, repaint, runs
from dashboards.filters import Chosen
from dashboards.views import canastas, game_length, overview, pile, strategies
from engine.errors import BadInput

View = Callable[[Chosen], None]
HERE = Path(__file__).parent
ROOT = "start"  # a name that Streamlit wants of the page at the root as well, and never shows
PAGES: tuple[tuple[str, str, View], ...] = (
    # address, title, view; the first is where the dashboard opens
    ("overview", "Overview", overview.show),
    ("game_length", "Game length", game_length.show),
    ("strategies", "Strategies", strategies.show),
    ("pile", "The pile", pile.show),
    ("canastas", "Canastas", canastas.show),
)


def main() -> None:
    """Draw the page that the address asks for."""
    st.set_page_config(page_title="Canasta Lab", page_icon=str(HERE / "logo.png"), layout="wide")
    st.logo(str(HERE / "logo.svg"), size="large")
    chosen: list[Chosen] = []

    def page(title: str, view: View) -> Callable[[], None]:
        return lambda: _show(title, view, chosen[0])

    shown = st.navigation([*_pages(page), _first_by_name(page)])
    found = runs.find_runs()
    if not found:
        _explain("There is no run yet", "Play some games, then reload this page:",
                 "canasta simulate data/plans/demo.toml --out data/runs/demo")  # fmt: skip
        return
    try:
        # Here and not in the pages: Streamlit forgets what was chosen on a page when another is opened.
        chosen.append(filters.choose(found))
    except BadInput as reason:
        _explain("This run cannot be shown", f"{reason}", "")
        return
    shown.run()
    repaint.on_new_look()


def _pages(page: Callable[[str, View], Callable[[], None]]) -> list[Any]:
    """The pages of the menu; the first lies at the root."""
    addresses = [ROOT, *(address for address, _, _ in PAGES[1:])]
    return [
        st.Page(page(title, view), title=title, url_path=at, default=place == 0)
        for place, (at, (_, title, view)) in enumerate(zip(addresses, PAGES, strict=True))
    ]


def _first_by_name(page: Callable[[str, View], Callable[[], None]]) -> Any:
    """The first page once more, out of the menu: Streamlit has it at the root alone, and its name is an address too."""
    address, title, view = PAGES[0]
    return st.Page(page(title, view), title=title, url_path=address, visibility="hidden")


def _show(title: str, view: View, chosen: Chosen) -> None:
    if data.games(chosen.run, chosen.variants, chosen.lineups).table.is_empty():
        st.title(title)
        st.info("No games with these filters: the chosen variants and line-ups were never played together.")
        return
    view(chosen)


def _explain(title: str, text: str, command: str) -> None:
    st.title(title)
    st.markdown(text)
    if command:
        st.code(command, language="bash")


main()
