"""The sidebar: which run, variants, line-ups and base every page shows; kept across pages and in the address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl
import streamlit as st

from dashboards import theme
from dashboards.runs import About, RunKey, about
from dashboards.theme import Mode, Palette
from engine.errors import BadInput

AT_ONCE = 30_000
"""Games whose single turns are read without asking."""
PACES = ("online", "club", "social")


@dataclass(frozen=True)
class Chosen:
    """What the reader chose: a run, the variants and line-ups to show, what to compare with."""

    run: RunKey
    variants: tuple[str, ...]
    lineups: tuple[str, ...]
    base: str
    palette: Palette


def choose(found: dict[str, RunKey]) -> Chosen:
    """Show the filters in the sidebar; a filter left empty means everything. BadInput when the run cannot be read."""
    with st.sidebar:
        run = found[_name_run(tuple(found))]
        there = about(run)
        variants = _several("Variants", there.variants, "variant")
        lineups = _several("Line-ups", there.lineups, "lineup")
        base = _base(there)
        st.markdown(f":small[`{there.folder}`]  \n:small[seed {there.seed} · made {there.made}]")
    return Chosen(run, variants, lineups, base, theme.palette(there.variants, there.lineups, mode=mode()))


def _name_run(names: tuple[str, ...]) -> str:
    """The run that is chosen, else the first; never a default, so that the address always names it.

    BadInput when the address names one that is not there, until another is chosen.
    """
    asked = st.query_params.get("run")
    if asked is not None and asked not in names:
        st.session_state["gone"] = asked
    if "gone" in st.session_state:
        pass
    elif "run" not in st.session_state and asked is None:
        st.session_state["run"] = st.query_params["run"] = names[0]
    elif st.session_state.get("run", names[0]) not in names:
        st.session_state["run"] = names[0]
    chosen = st.selectbox("Run", names, index=None, key="run", bind="query-params", placeholder="Choose a run")
    if chosen is None:
        if "gone" in st.session_state:
            raise BadInput(f"There is no run “{st.session_state['gone']}”. There are: {', '.join(names)}")
        st.rerun()  # the reader cleared the field
    st.session_state.pop("gone", None)
    return chosen


def _base(there: About) -> str:
    """What differences are measured from: a variant, or of one variant a line-up; empty where there is only one."""
    what, options = ("variant", there.variants) if len(there.variants) > 1 else ("line-up", there.lineups)
    if len(options) < 2:
        return ""
    told = f"The {what} that differences are measured from."
    return st.selectbox("Compare with", options, key="base", bind="query-params", help=told)


def _several(label: str, options: tuple[str, ...], key: str) -> tuple[str, ...]:
    picked = st.multiselect(label, options, key=key, bind="query-params", placeholder=f"All {len(options)}")
    return tuple(picked) or options


def choose_pace() -> tuple[str, float]:
    """How fast people play, and how many minutes they have; kept in the address of the page."""
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        pace = st.segmented_control(
            "Pace", PACES, default=PACES[1], key="pace", bind="query-params", required=True,
            help="Seconds a turn, a take, a card melded and a deal: an assumption, stated below each figure.",
        )  # fmt: skip
        minutes = st.slider("Minutes there are", 30, 300, 90, 15, key="minutes", bind="query-params", width=300)
    return str(pace), float(minutes)


def choose_one(label: str, options: tuple[str, ...], key: str, first: str = "") -> str:
    """One of several, `first` if it is there and nothing else is chosen; not asked where there is only one."""
    if len(options) < 2:
        return options[0]
    place = options.index(first) if first in options else 0
    told = "The figures below are about these players and these rules: what is dangerous depends on both."
    return str(st.selectbox(label, options, place, key=key, bind="query-params", width=320, help=told))


def choose_metric(label: str, names: Sequence[str], title_of: Callable[[str], str]) -> str:
    """A metric, the first if nothing else is chosen; kept in the address of the page."""
    return str(st.selectbox(label, names, format_func=title_of, key="effect", bind="query-params", width=320))


def choose_pair(label: str, pairs: Sequence[tuple[str, str]], first: tuple[str, str] | None) -> tuple[str, str] | None:
    """Two things that meet each other, `first` if nothing else is chosen; None where none do."""
    if not pairs or first is None:
        return None
    names = [" and ".join(pair) for pair in pairs]
    place = pairs.index(first)
    picked = st.selectbox(label, names, place, key="pair", bind="query-params", width=320)
    return pairs[names.index(picked)] if picked in names else first


def work_out(what: str, played: pl.DataFrame) -> bool:
    """Whether to work something out that takes long: asked first where there are many games."""
    games = sum(played["games"].to_list())
    if games <= AT_ONCE:
        return True
    with st.container(border=True):
        st.markdown(f"**{what}** is worked out from single turns, which takes a while for {theme.large(games)} games.")
        return st.toggle("Work it out", key="work_out", bind="query-params")


def mode() -> Mode:
    """Whether the page is light or dark, as the reader's browser or their choice in the menu says."""
    return "dark" if st.context.theme.type == "dark" else "light"
