"""What a run's variants vary: factors, their levels, and effects as weighted sums of variants.

Read off the rules of the variants that were played, so that any run with variants that differ in single rules is a
sweep, however it was planned. An effect is a mean over the settings (values of all other factors) in which both levels
were played; of a sweep of one rule at a time that is the base alone.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from engine.errors import BadInput
from engine.rules import PARAMETERS
from pipeline.cells import RunCell, list_some

Levels = tuple[str, ...]
Weights = Mapping[str, float]
"""Weight of each variant in a sum."""


@dataclass(frozen=True)
class Factor:
    """A rule that varies: the base's value and the others, as text."""

    name: str
    base: str
    others: Levels

    @property
    def levels(self) -> Levels:
        """All values, the base's first."""
        return (self.base, *self.others)


@dataclass(frozen=True)
class Effect:
    """A level against the base's; `held`, what it is a change of, is the mean of the same settings at the base's."""

    factor: str
    base_level: str
    level: str
    settings: int
    weights: Weights
    held: Weights


@dataclass(frozen=True)
class Interaction:
    """How much the effect of a level changes with the level of another factor: a difference of differences.

    `at_base` and `at_other` are the effect at the other factor's base level and at its level.
    """

    effect: Effect
    other: str
    other_base: str
    other_level: str
    weights: Weights
    at_base: Weights
    at_other: Weights


@dataclass(frozen=True)
class Mean:
    """The mean of the variants with these levels of two factors."""

    factor: str
    level: str
    other: str
    other_level: str
    settings: int
    weights: Weights


@dataclass(frozen=True)
class Design:
    """Factors, and the levels of each variant in their order; `base` is the variant that has all base levels."""

    base: str
    factors: tuple[Factor, ...]
    variants: Mapping[str, Levels]

    def effects(self, there: Container[str]) -> Iterator[Effect]:
        """Effect of every level, from those of these variants that can be compared."""
        slugs = self._slugs(there)
        for place, factor in enumerate(self.factors):
            for level in factor.others:
                starts = [own for own in slugs if own[place] == factor.base]
                pairs = [(slugs[own], slugs[end]) for own in starts if (end := _at(own, place, level)) in slugs]
                if pairs:
                    first, second = _mean([one for one, _ in pairs]), _mean([two for _, two in pairs])
                    yield Effect(factor.name, factor.base, level, len(pairs), _add(second, first, -1), first)

    def interactions(self, there: Container[str]) -> Iterator[Interaction]:
        """Interaction of every pair of levels of two factors."""
        slugs = self._slugs(there)
        for (place, one), (other_place, two) in combinations(enumerate(self.factors), 2):
            for level, other_level in product(one.others, two.others):
                corners = [_corners(own, place, level, other_place, other_level) for own in slugs
                           if own[place] == one.base and own[other_place] == two.base]  # fmt: skip
                whole = [[slugs[own] for own in four] for four in corners if all(own in slugs for own in four)]
                if whole:
                    none, first, second, both = (_mean(names) for names in zip(*whole, strict=True))
                    at_base, at_other = _add(first, none, -1), _add(both, second, -1)
                    weights = _add(at_other, at_base, -1)
                    effect = Effect(one.name, one.base, level, len(whole), weights, none)
                    yield Interaction(effect, two.name, two.base, other_level, weights, at_base, at_other)

    def means(self, there: Container[str]) -> Iterator[Mean]:
        """Mean of every combination of levels of two factors, over the settings in which all were played."""
        slugs = self._slugs(there)
        for (place, one), (other_place, two) in combinations(enumerate(self.factors), 2):
            pairs = list(product(one.levels, two.levels))
            settings = [
                own
                for own in slugs
                if own[place] == one.base and own[other_place] == two.base
                if all(_at(_at(own, place, level), other_place, other) in slugs for level, other in pairs)
            ]
            for level, other in pairs if settings else ():
                names = [slugs[_at(_at(own, place, level), other_place, other)] for own in settings]
                yield Mean(one.name, level, two.name, other, len(settings), _mean(names))

    def _slugs(self, there: Container[str]) -> dict[Levels, str]:
        slugs: dict[Levels, str] = {}
        for slug, levels in self.variants.items():
            if slug in there:
                slugs.setdefault(levels, slug)
        return slugs


def find_design(cells: Sequence[RunCell], base: str | None = None) -> Design:
    """What the variants of these cells vary; BadInput when none differs from another in a single rule.

    The base is the first variant unless another is named.
    """
    rules = {cell.variant: _read_rules(cell) for cell in cells}
    if base is not None and base not in rules:
        raise BadInput(f"base '{base}': the run has the variants {list_some(list(rules))}")
    first = next(iter(rules)) if base is None else base
    names = [name for name in PARAMETERS if len({own[name] for own in rules.values()}) > 1]
    levels = {slug: tuple(own[name] for name in names) for slug, own in rules.items()}
    factors = []
    for name in names:
        own = rules[first][name]
        others = dict.fromkeys(one[name] for one in rules.values() if one[name] != own)
        factors.append(Factor(name, own, tuple(others)))
    design = _narrow(Design(first, tuple(factors), levels))
    if not design.factors:
        raise BadInput(f"no sweep: no two variants of the run differ in a single rule ({list_some(list(rules))}); "
                       "`canasta sweep --base classic4 --vary canastas_out=1,2` plays one")  # fmt: skip
    return design


def _narrow(design: Design) -> Design:
    """The design without factors that never vary alone, and without the variants that only differ in those from it."""
    while True:
        single = {effect.factor for effect in design.effects(design.variants)}
        kept = [place for place, factor in enumerate(design.factors) if factor.name in single]
        if len(kept) == len(design.factors):
            return design
        lost = [place for place in range(len(design.factors)) if place not in kept]
        own = design.variants[design.base]
        variants = {
            slug: tuple(levels[place] for place in kept)
            for slug, levels in design.variants.items()
            if all(levels[place] == own[place] for place in lost)
        }
        factors = []
        for place, at in enumerate(kept):
            factor, found = design.factors[at], {levels[place] for levels in variants.values()}
            factors.append(Factor(factor.name, factor.base, tuple(one for one in factor.others if one in found)))
        design = Design(design.base, tuple(one for one in factors if one.others), variants)
        if len(design.factors) < len(kept):
            places = [place for place, one in enumerate(factors) if one.others]
            variants = {slug: tuple(levels[place] for place in places) for slug, levels in variants.items()}
            design = Design(design.base, design.factors, variants)


def _read_rules(cell: RunCell) -> dict[str, str]:
    """The value of every rule as text; a rule that an older run does not know has the value of `classic4`."""
    return {
        name: one.show(one.check(cell.rules[name]) if name in cell.rules else one.default)
        for name, one in PARAMETERS.items()
    }


def _at(levels: Levels, place: int, level: str) -> Levels:
    return (*levels[:place], level, *levels[place + 1 :])


def _corners(own: Levels, place: int, level: str, other_place: int, other_level: str) -> list[Levels]:
    """Both at the base's level, the first alone, the second alone, both."""
    first = _at(own, place, level)
    return [own, first, _at(own, other_place, other_level), _at(first, other_place, other_level)]


def _mean(variants: Sequence[str]) -> dict[str, float]:
    return dict.fromkeys(variants, 1 / len(variants))


def _add(one: Weights, two: Weights, times: float) -> dict[str, float]:
    names = dict.fromkeys([*one, *two])
    return {name: one.get(name, 0.0) + times * two.get(name, 0.0) for name in names}
