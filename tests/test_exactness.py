"""What the log says a seat could do is what it could do: every choice of cards tried, in plain Python.

Positions come from logged deals; the choices are enumerated by kind of card from the text of the rules (RULES §1.5,
§1.6, §1.7, §1.9), without the kernel's searches and without the referee's. `could_take`, `could_open` and `could_out`
must each be exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest

from engine.cards import BLACK_THREES, JOKERS, KIND_OF, NATURAL_KINDS, POINTS_OF_KIND, RED_THREES, TWOS
from engine.ledger.deals import LoggedDeal, split_deals
from engine.ledger.replay import make_history
from engine.ledger.rows import read_moves
from engine.play import play_blocks
from engine.referee.dealt import begin_play
from engine.referee.setup import lay_table
from engine.referee.table import Table
from engine.referee.turn import act
from engine.rules import Rules, Variant, load_variant
from engine.strategies import parse_lineup

POINTS = [int(points) for points in POINTS_OF_KIND]
Sizes = dict[int, tuple[int, int]]
"""Melds of a side: naturals and wilds by rank."""


@dataclass(frozen=True)
class Spot:
    """What a seat sees as its turn begins, or after its draw: its hand by kind, its side's melds, the pile."""

    rules: Rules
    hand: Counter[int]
    melds: Sizes
    minimum: int
    pile: tuple[int, ...]  # kinds, bottom first
    frozen: bool
    took: bool = False

    @property
    def below(self) -> Counter[int]:
        """Cards that join the hand on a take; red threes are laid."""
        return Counter(kind for kind in self.pile[:-1] if kind != RED_THREES)


def count_limit(rules: Rules, naturals: int) -> int:
    """Most wilds beside so many naturals."""
    return min(rules.max_wilds, {"none": 99, "not_more": naturals, "fewer": naturals - 1}[rules.wild_ratio])


def may_lie(rules: Rules, naturals: int, wilds: int) -> bool:
    return naturals >= rules.min_naturals and naturals + wilds >= 3 and wilds <= count_limit(rules, naturals)


def count_canastas(melds: Sizes) -> int:
    return sum(naturals + wilds >= 7 for naturals, wilds in melds.values())


def add(melds: Sizes, naturals: dict[int, int], wilds: dict[int, int]) -> Sizes:
    ranks = melds.keys() | naturals.keys() | wilds.keys()
    return {
        rank: (
            melds.get(rank, (0, 0))[0] + naturals.get(rank, 0),
            melds.get(rank, (0, 0))[1] + wilds.get(rank, 0),
        )
        for rank in ranks
    }


def spread(rules: Rules, melds: Sizes, wilds: int) -> Iterator[dict[int, int]]:
    """Every way to put so many wilds on melds."""
    ranks = [rank for rank, (naturals, laid) in melds.items() if count_limit(rules, naturals) > laid]

    def place(at: int, left: int) -> Iterator[dict[int, int]]:
        if at == len(ranks):
            if left == 0:
                yield {}
            return
        naturals, laid = melds[ranks[at]]
        for here in range(min(left, count_limit(rules, naturals) - laid) + 1):
            for rest in place(at + 1, left - here):
                yield {ranks[at]: here, **rest}

    yield from place(0, wilds)


def can_go_out(spot: Spot) -> bool:
    """Whether all cards can be melded, or all but one that is thrown, with the canastas it takes."""
    return any(_goes_out(spot, kept) for kept in (None, *spot.hand))


def _goes_out(spot: Spot, kept: int | None) -> bool:
    rules = spot.rules
    if (kept is None and rules.out_discard == "required") or (kept == RED_THREES and "red3" in rules.discard_bans):
        return False
    hand = spot.hand - Counter([] if kept is None else [kept])
    threes = hand[BLACK_THREES]
    if hand[RED_THREES] or (threes and (threes < 3 or rules.black3_meld == "never")):
        return False
    naturals = {rank: count for rank, count in hand.items() if rank < NATURAL_KINDS}
    wilds = hand[TWOS] + hand[JOKERS]
    base = add(spot.melds, naturals, {})
    points = sum(POINTS[kind] * count for kind, count in hand.items())
    for placed in spread(rules, base, wilds):
        melds = add(base, {}, placed)
        canastas = count_canastas(melds)
        waived = "concealed_out" in rules.initial_waivers and not spot.took
        enough = bool(spot.melds) or points >= spot.minimum or waived
        if canastas >= rules.canastas_out and enough and all(may_lie(rules, *meld) for meld in melds.values()):
            return True
    return False


