"""Drawing from the stock, and red threes laid and replaced. Sources: RULES §1.3, §1.4, §1.11, §2."""

from __future__ import annotations

from engine.cards import KIND_OF, RED_THREES
from engine.jit import jit
from engine.melds import give_card, remove_card
from engine.rows import A_DRAW, A_RED3, NO_MELD, put_move
from engine.rules import code

DISCARDABLE = code("red3_use", "discardable")


@jit
def take_stock_card(table, croupier):
    """The stock's next card; −1 when it is empty."""
    if table.stock == 0:
        return -1
    card = croupier.pack[croupier.next]
    croupier.next += 1
    table.stock -= 1
    return card


@jit
def lay_red_three(table, hand, croupier, log, card):
    """Lay a red three that is in no hand with the side's melds."""
    table.red_threes[hand.side] += 1
    put_move(log, croupier, table, hand.seat, A_RED3, card, NO_MELD, -1)


@jit
def draw_one(table, hand, rules, croupier, log):
    """Draw one card, laying and replacing red threes; 1, or 0 when the stock ran out first.

    Where red threes may be discarded (RULES §2) a drawn one stays in the hand, for the player to
    lay or to throw.
    """
    while True:
        card = take_stock_card(table, croupier)
        if card < 0:
            return 0
        put_move(log, croupier, table, hand.seat, A_DRAW, card, NO_MELD, -1)
        if KIND_OF[card] != RED_THREES or (rules.red3_use == DISCARDABLE and table.turn > 0):
            give_card(table, hand, card)
            return 1
        lay_red_three(table, hand, croupier, log, card)


@jit
def find_red_three(hand):
    """A red three in the hand, −1 if it holds none."""
    for card in (49, 50):
        if hand.cards[card] > 0:
            return card
    return -1


@jit
def lay_from_hand(table, hand, rules, croupier, log):
    """Lay one red three from the hand and replace it from the stock; False if the hand holds none."""
    card = find_red_three(hand)
    if card < 0:
        return False
    remove_card(table, hand, card)
    lay_red_three(table, hand, croupier, log, card)
    draw_one(table, hand, rules, croupier, log)
    return True


@jit
def lay_dealt(table, seats, rules, croupier, log):
    """Lay and replace the red threes dealt, from the dealer's left, before the first turn (RULES §1.3)."""
    for place in range(table.players):
        hand = seats.hand[(table.dealer + 1 + place) % table.players]
        while lay_from_hand(table, hand, rules, croupier, log):
            pass
