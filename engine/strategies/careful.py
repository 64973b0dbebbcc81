"""Openings, takes and ways out that begin no meld which costs dear while it is incomplete; shared by the strategies.

The engine's own searches find what is legal, worth most first: under rules that charge for incomplete melds of
sevens, aces, wild cards or short sequences that is often what nobody wants to lay. Where the rules are plain the same
searches are made of a hand without its sevens and aces.
"""

from __future__ import annotations

from engine.cards import ACES, KIND_OF, NATURAL_KINDS, SEVENS
from engine.decision import outlined
from engine.jit import part
from engine.kernel.licence import count_size, count_wilds
from engine.kernel.melds import CANASTA, clear_plan, count_cards
from engine.kernel.opening_rules import AFTER_OWN
from engine.kernel.out import put_out, search_out
from engine.kernel.part import count_below
from engine.kernel.places import count_places, find_kind
from engine.kernel.spread import begin_spread, count_left_wilds
from engine.kernel.state import AGREED, SEQUENCE, WILD_MELD
from engine.kernel.tally import tally_plan
from engine.kernel.ways import add_own_pair, begin_opening, open_with_ranks, open_with_wilds, search_any_opening
from engine.strategies.goals import RUN_FROM, find_price, is_charged, is_dear, is_wild_dear

DEAR_FROM, WILD_FROM = 6, 5
"""Cards with which a meld is begun that costs dear while it is incomplete: of a rank, of wild cards."""
OUT_PRICE = 300
"""Points that melds begun to go out may cost: what a side gains by that is a few hundred."""
OPENING_ONLY = 2


@part
def is_costly(table, rules, side, plan, place):
    """Whether the tallied plan begins in a place a meld too small to risk what it costs."""
    size = count_size(table, side, plan, place, 1)
    if size == 0 or size >= CANASTA or size > plan.add_naturals[place] + plan.add_twos[place] + plan.add_jokers[place]:
        return False
    kind = find_kind(table, side, plan, place)
    if kind >= SEQUENCE:
        return size < RUN_FROM and rules.open_meld_penalty_sequence_lt5 > 0
    if kind == WILD_MELD:
        return size < WILD_FROM and is_wild_dear(rules)
    pure = kind != ACES or count_wilds(table, side, plan, place, 1) == 0
    return kind < NATURAL_KINDS and pure and size < DEAR_FROM and is_dear(rules, kind)


@outlined
def has_costly(table, rules, side, plan):
    """Whether the tallied plan begins any meld too small to risk what it costs."""
    costly = False
    for place in range(count_places(table, side, plan)):
        costly = costly or is_costly(table, rules, side, plan, place)
    return costly


@part
def leave_dear(rules, plan):
    """Let the plan leave ranks that cost dear, but for a pair where only the opening may give them wild cards."""
    for rank in range(NATURAL_KINDS):
        if 0 < plan.left[rank] < DEAR_FROM and is_dear(rules, rank):
            with_wilds = rules.natural_only[rank] == OPENING_ONLY and count_left_wilds(plan) > 0
            plan.left[rank] = min(plan.left[rank], 2) if with_wilds else 0


@part
def build_careful(table, hand, rules, plan, below, taking):
    """Add to a plan just begun ranks that cost nothing while incomplete, until it opens; whether it does."""
    leave_dear(rules, plan)
    return open_with_ranks(table, hand, rules, plan, below, taking) or open_with_wilds(
        table, hand, rules, plan, below, taking
    )


@part
def begin_own(hand, rules, plan, below, beside):
    """Begin a plan to open from the hand alone, the pair for the upcard kept beside it or not."""
    rank = KIND_OF[hand.key]
    begin_spread(hand, plan, hand.count - max(0, hand.keep - below))
    plan.left[rank] -= 2 * beside
    plan.room -= 2 * beside


@outlined
def search_careful_take(table, hand, rules, plan):
    """Fill the plan's rows with an opening that takes the pile and begins nothing dear; whether one was found."""
    rank, below = KIND_OF[hand.key], count_below(table, hand, rules)
    if is_dear(rules, rank) or hand.kinds[rank] < 2:
        return False
    alone = rules.initial_pile == AFTER_OWN
    for beside in range(1 + alone):
        if alone:
            begin_own(hand, rules, plan, below, beside)
        elif not begin_opening(table, hand, rules, plan, below, True):
            return False
        opens = build_careful(table, hand, rules, plan, below, not alone)
        if opens and (not alone or add_own_pair(table, hand, rules, plan, below, beside)):
            return True
    return False


@outlined
def plan_careful_opening(table, hand, rules, plan):
    """Fill the plan with an opening from the hand that begins nothing dear; False when there is none."""
    if begin_opening(table, hand, rules, plan, 0, False) and build_careful(table, hand, rules, plan, 0, False):
        return True
    if search_any_opening(table, hand, rules, plan, False, 0) and not has_costly(table, rules, hand.side, plan):
        return True
    clear_plan(plan)
    return False


# --------------------------------------------------------------------------------------------------------- plain rules
@part
def hide_dear(hand, rules, top):
    """Let the hand count none of the ranks that cost dear, but for the upcard's; what `show_dear` puts back."""
    hidden = 0
    for rank in (ACES, SEVENS):
        held = hand.kinds[rank] if rank != top and hand.kinds[rank] < DEAR_FROM and is_dear(rules, rank) else 0
        hand.kinds[rank] -= held
        hidden = hidden * DEAR_FROM + held
    return hidden


@part
def show_dear(hand, hidden):
    """Let the hand count again what was hidden."""
    hand.kinds[SEVENS] += hidden % DEAR_FROM
    hand.kinds[ACES] += hidden // DEAR_FROM


# ------------------------------------------------------------------------------------------------------------ going out
@outlined
def charge_out(table, hand, rules, plan):
    """Points that melds begun by the way to go out would cost, incomplete as they then stay; the plan is left empty."""
    price = 0
    if search_out(table, hand, rules, plan):
        put_out(hand, plan)
        tally_plan(table, hand, rules, plan)
        for place in range(count_places(table, hand.side, plan)):
            if count_cards(table, hand.side, place) == 0:
                size = count_size(table, hand.side, plan, place, 1)
                wilds, jokers = plan.add_twos[place] + plan.add_jokers[place], plan.add_jokers[place]
                price += find_price(rules, find_kind(table, hand.side, plan, place), size, wilds, jokers)
    clear_plan(plan)
    return price


@part
def is_out_dear(table, hand, rules, plan, most):
    """Whether going out begins melds that cost more than so many points, and the hand may be played on instead."""
    cornered = hand.count < 2 or hand.permission == AGREED  # a take that leaves one card may leave no other way
    return not cornered and is_charged(rules) and charge_out(table, hand, rules, plan) > most
