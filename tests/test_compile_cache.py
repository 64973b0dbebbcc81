"""Compiled functions are kept where a digest of all their sources names the folder, never beside the sources."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.kernel.outline import LAST
from engine.second_compiler import MARK

ROOT = Path(__file__).resolve().parents[1]
COMPILE_ONE = """
import numba
import numpy as np
from engine import jit
from engine.kernel.state import HAND, new_record
from engine.kernel.melds import find_card
numba.njit(lambda: 1)()
find_card(new_record(HAND), 3)
print(jit.KERNEL_CACHE)
"""


def test_numba_imported_first_forgets_no_cache_folder(tmp_path: Path) -> None:
    before = set(ROOT.rglob("engine/**/*.nbi"))
    done = subprocess.run(
        [sys.executable, "-c", COMPILE_ONE],
        cwd=ROOT,
        env={**os.environ, "CANASTA_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    folder = Path(done.stdout.strip())
    assert folder.is_relative_to(tmp_path)
    assert any("find_card" in path.name for path in folder.rglob("*.nbi"))
    assert set(ROOT.rglob("engine/**/*.nbi")) == before


PLAY_ONE = """
import sys
sys.executable = "/no/such/python"
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup
variant = load_variant("classic4")
blocks = play_blocks(variant, parse_lineup("safe", variant.rules), seed=1, first_game=1, games=1)
print(sum(len(block["games"]["game"]) for block in blocks))
"""


@pytest.mark.slow
def test_a_second_process_compiles_the_loops_and_is_not_needed(tmp_path: Path) -> None:
    def run(*words: str, **more: str) -> str:
        environment = {**os.environ, **more}
        done = subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    alone, both = tmp_path / "alone", tmp_path / "both"
    run("-m", "engine.second_compiler", **{MARK: "1", "CANASTA_CACHE": str(both)})
    made = {path.name.split("-")[0] for path in both.glob("kernel-*/kernel_*/*.nbc")}
    loops = {"game.play_games", "game.play_turn"}
    assert loops <= made
    assert {f"engine.kernel.{name.split('.')[0]}" for name in made - loops} == set(LAST)
    assert run("-c", PLAY_ONE, CANASTA_CACHE=str(both)) == "1\n"
    assert run("-c", PLAY_ONE, CANASTA_CACHE=str(alone)) == "1\n"
