"""Which cards may be discarded. Sources: RULES §1.4, §10, §13, §17.

A hand that holds nothing but cards it may not discard may throw any of them: a turn must end. Only the last card,
which goes out, is never let off.
"""

from __future__ import annotations

from engine.cards import ACES, BLACK_THREES, JOKERS, RED_THREES, SEVENS, TWOS
from engine.jit import find_lowest, jit
from engine.kernel.deal import find_freeze
from engine.kernel.leave import is_reserve_waiting
from engine.kernel.melds import CANASTA, count_cards
from engine.kernel.state import FIRST_PLACES
from engine.rules import bit

RED3_BANNED, THREE_BANNED = bit("discard_bans", "red3"), bit("discard_bans", "three")
WILD_BANNED = bit("discard_bans", "wild_unless_out_or_all_wild")
EARLY_BLACK3, EARLY_SEVEN = bit("discard_bans", "black3_first_round"), bit("discard_bans", "7_until_7s_canasta")
LAST_SEVEN, SWAD = bit("discard_bans", "7_as_last_card"), bit("discard_bans", "swad_on_empty_pile")
UNSEEN = -1
"""Kind of a card that nobody has seen."""
WILD_BITS = 1 << TWOS | 1 << JOKERS
THREE_BITS = 1 << BLACK_THREES | 1 << RED_THREES


@jit
def find_dead(table, rules):
    """Bits of the ranks of which a side has completed a canasta, where that closes them for all (RULES §10)."""
    return table.dead if rules.closed_ranks_dead else 0


@jit
def has_sevens(table, side):
    """Whether a side has a canasta of sevens."""
    for place in range(FIRST_PLACES, FIRST_PLACES + table.extras[side]):
        if table.extra_kind[side, place - FIRST_PLACES] == SEVENS and count_cards(table, side, place) >= CANASTA:
            return True
    return count_cards(table, side, SEVENS) >= CANASTA


@jit
def lacks_sevens(table):
    """Whether some side that plays has no canasta of sevens (RULES §17); partners of a deal are one side (§1.11)."""
    lacking = 0
    for seat in range(table.players):
        lacking += not has_sevens(table, table.seat_sides[seat])
    return lacking > 0


@jit
def find_freezing(table, hand, rules):
    """Bits of the kinds that would freeze the pile once too often for this seat (parameter `freeze_limit`)."""
    freezing = 0
    if rules.freeze_limit > 0 and not table.frozen and table.freezes[hand.seat] >= rules.freeze_limit:
        kinds = hand.holds
        while kinds != 0:
            kind = find_lowest(kinds)
            kinds &= kinds - 1
            if find_freeze(rules, kind, False) != 0:
                freezing |= 1 << kind
    return freezing


@jit
def find_kept(rules):
    """Bits of the threes that are never discarded."""
    red = 1 << RED_THREES if rules.discard_bans & RED3_BANNED else 0
    return THREE_BITS if rules.discard_bans & THREE_BANNED else red


@jit
def find_banned(table, hand, rules):
    """Bits of the kinds these rules do not let the hand discard now, whatever else it holds."""
    bans = rules.discard_bans
    banned = find_freezing(table, hand, rules) | find_kept(rules)
    if bans & EARLY_BLACK3 and table.own_turns[hand.seat] <= 1:
        banned |= 1 << BLACK_THREES
    if bans & EARLY_SEVEN and lacks_sevens(table):
        banned |= 1 << SEVENS
    if bans & WILD_BANNED and hand.count > 1 and hand.holds & ~(WILD_BITS | find_kept(rules)):
        banned |= WILD_BITS
    if bans & SWAD and table.pile_count == 0:
        swad = WILD_BITS | 1 << SEVENS | 1 << ACES | find_dead(table, rules)
        if hand.holds & ~(swad | banned):
            banned |= swad
    return banned


@jit
def may_end_on(rules, kind):
    """Whether a card of a kind may be the last discard, the one that goes out; one UNSEEN only if all may."""
    if kind == UNSEEN:
        return (rules.discard_bans & (LAST_SEVEN | THREE_BANNED)) == 0
    if kind == SEVENS:
        return (rules.discard_bans & LAST_SEVEN) == 0
    return kind < BLACK_THREES or (rules.discard_bans & THREE_BANNED) == 0


@jit
def find_discards(table, hand, rules):
    """Bits of the kinds the hand may discard."""
    if hand.count == 1 and not is_reserve_waiting(table, hand, rules):
        return hand.holds if may_end_on(rules, find_lowest(hand.holds)) else 0
    if rules.discard_bans == RED3_BANNED and rules.freeze_limit == 0:
        allowed = hand.holds & ~(1 << RED_THREES)
    else:
        allowed = hand.holds & ~find_banned(table, hand, rules)
        if allowed == 0:
            allowed = hand.holds & ~find_kept(rules)
    return allowed if allowed != 0 else hand.holds
