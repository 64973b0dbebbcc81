"""What the log says of takes is exact under odd rules too: a side that has not opened included.

On small hands of logged deals every way to lay cards is tried and judged by the referee, without any search; on whole
deals the kernel's search and the referee's must say the same (as in test_agreement), and who takes could take.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from every_lay import KIND, list_takes, split_hand, write_melds

from engine.cards import BLACK_THREES, RED_THREES
from engine.history.record import Action, History, Position
from engine.ledger.deals import LoggedDeal, split_deals
from engine.ledger.replay import judge_logged, make_history
from engine.ledger.rows import read_moves
from engine.play import play_blocks
from engine.referee.dealt import begin_play
from engine.referee.setup import lay_table
from engine.referee.table import Table
from engine.referee.turn import act
from engine.referee.verdict import judge
from engine.rules import Variant, load_variant
from engine.strategies import parse_lineup

MOST_CARDS, ENOUGH = 7, 12
SMALL: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("samba", {"initial_minimums": "<0:60", "draw_count": 1}, "naive"),
    ("bolivia", {"initial_minimums": "<0:75", "pile_frozen": "dynamic", "draw_count": 1}, "hoarder"),
    ("bolivia", {"initial_minimums": "<0:50", "pile_portion": "from_melded", "draw_count": 1}, "random"),
    ("modern_american_pagat", {"initial_minimums": "<0:50", "jokers": 12}, "hoarder"),
    ("international", {"initial_minimums": "<0:30", "jokers": 8, "same_rank_melds": "several"}, "naive"),
    ("canastone", {"initial_minimums": "<0:40", "draw_count": 1}, "safe"),
    ("house_six_wild", {"initial_minimums": "<0:70", "jokers": 12, "pile_portion": "top7"}, "naive"),
    ("cuban", {"initial_minimums": "<0:90", "jokers": 8, "wild_ratio": "fewer"}, "hoarder"),
    ("classic4", {"initial_minimums": "<0:60", "initial_pile": "after_own", "jokers": 8}, "naive"),
    ("royal_magazzu", {"initial_minimums": "<0:60", "draw_count": 1, "pile_portion": "from_melded"}, "naive"),
)
"""Variants played with hands of six cards, and who plays."""


def see_turns(variant: Variant, logged: LoggedDeal) -> Iterator[tuple[Table, int]]:
    """The table as each turn begins, and the turn's place."""
    history = make_history(variant, logged, read_moves(variant.rules, logged))
    table = lay_table(history, variant.rules)
    seen = -1
    for number, action in enumerate(history.actions, 1):
        if table.dealing and action.verb != "red3":
            begin_play(table)
        place = len(table.turns) - 1
        if not table.dealing and not table.ended and place > seen and action.verb != "bonus":
            seen = place
            yield table, place
        act(table, number, action)


def tries(variant: Variant, table: Table) -> bool:
    """Whether any way to lay the hand, and to take the pile then, is judged legal."""
    seat, pile = table.turn.seat, tuple(table.pile)
    hand = tuple(sorted(table.hands[seat - 1].cards))
    position = Position(
        turn=seat,
        hands={seat: hand},
        pile=pile,
        frozen=table.frozen,
        melds=tuple(tuple(tuple(meld.cards) for meld in melds.values()) for melds in table.melds),
        stock=table.stock,
        round=table.own_turns[seat - 1],
    )
    rules = dict(variant.changes)
    told = {"variant": variant.name, "rules": rules, "position": position, "scores": tuple(table.scores), "deal": 3}
    return any(
        judge(History(**told, actions=(*write_melds(seat, groups), take))).legal
        for groups in split_hand(hand, variant.rules.sequences)
        for take in list_takes(seat, groups, pile, variant.rules.pile_portion == "from_melded")
        if len(hand) - sum(map(len, groups)) + count_joining(variant, pile, take) >= 2
    )


def count_joining(variant: Variant, pile: tuple[int, ...], take: Action) -> int:
    """Cards of a take that join the hand: who takes must keep two, for so few cards cannot go out."""
    most = {"all": len(pile), "top7": 7, "from_melded": take.number or len(pile)}[variant.rules.pile_portion]
    gone = (RED_THREES,) if variant.rules.black3_role == "stop" else (RED_THREES, BLACK_THREES)
    return sum(KIND[card] not in gone for card in pile[-most:]) - 1


@pytest.mark.parametrize("cell", SMALL, ids=lambda cell: f"{cell[0]}-{cell[2]}-{list(cell[1])[-1]}")
def test_a_small_hand_could_take_when_some_way_to_lay_it_allows_that(cell: tuple[str, dict[str, Any], str]) -> None:
    name, changes, lineup = cell
    variant = load_variant(name, {**changes, "hand_size": 6, "deals": 40, "target": None})
    found: Counter[bool] = Counter()
    for block in play_blocks(variant, parse_lineup(lineup, variant.rules), seed=3, first_game=1, games=2):
        for logged in split_deals(block):
            for table, place in see_turns(variant, logged):
                hand = table.hands[table.turn.seat - 1].cards
                kinds = Counter(KIND[card] for card in hand)
                pairs = any(kinds[KIND[card]] >= 2 for card in table.pile)
                said = bool(logged.turns["could_take"][place])
                many = len(hand) > MOST_CARDS or (len(table.pile) > MOST_CARDS and variant.rules.pile_portion != "all")
                if table.turn.opened_before or not pairs or many or found[said] >= ENOUGH:
                    continue
                where = f"game {logged.deal['game']} deal {logged.deal['deal']} turn {place + 1}"
                assert said == tries(variant, table), where
                found[said] += 1
    assert min(found[True], found[False]) >= 5, found


WHOLE = ("canastone", "classic3", "cuban", "international", "italian", "modern_american_pagat", "samba")
"""Variants under whose rules a search for openings that goes on greedily misses most takes."""


@pytest.mark.parametrize("name", WHOLE)
def test_who_has_not_opened_could_take_whenever_the_referee_finds_a_way(name: str) -> None:
    variant = load_variant(name, {"deals": 6, "target": None})
    for strategy in ("hoarder", "random"):
        for block in play_blocks(variant, parse_lineup(strategy, variant.rules), seed=5, first_game=1, games=3):
            for logged in split_deals(block):
                assert judge_logged(variant, logged) == []
                turns = logged.turns
                took = [place for place, cards in enumerate(turns["took"]) if cards > 0]
                assert all(turns["could_take"][place] for place in took)
