"""Strategies build what going out takes and begin nothing that costs dear, whatever the variant is called."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import parse_card
from engine.kernel.leave import find_duties
from engine.kernel.melds import add_card, give_card
from engine.kernel.state import DRAW, FIRST_PLACES, PAIR, PLAN, SEQUENCE, TAKE, new_record, new_table
from engine.rules import compile_rules, load_variant
from engine.strategies import load_strategy

KING, QUEEN, TEN, SEVEN, WILD = 9, 8, 6, 3, 11


class Seat:
    """One seat's side of a table in mid-deal: its melds by place, and its hand."""

    def __init__(self, variant: str, melds: dict[int, str], hand: str, *, stock: int = 40, reserve: int = 0) -> None:
        record = compile_rules(load_variant(variant).rules)
        _, self.table, self.seats, self.rules = new_table(record)
        table, self.hand, self.plan = self.table, self.seats.hand[0], new_record(PLAN)
        table.players, table.sides, table.stock = record.players, record.side_count, stock
        table.sits_out, table.lone, table.upcard = -1, -1, -1
        for seat in range(table.players):
            table.seat_sides[seat] = record.seat_sides[seat]
            table.next_seat[seat] = (seat + 1) % table.players
            table.hand_sizes[seat] = 0 if seat == 0 else 11
        table.opened[0], table.reserves[0] = 1, reserve
        for place, cards in melds.items():
            if place >= FIRST_PLACES:  # a sequence, named by its suit and lowest card
                lowest = parse_card(cards.split()[0])
                table.extra_kind[0, table.extras[0]] = SEQUENCE + 16 * (lowest % 4) + lowest // 4
                table.extras[0] += 1
            for card in cards.split():
                add_card(table, self.rules, 0, place, parse_card(card))
        for card in hand.split():
            give_card(table, self.hand, parse_card(card))
        find_duties(table, self.hand, self.rules)

    def show(self, melds: dict[int, str]) -> None:
        """Let the next side have melds, sequences named by their place."""
        table = self.table
        table.opened[1] = 1
        for place, cards in melds.items():
            if place >= FIRST_PLACES:
                lowest = parse_card(cards.split()[0])
                table.extra_kind[1, table.extras[1]] = SEQUENCE + 16 * (lowest % 4) + lowest // 4
                table.extras[1] += 1
            for card in cards.split():
                add_card(table, self.rules, 1, place, parse_card(card))

    def hold_out(self, upcard: str, pile: int) -> None:
        """Let the seat take a pile of so many cards with a pair."""
        self.table.upcard = self.hand.key = parse_card(upcard)
        self.table.pile_count = self.hand.depth = pile
        self.hand.may_take = PAIR

    def decide(self, kind: str, strategy: str = "safe") -> int:
        chosen = load_strategy(strategy)
        decision = chosen.decisions[kind]
        return int(
            decision.compiled(
                self.table, self.hand, self.rules, decision.weigh(chosen.weights.get(kind, {})), self.plan
            )
        )

    def lay(self, strategy: str = "safe") -> list[tuple[int, int]]:
        """Cards the plan lays, and where."""
        self.decide("melds", strategy)
        return [(int(self.plan.card[row]), int(self.plan.meld[row])) for row in range(self.plan.rows)]


def laid(rows: list[tuple[int, int]], cards: str) -> set[int]:
    """Places that cards of a kind go to."""
    kinds = {parse_card(card) for card in cards.split()}
    return {place for card, place in rows if card in kinds}


SIX_KINGS, LOW = "KC KC KD KD KH KS", "4C 5D 6H 9S"
SENSIBLE = pytest.mark.parametrize("strategy", ["safe", "hoarder", "freezer", "builder", "naive"])


@SENSIBLE
def test_a_wild_card_is_kept_from_the_last_natural_canasta_that_going_out_lacks(strategy: str) -> None:
    seat = Seat("hand_and_foot", {KING: SIX_KINGS}, f"2C {LOW}")
    assert not laid(seat.lay(strategy), "2C")


