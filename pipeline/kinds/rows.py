"""Rows behind an answer of a kind of its own: read by game, checked for their seatings, put in the plan's order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl

from engine.errors import BadInput
from engine.log import TABLES
from pipeline.catalog import first_line, read_sql
from pipeline.measure_question import Question, used
from pipeline.metric import Metric


@dataclass(frozen=True)
class Asked:
    """A question and what it is asked of: `values` are those of the metric's parameters, lists of names, or None."""

    connection: duckdb.DuckDBPyConnection
    question: Question
    values: Mapping[str, Any]
    variant: list[str] | None
    lineup: list[str] | None
    level: float

    def read(
        self,
        columns: Mapping[str, str],
        rows: str = "true",
        *,
        unit: str = "game",
        more: Mapping[str, str] | None = None,
    ) -> pl.DataFrame:
        """These aggregates for each value of the question's keys, of `game` and of `more` (SQL over a row), unordered.

        `rows` holds for the rows that count; `unit` is what stands in `game`.
        """
        question = self.question
        table = question.counted.table
        given = "given_lineup" in question.groups and question.metric.seatings != "contest"
        text = read_sql("kinds/rows.sql").format(
            keys=", ".join(
                [
                    *question.groups,
                    *(f'{one.tables[table]} as "{one.name}"' for one in question.dimensions),
                    f"{unit} as game",
                    *(f'{expression} as "{name}"' for name, expression in (more or {}).items()),
                ]
            ),
            columns=", ".join(f'{expression} as "{name}"' for name, expression in columns.items()),
            table=table if table in TABLES else f"({read_sql(f'relations/{table}.sql').strip()}) as {table}",
            plan=read_sql("kinds/given.sql").strip() if given else "",
            rows=rows,
            where=question.where,
        )
        try:
            frame: pl.DataFrame = self.connection.sql(
                text, params=used({"variant": self.variant, "lineup": self.lineup, **self.values}, text)
            ).pl()
        except duckdb.Error as error:
            if not question.where:
                raise
            raise BadInput(f"where: {first_line(error)}") from None
        names = [one.name for one in question.dimensions]
        return frame.drop_nulls(names) if names else frame

    def count_games(self) -> pl.DataFrame:
        """Games of each value of the question's groups, `games`: the same number in several cells is the same game."""
        text = read_sql("kinds/games.sql").format(keys=", ".join(self.question.groups) or "()")
        parameters = {"variant": self.variant, "lineup": self.lineup}
        counted: pl.DataFrame = self.connection.sql(text, params=parameters).pl()
        return counted.select(*self.question.groups, "games")

    def order(self, rows: pl.DataFrame, *then: str) -> pl.DataFrame:
        """Rows in the order of the plan, of the dimensions and of `then`, null last."""
        groups = list(self.question.groups)
        if groups:
            plan: pl.DataFrame = (
                self.connection.view("cells").aggregate(", ".join([*groups, "min(cell) as cell"]), ", ".join(groups))
            ).pl()
            rows = rows.join(plan, on=groups, how="left")
        else:
            rows = rows.with_columns(pl.lit(0).alias("cell"))
        ordered = [
            pl.col(one.name).cast(pl.String).cast(pl.Enum(one.words)) if one.words else pl.col(one.name)
            for one in self.question.dimensions
        ]
        return rows.sort("cell", *ordered, *then, nulls_last=True, maintain_order=True).drop("cell")


@dataclass(frozen=True)
class Seatings:
    """A line-up as given under a variant: the seatings of it that were played, of how many there are."""

    variant: str
    given: str
    lineups: tuple[str, ...]
    strategies: tuple[str, ...]
    rotations: int

    @property
    def alike(self) -> bool:
        """Whether all sides play the same strategy."""
        return len(set(self.strategies)) == 1

    @property
    def mirrored(self) -> bool:
        """Whether every seating was played."""
        return len(self.lineups) == self.rotations


def read_seatings(
    connection: duckdb.DuckDBPyConnection, variant: list[str] | None, lineup: list[str] | None
) -> list[Seatings]:
    """Line-ups as given of these variants, of which any of these seatings was chosen, in the order of the plan."""
    rows = connection.sql(read_sql("kinds/seatings.sql"), params={"variant": variant, "lineup": lineup}).pl()
    return [
        Seatings(row["variant"], row["given_lineup"], tuple(row["lineups"]), tuple(row["strategies"]), row["rotations"])
        for row in rows.iter_rows(named=True)
    ]


def check_seatings(
    connection: duckdb.DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str] | None,
    variant: list[str] | None,
    lineup: list[str] | None,
) -> None:
    """BadInput with the reason where a mirrored metric is asked of a line-up without all of its seatings."""
    if metric.seatings != "mirrored":
        return
    there = read_seatings(connection, variant, lineup)
    lacking = [one.given for one in there if (lineup and not set(one.lineups) <= set(lineup)) or not one.mirrored]
    if lacking:
        raise BadInput(_say_lacking(metric, lacking))
    if "lineup" in (metric.default_by if by is None else by) and any(not one.alike for one in there):
        raise BadInput(f"{metric.name} adds up all seatings of a line-up: split it by given_lineup, not by lineup")


def choose_contests(metric: Metric, there: Sequence[Seatings], sides: int = 0) -> list[Seatings]:
    """The line-ups that a contest may be asked of: mirrored, of sides that differ, of so many `sides` where given.

    Line-ups of like sides are left out; BadInput with the reason when none is left or one lacks a seating.
    """
    fitting = [one for one in there if not one.alike and len(one.strategies) == (sides or len(one.strategies))]
    if not fitting:
        some = ", ".join(dict.fromkeys(one.given for one in there)) or "none"
        raise BadInput(
            f"{metric.name} is between {'two ' if sides == 2 else ''}sides that play unlike strategies, such as "
            f"safe~naive: with like ones the games of a block are one and the same; chosen: {some}"
        )
    lacking = [one.given for one in fitting if not one.mirrored]
    if lacking:
        raise BadInput(_say_lacking(metric, lacking))
    return fitting


def _say_lacking(metric: Metric, lacking: Sequence[str]) -> str:
    return (
        f"{metric.name} needs every seating of a line-up, on the same cards, or like strategies on all sides; of "
        f"{', '.join(dict.fromkeys(lacking))} not all were played or chosen: simulate with mirror=True (--mirror), "
        "choose all its seatings or leave it out"
    )
