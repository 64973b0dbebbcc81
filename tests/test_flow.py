"""Set-up, turn flow, pile and ends under the rules of other variants, as the log shows them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from engine.cards import CARDS, RANKS
from engine.log import ACTIONS, FREEZES, MOVES, OPENINGS, TABLES
from engine.play import play_blocks
from engine.rules import load_variant, parse_changes
from engine.strategies import parse_lineup

Table = dict[str, np.ndarray]


@cache
def play(name: str, *changes: str, lineup: str = "safe", games: int = 6) -> dict[str, Table]:
    """Every table of a few games, its words decoded where they are actions or cards."""
    variant = load_variant(name, parse_changes(changes))
    found: dict[str, dict[str, list[Any]]] = {table: {} for table in TABLES}
    for block in play_blocks(variant, parse_lineup(lineup, variant.rules), seed=8, first_game=1, games=games):
        for table in TABLES:
            for column in block[table].columns:
                found[table].setdefault(column, []).append(block[table][column].copy())
    return {table: {name: np.concatenate(parts) for name, parts in columns.items()} for table, columns in found.items()}


def deals_of(table: Table) -> list[tuple[int, int]]:
    return list(zip(table["game"].tolist(), table["deal"].tolist(), strict=True))


def rows_of(table: Table, key: tuple[int, int]) -> Table:
    at = (table["game"] == key[0]) & (table["deal"] == key[1])
    return {name: values[at] for name, values in table.items()}


def actions(moves: Table, word: str) -> np.ndarray:
    return moves["action"] == ACTIONS.index(word) + 1


def test_of_a_side_of_three_each_sits_out_in_turn_and_sides_still_alternate() -> None:
    log = play("classic5")
    for key, out in zip(deals_of(log["deals"]), log["deals"]["sits_out"].tolist(), strict=True):
        assert out == (5, 3, 1)[(key[1] - 1) % 3]
        seats = rows_of(log["turns"], key)["seat"]
        assert out not in seats
        assert (np.diff(seats % 2) != 0).all()
    assert set(log["deals"]["seats"]) == {4}


def test_only_the_top_seven_are_taken_and_the_rest_lies_on() -> None:
    log = play("classic4", "pile_portion=top7")
    turns = log["turns"]
    took = turns["took"]
    assert took.max() == 7
    big = np.flatnonzero((took == 7) & (turns["pile"] > 7) & (turns["discard"] > 0))
    big = big[big + 1 < len(took)]
    follows = turns["turn"][big + 1] == turns["turn"][big] + 1
    assert follows.sum() > 0
    assert (turns["pile"][big + 1][follows] == turns["pile"][big][follows] - 7 + 1).all()


def test_cards_left_may_go_out_of_play() -> None:
    turns = play("classic4", "pile_portion=top7", "pile_rest=removed")["turns"]
    big = np.flatnonzero((turns["took"] == 7) & (turns["pile"] > 7) & (turns["discard"] > 0))
    big = big[big + 1 < len(turns["pile"])]
    big = big[turns["turn"][big + 1] > turns["turn"][big]]
    assert len(big)
    assert (turns["pile"][big + 1] == 1).all()


def test_a_part_may_be_taken_down_to_the_card_melded() -> None:
    log = play("albany", lineup="safe")
    taken = log["moves"]["taken"][actions(log["moves"], "take")]
    piles = log["turns"]["pile"][log["turns"]["took"] > 0]
    assert (taken <= piles).all()
    assert (taken < piles).any()


def test_a_player_freezes_the_pile_no_oftener_than_allowed() -> None:
    def find_second(*changes: str) -> list[int]:
        """Cards in hand at each freeze of a player who had frozen the pile before."""
        log = play("classic4", *changes, lineup="freezer", games=12)
        seen: set[tuple[int, ...]] = set()
        hands = []
        for key in deals_of(log["deals"]):
            piles, turns = rows_of(log["piles"], key), rows_of(log["turns"], key)
            for turn, seat in zip(piles["frozen_turn"].tolist(), piles["frozen_seat"].tolist(), strict=True):
                if seat > 0 and (*key, seat) in seen:
                    hands.append(int(turns["hand"][turn - 1]))
                seen.add((*key, seat))
        return hands

    assert max(find_second()) > 2
    assert max(find_second("freeze_limit=1"), default=0) <= 1  # one and one drawn, both wild: some card must be thrown


@pytest.mark.parametrize("ends", ["turn", "round"])
def test_a_freeze_may_end_by_itself(ends: str) -> None:
    turns = play("classic4", f"freeze_ends={ends}", lineup="freezer", games=12)["turns"]
    wild = FREEZES.index("wild") + 1
    thrown = [card > 0 and (CARDS[card - 1] == "JK" or CARDS[card - 1][0] == "2") for card in turns["discard"].tolist()]
    lasts = 1 if ends == "turn" else 3
    frozen = np.flatnonzero(turns["frozen_by"] == wild)
    assert len(frozen)
    for row in frozen:
        assert any(thrown[row - back] for back in range(1, lasts + 1)), row


def test_nobody_melds_before_the_round_the_rules_name() -> None:
    turns = play("classic4", "meld_from_round=3")["turns"]
    early = turns["turn"] <= 8
    assert turns["laid"][early].sum() == 0
    assert (turns["took"][early] <= 0).all()
    assert turns["laid"][~early].sum() > 0


def test_without_an_upcard_the_first_discard_begins_the_pile() -> None:
    log = play("classic4", "upcard=none")
    assert (log["turns"]["pile"][log["turns"]["turn"] == 1] == 0).all()
    assert not log["deals"]["upcards"].any()
    assert (log["piles"]["first_turn"] > 0).all()


def test_as_many_cards_lie_face_down_as_the_upcard_counts() -> None:
    upcards = play("classic4", "upcard=value_pile")["deals"]["upcards"]
    for row in upcards.tolist():
        cards = [CARDS[card - 1] for card in row if card]
        value = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}.get(cards[-1][0]) or int(cards[-1][0])
        covered = len(cards) - 1 - value
        assert covered >= 0
        assert all(card == "JK" or card[0] in "23" for card in cards[:covered])


def test_the_opener_gets_bonus_cards_after_the_discard_unless_the_pile_was_taken() -> None:
    changes = ("initial_draw=counts=4,3,when=next_turn", "canastas_out=2")
    log = play("classic4", *changes, lineup="naive~random", games=8)
    moves = log["moves"]
    for key in deals_of(log["deals"]):
        rows, turns = rows_of(moves, key), rows_of(log["turns"], key)
        got = Counter(rows["turn"][actions(rows, "bonus")].tolist())
        for place, turn in enumerate(turns["turn"][turns["opened"] == 1].tolist()):
            row = turn - 1
            left = turns["stock"][row] - (rows["turn"][actions(rows, "draw")] == turn).sum()
            due = turns["took"][row] <= 0 and left >= 9 and turn < turns["turn"][-1]
            assert got.pop(turn, 0) >= (4, 3)[place] * due
        assert not got


def test_an_opener_may_get_them_at_once() -> None:
    moves = play("classic4", "packs=3", "red3_totals=1,2,3,4,5,6", "initial_draw=counts=13,13,when=at_once")["moves"]
    got = actions(moves, "bonus")
    turns = Counter(zip(*(moves[name][got].tolist() for name in ("game", "deal", "turn")), strict=True))
    assert turns
    assert max(turns.values()) >= 13


def test_a_take_may_bring_a_card_of_the_stock() -> None:
    log = play("classic4", "pile_extra_draw=1")
    moves = log["moves"]
    takes, extra = actions(moves, "take").sum(), actions(moves, "bonus").sum()
    red_threes = actions(moves, "red3").sum()  # of which each that comes so is replaced
    assert takes - len(log["deals"]["deal"]) <= extra <= takes + red_threes


@pytest.mark.parametrize("pickup", ["hand_empty", "first_canasta"])
def test_a_reserve_is_taken_up_once(pickup: str) -> None:
    changes = ("packs=4", "red3_totals=1,2,3,4,5,6,7,8", "reserve_size=11", f"reserve_pickup={pickup}")
    log = play("classic4", *changes, "canastas_out=3", "out_conditions=reserve_taken", games=3)
    moves = log["moves"]
    foot = actions(moves, "foot")
    taken = Counter(zip(*(moves[name][foot].tolist() for name in ("game", "deal", "seat")), strict=True))
    assert set(taken.values()) == {1}
    for key, out in zip(deals_of(log["deals"]), log["deals"]["out_seat"].tolist(), strict=True):
        assert out < 0 or (*key, out) in taken


def test_a_player_who_must_ask_goes_out_only_with_leave() -> None:
    log = play("classic4", "ask_partner=required", lineup="safe~hoarder")
    for key, out in zip(deals_of(log["deals"]), log["deals"]["out_seat"].tolist(), strict=True):
        rows = rows_of(log["moves"], key)
        last = rows["turn"] == rows["turn"].max()
        assert out < 0 or actions(rows, "agree")[last].any()


@pytest.mark.parametrize("word", ["after_own", "forbidden"])
def test_an_opening_may_have_to_do_without_the_pile(word: str) -> None:
    log = play("classic4", f"initial_pile={word}", lineup="naive")
    sides, turns = log["sides"], log["turns"]
    assert not (sides["opening"] == OPENINGS.index("pile") + 1).any()
    assert ((turns["opened"] == 1) & (turns["took"] > 0)).any() == (word == "after_own")
    by_hand = sides["opening"] > 0
    out = {(*key, seat) for key, seat in zip(deals_of(log["deals"]), log["deals"]["out_seat"].tolist(), strict=True)}
    for row in np.flatnonzero(by_hand & (sides["open_points"] < sides["minimum"])):  # only to go out concealed
        assert (int(sides["game"][row]), int(sides["deal"][row]), int(sides["open_seat"][row])) in out


def test_black_threes_may_be_laid_like_red_ones() -> None:
    changes = ("black3_role=bonus", "black3_meld=never", "upcard=none", "discard_bans=three")
    moves = play("classic4", *changes)["moves"]
    thrown = {CARDS[card - 1] for card in moves["card"][actions(moves, "discard")].tolist()}
    laid = {CARDS[card - 1] for card in moves["card"][actions(moves, "red3")].tolist()}
    assert laid == {"3C", "3D", "3H", "3S"}
    assert not thrown & laid


def test_black_threes_of_a_taken_pile_may_go_out_of_play() -> None:
    moves = play("classic4", "black3_role=set_aside", lineup="hoarder")["moves"]
    assert {CARDS[card - 1] for card in moves["card"][actions(moves, "aside")].tolist()} == {"3C", "3S"}


def test_red_threes_may_go_onto_clean_canastas_only() -> None:
    changes = ("red3_use=on_clean_canasta", "discard_bans=none", "canastas_out=3", "max_wilds=1")
    log = play("classic4", *changes, lineup="naive", games=10)
    sides = log["sides"]
    assert sides["red_threes"].sum() > 0
    assert (sides["red_threes"] <= sides["natural_canastas"] + sides["mixed_canastas"]).all()
    moves = log["moves"]
    assert (moves["turn"][actions(moves, "red3")] > 0).all()


def test_a_fixed_number_of_deals_is_played() -> None:
    games = play("classic4", "target=none", "deals=4", "tie=shared")["games"]
    assert set(games["deals"].tolist()) == {4}


def test_partners_of_a_deal_share_all_but_their_red_threes() -> None:
    log = play("classic3", lineup="safe~naive~random", games=8)
    sides, formed = log["sides"], 0
    for key in deals_of(log["deals"]):
        rows = rows_of(sides, key)
        lone = np.flatnonzero(rows["lone"] == 1)
        if not len(lone):
            assert (rows["partner"] < 0).all()
            continue
        formed += 1
        one, other = (seat for seat in range(3) if seat != lone[0])
        assert (rows["partner"][one], rows["partner"][other], rows["partner"][lone[0]]) == (other + 1, one + 1, -1)
        shared = rows["score"] - rows["red_three_points"]
        assert shared[one] == shared[other]
        assert rows["melded_cards"][max(one, other)] == 0
    assert formed > 5


def test_the_words_of_melds_begin_with_the_ranks() -> None:
    words = next(column.words for column in MOVES if column.name == "meld")
    assert words[:11] == RANKS[:11]
