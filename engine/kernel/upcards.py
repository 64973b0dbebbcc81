"""Turning the cards that begin the pile, face-down ones too. Sources: RULES §1.2, §7."""

from __future__ import annotations

from engine.cards import BLACK_THREES, KIND_OF, NATURAL_KINDS, NO_CARD, POINTS_OF
from engine.jit import jit
from engine.kernel.deal import begin_life, find_freeze, freeze, put_on_pile
from engine.log import MAX_UPCARDS
from engine.rules import code

UPCARD_NONE, UPCARD_SINGLE = code("upcard", "none"), code("upcard", "single")
VALUE_PILE = code("upcard", "value_pile")
UNTIL_NATURAL_OR_BLACK3 = code("upcard", "until_natural_or_black3")
MOST_FACE_DOWN = 13


@jit
def turn_card(table, rules, croupier, log):
    """Turn the stock's next card onto the pile; whether another is turned onto it (RULES §1.2, §7)."""
    card = croupier.pack[croupier.next]
    croupier.next += 1
    table.stock -= 1
    kind = KIND_OF[card]
    stays = kind < NATURAL_KINDS or (kind == BLACK_THREES and rules.upcard == UNTIL_NATURAL_OR_BLACK3)
    if stays and rules.upcard == VALUE_PILE:
        lay_face_down(table, croupier, log, find_pip_value(card))
    log.deals_upcards[log.deals_rows, table.pile_count] = card + 1
    put_on_pile(table, card)
    freeze(table, rules, croupier, find_freeze(rules, kind, True), -1)
    return not stays and rules.upcard != UPCARD_SINGLE


@jit
def find_pip_value(card):
    """What a natural card counts by its pips: jack 11, queen 12, king 13, ace 1 (RULES §7)."""
    kind = KIND_OF[card]
    return 1 if kind == NATURAL_KINDS - 1 else kind + 4


@jit
def lay_face_down(table, croupier, log, count):
    """Lay so many stock cards on the pile that nobody sees; a wild card among them freezes nothing."""
    for _ in range(min(count, table.stock)):
        card = croupier.pack[croupier.next]
        croupier.next += 1
        table.stock -= 1
        log.deals_upcards[log.deals_rows, table.pile_count] = card + 1
        croupier.hidden[table.hidden] = card
        croupier.hidden_points += POINTS_OF[card]
        table.hidden += 1
        table.pile[table.pile_count] = NO_CARD
        table.pile_count += 1


@jit
def turn_upcards(table, rules, croupier, log):
    """Turn the first card of the pile and, where the rules say so, cards onto it."""
    begin_life(table, croupier, 0 if rules.upcard != UPCARD_NONE else 1)
    log.deals_upcards[log.deals_rows, :] = 0
    more = rules.upcard != UPCARD_NONE
    while more and table.stock > 0 and table.pile_count < MAX_UPCARDS - MOST_FACE_DOWN:
        more = turn_card(table, rules, croupier, log)
    if table.pile_count == 0:
        freeze(table, rules, croupier, 0, -1)  # always frozen, also while nothing lies on it
