"""What a seat must and could do, found anew whenever its hand has changed. Sources: RULES §1.6, §1.9, §9, §17."""

from __future__ import annotations

from engine.jit import jit
from engine.kernel.deal import TAKEN, thaw
from engine.kernel.draw import lay_kept, take_up_reserve
from engine.kernel.leave import FIRST_CANASTA, find_duties, is_reserve_waiting
from engine.kernel.opening import NO_TOP, count_most_points, search_opening
from engine.kernel.out import count_out_cards, search_out
from engine.kernel.part import AT_ONCE
from engine.kernel.special import find_special


@jit
def begin_duties(table, hand, rules, croupier, log):
    """What begins with the turn: a freeze that is over, a reserve the discard before made due, what must be kept."""
    hand.no_discard = 0
    hand.special = 0
    if table.frozen and rules.freeze_ends != TAKEN:
        thaw(table, rules, croupier, hand.seat)
    if hand.count == 0 and table.reserves[hand.seat] > 0:
        take_up_reserve(table, hand, rules, croupier, log)
    if rules.has_special:
        lay_kept(table, hand, rules, croupier, log)
    if table.lone >= 0:
        table.minimum[hand.side] = croupier.minimums[hand.home]
    find_duties(table, hand, rules)


@jit
def refill_hand(table, hand, rules, plan, croupier, log):
    """Take up the seat's reserve at once where melding emptied its hand (RULES §9); what it could do with a new hand.

    Melds that are joined may make its first canasta as well, where that brings the reserve (RULES §17).
    """
    if table.reserves[hand.seat] > 0:
        due = hand.count == 0 and is_reserve_waiting(table, hand, rules)
        if rules.reserve_pickup == FIRST_CANASTA:
            due = table.canastas[hand.side] > croupier.canastas_before
        if due:
            croupier.refilled = take_up_reserve(table, hand, rules, croupier, log)
    if croupier.refilled:
        croupier.refilled = 0
        search_again(table, hand, rules, plan)


@jit
def search_again(table, hand, rules, plan):
    """What the seat could do with a hand that has changed within its turn."""
    find_duties(table, hand, rules)
    hand.could_out = find_could_out(table, hand, rules, plan)


@jit
def find_could_out(table, hand, rules, plan):
    """Whether the engine's search finds a way to go out now, the partner's leave granted; with a three kept never."""
    if hand.barred or hand.keep > 2 or not search_out(table, hand, rules, plan):
        return False
    if hand.count == count_out_cards(rules, plan):
        return True
    return not (hand.no_discard or (rules.initial_draw_when == AT_ONCE and table.opened[hand.side] == 0))


@jit
def search_after_draw(table, hand, rules, plan, croupier):
    """What the hand could do now, for the log and for the seat's own use."""
    hand.special = find_special(table, hand, rules)
    if table.own_turns[hand.seat] < rules.meld_from_round:
        return
    hand.could_out = find_could_out(table, hand, rules, plan)
    if croupier.opened:
        hand.could_open = 1
    elif table.opened[hand.side] == 0 and count_most_points(hand, rules, NO_TOP) >= table.minimum[hand.side]:
        hand.could_open = search_opening(table, hand, rules, plan, NO_TOP, hand.keep) or hand.could_out != 0
