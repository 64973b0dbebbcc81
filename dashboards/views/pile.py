"""The pile: how often it is frozen, by what, and who profits."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards import against, charts, closer, data, figure, telling, together, wording_pile
from dashboards.closer import Closer
from dashboards.filters import Chosen

BY = ("variant", "given_lineup")
PROFIT = (
    ("won", "freeze_won_rate", (*BY, "strategy")),
    ("takes", "takes_per_side_deal", (*BY, "strategy")),
    ("all", "takes_per_deal", BY),
)


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("The pile")
    st.header("How often is it frozen?")
    _frozen(chosen)
    st.header("A closer look")
    look = closer.choose(chosen)
    _along(look)
    _states(look)
    st.header("By what, and for how long?")
    _causes(look)
    _lengths(look)
    st.header("Who profits?")
    _profits(chosen)
    st.header("Taking the pile")
    _sizes(look)
    _bring(look)
    _leave(look)


def _frozen(chosen: Chosen) -> None:
    name = "frozen_turn_share"
    metric = data.defined(name)
    played = data.games(chosen.run, chosen.variants, chosen.lineups).table
    answer = data.ask(chosen.run, name, BY, chosen.variants, chosen.lineups)
    table, ruled = telling.unruled(answer.table)
    if table.is_empty():
        figure.explain(f"The pile is {wording_pile.always_frozen(ruled)[0]}.")
        return
    words = wording_pile.frozen_of(table, metric, played, ruled)
    draw = partial(charts.estimate, table, words, telling.measure(metric), group="given_lineup")
    legend = table["given_lineup"].to_list()
    figure.show("frozen", draw, chosen.palette, words, answer.table, answer.source, legend=legend)
    compared = data.ask(chosen.run, name, BY, chosen.variants, chosen.lineups, base=chosen.base)
    against.show("frozen_difference", chosen, name, compared, played)


def _along(look: Closer) -> None:
    """Turns of a single variant; variants of other sizes of table share the round."""
    x, counted = ("turn", "deals") if look.group == "given_lineup" else ("round", "turns")
    metric = data.defined("frozen_turn_share")
    answer = look.ask(metric.name, x)
    table, ruled = telling.unruled(answer.table)
    if table.is_empty():
        figure.explain("The pile is frozen on every turn, by rule: there is nothing to see along the deal.")
        return
    words = wording_pile.frozen_along(table, metric, look.played, x, ruled)
    draw = partial(
        charts.curve, table, words, telling.measure(metric), x=x, group=look.group, counted=counted,
        x_title=f"{x} of the deal",
    )  # fmt: skip
    look.show("frozen_along", draw, words, answer, drawn=table)


def _states(look: Closer) -> None:
    metric = data.defined("pile_state_share")
    answer = look.ask(metric.name, "round", "state")
    words = wording_pile.states_of(answer.table, metric, look.played)
    table = telling.relabelled(answer.table, "state", wording_pile.STATES)
    names = telling.there(table, "state", tuple(wording_pile.STATES.values()))
    palette = telling.fixed(wording_pile.STATE_PLACES, look.chosen.palette)
    draw = partial(
        charts.area, table, words, telling.measure(metric, "share of turns"), x="round", parts="state", order=names,
        group=look.group, counted="turns",
    )  # fmt: skip
    figure.show("states", draw, palette, words, answer.table, answer.source, legend=names)


def _causes(look: Closer) -> None:
    metric = data.defined("freezes_per_deal")
    answer = look.ask(metric.name, "cause")
    table, _ = telling.unruled(answer.table)
    if table.is_empty():
        figure.explain("No card freezes the pile here: it is always frozen, by rule.")
        return
    words = wording_pile.causes_of(table, metric, look.played)
    table = telling.relabelled(telling.occurring(table, "cause"), "cause", wording_pile.CAUSES)
    draw = partial(charts.bars, table, words, telling.measure(metric), rows="cause", group=look.group)
    look.show("causes", draw, words, answer, drawn=table)


def _lengths(look: Closer) -> None:
    metric = data.defined("freeze_length")
    answer = together.join([
        ("length", look.distribution(metric.name)), ("ended by the deal", look.ask("freeze_ended_rate")),
    ])  # fmt: skip
    lengths, ended = (telling.part(answer.table, name) for name in ("length", "ended by the deal"))
    if lengths.is_empty():
        figure.explain("No freeze has a length here: no card froze the pile.")
        return
    words = wording_pile.lengths_of(lengths, ended, metric, look.played)
    measure = charts.Measure("turns from the freeze to its end")
    draw = partial(charts.ecdf, lengths, words, measure, group=look.group, edge=ended, edge_title="ended by the deal")
    look.show("freeze_length", draw, words, answer, drawn=lengths)


def _profits(chosen: Chosen) -> None:
    metric = data.defined("freeze_won_rate")
    played = data.games(chosen.run, chosen.variants, chosen.lineups).table
    answer = together.join(
        [(label, data.ask(chosen.run, name, by, chosen.variants, chosen.lineups)) for label, name, by in PROFIT]
    )
    table = wording_pile.beside_even(answer.table)
    if table.is_empty():
        figure.explain("Nobody took a pile that a wild card thrown had frozen.")
        return
    words = wording_pile.profit_of(table, metric, played)
    draw = partial(
        charts.dots, table, words, telling.measure(metric), rows="row", group="strategy", absent="", beside="even"
    )
    palette = telling.with_strategies(chosen.palette, table["strategy"])
    legend = table["strategy"].to_list()
    figure.show("profits", draw, palette, words, answer.table, answer.source, legend=legend)


def _sizes(look: Closer) -> None:
    metric = data.defined("cards_per_take")
    answer = look.distribution(metric.name)
    if answer.table.is_empty():
        figure.explain("Nobody took the pile.")
        return
    words = wording_pile.sizes_of(answer.table, metric, look.played)
    draw = partial(charts.histogram, answer.table, words, charts.Measure("cards that a take brings"), group=look.group)
    look.show("take_sizes", draw, words, answer)


def _bring(look: Closer) -> None:
    metric = data.defined("take_margin")
    answer = look.ask(metric.name, "take_size")
    if answer.table.is_empty():
        return
    words = wording_pile.bring_of(answer.table, metric, look.played)
    draw = partial(
        charts.curve, answer.table, words, telling.measure(metric), x="take_size", group=look.group, counted="takes",
        x_title="cards that the take brings",
    )  # fmt: skip
    look.show("take_margin", draw, words, answer)


def _leave(look: Closer) -> None:
    """By strategy, of one variant: what a pile is worth taking differs with the rules."""
    metric = data.defined("take_rate")
    variant = closer.choose_variant(look.chosen)
    chosen = look.chosen
    answer = data.ask(chosen.run, metric.name, ("strategy", "pile_size"), (variant,), chosen.lineups)
    if answer.table.is_empty():
        figure.explain(f"{variant} was not played by the line-ups chosen.")
        return
    played = data.games(chosen.run, (variant,), chosen.lineups).table
    words = wording_pile.leaves_of(answer.table, metric, played)
    table = telling.relabelled(answer.table, "pile_size", wording_pile.SIZES)
    draw = partial(charts.dots, table, words, telling.measure(metric), rows="pile_size", group="strategy")
    palette = telling.with_strategies(chosen.palette, table["strategy"])
    figure.show("take_or_leave", draw, palette, words, answer.table, answer.source, legend=table["strategy"].to_list())
