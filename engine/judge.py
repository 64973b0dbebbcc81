"""Judging choices: every decision of a strategy is measured here, by the same functions for everybody.

A judge returns the reason against a choice as a code of engine.faults, 0 for none. Sources:
RULES §1.4-1.9.
"""

from __future__ import annotations

from engine.cards import JOKERS, KIND_OF, NATURAL_BITS, RED_THREES, TWOS
from engine.faults import fault
from engine.jit import find_lowest, jit
from engine.melds import count_canastas_with, may_end_with, may_lay, tally_plan
from engine.out import GOING_OUT_ONLY, may_waive
from engine.pile import count_below, find_way_of, may_discard
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


@jit
def judge_opening_take(table, hand, rules, plan, upcard):
    """Reason against an opening with the pile, 0 for none; the upcard counts, nothing below it does (RULES §1.6)."""
    plan.add_naturals[KIND_OF[upcard]] += 1
    if not may_lay(table, rules, hand.side, plan) or plan.add_naturals[THREES_MELD] > 0:
        return F_INVALID
    if plan.points < table.minimum[hand.side]:
        return F_MINIMUM
    left = hand.count - plan.rows + count_below(table)
    canastas = count_canastas_with(table, hand.side, plan)
    if left < 2 and not (canastas >= rules.canastas_out and may_end_with(rules, left)):
        return F_KEEPS
    return 0


@jit
def judge_take(table, hand, rules, croupier, plan, upcard_points):
    """Reason against taking the pile with this plan, 0 for none; notes the way."""
    wrong = tally_plan(hand, plan)
    if wrong != 0:
        return F_NOT_HELD if wrong == 1 else F_WRONG_MELD
    opened = table.opened[hand.side] != 0
    croupier.how = find_way_of(hand, plan, KIND_OF[table.upcard], opened) if hand.may_take != 0 else 0
    if croupier.how == 0 or (croupier.how & hand.may_take) == 0:
        return F_TAKE
    plan.points += upcard_points
    return 0 if opened else judge_opening_take(table, hand, rules, plan, table.upcard)


@jit
def judge_plan(table, hand, rules, plan):
    """Reason against laying a plan from the hand, 0 for none (RULES §1.5, §1.6, §1.9)."""
    wrong = tally_plan(hand, plan)
    if wrong != 0:
        return F_NOT_HELD if wrong == 1 else F_WRONG_MELD
    if not may_lay(table, rules, hand.side, plan):
        return F_INVALID
    left = hand.count - plan.rows
    enough = count_canastas_with(table, hand.side, plan) >= rules.canastas_out
    threes = plan.add_naturals[THREES_MELD]
    if threes > 0 and (threes < 3 or left > 1 or rules.black3_meld != GOING_OUT_ONLY):
        return F_THREES
    if left < 2 and not enough:
        return F_KEEPS
    if left < 2 and hand.permission == REFUSED:
        return F_REFUSED
    if left == 0 and not may_end_with(rules, 0):
        return F_OUT_DISCARD
    if table.opened[hand.side] == 0 and plan.points < table.minimum[hand.side]:
        return 0 if left < 2 and may_waive(hand, rules) else F_MINIMUM
    return 0


@jit
def may_meld(table, hand, rules):
    """Whether the seat could have anything to lay or to ask; False only when no plan can be legal but an empty one."""
    if hand.could_out or hand.kinds[RED_THREES] > 0:
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
def find_partner(table, seat):
    """The next seat of the same side in turn order; −1 if there is none."""
    for step in range(1, table.players):
        other = (seat + step) % table.players
        if table.seat_sides[other] == table.seat_sides[seat]:
            return other
    return -1


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
    if not may_discard(hand, rules, card):
        return F_BANNED
    if hand.count == 1:
        if table.canastas[hand.side] < rules.canastas_out:
            return F_KEEPS
        return F_REFUSED if hand.permission == REFUSED else 0
    return F_PROMISED if hand.permission == AGREED else 0


@jit
def judge_choice(table, hand, choice):
    """Reason against an answer of `choose_draw`, 0 for none."""
    if choice == TAKE:
        return 0
    if choice == PASS and table.stock == 0:
        return F_MUST_TAKE if hand.must_take else 0
    return 0 if choice == DRAW and table.stock > 0 else F_UNKNOWN
