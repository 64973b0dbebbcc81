"""Any set of rules that is allowed is played to the end: drawn from the declarations, not only from the presets."""

from __future__ import annotations

from card_flow import find_lost_cards
from drawn_rules import draw_variants
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.log import DEAL_ENDINGS, GAME_ENDINGS
from engine.play import play_blocks
from engine.rules import Variant
from engine.strategies import parse_lineup, strategy_names

ALWAYS = {"deals": 2, "target": None}


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(draw_variants(ALWAYS), st.sampled_from(strategy_names()), st.integers(0, 2**40))
def test_any_allowed_rules_are_played_to_the_end_and_no_card_is_lost(
    variant: Variant, strategy: str, seed: int
) -> None:
    lineup = parse_lineup(strategy, variant.rules)
    for block in play_blocks(variant, lineup, seed=seed, first_game=1, games=2, guard=True):
        assert not list(find_lost_cards(variant.rules, block))
        assert DEAL_ENDINGS.index("cap") + 1 not in block["deals"]["ending"]
        assert GAME_ENDINGS.index("cap") + 1 not in block["games"]["ending"] or variant.rules.tie == "extra_deal"
