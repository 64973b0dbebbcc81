"""Plans for melding, shared by the strategies: openings, additions, new melds, canastas, going out.

`plan.use` counts the cards the plan lays on each meld, so that the parts build on each other.
"""

from __future__ import annotations

from engine.cards import ACES, JOKERS, NATURAL_BITS, RED_THREES, SEVENS, TWOS
from engine.jit import find_lowest, part
from engine.kernel.draw import ON_CANASTA, count_clean
from engine.kernel.leave import ASK_REQUIRED, may_leave
from engine.kernel.melds import CANASTA, add_rows, clear_plan, count_cards, count_planned, count_wild_limit
from engine.kernel.opening import NO_TOP, put_use, search_opening
from engine.kernel.out import put_out, search_out
from engine.kernel.state import UNASKED
from engine.kernel.tally import tally_plan
from engine.kernel.ways import try_last
from engine.strategies.careful import DEAR_FROM, has_costly, hide_dear, plan_careful_opening, show_dear
from engine.strategies.goals import is_charged, is_dear
from engine.strategies.taking import trim_opening


@part
def plan_first(table, hand, rules, plan):
    """Declare a special hand, or lay what goes first: red threes onto canastas, a last card that brings a reserve."""
    plan.special = hand.special
    if rules.red3_use == ON_CANASTA and hand.kinds[RED_THREES] > 0:
        room = min(count_clean(table, hand.side) - table.red_threes[hand.side], hand.count - hand.keep)
        plan.red_threes = max(0, min(room, hand.kinds[RED_THREES]))
    if plan.special > 0 or plan.red_threes > 0:
        return True
    cornered = hand.count == 1 and hand.keep > 0 and table.reserves[hand.seat] > 0 and not rules.plain
    return cornered and not hand.could_out and try_last(table, hand, rules, plan, 0)


@part
def may_still_ask(hand, rules):
    """Whether the seat has not asked in this turn and has laid nothing that would make it too late."""
    late = hand.asks_late != 0 or hand.laid > 0
    return rules.ask_partner > 0 and hand.permission == UNASKED and not late and hand.count >= 2


@part
def plan_out(table, hand, rules, plan):
    """Fill the plan with a way to go out, or ask the partner first where that must be; False when there is none."""
    if not hand.could_out:
        return False
    if not may_leave(table, hand, rules):
        plan.ask = rules.ask_partner == ASK_REQUIRED and may_still_ask(hand, rules)
        return plan.ask > 0
    if not search_out(table, hand, rules, plan):
        return False
    put_out(hand, plan)
    return True


@part
def plan_opening(table, hand, rules, plan, small):
    """Fill the plan with an opening from the hand, as small as possible or worth most; False when there is none.

    Where incomplete melds are charged for, one that begins none of those that cost dear.
    """
    if not is_charged(rules):
        return plan_any_opening(table, hand, rules, plan, small)
    if not rules.plain:
        return plan_careful_opening(table, hand, rules, plan)
    hidden = hide_dear(hand, rules, NO_TOP)
    opens = plan_any_opening(table, hand, rules, plan, small)
    show_dear(hand, hidden)
    return opens or plan_whole_opening(table, hand, rules, plan)


@part
def plan_whole_opening(table, hand, rules, plan):
    """An opening of all that can be laid, if it begins nothing that costs dear while it is incomplete."""
    if plan_any_opening(table, hand, rules, plan, False):
        tally_plan(table, hand, rules, plan)
        if not has_costly(table, rules, hand.side, plan):
            return True
    clear_plan(plan)
    return False


@part
def plan_any_opening(table, hand, rules, plan, small):
    """The same, whatever it may cost."""
    if not search_opening(table, hand, rules, plan, NO_TOP, hand.keep):
        return False
    if small and rules.plain:
        trim_opening(table, hand, rules, plan, NO_TOP)
    put_use(hand, rules, plan, NO_TOP)
    return True


