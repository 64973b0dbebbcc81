"""Canastas: how many, which, when."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards import against, charts, closer, data, figure, telling, together, wording_canastas
from dashboards.closer import Closer
from dashboards.filters import Chosen
from dashboards.wording_canastas import CANASTA, OPENED, TYPES

BY = ("variant", "given_lineup")
FREQUENCY = "canastas_per_side_deal"


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("Canastas")
    look = closer.choose(chosen)
    st.header("How many, and which?")
    _types(look)
    _without(look)
    _ranks(look)
    st.header("When?")
    _when(look)
    st.header("Does opening fast pay?")
    _pays(look)
    _opens(look)
    _turns(look)
    st.header("What changes it?")
    if _changes(chosen, FREQUENCY):
        _changes(chosen, "open_rate")


def _types(look: Closer) -> None:
    metric = data.defined(FREQUENCY)
    answer = together.join([("type", look.ask(FREQUENCY, "type")), ("all", look.ask(FREQUENCY))])
    words = wording_canastas.types_of(answer.table, metric, look.played)
    types, every = (telling.part(answer.table, name) for name in ("type", "all"))
    order = telling.there(types, "type", tuple(TYPES))
    draw = partial(
        charts.stack, types, every, words, telling.measure(metric), rows=look.group, parts="type", order=order
    )
    palette = telling.fixed(TYPES, look.chosen.palette)
    figure.show("canastas", draw, palette, words, answer.table, answer.source, legend=order)


def _without(look: Closer) -> None:
    metric = data.defined(FREQUENCY)
    answer = look.distribution(FREQUENCY)
    words = wording_canastas.without_of(answer.table, metric, look.played)
    measure = charts.Measure("canastas of a side in a deal")
    draw = partial(charts.histogram, answer.table, words, measure, group=look.group)
    look.show("canastas_of_a_side", draw, words, answer)


def _ranks(look: Closer) -> None:
    metric = data.defined("canasta_rank_share")
    answer = look.ask(metric.name, "rank")
    if answer.table.is_empty():
        figure.explain("No side made a canasta of a rank.")
        return
    words = wording_canastas.ranks_of(answer.table, metric, look.played)
    table = wording_canastas.by_rank_name(answer.table)
    draw = partial(
        charts.bars, table, words, telling.measure(metric, "share of the canastas of ranks"), rows="rank",
        group=look.group, at=wording_canastas.even_share(table),
    )  # fmt: skip
    look.show("ranks", draw, words, answer)


def _when(look: Closer) -> None:
    answer = together.join([
        (OPENED, look.distribution("open_turn")), (CANASTA, look.distribution("first_canasta_turn")),
    ])  # fmt: skip
    words = wording_canastas.when_of(answer.table, data.defined("open_turn"), look.played)
    measure = charts.Measure("own turn")
    draw = partial(charts.ecdf, answer.table, words, measure, group=look.group, dash="part")
    look.show("when", draw, words, answer)


def _pays(look: Closer) -> None:
    metric = data.defined("open_margin")
    answer = look.ask(metric.name, "minimum", "open_turn")
    if answer.table.is_empty():
        figure.explain("No side opened.")
        return
    words = wording_canastas.pays_of(answer.table, metric, look.played)
    draw = partial(
        charts.curve, answer.table, words, telling.measure(metric, "mean margin"), x="open_turn", rows="minimum",
        group=look.group, counted="sides", x_title="own turn of the opening",
    )  # fmt: skip
    look.show("open_margin", draw, words, answer)


def _opens(look: Closer) -> None:
    metric = data.defined("open_rate")
    answer = look.ask(metric.name, "minimum")
    words = wording_canastas.opening_of(answer.table, metric, look.played)
    table = wording_canastas.by_minimum(answer.table)
    draw = partial(charts.dots, table, words, telling.measure(metric), rows="minimum", group=look.group)
    look.show("open_rate", draw, words, answer)


def _turns(look: Closer) -> None:
    metric = data.defined("open_turn")
    answer = look.ask(metric.name, "minimum")
    words = wording_canastas.turns_of(answer.table, metric, look.played)
    measure = charts.Measure("own turn by which half have opened")
    table = wording_canastas.by_minimum(answer.table)
    draw = partial(
        charts.dots, table, words, measure, rows="minimum", group=look.group, absent="half never open", whole=True
    )
    look.show("open_turn", draw, words, answer)


def _changes(chosen: Chosen, name: str) -> bool:
    answer = data.ask(chosen.run, name, BY, chosen.variants, chosen.lineups, base=chosen.base)
    played = data.games(chosen.run, chosen.variants, chosen.lineups).table
    return against.show(f"{name}_difference", chosen, name, answer, played)
