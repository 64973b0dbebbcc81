"""Any set of rules that is allowed is played to the end: drawn from the declarations, not only from the presets."""

from __future__ import annotations

from typing import Any

from card_flow import find_lost_cards
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from playable import VARIANTS

from engine.errors import BadInput
from engine.log import DEAL_ENDINGS, GAME_ENDINGS
from engine.parameter_kinds import Parameter, Totals, Whole, Word, Words, YesNo
from engine.parameter_tables import BonusCards, Contents, KeyWords, Points
from engine.play import play_blocks
from engine.rules import PARAMETERS, Variant, check_playable, load_variant
from engine.strategies import parse_lineup, strategy_names

KEPT = {"players", "sides", "deals", "target", "initial_minimums", "initial_basis"}
"""Parameters left to the base: most values of them go with few others, or make games long."""
ALWAYS = {"red3_totals": [25 * count for count in range(1, 13)], "deals": 2, "target": None}


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
            return st.sampled_from(["counts=4,3,when=next_turn", "counts=13,13,when=at_once", "counts=,when=none"])
        case Totals():
            return st.just(ALWAYS["red3_totals"])
    return st.just(parameter.default)


@st.composite
def draw_cells(draw: st.DrawFn) -> tuple[Variant, str]:
    """A playable variant with up to eight parameters changed at random, and a strategy for all."""
    names = draw(st.lists(st.sampled_from(sorted(set(PARAMETERS) - KEPT)), unique=True, max_size=8))
    changes = {name: draw(draw_value(PARAMETERS[name])) for name in names}
    try:
        variant = load_variant(draw(st.sampled_from(VARIANTS)), {**ALWAYS, **changes})
        check_playable(variant.rules)
    except BadInput:
        assume(False)
    return variant, draw(st.sampled_from(strategy_names()))


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(draw_cells(), st.integers(0, 2**40))
def test_any_allowed_rules_are_played_to_the_end_and_no_card_is_lost(cell: tuple[Variant, str], seed: int) -> None:
    variant, strategy = cell
    lineup = parse_lineup(strategy, variant.rules)
    for block in play_blocks(variant, lineup, seed=seed, first_game=1, games=2, guard=True):
        assert not list(find_lost_cards(variant.rules, block))
        assert DEAL_ENDINGS.index("cap") + 1 not in block["deals"]["ending"]
        assert GAME_ENDINGS.index("cap") + 1 not in block["games"]["ending"] or variant.rules.tie == "extra_deal"
