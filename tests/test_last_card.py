"""The last card: what may be discarded or laid to go out, and how a take must leave it (RULES §1.9, §17)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.cards import parse_cards
from engine.kernel.deal import put_on_pile
from engine.kernel.leave import find_duties
from engine.kernel.melds import add_card, give_card
from engine.kernel.outlook import find_could_out
from engine.kernel.pile import find_ways
from engine.kernel.state import PLAN, new_record, new_table
from engine.rules import compile_rules, load_variant
from engine.strategies import load_strategy

FOUR, SEVEN, KING = 0, 3, 9


class Seat:
    """The first seat of a table in mid-deal: its side's melds by place, its hand, the pile."""

    def __init__(
        self, changes: dict[str, Any], melds: dict[int, str], hand: str, pile: str = "", minimum: int = 50
    ) -> None:
        _, self.table, seats, self.rules = new_table(compile_rules(load_variant("classic4", changes).rules))
        table, self.hand, self.plan = self.table, seats.hand[0], new_record(PLAN)
        table.players, table.sides, table.stock, table.sits_out, table.lone, table.upcard = 4, 2, 40, -1, -1, -1
        table.seat_sides[:4], table.next_seat[:4] = np.array([0, 1, 0, 1]), np.array([1, 2, 3, 0])
        table.opened[0], table.own_turns[0], table.minimum[0] = bool(melds), 3, 50
        for place, cards in melds.items():
            for card in parse_cards(cards):
                add_card(table, self.rules, 0, place, card)
        for card in parse_cards(hand):
            give_card(table, self.hand, card)
        for card in parse_cards(pile):
            put_on_pile(table, card)
        find_duties(table, self.hand, self.rules)

    def could_out(self) -> bool:
        return bool(find_could_out(self.table, self.hand, self.rules, self.plan))

    def plan_take(self) -> list[int] | None:
        """Cards that a strategy takes the pile with; None where it could not be taken."""
        self.hand.may_take = find_ways(self.table, self.hand, self.rules, self.plan)
        if not self.hand.may_take:
            return None
        self.plan.rows = self.plan.news = 0
        self.plan.upcard_place = -1
        draw = load_strategy("naive").decisions["draw"]
        draw.compiled(self.table, self.hand, self.rules, draw.weigh({}), self.plan)
        return sorted(int(card) for card in self.plan.card[: self.plan.rows])


FOURS = "4C 4D 4H 4S 4C 4D 4H"
NO_LAST_SEVEN = {"discard_bans": ["red3", "7_as_last_card"]}


def test_the_card_discarded_to_go_out_is_one_that_may_be_the_last() -> None:
    melds = {FOUR: FOURS, SEVEN: "7C 7D 7H", KING: "KC KD KH"}
    rules = {**NO_LAST_SEVEN, "out_discard": "required"}
    assert Seat(rules, melds, "7S KS").could_out()
    assert not Seat(rules, melds, "7S").could_out()
    assert Seat(NO_LAST_SEVEN, melds, "7S").could_out()


def test_a_lone_seven_that_may_not_be_the_last_card_keeps_a_seat_from_going_out() -> None:
    rules = {**NO_LAST_SEVEN, "min_naturals": 1, "max_wilds": 4}
    assert not Seat(rules, {FOUR: FOURS, KING: "KC KD KH"}, "7S KS").could_out()
    assert Seat({**rules, "discard_bans": ["red3"]}, {FOUR: FOURS, KING: "KC KD KH"}, "7S KS").could_out()


def test_an_opening_that_would_need_leave_takes_no_pile() -> None:
    kings, pile = "KC KD KH KS KC KD 9S", "KH"
    rules: dict[str, Any] = {"one_card_pile": "allowed"}
    assert Seat(rules, {}, kings, pile).plan_take() == sorted(parse_cards(kings))[1:]
    taken = Seat({**rules, "ask_partner": "required"}, {}, kings, pile).plan_take()
    assert taken is not None
    assert len(taken) == 5


def test_the_only_card_is_laid_where_it_lets_the_seat_go_out() -> None:
    rules = {"canastas_out_types": {"mixed": 1}, "out_discard": "optional"}
    melds = {FOUR: "4C 4D 4H 4S 4C 4D", KING: "KC KD KH KS KC KD KH"}
    seat = Seat(rules, melds, "2C")
    assert seat.could_out()
    assert int(seat.plan.meld[0]) == FOUR
    assert not Seat(rules, {FOUR: "4C 4D 4H", KING: "KC KD KH"}, "2C").could_out()
    assert Seat(rules, {FOUR: "4C 4D 4H", KING: "KC KD KH KS KC KD KH"}, "2C").could_out()


def test_a_canasta_is_kept_natural_where_the_last_card_may_be_discarded() -> None:
    rules = {"canastas_out_types": {"natural": 1}}
    assert Seat(rules, {KING: "KC KD KH KS KC KD KH"}, "2C").could_out()
