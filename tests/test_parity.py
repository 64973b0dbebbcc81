"""The same game whatever plays it: compiled, interpreted or checked, at one go or in parts, again from its numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from play_digest import digest_games

from engine.decision import KINDS
from engine.kernel.game import begin_game, play_deal
from engine.kernel.loops import loops
from engine.play import Game, play_blocks
from engine.rules import Variant, load_variant
from engine.strategies import parse_lineup

ROOT = Path(__file__).parents[1]
CELLS = (
    "classic4=safe",
    "classic2=random",
    "gamecolony2_red3freezes=hoarder~freezer",
    "classic3_cutthroat=random~naive~safe",
    "classic6_two=random+safe+naive~hoarder+freezer+naive",
    "viennese=naive~freezer",
)
SEED, GAMES = 5, 2


def digest_all() -> list[str]:
    return [
        f"{cell} {digest_games(*cell.split('=')[:2], seed=SEED, first_game=1, games=GAMES)}"  # type: ignore[arg-type]
        for cell in CELLS
    ]


def digest_apart(**environment: str) -> list[str]:
    """The digests as another process finds them in another environment."""
    ran = subprocess.run(
        [sys.executable, "tests/play_digest.py", str(SEED), "1", str(GAMES), *CELLS],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout.splitlines()


def test_interpreted_is_compiled() -> None:
    # NumPy warns where 64-bit arithmetic of the random streams wraps around, as it should.
    assert digest_apart(NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore::RuntimeWarning") == digest_all()


@pytest.mark.slow
def test_with_every_index_checked() -> None:
    assert digest_apart(CANASTA_BOUNDSCHECK="1") == digest_all()


# ---------------------------------------------------------------------------------------------------- games in parts
def play(
    variant: Variant, lineup: str, *, games: int, first_game: int = 1, seed: int = SEED
) -> dict[str, dict[str, Any]]:
    """Every column of every table."""
    found: dict[str, dict[str, list[Any]]] = {}
    for block in play_blocks(
        variant, parse_lineup(lineup, variant.rules), seed=seed, first_game=first_game, games=games
    ):
        for table, rows in block.items():
            for column in rows.columns:
                found.setdefault(table, {}).setdefault(column, []).append(rows[column].copy())
    return {table: {name: np.concatenate(parts) for name, parts in columns.items()} for table, columns in found.items()}


def test_games_are_the_same_in_one_go_and_in_parts() -> None:
    variant = load_variant("classic2")
    whole = play(variant, "naive~random", games=10)
    parts = [play(variant, "naive~random", first_game=first, games=games) for first, games in ((1, 3), (4, 1), (5, 6))]
    for table, columns in whole.items():
        for name, values in columns.items():
            assert np.array_equal(values, np.concatenate([part[table][name] for part in parts])), (table, name)


def test_blocks_hold_whole_deals_and_leave_nothing_out() -> None:
    variant = load_variant("classic4")
    lineup = parse_lineup("naive", variant.rules)
    blocks, moves, ends = 0, 0, []
    for block in play_blocks(variant, lineup, seed=1, first_game=1, games=3000):
        blocks += 1
        moves += len(block["moves"])
        keys = {
            table: {*zip(rows["game"].tolist(), rows["deal"].tolist(), strict=True)}
            for table, rows in block.items()
            if table in ("moves", "turns", "sides", "deals")
        }
        assert all(found == keys["deals"] for found in keys.values())
        ends.append(block["games"]["game"].copy())
    assert blocks > 2
    assert np.array_equal(np.concatenate(ends), np.arange(1, 3001))
    parts = [digest_games("classic4", "naive", seed=1, first_game=first, games=1000) for first in (1, 1001, 2001)]
    assert moves == sum(int(part.split()[0]) for part in parts)


def test_another_seed_is_another_game() -> None:
    one, other = (digest_games("classic4", "safe", seed=seed, first_game=1, games=1) for seed in (1, 2))
    assert one != other


# --------------------------------------------------------------------------------------------- common random numbers
def read_dealt(
    variant: Variant, lineup: str, games: int = 20
) -> dict[tuple[int, int], tuple[int, list[set[Any]], Any]]:
    """Dealer, hands (each card with its copy) and upcards of every deal."""
    deals = play(variant, lineup, games=games)["deals"]
    found = {}
    for row, key in enumerate(zip(deals["game"].tolist(), deals["deal"].tolist(), strict=True)):
        hands = []
        for hand in deals["hands"][row]:
            cards = [card for card in hand.tolist() if card]
            hands.append({(card, cards[:place].count(card)) for place, card in enumerate(cards)})
        found[key] = (int(deals["dealer"][row]), hands, deals["upcards"][row].tolist())
    return found


def test_strategies_and_rules_meet_the_same_deals() -> None:
    plain = read_dealt(load_variant("classic4"), "safe")
    for variant, lineup in (
        (load_variant("classic4"), "random~hoarder"),
        (load_variant("classic4", {"canastas_out": 2, "wild_ratio": "fewer"}), "safe"),
        (load_variant("viennese"), "naive"),
    ):
        other = read_dealt(variant, lineup)
        both = plain.keys() & other.keys()
        assert len(both) > 60
        assert all(plain[key] == other[key] for key in both)


def test_hands_of_other_sizes_nest() -> None:
    small, large = (read_dealt(load_variant("classic4", {"hand_size": size}), "safe") for size in (11, 15))
    both = small.keys() & large.keys()
    assert len(both) > 60
    for key in both:
        assert small[key][0] == large[key][0]
        for few, many in zip(small[key][1], large[key][1], strict=True):
            assert few <= many
    assert {len(hand) for _, hands, _ in large.values() for hand in hands} == {0, 15}


def test_every_seat_is_first_dealer_equally_often() -> None:
    for name, players in (("classic2", 2), ("classic3_cutthroat", 3), ("classic6_two", 6)):
        deals = play(load_variant(name, {"deals": 1, "target": None}), "naive", games=1200)["deals"]
        counts = np.bincount(deals["dealer"], minlength=players + 1)[1:]
        assert len(counts) == players
        assert (np.abs(counts - 1200 / players) < 5 * np.sqrt(1200 / players)).all(), counts


def test_any_deal_is_played_again_from_its_numbers() -> None:
    variant, lineup = load_variant("classic4"), "random~freezer"
    logged = play(variant, lineup, games=12)
    seats = parse_lineup(lineup, variant.rules)
    choose = [tuple(one.decisions[kind].compiled for one in (*seats, *seats[:2])) for kind in KINDS]
    for number, deal in ((3, 1), (7, 2), (12, 4)):
        game = Game(variant, seats, SEED)
        game.croupier.game = number - 1
        begin_game(game.table, game.seats, game.rules, game.croupier)
        sides = logged["sides"]
        at = (sides["game"] == number) & (sides["deal"] == deal)
        game.table.scores[:2] = sides["score_before"][at]
        game.table.dealer = (game.table.dealer + max(deal - 2, 0)) % 4
        game.table.deal = deal - 1
        play_deal(
            game.table,
            game.seats,
            game.rules,
            game.croupier,
            game.block,
            game.plan,
            *choose,
            game.guard,
            loops()[1],
        )
        moves = logged["moves"]
        at = (moves["game"] == number) & (moves["deal"] == deal)
        rows = int(game.block.moves_rows)
        assert rows == at.sum() > 50
        for column, values in moves.items():
            assert np.array_equal(game.block[f"moves_{column}"][:rows], values[at]), (number, deal, column)
