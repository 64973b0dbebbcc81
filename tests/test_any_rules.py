"""Any set of rules that is allowed is played to the end: drawn from the declarations, not only from the presets."""

from __future__ import annotations

from card_flow import find_lost_cards
from drawn_rules import KEPT, TOTALS, draw_value
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from playable import VARIANTS

from engine.errors import BadInput
from engine.log import DEAL_ENDINGS, GAME_ENDINGS
from engine.play import play_blocks
from engine.rules import PARAMETERS, Variant, check_playable, load_variant
from engine.strategies import parse_lineup, strategy_names

ALWAYS = {"red3_totals": TOTALS, "deals": 2, "target": None}


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
