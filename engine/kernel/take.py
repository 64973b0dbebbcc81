"""Moving the pile, or the part of it that the rules give, to its taker. Sources: RULES §1.3, §1.7, §9, §13, §19."""

from __future__ import annotations

from engine.cards import BLACK_THREES, KIND_OF, NO_CARD, POINTS_OF
from engine.jit import jit
from engine.kernel.deal import begin_life
from engine.kernel.draw import lay_red_three
from engine.kernel.melds import give_card
from engine.kernel.part import find_key_place, joins_hand
from engine.kernel.pile import L_TAKE
from engine.kernel.places import word_of
from engine.kernel.rows import A_ASIDE, A_TAKE, NO_MELD, put_life, put_move
from engine.rules import code

SET_ASIDE, REMOVED = code("black3_role", "set_aside"), code("pile_rest", "removed")


@jit
def receive_card(table, hand, rules, croupier, log, card, seen):
    """A card of the pile reaches its taker: threes are laid without replacement or set aside (RULES §1.3, §13)."""
    kind = KIND_OF[card]
    if joins_hand(rules, kind):
        give_card(table, hand, card)
        table.known[hand.seat, kind] += seen
    elif kind == BLACK_THREES and rules.black3_role == SET_ASIDE:
        table.asides[hand.home] += 1
        put_move(log, croupier, table, hand.seat, A_ASIDE, card, NO_MELD, -1)
    else:
        lay_red_three(table, hand, croupier, log, card)


@jit
def take_part(table, hand, rules, croupier, log):
    """Move the part taken without the card melded into the hand."""
    key = find_key_place(table, hand)
    first = table.pile_count - hand.depth
    hidden = 0
    for place in range(table.pile_count):
        card = table.pile[place]
        if card == NO_CARD:
            if place >= first:
                receive_card(table, hand, rules, croupier, log, croupier.hidden[hidden], 0)
            hidden += 1
        elif place >= first:
            table.visible[KIND_OF[card]] -= 1
            if place != key:
                receive_card(table, hand, rules, croupier, log, card, 1)


@jit
def leave_rest(table, rules, croupier, rest):
    """A new pile begins, with the cards a take left lying at the bottom (parameter `pile_rest`)."""
    begin_life(table, croupier, table.turn)
    for place in range(rest):
        card = table.pile[place]
        if rules.pile_rest == REMOVED:
            if card != NO_CARD:
                table.visible[KIND_OF[card]] -= 1
            continue
        table.pile_count += 1
        if card == NO_CARD:
            croupier.hidden_points += POINTS_OF[croupier.hidden[table.hidden]]
            table.hidden += 1
        else:
            table.pile_kinds[KIND_OF[card]] += 1
            table.pile_points += POINTS_OF[card]
            table.upcard = card


@jit
def take_pile(table, hand, rules, croupier, log, meld):
    """Move the pile, or the part of it the rules give, into the hand without the card that is melded."""
    taken = hand.depth
    rest = table.pile_count - taken
    put_move(log, croupier, table, hand.seat, A_TAKE, hand.key, word_of(table, hand.side, meld), taken)
    put_life(log, croupier, table, L_TAKE, hand.seat)
    take_part(table, hand, rules, croupier, log)
    hand.took = taken
    croupier.takes[hand.home] += 1
    croupier.taken[hand.home] += taken
    if taken > croupier.biggest:
        croupier.biggest = taken
        croupier.biggest_seat = hand.seat
    leave_rest(table, rules, croupier, rest)
