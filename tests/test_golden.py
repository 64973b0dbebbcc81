"""Golden deals play out as they did; `make golden` writes them anew when they should not."""

from __future__ import annotations

import pytest
from golden_deal import FOLDER, GOLDEN, name_golden, tell_golden


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: f"{golden[0]}-{golden[2]}")
def test_a_golden_deal_plays_out_as_it_did(golden: tuple[str, str, int, int]) -> None:
    variant, lineup, seed, deal = golden
    written = (FOLDER / name_golden(variant, seed)).read_text(encoding="utf-8")
    told = tell_golden(variant, lineup, seed, deal)
    assert told.splitlines() == written.splitlines(), "another deal; see the difference with: make golden; git diff"


def test_no_golden_file_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {name_golden(golden[0], golden[2]) for golden in GOLDEN}