def openings(spot: Spot, top: int | None) -> Iterator[tuple[Counter[int], Sizes]]:
    """Every valid opening: the cards from the hand it lays and the melds they make, with the upcard or without."""
    rules, hand = spot.rules, spot.hand
    ranks = [rank for rank in range(NATURAL_KINDS) if hand[rank]]
    for counts in product(*(range(hand[rank] + 1) for rank in ranks)):
        naturals = {rank: count for rank, count in zip(ranks, counts, strict=True) if count}
        if top is not None and naturals.get(top, 0) < 2:
            continue
        base = add({}, naturals, {} if top is None else {top: 0})
        if top is not None:
            base[top] = (base[top][0] + 1, 0)
        if not base or any(count_limit(rules, count) < 3 - count for count, _ in base.values()):
            continue
        for twos, jokers in product(range(hand[TWOS] + 1), range(hand[JOKERS] + 1)):
            for placed in spread(rules, base, twos + jokers):
                melds = add(base, {}, placed)
                if all(may_lie(rules, *meld) for meld in melds.values()):
                    yield Counter({**naturals, TWOS: twos, JOKERS: jokers}), melds


def can_open(spot: Spot, top: int | None) -> bool:
    """Whether an opening reaches the minimum and lets the turn end: two cards left for the discard, or going out."""
    rules, seen = spot.rules, set()
    below = spot.below if top is not None else Counter()
    for laid, melds in openings(spot, top):
        key = (tuple(sorted(laid.items())), count_canastas(melds) >= rules.canastas_out)
        if key in seen:
            continue
        seen.add(key)
        points = sum(POINTS[kind] * count for kind, count in laid.items()) + (0 if top is None else POINTS[top])
        if points < spot.minimum:
            continue
        left = spot.hand - laid + below
        if left.total() >= 2 or can_end(Spot(rules, left, melds, 0, (), False, took=True)):
            return True
    return False


def can_end(spot: Spot) -> bool:
    """Whether a turn that has taken the pile can end with what it holds."""
    if spot.hand.total() >= 2:
        return True
    done = count_canastas(spot.melds) >= spot.rules.canastas_out
    if spot.hand.total() == 0:
        return done and spot.rules.out_discard == "optional"
    return can_go_out(spot)


def can_take(spot: Spot) -> bool:
    """Whether any legal take exists (RULES §1.7)."""
    rules, pile = spot.rules, spot.pile
    if not pile or pile[-1] >= NATURAL_KINDS:
        return False
    if spot.hand.total() == 1 and len(pile) == 1 and rules.one_card_pile == "forbidden":
        return False
    top = pile[-1]
    if not spot.melds:
        return spot.hand[top] >= 2 and can_open(spot, top)
    meld = spot.melds.get(top)
    ways = [Counter({top: 2})] if "pair" in rules.unfrozen_take or spot.frozen else []
    if not spot.frozen:
        if "natural_wild" in rules.unfrozen_take:
            ways += [Counter({top: 1, TWOS: 1}), Counter({top: 1, JOKERS: 1})]
        if "add" in rules.unfrozen_take and meld and (rules.add_to_complete or sum(meld) < 7):
            ways.append(Counter())
    return any(spot.hand >= way and _takes(spot, way, top) for way in ways)


def _takes(spot: Spot, way: Counter[int], top: int) -> bool:
    melds = add(spot.melds, {top: way[top] + 1}, {top: way[TWOS] + way[JOKERS]})
    left = spot.hand - way + spot.below
    return may_lie(spot.rules, *melds[top]) and can_end(Spot(spot.rules, left, melds, 0, (), False, took=True))


