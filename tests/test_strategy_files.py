"""Strategies of a user's own, in Python and TOML; what is refused and how; line-ups of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from cheat_strategy import write_cheat

from engine.decision import Decision
from engine.errors import BadInput
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import Strategy, add_strategy, lineup_slug, load_strategy, parse_lineup, rotations

CLASSIC = load_variant("classic4")


def play(lineup: str, games: int) -> int:
    """Games played."""
    blocks = play_blocks(CLASSIC, parse_lineup(lineup, CLASSIC.rules), seed=1, first_game=1, games=games)
    return sum(len(block["games"]) for block in blocks)


def test_one_decision_of_a_file_takes_the_rest_from_safe(tmp_path: Path) -> None:
    write_cheat(tmp_path, "melds", "play_on(table, hand, rules, plan)")
    own = load_strategy(f"{tmp_path}/cheat.py:meld_quietly")
    safe = load_strategy("safe")
    assert own.name == "meld_quietly"
    assert own.own
    assert {kind for kind in own.decisions if own.decisions[kind] != safe.decisions[kind]} == {"melds"}
    assert play(f"{tmp_path}/cheat.py:meld_quietly~safe", 3) == 3


@pytest.mark.parametrize(
    ("text", "content", "said"),
    [
        ("nobody", None, "unknown strategy 'nobody'"),
        ("sage", None, "did you mean safe?"),
        ("none.toml", None, "does not exist"),
        ("none.py:one", None, "does not exist"),
        ("mine.py", "x = 1", "names no decision"),
        ("mine.py:one", "x = (", "fails on import: SyntaxError"),
        ("mine.py:one", "raise RuntimeError('no')", "fails on import: RuntimeError: no"),
        ("mine.py:one", "x = 1", "has no decision 'one'"),
        (
            "mine.py:one",
            "from engine.decision import strategy\n@strategy(kind='luck')\ndef one(): pass",
            "'luck'; kinds: draw, melds, discard, answer",
        ),
        ("mine.toml", "draw = ", "cannot be read"),
        ("mine.toml", "[weights.draw]\nspeed = 3", "unknown weight 'speed' of draw_weighed"),
        ("mine.toml", "[weights.draw]\ncard = 'ten'", "must be a number"),
        ("mine.toml", "[weights.luck]\ncard = 1", "weights are tables"),
        ("mine.toml", "draw = 'quick'", "unknown draw decision 'quick'; known: all, random, weighed"),
        ("mine.toml", "steal = 'all'", "unknown key 'steal'"),
    ],
)
def test_a_file_that_is_no_strategy_is_refused_in_one_line(
    tmp_path: Path, text: str, content: str | None, said: str
) -> None:
    name = text.partition(":")[0]
    if content is not None:
        (tmp_path / name).write_text(content)
    given = str(tmp_path / text) if "." in text else text
    with pytest.raises(BadInput) as refused:
        load_strategy(given)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_decision_that_does_not_compile_is_refused_in_one_line(tmp_path: Path) -> None:
    path = write_cheat(tmp_path, "melds", "plan.nothing = 1")
    with pytest.raises(BadInput, match=r"cheat in cheat.py does not compile as a melds decision: ") as refused:
        play(str(path), 1)
    assert "\n" not in str(refused.value)


def test_a_decision_of_another_kind_is_refused(tmp_path: Path) -> None:
    write_cheat(tmp_path, "melds", "return 0")
    (tmp_path / "mine.toml").write_text("draw = 'cheat.py:cheat'")
    with pytest.raises(BadInput, match="is a melds decision, not a draw decision"):
        load_strategy(str(tmp_path / "mine.toml"))


def test_weights_decide_the_digest_and_words_do_not(tmp_path: Path) -> None:
    default = load_strategy("safe").weights_of("draw")["card"]
    texts = {
        "mine": "[weights.draw]\ncard = 11",
        "same": "description = 'other words'\n[weights.draw]\ncard = 11.0",
        "plain": f"[weights.draw]\ncard = {default}",
        "bare": "",
    }
    digests = {}
    for name, text in texts.items():
        (tmp_path / f"{name}.toml").write_text(text)
        digests[name] = load_strategy(str(tmp_path / f"{name}.toml")).digest
    assert digests["mine"] == digests["same"] != digests["plain"] == digests["bare"]


# ------------------------------------------------------------------------------------------------------------ line-ups
def names(lineup: tuple[Strategy, ...]) -> list[str]:
    return [strategy.name for strategy in lineup]


def test_lineups_name_all_or_sides_or_partners() -> None:
    rules = CLASSIC.rules
    assert names(parse_lineup("safe", rules)) == ["safe"] * 4
    assert names(parse_lineup("safe~random", rules)) == ["safe", "random", "safe", "random"]
    assert names(parse_lineup("safe+hoarder~naive", rules)) == ["safe", "naive", "hoarder", "naive"]
    three = load_variant("classic6_three").rules
    assert names(parse_lineup("safe~naive~random", three)) == ["safe", "naive", "random"] * 2
    for text in ("safe", "safe~random", "safe+hoarder~naive"):
        assert lineup_slug(parse_lineup(text, rules), rules) == text
    assert lineup_slug(parse_lineup("safe+safe~safe", rules), rules) == "safe"


@pytest.mark.parametrize("text", ["safe~random~naive", "safe+random+naive~safe", "", "safe~", "safe++random"])
def test_lineups_that_do_not_fit_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_lineup(text, CLASSIC.rules)


def test_rotations_seat_every_side_in_every_place_once() -> None:
    rules = load_variant("classic3_cutthroat").rules
    turned = [lineup_slug(one, rules) for one in rotations(parse_lineup("safe~naive~random", rules), rules)]
    assert turned == ["safe~naive~random", "naive~random~safe", "random~safe~naive"]
    assert len(rotations(parse_lineup("safe", CLASSIC.rules), CLASSIC.rules)) == 1


TYPED = """
from engine.decision import strategy

@strategy(kind="answer")
def never(table, hand, rules, weights, plan):
    return 0
"""


def typed(text: str, name: str) -> Decision:
    """A decision as a notebook has it: no file stands behind it."""
    names: dict[str, Decision] = {}
    exec(compile(text, "<cell>", "exec"), names)  # type: ignore[arg-type]
    return names[name]


def test_a_decision_typed_into_a_notebook_plays_under_its_name():
    added = add_strategy(typed(TYPED, "never"))
    assert (added.name, added.own) == ("never", True)
    lineup = parse_lineup("never~safe", load_variant("classic4").rules)
    assert [one.name for one in lineup] == ["never", "safe", "never", "safe"]
    assert lineup[0].decisions["answer"].compiled


def test_a_decision_typed_anew_takes_the_place_of_the_first():
    first = add_strategy(typed(TYPED, "never"))
    second = add_strategy(typed(TYPED.replace("return 0", "return 1"), "never"))
    assert load_strategy("never") is second
    assert first.digest != second.digest


def test_a_typed_decision_may_not_hide_a_strategy_of_the_lab():
    with pytest.raises(BadInput, match="'safe' is a strategy of the lab"):
        add_strategy(typed(TYPED.replace("never", "safe"), "safe"))
