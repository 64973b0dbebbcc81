"""What a seat must keep in its hand, and whether anything but canastas keeps it from going out.

Reserves and the partner's leave; the canastas a side needs are counted elsewhere. Sources: RULES §1.9, §5, §9, §17.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, RED_THREES
from engine.jit import jit
from engine.kernel.state import AGREED, REFUSED
from engine.rules import bit, code

ASK_REQUIRED = code("ask_partner", "required")
HAND_EMPTY, FIRST_CANASTA = code("reserve_pickup", "hand_empty"), code("reserve_pickup", "first_canasta")
OWN_RESERVE, PARTNER_RESERVE = bit("out_conditions", "reserve_taken"), bit("out_conditions", "partner_reserve_taken")


@jit
def find_partner(table, seat):
    """The next seat of the same side in turn order; −1 if there is none."""
    other = table.next_seat[seat]
    while other != seat:
        if table.seat_sides[other] == table.seat_sides[seat]:
            return other
        other = table.next_seat[other]
    return -1


@jit
def is_reserve_waiting(table, hand, rules):
    """Whether emptying the hand takes up the seat's reserve instead of going out."""
    return rules.reserve_pickup == HAND_EMPTY and table.reserves[hand.seat] > 0


@jit
def is_barred(table, hand, rules):
    """Whether reserves not taken up keep the seat from going out."""
    if is_reserve_waiting(table, hand, rules):
        return True
    if rules.out_conditions & OWN_RESERVE and table.reserves[hand.seat] > 0:
        return True
    if rules.out_conditions & PARTNER_RESERVE:
        partner = find_partner(table, hand.seat)
        while partner >= 0 and partner != hand.seat:
            if table.reserves[partner] > 0:
                return True
            partner = find_partner(table, partner)
    return False


@jit
def find_duties(table, hand, rules):
    """Set what the seat must keep in its hand and whether it may go out at all.

    A three kept for a straight is laid when the side opens: it is no card to end the turn with.
    """
    hand.keep = 0 if is_reserve_waiting(table, hand, rules) else 1 if hand.no_discard else 2
    if hand.keeps and hand.kinds[BLACK_THREES] + hand.kinds[RED_THREES] > 0:
        hand.keep += 1
    hand.barred = rules.reserve_size > 0 and is_barred(table, hand, rules)


@jit
def may_leave(table, hand, rules):
    """Whether nothing but canastas keeps the seat from going out: reserves, the partner's leave (RULES §1.9, §9)."""
    if hand.barred or hand.permission == REFUSED:
        return False
    return rules.ask_partner != ASK_REQUIRED or hand.permission == AGREED or find_partner(table, hand.seat) < 0


@jit
def may_refill(table, hand, rules, canastas):
    """Whether a plan that leaves the side with so many canastas takes up the seat's reserve at once."""
    if table.reserves[hand.seat] == 0:
        return False
    return rules.reserve_pickup == HAND_EMPTY or canastas > table.canastas[hand.side]
