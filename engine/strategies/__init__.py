"""Named strategies: one TOML each, four decision functions and their weights; and line-ups of them.

A user's own is `mine.py:name` (a decision declared with `engine.decision.strategy`; the other three
decisions are those of `safe`), the name of a decision given to `add_strategy`, or a TOML file like the
built-in ones. A line-up gives a strategy to every side (`safe~random`), partners apart where they
differ (`safe+hoarder~naive`).
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

from engine.decision import KINDS, Decision
from engine.errors import BadInput
from engine.parameter_text import near
from engine.rules import Rules, side_of_seats

_HERE = Path(__file__).parent
_BASE = "safe"
_SLUG = re.compile(r"[a-z0-9_.-]+")
_added: dict[str, Strategy] = {}


@dataclass(frozen=True)
class Strategy:
    """Four decisions and the weights given to each."""

    name: str
    description: str
    decisions: Mapping[str, Decision]
    weights: Mapping[str, Mapping[str, float]]
    own: bool = False

    @cached_property
    def digest(self) -> str:
        """Digest of the functions and of every weight: what decides how it plays."""
        parts = [
            (kind, self.decisions[kind].name, self.decisions[kind].digest, self.weights_of(kind)) for kind in KINDS
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]

    def weights_of(self, kind: str) -> dict[str, float]:
        """Every weight of a decision, defaults included."""
        weights = {**self.decisions[kind].weights, **self.weights.get(kind, {})}
        return {name: float(value) for name, value in weights.items()}


def strategy_names() -> tuple[str, ...]:
    """Names of the built-in strategies, in alphabetical order."""
    return tuple(sorted(path.stem for path in _HERE.glob("*.toml")))


def load_strategy(name: str) -> Strategy:
    """A built-in strategy, `FILE.py:NAME`, one that was added, or a TOML file; BadInput for anything else."""
    if name in _added:
        return _added[name]
    if ".py:" in name or name.endswith(".py"):
        return _load_own(name)
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise BadInput(f"strategy file '{name}' does not exist")
        return _read_toml(path, own=True)
    if name not in strategy_names():
        known = (*strategy_names(), *_added)
        raise BadInput(
            f"unknown strategy '{name}'{near(name, known)}; known: {', '.join(known)}, or FILE.py:NAME, or FILE.toml"
        )
    return _read_toml(_HERE / f"{name}.toml", own=False)


def _read_toml(path: Path, *, own: bool) -> Strategy:
    try:
        given = tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, OSError, UnicodeDecodeError) as error:
        raise BadInput(f"strategy file '{path}' cannot be read: {error}") from error
    allowed = ("description", *KINDS, "weights")
    unknown = sorted(set(given) - set(allowed))
    if unknown:
        raise BadInput(f"strategy file '{path}' has an unknown key '{unknown[0]}'; allowed: {', '.join(allowed)}")
    weights = given.get("weights", {})
    if not isinstance(weights, dict) or not set(weights) <= set(KINDS):
        raise BadInput(f"strategy file '{path}': weights are tables [weights.KIND] with KIND one of {', '.join(KINDS)}")
    decisions = {kind: find_decision(kind, str(given.get(kind, "weighed")), path) for kind in KINDS}
    _check_weights(decisions, weights, path)
    return Strategy(_name_of(path), str(given.get("description", "")), decisions, weights, own)


def _check_weights(decisions: Mapping[str, Decision], weights: Mapping[str, object], path: Path) -> None:
    for kind, changes in weights.items():
        if not isinstance(changes, dict) or not all(isinstance(value, int | float) for value in changes.values()):
            raise BadInput(f"strategy file '{path}': every weight of [weights.{kind}] must be a number")
        decisions[kind].weigh(changes)


def _name_of(path: Path) -> str:
    name = path.stem.lower()
    if not _SLUG.fullmatch(name):
        raise BadInput(f"'{path.stem}' cannot name a strategy; use letters, digits, '_', '.' and '-'")
    return name


def find_decision(kind: str, name: str, where: Path) -> Decision:
    """A built-in decision `NAME` of a kind, or one of a file, `FILE.py:NAME` beside `where`."""
    if ".py:" in name:
        file, _, function = name.partition(":")
        return _checked(_import_own(where.parent / file), function, kind, file)
    known = sorted(path.stem.removeprefix(f"{kind}_") for path in _HERE.glob(f"{kind}_*.py"))
    if name not in known:
        raise BadInput(f"strategy file '{where}' names an unknown {kind} decision '{name}'; known: {', '.join(known)}")
    module = importlib.import_module(f"engine.strategies.{kind}_{name}")
    decision: Decision = getattr(module, f"{kind}_{name}")
    return decision


def _import_own(path: Path) -> ModuleType:
    if not path.is_file():
        raise BadInput(f"strategy file '{path}' does not exist")
    name = f"canasta_own_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadInput(f"strategy file '{path}' is no Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BadInput:
        raise
    except (Exception, SystemExit) as error:
        raise BadInput(f"strategy file '{path}' fails on import: {type(error).__name__}: {error}") from error
    return module


def _checked(module: ModuleType, name: str, kind: str | None, file: str) -> Decision:
    found = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, Decision) and value.source == Path(str(module.__file__))
    }
    if name not in found:
        raise BadInput(f"{file} has no decision '{name}'; it has: {', '.join(found) or 'none (see @strategy)'}")
    if kind is not None and found[name].kind != kind:
        raise BadInput(f"{file}:{name} is a {found[name].kind} decision, not a {kind} decision")
    return found[name]


def _load_own(text: str) -> Strategy:
    file, _, name = text.partition(".py:")
    if not name:
        raise BadInput(f"'{text}' names no decision; give FILE.py:NAME")
    path = Path(f"{file}.py")
    decision = _checked(_import_own(path), name, None, path.name)
    return _complete(decision, name, path.name)


def add_strategy(decision: Decision) -> Strategy:
    """Let line-ups of this process name a decision as its function is called; `safe` decides the rest.

    One of the same name takes the place of an earlier one. BadInput when a built-in strategy has the name.
    """
    added = _complete(decision, decision.name, "this session")
    if added.name in strategy_names():
        raise BadInput(f"'{added.name}' is a strategy of the lab; give the function another name")
    _added[added.name] = added
    return added


def _complete(decision: Decision, name: str, place: str) -> Strategy:
    """The strategy that decides one thing by itself and the rest as the base does."""
    base = load_strategy(_BASE)
    description = (decision.function.__doc__ or "").strip().split("\n")[0] or f"{decision.kind} decision of {place}"
    decisions = {**base.decisions, decision.kind: decision}
    weights = {kind: values for kind, values in base.weights.items() if kind != decision.kind}
    return Strategy(_name_of(Path(f"{name}.py")), description, decisions, weights, own=True)


def parse_lineup(text: str, rules: Rules) -> tuple[Strategy, ...]:
    """Strategies by seat of a line-up: one for all, or one a side (`~`), or one a seat of a side (`+`)."""
    sides = [[load_strategy(name.strip()) for name in part.split("+")] for part in text.split("~")]
    seats = side_of_seats(rules)
    count = max(seats) + 1
    if len(sides) not in (1, count):
        raise BadInput(
            f"line-up '{text}' names {len(sides)} sides; these rules have {count} (or give one strategy for all)"
        )
    members = [seats.count(side) for side in range(count)]
    lineup = []
    for seat, side in enumerate(seats):
        given = sides[0] if len(sides) == 1 else sides[side]
        if len(given) not in (1, members[side]):
            raise BadInput(
                f"line-up '{text}' names {len(given)} partners on side {side + 1}; it has {members[side]} seats"
            )
        lineup.append(given[0] if len(given) == 1 else given[seats[:seat].count(side)])
    return tuple(lineup)


def sides_of(lineup: tuple[Strategy, ...], rules: Rules) -> list[tuple[Strategy, ...]]:
    """The strategies of each side, by seat."""
    seats = side_of_seats(rules)
    return [
        tuple(strategy for strategy, of in zip(lineup, seats, strict=True) if of == side)
        for side in range(max(seats) + 1)
    ]


def lineup_slug(lineup: tuple[Strategy, ...], rules: Rules) -> str:
    """The shortest text of a line-up: `safe`, `safe~random`, `safe+hoarder~naive`."""
    names = []
    for side in sides_of(lineup, rules):
        different = dict.fromkeys(strategy.name for strategy in side)
        names.append(next(iter(different)) if len(different) == 1 else "+".join(strategy.name for strategy in side))
    return names[0] if len(set(names)) == 1 else "~".join(names)


def rotations(lineup: tuple[Strategy, ...], rules: Rules) -> list[tuple[Strategy, ...]]:
    """Every different rotation of the sides' strategies over the sides, the line-up itself first."""
    sides = sides_of(lineup, rules)
    seats = side_of_seats(rules)
    turned = []
    for shift in range(len(sides)):
        placed = [sides[(side + shift) % len(sides)] for side in range(len(sides))]
        # A larger side than the one the strategies are of begins again with its first.
        places = [(placed[side], seats[:seat].count(side)) for seat, side in enumerate(seats)]
        turned.append(tuple(given[place % len(given)] for given, place in places))
    unique = {lineup_slug(one, rules): one for one in turned}
    return list(unique.values())
