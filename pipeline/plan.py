"""What is to be played: a plan file or options become cells, and cells become shards.

A plan names variants, line-ups, games per cell and a seed. Its cells are all variants × line-ups, each line-up
in every rotation over the sides (unless `mirror = false`), and whatever `[[cells]]` adds; `[sweep]` adds the variants
that come of varying rules (`pipeline.sweep_plan`). A shard is a
stretch of consecutive games of a cell; its size is a number of the plan, so what a shard holds depends
on the plan alone. With `until` the games are the most of a cell: it stops where its intervals are as narrow as asked
(`pipeline.precision`). Plays nothing and writes nothing.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.errors import BadInput
from engine.rules import Variant, check_playable, load_variant
from engine.strategies import Strategy, lineup_slug, parse_lineup, rotations
from pipeline.levels import check_level
from pipeline.sweep_plan import SweepTable, expand

if TYPE_CHECKING:
    from pipeline.precision import Goal

DEFAULT_VARIANT = "classic4"
DEFAULT_LINEUP = "safe"
DEFAULT_GAMES = 10_000
DEFAULT_SEED = 1
SMALLEST_SHARD, LARGEST_SHARD, SHARDS_WANTED = 250, 8_000, 16
UNTIL_SHARD, UNTIL_GAMES, FIRST_CHECK = 1_000, 1_000_000, 640
"""With `until`: size of shards, the most games of a cell if none are given, and games before the first look."""
MOST_GAMES = 2**31 - 1
LONGEST_NAME = 80
"""Letters up to which a run's name names every variant and line-up."""

Changes = dict[str, Any]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class PlanCell(_Strict):
    """A cell named on its own, beside variants × line-ups."""

    variant: str = DEFAULT_VARIANT
    lineup: str = DEFAULT_LINEUP
    games: int | None = Field(default=None, ge=1, le=MOST_GAMES, strict=True)
    set: Changes = {}


class PlanFile(_Strict):
    """What a plan file may hold: the keys of its TOML.

    A variant is a name, a TOML file, a table of `base` and changed parameters, or (in Python) a Variant; a line-up
    is text as `--lineup` takes it; `set` changes rules of all variants; `shard_games` follows from the games if
    left out.
    """

    seed: int = Field(default=DEFAULT_SEED, ge=0, le=2**63 - 1, strict=True)
    games: int | None = Field(default=None, ge=1, le=MOST_GAMES, strict=True)
    shard_games: int | None = Field(default=None, ge=1, le=MOST_GAMES, strict=True)
    mirror: bool = Field(default=True, strict=True)
    variants: list[str | Variant | Changes] | None = None
    lineups: list[str] | None = None
    set: Changes = {}
    cells: list[PlanCell] = []
    sweep: SweepTable | None = None
    until: list[str] = []
    level: float = 0.95


@dataclass(frozen=True)
class Cell:
    """One variant × line-up to be played for a number of games.

    `lineup` has the strategy of every seat; `group` is the slug of the line-up as given, shared by all its rotations.
    """

    variant: Variant
    lineup: tuple[Strategy, ...]
    slug: str
    group: str
    games: int

    @property
    def key(self) -> tuple[str, str]:
        """Slugs of variant and line-up, which name the cell in a run."""
        return self.variant.slug, self.slug


@dataclass(frozen=True)
class Shard:
    """Games `first_game` … `first_game + games − 1` of a cell; numbered from 1."""

    cell: Cell
    number: int
    first_game: int
    games: int


