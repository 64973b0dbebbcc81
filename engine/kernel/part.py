"""The part of the pile that a take brings, and what of it joins the hand (RULES §1.3, §1.7, §7, §9, §13, §15, §19)."""

from __future__ import annotations

from engine.cards import BLACK_THREES, CARD_COUNT, KIND_OF, NO_CARD, RED_THREES
from engine.jit import jit
from engine.kernel.discards import UNSEEN
from engine.kernel.draw import BONUS, LAY_REPLACE, ON_CANASTA
from engine.rules import code

ALL, STOP = code("pile_portion", "all"), code("black3_role", "stop")
AT_ONCE = code("initial_draw", "at_once")


@jit
def joins_hand(rules, kind):
    """Whether a card of a kind in a taken pile joins the hand; the others are laid or set aside."""
    if kind < BLACK_THREES:
        return True
    return rules.black3_role == STOP if kind == BLACK_THREES else rules.red3_use == ON_CANASTA


@jit
def find_key_place(table, hand):
    """Place in the pile of the card a take melds: the top, or the lowest card of the part taken (RULES §19)."""
    return table.pile_count - (hand.depth if hand.deep else 1)


@jit
def count_part_below(table, hand, rules):
    """`count_below` card by card; of face-down cards as few as may join the hand."""
    key = find_key_place(table, hand)
    joining, hidden = 0, 0
    for place in range(table.pile_count - hand.depth, table.pile_count):
        if table.pile[place] == NO_CARD:
            hidden += 1
        elif place != key:
            joining += joins_hand(rules, KIND_OF[table.pile[place]])
    threes = 2 * rules.packs * ((not joins_hand(rules, RED_THREES)) + (not joins_hand(rules, BLACK_THREES)))
    return joining + max(0, hidden - threes)


@jit
def count_sure(table, rules):
    """Cards that the stock gives for certain, whatever threes, which are laid and replaced, are still to come."""
    laid = 0
    for side in range(table.sides):
        laid += table.red_threes[side] * (rules.red3_use == LAY_REPLACE)
        laid += table.black_threes[side] * (rules.black3_role == BONUS)
    threes = 2 * rules.packs * ((rules.red3_use == LAY_REPLACE) + (rules.black3_role == BONUS))
    return max(0, table.stock - max(0, threes - laid))


@jit
def count_coming(table, hand, rules, extra):
    """Stock cards certain to come at once: extra ones of a take, those of an opening (RULES §7, §15)."""
    due = extra
    if rules.initial_draw_when == AT_ONCE and table.opened[hand.side] == 0:
        opened = 0
        for side in range(table.sides):
            opened += table.opened[side] != 0
        due += rules.initial_draw_counts[min(opened, rules.initial_draw_counts.size - 1)]
    return min(due, count_sure(table, rules)) if due > 0 else 0


@jit
def count_below(table, hand, rules):
    """Cards that join the hand on a take: the part taken but for the card melded and those laid or set aside."""
    coming = count_coming(table, hand, rules, rules.pile_extra_draw)
    if rules.pile_portion != ALL or table.hidden > 0:
        return coming + count_part_below(table, hand, rules)
    below = table.pile_count - 1
    if rules.red3_use != ON_CANASTA:
        below -= table.pile_kinds[RED_THREES]
    if rules.black3_role != STOP:
        below -= table.pile_kinds[BLACK_THREES]
    return coming + below


@jit
def find_below(table, hand, rules):
    """A card that a take brings into the hand; UNSEEN if there is none that all have seen."""
    key = find_key_place(table, hand)
    for place in range(table.pile_count - hand.depth, table.pile_count):
        if place != key and table.pile[place] != NO_CARD and joins_hand(rules, KIND_OF[table.pile[place]]):
            return table.pile[place]
    return UNSEEN


@jit
def find_left(hand, plan):
    """A card of the hand that the plan does not lay; −1 if it lays them all."""
    for card in range(CARD_COUNT):
        left = hand.cards[card]
        for row in range(plan.rows):
            left -= plan.card[row] == card
        if left > 0:
            return card
    return -1


@jit
def find_last(table, hand, rules, plan):
    """The one card left after a take with the plan; UNSEEN if it is none that all have seen."""
    card = find_left(hand, plan)
    return card if card >= 0 else find_below(table, hand, rules)