@SENSIBLE
def test_it_goes_onto_a_meld_that_has_one_already(strategy: str) -> None:
    seat = Seat("hand_and_foot", {KING: SIX_KINGS, QUEEN: "QC QC QD QD QH 2D"}, f"2C {LOW}")
    assert laid(seat.lay(strategy), "2C") == {QUEEN}


@SENSIBLE
def test_it_completes_the_canasta_where_any_type_will_do(strategy: str) -> None:
    seat = Seat("samba", {KING: SIX_KINGS}, f"2C {LOW} JD")
    assert laid(seat.lay(strategy), "2C") == {KING}


@SENSIBLE
@pytest.mark.parametrize(("wilds", "places"), [("2C 2D", set()), ("2C 2D 2H", {WILD})])
def test_wild_cards_wait_for_the_wild_canasta_that_going_out_lacks(strategy: str, wilds: str, places: set[int]) -> None:
    seat = Seat("pennies_from_heaven", {KING: SIX_KINGS}, f"{wilds} {LOW}")
    assert laid(seat.lay(strategy), "2C 2D 2H") == places


@SENSIBLE
@pytest.mark.parametrize("variant", ["modern_american_pagat", "the_sevens"])
@pytest.mark.parametrize(("sevens", "places"), [("7C 7D 7H", set()), ("7C 7C 7D 7D 7H 7S", {SEVEN})])
def test_few_sevens_are_no_meld_where_an_incomplete_one_costs_dear(
    strategy: str, variant: str, sevens: str, places: set[int]
) -> None:
    if variant == "the_sevens" and places:
        sevens += " 7H"  # it may have wild cards, so it waits for the seventh
    seat = Seat(variant, {KING: "KC KC KD"}, f"{sevens} {LOW}", stock=20)
    assert laid(seat.lay(strategy), "7C 7D 7H 7S") == places


@SENSIBLE
def test_sevens_that_wild_cards_complete_at_once_are_laid_with_them(strategy: str) -> None:
    seat = Seat("the_sevens", {KING: "KC KC KD"}, f"7C 7D 7H 7S 2C 2D JK {LOW}", stock=20)
    assert laid(seat.lay(strategy), "7C 7D 7H 7S 2C 2D JK") == {SEVEN}


@SENSIBLE
def test_nobody_goes_out_with_sevens_that_cost_more_than_it_brings(strategy: str) -> None:
    places, asked = [], []
    for variant in ("the_sevens", "classic4"):
        seat = Seat(variant, {KING: f"{SIX_KINGS} KS"}, "7C 7D 7S QH", stock=5)
        seat.hand.could_out, seat.table.hand_sizes[2] = 1, 3  # a partner with few cards is not asked
        places.append(laid(seat.lay(strategy), "7C 7D 7S"))
        asked.append(int(seat.plan.ask))
    assert places == [set(), {SEVEN}]
    assert asked == [0, 0]


@SENSIBLE
def test_a_pile_is_left_when_taking_it_begins_a_meld_of_few_sevens(strategy: str) -> None:
    answers = []
    for variant in ("the_sevens", "classic4"):
        seat = Seat(variant, {KING: "KC KC KD"}, f"7C 7D {LOW}")
        seat.hold_out("7H", pile=8)
        answers.append(seat.decide("draw", strategy))
    assert answers == [DRAW, TAKE]


@SENSIBLE
def test_a_pair_and_a_wild_card_are_laid_while_a_reserve_waits_for_the_hand_to_be_empty(strategy: str) -> None:
    hand, melds = "TC TD 2C 4C", {KING: "KC KC KD", QUEEN: "QC QC QD", 7: "JC JC JD"}
    assert laid(Seat("hand_and_foot", melds, hand, reserve=13).lay(strategy), "TC TD 2C") == {TEN}
    assert not Seat("hand_and_foot", melds, hand).lay(strategy)


