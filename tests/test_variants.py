"""Variants: changes on top of a named one, files of one's own, slugs, and every way to get them wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.rules import PARAMETERS, check_playable, load_variant, parse_changes, variant_names


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_change_shows_in_rules_and_slug() -> None:
    variant = load_variant("classic4", parse_changes(["canastas_out=2"]))
    assert variant.rules.canastas_out == 2
    assert variant.rules.differences(load_variant("classic4").rules) == {"canastas_out": (2, 1)}
    assert (variant.name, variant.slug, dict(variant.changes)) == (
        "classic4",
        "classic4.canastas_out-2",
        {"canastas_out": 2},
    )


def test_changes_may_come_as_text_or_as_values() -> None:
    text = parse_changes(["freeze_by=black3, wild", "initial_minimums=<0:15; 0:50", "target=none", "deals=4"])
    assert text == {
        "freeze_by": ("wild", "black3"), "initial_minimums": ((-99_999, 15), (0, 50)), "target": None, "deals": 4,
    }  # fmt: skip
    values = {"freeze_by": ["wild", "black3"], "initial_minimums": [[-99_999, 15], [0, 50]], "target": None, "deals": 4}
    assert load_variant("classic4", text) == load_variant("classic4", values)


def test_one_key_of_a_map_may_change_alone() -> None:
    variant = load_variant("classic4", parse_changes(["canasta_bonus.natural=600"]))
    assert dict(variant.rules.canasta_bonus) == {"natural": 600, "mixed": 300}
    assert variant.slug == "classic4.canasta_bonus-natural-600~mixed-300"


def test_a_change_to_the_value_it_has_is_none() -> None:
    assert load_variant("classic2", {"canastas_out": 2, "hand_size": 15}) == load_variant("classic2")


def test_the_order_of_changes_does_not_matter() -> None:
    there, back = (["hand_size=13", "canastas_out=2"][::step] for step in (1, -1))
    assert load_variant("classic4", parse_changes(there)) == load_variant("classic4", parse_changes(back))


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "hand_size": st.integers(1, 15),
        "canastas_out": st.integers(1, 7),
        "target": st.integers(5, 1_000_000),
        "freeze_by": st.sets(st.sampled_from(["wild", "red3_upcard", "red3_discard", "black3"])),
        "red3_totals": st.lists(st.integers(0, 9999), min_size=4, max_size=16),
        "initial_minimums": st.lists(st.integers(0, 300), min_size=1, max_size=8).map(
            lambda counts: [(-99_999 + 9 * place, count) for place, count in enumerate(counts)]
        ),
        "out_bonus": st.fixed_dictionaries(dict.fromkeys(["out", "concealed", "concealed_plain"], st.integers(0, 9))),
        "add_to_complete": st.booleans(),
    },
)


@given(CHANGES, CHANGES)
def test_a_slug_is_fit_for_paths_and_tells_rules_apart(one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = load_variant("classic4", one), load_variant("classic4", other)
    assert re.fullmatch(r"[a-z0-9_.~-]{1,100}", first.slug)
    assert first.slug.startswith("classic4")
    assert (first.slug == second.slug) == (first.rules == second.rules)


@pytest.mark.parametrize("change", [
    "draw_count=2", "canastas_out=2", "canastas_out=1", "hand_size=13", "jokers=6", "target=3000", "deals=3",
    "initial_minimums=<0:0", "red3_totals=0,0,0,0", "red3_sign=one_canasta", "wild_ratio=fewer", "max_wilds=0",
    "min_naturals=3", "freeze_by=none", "freeze_by=wild,red3_upcard,red3_discard,black3", "pile_frozen=always",
    "unfrozen_take=pair", "add_to_complete=no", "one_card_pile=allowed", "stock_end=immediate", "out_discard=required",
    "black3_meld=never", "initial_waivers=none", "canasta_bonus=natural=0,mixed=0", "concealed_with_pile=no",
    "upcard=until_natural", "ask_partner=none", "tie=shared",
])  # fmt: skip
def test_a_user_may_play_classic_with_one_rule_changed(change: str) -> None:
    check_playable(load_variant("classic4", parse_changes([change])).rules)


def test_a_file_of_ones_own_is_as_good_as_a_built_in_variant(tmp_path: Path) -> None:
    path = write(
        tmp_path, "mine.toml", 'base = "classic2"\ntitle = "Ours"\ncanastas_out = 1\n"canasta_bonus.natural" = 700\n'
    )
    variant = load_variant(path, parse_changes(["hand_size=13"]))
    assert (variant.name, variant.base, variant.title) == ("mine", "classic2", "Ours")
    assert dict(variant.file_changes) == {"canastas_out": 1, "canasta_bonus": {"natural": 700, "mixed": 300}}
    assert variant.slug == "mine.hand_size-13"
    assert (variant.rules.players, variant.rules.canastas_out, variant.rules.hand_size) == (2, 1, 13)


def test_a_file_may_build_on_another_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "mine.toml", 'base = "classic2"\ncanastas_out = 1\n')
    variant = load_variant(write(tmp_path, "more.toml", 'base = "mine.toml"\nhand_size = 13\n'))
    assert (variant.rules.canastas_out, variant.rules.hand_size) == (1, 13)
    assert dict(variant.file_changes) == {"hand_size": 13}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("mine.toml", "canastas_out = 2", 'mine.toml: no base; write base = "classic4"'),
        ("mine.toml", 'base = "clasic4"', "unknown variant 'clasic4'; did you mean classic4"),
        ("mine.toml", 'base = "classic4"\ncanasta_out = 2', "mine.toml: unknown parameter 'canasta_out'; did you mean"),
        (
            "mine.toml",
            'base = "classic4"\ncanastas_out = 2.5',
            "mine.toml: canastas_out=2.5 is not allowed",
        ),
        ("mine.toml", 'base = "mine.toml"', "base leads back to the file itself"),
        ("mine.toml", "base = classic4", "mine.toml is no readable TOML file"),
        ("mine.toml", 'base = "other.toml"', "no variant file other.toml"),
        ("mine.toml", "base = 4", "mine.toml: base=4 is no text"),
        ("mine.toml", 'base = "classic4"\nconfidence = "high"', "confidence=high is not allowed; allowed: H, M, L"),
        ("classic4.toml", 'base = "classic2"', "has the name of a built-in variant"),
        ("My rules.toml", 'base = "classic2"', "cannot name a variant; allowed: a file name of"),
    ],
)
def test_a_bad_variant_file_is_refused_in_one_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(BadInput) as refused:
        load_variant(path)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_folder_or_missing_file_is_no_variant(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    for path in (tmp_path / "folder.toml", tmp_path / "missing.toml"):
        with pytest.raises(BadInput, match="no variant file"):
            load_variant(str(path))


def test_an_unknown_variant_names_the_near_ones() -> None:
    with pytest.raises(BadInput, match=r"unknown variant 'clasic2'; did you mean classic2 .*canasta variants"):
        load_variant("clasic2")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["canastas_out"], "'canastas_out' is no change; write parameter=value"),
        (["canastas_out=2", "canastas_out=3"], "canastas_out is set twice"),
        (["canasta_out=2"], "did you mean canastas_out"),
        (["canastas_out=two"], "canastas_out=two is not allowed; allowed: 1..7"),
        (["=2"], "unknown parameter ''"),
        (["canasta_bonus.natral=6"], "no key 'natral'; did you mean natural?"),
        (["canastas_out.x=3"], "canastas_out is no map"),
    ],
)
def test_a_bad_change_is_refused_in_one_line(words: list[str], message: str) -> None:
    with pytest.raises(BadInput) as refused:
        load_variant("classic4", parse_changes(words))
    assert message in str(refused.value)


def test_every_built_in_variant_loads_with_every_parameter_set_to_its_own_text() -> None:
    for name in variant_names():
        variant = load_variant(name)
        words = [f"{key}={parameter.show(getattr(variant.rules, key))}" for key, parameter in PARAMETERS.items()]
        assert load_variant(name, parse_changes(words)) == variant


def test_a_variant_says_what_it_changes_and_how_it_differs_from_another():
    assert repr(load_variant("classic4")) == "classic4"
    changed = load_variant("classic4", {"canastas_out": 2})
    assert repr(changed) == "classic4.canastas_out-2: classic4 with canastas_out=2"
    assert repr(load_variant("gamecolony2")).startswith("gamecolony2: classic2 with ")
    assert changed.diff(load_variant("classic4")) == {"canastas_out": ("2", "1")}
    assert changed.diff(changed) == {}
