"""Ways to open and to go out where rules are not plain: plans built greedily in several orders, then judged.

What is found is legal; a way may be missed (engine.log says so of `could_open` and `could_out`), but none to open with
the pile: where building finds none, all are tried (engine.kernel.openings). Sources:
RULES §1.6, §1.9, §3-§10.
"""

from __future__ import annotations

from engine.cards import KIND_OF, NATURAL_KINDS, POINTS_OF, POINTS_OF_KIND
from engine.jit import jit
from engine.kernel.commit import GOING_OUT_ONLY, KNOWN, LAYING, TAKING, find_fault
from engine.kernel.leave import may_refill
from engine.kernel.licence import count_canastas_after
from engine.kernel.melds import AS_RANK, CANASTA, DISCARD_REQUIRED, clear_plan, count_cards
from engine.kernel.opening_rules import ANY_CANASTA, CLEAN_OR_WILD, CLEAN_TRIPLE, NATURAL_CANASTA, NATURALS_ONLY, SPLASH
from engine.kernel.openings import search_every_opening
from engine.kernel.outline import outline
from engine.kernel.part import find_left
from engine.kernel.places import NO_WILD_MELDS
from engine.kernel.spread import (
    add_to_rank,
    begin_rank,
    begin_sequence,
    begin_spread,
    begin_with_wilds,
    choose_rank_place,
    complete_canastas,
    lay_threes,
    lay_wild_meld,
    lengthen_sequences,
    put_card,
    put_kind,
    spread_wild,
)
from engine.kernel.state import AGREED, FIRST_PLACES
from engine.kernel.tally import count_row, may_aim

RANKS_FIRST, SEQUENCES_FIRST, WILDS_FIRST = 0, 1, 2


@jit
def choose_best_rank(plan, done, least, most):
    """The rank outside a mask with so many cards left that is worth most; −1 if none."""
    best, worth = -1, 0
    for rank in range(NATURAL_KINDS):
        held = plan.left[rank]
        if least <= held <= most and not done >> rank & 1 and held * POINTS_OF_KIND[rank] > worth:
            best, worth = rank, held * POINTS_OF_KIND[rank]
    return best


@jit
def may_open_so(table, hand, rules, plan, below, taking):
    """Whether the plan as it stands opens."""
    return plan.rows > 0 and find_fault(table, hand, rules, plan, below, TAKING if taking else LAYING) == 0


@jit
def open_with_ranks(table, hand, rules, plan, below, taking):
    """Lay ranks held three times, the best first, until the plan opens; whether it does."""
    done = 0
    while True:
        rank = choose_best_rank(plan, done, 3, 99)
        if rank < 0:
            return False
        done |= 1 << rank
        if begin_rank(table, rules, hand.side, plan, rank, 3) and may_open_so(table, hand, rules, plan, below, taking):
            return True


@jit
def open_with_sequences(table, hand, rules, plan, below, taking):
    """Begin sequences until the plan opens; whether it does."""
    while begin_sequence(table, rules, hand.side, plan):
        if may_open_so(table, hand, rules, plan, below, taking):
            return True
    return False


@jit
def open_with_wilds(table, hand, rules, plan, below, taking):
    """Lay ranks with wild cards, the best first, then wild cards where they fit, until the plan opens."""
    content = table.content[hand.side]
    if content == NATURALS_ONLY:
        return False
    if content in (ANY_CANASTA, NATURAL_CANASTA):
        complete_canastas(table, rules, hand.side, plan, 3)
        if may_open_so(table, hand, rules, plan, below, taking):
            return True
    done = 0
    while True:
        rank = choose_best_rank(plan, done, rules.min_naturals, 2)
        if rank < 0:
            break
        done |= 1 << rank
        began = begin_with_wilds(table, rules, hand.side, plan, rank)
        if began and may_open_so(table, hand, rules, plan, below, taking):
            return True
    largest = CANASTA - 2 if content in (CLEAN_TRIPLE, CLEAN_OR_WILD) else 99
    while spread_wild(table, rules, hand.side, plan, largest):
        if may_open_so(table, hand, rules, plan, below, taking):
            return True
    return False


