"""What a seat could do with the pile: the referee's search against every way to lay a small hand, in every variant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.cards import parse_cards
from engine.history.record import Action, History, Position
from engine.referee.could import may_take
from engine.referee.setup import lay_table
from engine.referee.verdict import judge
from engine.rules import load_variant, variant_names

POOL = parse_cards("KC KD KH KS QC QD QH JC JH TH 9H 2C 2D 2H JK JK")
WILDS = set(parse_cards("2C 2D 2H JK"))
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


def split_hand(cards: tuple[int, ...], sequences: bool) -> Iterator[list[tuple[int, ...]]]:
    """Every set of groups of two to seven cards out of a hand: of a rank with wilds, of wilds, of a suit."""
    yield []
    if not cards:
        return
    first, rest = cards[0], cards[1:]
    yield from split_hand(rest, sequences)
    for size in range(1, min(len(rest), 6) + 1):
        for others in set(combinations(rest, size)):
            group = (first, *others)
            ranks = {card // 4 for card in group if card not in WILDS}
            one_suit = sequences and not WILDS & set(group) and len({card % 4 for card in group}) == 1
            if len(ranks) > 1 and not one_suit:
                continue
            left = list(rest)
            for card in others:
                left.remove(card)
            for more in split_hand(tuple(left), sequences):
                yield [group, *more]


def write_melds(groups: list[tuple[int, ...]]) -> tuple[Action, ...]:
    """The groups as actions, a rank's second one begun as a new meld."""
    seen: set[int] = set()
    actions = []
    for group in groups:
        ranks = {card // 4 for card in group if card not in WILDS}
        rank = next(iter(ranks)) if len(ranks) == 1 else -1
        aim = None
        if rank >= 0 and rank in seen:
            aim = f"{'456789TJQKA'[rank]}.new"
        seen.add(rank)
        actions.append(Action(1, "meld", group, aim))
    return tuple(actions)


def list_takes(groups: list[tuple[int, ...]], pile: tuple[int, ...], part: bool) -> Iterator[Action]:
    yield Action(1, "take")
    for group in groups:
        if len({card // 4 for card in group if card not in WILDS}) > 1:
            suit, rank = group[0] % 4, min(card // 4 for card in group)
            yield Action(1, "take", aim=f"{'CDHS'[suit]}{'456789TJQKA'[rank]}")
    if part:
        for number in range(1, len(pile) + 1):
            yield Action(1, "take", number=number)


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
            History(variant=variant, rules=changes, position=position, deal=3, actions=(*write_melds(groups), take))
        ).legal
        for groups in split_hand(tuple(sorted(hand)), rules.sequences)
        for take in list_takes(groups, pile, rules.pile_portion == "from_melded")
    )
    assert may_take(lay_table(history, rules)) == found
