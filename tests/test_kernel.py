"""The kernel as a judge: what it plays it accepts, and it refuses what the referee refuses, at the same action."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from changed_history import change_history
from kernel_judge import KernelVerdict, judge_by_kernel

from engine.history.record import History, show_action
from engine.ledger.deals import split_deals
from engine.ledger.replay import make_history
from engine.ledger.rows import read_moves
from engine.play import play_blocks
from engine.referee.verdict import Verdict, judge
from engine.rules import Variant, load_variant
from engine.strategies import parse_lineup

CELLS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("classic4", {}, "random"),
    ("classic4", {}, "naive~safe"),
    ("classic2", {}, "random"),
    ("gamecolony2_red3freezes", {}, "random"),
    ("viennese", {}, "random~naive"),
    ("classic6_two", {"upcard": "until_natural", "freeze_by": ["wild", "black3"]}, "random"),
    ("classic3_cutthroat", {"wild_ratio": "fewer", "stock_end": "immediate"}, "random"),
    ("classic4", {"hand_size": 4, "initial_minimums": "<0:15;0:30"}, "random"),
    ("classic2", {"hand_size": 5, "out_discard": "required", "canastas_out": 1, "one_card_pile": "allowed"}, "random"),
    ("classic2", {"stock_end": "pile_play_free", "canastas_out": 4, "initial_minimums": "<0:200"}, "hoarder"),
    (
        "classic4",
        {
            "unfrozen_take": ["pair", "add"],
            "add_to_complete": False,
            "initial_waivers": [],
            "min_naturals": 3,
            "draw_count": 2,
            "black3_meld": "never",
        },
        "random",
    ),
)


def play_histories(variant: Variant, lineup: str, *, seed: int, games: int) -> Iterator[History]:
    for block in play_blocks(variant, parse_lineup(lineup, variant.rules), seed=seed, first_game=1, games=games):
        for logged in split_deals(block):
            yield make_history(variant, logged, read_moves(variant.rules, logged))


def find_difference(history: History) -> str | None:
    """What kernel and referee say differently of a history; None when they agree."""
    kernel, referee = judge_by_kernel(history), judge(history)
    if kernel.legal and referee.legal:
        found = [(verdict.ending, verdict.deal_scores, verdict.scores) for verdict in (kernel, referee)]
        return None if found[0] == found[1] else f"{found[0]} and {found[1]}"
    at = kernel.faults[0].action if kernel.faults else None
    first = referee.faults[0].action if referee.faults else None
    if at == first or _is_same_fault(history, kernel, referee):
        return None
    shown = [f"{number} {show_action(action)}" for number, action in enumerate(history.actions, 1)]
    near = min(number for number in (at, first) if number is not None)
    return f"kernel {kernel.faults}, referee {referee.faults[:2]}: {shown[max(near - 6, 0) : near + 3]}"


def _is_same_fault(history: History, kernel: KernelVerdict, referee: Verdict) -> bool:
    """Whether both refuse the same turn, and only the action they hold against it differs.

    Melds before a draw turn out to be wrong when the take does not come: the referee goes back to them, the kernel
    stops at what came instead. A take that leaves one card no rule lets the seat play is the kernel's fault already;
    the referee waits for the action that empties the hand. A third natural laid for a take is one more than justifies
    it to the kernel alone (CHH: "lays only the cards that justify it").
    """
    if not kernel.faults:
        return False
    at = kernel.faults[0].action
    if referee.faults and referee.faults[0].rule == "draw_first":
        return at in {fault.action for fault in referee.faults}
    if history.actions[at - 1].verb != "take":
        return False
    if referee.faults and referee.faults[0].rule == "out_canastas" and at < referee.faults[0].action <= at + 2:
        return True
    laid = 0
    while (
        at > 1
        and history.actions[at - 2].verb == "meld"
        and history.actions[at - 2].seat == history.actions[at - 1].seat
    ):
        at -= 1
        laid += len(history.actions[at - 1].cards)
    return laid > 2


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell[0]}-{cell[2]}-{len(cell[1])}")
def test_the_kernel_accepts_and_scores_what_it_played(cell: tuple[str, dict[str, Any], str]) -> None:
    name, changes, lineup = cell
    deals = 0
    for history in play_histories(load_variant(name, changes), lineup, seed=5, games=1):
        verdict = judge_by_kernel(history)
        assert verdict.legal, (verdict.faults, [show_action(action) for action in history.actions])
        assert find_difference(history) is None
        deals += 1
    assert deals > 0


def judge_changed(seed: int, *, games: int, each: int) -> tuple[int, int, list[str]]:
    """Changed histories judged by both, how many of them are faulty, and the differences."""
    chance = Random(seed)
    judged, faulty, differences = 0, 0, []
    for name, changes, lineup in CELLS:
        for history in play_histories(load_variant(name, changes), lineup, seed=seed, games=games):
            for _ in range(each):
                changed = change_history(chance, history)
                difference = find_difference(changed)
                judged += 1
                faulty += not judge(changed).legal
                if difference:
                    differences.append(f"{name} {changes}: {difference}")
    return judged, faulty, differences


def test_the_kernel_refuses_what_the_referee_refuses() -> None:
    judged, faulty, differences = judge_changed(3, games=1, each=3)
    assert not differences, "\n".join(differences[:5])
    assert faulty > judged / 2 > 90


@pytest.mark.slow
def test_the_kernel_refuses_what_the_referee_refuses_many_times() -> None:
    judged, faulty, differences = judge_changed(4, games=3, each=16)
    print(f"\nchanged histories: {judged:,} judged, {faulty:,} faulty, {len(differences)} differences")
    assert not differences, "\n".join(differences[:5])
    assert faulty > 2_500
