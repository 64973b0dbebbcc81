"""What must hold at a commit point: when cards are laid, or laid with the upcard. Sources: RULES §1.5-1.9, §10."""

from __future__ import annotations

from engine.cards import KIND_OF, NATURAL_KINDS, POINTS_OF_KIND, TWOS
from engine.faults import fault
from engine.jit import jit
from engine.kernel.discards import UNSEEN, may_end_on
from engine.kernel.leave import may_leave, may_refill
from engine.kernel.licence import count_canastas_after, count_size, count_wilds, may_go_out_with
from engine.kernel.melds import AS_RANK, is_wild, may_end_with
from engine.kernel.opening_rules import find_opening_fault
from engine.kernel.outline import outline
from engine.kernel.part import count_coming, find_last, find_left
from engine.kernel.places import (
    TWOS_FIRST,
    count_places,
    find_kind,
    has_incomplete_wild,
    has_long_sequence,
    may_add_wild,
)
from engine.kernel.state import REFUSED, THREES_MELD, WILD_MELD
from engine.kernel.tally import count_row, may_aim, may_lay, take_back_row
from engine.rules import bit, code

LAYING, TAKING, KNOWN = 0, 1, 2
"""Cards are laid; the pile is taken; it is taken and that the cards from the hand open is known."""
GOING_OUT_ONLY = code("black3_meld", "going_out")
CONCEALED_WAIVER = bit("initial_waivers", "concealed_out")
F_INVALID, F_THREES, F_KEEPS = fault("meld_invalid"), fault("black_threes"), fault("keeps_too_few")
F_REFUSED, F_UNASKED, F_OUT_DISCARD = fault("out_refused"), fault("unasked"), fault("out_discard")


@jit
def may_waive(hand, rules):
    """Whether going out now needs no minimum: a canasta and the whole hand after a stock draw."""
    return hand.took == 0 and (rules.initial_waivers & CONCEALED_WAIVER) != 0


@jit
def may_lay_black_threes(rules, plan, goes_out, how):
    """Whether the plan may lay the black threes it does (RULES §1.5, §18)."""
    threes = plan.add_naturals[THREES_MELD]
    if threes == 0 or rules.black3_meld == AS_RANK:
        return True
    return threes >= 3 and goes_out and how == LAYING and rules.black3_meld == GOING_OUT_ONLY


@jit
def find_kept_kind(hand, plan):
    """Kind of the one card of the hand that the plan does not lay."""
    return KIND_OF[find_left(hand, plan)]


@jit
def may_follow(table, hand, rules, plan, card, place):
    """Whether a card may follow a take onto a meld of its own, for then the side has opened (RULES §10, §17)."""
    kind = find_kind(table, hand.side, plan, place)
    if not is_wild(KIND_OF[card]) or (kind >= NATURAL_KINDS and kind != THREES_MELD):
        return True
    wilds = count_wilds(table, hand.side, plan, place, 1)
    return may_add_wild(rules, kind, count_size(table, hand.side, plan, place, 1) - wilds, wilds)


@jit
def is_locked(table, rules, side, plan, card, place):
    """Whether an incomplete wild meld keeps a card from a place (RULES §7, §10)."""
    kind = KIND_OF[card]
    if not is_wild(kind) or find_kind(table, side, plan, place) == WILD_MELD:
        return False
    return kind == TWOS or rules.wild_melds != TWOS_FIRST


@outline
def may_lay_last(table, hand, rules, plan, card):
    """Whether one more card could be laid onto a meld there is with the tallied plan, and that goes out."""
    found = False
    locked = rules.open_wild_meld_locks_wilds and has_incomplete_wild(table, hand.side, plan, 1)
    for place in range(count_places(table, hand.side, plan)):
        size = count_size(table, hand.side, plan, place, 1)
        if found or size < 3 or not may_aim(table, rules, hand.side, plan, card, place):
            continue
        if not may_follow(table, hand, rules, plan, card, place):
            continue
        if locked and is_locked(table, rules, hand.side, plan, card, place):
            continue
        points, ranks = plan.points, plan.add_ranks[place]
        count_row(plan, card, place)
        found = may_lay(table, rules, hand.side, plan) and may_go_out_with(table, hand, rules, plan)
        take_back_row(plan, card, place)
        plan.points = points
        plan.add_ranks[place] = ranks
    return found


