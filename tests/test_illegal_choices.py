"""No strategy can break the table: every illegal choice stops the run and says why, whatever is written or read."""

from __future__ import annotations

from pathlib import Path

import pytest
from cheat_strategy import write_cheat
from cheats import CHEATS

from engine.errors import IllegalChoice
from engine.faults import FAULTS
from engine.play import play_blocks
from engine.rules import Variant, load_variant
from engine.strategies import parse_lineup

CLASSIC = load_variant("classic4")


def play(variant: Variant, lineup: str, games: int) -> int:
    """Deals of so many games played."""
    blocks = play_blocks(variant, parse_lineup(lineup, variant.rules), seed=1, first_game=1, games=games)
    return sum(len(block["deals"]) for block in blocks)


NOT_BY_A_STRATEGY = {"none"}


@pytest.mark.parametrize("what", CHEATS)
def test_an_illegal_choice_stops_the_run_and_says_why(tmp_path: Path, what: str) -> None:
    fault, kind, body, changes = CHEATS[what]
    variant = load_variant("classic4", changes)
    with pytest.raises(IllegalChoice) as stopped:
        play(variant, str(write_cheat(tmp_path, kind, body)), 200)
    said = str(stopped.value)
    assert said.endswith(f"cheat {FAULTS[fault]}")
    assert said.startswith(f"{variant.slug}, game ")
    assert "\n" not in said
    assert 1 <= int(said.split("seat ")[1].split(":")[0]) <= 4


def test_every_fault_a_strategy_can_cause_is_caused() -> None:
    assert {fault for fault, *_ in CHEATS.values()} == FAULTS.keys() - NOT_BY_A_STRATEGY


@pytest.mark.parametrize(
    "read", ["hand.cards[53]", "hand.kinds[99]", "table.pile[-999]", "table.hand_sizes[7]", "weights[40]"]
)
def test_reading_past_the_end_is_stopped(tmp_path: Path, read: str) -> None:
    body = f"return 0 if {read} >= 0 else 1".replace("hand.cards[53]", "hand.cards[53 + hand.seat - hand.seat]")
    with pytest.raises(IllegalChoice, match=r"cheat fails: .*out of bounds"):
        play(CLASSIC, str(write_cheat(tmp_path, "melds", body)), 2)
