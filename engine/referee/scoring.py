"""What a deal scores for each side, and which side has won the game (RULES §1.10, §1.11, §5, §9, §10, §13)."""

from __future__ import annotations

from collections.abc import Collection

from engine.cards import BLACK_THREES, RANKS, RED_THREES
from engine.referee.canastas import SEVEN, SORTS, count_canastas, find_bonus, find_penalty, find_set_bonus
from engine.referee.cards import KIND, WILD_MELD, Hand, Meld
from engine.referee.table import POINTS, Table
from engine.rules import Rules

Items = dict[str, int]
"""Items of a side's score. Canastas by sort: natural, mixed, sequence, wild; sets for collections of them.

red_threes (both colours where both are bonus cards), cards, held, out, set_aside, open_melds (0 or less), special,
one_turn (canastas laid in one turn).
"""
ITEMS = (
    *SORTS,
    "sets",
    "red_threes",
    "cards",
    "held",
    "out",
    "set_aside",
    "open_melds",
    "special",
    "one_turn",
)
ACE = RANKS.index("A")


def count_items(table: Table, side: int) -> Items | None:
    """The items of a side's score once the deal has ended; None when a hand is not known."""
    rules, book = table.rules, table.book
    items = dict.fromkeys(ITEMS, 0)
    team = _find_team(table, side)
    if table.special is not None and table.out_seat in team:
        items["special"] = rules.special_hands[table.special]
        return items
    hands = [table.hands[seat - 1] for seat in team]
    reserves = [reserve for seat in team if (reserve := table.reserves[seat - 1]) is not None]
    if not all(hand.is_known for hand in (*hands, *reserves)):
        return None
    melds = table.melds[side]
    counts = count_canastas(melds)
    total = sum(counts[sort] for sort in SORTS)
    goes_out = bool(table.out_seat) and table.special is None and table.out_seat in team
    for meld, bonus in _count_bonuses(table, side, goes_out=goes_out):
        items[meld.sort] += bonus
    sides = {book.side_of[seat] for seat in team}
    items["one_turn"] = sum(table.one_turn_canastas[each] for each in sides) * book.one_turn_bonus
    items["cards"] = _count_cards(rules, melds.values(), total)
    items["sets"] = find_set_bonus(rules, counts)
    items["red_threes"] = _count_threes(table, side, total, counts["natural_7"] + counts["mixed_7"])
    items["held"] = -sum(_count_held(table, hand) for hand in (*hands, *reserves))
    items["held"] -= sum(_count_kept(rules, hand) for hand in hands)
    items["out"] = table.out_bonus if goes_out else 0
    items["set_aside"] = _count_set_aside(table, side)
    items["open_melds"] = -sum(find_penalty(rules, meld) for meld in melds)
    return items


def _count_bonuses(table: Table, side: int, *, goes_out: bool) -> list[tuple[Meld, int]]:
    """The canastas of a side whose bonus counts, and the bonuses: by a house rule only as many as the other has."""
    rules, book = table.rules, table.book
    bonuses = [
        (meld, find_bonus(rules, meld))
        for meld in table.melds[side]
        if meld.is_canasta and (meld.kind != WILD_MELD or goes_out or not book.wild_bonus_needs_out)
    ]
    if not book.counts_as_many_as_out or goes_out or not table.out_seat:
        return bonuses
    most = table.count_canastas(book.side_of[table.out_seat])
    return sorted(bonuses, key=lambda counted: -counted[1])[:most]


def _find_team(table: Table, side: int) -> list[int]:
    """The seats whose hands count for a side: in lone hand a seat and its partner of this deal."""
    own = [seat for seat in table.book.order if table.book.side_of[seat] == side]
    return table.team_of(own[0]) if len(own) == 1 else own


def _count_cards(rules: Rules, melds: list[Meld], canastas: int) -> int:
    """Values of the melded cards; minus without a canasta where the rules say so (RULES §10)."""
    cards = sum(POINTS[card] for meld in melds for card in meld.cards)
    return -cards if rules.melds_negative_without_canasta and not canastas else cards


def _count_held(table: Table, hand: Hand) -> int:
    """What the cards of a hand or reserve count against the side, by their values or what takes the place of them."""
    rules = table.rules
    held = 0
    for card in hand.cards:
        if KIND[card] == RED_THREES:
            held += rules.held_penalty.get("red3", table.book.held_red_three)
        elif KIND[card] == BLACK_THREES and "black3" in rules.held_penalty and table.out_seat:
            held += rules.held_penalty["black3"]  # RULES §4: when someone goes out
        else:
            held += POINTS[card]
    return held


def _count_kept(rules: Rules, hand: Hand) -> int:
    """Penalties for a player with many aces or sevens, on top of their values (RULES §10, §16)."""
    aces = sum(1 for card in hand.cards if KIND[card] == ACE)
    sevens = sum(1 for card in hand.cards if KIND[card] == SEVEN)
    kept = {"A3": aces >= 3, "7_3": sevens >= 3, "7_gt3": sevens > 3}
    return sum(rules.held_penalty.get(key, 0) for key, is_so in kept.items() if is_so)


def _count_set_aside(table: Table, side: int) -> int:
    """Black threes put out of play: 5 each, 100 for all of the pack (RULES §13)."""
    count = len(table.set_aside[side])
    return 100 if count == 2 * table.rules.packs else 5 * count


def _count_threes(table: Table, side: int, canastas: int, sevens: int) -> int:
    """The total of a side's threes, each colour apart, negative when it has not earned them."""
    laid = table.red_threes[side]
    total = 0
    for kind in (RED_THREES, BLACK_THREES):
        count = sum(1 for card in laid if KIND[card] == kind)
        if count:
            totals = table.rules.red3_totals
            total += totals[min(count, len(totals)) - 1]
    sign = table.rules.red3_sign
    if sign == "swing":
        return total * (min(canastas, 2) - 1)
    earned = {
        "melded": len(table.melds[side]) > 0,
        "one_canasta": canastas >= 1,
        "two_canastas": canastas >= 2,
        "sevens_canasta": sevens >= 1,
        "plus_only": True,
    }[sign]
    return total if earned else -total


def find_winner(rules: Rules, totals: list[int], deal: int, won: Collection[int] = ()) -> tuple[bool, int | None]:
    """Whether the game is over after the deal of a number, and the side (from 1) that has won it.

    Equal highest totals: another deal, or a shared win, which no side has won. `won` are sides that win by
    this deal whatever the totals (RULES §8).
    """
    if won:
        best = [side for side in won if totals[side - 1] == max(totals[other - 1] for other in won)]
        return (True, best[0]) if len(best) == 1 else (rules.tie == "shared", None)
    reached = rules.target is not None and max(totals) >= rules.target
    if not reached and (rules.deals is None or deal < rules.deals):
        return False, None
    best = [side for side, total in enumerate(totals, 1) if total == max(totals)]
    if len(best) == 1:
        return True, best[0]
    return rules.tie == "shared", None


def find_sides_that_won(table: Table) -> list[int]:
    """Sides that win the match by this deal: with seven canastas, or a dream hand (RULES §8, §10)."""
    win = table.book.match_win
    if "dream_hand" in win and table.special is not None and table.special.startswith("dream"):
        return [table.book.side_of[table.out_seat] + 1]
    if "seven_canastas" not in win:
        return []
    return [side + 1 for side in range(table.book.sides) if table.count_canastas(side) >= 7]
