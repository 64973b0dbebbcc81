"""Hands as a run logs them follow the laws of cards dealt at random, exactly: red threes, wild cards, pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import comb
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from engine.rules import load_variant
from pipeline.plan import make_plan
from pipeline.run import Run, open_run
from pipeline.simulation import simulate

PACK = 108
NATURAL_RANKS = "456789TJQKA"
KINDS: dict[str, tuple[int, Callable[[str], bool]]] = {
    "red threes": (4, lambda card: card in ("3D", "3H")),
    "black threes": (4, lambda card: card in ("3C", "3S")),
    "jokers": (4, lambda card: card == "JK"),
    "wild cards": (12, lambda card: card == "JK" or card[0] == "2"),
    "aces": (8, lambda card: card[0] == "A"),
}
"""Cards of a kind in two packs with jokers, and whether a card is one."""


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Run:
    folder: Path = tmp_path_factory.mktemp("dealt") / "run"
    simulate(make_plan({"variants": ["classic4", "classic2"], "lineups": ["naive"], "games": 700, "seed": 5}), folder)
    return open_run(folder)


def hands_of(run: Run, variant: str) -> list[list[list[str]]]:
    """Hands by seat of every deal of a variant."""
    return run.deals(variant).select("hands").collect()["hands"].to_list()


def check_law(seen: Counter[int], law: np.ndarray) -> None:
    """Chi-square of counts against chances of 0, 1, 2 …; outcomes rarer than five expected are put together."""
    total = sum(seen.values())
    counts = np.array([seen[value] for value in range(len(law))])
    assert counts.sum() == total, "an outcome that the law does not know"
    often = law * total >= 5
    counts, expected = (np.array([*one[often], one[~often].sum()]) for one in (counts, law * total))
    keep = expected > 0
    assert counts[~keep].sum() == 0
    assert stats.chisquare(counts[keep], expected[keep]).pvalue > 0.001


def pairs_law(hand: int) -> np.ndarray:
    """Chances of 0, 1, 2 … natural ranks held twice or more in a hand from two packs.

    Ways are counted by a polynomial: each of eleven ranks has eight cards, the 20 threes and wild cards pair with none.
    """
    ways = np.zeros((len(NATURAL_RANKS) + 1, hand + 1), dtype=object)
    ways[0, 0] = 1
    for _ in NATURAL_RANKS:
        more = np.zeros_like(ways)
        for pairs in range(len(ways)):
            for cards in range(hand + 1):
                for own in range(min(8, hand - cards) + 1):
                    place = pairs + (own >= 2)
                    if ways[pairs, cards] and place < len(ways):
                        more[place, cards + own] += ways[pairs, cards] * comb(8, own)
        ways = more
    whole = [sum(row[cards] * comb(20, hand - cards) for cards in range(hand + 1)) for row in ways]
    return np.array([one / comb(PACK, hand) for one in whole])


def count_pairs(hand: list[str]) -> int:
    held = Counter(card[0] for card in hand if card != "JK" and card[0] in NATURAL_RANKS)
    return sum(count >= 2 for count in held.values())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("variant", "size"), [("classic4", 11), ("classic2", 15)])
def test_cards_of_a_kind_in_a_hand_follow_the_hypergeometric_law(run, variant, size, kind):
    copies, is_one = KINDS[kind]
    deals = hands_of(run, variant)
    assert len(deals) > 2_000
    assert {len(hand) for hands in deals for hand in hands} == {size} == {load_variant(variant).rules.hand_size}
    law = stats.hypergeom(PACK, copies, size).pmf(range(copies + 1))
    for seat in range(len(deals[0])):
        check_law(Counter(sum(map(is_one, hands[seat])) for hands in deals), law)


@pytest.mark.parametrize("kind", KINDS)
def test_cards_of_a_kind_in_all_hands_together_follow_the_hypergeometric_law(run, kind):
    copies, is_one = KINDS[kind]
    seen = Counter(sum(is_one(card) for hand in hands for card in hand) for hands in hands_of(run, "classic4"))
    check_law(seen, stats.hypergeom(PACK, copies, 44).pmf(range(copies + 1)))


@pytest.mark.parametrize(("variant", "size"), [("classic4", 11), ("classic2", 15)])
def test_pairs_in_a_hand_follow_their_exact_law(run, variant, size):
    law = pairs_law(size)
    assert law.sum() == pytest.approx(1)
    deals = hands_of(run, variant)
    for seat in range(len(deals[0])):
        check_law(Counter(count_pairs(hands[seat]) for hands in deals), law)


def test_the_law_of_pairs_is_that_of_hands_drawn_one_by_one():
    assert pairs_law(1).tolist()[:2] == [1, 0]
    assert pairs_law(2)[1] == pytest.approx(11 * comb(8, 2) / comb(PACK, 2))
    assert pairs_law(4)[2] == pytest.approx(comb(11, 2) * comb(8, 2) ** 2 / comb(PACK, 4))


def test_the_first_card_turned_up_is_any_card_of_the_pack(run):
    first = [cards[0] for cards in run.deals().select("upcards").collect()["upcards"].to_list()]
    for copies, is_one in KINDS.values():
        held = sum(map(is_one, first))
        assert stats.binomtest(held, len(first), copies / PACK).pvalue > 0.001


def test_the_cards_of_a_deal_are_cards_of_two_packs(run):
    frame = run.deals("classic4").select("hands", "upcards").head(200).collect()
    for hands, upcards in frame.iter_rows():
        dealt = Counter([card for hand in hands for card in hand] + upcards)
        assert all(count <= (4 if card == "JK" else 2) for card, count in dealt.items())
    assert frame.select(pl.col("hands").list.len()).to_series().unique().to_list() == [4]
