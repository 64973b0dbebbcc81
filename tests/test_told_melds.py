"""Melds as the log tells them: what a plan lays in which order, and which meld each word of it means to a reader."""

from __future__ import annotations

from typing import Any

import pytest
from kernel_setup import lay_table as lay_kernel_table
from kernel_table import KernelTable

from engine.cards import CARDS, parse_card, parse_cards
from engine.history.record import History, Position, show_action
from engine.kernel.game import finish_deal
from engine.kernel.lay import lay_plan
from engine.kernel.melds import add_row, clear_plan, give_card
from engine.kernel.state import SEQUENCE, WILD_MELD
from engine.kernel.tally import may_lay, tally_plan
from engine.ledger.deals import LoggedDeal
from engine.ledger.rows import read_moves
from engine.log import ACTIONS, MELDS, NULL
from engine.referee.scoring import count_items
from engine.referee.setup import lay_table
from engine.rules import Variant, load_variant

TWOS_FIRST = {"wild_melds": "twos_first", "open_wild_meld_locks_wilds": True}


def lay(changes: dict[str, Any], rows: list[tuple[str, int]], news: tuple[int, ...] = ()) -> list[tuple[str, str]]:
    """Cards and meld words of the moves that a plan of (card, place) rows becomes."""
    kernel = KernelTable(History(variant="samba", rules=changes))
    hand, plan = kernel.seats.hand[0], kernel.plan
    for card, place in rows:
        give_card(kernel.table, hand, parse_card(card))
        add_row(plan, parse_card(card), place)
    plan.news, plan.new_kind[: len(news)] = len(news), news
    lay_plan(kernel.table, hand, kernel.rules, kernel.croupier, kernel.log, plan)
    count = int(kernel.log.moves_rows)
    return [(CARDS[kernel.log.moves_card[at] - 1], MELDS[kernel.log.moves_meld[at] - 1]) for at in range(count)]


def read_melds(variant: Variant, moves: list[tuple[str, str]]) -> list[str]:
    """The actions that moves of cards laid by seat 1 are read as."""
    count = len(moves)
    columns = {
        "game": [1] * count,
        "deal": [1] * count,
        "turn": [1] * count,
        "move": list(range(1, count + 1)),
        "seat": [1] * count,
        "action": [ACTIONS.index("meld") + 1] * count,
        "card": [parse_card(card) + 1 for card, _ in moves],
        "meld": [MELDS.index(word) + 1 for _, word in moves],
        "taken": [NULL] * count,
    }
    deal = {"game": 1, "deal": 1, "dealer": 4, "upcards": []}
    return [show_action(action) for action in read_moves(variant.rules, LoggedDeal(deal, columns, {})).actions]


def test_a_wild_meld_that_locks_wilds_is_completed_before_they_go_elsewhere() -> None:
    rows = [("KC", 9), ("KD", 9), ("2C", 9), *(("2D", WILD_MELD) for _ in range(7))]
    assert [word for _, word in lay(TWOS_FIRST, rows)] == ["wild"] * 7 + ["K"] * 3
    assert [word for _, word in lay({"wild_melds": "any"}, rows)] == ["K"] * 3 + ["wild"] * 7


def test_a_card_below_a_sequence_ends_the_name_it_had() -> None:
    fives = ["5C", "6C", "7C"]
    news = (SEQUENCE + 1, SEQUENCE + 1)
    moves = lay({}, [(card, place) for place in (13, 14) for card in fives] + [("4C", 13), ("4C", 14)], news)
    assert moves[-2:] == [("4C", "C5"), ("4C", "C5")]
    assert read_melds(load_variant("samba"), moves) == ["1 meld 5C 6C 7C", "1 meld 5C 6C 7C", *["1 meld 4C > C5"] * 2]


def test_cards_on_top_of_a_sequence_are_one_action() -> None:
    moves = lay({}, [(card, 13) for card in ("5C", "6C", "7C", "8C", "9C", "4C")], (SEQUENCE + 1,))
    assert read_melds(load_variant("samba"), moves) == ["1 meld 5C 6C 7C 8C 9C 4C"]


def test_a_sequence_is_one_meld_whatever_lies_between_its_rows() -> None:
    rows = [("5C", 13), ("KC", 9), ("6C", 13), ("KD", 9), ("KH", 9), ("7C", 13), ("8C", 13)]
    moves = lay({}, rows, (SEQUENCE + 1,))
    assert read_melds(load_variant("samba"), moves) == ["1 meld 5C 6C 7C 8C", "1 meld KC > K.1", "1 meld KD KH > K.1"]


