"""Rules under which nobody could meld or go out are refused with the reason; what never pays or happens is told."""

from __future__ import annotations

import pytest

from engine.errors import BadInput
from engine.rules import check_playable, find_warnings, load_variant, parse_changes, variant_names


def changed(variant: str, *changes: str):
    rules = load_variant(variant, parse_changes(changes)).rules
    check_playable(rules)
    return rules


OUT_OF_REACH = [
    ("classic4", ["max_wilds=0", "canastas_out_types=mixed=1"], "max_wilds=0: nobody could go out"),
    (
        "classic4",
        ["natural_only_ranks=" + ",".join(f"{rank}=always" for rank in "456789TJQKA"), "canastas_out_types=mixed=1"],
        "every rank: nobody could go out",
    ),
    ("classic4", ["canastas_out=5", "out_conditions=red3_per_canasta"], "allowed: canastas_out=4 or less"),
    (
        "hand_and_foot",
        ["out_conditions=red3_per_canasta", "canastas_out=2", "canastas_out_types=natural=1,mixed=1"],
        "a mixed canasta bears no red three",
    ),
    ("classic4", ["canastas_out=2", "canastas_out_types=7=2"], "canastas of sevens, of which a side can make 1"),
    ("samba", ["natural_only_ranks=7=always", "canastas_out_types=7=2"], "a side can make 1"),
    ("uruguay", ["canastas_out=2", "canastas_out_types=wild=2"], "canastas of wild cards, of which a side can make 1"),
    ("classic4", ["meld_from_round=17"], "at most 16 rounds|16 rounds at most"),
    ("classic4", ["initial_minimums=<0:365", "initial_waivers=none"], "12 cards hold at most 360"),
    ("classic4", ["untakeable_tops=black3,red3"], "lacks wild: under a wild card or a three the pile is never taken"),
    ("royal_magazzu", ["untakeable_tops=wild,red3"], "lacks black3.*also where black threes are melded like a rank"),
    ("samba", ["min_naturals=1", "packs=5", f"red3_totals={','.join(['100'] * 10)}"], "more than 16 melds of a rank"),
]


@pytest.mark.parametrize(("variant", "changes", "why"), OUT_OF_REACH, ids=lambda part: str(part)[:40])
def test_rules_out_of_reach_are_refused_with_the_reason(variant: str, changes: list[str], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        changed(variant, *changes)


@pytest.mark.parametrize(
    ("variant", "changes"),
    [
        ("classic4", ["max_wilds=1", "canastas_out_types=mixed=1"]),
        ("classic4", ["canastas_out=4", "out_conditions=red3_per_canasta"]),
        ("samba", ["canastas_out_types=7=2"]),
        ("classic3", ["canastas_out=2", "canastas_out_types=7=2"]),  # partners of a deal keep both melds of a rank
        ("classic4", ["meld_from_round=16"]),
        ("classic4", ["initial_minimums=<0:360", "initial_waivers=none"]),
        ("classic4", ["unfrozen_take=add"]),
        ("classic4", ["unfrozen_take=none"]),
        ("samba", ["min_naturals=1", "packs=4", "jokers=8", f"red3_totals={','.join(['100'] * 8)}"]),
    ],
    ids=str,
)
def test_what_is_just_within_reach_is_played(variant: str, changes: list[str]) -> None:
    changed(variant, *changes)


@pytest.mark.parametrize(
    ("variant", "changes", "told"),
    [
        ("classic4", ["sequences=yes"], "type sequence may be made and pay no bonus"),
        ("classic4", ["wild_melds=any"], "type wild may be made and pay no bonus"),
        ("royal_magazzu", ["canasta_bonus.royal=0"], "type royal may be made and pay no bonus"),
        ("classic4", ["special_hands=pairs=2500"], "special_hands never happen.*makes fewer"),
        ("modern_american", ["draw_count=2"], "special_hands never happen.*makes more"),
        ("pennies_from_heaven", ["natural_only_ranks=none"], "counts as one of sevens for going out and pays as mixed"),
        ("classic4", ["full_sequence_add=going_out"], "changes nothing: sequences=no"),
        ("cuban", ["freeze_ends=turn"], "changes nothing: pile_frozen=always"),
    ],
    ids=lambda part: str(part)[:40],
)
def test_what_never_pays_or_happens_is_told(variant: str, changes: list[str], told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        assert not find_warnings(changed(variant, *changes)), "; ".join(find_warnings(changed(variant, *changes)))


def test_nothing_built_in_has_to_be_warned_of() -> None:
    warned = {name: told for name in variant_names() if (told := find_warnings(load_variant(name).rules))}
    assert not warned
