"""Game length: how rule variants change it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards import charts, comparing, data, figure, filters, theme, wording, wording_length
from dashboards.data import Answer, Part
from dashboards.filters import Chosen

BY = ("variant", "given_lineup")
PARTS = ("turns_per_deal", "deals_per_game", "turns_per_game")


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("Game length")
    played = data.games(chosen.run, chosen.variants, chosen.lineups)
    st.header("Turns per game")
    _turns(chosen, played)
    st.header("Longer deals or more deals?")
    _parts(chosen, played)
    st.header("On the clock")
    pace, minutes = filters.choose_pace()
    _minutes(chosen, played, pace)
    _over_by(chosen, played, pace, minutes)
    _finished(chosen, played, pace, minutes)
    st.header("How many deals, and how they end")
    _deals(chosen, played)
    _endings(chosen, played)


def _turns(chosen: Chosen, played: Answer) -> None:
    metric = data.defined("turns_per_game")
    answer = data.ask(chosen.run, "turns_per_game", BY, chosen.variants, chosen.lineups, base=chosen.base)
    measure, legend = wording.measure_of(metric), answer.table["given_lineup"].to_list()
    words = wording.range_of(answer.table, metric, played.table)
    draw = partial(charts.estimate, answer.table, words, measure, group="given_lineup")
    figure.show("turns", draw, chosen.palette, words, answer.table, answer.source, legend=legend)
    against = comparing.differences_of(answer.table, metric, chosen.base, played.table)
    if against is None:
        figure.explain(comparing.nothing_to_compare(chosen.base, chosen.variants))
        return
    rows = comparing.axis_of(answer.table, chosen.base)
    group = "given_lineup" if rows == "variant" else "variant"
    axis = charts.Measure(f"{metric.title}, difference", metric.unit)
    table = comparing.compared(answer.table)
    draw = partial(charts.difference, table, against, axis, rows=rows, group=group)
    legend = table[group].to_list()
    figure.show("turns_difference", draw, chosen.palette, against, answer.table, answer.source, legend=legend)


def _parts(chosen: Chosen, played: Answer) -> None:
    metrics = [data.defined(name) for name in PARTS]
    parts = tuple(Part(metric.title, metric.name, BY) for metric in metrics)
    answer = data.ask_together(chosen.run, parts, chosen.variants, chosen.lineups, base=chosen.base)
    words = wording_length.parts_of(answer.table, metrics, chosen.base, played.table)
    draw = partial(
        charts.slope, answer.table, words, wording_length.measures_of(metrics), parts=(parts[0].label, parts[1].label),
        base=chosen.base,
    )  # fmt: skip
    legend = answer.table["variant"].to_list()
    figure.show("deal_or_game", draw, chosen.palette, words, answer.table, answer.source, legend=legend)


def _minutes(chosen: Chosen, played: Answer, pace: str) -> None:
    metric = data.defined("minutes_per_game")
    answer = data.ask(chosen.run, "minutes_per_game", (*BY, "pace"), chosen.variants, chosen.lineups)
    table = answer.table.filter(pace=pace)
    words = wording_length.at_pace(wording.range_of(table, metric, played.table), pace)
    draw = partial(charts.estimate, table, words, wording.measure_of(metric), group="given_lineup")
    legend = table["given_lineup"].to_list()
    figure.show("minutes", draw, chosen.palette, words, answer.table, answer.source, legend=legend)


def _over_by(chosen: Chosen, played: Answer, pace: str, minutes: float) -> None:
    group = data.telling(played.table)
    answer = data.distribution(chosen.run, "minutes_per_game", (group, "pace"), chosen.variants, chosen.lineups)
    table = answer.table.filter(pace=pace)
    words = wording_length.minutes_of(table, played.table, pace, group)
    measure = wording.measure_of(data.defined("minutes_per_game"))
    draw = partial(charts.ecdf, table, words, measure, group=group, mark=minutes)
    legend = table[group].to_list()
    figure.show("over_by", draw, chosen.palette, words, answer.table, answer.source, legend=legend)


def _finished(chosen: Chosen, played: Answer, pace: str, minutes: float) -> None:
    metric = data.defined("finished_within")
    answer = data.ask(chosen.run, "finished_within", (*BY, "pace"), chosen.variants, chosen.lineups, minutes=minutes)
    table = answer.table.filter(pace=pace)
    words = wording_length.finished_of(table, metric, played.table, pace, minutes)
    draw = partial(charts.estimate, table, words, wording.measure_of(metric), group="given_lineup")
    legend = table["given_lineup"].to_list()
    figure.show("finished", draw, chosen.palette, words, answer.table, answer.source, legend=legend)


def _deals(chosen: Chosen, played: Answer) -> None:
    metric = data.defined("deals_per_game")
    group = data.telling(played.table)
    answer = data.distribution(chosen.run, "deals_per_game", (group,), chosen.variants, chosen.lineups)
    words = wording_length.deals_of(answer.table, metric, played.table, group)
    draw = partial(charts.histogram, answer.table, words, wording.measure_of(metric), group=group)
    figure.show("deals", draw, chosen.palette, words, answer.table, answer.source)


def _endings(chosen: Chosen, played: Answer) -> None:
    metric = data.defined("ending_share")
    answer = data.ask(chosen.run, "ending_share", (*BY, "ending"), chosen.variants, chosen.lineups)
    words = wording_length.endings_of(answer.table, metric, played.table)
    measure = charts.Measure("Share of deals", share=True)
    draw = partial(charts.shares, answer.table, words, measure, rows=BY, parts="ending", order=wording_length.ENDINGS)
    colours = theme.palette(wording_length.ENDINGS, mode=chosen.palette.mode)
    legend = answer.table.filter(answer.table["value"] > 0)["ending"].to_list()
    figure.show("endings", draw, colours, words, answer.table, answer.source, legend=legend)