@outline
def find_last_fault(table, hand, rules, plan):
    """Reason against a take that leaves one card, 0 for none: going out, it must be discarded or laid (RULES §1.9)."""
    if not may_leave(table, hand, rules):
        return F_KEEPS
    last = find_last(table, hand, rules, plan)
    kind = KIND_OF[last] if last >= 0 else UNSEEN
    if may_end_on(rules, kind) and may_go_out_with(table, hand, rules, plan):
        return 0
    if last >= 0 and may_end_with(rules, 0) and may_lay_last(table, hand, rules, plan, last):
        return 0
    return F_KEEPS


@jit
def find_end_fault(table, hand, rules, plan, left, how):
    """Reason against keeping so few cards that the turn must go out, 0 for none; nobody does with a three kept."""
    if left > 1 or hand.keep > 2:
        return F_KEEPS
    if left == 1 and how != LAYING:
        return find_last_fault(table, hand, rules, plan)
    if not may_go_out_with(table, hand, rules, plan):
        return F_KEEPS
    if not may_leave(table, hand, rules):
        return F_KEEPS if how != LAYING else F_REFUSED if hand.permission == REFUSED else F_UNASKED
    if not may_end_with(rules, left):
        return F_OUT_DISCARD
    if left == 1 and not may_end_on(rules, find_kept_kind(hand, plan)):
        return F_KEEPS
    return 0


@jit
def find_fault(table, hand, rules, plan, below, how):
    """Reason against the tallied plan, 0 for none; with the upcard in its tally and `below` cards to come if taking."""
    left = hand.count - plan.rows + below
    if how == LAYING and left == 1 and table.opened[hand.side] == 0:
        left += count_coming(table, hand, rules, 0)
    if not may_lay(table, rules, hand.side, plan):
        return F_INVALID
    goes_out = left < hand.keep
    if goes_out and table.reserves[hand.seat] > 0:
        goes_out = not may_refill(table, hand, rules, count_canastas_after(table, rules, hand.side, plan))
    if not may_lay_black_threes(rules, plan, goes_out, how):
        return F_THREES
    if plan.out and not goes_out and has_long_sequence(table, hand.side, plan):
        return F_INVALID
    if goes_out:
        reason = find_end_fault(table, hand, rules, plan, left, how)
        if reason != 0:
            return reason
    if table.opened[hand.side] != 0 or how == KNOWN or (goes_out and how == LAYING and may_waive(hand, rules)):
        return 0
    return find_opening_fault(table, rules, hand.side, plan, plan.upcard_place if how == TAKING else -1)


@outline
def may_be_laid(table, hand, rules, plan):
    """Whether a tallied plan may be laid from the hand."""
    return find_fault(table, hand, rules, plan, 0, LAYING) == 0


@jit
def may_open_by_itself(table, hand, rules, plan):
    """Whether the plan opens with cards from the hand alone; a bare pair for the upcard does not count (RULES §10)."""
    rank = KIND_OF[hand.key]
    bare = plan.add_naturals[rank] == 2 and plan.add_twos[rank] + plan.add_jokers[rank] == 0
    if bare:
        plan.add_naturals[rank] = 0
        plan.points -= 2 * POINTS_OF_KIND[rank]
    enough = may_lay(table, rules, hand.side, plan) and find_opening_fault(table, rules, hand.side, plan, -1) == 0
    if bare:
        plan.add_naturals[rank] = 2
        plan.points += 2 * POINTS_OF_KIND[rank]
    return enough
