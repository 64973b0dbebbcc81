"""Judging choices: every decision of a strategy is measured here, by the same functions for everybody.

A judge returns the reason against a choice as a code of engine.faults, 0 for none. Sources:
RULES §1.4-1.9.
"""

from __future__ import annotations

from engine.cards import JOKERS, KIND_OF, NATURAL_BITS, RED_THREES, TWOS
from engine.faults import fault
from engine.jit import find_lowest, jit
from engine.kernel.commit import KNOWN, LAYING, TAKING, find_fault, may_open_by_itself
from engine.kernel.leave import find_partner, may_leave
from engine.kernel.licence import may_go_out
from engine.kernel.opening_rules import AFTER_OWN
from engine.kernel.part import count_below
from engine.kernel.pile import FROM_MELDED, aim_take, find_way_of, find_ways_here
from engine.kernel.state import AGREED, DRAW, PASS, REFUSED, TAKE, UNASKED
from engine.kernel.tally import tally_plan
from engine.rules import code as rule_code

ASK_NONE = rule_code("ask_partner", "none")
F_NOT_HELD, F_WRONG_MELD, F_TAKE = fault("not_held"), fault("wrong_meld"), fault("take_illegal")
F_KEEPS, F_REFUSED, F_PROMISED = fault("keeps_too_few"), fault("out_refused"), fault("out_promised")
F_MINIMUM, F_MUST_TAKE, F_BANNED = fault("minimum"), fault("must_take"), fault("discard_banned")
F_NO_DISCARD, F_UNKNOWN = fault("no_discard"), fault("unknown_answer")
F_EARLY, F_UNASKED = fault("too_early"), fault("unasked")


@jit
def judge_take(table, hand, rules, croupier, plan):
    """Reason against taking the pile with this plan, 0 for none; notes the way, and the upcard's place in the plan.

    Opening, the upcard counts where the rules say so, and nothing below it does (RULES §1.6).
    """
    if plan.depth != 0 and not aim_plan(table, hand, rules, plan):
        return F_TAKE
    wrong = tally_plan(table, hand, rules, plan)
    if wrong != 0:
        return F_NOT_HELD if wrong == 1 else F_WRONG_MELD
    opened = table.opened[hand.side] != 0
    alone = not opened and rules.initial_pile == AFTER_OWN
    if alone and not may_open_by_itself(table, hand, rules, plan):
        return F_MINIMUM
    croupier.how = find_way_of(table, hand, rules, plan) if hand.may_take != 0 else 0
    if croupier.how == 0 or (rules.plain and (croupier.how & hand.may_take) == 0):
        return F_TAKE
    if opened and rules.plain:
        return 0
    return find_fault(table, hand, rules, plan, count_below(table, hand, rules), KNOWN if alone else TAKING)


@jit
def aim_plan(table, hand, rules, plan):
    """Let the take go as deep as the plan says, where the rules leave that to the player (RULES §19)."""
    if rules.pile_portion != FROM_MELDED or hand.may_take == 0 or not 0 < plan.depth <= table.pile_count:
        return False
    if not aim_take(table, hand, rules, plan.depth):
        return False
    if rules.plain and table.opened[hand.side] != 0:  # an opening is judged whole, and so is every take elsewhere
        hand.may_take = find_ways_here(table, hand, rules, plan)
    return hand.may_take != 0


@jit
def judge_plan(table, hand, rules, plan):
    """Reason against laying a plan from the hand, 0 for none (RULES §1.5, §1.6, §1.9)."""
    if table.own_turns[hand.seat] < rules.meld_from_round:
        return F_EARLY
    wrong = tally_plan(table, hand, rules, plan)
    if wrong != 0:
        return F_NOT_HELD if wrong == 1 else F_WRONG_MELD
    return find_fault(table, hand, rules, plan, 0, LAYING)


@jit
def may_meld(table, hand, rules):
    """Whether the seat could have anything to lay or to ask; False only when no plan can be legal but an empty one."""
    if hand.could_out or hand.kinds[RED_THREES] > 0 or hand.special != 0 or not rules.plain:
        return True
    if table.opened[hand.side] == 0:
        return hand.could_open != 0
    wilds = hand.kinds[TWOS] + hand.kinds[JOKERS]
    if wilds > 0:
        return True
    naturals = hand.holds & NATURAL_BITS
    if naturals & table.melds[hand.side]:
        return True
    most = 0
    while naturals != 0:
        most = max(most, hand.kinds[find_lowest(naturals)])
        naturals &= naturals - 1
    return most >= 3 and most >= rules.min_naturals


@jit
def may_ask(table, hand, rules):
    """Whether the seat may ask its partner now: once, before any meld but a take's, when it could go out."""
    if rules.ask_partner == ASK_NONE or hand.permission != UNASKED or hand.asks_late:
        return False
    return hand.could_out != 0 and hand.count >= 2 and find_partner(table, hand.seat) >= 0


@jit
def judge_discard(table, hand, rules, plan, card, allowed):
    """Reason against a discard, 0 for none; `allowed`: bits of the kinds that may be discarded."""
    if card < 0:
        return F_NO_DISCARD
    if card >= hand.cards.size or hand.cards[card] <= 0:
        return F_NOT_HELD
    if allowed >> KIND_OF[card] & 1 == 0:
        return F_BANNED
    if hand.count == 1 and hand.keep > 0:
        if not may_go_out(table, hand, rules, plan):
            return F_KEEPS
        if not may_leave(table, hand, rules):
            return F_REFUSED if hand.permission == REFUSED else F_UNASKED
        return 0
    return F_PROMISED if hand.permission == AGREED else 0


@jit
def judge_choice(table, hand, choice):
    """Reason against an answer of `choose_draw`, 0 for none."""
    if choice == TAKE:
        return 0
    if choice == PASS and table.stock == 0:
        return F_MUST_TAKE if hand.must_take else 0
    return 0 if choice == DRAW and table.stock > 0 else F_UNKNOWN
