"""The hand-history text format: what is written and read again is the same; what cannot be read says where and why."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CARD_COUNT
from engine.check import check_files, find_exit_code
from engine.errors import BadInput
from engine.history.reader import load_histories, read_histories, read_history
from engine.history.record import UNKNOWN, Action, History, Position, parse_action, show_action
from engine.history.writer import write_histories, write_history

FOLDER = Path(__file__).parent / "cases"
HEAD = 'format = "chh/1"\nvariant = "classic4"\n'

# ---------------------------------------------------------------------------------------------- round trip
card = st.integers(0, CARD_COUNT - 1)
any_card = card | st.just(UNKNOWN)
cards = st.lists(any_card, max_size=12).map(tuple)
known = st.lists(card, min_size=1, max_size=5).map(tuple)
seat = st.integers(1, 4)
aim = st.sampled_from(
    ["K", "4", "T", "3", "wild", "K.2", "A.new", "H5", "SA", "2:K", "2:wild", "1:D9", "2:Q.3", "wild.2", "H5.new"]
)
maybe_aim = st.none() | aim
action = st.one_of(
    st.builds(lambda s, c: Action(s, "draw", c), seat, st.lists(any_card, min_size=1, max_size=4).map(tuple)),
    st.builds(lambda s, c, a: Action(s, "meld", c, a), seat, known, maybe_aim),
    st.builds(lambda s, a, b: Action(s, "join", aim=a, word=b), seat, aim, aim),
    st.builds(lambda s, a: Action(s, "take", aim=a), seat, maybe_aim),
    st.builds(lambda s, c, a: Action(s, "take", (c,), a), seat, card, maybe_aim),
    st.builds(lambda s, n, a: Action(s, "take", aim=a, number=n), seat, st.integers(1, 40), maybe_aim),
    st.builds(lambda s, c, r: Action(s, "red3", (c, *r)), seat, card, st.lists(any_card, max_size=2)),
    st.builds(lambda s, c: Action(s, "bonus", c), seat, st.lists(any_card, min_size=1, max_size=4).map(tuple)),
    st.builds(lambda s, c: Action(s, "discard", (c,)), seat, card),
    st.builds(lambda s, c: Action(s, "aside", c), seat, known),
    st.builds(lambda s, v: Action(s, v), seat, st.sampled_from(["foot", "ask", "agree", "refuse", "pass"])),
    st.just(Action(2, "special", word="garbage")),
)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
toml_value = st.recursive(
    st.booleans()
    | st.integers(-(2**40), 2**40)
    | text
    | st.floats(allow_nan=False)
    | st.dates()
    | st.just(datetime.datetime(2024, 5, 6, 7, 8, 9)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
own_key = st.from_regex(r"_[a-z]{1,5}", fullmatch=True)
extras = st.dictionaries(own_key, toml_value, max_size=3)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


hands = st.dictionaries(seat, cards, max_size=4)
side_cards = st.lists(cards, min_size=2, max_size=2).map(tuple)
positions = st.builds(
    Position,
    turn=maybe(seat),
    drawn=maybe(st.booleans()),
    hands=hands,
    pile=maybe(cards),
    frozen=maybe(st.booleans()),
    stock=maybe(st.integers(0, 80) | cards),
    melds=maybe(st.lists(st.lists(cards, max_size=3).map(tuple), min_size=2, max_size=2).map(tuple)),
    red_threes=maybe(side_cards),
    melded=maybe(st.lists(seat, max_size=4).map(tuple)),
    reserve=maybe(hands),
    round=maybe(st.integers(1, 9)),
    lone_hand=maybe(seat),
    extras=extras,
)
common = {
    "variant": st.sampled_from(["classic4", "hand_and_foot", "samba"]),
    "dealer": maybe(seat),
    "scores": maybe(st.lists(st.integers(-3000, 9000), min_size=2, max_size=2).map(tuple)),
    "game": maybe(text),
    "deal": maybe(st.integers(1, 30)),
    "actions": st.lists(action, max_size=8).map(tuple),
    "rules": st.dictionaries(own_key, toml_value, max_size=1)
    | st.just({"canastas_out": 7, "canasta_bonus": {"natural": 700, "mixed": 400}}),
    "players": st.dictionaries(st.sampled_from(["1", "2", "north", "_since"]), text, max_size=3),
    "extras": extras,
}
four_hands = st.lists(cards, min_size=4, max_size=4).map(tuple)
whole_deals = st.builds(History, **common, hands=four_hands, upcards=maybe(cards), reserve=maybe(four_hands))
histories = whole_deals | st.builds(History, **common, position=positions)


@given(histories)
@settings(max_examples=150, deadline=None)
def test_written_and_read_again_nothing_changes(history: History) -> None:
    written = write_history(history)
    assert read_history(written) == history
    assert write_history(read_history(written)) == written


@given(st.lists(histories, min_size=1, max_size=3))
@settings(max_examples=50, deadline=None)
def test_several_deals_in_one_file(deals: list[History]) -> None:
    read = read_histories(write_histories(deals))
    assert list(read) == list(range(1, len(deals) + 1))
    assert list(read.values()) == deals


@given(action)
def test_action_text_reads_back(given_action: Action) -> None:
    assert parse_action(show_action(given_action)) == given_action


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.chh")), ids=lambda path: path.stem)
def test_case_files_read_back(path: Path) -> None:
    history = read_history(path.read_text(encoding="utf-8"))
    assert read_history(write_history(history)) == history


def test_not_a_number_is_kept() -> None:
    history = read_history(HEAD + "_x = nan\n[position]\n")
    assert "_x = nan" in write_history(history)


# ---------------------------------------------------------------------------------------------- what cannot be read
@pytest.mark.parametrize(
    ("toml", "line", "expected"),
    [
        ("x", 1, "expected TOML"),
        ("a = [1,\n2", 2, "expected TOML"),
        ('variant = "classic4"\n[position]', 1, 'expected format = "chh/1"'),
        ('format = "chh/2"\nvariant = "classic4"\n[position]', 1, 'expected format = "chh/1"'),
        ('format = "chh/1"\n[position]', 1, "expected a preset's name"),
        ('format = "chh/1"\nvariant = "clasic4"\n[position]', 2, "unknown variant 'clasic4'"),
        ('format = "chh/1"\nvariant = 4\n[position]', 2, "expected a text"),
        (HEAD, 1, "expected a whole deal or a position"),
        (HEAD + 'upcards = "9C"\n[position]', 4, "expected a whole deal or a position"),
        (HEAD + "dealr = 1\n[position]", 3, "unknown key 'dealr'"),
        (HEAD + "dealer = 5\n[position]", 3, "expected a seat 1 to 4"),
        (HEAD + "dealer = true\n[position]", 3, "expected a whole number from 1"),
        (HEAD + "deal = 0\n[position]", 3, "expected a whole number from 1"),
        (HEAD + "scores = [1]\n[position]", 3, "expected 2, one a side"),
        (HEAD + "scores = [1, 2.5]\n[position]", 3, "expected a list of whole numbers"),
        (HEAD + 'hands = ["", "", ""]', 3, "expected 4, one a seat"),
        (HEAD + 'hands = [\n  "",\n  "",\n  "7X",\n  ""]', 6, "hands 3: unknown card '7X'"),
        (HEAD + "[position]\nturn = 7", 4, "expected a seat 1 to 4"),
        (HEAD + '[position]\nhands = { 1 = "KH", 9 = "KD" }', 4, "expected a seat 1 to 4"),
        (HEAD + '[position]\nhands = { x = "KH" }', 4, "expected a seat"),
        (HEAD + '[position]\npile = "10H"', 4, "unknown card '10H'"),
        (HEAD + "[position]\nstock = -1", 4, "expected cards left"),
        (HEAD + "[position]\nmelds = [[1], []]", 4, "expected a list of melds for each side"),
        (HEAD + '[position]\npille = ""', 4, "unknown key 'pille'"),
        (
            HEAD + "# one\n\nactions = [\n  '1 draw 7H',  # [\n  \"1 discrad 7H\",\n]\n[position]",
            7,
            "unknown 'discrad'",
        ),
        (HEAD + 'actions = ["1 discard 7H 8H"]\n[position]', 3, "expected one card after discard"),
        (HEAD + 'actions = ["1 discard ??"]\n[position]', 3, "unknown card '??'"),
        (HEAD + 'actions = ["9 pass"]\n[position]', 3, "expected a seat 1 to 4"),
        (HEAD + 'actions = ["draw 7H"]\n[position]', 3, "expected a seat from 1"),
        (HEAD + 'actions = ["1 meld KH > king"]\n[position]', 3, "'king' is no meld"),
        (HEAD + 'actions = ["1 take #0"]\n[position]', 3, "expected # and a number"),
        (HEAD + "actions = [1]\n[position]", 3, "expected a list of actions"),
        (HEAD + "[rules]\n\ncanastas_out = 9\n[position]", 5, "canastas_out=9 is not allowed"),
        (HEAD + "[rules]\ncanasta_out = 2\n[position]", 4, "unknown parameter 'canasta_out'"),
        (HEAD + "[players]\n1 = 2\n[position]", 4, "expected a name as text"),
    ],
)
def test_unreadable_text_names_the_line_and_what_was_expected(toml: str, line: int, expected: str) -> None:
    with pytest.raises(BadInput) as error:
        read_history(toml)
    message = str(error.value)
    assert message.startswith(f"line {line}: ")
    assert expected in message
    assert "\n" not in message


def test_one_bad_deal_of_several_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "two.chhs"
    path.write_text(
        '[1]\nformat = "chh/1"\nvariant = "classic4"\n[1.position]\nturn = 9\n[2]\n' + HEAD + "[2.position]\n"
    )
    first, second = load_histories(path).values()
    assert isinstance(first, BadInput)
    assert str(first).startswith("line 5: ")
    assert second == History(variant="classic4", position=Position())


@pytest.mark.parametrize("toml", ["", "[a]\nx = 1", "x = 1\n[1]"])
def test_several_deals_must_be_numbered_tables(toml: str) -> None:
    with pytest.raises(BadInput, match="expected several deals as tables"):
        read_histories(toml)


# ---------------------------------------------------------------------------------------------- checking files
def test_check_judges_every_file_and_tells_the_worst(tmp_path: Path) -> None:
    legal, fault = FOLDER / "c072_add_the_upcard.chh", FOLDER / "c124_forced_take_refused.chh"
    broken, binary = tmp_path / "broken.chh", tmp_path / "binary.chh"
    broken.write_text(HEAD + 'actions = ["1 drw 7H"]\n[position]\n')
    binary.write_bytes(b"\xff\xfe\x00")
    seated = tmp_path / "seated.chh"
    seated.write_text(HEAD + "sits_out = 3\n[position]\n")
    results = check_files([legal, fault, broken, binary, tmp_path / "none.chh", seated])
    assert [result["file"] for result in results] == [
        str(path) for path in (legal, fault, broken, binary, tmp_path / "none.chh", seated)
    ]
    assert [result.get("legal") for result in results] == [True, False, None, None, None, None]
    assert all(set(result) == {"file", "error"} and "\n" not in result["error"] for result in results[2:])
    assert results[2]["error"].startswith("line 3: action 1: ")
    assert [find_exit_code(results[:count]) for count in (0, 1, 2, 3)] == [0, 0, 1, 2]
    assert list(results[0]) == [
        *("file", "legal", "faults", "ended", "ending", "deal_scores", "scores", "breakdown", "winner"),
        *("hands", "melds", "pile", "frozen", "stock", "to_act"),
    ]


def test_check_gives_one_object_a_deal(tmp_path: Path) -> None:
    path = tmp_path / "several.chhs"
    deals = [
        read_history((FOLDER / f"{name}.chh").read_text()) for name in ("c072_add_the_upcard", "x26_stock_empty_forced")
    ]
    path.write_text(write_histories(deals))
    assert [(result["deal"], result["legal"]) for result in check_files([path])] == [(1, True), (2, False)]
