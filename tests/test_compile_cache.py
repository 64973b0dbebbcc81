"""Compiled functions are kept where a digest of all their sources names the folder, never beside the sources."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
