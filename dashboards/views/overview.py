"""Overview: what is in this run, and what stands out."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards import charts, data, figure, wording
from dashboards.filters import Chosen

HEADLINE = ("turns_per_game", "frozen_turn_share", "canastas_per_side_deal")
"""The three questions that everybody asks first: how long, how often frozen, how many canastas."""


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("Overview")
    if data.cells(chosen.run, chosen.variants, chosen.lineups).table.is_empty():
        st.info("No games with these filters: the chosen variants and line-ups were never played together.")
        return
    with st.container(horizontal=True, gap="xsmall"):
        for badge in wording.badges_of(data.checks(chosen.run), data.about(chosen.run).folder):
            st.badge(badge.text, color=badge.colour, help=badge.meaning)
    for name in HEADLINE:
        _headline(chosen, name)
    _games(chosen)


def _headline(chosen: Chosen, name: str) -> None:
    answer = data.metric(chosen.run, name, chosen.variants, chosen.lineups)
    words = wording.range_of(answer.table, data.defined(name))
    measure = wording.measure_of(data.defined(name))
    draw = partial(charts.estimate, answer.table, words, measure, group="lineup")
    figure.show(name, draw, chosen.palette, words, answer.table, answer.source)


def _games(chosen: Chosen) -> None:
    answer = data.cells(chosen.run, chosen.variants, chosen.lineups)
    words = wording.counts_of(answer.table)
    draw = partial(charts.counts, answer.table, words, x="lineup", y="variant")
    figure.show("games", draw, chosen.palette, words, answer.table, answer.source)
