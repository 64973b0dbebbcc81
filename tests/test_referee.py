"""What the referee answers to plain questions, and to any actions at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CARD_COUNT, parse_cards
from engine.errors import BadInput
from engine.history.record import UNKNOWN, Action, History, Position, parse_action
from engine.log import ACTIONS
from engine.referee.faults import RULE_TEXTS, write_faults_page
from engine.referee.scoring import find_winner
from engine.referee.setup import find_minimum
from engine.referee.upcards import find_turned
from engine.referee.verdict import judge
from engine.rules import load_variant, side_of_seats, variant_names

CLASSIC = load_variant("classic4")


@pytest.mark.parametrize(
    ("score", "minimum"),
    [(-5, 15), (-3000, 15), (0, 50), (1495, 50), (1500, 90), (2995, 90), (3000, 120), (9000, 120)],
)
def test_the_minimum_goes_by_the_score(score: int, minimum: int) -> None:
    assert find_minimum(CLASSIC.rules, score, 1) == minimum


@pytest.mark.parametrize(
    ("variant", "changes", "totals", "deal", "over", "winner"),
    [
        ("classic4", {}, [4995, 4200], 9, False, None),
        ("classic4", {}, [5000, 5000], 9, False, None),
        ("classic4", {"tie": "shared"}, [5000, 5000], 9, True, None),
        ("classic4", {}, [5005, 5200], 9, True, 2),
        ("gamecolony2", {}, [2500, 2480], 9, True, 1),
        ("classic4", {"deals": 4, "target": None}, [100, 90], 3, False, None),
        ("classic4", {"deals": 4, "target": None}, [100, 90], 4, True, 1),
        ("classic4", {"deals": 4, "target": None}, [100, 100], 4, False, None),
        ("classic4", {"deals": 4}, [5000, 90], 2, True, 1),
    ],
)
def test_a_game_ends_at_its_target_or_last_deal(
    variant: str, changes: dict[str, Any], totals: list[int], deal: int, over: bool, winner: int | None
) -> None:
    assert find_winner(load_variant(variant, changes).rules, totals, deal) == (over, winner)


def test_a_hand_not_known_leaves_its_sides_score_open() -> None:
    position = Position(turn=1, hands={1: (), 2: (), 4: ()}, stock=0, melds=(((36, 37, 38),), ()))
    verdict = judge(History(variant="classic4", position=position, actions=(Action(1, "pass"),)))
    assert (verdict.deal_scores, verdict.scores, verdict.winner) == ((None, 0), (None, 0), None)
    assert verdict.breakdown is not None
    assert verdict.breakdown[0] is None
    assert set(verdict.hands) == {1, 2, 4}


def test_a_card_not_known_may_be_any() -> None:
    position = Position(turn=1, hands={1: (UNKNOWN, UNKNOWN)})
    actions = tuple(parse_action(text) for text in ("1 draw ??", "1 discard 7H", "2 draw 8H", "2 discard KD"))
    verdict = judge(History(variant="classic4", position=position, actions=actions))
    assert verdict.legal
    assert verdict.hands == {1: "?? ??"}


def test_all_faults_are_told_not_only_the_first() -> None:
    position = Position(turn=1, hands={1: (0, 1)}, pile=(44,))
    actions = tuple(
        parse_action(text) for text in ("1 draw KH KD", "1 meld 2C 2D", "1 discard 9H", "3 draw 9H", "2 pass")
    )
    verdict = judge(History(variant="classic4", position=position, actions=actions))
    assert [(fault.action, fault.rule) for fault in verdict.faults] == [
        (1, "draw_count"),
        (2, "wild_meld"),
        (3, "card_not_held"),
        (4, "wrong_seat"),
        (5, "missing_discard"),
        (5, "pass_time"),
    ]


card = st.integers(0, CARD_COUNT - 1)
some_cards = st.lists(card, min_size=1, max_size=4).map(tuple)
aims = st.sampled_from([None, None, None, "K", "wild", "3", "K.2", "H5", "2:K", "7.new", "wild.2", "SA.new"])
seats = st.integers(1, 6)
any_action = st.one_of(
    st.builds(
        lambda s, v, c, a: Action(s, v, c, a if v == "meld" else None),
        seats,
        st.sampled_from(["draw", "meld", "meld", "meld", "red3", "bonus", "aside"]),
        some_cards,
        aims,
    ),
    st.builds(lambda s, c: Action(s, "discard", (c,)), seats, card),
    st.builds(lambda s, a, b: Action(s, "join", aim=a or "K", word=b or "K.2"), seats, aims, aims),
    st.builds(lambda s, h: Action(s, "special", word=h), seats, st.sampled_from(["pairs", "straight", "dream_plus_4"])),
    st.builds(lambda s, n, a: Action(s, "take", aim=a, number=n), seats, st.none() | st.integers(1, 9), aims),
    st.builds(lambda s, v: Action(s, v), seats, st.sampled_from([*ACTIONS[9:12], "take", "pass", "foot"])),
)
melds = st.sampled_from(["KC KD KH", "5H 6H 7H", "2C 2D JK", "7C 7D 7H 7S 7C 7D 7H", "KS KC 2H", "AC AD AH AS"])


@given(
    st.dictionaries(seats, st.lists(card, max_size=5).map(tuple)),
    st.dictionaries(seats, st.lists(card, min_size=1, max_size=4).map(tuple)),
    st.lists(card, max_size=9).map(tuple),
    st.integers(0, 3),
    st.lists(st.lists(melds, max_size=3), min_size=6, max_size=6),
    st.lists(any_action, max_size=12).map(tuple),
    st.sampled_from(variant_names()),
)
@settings(max_examples=200, deadline=None)
def test_any_actions_get_a_verdict_in_every_variant(
    hands: dict[int, Any], feet: dict[int, Any], pile: Any, stock: int, laid: Any, actions: Any, variant: str
) -> None:
    rules = load_variant(variant).rules
    seats, sides = rules.players, max(side_of_seats(rules)) + 1
    position = Position(
        hands={seat: cards for seat, cards in hands.items() if seat <= seats},
        reserve={seat: cards for seat, cards in feet.items() if seat <= seats},
        pile=pile,
        stock=stock,
        melds=tuple(tuple(tuple(parse_cards(meld)) for meld in side) for side in laid[:sides]),
    )
    actions = tuple(action._replace(seat=(action.seat - 1) % seats + 1) for action in actions)
    verdict = judge(History(variant=variant, position=position, actions=actions))
    numbers = [fault.action for fault in verdict.faults]
    assert numbers == sorted(numbers)
    assert all(0 <= number <= len(actions) for number in numbers)
    assert {fault.rule for fault in verdict.faults} <= set(RULE_TEXTS)
    assert verdict.legal == (not verdict.faults)
    assert (verdict.to_act is None) == verdict.ended == (verdict.ending is not None)
    if verdict.breakdown is not None and verdict.deal_scores is not None:
        for items, score in zip(verdict.breakdown, verdict.deal_scores, strict=True):
            assert (items is None and score is None) or (items is not None and sum(items.values()) == score)


def test_who_sits_out_must_be_of_the_side_of_three() -> None:
    with pytest.raises(BadInput, match="sits_out = 2: everybody plays"):
        judge(History(variant="classic4", position=Position(), sits_out=2))
    with pytest.raises(BadInput, match="expected 1, 3 or 5"):
        judge(History(variant="classic5", position=Position(), sits_out=2))
    with pytest.raises(BadInput, match="lone_hand: nobody plays alone"):
        judge(History(variant="classic4", position=Position(lone_hand=2)))


def test_the_page_of_faults_is_up_to_date() -> None:
    page = Path(__file__).parent.parent / "docs" / "faults.md"
    assert page.read_text(encoding="utf-8") == write_faults_page(), "python -m engine.referee.faults > docs/faults.md"
    assert all(text.endswith(".") and source for text, source in RULE_TEXTS.values())


def test_a_card_nobody_sees_under_a_value_pile_freezes_nothing() -> None:
    rules = load_variant("canastone", {"pile_frozen": "dynamic"}).rules
    passed, face_down, top = map(tuple, map(parse_cards, ("3S", "JK 6D 6H 6S", "4C")))
    assert find_turned(rules, (*passed, *face_down, *top)) == passed
    assert find_turned(rules, (*face_down, *top)) == ()