@jit
def begin_opening(table, hand, rules, plan, below, taking):
    """Begin a plan to open that leaves two cards; with the pile, its pair and upcard laid. False if that cannot be."""
    begin_spread(hand, plan, hand.count - max(0, hand.keep - below))
    if not taking:
        return plan.room >= 3
    rank = KIND_OF[hand.key]
    if plan.left[rank] < 2 or plan.room < 2:
        return False
    plan.upcard_place = choose_rank_place(table, rules, hand.side, plan, rank, 3, 0)
    if plan.upcard_place < 0:
        return False
    put_kind(plan, rank, 2, plan.upcard_place)
    count_row(plan, hand.key, plan.upcard_place)
    return True


@jit
def try_opening(table, hand, rules, plan, below, taking, order):
    """Build an opening in one order of its parts; whether it is legal."""
    return begin_opening(table, hand, rules, plan, below, taking) and build_opening(
        table, hand, rules, plan, below, taking, order
    )


@outline
def build_opening(table, hand, rules, plan, below, taking, order):
    """Lay parts of an opening in one order until it is legal; whether it is."""
    if may_open_so(table, hand, rules, plan, below, taking):
        return True
    wilds = order == WILDS_FIRST and lay_wild_meld(table, rules, hand.side, plan)
    if wilds and may_open_so(table, hand, rules, plan, below, taking):
        return True
    if order == SEQUENCES_FIRST and open_with_sequences(table, hand, rules, plan, below, taking):
        return True
    if open_with_ranks(table, hand, rules, plan, below, taking):
        return True
    if order == RANKS_FIRST and open_with_sequences(table, hand, rules, plan, below, taking):
        return True
    if open_with_wilds(table, hand, rules, plan, below, taking):
        return True
    return lay_wild_meld(table, rules, hand.side, plan) and may_open_so(table, hand, rules, plan, below, taking)


@outline
def search_any_opening(table, hand, rules, plan, taking, below):
    """Fill the plan's rows with an opening, as small as it comes; with the pile if taking. Whether one was found."""
    most = hand.points + (POINTS_OF[hand.key] if taking else 0)
    if most < table.minimum[hand.side] and (rules.initial_waivers & SPLASH) == 0:
        return False
    if try_opening(table, hand, rules, plan, below, taking, RANKS_FIRST):
        return True
    if rules.sequences and try_opening(table, hand, rules, plan, below, taking, SEQUENCES_FIRST):
        return True
    if rules.wild_melds != NO_WILD_MELDS and try_opening(table, hand, rules, plan, below, taking, WILDS_FIRST):
        return True
    clear_plan(plan)
    return taking != 0 and search_every_opening(table, hand, rules, plan, 1, below)


@jit
def add_own_pair(table, hand, rules, plan, below, beside):
    """Add to an opening from the hand alone what takes the pile: the pair beside it, or only the upcard's place."""
    rank = KIND_OF[hand.key]
    if beside:
        plan.left[rank] += 2
        plan.upcard_place = choose_rank_place(table, rules, hand.side, plan, rank, 3, 0)
        if plan.upcard_place < 0:
            return False
        put_kind(plan, rank, 2, plan.upcard_place)
    else:
        plan.upcard_place = choose_rank_place(table, rules, hand.side, plan, rank, 1, 0)
        if plan.upcard_place < 0 or plan.add_naturals[plan.upcard_place] < 2:
            return False
    count_row(plan, hand.key, plan.upcard_place)
    return find_fault(table, hand, rules, plan, below, KNOWN) == 0


@jit
def try_own_take(table, hand, rules, plan, below, order, beside):
    """Build an opening from the hand alone in one order, and what takes the pile with it; whether that is legal."""
    rank = KIND_OF[hand.key]
    begin_spread(hand, plan, hand.count - max(0, hand.keep - below))
    if beside:
        plan.left[rank] -= 2
        plan.room -= 2
    return build_opening(table, hand, rules, plan, below, False, order) and add_own_pair(
        table, hand, rules, plan, below, beside
    )