@dataclass(frozen=True)
class Plan:
    """Everything that decides what a run holds.

    `shard_games` is None when the plan leaves it open: `settled()` then derives it from the number of games,
    unless the run being extended has settled it before. With goals to play `until`, the games are the most.
    `left_out` says which combinations of a sweep the rules forbid.
    """

    seed: int
    cells: tuple[Cell, ...]
    shard_games: int | None = None
    until: tuple[Goal, ...] = ()
    level: float = 0.95
    left_out: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        """Games of all cells."""
        return sum(cell.games for cell in self.cells)

    def settled(self, shard_games: int | None = None) -> Plan:
        """The plan with a shard size: its own, else the one given, else about 16 shards of 250 to 8,000 games."""
        wanted = min(max(-(-self.games // SHARDS_WANTED), SMALLEST_SHARD), LARGEST_SHARD)
        if self.until:
            wanted = UNTIL_SHARD
        return replace(self, shard_games=self.shard_games or shard_games or -(-wanted // 50) * 50)

    def with_games(self, games: Mapping[tuple[str, str], int]) -> Plan:
        """The plan with another number of games for each cell, by its key."""
        return replace(self, cells=tuple(replace(cell, games=games[cell.key]) for cell in self.cells))

    def asking(self, until: str | Iterable[str]) -> Plan:
        """The plan with goals; BadInput for one that cannot be read or reached."""
        from pipeline.precision import read_goals

        return replace(self, until=read_goals(until))

    def opening(self) -> Plan:
        """The plan up to the first look at its goals; the whole of it when it has none."""
        if not self.until:
            return self
        return self.with_games({cell.key: min(cell.games, FIRST_CHECK) for cell in self.cells})

    def shards(self) -> Iterator[Shard]:
        """All shards, the first of every cell before the second of any; needs a settled plan.

        The last shard of a cell is short when the games do not fill it. A run extended later replaces it by
        one with more games: rows never depend on how often a run was extended.
        """
        size = self.shard_games
        assert size is not None
        for first in range(1, max(cell.games for cell in self.cells) + 1, size):
            for cell in self.cells:
                if first <= cell.games:
                    yield Shard(cell, first // size + 1, first, min(size, cell.games - first + 1))


def read_plan(path: Path) -> dict[str, Any]:
    """The keys of a plan file, not yet checked; BadInput when it is no TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"no plan file {path}; allowed: a TOML file with variants, lineups, games, seed") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{path} is no readable TOML file: {' '.join(str(error).split())}") from None


def make_plan(options: Mapping[str, Any]) -> Plan:
    """The plan of a plan file's keys (see PlanFile); raises BadInput for whatever cannot be used or played."""
    given = _checked(options)
    games = given.games or (UNTIL_GAMES if given.until else DEFAULT_GAMES)
    cells: dict[tuple[str, str], Cell] = {}
    swept, left_out = expand(given.sweep, given.set) if given.sweep else ([], [])
    listed = given.variants is not None or given.lineups is not None or not given.cells
    if listed or swept:
        alone = [] if swept else [DEFAULT_VARIANT]
        named = given.variants if given.variants is not None else alone
        for variant in [*swept, *(_load(one, given.set) for one in named)]:
            for lineup in given.lineups if given.lineups is not None else [DEFAULT_LINEUP]:
                _add_cells(cells, variant, lineup, games, given.mirror)
    for extra in given.cells:
        variant = _load(extra.variant, {**given.set, **extra.set})
        _add_cells(cells, variant, extra.lineup, extra.games or games, given.mirror)
    if not cells:
        raise BadInput("the plan has no cells; give at least one variant and one line-up")
    _check_names(cells.values())
    plan = Plan(given.seed, tuple(cells.values()), given.shard_games, (), check_level(given.level), tuple(left_out))
    return plan.asking(given.until) if given.until else plan


def name_run(plan: Plan) -> str:
    """Name of a run that was given none: the same for the same variants, line-ups and seed, so that it goes on."""
    variants = list(dict.fromkeys(cell.variant.slug for cell in plan.cells))
    lineups = list(dict.fromkeys(cell.group for cell in plan.cells))
    name = f"{','.join(variants)}_{','.join(lineups)}_seed{plan.seed}"
    if len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    words = [
        first[0][: LONGEST_NAME // 2] + (f"_and{len(first) - 1}" if len(first) > 1 else "")
        for first in (variants, lineups)
    ]
    return "_".join([*words, f"seed{plan.seed}", digest])


def _checked(options: Mapping[str, Any]) -> PlanFile:
    try:
        return PlanFile.model_validate(dict(options))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "str" and not str(part).startswith("dict["))
        if first["type"] == "extra_forbidden":
            parts: dict[str, type[BaseModel]] = {"cells": PlanCell, "sweep": SweepTable}
            fields = parts.get(place.split(".")[0], PlanFile).model_fields
            raise BadInput(f"plan: unknown key {place}; allowed: {', '.join(fields)}") from None
        raise BadInput(f"plan: {place}={first['input']!r}: {first['msg']}") from None


def _load(variant: str | Variant | Changes, changes: Changes) -> Variant:
    if isinstance(variant, Variant):
        if changes:
            raise BadInput(f"set={changes!r} beside the rules {variant.slug}: make the changes in rules(…)")
        loaded = variant
    elif isinstance(variant, str):
        loaded = load_variant(variant, changes)
    else:
        own = {name: value for name, value in variant.items() if name != "base"}
        loaded = load_variant(str(variant.get("base", DEFAULT_VARIANT)), {**changes, **own})
    try:
        check_playable(loaded.rules)
    except BadInput as error:
        raise BadInput(f"{loaded.slug}: {error}") from None
    return loaded


def _add_cells(cells: dict[tuple[str, str], Cell], variant: Variant, lineup: str, games: int, mirror: bool) -> None:
    given = parse_lineup(lineup, variant.rules)
    group = lineup_slug(given, variant.rules)
    for turned in rotations(given, variant.rules) if mirror else (given,):
        _check_names([Cell(variant, turned, lineup, group, games)])
        cell = Cell(variant, turned, lineup_slug(turned, variant.rules), group, games)
        known = cells.setdefault(cell.key, cell)
        if known.variant.rules != cell.variant.rules or _digests(known.lineup) != _digests(cell.lineup):
            raise BadInput(f"two different cells are called {' '.join(cell.key)}; give one of the files another name")
        if known.games != games:
            raise BadInput(f"cell {' '.join(cell.key)} is planned with {known.games} and with {games} games; give one")


def _check_names(cells: Iterable[Cell]) -> None:
    """BadInput when one name stands for two strategies or two sets of rules: answers are told by name."""
    strategies: dict[str, tuple[str, str]] = {}
    variants: dict[str, Variant] = {}
    for cell in cells:
        for strategy in cell.lineup:
            digest, lineup = strategies.setdefault(strategy.name, (strategy.digest, cell.slug))
            if digest != strategy.digest:
                places = cell.slug if lineup == cell.slug else f"{lineup} and {cell.slug}"
                raise BadInput(
                    f"two strategies are called '{strategy.name}' (line-up {places}); rename the function or file"
                )
        slug = cell.variant.slug
        if variants.setdefault(slug, cell.variant).rules != cell.variant.rules:
            raise BadInput(f"two variants with different rules are called '{slug}'; give one of the files another name")


def _digests(lineup: Sequence[Strategy]) -> list[str]:
    return [strategy.digest for strategy in lineup]
