"""Overview: what is in this run, and what stands out."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards import charts, data, figure, runs, wording, wording_run
from dashboards.charts import Measure
from dashboards.data import Answer
from dashboards.filters import Chosen

HEADLINE = ("turns_per_game", "frozen_turn_share", "canastas_per_side_deal")
"""The three questions that everybody asks first: how long, how often frozen, how many canastas."""


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("Overview")
    _run(chosen)
    played = data.games(chosen.run, chosen.variants, chosen.lineups)
    st.header("What stands out")
    _standouts(chosen)
    st.header("The three headline questions")
    for name in HEADLINE:
        _headline(chosen, name, played)
    st.header("What was played")
    _games(chosen, played)
    st.header("Ask further")
    _questions(chosen)


def _run(chosen: Chosen) -> None:
    """Figures and checks of the whole run."""
    summary = data.summary(chosen.run)
    with st.grid(4, min_column_width=150):
        for label, value, meaning in wording_run.cards_of(summary, len(runs.about(chosen.run).lineups)):
            st.metric(label, value, help=meaning, border=True)
    with st.container(horizontal=True, gap="xsmall"):
        for badge in wording_run.badges_of(data.audited(chosen.run), summary):
            st.badge(badge.text, color=badge.colour, help=badge.meaning)


def _standouts(chosen: Chosen) -> None:
    answer = data.findings(chosen.run, chosen.base, chosen.variants, chosen.lineups)
    if answer.table.is_empty():
        st.info(wording.nothing_stands_out(chosen.base, chosen.variants, chosen.lineups))
        return
    words, notes = wording.standouts_of(answer.table)
    group = "setting" if answer.table["setting"].n_unique() > 1 else "subject"
    measure = Measure("difference, in standard deviations between games")
    draw = partial(
        charts.difference, answer.table, words, measure, rows="row", group=group, value="effect", by_value=False
    )
    legend = answer.table["setting"].to_list() if group == "setting" else ()
    figure.show("standouts", draw, chosen.palette, words, answer.table, answer.source, notes=notes, legend=legend)


def _headline(chosen: Chosen, name: str, played: Answer) -> None:
    answer = data.ask(chosen.run, name, ("variant", "given_lineup"), chosen.variants, chosen.lineups)
    words = wording.range_of(answer.table, data.defined(name), played.table)
    measure = wording.measure_of(data.defined(name))
    draw = partial(charts.estimate, answer.table, words, measure, group="given_lineup")
    legend = answer.table["given_lineup"].to_list()
    figure.show(name, draw, chosen.palette, words, answer.table, answer.source, legend=legend)


def _games(chosen: Chosen, answer: Answer) -> None:
    words = wording.counts_of(answer.table)
    draw = partial(charts.counts, answer.table, words, x="lineup", y="variant")
    figure.show("games", draw, chosen.palette, words, answer.table, answer.source)


def _questions(chosen: Chosen) -> None:
    """Named questions, each with the command that answers it in a terminal."""
    for question in data.questions(chosen.run).iter_rows(named=True):
        with st.expander(f"**{question['title']}**"):
            st.markdown(question["answers"])
            st.code(question["command"], language="bash")
