"""Strategies: which discard strategy is better, by how much, and why."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards import charts, data, figure, filters, telling, theme, together, wording, wording_strategies
from dashboards.charts import Measure
from dashboards.data import Answer
from dashboards.filters import Chosen

RISK = Measure("Taken by the next seat", share=True)


def show(chosen: Chosen) -> None:
    """Draw the page."""
    st.title("Strategies")
    st.header("Who is best?")
    _contest(chosen)
    st.header("What is dangerous to throw?")
    closer, played = _choose(chosen)
    _risk(closer, played)
    _danger(closer, played)
    _folklore(closer, played)
    st.header("What does each throw?")
    everyone = Chosen(chosen.run, closer.variants, chosen.lineups, chosen.base, chosen.palette)
    played = data.games(chosen.run, everyone.variants, everyone.lineups)
    _throws(everyone, played)
    _cost(everyone, played)


def _contest(chosen: Chosen) -> None:
    duels = data.query(chosen.run, "head_to_head", chosen.variants, chosen.lineups)
    if duels.table.is_empty():
        figure.explain(*data.how_to_contest(chosen.run))
        return
    ladder = data.query(chosen.run, "ladder", chosen.variants, chosen.lineups)
    if not ladder.table.is_empty():
        _ladder(chosen, ladder)
    words = wording_strategies.matrix_of(duels.table)
    panels = "variant" if duels.table["variant"].n_unique() > 1 else ""
    measure = Measure("Games won", share=True)
    table = wording_strategies.matchups(duels.table)
    draw = partial(
        charts.heat, table, words, measure, x="opponent", y="strategy", panels=panels, middle=0.5,
        titles=("against", "strategy"),
    )  # fmt: skip
    figure.show("matrix", draw, chosen.palette, words, duels.table, duels.source)
    table = wording_strategies.edges(duels.table)
    words = wording_strategies.edges_of(table)
    draw = partial(
        charts.difference, table, words, Measure("Points per deal ahead", "points"), rows="pair", group="variant"
    )
    legend = table["variant"].to_list()
    figure.show("points_ahead", draw, chosen.palette, words, duels.table, duels.source, legend=legend)


def _ladder(chosen: Chosen, answer: Answer) -> None:
    words = wording_strategies.ladder_of(answer.table)
    table = wording_strategies.rungs(answer.table)
    measure = Measure("Win rate against the pool's mean", share=True)
    draw = partial(charts.estimate, table, words, measure, rows="strategy", group="variant", at=0.5)
    legend = table["variant"].to_list()
    figure.show("ladder", draw, chosen.palette, words, answer.table, answer.source, legend=legend)


def _choose(chosen: Chosen) -> tuple[Chosen, Answer]:
    """The one variant and line-up that the figures on discards are about, and their games."""
    played = data.games(chosen.run, chosen.variants, chosen.lineups)
    with st.container(horizontal=True):
        variant = filters.choose_one("Variant", data.played_in(played.table, "variant"), "rules", first=chosen.base)
        there = data.played_in(played.table.filter(variant=variant), "lineup")
        lineup = filters.choose_one("Line-up", there, "closer")
    closer = Chosen(chosen.run, (variant,), (lineup,), chosen.base, chosen.palette)
    return closer, data.games(chosen.run, closer.variants, closer.lineups)


def _risk(closer: Chosen, played: Answer) -> None:
    answer = data.ask(closer.run, "discard_risk", ("rank", "round", "in_theirs"), closer.variants, closer.lineups)
    words = wording_strategies.risk_of(answer.table, played.table, closer.variants[0])
    draw = partial(
        charts.heat, answer.table, words, RISK, x="round", y="rank", panels="in_theirs",
        down=wording_strategies.NATURAL, titles=("round", "rank"), names=wording_strategies.PANELS, count="denominator",
    )  # fmt: skip
    figure.show("risk", draw, closer.palette, words, answer.table, answer.source)


def _danger(closer: Chosen, played: Answer) -> None:
    parts = ((wording_strategies.COULD, "discard_danger"), (wording_strategies.TOOK, "discard_risk"))
    answer = together.join(
        [(label, data.ask(closer.run, name, ("rank",), closer.variants, closer.lineups)) for label, name in parts]
    )
    words = wording_strategies.danger_of(answer.table, played.table, closer.variants[0])
    measure = Measure("Discards the next seat could take, and took", share=True)
    draw = partial(charts.dumbbell, answer.table, words, measure, rows="rank", down=wording_strategies.RANKS)
    names = [label for label, _ in parts]
    colours = theme.palette(names, mode=closer.palette.mode)
    figure.show("danger", draw, colours, words, answer.table, answer.source, legend=names)


def _folklore(closer: Chosen, played: Answer) -> None:
    answer = together.join(
        [
            (label, data.ask(closer.run, "discard_risk", ("card_class", name), closer.variants, closer.lineups))
            for label, name in wording_strategies.SITUATIONS
        ]
    )
    table = wording_strategies.folklore(answer.table)
    words = wording_strategies.folklore_of(table, played.table, closer.variants[0])
    draw = partial(charts.estimate, table, words, RISK, rows="situation", group="part", by_value=False)
    colours = theme.palette([label for label, _ in wording_strategies.SITUATIONS], mode=closer.palette.mode)
    figure.show("folklore", draw, colours, words, answer.table, answer.source)


def _throws(chosen: Chosen, played: Answer) -> None:
    metric = data.defined("discard_class_share")
    answer = data.ask(chosen.run, metric.name, ("strategy", "class"), chosen.variants, chosen.lineups)
    words = wording_strategies.throws_of(answer.table, metric, played.table, chosen.variants[0])
    draw = partial(
        charts.shares, answer.table, words, Measure("Share of discards", share=True), rows=("strategy",), parts="class",
        order=wording_strategies.CLASSES,
    )  # fmt: skip
    colours = theme.palette(wording_strategies.CLASSES, mode=chosen.palette.mode)
    legend = answer.table.filter(answer.table["value"] > 0)["class"].to_list()
    names = wording_strategies.CLASS
    figure.show("throws", draw, colours, words, answer.table, answer.source, legend=legend, names=names)


def _cost(chosen: Chosen, played: Answer) -> None:
    metric = data.defined("discard_cost")
    if not filters.work_out(metric.title, played.table):
        return
    answer = data.ask(chosen.run, metric.name, ("strategy",), chosen.variants, chosen.lineups)
    words = wording_strategies.cost_of(answer.table, metric, played.table, chosen.variants[0])
    draw = partial(charts.estimate, answer.table, words, wording.measure_of(metric), rows="strategy", group="strategy")
    palette = telling.with_strategies(chosen.palette, answer.table["strategy"])
    figure.show("cost", draw, palette, words, answer.table, answer.source)