@outline
def search_own_take(table, hand, rules, plan, below):
    """Fill the plan's rows with an opening from the hand alone and a pair for the upcard (RULES §10)."""
    splash = rules.initial_waivers & SPLASH
    if hand.kinds[KIND_OF[hand.key]] < 2 or (hand.points < table.minimum[hand.side] and not splash):
        return False
    for order in range(3):
        for beside in range(2):
            if try_own_take(table, hand, rules, plan, below, order, beside):
                return True
    return search_every_opening(table, hand, rules, plan, 1, below)


@jit
def lay_all_ranks(table, hand, rules, plan):
    """Add to melds of ranks, begin others, then those that need wild cards."""
    for rank in range(NATURAL_KINDS):
        if plan.left[rank] > 0:
            add_to_rank(table, rules, hand.side, plan, rank)
            begin_rank(table, rules, hand.side, plan, rank, 3)


@jit
def lay_all_sequences(table, hand, rules, plan):
    """Lengthen sequences and begin others."""
    if rules.sequences:
        lengthen_sequences(table, hand.side, plan)
        while begin_sequence(table, rules, hand.side, plan):
            pass


@outline
def goes_out(table, hand, rules, plan):
    """Whether the plan is legal and goes out, with one card to discard or none."""
    if hand.count - plan.rows >= 2 or find_fault(table, hand, rules, plan, 0, LAYING) != 0:
        return False
    waiting = table.reserves[hand.seat] > 0
    return not (waiting and may_refill(table, hand, rules, count_canastas_after(table, rules, hand.side, plan)))


@jit
def try_out(table, hand, rules, plan, order):
    """Lay all of the hand, or all but the discard, in one order; whether that goes out."""
    begin_spread(hand, plan, hand.count - (rules.out_discard == DISCARD_REQUIRED))
    if order == SEQUENCES_FIRST:
        lay_all_sequences(table, hand, rules, plan)
    lay_all_ranks(table, hand, rules, plan)
    lay_all_sequences(table, hand, rules, plan)
    if rules.black3_meld == GOING_OUT_ONLY or rules.black3_meld == AS_RANK:
        lay_threes(plan)
    if order == WILDS_FIRST:
        lay_wild_meld(table, rules, hand.side, plan)
    for rank in range(NATURAL_KINDS):
        begin_with_wilds(table, rules, hand.side, plan, rank)
    complete_canastas(table, rules, hand.side, plan, 3)
    lay_wild_meld(table, rules, hand.side, plan)
    while spread_wild(table, rules, hand.side, plan, 99):
        pass
    return goes_out(table, hand, rules, plan)


@outline
def try_last(table, hand, rules, plan, out):
    """Lay the only card of the hand in each place, or keep it, until that goes out, or is legal at all (`out` 0)."""
    for place in range(FIRST_PLACES + table.extras[hand.side]):
        begin_spread(hand, plan, 1)
        card = find_left(hand, plan)
        if count_cards(table, hand.side, place) > 0 and may_aim(table, rules, hand.side, plan, card, place):
            put_card(plan, card, place)
            legal = find_fault(table, hand, rules, plan, 0, LAYING) == 0
            if legal and (out == 0 or goes_out(table, hand, rules, plan)):
                return True
    begin_spread(hand, plan, 0)
    return goes_out(table, hand, rules, plan) if out else 0


@outline
def search_any_out(table, hand, rules, plan):
    """Fill the plan's rows with a way to go out now, the partner's leave granted; whether one was found."""
    plan.use[:] = 0
    permission = hand.permission
    hand.permission = AGREED
    found = try_out(table, hand, rules, plan, RANKS_FIRST)
    if not found and rules.sequences:
        found = try_out(table, hand, rules, plan, SEQUENCES_FIRST)
    if not found and rules.wild_melds != NO_WILD_MELDS:
        found = try_out(table, hand, rules, plan, WILDS_FIRST)
    if not found and hand.count == 1:
        found = try_last(table, hand, rules, plan, 1)
    hand.permission = permission
    if not found:
        clear_plan(plan)
    return found