def test_two_sequences_of_one_name_stay_apart_row_by_row() -> None:
    rows = [(card, place) for card in ("5C", "6C", "7C") for place in (14, 13)]
    moves = lay({}, rows, (SEQUENCE + 1, SEQUENCE + 1))
    assert [word for _, word in moves[:2]] == ["C5.2", "C5"]
    assert read_melds(load_variant("samba"), moves) == ["1 meld 5C 6C 7C"] * 2


def test_a_second_meld_of_a_rank_is_read_after_the_first() -> None:
    rows = [("KC", 13), ("KD", 13), ("KH", 13), ("KS", 9), ("KC", 9), ("KD", 9)]
    moves = lay({}, rows, (9,))
    assert moves[0] == ("KC", "K.2")
    assert read_melds(load_variant("samba"), moves) == ["1 meld KS KC KD > K.1", "1 meld KC KD KH > K.2"]
    later = [*moves[3:], *moves[:3]]
    assert read_melds(load_variant("samba"), later) == ["1 meld KS KC KD > K.1", "1 meld KC KD KH > K.2"]


def test_a_wild_meld_that_stays_incomplete_comes_after_wild_cards_laid_elsewhere() -> None:
    kernel = KernelTable(History(variant="samba", rules={**TWOS_FIRST, "wild_melds": "any"}))
    hand, plan = kernel.seats.hand[0], kernel.plan
    for card, place in [("2D", WILD_MELD)] * 3 + [("KC", 9), ("KD", 9), ("2C", 9)]:
        give_card(kernel.table, hand, parse_card(card))
        add_row(plan, parse_card(card), place)
    assert tally_plan(kernel.table, hand, kernel.rules, plan) == 0
    assert may_lay(kernel.table, kernel.rules, 0, plan)
    lay_plan(kernel.table, hand, kernel.rules, kernel.croupier, kernel.log, plan)
    words = [MELDS[code - 1] for code in kernel.log.moves_meld[:6]]
    assert words == ["K"] * 3 + ["wild"] * 3
    clear_plan(plan)
    for card in ("QC", "QD", "2H"):
        give_card(kernel.table, hand, parse_card(card))
        add_row(plan, parse_card(card), 8)
    assert tally_plan(kernel.table, hand, kernel.rules, plan) == 0
    assert not may_lay(kernel.table, kernel.rules, 0, plan)


@pytest.mark.parametrize(
    ("changes", "melds", "points"),
    [
        ({"canasta_bonus.rank:7": 0}, ["7C 7C 7D 7D 7H 7H 7S"], 35),
        ({"canasta_bonus": "natural=500,mixed=300,rank:7=900,rank:7:any=0"}, ["7C 7C 7D 7D 7H 7H 7S"], 935),
        ({"canasta_bonus": "natural=500,mixed=300,rank:7=900,rank:7:any=0"}, ["7C 7C 7D 7D 7H 7H 2S"], 50),
        ({"canasta_bonus": "natural=500,mixed=300,wild=2000,wild_4_jokers=0"}, ["JK JK JK JK 2C 2D 2H"], 260),
        ({"canasta_bonus": "natural=500,mixed=300,wild=2000"}, ["2C 2C 2D 2D 2H 2H 2S"], 2140),
        ({"open_meld_penalty": "wild=2000,wild_4_jokers=0"}, ["JK JK JK JK"], 200),
        ({"open_meld_penalty": "wild=2000"}, ["JK JK JK JK"], -1800),
    ],
)
def test_a_key_given_as_nothing_is_nothing_and_one_not_given_is_what_it_stands_for(
    changes: dict[str, Any], melds: list[str], points: int
) -> None:
    variant = load_variant("uruguay", changes)
    laid = tuple(tuple(parse_cards(meld)) for meld in melds)
    position = Position(turn=1, hands={seat: () for seat in range(1, 5)}, pile=(), melds=(laid, ()))
    history = History(variant="uruguay", rules=dict(variant.changes), scores=(0, 0), position=position)
    items = count_items(lay_table(history, variant.rules), 0)
    assert items is not None
    kernel = lay_kernel_table(history)
    finish_deal(kernel.table, kernel.seats, kernel.rules, kernel.croupier, kernel.log)
    assert (sum(items.values()), int(kernel.log.sides_score[0])) == (points, points)
