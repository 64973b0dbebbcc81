"""Drawing from the stock, threes laid and replaced, reserves, bonus cards. Sources: RULES §1.3, §1.4, §1.11, §2, §9.

What of a drawn card is laid at once is said here alone: a red three, where black threes are bonus cards one of those.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, KIND_OF, NATURAL_KINDS, RED_THREES
from engine.jit import jit
from engine.kernel.melds import CANASTA, find_kind_on_table, give_card, remove_card
from engine.kernel.outline import outline
from engine.kernel.rows import A_BONUS, A_DRAW, A_FOOT, A_RED3, NO_MELD, put_move
from engine.kernel.special import may_keep_three, wants_three
from engine.kernel.state import FIRST_PLACES
from engine.log import MAX_HAND
from engine.rules import code

LAY_REPLACE, DISCARDABLE = code("red3_use", "lay_replace"), code("red3_use", "discardable")
ON_CANASTA = code("red3_use", "on_clean_canasta")
BONUS = code("black3_role", "bonus")
STAYS = code("last_red3", "stays_in_hand")


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
def is_laid(table, rules, kind):
    """Whether a card of a kind that comes from the stock is laid at once and replaced, not kept.

    Where red threes may be discarded (RULES §2) a drawn one stays in the hand, for the player to lay or to throw;
    where they go onto canastas (RULES §9) all of them do.
    """
    if kind < BLACK_THREES:
        return False
    if kind == BLACK_THREES:
        return rules.black3_role == BONUS
    return rules.red3_use == LAY_REPLACE or (rules.red3_use == DISCARDABLE and table.turn == 0)


@jit
def lay_red_three(table, hand, croupier, log, card):
    """Lay a three that is in no hand with the side's melds."""
    if KIND_OF[card] == RED_THREES:
        table.red_threes[hand.home] += 1
    else:
        table.black_threes[hand.home] += 1
    put_move(log, croupier, table, hand.seat, A_RED3, card, NO_MELD, -1)


@jit
def draw_one(table, hand, rules, croupier, log, action, turn):
    """Draw one card, laying and replacing threes; 1, or 0 when the stock ran out first.

    In a turn's own draw (1, else 0) a three may be kept for a straight; the last stock card stays in the hand where
    the rules say so, and then ends the deal (RULES §10).
    """
    while True:
        card = take_stock_card(table, croupier)
        if card < 0:
            return 0
        put_move(log, croupier, table, hand.seat, action, card, NO_MELD, -1)
        kept = turn and hand.keeps and table.stock > 0 and may_keep_three(table, hand, rules)
        if kept or not is_laid(table, rules, KIND_OF[card]):
            give_card(table, hand, card)
            return 1
        if turn and table.stock == 0 and rules.last_red3 == STAYS:
            give_card(table, hand, card)
            croupier.three_kept = 1
            return 0
        lay_red_three(table, hand, croupier, log, card)


@jit
def count_clean(table, side):
    """Natural canastas of a rank that a side has on the table."""
    clean = 0
    for meld in range(FIRST_PLACES + table.extras[side]):
        kind = find_kind_on_table(table, side, meld)
        pure = table.twos[side, meld] + table.jokers[side, meld] == 0
        clean += 0 <= kind < NATURAL_KINDS and table.naturals[side, meld] >= CANASTA and pure
    return clean


@jit
def find_three(table, hand, rules):
    """A three in the hand that may be laid like one just drawn, −1 if it holds none."""
    for card in range(48, 52):
        red = KIND_OF[card] == RED_THREES
        if hand.cards[card] > 0 and (red or rules.black3_role == BONUS):
            return card
    return -1


@jit
def lay_from_hand(table, hand, rules, croupier, log):
    """Lay one three from the hand, replaced from the stock where the rules say so; False if the hand holds none."""
    card = find_three(table, hand, rules)
    if card < 0:
        return False
    remove_card(table, hand, card)
    lay_red_three(table, hand, croupier, log, card)
    if rules.red3_use != ON_CANASTA or KIND_OF[card] != RED_THREES:
        draw_one(table, hand, rules, croupier, log, A_DRAW, 0)
    return True


@jit
def holds_kept_three(hand):
    """Whether the hand keeps a three for a straight, the only one it holds."""
    return hand.keeps and hand.kinds[BLACK_THREES] + hand.kinds[RED_THREES] == 1


@jit
def lay_received(table, hand, rules, croupier, log):
    """Lay and replace the threes of cards just dealt or taken up, all but one kept for a straight."""
    for card in range(48, 52):
        while hand.cards[card] > 0 and is_laid(table, rules, KIND_OF[card]) and not holds_kept_three(hand):
            remove_card(table, hand, card)
            lay_red_three(table, hand, croupier, log, card)
            draw_one(table, hand, rules, croupier, log, A_DRAW, 0)


@jit
def lay_dealt(table, seats, rules, croupier, log):
    """Lay and replace the red threes dealt, from the dealer's left, before the first turn (RULES §1.3)."""
    seat = table.dealer
    for _ in range(table.players - (1 if table.sits_out >= 0 else 0)):
        seat = table.next_seat[seat]
        lay_received(table, seats.hand[seat], rules, croupier, log)


@jit
def choose_to_keep(table, hand, rules):
    """Decide for a seat whether it keeps a three for a straight; it is no strategy's decision."""
    hand.keeps = wants_three(table, hand, rules)


@outline
def lay_kept(table, hand, rules, croupier, log):
    """Lay and replace a three kept for a straight that is given up, or must be as the side has opened; always 1."""
    if table.opened[hand.side] != 0:
        hand.keeps = 0
    lay_received(table, hand, rules, croupier, log)
    return 1


@outline
def take_up_reserve(table, hand, rules, croupier, log):
    """Take the seat's reserve into its hand, laying and replacing the threes in it (RULES §9, §17); always 1."""
    for place in range(min(table.reserves[hand.seat], MAX_HAND)):
        give_card(table, hand, croupier.reserves[hand.seat, place])
    table.reserves[hand.seat] = 0
    put_move(log, croupier, table, hand.seat, A_FOOT, -1, NO_MELD, -1)
    lay_received(table, hand, rules, croupier, log)
    return 1


@jit
def draw_bonus(table, hand, rules, croupier, log, count):
    """Draw cards on top of the turn's own draw, as many as the stock still has (RULES §7, §10, §15)."""
    for _ in range(count):
        draw_one(table, hand, rules, croupier, log, A_BONUS, 0)
