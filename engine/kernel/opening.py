"""The best opening a hand holds, found as counts of cards by rank. Sources: RULES §1.6, §1.7.

The search is exact where the rules are plain (else see engine.kernel.ways): it takes every rank that stands alone, then
the ranks that need wild cards by what they are worth, then puts the remaining wild cards wherever there is room.
Where that would leave too few cards in the hand it holds back every one or two cards in turn.
"""

from __future__ import annotations

from engine.cards import JOKERS, NATURAL_KINDS, POINTS_OF_KIND, TWOS
from engine.jit import jit
from engine.kernel.commit import LAYING, TAKING, find_fault
from engine.kernel.melds import CANASTA, add_rows, clear_plan, count_planned, count_wild_limit
from engine.kernel.outline import outline
from engine.kernel.part import AT_ONCE
from engine.kernel.tally import count_row, tally_plan
from engine.kernel.ways import search_any_opening

NO_TOP = -1


@jit
def count_held(hand, rank, top):
    """Naturals of a rank in the hand, with the upcard when it is of that rank (`top`, or NO_TOP)."""
    return hand.kinds[rank] + (1 if rank == top else 0)


@jit
def count_most_points(hand, rules, top):
    """No opening from this hand can be worth more than this many points."""
    if not rules.plain:
        return hand.points + (POINTS_OF_KIND[top] if top >= 0 else 0)
    points = hand.kinds[TWOS] * POINTS_OF_KIND[TWOS] + hand.kinds[JOKERS] * POINTS_OF_KIND[JOKERS]
    for rank in range(NATURAL_KINDS):
        held = count_held(hand, rank, top)
        if held >= rules.min_naturals:
            points += held * POINTS_OF_KIND[rank]
    return points


@jit
def choose_ranks(hand, rules, plan, top):
    """Fill `plan.use` with the naturals of each rank to meld; return the wild cards they need."""
    wilds = hand.kinds[TWOS] + hand.kinds[JOKERS]
    for rank in range(NATURAL_KINDS):
        held = count_held(hand, rank, top)
        alone = held >= 3 and held >= rules.min_naturals
        plan.use[rank] = held if alone or rank == top else 0
    needed = 0 if top < 0 else max(0, 3 - count_held(hand, top, top))
    while needed < wilds:
        best, gain = -1, 0
        for rank in range(NATURAL_KINDS):
            held = count_held(hand, rank, top)
            if (
                plan.use[rank] == 0
                and rules.min_naturals <= held < 3
                and 3 - held <= min(count_wild_limit(rules, held), wilds - needed)
            ):
                worth = held * POINTS_OF_KIND[rank]
                if worth > gain:
                    best, gain = rank, worth
        if best < 0:
            break
        plan.use[best] = count_held(hand, best, top)
        needed += 3 - plan.use[best]
    return needed


@jit
def count_wild_room(rules, plan):
    """Wild cards that fit on the ranks in `plan.use`."""
    room = 0
    for rank in range(NATURAL_KINDS):
        if plan.use[rank] > 0:
            room += count_wild_limit(rules, plan.use[rank])
    return room


@jit
def count_wild_need(plan):
    """Wild cards the ranks in `plan.use` need to have three cards each."""
    need = 0
    for rank in range(NATURAL_KINDS):
        if plan.use[rank] > 0:
            need += max(0, 3 - plan.use[rank])
    return need


@jit
def weigh_use(plan, top):
    """Set the plan's points (upcard included) and cards from the hand from its counts."""
    cards = plan.use_twos + plan.use_jokers
    points = plan.use_twos * POINTS_OF_KIND[TWOS] + plan.use_jokers * POINTS_OF_KIND[JOKERS]
    for rank in range(NATURAL_KINDS):
        cards += plan.use[rank]
        points += plan.use[rank] * POINTS_OF_KIND[rank]
    plan.points = points
    plan.cards = cards - (1 if top >= 0 else 0)


@jit
def fill_use(hand, rules, plan, top):
    """Choose the opening worth most, whatever it leaves in the hand."""
    needed = choose_ranks(hand, rules, plan, top)
    wilds = min(hand.kinds[TWOS] + hand.kinds[JOKERS], count_wild_room(rules, plan))
    wilds = wilds if needed <= wilds else 0
    plan.use_jokers = min(hand.kinds[JOKERS], wilds)
    plan.use_twos = wilds - plan.use_jokers
    weigh_use(plan, top)


@jit
def find_nearest_canasta(rules, plan, done):
    """The rank in `plan.use` outside the mask that lacks fewest wild cards to a canasta it has room for; −1 if none."""
    best, least = -1, CANASTA
    for rank in range(NATURAL_KINDS):
        missing = CANASTA - max(plan.use[rank], 3)
        room = count_wild_limit(rules, plan.use[rank]) - max(0, 3 - plan.use[rank])
        if plan.use[rank] > 0 and not done >> rank & 1 and missing <= room and missing < least:
            best, least = rank, missing
    return best


@jit
def count_use_canastas(rules, plan):
    """Most canastas the chosen opening can be laid out as."""
    spare = plan.use_twos + plan.use_jokers - count_wild_need(plan)
    canastas, done = 0, 0
    while True:
        rank = find_nearest_canasta(rules, plan, done)
        if rank < 0:
            return canastas
        spare -= max(0, CANASTA - max(plan.use[rank], 3))
        if spare < 0:
            return canastas
        done |= 1 << rank
        canastas += 1


