"""House rules as the referee judges them: what ends a freeze, limits, what a partial take leaves, counted canastas."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import parse_cards
from engine.history.record import History, Position, parse_action
from engine.referee.book import Book, open_book
from engine.referee.verdict import Verdict, follow
from engine.referee.verdict import judge as judge_history
from engine.rules import Rules

MELDS = (("KC KD KH",), ("QC QD QH",))
QUIET = ("2 draw TD", "2 discard TD", "3 draw TH", "3 discard TH", "4 draw TS", "4 discard TS")
HANDS = {1: "2C 2D 9C 8C", 2: "9D 7D", 3: "9H 7H", 4: "9S 7S"}


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets readings of house rules, whether or not a parameter for them is declared."""
    read = Book._read_house_rules

    def change(**readings: object) -> None:
        def read_changed(book: Book, rules: Rules) -> None:
            read(book, rules)
            for name, value in readings.items():
                assert hasattr(book, name), name
                setattr(book, name, value)

        monkeypatch.setattr(Book, "_read_house_rules", read_changed)
        open_book.cache_clear()

    yield change
    open_book.cache_clear()


def judge(*actions: str, variant: str = "classic4", **position: Any) -> Verdict:
    return judge_history(make(*actions, variant=variant, **position))


def make(*actions: str, variant: str = "classic4", **position: Any) -> History:
    melds = position.pop("melds", MELDS)
    rules = position.pop("rules", {})
    hands = {seat: tuple(parse_cards(cards)) for seat, cards in position.pop("hands", HANDS).items()}
    pile = tuple(parse_cards(position.pop("pile", "4C")))
    laid = tuple(tuple(tuple(parse_cards(meld)) for meld in side) for side in melds)
    return History(
        variant=variant,
        rules=rules,
        position=Position(turn=1, hands=hands, pile=pile, melds=laid, **position),
        actions=tuple(parse_action(text) for text in actions),
    )


def test_a_freeze_lasts_until_it_is_taken_by_default() -> None:
    assert judge("1 draw TC", "1 discard 2C", *QUIET).frozen


def test_a_freeze_for_a_round_ends_when_the_turn_comes_back(house: Any) -> None:
    house(freeze_ends="round")
    assert judge("1 draw TC", "1 discard 2C", *QUIET[:4]).frozen
    assert not judge("1 draw TC", "1 discard 2C", *QUIET).frozen


def test_a_freeze_for_a_turn_ends_with_the_next_turn(house: Any) -> None:
    house(freeze_ends="turn")
    assert judge("1 draw TC", "1 discard 2C").frozen
    assert not judge("1 draw TC", "1 discard 2C", *QUIET[:2]).frozen


def test_a_second_freeze_beyond_the_limit_is_a_banned_discard(house: Any) -> None:
    house(freeze_limit=1, freeze_ends="turn")
    twice = judge("1 draw TC", "1 discard 2C", *QUIET, "1 draw JC", "1 discard 2D")
    assert [(fault.action, fault.rule) for fault in twice.faults] == [(10, "discard_ban")]
    house(freeze_limit=2, freeze_ends="turn")
    assert judge("1 draw TC", "1 discard 2C", *QUIET, "1 draw JC", "1 discard 2D").legal


@pytest.mark.parametrize(("removes", "left"), [(True, "7C"), (False, "5C 6C 7C")])
def test_what_a_partial_take_leaves_stays_or_goes(house: Any, removes: bool, left: str) -> None:
    house(removes_rest=removes)
    pile = "5C 6C 7H 4H 5H 6H 4S 5S KS"
    verdict = judge("1 take", "1 discard 7C", hands={1: "7C 8C"}, pile=pile, rules={"pile_portion": "top7"})
    assert verdict.legal
    assert verdict.pile == left


def test_nobody_melds_before_the_round_named(house: Any) -> None:
    house(meld_from=3)
    actions = ("1 draw 9D", "1 meld 9D 9H 9S", "1 discard 8C")
    hands = {1: "9H 9S 8C 7C"}
    assert [fault.rule for fault in judge(*actions, hands=hands, round=2).faults] == ["too_early"]
    assert judge(*actions, hands=hands, round=3).legal
    assert [fault.rule for fault in judge("1 take", "1 discard 7C", hands=hands, pile="KS", round=1).faults] == [
        "too_early"
    ]


