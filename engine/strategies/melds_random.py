"""Meld at random: now and then whatever is legal."""

from __future__ import annotations

from engine.cards import JOKERS, NATURAL_KINDS, TWOS
from engine.decision import strategy
from engine.melds import add_rows, count_cards
from engine.rng import below
from engine.state import AGREED, UNASKED
from engine.strategies.laying import add_wilds, count_wild_space, plan_opening, plan_out


@strategy(kind="melds")
def melds_random(table, hand, rules, weights, plan):
    """Each time one of: stop, go out (asking at times), open, lay naturals of a random rank, lay a wild card on one."""
    if hand.could_out and (hand.permission == AGREED or below(hand, 2) == 0):
        may_ask = hand.permission == UNASKED and hand.laid == 0 and hand.count >= 2 and rules.ask_partner > 0 and table.sides < table.players
        if may_ask and below(hand, 2) == 0:
            plan.ask = 1
            return 0
        if plan_out(table, hand, rules, plan):
            return 0
    if hand.permission == AGREED or below(hand, 3) == 0:
        return 0
    if not table.opened[hand.side]:
        if hand.could_open:
            plan_opening(table, hand, rules, plan, below(hand, 2) == 0)
        return 0
    rank = below(hand, NATURAL_KINDS)
    held = hand.kinds[rank]
    size = count_cards(table, hand.side, rank)
    plan.use[rank] = 0
    if held > 0 and held <= hand.count - 2 and (size > 0 or held >= max(3, rules.min_naturals)):
        add_rows(hand, plan, rank, held, rank)
    elif size > 0 and hand.kinds[TWOS] + hand.kinds[JOKERS] > 0 and hand.count > 2:
        if count_wild_space(table, hand, rules, plan, rank) > 0:
            add_wilds(hand, plan, rank, 1)
    return 0
