"""Golden deals: one deal in words, a line a move, to be read by people and compared by tests.

`make golden` (`python -m tests.golden_deal`) writes those of tests/golden anew; the difference shows in review.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.cards import CARDS
from engine.ledger.deals import LoggedDeal, split_deals
from engine.log import ACTIONS, DEAL_ENDINGS, FREEZES, MELDS, STATES, TAKES
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup

FOLDER = Path(__file__).parent / "golden"
GOLDEN: tuple[tuple[str, str, int, int], ...] = (
    ("classic4", "safe", 1, 1),
    ("classic4", "random~freezer", 2, 2),
    ("classic2", "naive~hoarder", 3, 1),
    ("gamecolony2_red3freezes", "random", 4, 1),
    ("viennese", "hoarder+naive~safe", 5, 2),
    ("classic6_three", "naive", 6, 1),
    ("classic3_cutthroat", "random~safe~hoarder", 7, 2),
)
"""Variant, line-up, seed, deal of the first game."""
POINTS = ("natural", "mixed", "card", "held", "red_three", "out")


def name_golden(variant: str, seed: int) -> str:
    """File of a golden deal."""
    return f"{variant}-{seed}.txt"


def tell_golden(variant_name: str, lineup: str, seed: int, number: int) -> str:
    """The text of a golden deal."""
    variant = load_variant(variant_name)
    for block in play_blocks(variant, parse_lineup(lineup, variant.rules), seed=seed, first_game=1, games=1):
        for logged in split_deals(block):
            if logged.deal["deal"] == number:
                head = f"{variant_name}, {lineup}, seed {seed}, game 1, deal {number}"
                return "\n".join([head, *_tell_setup(logged), *_tell_turns(logged), *_tell_end(logged)]) + "\n"
    raise ValueError(f"game 1 of {variant_name} {lineup} seed {seed} has no deal {number}")


def _show(codes: Any) -> str:
    return " ".join(CARDS[code - 1] for code in list(codes) if code > 0)


def _tell_setup(logged: LoggedDeal) -> Iterator[str]:
    deal = logged.deal
    yield f"seat {deal['dealer']} deals; upcards {_show(deal['upcards'])}"
    for seat, hand in enumerate(list(deal["hands"])[: deal["seats"]], 1):
        yield f"seat {seat} is dealt {_show(hand)}"
    scores, minimums = logged.sides["score_before"], logged.sides["minimum"]
    for side, (score, minimum) in enumerate(zip(scores, minimums, strict=True), 1):
        yield f"side {side} has {score} and opens with {minimum}"


def _tell_turns(logged: LoggedDeal) -> Iterator[str]:
    moves, told = logged.moves, -1
    for row, turn in enumerate(moves["turn"]):
        if turn != told and turn > 0:
            yield ""
            yield _tell_met(logged, turn - 1)
        told = turn
        yield "  " + _tell_move(moves, row)


def _tell_met(logged: LoggedDeal, place: int) -> str:
    turns = logged.turns
    could = [name for name in ("take", "open", "out") if turns[f"could_{name}"][place]]
    upcard, cause = turns["upcard"][place], turns["frozen_by"][place]
    return (
        f"turn {place + 1}, seat {turns['seat'][place]}: "
        f"{turns['hand'][place]} in hand, stock {turns['stock'][place]}, "
        f"pile {turns['pile'][place]}{f' with {CARDS[upcard - 1]}' if upcard else ''} "
        f"{STATES[turns['state'][place] - 1]}{f' by {FREEZES[cause - 1]}' if cause else ''}"
        f"{'; could ' + ', '.join(could) if could else ''}"
        f"{'; takes by ' + TAKES[turns['how'][place] - 1] if turns['how'][place] else ''}"
    )


def _tell_move(moves: Any, row: int) -> str:
    action, card, meld = (moves[name][row] for name in ("action", "card", "meld"))
    words = [f"{moves['seat'][row]} {ACTIONS[action - 1]}"]
    words += [CARDS[card - 1]] if card else []
    words += [f"to {MELDS[meld - 1]}"] if meld else []
    words += [f"with {moves['taken'][row]} cards"] if moves["taken"][row] >= 0 else []
    return " ".join(words)


def _tell_end(logged: LoggedDeal) -> Iterator[str]:
    deal, sides = logged.deal, logged.sides
    out = f", seat {deal['out_seat']} goes out" if deal["out_seat"] > 0 else ""
    yield ""
    yield f"ends {DEAL_ENDINGS[deal['ending'] - 1]}{out}; stock {deal['stock']}, pile {deal['pile']}"
    for place, side in enumerate(sides["side"]):
        items = [f"{name} {sides[f'{name}_points'][place]}" for name in POINTS if sides[f"{name}_points"][place]]
        score, after = sides["score"][place], sides["score_after"][place]
        yield f"side {side}: {score} ({', '.join(items) or 'nothing'}), now {after}"


def write_golden() -> None:
    """Write every golden deal anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for variant, lineup, seed, deal in GOLDEN:
        (FOLDER / name_golden(variant, seed)).write_text(tell_golden(variant, lineup, seed, deal), encoding="utf-8")


if __name__ == "__main__":
    write_golden()
