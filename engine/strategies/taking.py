"""Plans for taking the pile, shared by the strategies: which cards justify it, and how few open with it."""

from __future__ import annotations

from engine.cards import JOKERS, KIND_OF, NATURAL_KINDS, POINTS_OF_KIND, TWOS
from engine.jit import part
from engine.kernel.melds import add_rows
from engine.kernel.opening import count_wild_need, count_wild_room, put_use, search_opening, weigh_use
from engine.kernel.opening_rules import AFTER_OWN
from engine.kernel.part import count_below
from engine.kernel.state import ADD, DRAW, NATURAL_WILD, PAIR, PASS
from engine.kernel.tally import tally_plan
from engine.kernel.upcard import fill_take
from engine.kernel.ways import search_own_take
from engine.strategies.careful import has_costly, hide_dear, search_careful_take, show_dear
from engine.strategies.goals import is_charged, is_dear


@part
def decline(table):
    """The answer that leaves the pile alone."""
    return DRAW if table.stock > 0 else PASS


@part
def choose_way(hand):
    """The cheapest legal way to take: add, then a pair, then a wild card; 0 when there is none."""
    for way in (ADD, PAIR, NATURAL_WILD):
        if hand.may_take & way:
            return way
    return 0


@part
def drop_spare_wild(plan, minimum):
    """Take a wild card the melds do not need out of the chosen opening while it reaches the minimum."""
    if plan.use_twos + plan.use_jokers <= count_wild_need(plan):
        return False
    if plan.use_jokers > 0 and plan.points - POINTS_OF_KIND[JOKERS] >= minimum:
        plan.use_jokers -= 1
        return True
    if plan.use_twos > 0 and plan.points - POINTS_OF_KIND[TWOS] >= minimum:
        plan.use_twos -= 1
        return True
    return False


@part
def drop_spare_meld(rules, plan, top, minimum):
    """Take out the largest whole meld the chosen opening can do without; wild cards stay where there is room."""
    best, most = -1, 0
    for rank in range(NATURAL_KINDS):
        cards = plan.use[rank]
        if cards == 0 or rank == top or plan.points - cards * POINTS_OF_KIND[rank] < minimum:
            continue
        plan.use[rank] = 0
        if count_wild_room(rules, plan) >= plan.use_twos + plan.use_jokers and cards > most:
            best, most = rank, cards
        plan.use[rank] = cards
    if best >= 0:
        plan.use[best] = 0
    return best >= 0


@part
def trim_opening(table, hand, rules, plan, top):
    """Make the chosen opening as small as it can be and still reach the minimum (STRATEGY M3), unless it goes out."""
    minimum = table.minimum[hand.side]
    if hand.count - plan.cards + (count_below(table, hand, rules) if top >= 0 else 0) < hand.keep:
        return
    while drop_spare_wild(plan, minimum) or drop_spare_meld(rules, plan, top, minimum):
        weigh_use(plan, top)


@part
def plan_opening_take(table, hand, rules, plan):
    """Fill the plan with an opening that takes the pile; whether there is one."""
    rank = KIND_OF[hand.key]
    keep = max(0, hand.keep - count_below(table, hand, rules))
    if not search_opening(table, hand, rules, plan, rank, keep):
        return False
    if rules.plain:
        trim_opening(table, hand, rules, plan, rank)
    put_use(hand, rules, plan, rank)
    return True


@part
def plan_take(table, hand, rules, plan, way):
    """Fill the plan with the cards from the hand that justify a take in this way."""
    rank = KIND_OF[hand.key]
    if not table.opened[hand.side] and rules.initial_pile == AFTER_OWN:
        search_own_take(table, hand, rules, plan, count_below(table, hand, rules))
    elif not table.opened[hand.side]:
        plan_opening_take(table, hand, rules, plan)
    elif not rules.plain:
        fill_take(table, hand, rules, plan, way)
    elif way == PAIR:
        add_rows(hand, plan, rank, 2, rank)
    elif way == NATURAL_WILD:
        add_rows(hand, plan, rank, 1, rank)
        add_rows(hand, plan, TWOS if hand.kinds[TWOS] > 0 else JOKERS, 1, rank)


@part
def search_spare_take(table, hand, rules, plan):
    """Fill the plan with an opening that takes the pile and does without what costs dear; whether there is one."""
    if not rules.plain:
        return search_careful_take(table, hand, rules, plan)
    rank = KIND_OF[hand.key]
    if is_dear(rules, rank):
        return False
    hidden = hide_dear(hand, rules, rank)
    opens = plan_opening_take(table, hand, rules, plan)
    show_dear(hand, hidden)
    return opens


@part
def plan_careful_take(table, hand, rules, plan, way):
    """The same, but nothing that costs dear while incomplete is begun for it; False if the pile is better left."""
    charged = not hand.must_take and is_charged(rules)
    if charged and not table.opened[hand.side] and search_spare_take(table, hand, rules, plan):
        return True
    plan_take(table, hand, rules, plan, way)
    if not charged:
        return True
    tally_plan(table, hand, rules, plan)
    return has_costly(table, rules, hand.side, plan) == 0
