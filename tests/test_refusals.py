"""What a stranger's strategy, cache or file can do wrong, and the one line it gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import BadInput, IllegalChoice
from engine.jit import cache_root
from engine.kernel.melds import add_card, count_cards
from engine.kernel.state import THREES_MELD, new_table
from engine.play import Game
from engine.rules import compile_rules, load_variant
from engine.strategies import load_strategy

HEAD = "from engine.decision import strategy\n\n\n"


def decision(folder: Path, body: str, arguments: str = "table, hand, rules, weights, plan") -> str:
    file = folder / "mine.py"
    file.write_text(f'{HEAD}@strategy(kind="discard")\ndef own({arguments}):\n    """Own."""\n{body}', encoding="utf-8")
    return f"{file}:own"


def play(name: str) -> None:
    variant = load_variant("classic4")
    Game(variant, (load_strategy(name),) * 4, 1).play(1)


@pytest.mark.parametrize(
    ("body", "arguments", "told"),
    [
        ("    return hand.crads[0]\n", "table, hand, rules, weights, plan", "there is no 'crads'"),
        ("    return 1\n", "table, hand", "Signature mismatch"),
        ("    raise ValueError('no')\n", "table, hand, rules, weights, plan", "never returns"),
    ],
)
def test_what_does_not_compile_is_bad_input_in_one_line(tmp_path: Path, body: str, arguments: str, told: str) -> None:
    with pytest.raises(BadInput, match=told) as error:
        play(decision(tmp_path, body, arguments))
    assert "\n" not in str(error.value)


def test_a_strategy_that_raises_stops_with_the_place(tmp_path: Path) -> None:
    body = "    if hand.count > 0:\n        raise ValueError('no')\n    return 1\n"
    with pytest.raises(IllegalChoice, match=r"classic4, game 1, deal 1, turn 1, seat \d: own fails: no"):
        play(decision(tmp_path, body))


def test_a_file_that_exits_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import sys\n\nsys.exit(3)\n", encoding="utf-8")
    with pytest.raises(BadInput, match="fails on import: SystemExit"):
        load_strategy(f"{tmp_path / 'mine.py'}:own")


def test_a_decision_without_a_kind_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"{HEAD}@strategy\ndef own(a, b, c, d, e):\n    return 1\n", encoding="utf-8")
    with pytest.raises(BadInput, match="got no kind"):
        load_strategy(f"{tmp_path / 'mine.py'}:own")


def test_a_cache_that_cannot_be_written_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    monkeypatch.setenv("CANASTA_CACHE", str(file))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cache_root.cache_clear()
    try:
        assert cache_root() == tmp_path / "cache" / "canasta-lab"
    finally:
        cache_root.cache_clear()


def test_a_long_chain_of_bases_is_refused(tmp_path: Path) -> None:
    for place in range(40):
        base = f"v{place + 1}.toml" if place < 39 else "classic4"
        (tmp_path / f"v{place}.toml").write_text(f'base = "{base}"\n', encoding="utf-8")
    with pytest.raises(BadInput, match="base in a row"):
        load_variant(str(tmp_path / "v0.toml"))


def test_digits_of_other_scripts_are_no_number() -> None:
    with pytest.raises(BadInput, match="canastas_out"):
        load_variant("classic4", {"canastas_out": "٢"})


def test_seven_black_threes_are_no_canasta() -> None:
    _, table, _, rules = new_table(compile_rules(load_variant("classic4").rules))
    for _ in range(8):
        add_card(table, rules, 0, THREES_MELD, 48)
    assert count_cards(table, 0, THREES_MELD) == 8
    assert table.canastas[0] == 0
