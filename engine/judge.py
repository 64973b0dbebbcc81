"""Judging choices: every decision of a strategy is measured here, by the same functions for everybody.

A judge returns the reason against a choice as a code of engine.faults, 0 for none. Sources:
RULES §1.4-1.9.
"""

from __future__ import annotations

from engine.cards import JOKERS, KIND_OF, NATURAL_BITS, POINTS_OF, POINTS_OF_KIND, RED_THREES, TWOS
from engine.discards import may_discard, may_end_on
from engine.faults import fault
from engine.jit import find_lowest, jit
from engine.leave import find_partner, may_leave, may_refill
from engine.melds import count_canastas_with, may_end_with, may_lay, tally_plan
from engine.out import GOING_OUT_ONLY, may_waive
from engine.pile import AFTER_OWN, FROM_MELDED, aim_take, count_below, find_way_of, find_ways_here
from engine.rules import code as rule_code
from engine.state import AGREED, DRAW, PASS, REFUSED, TAKE, THREES_MELD, UNASKED

ASK_NONE = rule_code("ask_partner", "none")
F_NOT_HELD, F_WRONG_MELD, F_INVALID, F_THREES = (
    fault(name) for name in ("not_held", "wrong_meld", "meld_invalid", "black_threes")
)
F_MINIMUM, F_KEEPS, F_REFUSED, F_PROMISED = (
    fault(name) for name in ("minimum", "keeps_too_few", "out_refused", "out_promised")
)
F_OUT_DISCARD, F_TAKE, F_MUST_TAKE, F_BANNED = (
    fault(name) for name in ("out_discard", "take_illegal", "must_take", "discard_banned")
)
F_NO_DISCARD, F_UNKNOWN = fault("no_discard"), fault("unknown_answer")
F_EARLY, F_UNASKED = fault("too_early"), fault("unasked")


@jit
def judge_opening_take(table, hand, rules, plan):
    """Reason against an opening with the pile, 0 for none; the upcard counts, nothing below it does (RULES §1.6)."""
    rank = KIND_OF[hand.key]
    if rules.initial_pile == AFTER_OWN and not is_own_opening(table, hand, rules, plan, rank):
        return F_MINIMUM
    plan.add_naturals[rank] += 1
    if not may_lay(table, rules, hand.side, plan) or plan.add_naturals[THREES_MELD] > 0:
        return F_INVALID
    if plan.points < table.minimum[hand.side]:
        return F_MINIMUM
    left = hand.count - plan.rows + count_below(table, hand, rules)
    if left >= hand.keep:
        return 0
    canastas = count_canastas_with(table, hand.side, plan)
    enough = canastas >= rules.canastas_out and may_end_with(rules, left)
    return 0 if enough and may_leave(table, hand, rules) else F_KEEPS


@jit
def is_own_opening(table, hand, rules, plan, rank):
    """Whether the plan opens with cards from the hand alone; a bare pair for the upcard does not count (RULES §10)."""
    bare = plan.add_naturals[rank] == 2 and plan.add_twos[rank] + plan.add_jokers[rank] == 0
    if bare:
        plan.add_naturals[rank] = 0
        plan.points -= 2 * POINTS_OF_KIND[rank]
    enough = may_lay(table, rules, hand.side, plan) and plan.points >= table.minimum[hand.side]
    if bare:
        plan.add_naturals[rank] = 2
    return enough


@jit
def judge_take(table, hand, rules, croupier, plan):
    """Reason against taking the pile with this plan, 0 for none; notes the way."""
    if plan.depth != 0 and plan.depth != hand.depth and not aim_plan(table, hand, rules, plan):
        return F_TAKE
    wrong = tally_plan(hand, plan)
    if wrong != 0:
        return F_NOT_HELD if wrong == 1 else F_WRONG_MELD
    opened = table.opened[hand.side] != 0
    croupier.how = find_way_of(hand, plan, KIND_OF[hand.key], opened) if hand.may_take != 0 else 0
    if croupier.how == 0 or (croupier.how & hand.may_take) == 0:
        return F_TAKE
    if opened or rules.initial_pile != AFTER_OWN:
        plan.points += POINTS_OF[hand.key]
    return 0 if opened else judge_opening_take(table, hand, rules, plan)