# ---------------------------------------------------------------------------------------------------- logged positions
def see(table: Table, *, took: bool = False) -> Spot:
    """The position of the seat whose turn it is."""
    turn = table.turn
    melds = table.melds[turn.side]
    return Spot(
        table.rules,
        Counter(int(KIND_OF[card]) for card in table.hands[turn.seat - 1].cards),
        {kind: (meld.naturals, meld.wilds) for kind, meld in melds.items()},
        table.minimums[turn.side],
        tuple(int(KIND_OF[card]) for card in table.pile),
        table.frozen or table.book.always_frozen,
        took,
    )


def read_spots(variant: Variant, logged: LoggedDeal) -> Iterator[tuple[Spot, Spot | None, int]]:
    """Of each turn: the position met, the one after the draw (None after a take or without a draw), its place."""
    history = make_history(variant, logged, read_moves(variant.rules, logged))
    table = lay_table(history, variant.rules)
    met: Spot | None = None
    for number, action in enumerate(history.actions, 1):
        if table.dealing and action.verb != "red3":
            begin_play(table)
        place = len(table.turns) - 1
        if not table.dealing and not table.turn.began and not table.turn.before_take:
            met = see(table)
        act(table, number, action)
        if action.verb == "draw" and not table.ended and met is not None:
            yield met, see(table), place
            met = None
        elif action.verb in ("take", "pass") and met is not None:
            yield met, None, place
            met = None


CELLS: tuple[tuple[str, dict[str, object], str, int], ...] = (
    ("classic4", {}, "naive", 4),
    ("classic4", {}, "hoarder~safe", 4),
    ("classic2", {}, "random", 3),
    ("gamecolony2_red3freezes", {}, "random~naive", 3),
    ("viennese", {}, "naive~random", 5),
    ("classic3_cutthroat", {"max_wilds": 1, "wild_ratio": "fewer"}, "random", 2),
    ("classic4", {"hand_size": 4, "initial_minimums": "<0:15;0:30;500:60"}, "naive~random", 8),
    ("classic4", {"hand_size": 3, "out_discard": "required", "initial_minimums": "<0:15", "deals": 30}, "random", 3),
    ("classic4", {"hand_size": 5, "min_naturals": 3, "unfrozen_take": ["pair", "natural_wild"]}, "naive", 4),
    ("classic2", {"hand_size": 9, "min_naturals": 1, "jokers": 10, "canastas_out": 1}, "hoarder~random", 4),
    ("classic4", {"hand_size": 2, "one_card_pile": "allowed", "initial_minimums": "<0:0", "deals": 30}, "random", 3),
    ("classic2", {"hand_size": 5, "wild_ratio": "not_more", "canastas_out": 1, "add_to_complete": False}, "naive", 5),
    ("classic4", {"hand_size": 6, "canastas_out": 2, "pile_frozen": "always"}, "random~hoarder", 4),
)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell[0]}-{cell[2]}-{'-'.join(cell[1]) or 'plain'}")
def test_what_a_seat_could_do(cell: tuple[str, dict[str, object], str, int]) -> None:
    name, changes, lineup, games = cell
    variant = load_variant(name, changes)
    found: Counter[str] = Counter()
    for block in play_blocks(variant, parse_lineup(lineup, variant.rules), seed=11, first_game=1, games=games):
        for logged in split_deals(block):
            where = f"game {logged.deal['game']} deal {logged.deal['deal']}"
            for met, drawn, place in read_spots(variant, logged):
                said = {could: bool(logged.turns[could][place]) for could in ("could_take", "could_open", "could_out")}
                can = {"could_take": can_take(met)}
                if drawn is not None:
                    can["could_out"] = can_go_out(drawn)
                    can["could_open"] = not drawn.melds and (can["could_out"] or can_open(drawn, None))
                for could, truth in can.items():
                    assert said[could] == truth, (could, where, place + 1, met, drawn)
                    found[could] += truth
                found["turns"] += 1
    assert found["turns"] > 100
    assert min(found["could_take"], found["could_open"] + found["could_out"]) > 5
    assert found["could_out"] > 2
