"""Sides that form during a deal: the first to take the pile plays alone, the others are partners. Source: RULES §1.11.

Each seat keeps its own row of the score (`hand.home`); partners lay and count on one side of the table, the lower
seat's, to which the other's melds move.
"""

from __future__ import annotations

from engine.jit import jit
from engine.kernel.melds import count_cards, find_kind_on_table
from engine.kernel.state import FIRST_PLACES, MELDS
from engine.rules import code

LONE_HAND = code("sides", "lone_hand")


@jit
def find_new_place(table, side, meld, kind):
    """Where a meld of the partner's goes: its own place if that is free, else a further one, for both are kept."""
    if meld < FIRST_PLACES and count_cards(table, side, meld) == 0:
        return meld
    further = table.extras[side]  # far below FURTHER: before the first take there are no cards for so many melds
    table.extra_kind[side, further] = kind
    table.extras[side] += 1
    return FIRST_PLACES + further


@jit
def pool_melds(table, start, end):
    """Move the melds of one side to another, which keeps both of a rank."""
    for meld in range(MELDS):
        if count_cards(table, start, meld) == 0:
            continue
        kind = find_kind_on_table(table, start, meld)
        place = find_new_place(table, end, meld, kind)
        table.naturals[end, place] += table.naturals[start, meld]
        table.twos[end, place] += table.twos[start, meld]
        table.jokers[end, place] += table.jokers[start, meld]
        table.melds[end] |= 1 << place
        table.naturals[start, meld] = 0
        table.twos[start, meld] = 0
        table.jokers[start, meld] = 0
    table.melds[start] = 0
    table.extras[start] = 0
    table.canastas[end] += table.canastas[start]
    table.canastas[start] = 0
    table.opened[end] |= table.opened[start]
    table.opened[start] = 0


@jit
def form_sides(table, seats, lone):
    """A seat plays alone from now on, the two others together."""
    one, other = table.next_seat[lone], table.next_seat[table.next_seat[lone]]
    first, second = min(one, other), max(one, other)
    table.lone = lone
    table.seat_sides[second] = first
    seats.hand[second].side = first
    pool_melds(table, second, first)


@jit
def form_if_due(table, seats, rules, seat):
    """Form sides, where they form during the deal, as a seat takes the pile or goes out."""
    if rules.sides == LONE_HAND and table.lone < 0:
        form_sides(table, seats, seat)