@jit
def aim_plan(table, hand, rules, plan):
    """Let the take go as deep as the plan says, where the rules leave that to the player (RULES §19)."""
    if rules.pile_portion != FROM_MELDED or hand.may_take == 0 or not 0 < plan.depth <= table.pile_count:
        return False
    if not aim_take(table, hand, rules, plan.depth):
        return False
    hand.may_take = find_ways_here(table, hand, rules, plan)
    return hand.may_take != 0


@jit
def judge_plan(table, hand, rules, plan):
    """Reason against laying a plan from the hand, 0 for none (RULES §1.5, §1.6, §1.9)."""
    if table.own_turns[hand.seat] < rules.meld_from_round:
        return F_EARLY
    wrong = tally_plan(hand, plan)
    if wrong != 0:
        return F_NOT_HELD if wrong == 1 else F_WRONG_MELD
    if not may_lay(table, rules, hand.side, plan):
        return F_INVALID
    left = hand.count - plan.rows
    canastas = count_canastas_with(table, hand.side, plan)
    threes = plan.add_naturals[THREES_MELD]
    goes_out = left < hand.keep and not may_refill(table, hand, rules, canastas)
    if threes > 0 and (threes < 3 or not goes_out or rules.black3_meld != GOING_OUT_ONLY):
        return F_THREES
    if goes_out:
        reason = judge_going_out(table, hand, rules, plan, left, canastas)
        if reason != 0:
            return reason
    if table.opened[hand.side] == 0 and plan.points < table.minimum[hand.side]:
        return 0 if goes_out and may_waive(hand, rules) else F_MINIMUM
    return 0


@jit
def judge_going_out(table, hand, rules, plan, left, canastas):
    """Reason against laying all cards but so many, which only going out allows; 0 for none."""
    if canastas < rules.canastas_out:
        return F_KEEPS
    if not may_leave(table, hand, rules):
        return F_REFUSED if hand.permission == REFUSED else F_UNASKED
    if left == 0:
        return 0 if may_end_with(rules, 0) else F_OUT_DISCARD
    if not may_end_on(rules, find_kept_kind(hand, plan)):
        return F_KEEPS
    return 0


@jit
def find_kept_kind(hand, plan):
    """Kind of the one card of the hand that the plan does not lay."""
    kept = 0
    for kind in range(RED_THREES + 1):
        planned = 0
        for row in range(plan.rows):
            planned += KIND_OF[plan.card[row]] == kind
        if hand.kinds[kind] > planned:
            kept = kind
    return kept


@jit
def may_meld(table, hand, rules):
    """Whether the seat could have anything to lay or to ask; False only when no plan can be legal but an empty one."""
    if hand.could_out or hand.kinds[RED_THREES] > 0 or hand.special != 0:
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
def may_ask(table, hand, rules, croupier):
    """Whether the seat may ask its partner now: once, before any meld but a take's, when it could go out."""
    if rules.ask_partner == ASK_NONE or hand.permission != UNASKED or croupier.asked_late:
        return False
    return hand.could_out != 0 and hand.count >= 2 and find_partner(table, hand.seat) >= 0


@jit
def judge_discard(table, hand, rules, card):
    """Reason against a discard, 0 for none."""
    if card < 0:
        return F_NO_DISCARD
    if card >= hand.cards.size or hand.cards[card] <= 0:
        return F_NOT_HELD
    if not may_discard(table, hand, rules, card):
        return F_BANNED
    if hand.count == 1 and hand.keep > 0:
        if table.canastas[hand.side] < rules.canastas_out:
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