@jit
def put_wild(hand, plan, rank):
    """Add the next of the chosen wild cards, twos first, to a rank of the plan."""
    kind = TWOS if count_planned(plan, TWOS) < plan.use_twos else JOKERS
    add_rows(hand, plan, kind, 1, rank)
    plan.add_twos[rank] += 1


@jit
def choose_wild_home(rules, plan):
    """The rank in `plan.use` with room for another wild card that is nearest below a canasta; −1 if none has room."""
    best, most = -1, -100
    for rank in range(NATURAL_KINDS):
        size = plan.use[rank] + plan.add_twos[rank]
        if size >= CANASTA:
            size -= 2 * CANASTA
        if plan.use[rank] > 0 and plan.add_twos[rank] < count_wild_limit(rules, plan.use[rank]) and size > most:
            best, most = rank, size
    return best


@jit
def put_spare(hand, rules, plan):
    """Lay the chosen wild cards that no meld needs: for canastas, as they are counted, then where they fit."""
    left = plan.use_twos + plan.use_jokers - count_wild_need(plan)
    done = 0
    while True:
        rank = find_nearest_canasta(rules, plan, done)
        if rank < 0 or CANASTA - max(plan.use[rank], 3) > left:
            break
        done |= 1 << rank
        for _ in range(CANASTA - max(plan.use[rank], 3)):
            put_wild(hand, plan, rank)
            left -= 1
    for _ in range(left):
        put_wild(hand, plan, choose_wild_home(rules, plan))


@jit
def put_use(hand, rules, plan, top):
    """Turn the chosen counts into rows of the plan: naturals, wild cards where they are needed, then where they fit."""
    if not rules.plain:
        return
    plan.add_twos[:] = 0
    for rank in range(NATURAL_KINDS):
        if plan.use[rank] > 0:
            add_rows(hand, plan, rank, plan.use[rank] - (1 if rank == top else 0), rank)
            for _ in range(3 - plan.use[rank]):
                put_wild(hand, plan, rank)
    put_spare(hand, rules, plan)


@outline
def may_open_out(table, hand, rules, plan, top, below):
    """Whether the chosen opening may leave fewer cards than must be kept: it goes out, or brings cards at once.

    It is judged as it will be laid, for going out takes more than canastas (RULES §1.9). `below` cards come with it.
    """
    one_left = hand.count - plan.cards + below == 1
    brings = one_left and top < 0 and rules.initial_draw_when == AT_ONCE
    canastas = count_use_canastas(rules, plan) + (one_left and top >= 0)  # the card left may complete one more
    if canastas < rules.canastas_out and not brings:
        return False
    clear_plan(plan)
    put_use(hand, rules, plan, top)
    tally_plan(table, hand, rules, plan)
    if top >= 0:
        plan.upcard_place = top
        count_row(plan, hand.key, top)
    legal = find_fault(table, hand, rules, plan, below, TAKING if top >= 0 else LAYING) == 0
    clear_plan(plan)
    return legal


@jit
def may_open_with(table, hand, rules, plan, top, keep, minimum):
    """Choose the opening worth most; whether it reaches the minimum and leaves `keep` cards, or may leave fewer."""
    if top >= 0 and hand.kinds[top] < 2:
        return False
    fill_use(hand, rules, plan, top)
    if plan.points < minimum or plan.cards == 0:
        return False
    return hand.count - plan.cards >= keep or may_open_out(table, hand, rules, plan, top, hand.keep - keep)


@jit
def search_holding_back(table, hand, rules, plan, top, keep, minimum):
    """An opening that keeps one or two cards it could have laid, the lowest ranks first."""
    found = False
    for first in range(NATURAL_KINDS + 2):
        if hand.kinds[first] == 0:
            continue
        hand.kinds[first] -= 1
        found = may_open_with(table, hand, rules, plan, top, keep, minimum)
        for second in range(first, NATURAL_KINDS + 2):
            if not found and hand.kinds[second] > 0:
                hand.kinds[second] -= 1
                found = may_open_with(table, hand, rules, plan, top, keep, minimum)
                hand.kinds[second] += 1
        hand.kinds[first] += 1
        if found:
            break
    return found


@jit
def search_opening(table, hand, rules, plan, top, keep):
    """Fill `plan.use…` with an opening of at least the minimum that leaves `keep` cards in the hand.

    `keep` is 2 less the cards the pile will bring. `top` is the rank of the upcard when the opening
    takes the pile, else NO_TOP. Returns whether there is one; with the right to go out fewer may stay. Where
    the rules are not plain it is the plan's rows that are filled.
    """
    if not rules.plain:
        return search_any_opening(table, hand, rules, plan, top >= 0, hand.keep - keep)
    minimum = table.minimum[hand.side]
    if count_most_points(hand, rules, top) < minimum:
        return False
    if may_open_with(table, hand, rules, plan, top, keep, minimum):
        return True
    if plan.points < minimum or plan.cards == 0:
        return False
    return search_holding_back(table, hand, rules, plan, top, keep, minimum)
