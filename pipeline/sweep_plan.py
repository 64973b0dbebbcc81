"""A sweep as a plan has it: a base and the values its rules take, expanded into variants.

`factorial` plays every combination of the values, `one_at_a_time` the base and each value alone. The base's own value
of a rule belongs to every sweep, named or not: effects are differences to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from engine.errors import BadInput
from engine.parameters import parameter_named
from engine.rules import PARAMETERS, FrozenMap, Rules, Variant, check_playable, load_variant, variant_names

Changes = dict[str, Any]
Design = Literal["factorial", "one_at_a_time"]
DESIGNS: tuple[Design, ...] = ("factorial", "one_at_a_time")
MOST_VARIANTS = 1_000
REFUSED = "refused"


class SweepTable(BaseModel):
    """What `[sweep]` of a plan may hold.

    `vary` maps rules to the values they take; `leave_out` lists combinations (of some rules each) that are not played,
    or is `refused`: those that the rules themselves forbid are left out instead of stopping the plan.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    base: str | Variant | Changes = "classic4"
    vary: dict[str, list[Any]] = Field(min_length=1)
    design: Design = "factorial"
    leave_out: list[Changes] | Literal["refused"] = []


def expand(sweep: SweepTable, changes: Mapping[str, Any]) -> tuple[list[Variant], list[str]]:
    """The variants of a sweep, its base first, and a line for each combination that the rules forbid.

    `changes` are made to all of them. BadInput for values that are not allowed, and for forbidden combinations
    unless they are to be left out.
    """
    base, fixed = _load_base(sweep.base, changes)
    try:
        first = _change(base, fixed)
    except BadInput as error:
        raise BadInput(f"sweep: the base: {error}") from None
    levels = {name: _read_levels(first, name, values) for name, values in sweep.vary.items()}
    size = math.prod(map(len, levels.values())) if sweep.design == "factorial" else 1 + sum(map(len, levels.values()))
    if size > MOST_VARIANTS:
        raise BadInput(f"sweep: {describe_levels(levels)} are {size:,} variants; allowed: {MOST_VARIANTS:,} at most")
    left = _read_combinations(sweep.leave_out, levels)
    variants, refused = [], []
    for own in _combine(levels, sweep.design):
        if any(all(own[name] == value for name, value in one.items()) for one in left):
            continue
        try:
            variants.append(_change(base, {**fixed, **own}))
        except BadInput as error:
            refused.append(f"{_spell(own, levels)}: {error}")
    if refused and sweep.leave_out != REFUSED:
        more = f" (one of {len(refused)} such combinations)" if len(refused) > 1 else ""
        raise BadInput(f'sweep: {refused[0]}{more}; leave_out = "{REFUSED}" plays the others')
    if len(variants) < 2:
        raise BadInput(f"sweep: nothing varies with {describe_levels(levels)}; give a rule two values or more")
    return variants, refused


def describe_levels(levels: Mapping[str, Sequence[Any]]) -> str:
    """`canastas_out 1, 2 × hand_size 11, 15`."""
    return " × ".join(f"{name} {', '.join(map(PARAMETERS[name].show, values))}" for name, values in levels.items())


def parse_vary(words: Sequence[str]) -> dict[str, list[Any]]:
    """Rules and values written `canastas_out=1,2`; `|` parts values that hold commas: `freeze_by=wild|wild,black3`."""
    found: dict[str, list[Any]] = {}
    for word in words:
        name, mark, text = word.partition("=")
        name = name.strip()
        if not mark or not text:
            raise BadInput(f"--vary {word}: write RULE=VALUE,VALUE, such as canastas_out=1,2")
        if name in found:
            raise BadInput(f"--vary {name} is given twice; name all its values at once")
        parameter = parameter_named(name)
        found[name] = [parameter.check(value.strip()) for value in text.split("|" if "|" in text else ",")]
    return found


def parse_left_out(words: Sequence[str]) -> list[Changes] | Literal["refused"]:
    """Combinations written `hand_size=15,draw_count=2`, or the word `refused` alone."""
    if REFUSED in words:
        if len(words) > 1:
            raise BadInput(f"--leave-out {REFUSED} leaves out all that is forbidden; give it alone")
        return "refused"
    found = []
    for word in words:
        parts = [part.partition("=") for part in word.replace("|", ",").split(",")]
        if not all(mark for _, mark, _ in parts):
            raise BadInput(f"--leave-out {word}: write RULE=VALUE,RULE=VALUE, or {REFUSED}")
        found.append({name.strip(): value.strip() for name, _, value in parts})
    return found


def _load_base(given: str | Variant | Changes, changes: Mapping[str, Any]) -> tuple[str | Variant, Changes]:
    """Name, file or rules to change, and the changes that make the sweep's base of them."""
    if isinstance(given, Variant):
        named = given.name in variant_names()
        return (given.name, {**given.changes, **changes}) if named else (given, dict(changes))
    if isinstance(given, str):
        return given, dict(changes)
    own = {name: value for name, value in given.items() if name != "base"}
    return str(given.get("base", "classic4")), {**changes, **own}


def _read_levels(base: Variant, name: str, values: Sequence[Any]) -> list[Any]:
    """The base's own value, then the others in the order given."""
    parameter, own = parameter_named(name), getattr(base.rules, name)
    return [own, *dict.fromkeys(value for value in map(parameter.check, values) if value != own)]


def _read_combinations(given: list[Changes] | Literal["refused"], levels: Mapping[str, Sequence[Any]]) -> list[Changes]:
    combinations = []
    for one in given if not isinstance(given, str) else ():
        read = {}
        for name, value in one.items():
            if name not in levels:
                raise BadInput(f"sweep: leave_out names {name}; the sweep varies {', '.join(levels)}")
            read[name] = PARAMETERS[name].check(value)
            if read[name] not in levels[name]:
                raise BadInput(
                    f"sweep: leave_out names {name}={value}; it takes {describe_levels({name: levels[name]})}"
                )
        combinations.append(read)
    return combinations


def _combine(levels: Mapping[str, Sequence[Any]], design: Design) -> Iterator[Changes]:
    if design == "factorial":
        for values in product(*levels.values()):
            yield dict(zip(levels, values, strict=True))
        return
    base = {name: values[0] for name, values in levels.items()}
    yield base
    for name, others in levels.items():
        for value in others[1:]:
            yield {**base, name: value}


def _change(base: str | Variant, changes: Changes) -> Variant:
    """The base with changes; BadInput when they do not go together or cannot be played."""
    if isinstance(base, str):
        variant = load_variant(base, changes)
    else:
        rules = Rules.from_dict({**base.rules.as_dict(), **changes})
        changed = {**base.changes, **{name: getattr(rules, name) for name in base.rules.differences(rules)}}
        variant = replace(base, rules=rules, changes=FrozenMap(changed))
    check_playable(variant.rules)
    return variant


def _spell(own: Changes, levels: Mapping[str, Sequence[Any]]) -> str:
    """The values of a combination that are not the base's."""
    told = [f"{name}={PARAMETERS[name].show(value)}" for name, value in own.items() if value != levels[name][0]]
    return ", ".join(told) or "the base"
