"""Macros of a run in SQL: side and strategy of a seat, seats that play a deal, by variant and line-up."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.cells import RunCell
from pipeline.literal import literal


def seats_sql(cells: Sequence[RunCell], template: str) -> str:
    """The statements that make them, filled into pipeline/sql/views/seats.sql."""
    side_counts: dict[int, list[str]] = {}
    for cell in cells:
        variants = side_counts.setdefault(max(cell.seat_sides), [])
        if cell.variant not in variants:
            variants.append(cell.variant)
    active: dict[int, list[str]] = {}
    for cell in cells:
        active.setdefault(cell.active_seats, []).append(cell.variant)
    by_count = [(f"(seat::integer - 1) % {count} + 1", variants) for count, variants in side_counts.items()]
    return template.format(
        side_of_seat=_choose(by_count),
        active_seats=_choose([(str(count), list(dict.fromkeys(names))) for count, names in active.items()]),
        strategy_of_seat=_names_by_lineup(cells, "seat_strategies", "seat"),
        strategy_of_side=_names_by_lineup(cells, "side_strategies", "side"),
    )


def _choose(by_variant: Sequence[tuple[str, Sequence[str]]]) -> str:
    """The expression of each variant, or the only one."""
    if len(by_variant) == 1:
        return f"({by_variant[0][0]})"
    branches = " ".join(
        f"when variant in ({', '.join(map(literal, variants))}) then {expression}"
        for expression, variants in by_variant
    )
    return f"(case {branches} end)"


def _names_by_lineup(cells: Sequence[RunCell], attribute: str, place: str) -> str:
    lineups: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for cell in cells:
        lineups.setdefault(cell.lineup, {}).setdefault(getattr(cell, attribute), []).append(cell.variant)
    branches = []
    for lineup, by_names in lineups.items():
        choices = [
            (literal(names[0]) if len(set(names)) == 1 else f"{literal(list(names))}[{place}]", variants)
            for names, variants in by_names.items()
        ]
        branches.append(f"when {literal(lineup)} then case when {place} is not null then {_choose(choices)} end")
    return f"(case lineup {' '.join(branches)} end)"
