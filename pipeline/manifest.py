"""The manifest of a run: its whole plan as JSON, from the start; what may extend it and what is refused.

Keys: format, schema_version, kernel (digest), seed, shard_games, created, packages, cells, summary (null until
all games of the plan are there). A cell has variant, lineup, group (slug of the line-up as given, shared by its
rotations), games, shard_games, base, changes, confidence, title, rules (every parameter), seats (seat, side,
strategy) and strategies (name → description, digest, decisions with function and weights). Reads and writes no file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from engine.errors import BadInput
from engine.jit import KERNEL_DIGEST
from engine.log import SCHEMA_VERSION
from engine.rules import side_of_seats
from engine.strategies import Strategy
from pipeline.dataset import FORMAT, Manifest
from pipeline.plan import Cell, Plan

PACKAGES = ("numpy", "numba", "pyarrow")


def make_manifest(plan: Plan) -> Manifest:
    """Manifest of a new run; the plan must be settled."""
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "kernel": KERNEL_DIGEST,
        "seed": plan.seed,
        "shard_games": plan.shard_games,
        "created": now(),
        "packages": {name: version(name) for name in PACKAGES},
        "cells": [_describe_cell(cell, plan) for cell in plan.cells],
        "summary": None,
    }


def extend_manifest(manifest: Manifest, plan: Plan, played: Mapping[tuple[str, str], int]) -> Manifest:
    """The run's manifest with the plan's cells added or lengthened; no summary, for the run is unfinished again.

    `played` is the last game committed in each cell: fewer than those a plan cannot ask for. Raises BadInput
    naming the first thing in which the run was made otherwise: schema, engine, seed, shard size, rules, strategies.
    """
    new = make_manifest(plan.settled(manifest["shard_games"]))
    for key, what in (
        ("schema_version", "log schema"),
        ("kernel", "engine digest"),
        ("seed", "seed"),
        ("shard_games", "shard_games"),
    ):
        if manifest[key] != new[key]:
            raise BadInput(f"the run was made with {what} {manifest[key]}, this is {new[key]}; {_ANEW}")
    cells = {(cell["variant"], cell["lineup"]): cell for cell in manifest["cells"]}
    for cell in new["cells"]:
        place = cell["variant"], cell["lineup"]
        if place in cells:
            _check_same(cells[place], cell)
            cell = {**cells[place], "games": max(cell["games"], played.get(place, 0))}
        cells[place] = cell
    _check_names(cells.values())
    return {**manifest, "cells": list(cells.values()), "summary": None}


def now() -> str:
    """The time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


_ANEW = "give another folder as out (--out), or replace=True (--replace) to make it anew"
_ELSEWHERE = f"{_ANEW}; more games or more cells of the same plan extend it"


def _check_same(old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    name = f"{old['variant']} {old['lineup']}"
    for parameter in old["rules"].keys() | new["rules"].keys():
        mine, given = old["rules"].get(parameter), new["rules"].get(parameter)
        if mine != given:
            raise BadInput(f"the run has {name} with {parameter}={_show(mine)}, not {_show(given)}; {_ELSEWHERE}")
    if old["seats"] != new["seats"]:
        raise BadInput(f"the run has {name} with other strategies at the seats; {_ELSEWHERE}")
    for strategy, mine in old["strategies"].items():
        if mine["digest"] != new["strategies"][strategy]["digest"]:
            raise BadInput(
                f"the run has {name} with another strategy {strategy} ({_difference(mine, new, strategy)}); "
                f"{_ELSEWHERE}"
            )


def _check_names(cells: Iterable[Mapping[str, Any]]) -> None:
    """BadInput when one name stands for two strategies or two sets of rules in cells that were planned apart."""
    strategies: dict[str, str] = {}
    variants: dict[str, Any] = {}
    for cell in cells:
        for name, strategy in cell["strategies"].items():
            if strategies.setdefault(name, strategy["digest"]) != strategy["digest"]:
                raise BadInput(f"the run has another strategy called '{name}'; rename the function or file, or {_ANEW}")
        if variants.setdefault(cell["variant"], cell["rules"]) != cell["rules"]:
            raise BadInput(f"the run has other rules called '{cell['variant']}'; rename the file, or {_ANEW}")


def _difference(mine: Mapping[str, Any], new: Mapping[str, Any], strategy: str) -> str:
    given = new["strategies"][strategy]
    for decision, old in mine["decisions"].items():
        other = given["decisions"].get(decision)
        if old["function"] != other["function"]:
            return f"{decision} by {old['function']}, not {other['function']}"
        for weight, value in old["weights"].items():
            if other["weights"].get(weight) != value:
                return f"{decision} weight {weight} {value}, not {other['weights'].get(weight)}"
    return f"code {mine['digest']}, not {given['digest']}"


def _show(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _describe_cell(cell: Cell, plan: Plan) -> dict[str, Any]:
    variant = cell.variant
    sides = side_of_seats(variant.rules)
    return {
        "variant": variant.slug,
        "lineup": cell.slug,
        "group": cell.group,
        "games": cell.games,
        "shard_games": plan.shard_games,
        "base": variant.name,
        "changes": _plain(dict(variant.changes)),
        "confidence": variant.confidence,
        "title": variant.title,
        "rules": _plain(variant.rules.as_dict()),
        "seats": [
            {"seat": seat, "side": side + 1, "strategy": strategy.name}
            for seat, (side, strategy) in enumerate(zip(sides, cell.lineup, strict=True), start=1)
        ],
        "strategies": {strategy.name: _describe_strategy(strategy) for strategy in cell.lineup},
    }


def _describe_strategy(strategy: Strategy) -> dict[str, Any]:
    return {
        "description": strategy.description,
        "digest": strategy.digest,
        "decisions": {
            kind: {"function": decision.name, "weights": strategy.weights_of(kind)}
            for kind, decision in strategy.decisions.items()
        },
    }


def _plain(value: Any) -> Any:
    """The value as it will be read back from JSON, so that what is compared is what is stored."""
    return json.loads(json.dumps(value, default=dict))
