"""What a chart is drawn from: an answer, or a table that the columns tell apart; checked, with its words and axes."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from dashboards import theme
from dashboards.charts.words import Measure, Words
from engine.errors import BadInput
from pipeline.ask import Answer
from pipeline.metric import Metric, load_metric

SHARE = "%"
AT = "at"
SHARES = (AT, "share", "share_low", "share_high", "cum", "cum_low", "cum_high")
"""Columns of a distribution."""
VALUES = ("value", "low", "high", "games", "few")
"""Columns of a metric and, beside `p`, of quantiles."""


@dataclass(frozen=True)
class Drawn:
    """A table with what is said about it; `keys` tell its rows apart, `base` is what the differences are to, if any."""

    table: pl.DataFrame
    keys: tuple[str, ...]
    name: str
    words: Words
    measure: Measure
    base: str | None = None

    @property
    def against_base(self) -> Measure:
        """The axis of differences."""
        title = f"{self.measure.title}, difference to {self.base}"
        return Measure(title, self.measure.unit, self.measure.share)


def drawn_from(source: object, name: str | None = None) -> Drawn:
    """What there is to draw of an answer, or of a table of the metric `name`; BadInput where that is nothing."""
    if isinstance(source, Answer):
        return _of_answer(source)
    if not isinstance(source, pl.DataFrame):
        raise BadInput(f"a chart is of an answer of ask, or a table of metric, distribution or quantiles; not of a "
                       f"{type(source).__name__}")  # fmt: skip
    metric = _metric_of(source, name)
    if set(SHARES) <= set(source.columns):
        return _of_distribution(source, metric)
    lacking = [column for column in VALUES if column not in source.columns]
    if lacking:
        raise BadInput(f"a table with {', '.join(VALUES)} can be drawn, or one with {', '.join(SHARES)}; this one has "
                       f"{', '.join(source.columns) or 'no columns'}")  # fmt: skip
    return _of_values(source, metric)


def _of_answer(answer: Answer) -> Drawn:
    metric, asked = answer.metric, answer.asked
    table = _with_values(answer.table, metric.name)
    where = [f"where {asked.where}"] if asked.where else []
    told = [*where, _games(table["games"].to_list(), table.height), f"{asked.level * 100:g} % intervals"]
    words = Words(answer.sentence, _facts(table, _before(table, "value"), metric, told))
    return Drawn(table, _before(table, "value"), metric.name, words, _measure(metric), asked.base)


def _of_values(source: pl.DataFrame, metric: Metric | None) -> Drawn:
    """A table of `Run.metric` or `Run.quantiles`."""
    name = metric.name if metric else "table"
    table = _with_values(source, name).with_columns(pl.col("value", "low", "high").cast(pl.Float64))
    quantiles = "p" in _before(table, "value")
    if metric and quantiles and metric.distribution:
        measure = Measure(metric.distribution.unit, metric.distribution.unit)
    elif metric:
        measure = _measure(metric)
    else:
        shares = "method" in table.columns and table["method"].str.contains("^[WB]").all()
        measure = Measure("quantile" if quantiles else "value", SHARE if shares else "", share=bool(shares))
    keys = _before(table, "value")
    title = f"{metric.title}{', quantiles' if quantiles else ''}" if metric else _titled(measure, keys)
    facts = _facts(table, keys, metric, [_games(table["games"].to_list(), table.height)])
    compared = "diff" in table.columns and table["diff"].null_count() < table.height
    return Drawn(table, keys, name, Words(title, facts), measure, "the base" if compared else None)


def _of_distribution(source: pl.DataFrame, metric: Metric | None) -> Drawn:
    table, keys = source.drop_nulls("share"), _before(source, AT)
    if table.is_empty():
        raise BadInput("the distribution has no rows to draw")
    # Nobody's numbers are pale: their intervals show how sure they are.
    table = table if "few" in table.columns else table.with_columns(few=pl.lit(False))
    unit = metric.distribution.unit if metric and metric.distribution else ""
    measure = Measure(unit or "number", unit)
    title = f"{metric.title}: how often" if metric else "How often each number occurs"
    games = [_games(table["games"].to_list(), 1)] if "games" in table.columns else []
    return Drawn(table, keys, metric.name if metric else "table", Words(title, _facts(table, keys, metric, games)),
                 measure)  # fmt: skip


def _metric_of(table: pl.DataFrame, name: str | None) -> Metric | None:
    """The metric that is named, or that the table's column `metric` names; several must have one unit."""
    named = table["metric"].unique(maintain_order=True).to_list() if "metric" in table.columns else []
    metrics = [load_metric(one) for one in ([name] if name is not None else named)]
    units = list(dict.fromkeys(one.unit for one in metrics))
    if len(units) > 1:
        raise BadInput(f"{', '.join(named)} are in {' and '.join(units)}: draw those of one unit at a time")
    return metrics[0] if len(metrics) == 1 else None


def _with_values(table: pl.DataFrame, name: str) -> pl.DataFrame:
    known = table.drop_nulls("value") if "value" in table.columns else table.clear()
    if known.is_empty():
        raise BadInput(f"{name}: there is no value to draw")
    return known


def _before(table: pl.DataFrame, column: str) -> tuple[str, ...]:
    return tuple(table.columns[: table.columns.index(column)])


def _measure(metric: Metric) -> Measure:
    return Measure(metric.title, metric.unit, share=metric.unit == SHARE)


def _titled(measure: Measure, keys: tuple[str, ...]) -> str:
    by = " and ".join(name.replace("_", " ") for name in keys if name != "p")
    return f"{measure.title.capitalize()} by {by}" if by else measure.title.capitalize()


def _games(games: list[int], rows: int) -> str:
    most = f"{'' if len(set(games)) == 1 else 'up to '}{theme.large(max(games))} games"
    return f"{most} a row" if rows > 1 else most


def _facts(table: pl.DataFrame, keys: tuple[str, ...], metric: Metric | None, told: list[str]) -> tuple[str, ...]:
    """Below the title: what was measured, under which conditions, on how many games, at which level."""
    held = [f"{name.replace('_', ' ')} {table[name][0]}" for name in keys if table[name].n_unique() == 1]
    return (*([metric.sentence] if metric else []), " · ".join([*held, *told]))
