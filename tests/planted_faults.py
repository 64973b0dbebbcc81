"""Faults to plant into a run's files, each with the audit that must find it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import log

Rows = list[dict[str, Any]]
FAULTS: list[tuple[str, str, str, Callable[[Rows], object]]] = []
"""Audit, table, name, and what is done to the rows of the table."""


def fault(name: str, table: str) -> Callable[[Callable[[Rows], object]], Callable[[Rows], object]]:
    """Declares a fault that the audit `name` must find in `table`."""

    def declare(plant: Callable[[Rows], object]) -> Callable[[Rows], object]:
        FAULTS.append((name, table, plant.__name__, plant))
        return plant

    return declare


def first(rows: Rows, **wanted: Any) -> dict[str, Any]:
    """The first row with these values; `...` is any but null."""
    return next(row for row in rows if all(
        row[name] is not None if value is ... else row[name] == value for name, value in wanted.items()))  # fmt: skip


def adds(name: str, table: str, column: str, amount: int = 1, **wanted: Any) -> None:
    """Declares the fault that a number is off."""

    def plant(rows: Rows) -> None:
        first(rows, **{column: ..., **wanted})[column] += amount

    plant.__name__ = f"{column}_off_by_{amount}"
    fault(name, table)(plant)


def sets(name: str, table: str, column: str, value: Any, **wanted: Any) -> None:
    """Declares the fault that a value is another."""

    def plant(rows: Rows) -> None:
        others = [row for row in rows if row[column] != value]
        first(others, **wanted)[column] = value

    plant.__name__ = f"{column}_is_{value}"
    fault(name, table)(plant)


@fault("move_order", "moves")
@fault("unique_grain", "deals")
@fault("unique_grain", "sides")
@fault("unique_grain", "piles")
@fault("unique_grain", "games")
@fault("turn_order", "turns")
def a_row_is_missing(rows):
    del rows[7]


@fault("move_order", "moves")
@fault("unique_grain", "deals")
@fault("unique_grain", "sides")
@fault("unique_grain", "piles")
@fault("unique_grain", "games")
@fault("turn_order", "turns")
def a_row_is_there_twice(rows):
    rows.insert(7, rows[7])


@fault("move_order", "moves")
@fault("unique_grain", "games")
@fault("turn_order", "turns")
def two_rows_are_swapped(rows):
    rows[7], rows[8] = rows[8], rows[7]


@fault("move_order", "moves")
def a_turn_is_skipped(rows):
    for row in rows:
        if (row["game"], row["deal"]) == (1, 1) and row["turn"] > 3:
            row["turn"] += 1


@fault("turn_order", "turns")
def the_last_turn_of_a_deal_is_missing(rows):
    last = max(row["turn"] for row in rows if (row["game"], row["deal"]) == (1, 1))
    rows.remove(first(rows, game=1, deal=1, turn=last))


@fault("card_conservation", "moves")
def a_card_is_drawn_three_times(rows):
    drawn = [row for row in rows if row["action"] == "draw" and (row["game"], row["deal"]) == (1, 1)]
    for row in drawn[:3]:
        row["card"] = "4C"


@fault("card_conservation", "moves")
def five_jokers_are_drawn(rows):
    drawn = [row for row in rows if row["action"] == "draw" and (row["game"], row["deal"]) == (1, 1)]
    for row in drawn[:5]:
        row["card"] = "JK"


@fault("card_conservation", "deals")
def a_hand_has_a_card_too_many(rows):
    rows[0]["hands"][0].append("7H")


@fault("hand_balance", "moves")
def a_red_three_is_discarded(rows):
    first(rows, action="discard", game=1, deal=2)["card"] = "3D"


@fault("hand_balance", "moves")
def a_card_from_the_sleeve_is_melded(rows):
    held = [row["card"] for row in rows if (row["game"], row["deal"]) == (1, 1) and row["action"] in ("draw", "meld")]
    row = first(rows, action="meld", game=1, deal=1)
    row["card"] = next(card for card in ("4C", "5D", "6H", "7S", "8C", "9D", "TH", "JS", "QC", "KD", "AH")
                       if card not in held)  # fmt: skip


@fault("hand_balance", "piles")
def another_seat_picked_up_the_pile(rows):
    row = next(row for row in rows if row["ending"] == "take" and row["cards"] > 3)
    row["taken_seat"] = row["taken_seat"] % 4 + 1


@fault("ledger_turns", "moves")
def a_red_three_is_laid_by_another_seat(rows):
    row = next(row for row in rows if row["action"] == "red3" and row["turn"] > 0)
    row["seat"] = row["seat"] % 4 + 1


@fault("melds", "moves")
def a_meld_has_four_wild_cards(rows):
    row = first(rows, action="meld", game=1)
    same = [one for one in rows if one["action"] == "meld" and all(
        one[name] == row[name] for name in ("game", "deal", "meld"))]  # fmt: skip
    for one in same:
        one["card"] = "2C"


@fault("melds", "moves")
def a_red_three_was_never_laid(rows):
    first(rows, action="red3")["action"] = "draw"


@fault("melds", "sides")
def a_canasta_is_of_another_rank(rows):
    row = next(row for row in rows if row["mixed_4"] and not row["mixed_5"])
    row["mixed_4"], row["mixed_5"] = 0, 1


@fault("game_ends", "games")
def the_other_side_won(rows):
    rows[0]["winner"] = 3 - rows[0]["winner"]


@fault("game_ends", "sides")
def a_game_goes_on_after_the_target(rows):
    row = first(rows, game=1, deal=2, side=1)
    row["score_after"] = 5_005


@fault("game_ends", "sides")
def a_game_ends_below_the_target(rows):
    last = max(row["deal"] for row in rows if row["game"] == 1)
    for row in rows:
        if (row["game"], row["deal"]) == (1, last):
            row["score_after"] = min(row["score_after"], 4_995 - row["side"])


@fault("totals_carry", "games")
def a_final_score_is_another(rows):
    rows[2]["scores"][1] += 5


@fault("game_totals", "games")
def a_side_took_another_pile(rows):
    rows[2]["side_takes"][1] += 1


@fault("going_out", "sides")
def a_side_goes_out_without_a_canasta(rows):
    for row in rows:
        row["natural_canastas"] = row["mixed_canastas"] = row["wild_canastas"] = row["sequence_canastas"] = 0


sets("turn_order", "turns", "seat", 2)
adds("turn_order", "deals", "turns")
adds("card_conservation", "deals", "stock")
adds("hand_balance", "sides", "held_cards")
adds("hand_balance", "sides", "held_points", -5)
for column in ("laid", "laid_points", "stock"):
    adds("ledger_turns", "turns", column, game=1, deal=2)
adds("ledger_turns", "turns", "took", game=1)
sets("ledger_turns", "turns", "took", None, game=1, took=...)
sets("ledger_turns", "turns", "discard", "9S", game=1, discard=...)
sets("ledger_turns", "turns", "seat", 3, game=1)
sets("ledger_turns", "moves", "seat", 1, game=1, action="draw", deal=2, turn=3)
sets("ledger_turns", "moves", "action", "discard", game=1, action="meld")
sets("turn_facts", "turns", "could_take", False, took=...)
sets("turn_facts", "turns", "upcard", "JK", turn=4)
adds("turn_facts", "turns", "pile", turn=4)
adds("turn_facts", "turns", "next_took")
sets("turn_facts", "turns", "next_could_take", None, next_could_take=...)
sets("turn_facts", "turns", "frozen_by", None, state="frozen")
for column in ("cards", "card_points", "black_threes", "wilds_on_frozen", "first_turn"):
    adds("pile_facts", "piles", column)
adds("pile_facts", "piles", "frozen_turn", ending="take")
sets("pile_facts", "piles", "frozen_seat", 1, frozen_by="wild")
sets("pile_facts", "piles", "taken_seat", 1, ending="take")
sets("pile_facts", "piles", "how", "pair", ending="take")
adds("pile_facts", "deals", "pile")
sets("pile_facts", "turns", "frozen_by", "wild", turn=1)
POINTS = tuple(column.name for column in log.TABLES["sides"] if column.name.endswith("_points"))
ITEMS = tuple(name for name in POINTS if name != "open_points")
for column in (*ITEMS, "score", "score_after", "natural_canastas", "mixed_canastas", "natural_K", "mixed_A"):
    adds("score_items", "sides", column, -5 if column == "held_points" else 1)
sets("score_items", "sides", "open_seat", None, open_seat=...)
adds("totals_carry", "sides", "score_before", 5, deal=1)
adds("totals_carry", "sides", "score_before", 5, deal=2)
adds("minimum", "sides", "minimum", 5)
sets("minimum", "sides", "open_points", 45, open_points=..., minimum=50)
for column in (
    "melded_cards",
    "card_points",
    "red_threes",
    "natural_canastas",
    "mixed_canastas",
    "wild_canastas",
    "sequence_canastas",
):
    adds("melds", "sides", column)
for column in ("takes", "taken_cards", "legal_takes", "freezes", "open_turn"):
    adds("side_facts", "sides", column)
sets("side_facts", "sides", "open_seat", 1, open_seat=3)
sets("side_facts", "turns", "opened", True)
sets("game_ends", "games", "ending", "cap")
sets("game_ends", "games", "ending", "deals")
sets("deal_facts", "deals", "dealer", 2, deal=2)
sets("deal_facts", "deals", "ending", "stock", ending="out")
sets("deal_facts", "deals", "out_seat", None, ending="out")
sets("deal_facts", "deals", "out_seat", 2, ending="out")
adds("deal_facts", "deals", "biggest_take")
sets("deal_facts", "deals", "biggest_take_seat", 2, biggest_take=...)
adds("deal_facts", "deals", "seats", -1)
for column in ("deals", "turns", "out_deals", "takes", "legal_takes", "taken_cards", "melded_cards", "freezes",
               "frozen_turns", "frozen_deals"):  # fmt: skip
    adds("game_totals", "games", column)
