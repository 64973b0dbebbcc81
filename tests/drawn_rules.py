"""Values of every parameter, as its declaration allows them: drawn at random, or one after another.

For tests that ask something of any rules: nobody keeps a list of parameters beside the declarations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from playable import VARIANTS

from engine.errors import BadInput
from engine.parameter_kinds import Parameter, Totals, Whole, Word, Words, YesNo
from engine.parameter_tables import BonusCards, Contents, KeyWords, Points
from engine.rules import PARAMETERS, Variant, check_playable, load_variant

TOTALS = [25 * count for count in range(1, 15)]
"""Points for the red threes of any pack."""
KEPT = {"players", "sides", "deals", "target", "initial_basis"}
"""Parameters left to the base: most values of them go with few others, or make games long."""
MINIMUMS = ("<0:0", "<0:15;0:30;300:90", "<0:50;0:150", "<0:15;0:50;1500:90;3000:120")
BONUS_CARDS = ("counts=4,3,when=next_turn", "counts=13,13,when=at_once", "counts=,when=none")
TABLES: dict[str, tuple[Any, ...]] = {
    "canastas_out_types": ({"natural": 1}, {"mixed": 1}, {"7": 1}),
    "special_hands": ({"pairs": 2500},),
    "open_meld_penalty": ({"7": 1500}, {"A": 1000}, {"wild": 1000}),
    "held_penalty": ({"7_gt3": 500}, {"black3": 100}),
    "natural_only_ranks": ({"7": "always"}, {"A": "opening_only"}),
    "initial_draw": BONUS_CARDS[:2],
}
"""Some values of parameters that hold a table."""
SMALL_HANDS = (1, 2, 3, 4, 5, 7, 9, 11, 13, 15, 16)
"""Hands of which some soon have no more than a card left."""
COMPANIONS = {"reserve_pickup": {"reserve_size": 9}, "packs": {"red3_totals": TOTALS}}
"""What another parameter must be for a value to be playable, or to be asked for at all."""


def draw_value(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Values of a parameter, as its declaration allows them."""
    match parameter:
        case YesNo():
            return st.booleans()
        case Word() | Contents():
            return st.sampled_from(parameter.words)
        case Words():
            return st.sets(st.sampled_from(parameter.words)).map(lambda words: tuple({*words, *parameter.needed}))
        case Whole():
            numbers = st.integers(parameter.low, min(parameter.high, parameter.low + 16))
            return st.none() | numbers if parameter.optional else numbers
        case KeyWords():
            return st.dictionaries(st.sampled_from(parameter.keys), st.sampled_from(parameter.words), max_size=3)
        case Points():
            low, high = max(parameter.low, 0), min(parameter.high, 5000)
            chosen = st.dictionaries(st.sampled_from(parameter.keys), st.integers(low, high), max_size=4)
            return chosen.map(lambda points: {**dict.fromkeys(parameter.required, low), **points})
        case BonusCards():
            return st.sampled_from(BONUS_CARDS)
        case Totals():
            return st.just(TOTALS)
    return st.just(parameter.default)


@st.composite
def draw_variants(draw: st.DrawFn, always: Mapping[str, Any], most: int = 8) -> Variant:
    """A playable variant with up to so many parameters changed at random, those in `always` as given."""
    names = draw(st.lists(st.sampled_from(sorted(set(PARAMETERS) - KEPT)), unique=True, max_size=most))
    chosen = {"hand_size": st.sampled_from(SMALL_HANDS), "initial_minimums": st.sampled_from(MINIMUMS)}
    changes = {name: draw(chosen[name] if name in chosen else draw_value(PARAMETERS[name])) for name in names}
    try:
        variant = load_variant(draw(st.sampled_from(VARIANTS)), {"red3_totals": TOTALS, **changes, **always})
        check_playable(variant.rules)
    except BadInput:
        assume(False)
    return variant


def list_values(name: str) -> list[Any]:
    """A parameter's values, of numbers the lowest, of sets the words alone or beside what is usual."""
    parameter = PARAMETERS[name]
    values: list[Any] = list(TABLES.get(name, ()))
    match parameter:
        case YesNo():
            values += [False, True]
        case Word() | Contents():
            values += parameter.words
        case Words():
            usual = {"red3"} if name == "discard_bans" else set()
            values += [parameter.needed, *(tuple({*parameter.needed, *usual, word}) for word in parameter.words)]
        case Whole():
            values += [parameter.low + more for more in (0, 1, 2, 4) if parameter.low + more <= parameter.high]
    return values


def list_variants(base: str) -> Iterator[Variant]:
    """The base with one parameter changed, for every value of every parameter that can be played so."""
    plain = load_variant(base).rules
    for name in sorted(set(PARAMETERS) - KEPT - {"initial_minimums"}):
        for value in list_values(name):
            try:
                variant = load_variant(base, {**COMPANIONS.get(name, {}), name: value})
                check_playable(variant.rules)
            except BadInput:
                continue
            if variant.rules != plain:
                yield variant