@SENSIBLE
def test_a_card_that_a_sequence_may_take_is_not_laid_with_its_rank_while_going_out_lacks_one(strategy: str) -> None:
    run, hand = {FIRST_PLACES: "5C 6C 7C 8C"}, "TC TD TH 4D 9S JD KH"
    rows = Seat("bolivia", run, hand, stock=20).lay(strategy)
    assert not laid(rows, "TC")
    done = {FIRST_PLACES: "5C 6C 7C 8C", FIRST_PLACES + 1: "4H 5H 6H 7H 8H 9H TH"}
    assert laid(Seat("bolivia", done, hand, stock=20).lay(strategy), "TC") == {TEN}


def test_a_card_that_a_sequence_may_take_is_thrown_last() -> None:
    seat = Seat("bolivia", {FIRST_PLACES: "5C 6C 7C 8C"}, "TC JD")
    assert seat.decide("discard") == parse_card("JD")
    seat = Seat("bolivia", {FIRST_PLACES: "5C 6C 7C 8C"}, "TC TD")
    assert seat.decide("discard") == parse_card("TD")


def test_sevens_that_would_cost_dear_in_the_hand_are_thrown() -> None:
    seat = Seat("modern_american", {KING: "KC KC KD"}, "7C 7D 7H 4C 4D 9S 9H")
    seat.table.pile_count = 3
    assert seat.decide("discard") // 4 == SEVEN


def test_one_seven_too_many_is_thrown_and_the_others_are_kept() -> None:
    seat = Seat("the_sevens", {KING: "KC KC KD"}, "7C 7D 7H 7S 4C 9D")
    assert seat.decide("discard") // 4 == SEVEN
    seat = Seat("the_sevens", {KING: "KC KC KD"}, "7C 7D 7H 4C 9D")
    assert seat.decide("discard") // 4 != SEVEN


def test_what_a_second_meld_of_the_next_side_takes_is_spared_and_what_its_canasta_does_not_is_thrown() -> None:
    closed = f"{SIX_KINGS} KS"
    for melds, thrown in (
        ({KING: closed, QUEEN: "QC QC QD"}, KING),
        ({QUEEN: f"{'QC ' * 7}", KING: "KC KC KD"}, QUEEN),
    ):
        seat = Seat("hand_and_foot", {7: "JC JC JD"}, "KH QH")
        seat.show(melds)
        assert seat.decide("discard") // 4 == thrown


def test_a_card_is_thrown_that_no_sequence_of_the_next_side_takes() -> None:
    for run, thrown in (("5C 6C 7C 8C 9C", "TD"), ("5D 6D 7D 8D 9D", "TC")):
        seat = Seat("samba", {KING: "KC KC KD"}, "TC TD")
        seat.show({FIRST_PLACES: run})
        assert seat.decide("discard") == parse_card(thrown)


def test_three_of_a_rank_are_kept_where_the_pile_is_always_frozen() -> None:
    thrown = []
    for variant in ("classic4", "cuban"):
        seat = Seat(variant, {}, "4C 4D 4H KC")
        seat.table.opened[0], seat.table.thrown[1, 0] = 0, 2
        thrown.append(seat.decide("discard") // 4)
    assert thrown == [0, KING]


def test_a_rank_closed_for_all_is_thrown_first() -> None:
    seat = Seat("modern_american", {QUEEN: "QC QC QD QD QH QH QS"}, "QS 4C 9D")
    seat.table.pile_count = 3
    assert seat.decide("discard") == parse_card("QS")


@SENSIBLE
def test_the_partner_is_asked_where_nobody_may_go_out_unasked(strategy: str) -> None:
    closed = {KING: f"{SIX_KINGS} KS", QUEEN: "QC QC QD QD QH QH 2S"}
    seat = Seat("brazilian", closed, "KH QC")
    seat.hand.could_out = 1
    plan: Any = seat.plan
    if strategy == "hoarder":  # who plays on while that is safe
        seat.table.stock = 5
    seat.decide("melds", strategy)
    assert plan.ask == 1
