"""The referee on logged deals: a legal one passes, one with a planted fault is refused by the rule it breaks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from logged_deal import MOVES, write_deal, write_moves, write_piles, write_sides, write_turns

from engine.cards import CARDS
from engine.history.reader import read_history
from engine.history.record import parse_action
from engine.history.writer import write_history
from engine.ledger.replay import history_of, judge_block, judge_logged_deal
from engine.log import ACTIONS, DEAL_ENDINGS, MELDS, TABLES
from engine.referee.verdict import judge
from engine.rules import Variant, load_variant

CLASSIC = load_variant("classic4")


def judge_rows(
    moves: str = MOVES,
    change: Callable[..., object] | None = None,
    variant: Variant = CLASSIC,
) -> set[str]:
    """The rules broken by the deal with other moves, or after a change to deal, moves, sides, turns or piles."""
    tables = (write_deal(), write_moves(moves), write_sides(), write_turns(), write_piles())
    if change is not None:
        change(*tables)
    return {fault.rule for fault in judge_logged_deal(variant, *tables)}


def test_a_legal_deal_has_no_fault() -> None:
    assert judge_rows() == set()


def test_its_history_is_legal_and_scores_as_logged() -> None:
    history = history_of(CLASSIC, write_deal(), write_moves(), write_sides())
    verdict = judge(history)
    assert verdict.legal
    assert (verdict.ending, verdict.deal_scores, verdict.scores) == ("concealed", (865, 10), (965, 1505))
    assert verdict.breakdown == (
        {"canastas": 500, "red_threes": 100, "cards": 145, "held": -80, "out": 200},
        {"canastas": 0, "red_threes": 100, "cards": 60, "held": -150, "out": 0},
    )
    assert read_history(write_history(history)) == history
    assert parse_action("1 red3 3H QH") in history.actions
    assert parse_action("4 draw 3D 9S") in history.actions


def without(line: str, count: int = 1) -> str:
    assert line in MOVES
    return MOVES.replace(line + "\n", "", count)


def instead(line: str, *lines: str) -> str:
    assert f"{line}\n" in MOVES
    return MOVES.replace(f"{line}\n", "".join(f"{new}\n" for new in lines), 1)


PLANTED: dict[str, tuple[str, str]] = {
    "two cards swapped": (
        MOVES.replace("1 1 discard 9C", "1 1 discard KS").replace("2 2 discard KS", "2 2 discard 9C"),
        "card_not_held",
    ),
    "a card swapped that lies in the same pile later": (instead("1 1 discard 9C", "1 1 discard 5C"), "log_turn"),
    "a card of nobody's": (instead("4 4 discard KH", "4 4 discard JK"), "card_not_held"),
    "a missing meld": (without("5 1 meld 5D 5"), "meld_size"),
    "a pile taken with a wild while frozen": (instead("5 1 meld KD K", "5 1 meld JK K"), "pile_frozen"),
    "a pile taken with one king": (without("5 1 meld KD K"), "pile_frozen"),
    "a pile taken after drawing": (instead("5 1 meld KC K", "5 1 draw 8S", "5 1 meld KC K"), "drawn_already"),
    "a pile with a wild on top": (instead("4 4 draw 3D", "4 4 take 2C"), "stopped_pile"),
    "a draw twice": (instead("3 3 draw 9H", "3 3 draw 9H", "3 3 draw 9H"), "draw_count"),
    "a draw left out": (without("3 3 draw 9H"), "draw_first"),
    "a draw after the melds": (
        instead("2 2 draw 9D", "2 2 meld AC A").replace("2 2 meld AC A\n2 2 meld AC A", "2 2 meld AC A\n2 2 draw 9D"),
        "draw_first",
    ),
    "a card the pack has not": (instead("3 3 draw 9H", "3 3 draw QC"), "pack"),
    "a wrong seat": (instead("3 3 draw 9H", "3 2 draw 9H"), "wrong_seat"),
    "a turn skipped": (MOVES.replace("3 3 draw 9H\n3 3 discard 2C\n", ""), "wrong_seat"),
    "a missing discard": (without("2 2 discard KS"), "missing_discard"),
    "a missing last discard": (without("5 1 discard 9C"), "log_deal"),
    "an opening below the minimum": (
        "\n".join(line for line in MOVES.split("\n") if not line.endswith(" Q")),
        "minimum",
    ),
    "a fourth wild": (instead("5 1 meld 2C K", *["5 1 meld 2C K"] * 4), "max_wilds"),
    "wilds alone": (instead("5 1 meld 2C K", "5 1 meld 2C wild"), "wild_meld"),
    "a card to another rank": (instead("5 1 meld KS K", "5 1 meld KS 5"), "one_rank"),
    "a red three melded": (instead("1 1 discard 9C", "1 1 meld 3H K", "1 1 discard 9C"), "red_three_meld"),
    "a black three melded": (instead("1 1 discard 9C", "1 1 meld 3C 3", "1 1 discard 9C"), "black_three_meld"),
    "a red three discarded": (instead("1 1 discard 9C", "1 1 discard 3H"), "discard_ban"),
    "asking after a meld": (
        MOVES.replace("5 1 ask\n5 3 agree\n5 1 meld 5C 5\n", "5 1 meld 5C 5\n5 1 ask\n5 3 agree\n"),
        "ask_time",
    ),
    "no answer": (without("5 3 agree"), "answer"),
    "out after a no": (instead("5 3 agree", "5 3 refuse"), "answer_no"),
    "not out after a yes": (without("5 1 meld 2C K"), "answer_yes"),
    "a pass with cards in the stock": (instead("3 3 draw 9H", "3 3 pass"), "pass_time"),
    "moves after the end": (MOVES + "6 2 draw 8S\n", "deal_over"),
    "a red three drawn and not laid": (without("4 4 red3 3D"), "log_rows"),
    "a dealt red three not laid": (MOVES.replace("0 1 red3 3H\n0 1 draw QH\n", ""), "log_rows"),
    "a replacement left out": (without("0 1 draw QH"), "log_rows"),
    "a replacement left out in play": (without("4 4 draw 9S"), "draw_count"),
    "a wrong number of cards taken": (instead("5 1 take KH K 5", "5 1 take KH K 4"), "log_rows"),
    "another card taken": (instead("5 1 take KH K 5", "5 1 take KS K 5"), "log_rows"),
    "a wrong turn": (MOVES.replace("4 4 ", "5 4 "), "log_rows"),
    "a card at a pass": (instead("5 1 ask", "5 1 ask 9C"), "log_rows"),
    "a meld without its rank": (instead("5 1 meld KS K", "5 1 meld KS"), "log_rows"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_fault_in_the_moves_is_refused_by_its_rule(planted: str) -> None:
    moves, rule = PLANTED[planted]
    assert moves != MOVES
    assert rule in judge_rows(moves)


def change_row(table: int, column: str, value: Any, place: int | None = None) -> Callable[..., None]:
    def change(*rows: dict[str, Any]) -> None:
        old = rows[table][column]
        assert (old if place is None else old[place]) != value
        if place is None:
            rows[table][column] = value
        else:
            old[place] = value

    return change


DEAL, MOVE, SIDE, TURN, PILE = range(5)
RELABELLED: dict[str, tuple[Callable[..., None], str]] = {
    "a wrong score": (change_row(SIDE, "score", 870, 0), "log_side"),
    "a wrong total": (change_row(SIDE, "score_after", 960, 0), "log_side"),
    "another score before": (change_row(SIDE, "score_before", 1500, 1), "minimum"),
    "a wrong minimum": (change_row(SIDE, "minimum", 90, 1), "log_side"),
    "a wrong red three score": (change_row(SIDE, "red_three_points", -100, 1), "log_side"),
    "a bonus for nothing": (change_row(SIDE, "out_points", 100, 1), "log_side"),
    "a natural canasta called mixed": (change_row(SIDE, "mixed_Q", 1, 0), "log_side"),
    "a wrong opening": (change_row(SIDE, "open_points", 50, 0), "log_side"),
    "a take more": (change_row(SIDE, "takes", 2, 0), "log_side"),
    "a legal take nobody had": (change_row(SIDE, "legal_takes", 1, 1), "log_side"),
    "a card less in hand": (change_row(SIDE, "held_cards", 18, 1), "log_side"),
    "a side less": (change_row(SIDE, "side", 3, 1), "log_side"),
    "a wrong ending": (change_row(DEAL, "ending", DEAL_ENDINGS.index("out") + 1), "log_deal"),
    "a wrong seat out": (change_row(DEAL, "out_seat", 3), "log_deal"),
    "a wrong dealer": (change_row(DEAL, "dealer", 1), "wrong_seat"),
    "a card more in the stock": (change_row(DEAL, "stock", 58), "log_deal"),
    "a wrong number of turns": (change_row(DEAL, "turns", 6), "log_deal"),
    "a smaller biggest take": (change_row(DEAL, "biggest_take", 4), "log_deal"),
    "another upcard": (change_row(DEAL, "upcards", [CARDS.index("2H") + 1]), "upcard"),
    "a hand of ten": (lambda deal, *_: deal["hands"][3].__setitem__(10, 0), "hand_size"),
    "a card dealt to two": (lambda deal, *_: deal["hands"][3].__setitem__(0, CARDS.index("QC") + 1), "pack"),
    "moves numbered wrong": (change_row(MOVE, "move", 9, 0), "log_rows"),
    "a seat that is not there": (change_row(MOVE, "seat", 9, 3), "log_rows"),
    "a card that is none": (change_row(MOVE, "card", 77, 3), "log_rows"),
    "a dealer without a seat": (change_row(DEAL, "dealer", 0), "log_rows"),
    "moves of another deal": (change_row(MOVE, "deal", 3, 4), "log_rows"),
    "a turn that could not take": (change_row(TURN, "could_take", 0, 4), "log_turn"),
    "a turn that met another pile": (change_row(TURN, "pile", 3, 1), "log_turn"),
    "a frozen pile called open": (change_row(TURN, "state", 1, 4), "log_turn"),
    "a pile frozen by another": (change_row(PILE, "frozen_seat", 4, 0), "log_pile"),
    "a pile with a card more": (change_row(PILE, "cards", 6, 0), "log_pile"),
    "a pile nobody took": (change_row(PILE, "pile", 3, 1), "log_pile"),
    "a turn less": (lambda *rows: [column.pop() for column in rows[TURN].values()], "log_turn"),
}


@pytest.mark.parametrize("planted", RELABELLED)
def test_a_column_that_says_something_else_than_the_moves_is_refused(planted: str) -> None:
    change, rule = RELABELLED[planted]
    assert rule in judge_rows(change=change)


def test_the_same_moves_under_other_rules_are_refused() -> None:
    for changes, rule in [
        ({"canastas_out": 2}, "out_canastas"),
        ({"ask_partner": "none"}, "asking_off"),
        ({"initial_minimums": ((-99_999, 120),)}, "minimum"),
        ({"max_wilds": 0}, "max_wilds"),
        ({"red3_totals": (50, 100, 150, 200)}, "log_side"),
        ({"concealed_with_pile": False}, "log_deal"),
        ({"hand_size": 10}, "hand_size"),
        ({"wild_ratio": "fewer", "freeze_by": ()}, "log_turn"),
    ]:
        assert rule in judge_rows(variant=load_variant("classic4", changes)), changes


def test_the_action_of_a_logged_fault_is_its_first_move() -> None:
    deal, sides = write_deal(), write_sides()
    faults = judge_logged_deal(CLASSIC, deal, write_moves(instead("3 3 discard 2C", "3 3 discard JK")), sides)
    assert (faults[-1].action, faults[-1].seat, faults[-1].rule) != (0, 0, "")
    assert any((fault.action, fault.seat, fault.rule) == (11, 3, "card_not_held") for fault in faults)


def test_rows_may_be_structured_arrays_words_or_columns() -> None:
    moves, sides, deal = write_moves(), write_sides(), write_deal()
    as_words = {
        **moves,
        "action": [ACTIONS[code - 1] for code in moves["action"]],
        "card": [CARDS[code - 1] if code else None for code in moves["card"]],
        "meld": [MELDS[code - 1] if code else None for code in moves["meld"]],
        "taken": [None if number < 0 else number for number in moves["taken"]],
    }
    named = {**deal, "ending": "concealed", "sits_out": None}
    named["hands"] = [[CARDS[code - 1] for code in hand if code] for hand in deal["hands"][:4]]
    named["upcards"] = ["5H"]
    arrays = np.zeros(len(moves["move"]), np.dtype([column.dtype for column in TABLES["moves"]]))
    for name, values in moves.items():
        arrays[name] = values
    record = np.zeros(1, np.dtype([column.dtype for column in TABLES["deals"]]))[0]
    for name, value in deal.items():
        if name == "upcards":
            record[name][: len(value)] = value
        else:
            record[name] = value
    histories = [
        history_of(CLASSIC, deal, moves, sides),
        history_of(CLASSIC, named, as_words, sides),
        history_of(CLASSIC, record, arrays, sides),
    ]
    assert histories[0] == histories[1] == histories[2]
    assert judge_logged_deal(CLASSIC, record, arrays, sides) == []
    assert judge_logged_deal(CLASSIC, named, as_words, sides) == []


def test_a_block_is_judged_deal_by_deal() -> None:
    tables = {"deals": {name: [value] * 2 for name, value in write_deal().items()}}
    for name, rows in (
        ("moves", write_moves()),
        ("sides", write_sides()),
        ("turns", write_turns()),
        ("piles", write_piles()),
    ):
        tables[name] = {column: values * 2 for column, values in rows.items()}
    half = {"deals": 1, "moves": len(write_moves()["move"]), "sides": 2, "turns": 5, "piles": 2}
    for name, rows in tables.items():
        rows["deal"] = [2] * half[name] + [3] * half[name]
    tables["sides"]["score"] = [865, 10, 865, 15]
    judged = list(judge_block(CLASSIC, tables))
    assert [(game, deal) for game, deal, _ in judged] == [(7, 2), (7, 3)]
    assert judged[0][2] == []
    assert {fault.rule for fault in judged[1][2]} == {"log_side"}


def test_a_variant_of_an_own_file_is_written_as_changes_to_classic(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "classic4"\ncanastas_out = 2\ntarget = 3000\ndeals = 9\n')
    history = history_of(load_variant(str(path)), write_deal(), write_moves(), write_sides())
    assert history.variant == "classic4"
    assert read_history(write_history(history)).load_rules().rules == load_variant(str(path)).rules
    changed = history_of(
        load_variant("gamecolony2", {"deals": 4, "target": None}), write_deal(), write_moves(), write_sides()
    )
    assert (changed.variant, dict(changed.rules)) == ("gamecolony2", {"target": "none", "deals": 4})