@part
def plan_additions(table, hand, plan, budget):
    """Add naturals of ranks the side has melded, at most `budget` cards; return what is left of it."""
    plan.use[:] = 0
    ranks = hand.holds & table.melds[hand.side] & NATURAL_BITS
    while ranks != 0 and budget > 0:
        rank = find_lowest(ranks)
        held = min(hand.kinds[rank], budget)
        add_rows(hand, plan, rank, held, rank)
        plan.use[rank] = held
        budget -= held
        ranks &= ranks - 1
    return budget


@part
def plan_new_melds(table, hand, rules, plan, budget, least):
    """Lay ranks held at least `least` times (three or more) as new melds; return what is left of the budget."""
    ranks = hand.holds & ~table.melds[hand.side] & NATURAL_BITS
    for rank in (SEVENS, ACES):
        if 0 < hand.kinds[rank] < DEAR_FROM and is_dear(rules, rank):
            ranks &= ~(1 << rank)
    while ranks != 0:
        rank = find_lowest(ranks)
        held = hand.kinds[rank]
        if held >= max(least, rules.min_naturals) and held <= budget:
            add_rows(hand, plan, rank, held, rank)
            plan.use[rank] = held
            budget -= held
        ranks &= ranks - 1
    return budget


@part
def count_planned_size(table, hand, plan, rank):
    """Cards of a rank's meld with the plan."""
    return count_cards(table, hand.side, rank) + plan.use[rank]


@part
def count_wilds_left(hand, plan):
    """Wild cards of the hand that the plan does not lay."""
    return hand.kinds[TWOS] + hand.kinds[JOKERS] - count_planned(plan, TWOS) - count_planned(plan, JOKERS)


@part
def count_wild_space(table, hand, rules, plan, rank):
    """Wild cards that still fit on a rank's meld, taking every card of the plan on it for a natural."""
    wilds = table.twos[hand.side, rank] + table.jokers[hand.side, rank]
    naturals = table.naturals[hand.side, rank] + plan.use[rank]
    return max(0, count_wild_limit(rules, naturals) - wilds)


@part
def add_wilds(hand, plan, rank, count):
    """Add so many wild cards, twos first, to a rank of the plan."""
    for _ in range(count):
        kind = TWOS if count_planned(plan, TWOS) < hand.kinds[TWOS] else JOKERS
        add_rows(hand, plan, kind, 1, rank)
    plan.use[rank] += count


@part
def plan_canastas(table, hand, rules, plan, budget, smallest):
    """Complete canastas with wild cards on melds of at least `smallest` cards; return what is left of the budget."""
    if hand.kinds[TWOS] + hand.kinds[JOKERS] == 0:
        return budget
    ranks = (table.melds[hand.side] | hand.holds) & NATURAL_BITS
    while ranks != 0:
        rank = find_lowest(ranks)
        ranks &= ranks - 1
        size = count_planned_size(table, hand, plan, rank)
        missing = CANASTA - size
        if missing <= 0 or size < smallest or missing > min(budget, count_wilds_left(hand, plan)):
            continue
        if missing <= count_wild_space(table, hand, rules, plan, rank):
            add_wilds(hand, plan, rank, missing)
            budget -= missing
    return budget


@part
def plan_dear_canastas(table, hand, rules, plan, budget):
    """Complete at once, with wild cards where need be, ranks that cost dear while they are incomplete."""
    for rank in (SEVENS, ACES):
        if not is_dear(rules, rank):
            continue
        begun = 0 if plan.use[rank] > 0 else hand.kinds[rank]
        size = count_planned_size(table, hand, plan, rank) + begun
        missing = max(0, CANASTA - size)
        enough = begun == 0 or table.naturals[hand.side, rank] + begun >= rules.min_naturals
        if begun + missing == 0 or size == 0 or not enough or begun + missing > budget:
            continue
        plan.use[rank] += begun
        if missing <= min(count_wilds_left(hand, plan), count_wild_space(table, hand, rules, plan, rank)):
            add_rows(hand, plan, rank, begun, rank)
            add_wilds(hand, plan, rank, missing)
            budget -= begun + missing
        else:
            plan.use[rank] -= begun
    return budget
