"""The cells of a run, from its manifest and commits: rules, seats, games; and the columns of `cells`.

A rule's value becomes a typed column by the kind of its parameter, so that every run has the same
columns with the same types whatever its values. Reads no file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.parameter_kinds import Parameter, Totals, Whole, Word, Words, YesNo
from engine.parameter_tables import BonusCards, Contents, KeyWords, Minimums, Points
from engine.parameter_text import BELOW_ALL
from engine.rules import PARAMETERS
from pipeline.rollup import has_rollups

if TYPE_CHECKING:
    from pipeline.dataset import Commit


@dataclass(frozen=True, eq=False)
class RunCell:
    """One variant × line-up of a run, with its committed shards in order."""

    variant: str
    lineup: str
    given: str
    base: str
    changes: Mapping[str, Any]
    confidence: str
    rules: Mapping[str, Any]
    seat_sides: tuple[int, ...]
    seat_strategies: tuple[str, ...]
    games_planned: int
    shards: tuple[Commit, ...]

    @property
    def games(self) -> int:
        """Committed games."""
        return sum(shard.games for shard in self.shards)

    def is_rolled_up(self, digest: str) -> bool:
        """Whether every shard names all roll-ups, of the definitions with this digest (`rollup.rollup_digest`)."""
        return bool(self.shards) and all(shard.rollup_digest == digest and has_rollups(shard) for shard in self.shards)

    @property
    def side_strategies(self) -> tuple[str, ...]:
        """Strategy of each side, from side 1; partners who differ are written `safe+hoarder`."""
        sides: dict[int, list[str]] = {}
        for side, strategy in sorted(zip(self.seat_sides, self.seat_strategies, strict=True), key=lambda seat: seat[0]):
            sides.setdefault(side, []).append(strategy)
        return tuple(names[0] if len(set(names)) == 1 else "+".join(names) for names in sides.values())

    @property
    def active_seats(self) -> int:
        """Seats that play a deal; of five, one of the three partners sits out."""
        return 4 if len(self.seat_sides) == 5 else len(self.seat_sides)

    @property
    def cards(self) -> tuple[Any, ...]:
        """Cells with equal ones are comparable: the same cards reach the same seats, game by game."""
        return tuple(self.rules.get(name) for name in ("players", "packs", "jokers"))


def list_some(texts: Sequence[str], most: int = 4) -> str:
    """Some of the texts for an error, and how many more there are."""
    more = f", and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def read_cells(manifest: Mapping[str, Any], shards: Sequence[Commit]) -> tuple[RunCell, ...]:
    """Cells in the order of the plan."""
    by_cell: dict[tuple[str, str], list[Commit]] = {}
    for shard in shards:
        by_cell.setdefault((shard.variant, shard.lineup), []).append(shard)
    return tuple(_read_cell(cell, by_cell.get((cell["variant"], cell["lineup"]), [])) for cell in manifest["cells"])


def _read_cell(cell: Mapping[str, Any], shards: Sequence[Commit]) -> RunCell:
    seats = sorted(cell["seats"], key=lambda seat: int(seat["seat"]))
    return RunCell(
        cell["variant"],
        cell["lineup"],
        cell["group"],
        cell["base"],
        cell["changes"],
        cell["confidence"],
        cell["rules"],
        tuple(seat["side"] for seat in seats),
        tuple(seat["strategy"] for seat in seats),
        cell["games"],
        tuple(sorted(shards, key=lambda shard: shard.first_game)),
    )


_TYPES: dict[type[Parameter], str] = {
    Whole: "INTEGER",
    YesNo: "BOOLEAN",
    Word: "VARCHAR",
    Words: "VARCHAR[]",
    Totals: "INTEGER[]",
    Minimums: 'STRUCT("from" INTEGER, minimum INTEGER)[]',
    Contents: 'STRUCT("from" INTEGER, content VARCHAR)[]',
    KeyWords: "MAP(VARCHAR, VARCHAR)",
    Points: "MAP(VARCHAR, INTEGER)",
    BonusCards: 'STRUCT(counts INTEGER[], "when" VARCHAR)',
}
CELL_COLUMNS = (
    ("cell", "INTEGER", "number", "place of the cell in the plan, from 1"),
    ("variant", "VARCHAR", "", "slug of the rules"),
    ("lineup", "VARCHAR", "", "slug of the strategies of all sides"),
    ("given_lineup", "VARCHAR", "", "the line-up as given in the plan: all its rotations over the sides share it"),
    ("base", "VARCHAR", "", "variant that the changes were made to"),
    ("changes", "VARCHAR", "", "changed parameters, as JSON"),
    ("confidence", "VARCHAR", "", "how well the variant's rules are known: H, M, L"),
    ("side_strategies", "VARCHAR[]", "", "strategy of each side, from side 1"),
    ("seat_strategies", "VARCHAR[]", "", "strategy of each seat, from seat 1"),
    ("games", "INTEGER", "games", "committed games"),
    ("games_planned", "INTEGER", "games", "games of the plan"),
    ("seed", "BIGINT", "", "the run's seed"),
    ("comparable_group", "INTEGER", "number", "cells with the same number met the same cards game by game"),
)
"""Name, type, unit and description of the columns of `cells` that are no rule parameter."""


def rule_type(parameter: Parameter) -> str:
    """DuckDB type of a parameter's column."""
    return _TYPES[type(parameter)]


def cell_types() -> dict[str, str]:
    """DuckDB type of every column of `cells`, in order."""
    return {name: kind for name, kind, *_ in CELL_COLUMNS} | {
        name: rule_type(parameter) for name, parameter in PARAMETERS.items()
    }


def describe_cells() -> dict[str, tuple[str, str]]:
    """Unit and description of every column of `cells`."""
    return {name: (unit, text) for name, _, unit, text in CELL_COLUMNS} | {
        name: ("", parameter.meaning) for name, parameter in PARAMETERS.items()
    }


def cell_rows(cells: Sequence[RunCell], seed: int) -> list[dict[str, Any]]:
    """A value for each column of `cell_types`, one row a cell: structs as tuples, null for a rule the run lacks."""
    groups = {cards: place for place, cards in enumerate(dict.fromkeys(cell.cards for cell in cells), 1)}
    return [
        {
            "cell": place,
            "variant": cell.variant,
            "lineup": cell.lineup,
            "given_lineup": cell.given,
            "base": cell.base,
            "changes": json.dumps(cell.changes),
            "confidence": cell.confidence,
            "side_strategies": list(cell.side_strategies),
            "seat_strategies": list(cell.seat_strategies),
            "games": cell.games,
            "games_planned": cell.games_planned,
            "seed": seed,
            "comparable_group": groups[cell.cards],
        }
        | {name: _plain(parameter, cell.rules.get(name)) for name, parameter in PARAMETERS.items()}
        for place, cell in enumerate(cells, 1)
    ]


def _plain(parameter: Parameter, value: Any) -> Any:
    if isinstance(parameter, Contents) and isinstance(value, str):
        value = [(BELOW_ALL, value)]
    if isinstance(parameter, (Minimums, Contents)):
        return value and [tuple(row) for row in value]
    if isinstance(parameter, BonusCards):
        return value and (list(value["counts"]), value["when"])
    return value
