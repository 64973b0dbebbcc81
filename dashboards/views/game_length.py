"""Game length: how rule variants change it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards import (
    against,
    charts,
    closer,
    data,
    figure,
    filters,
    sweeping,
    theme,
    together,
    wording,
    wording_length,
    wording_sweep,
)
from dashboards.closer import Closer
from dashboards.data import Answer
from dashboards.filters import Chosen
from dashboards.sweeping import Effects, Swept

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
    _finished(chosen, played, pace, minutes)
    swept = sweeping.find(chosen)
    if swept:
        st.header("Effects of the rules")
        _rules(swept, played, pace)
    st.header("How deals end")
    _endings(chosen, played)
    st.header("How far games lie apart")
    near = closer.choose(chosen)
    _over_by(near, pace, minutes)
    _deals(near)


def _turns(chosen: Chosen, played: Answer) -> None:
    metric = data.defined("turns_per_game")
    answer = data.ask(chosen.run, "turns_per_game", BY, chosen.variants, chosen.lineups, base=chosen.base)
    measure, legend = wording.measure_of(metric), answer.table["given_lineup"].to_list()
    words = wording.range_of(answer.table, metric, played.table)
    draw = partial(charts.estimate, answer.table, words, measure, group="given_lineup")
    figure.show("turns", draw, chosen.palette, words, answer.table, answer.source, legend=legend)
    against.show("turns_difference", chosen, metric.name, answer, played.table)


def _parts(chosen: Chosen, played: Answer) -> None:
    metrics = [data.defined(name) for name in PARTS]
    answer = together.join(
        [
            (one.title, data.ask(chosen.run, one.name, BY, chosen.variants, chosen.lineups, base=chosen.base))
            for one in metrics
        ]
    )
    words = wording_length.parts_of(answer.table, metrics, chosen.base, played.table)
    measures, parts = wording_length.measures_of(metrics), (metrics[0].title, metrics[1].title)
    draw = partial(charts.slope, answer.table, words, measures, parts=parts, base=chosen.base)
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


def _rules(swept: Swept, played: Answer, pace: str) -> None:
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        name = filters.choose_metric("Effects on", sweeping.metrics(), sweeping.title_of)
        metric, chosen = data.defined(name), swept.chosen
        found = sweeping.ask(swept, name)
        meeting = wording_sweep.at(found.interactions, pace)
        pair = filters.choose_pair("Rules together", swept.pairs, wording_sweep.strongest(meeting, swept.pairs))
    table = wording_sweep.at(found.effects.table, pace)
    words, notes = wording_sweep.effects_of(table, metric, swept.design.base, played.table)
    rows, legend = wording_sweep.changes_of(table), table["given_lineup"].to_list()
    measure = wording_sweep.measure_of(metric)
    draw = partial(charts.difference, rows, words, measure, rows="change", group="given_lineup", by_value=False)
    figure.show(
        "rules", draw, chosen.palette, words, found.effects.table, found.effects.source, notes=notes, legend=legend
    )
    if pair:
        _together(swept, found, name, pair, played, pace)


def _together(swept: Swept, found: Effects, name: str, pair: tuple[str, str], played: Answer, pace: str) -> None:
    metric = data.defined(name)
    means = wording_sweep.of_pair(wording_sweep.at(found.means.table, pace), pair)
    meeting = wording_sweep.at(found.interactions, pace)
    words = wording_sweep.together_of(meeting, means, metric, pair, played.table)
    levels = means["other_level"].to_list()
    colours, names = wording_sweep.colours_of(levels, swept.chosen.palette), wording_sweep.named(pair[1], levels)
    measure = wording.measure_of(metric)
    draw = partial(charts.interaction, means, words, measure, x="level", lines="other_level", titles=pair)
    figure.show(
        "rules_together", draw, colours, words, found.means.table, found.means.source, legend=levels, names=names
    )


def _over_by(near: Closer, pace: str, minutes: float) -> None:
    answer = data.distribution(
        near.chosen.run, "minutes_per_game", (near.group, "pace"), near.chosen.variants, near.lineups
    )
    table = answer.table.filter(pace=pace)
    words = wording_length.minutes_of(table, near.played, pace, near.group, minutes)
    measure = wording.measure_of(data.defined("minutes_per_game"))
    draw = partial(charts.ecdf, table, words, measure, group=near.group, mark=minutes)
    legend = table[near.group].to_list()
    figure.show("over_by", draw, near.chosen.palette, words, answer.table, answer.source, legend=legend)


def _finished(chosen: Chosen, played: Answer, pace: str, minutes: float) -> None:
    metric = data.defined("finished_within")
    answer = data.ask(chosen.run, "finished_within", (*BY, "pace"), chosen.variants, chosen.lineups, minutes=minutes)
    table = answer.table.filter(pace=pace)
    words = wording_length.finished_of(table, metric, played.table, pace, minutes)
    draw = partial(charts.estimate, table, words, wording.measure_of(metric), group="given_lineup")
    legend = table["given_lineup"].to_list()
    figure.show("finished", draw, chosen.palette, words, answer.table, answer.source, legend=legend)


def _deals(near: Closer) -> None:
    metric = data.defined("deals_per_game")
    answer = near.distribution(metric.name)
    words = wording_length.deals_of(answer.table, metric, near.played, near.group)
    draw = partial(charts.histogram, answer.table, words, wording.measure_of(metric), group=near.group)
    figure.show("deals", draw, near.chosen.palette, words, answer.table, answer.source)


def _endings(chosen: Chosen, played: Answer) -> None:
    metric = data.defined("ending_share")
    answer = data.ask(chosen.run, "ending_share", (*BY, "ending"), chosen.variants, chosen.lineups)
    words = wording_length.endings_of(answer.table, metric, played.table)
    measure = charts.Measure("Share of deals", share=True)
    draw = partial(charts.shares, answer.table, words, measure, rows=BY, parts="ending", order=wording_length.ENDINGS)
    colours = theme.palette(wording_length.ENDINGS, mode=chosen.palette.mode)
    legend = answer.table.filter(answer.table["value"] > 0)["ending"].to_list()
    names = wording_length.ENDED
    figure.show("endings", draw, colours, words, answer.table, answer.source, legend=legend, names=names)