def test_the_others_count_as_many_canastas_as_the_side_that_goes_out(house: Any) -> None:
    house(counts_as_many_as_out=True)
    ours = ("JC JD JH JS JC JD JH", "9C 9D 9H")
    theirs = ("8C 8D 8H 8S 8C 2D 2H", "QC QD QH QS QC QD QH")
    hands = {1: "", 2: "", 3: "", 4: ""}
    out = judge("1 draw 4H", "1 discard 4H", hands=hands, melds=(ours, theirs))
    assert out.deal_scores == (500 + 100 + 70 + 30, 500 + 70 + 90)
    house(counts_as_many_as_out=False)
    out = judge("1 draw 4H", "1 discard 4H", hands=hands, melds=(ours, theirs))
    assert out.deal_scores == (500 + 100 + 70 + 30, 800 + 70 + 90)


def test_a_canasta_laid_in_one_turn_has_its_bonus(house: Any) -> None:
    house(one_turn_bonus=500)
    hands = {1: "9C 9D 9H 9S 9C 9D 7C", 2: "", 3: "", 4: ""}
    actions = ("1 draw 9H", "1 meld 9C 9D 9H 9S 9C 9D 9H", "1 discard 7C", "2 pass")
    verdict = judge(*actions, hands={**hands, 1: hands[1] + " 4H"}, stock=1)
    assert verdict.breakdown is not None
    assert verdict.breakdown[0] is not None
    assert verdict.breakdown[0]["one_turn"] == 500
    out = judge(*actions[:3], hands=hands, stock=1)
    assert out.breakdown is not None
    assert out.breakdown[0] is not None
    assert out.breakdown[0]["one_turn"] == 500
    later = judge(
        "1 draw 9H", "1 meld 9H", "1 discard 7C", hands={**hands, 1: "7C"}, melds=(("9C 9D 9H 9S 9C 9D",), ())
    )
    assert later.breakdown is not None
    assert later.breakdown[0] is not None
    assert "one_turn" not in later.breakdown[0]


def test_who_goes_out_may_lengthen_a_complete_sequence(house: Any) -> None:
    house(full_sequences_grow=True)
    melds = (("4H 5H 6H 7H 8H 9H TH", "KC KD KH KS KC KD KH"), ())
    hands = {1: "QC", 2: "", 3: "4C", 4: ""}
    rules = {"ask_partner": "optional"}
    out = judge(
        "1 draw JH TC",
        "1 meld JH QH > H4",
        "1 discard TC",
        variant="brazilian",
        melds=melds,
        hands={**hands, 1: "QH"},
        rules=rules,
    )
    assert out.legal, out.faults
    kept = judge(
        "1 draw JH TC", "1 meld JH > H4", "1 discard TC", variant="brazilian", melds=melds, hands=hands, rules=rules
    )
    assert [fault.rule for fault in kept.faults] == ["meld_full"]
    house(full_sequences_grow=False)
    barred = judge(
        "1 draw JH TC", "1 meld JH > H4", "1 discard TC", variant="brazilian", melds=melds, hands=hands, rules=rules
    )
    assert {fault.rule for fault in barred.faults} == {"meld_full"}


def test_a_match_is_won_by_what_wins_it(house: Any) -> None:
    seven = tuple(" ".join(f"{rank}{suit}" for suit in "CDHSCDH") for rank in "456789T")
    quiet = {"hands": {1: "", 2: "", 3: "", 4: ""}, "stock": 0, "pile": "3S"}
    house(match_win=frozenset({"seven_canastas"}))
    assert judge("1 pass", melds=((), seven), **quiet).winner == 2
    house(match_win=frozenset())
    history = make("1 pass", melds=((), seven), **quiet)
    assert follow(history, history.load_rules().rules).count_canastas(1) == 7
    assert judge_history(history).winner is None
