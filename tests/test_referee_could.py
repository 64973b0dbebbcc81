"""What a seat could do with the pile: the referee's search against every way to lay a small hand, in every variant."""

from __future__ import annotations

from every_lay import list_takes, split_hand, write_melds
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.cards import parse_cards
from engine.history.record import History, Position
from engine.referee.could import may_take
from engine.referee.setup import lay_table
from engine.referee.verdict import judge
from engine.rules import load_variant, variant_names

POOL = parse_cards("KC KD KH KS QC QD QH JC JH TH 9H 2C 2D 2H JK JK")
BELOW = parse_cards("4C 5D 6C 8D 4H 5S 6S 8S 4D")
LAID = ((), ("KD KH KS",), ("KC KD KH KS 2C 2D",), ("9H TH JH",), ("KC KD KH KS KC KD KH",), ("2C 2D JK",))
CHANGES = (
    {},
    {"initial_minimums": "<0:15;0:50", "initial_basis": "score"},
    {"initial_minimums": "<0:15;0:90", "initial_basis": "score", "initial_pile": "top_counts"},
    {"initial_pile": "after_own"},
    {"initial_content": "naturals_only"},
    {"initial_content": "clean_triple", "initial_pile": "after_own"},
    {"natural_only_ranks": {"K": "always"}},
    {"wild_ratio": "not_more"},
    {"pile_portion": "from_melded"},
)


@given(
    st.sampled_from(variant_names()),
    st.sampled_from(CHANGES),
    st.lists(st.sampled_from(POOL), min_size=2, max_size=6),
    st.sampled_from(parse_cards("KC QH JH TH")),
    st.sampled_from(
        [(), ("KD KH KS",), ("KC KD KH KS 2C 2D",), ("9H TH JH",), ("KC KD KH KS KC KD KH",), ("2C 2D JK",)]
    ),
    st.booleans(),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_a_take_exists_when_some_way_to_lay_the_hand_allows_it(
    variant: str, changes: dict[str, object], hand: list[int], upcard: int, laid: tuple[str, ...], frozen: bool
) -> None:
    rules = load_variant(variant, changes).rules
    melds = tuple(tuple(parse_cards(meld)) for meld in laid)
    sides = len(lay_table(History(variant=variant, position=Position()), rules).melds)
    pile = (*BELOW, upcard)
    position = Position(
        turn=1, hands={1: tuple(hand)}, pile=pile, frozen=frozen, melds=(melds, *[()] * (sides - 1)), stock=20
    )
    history = History(variant=variant, rules=changes, position=position, deal=3)
    assume(not lay_table(history, rules).faults)
    found = any(
        judge(
            History(variant=variant, rules=changes, position=position, deal=3, actions=(*write_melds(1, groups), take))
        ).legal
        for groups in split_hand(tuple(sorted(hand)), rules.sequences)
        for take in list_takes(1, groups, pile, rules.pile_portion == "from_melded")
    )
    assert may_take(lay_table(history, rules)) == found
