"""Whether a hand can go out, and the plan that does. Sources: RULES §1.5 (black threes), §1.6 (exception), §1.9.

The search is exact where the rules are plain (else see engine.kernel.ways): ranks that need wild cards get them, the
rest complete canastas nearest first. At most one card stays for the discard, so there is little else to choose.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, JOKERS, NATURAL_BITS, NATURAL_KINDS, POINTS_OF_KIND, RED_THREES, TWOS
from engine.jit import find_lowest, jit
from engine.kernel.commit import GOING_OUT_ONLY, may_waive
from engine.kernel.discards import RED3_BANNED, may_end_on
from engine.kernel.melds import (
    CANASTA,
    DISCARD_REQUIRED,
    add_rows,
    count_cards,
    count_planned,
    count_wild_limit,
    may_end_with,
    may_start,
)
from engine.kernel.state import THREES_MELD
from engine.kernel.ways import search_any_out


@jit
def count_stuck(table, hand, rules):
    """Cards that no plan can meld: naturals too few to start a meld, one or two black threes, red threes; to 2."""
    lone = hand.lone & NATURAL_BITS & ~table.melds[hand.side]
    if rules.min_naturals > 1 and lone & (lone - 1):
        return 2  # two lone ranks, by far the most frequent answer
    stuck = hand.kinds[RED_THREES]
    threes = hand.kinds[BLACK_THREES]
    if threes < 3 or rules.black3_meld != GOING_OUT_ONLY:
        stuck += threes
    loose = hand.holds & NATURAL_BITS & ~table.melds[hand.side]
    while loose != 0 and stuck < 2:
        held = hand.kinds[find_lowest(loose)]
        stuck += 0 if may_start(rules, held) else held
        loose &= loose - 1
    return stuck


@jit
def fill_out_naturals(table, hand, rules, plan):
    """Set `plan.use` to the naturals for each meld and `add_twos` to the wild cards each needs; return their sum."""
    needed = 0
    plan.use[:NATURAL_KINDS] = 0
    plan.add_twos[:NATURAL_KINDS] = 0
    plan.use[THREES_MELD] = hand.kinds[BLACK_THREES] if hand.kinds[BLACK_THREES] >= 3 else 0
    ranks = hand.holds & NATURAL_BITS
    while ranks != 0:  # in sums, not branches, for a hand is hard to predict
        rank = find_lowest(ranks)
        ranks &= ranks - 1
        held = hand.kinds[rank]
        laid = (table.melds[hand.side] >> rank) & 1
        starts = (1 - laid) * may_start(rules, held)
        plan.use[rank] = held * (laid + starts)
        plan.add_twos[rank] = starts * max(0, 3 - held)
        needed += plan.add_twos[rank]
    return needed


@jit
def count_room(table, hand, rules, plan, rank):
    """Wild cards that still fit on a rank of the side with the plan's naturals and wild cards."""
    naturals = table.naturals[hand.side, rank] + plan.use[rank]
    if naturals == 0:
        return 0
    wilds = table.twos[hand.side, rank] + table.jokers[hand.side, rank] + plan.add_twos[rank]
    return max(0, count_wild_limit(rules, naturals) - wilds)


@jit
def choose_nearest(table, hand, rules, plan, spare):
    """The rank nearest to a new canasta that spare wild cards can complete, else any with room; −1 if none."""
    best, least, any_room = -1, CANASTA, -1
    for rank in range(NATURAL_KINDS):
        room = count_room(table, hand, rules, plan, rank)
        if room == 0:
            continue
        any_room = rank
        missing = CANASTA - count_cards(table, hand.side, rank) - plan.use[rank] - plan.add_twos[rank]
        if 0 < missing <= min(room, spare) and missing < least:
            best, least = rank, missing
    return best if best >= 0 else any_room


@jit
def place_spare(table, hand, rules, plan, spare):
    """Spread spare wild cards over the melds, canastas first; return how many found no room."""
    while spare > 0:
        rank = choose_nearest(table, hand, rules, plan, spare)
        if rank < 0:
            break
        plan.add_twos[rank] += 1
        spare -= 1
    return spare


@jit
def count_out_canastas(table, hand, plan):
    """Canastas of the side once the plan's counts lie on the table."""
    canastas = 0
    for rank in range(NATURAL_KINDS):
        if count_cards(table, hand.side, rank) + plan.use[rank] + plan.add_twos[rank] >= CANASTA:
            canastas += 1
    return canastas


@jit
def count_out_points(hand, plan):
    """Points of the cards the plan's counts lay from the hand, jokers before twos."""
    wilds = 0
    points = 0
    for rank in range(NATURAL_KINDS):
        points += plan.use[rank] * POINTS_OF_KIND[rank]
        wilds += plan.add_twos[rank]
    jokers = min(hand.kinds[JOKERS], wilds)
    return points + jokers * POINTS_OF_KIND[JOKERS] + (wilds - jokers) * POINTS_OF_KIND[TWOS]


@jit
def may_empty(table, hand, rules, plan, kept):
    """Spread the hand over the melds; whether that goes out with so many cards (0 or 1) held back before."""
    kept += count_stuck(table, hand, rules)
    if kept > 1:
        return False
    wilds = hand.kinds[TWOS] + hand.kinds[JOKERS]
    needed = fill_out_naturals(table, hand, rules, plan)
    if needed > wilds:
        return False
    kept += place_spare(table, hand, rules, plan, wilds - needed)
    if not (kept <= 1 and may_end_with(rules, kept)) or count_out_canastas(table, hand, plan) < rules.canastas_out:
        return False
    opened = table.opened[hand.side] or may_waive(hand, rules)
    return opened or count_out_points(hand, plan) >= table.minimum[hand.side]


@jit
def count_out_cards(rules, plan):
    """Cards the plan's counts, or its rows, lay from the hand."""
    if not rules.plain:
        return plan.rows
    cards = plan.use[THREES_MELD]
    for rank in range(NATURAL_KINDS):
        cards += plan.use[rank] + plan.add_twos[rank]
    return cards


@jit
def find_kept_of(hand, plan):
    """Kind of the one card that the plan's counts leave in the hand."""
    wilds = 0
    for rank in range(NATURAL_KINDS):
        if hand.kinds[rank] > plan.use[rank]:
            return rank
        wilds += plan.add_twos[rank]
    if hand.kinds[TWOS] + hand.kinds[JOKERS] > wilds:
        return TWOS
    return BLACK_THREES if hand.kinds[BLACK_THREES] > plan.use[THREES_MELD] else RED_THREES


@jit
def search_out(table, hand, rules, plan):
    """Fill `plan.use` and `plan.add_twos` (wild cards by rank) with a way to go out now; False when there is none.

    Where the rules are not plain it is the plan's rows that are filled.
    """
    if not rules.plain:
        return search_any_out(table, hand, rules, plan)
    if may_empty(table, hand, rules, plan, 0):
        usual = rules.discard_bans == RED3_BANNED or count_out_cards(rules, plan) == hand.count
        return usual or may_end_on(rules, find_kept_of(hand, plan))
    # Holding back a card that could be laid helps only where a discard is required, or one natural makes a meld.
    if rules.out_discard != DISCARD_REQUIRED and rules.min_naturals > 1:
        return False
    found = False
    for kind in range(RED_THREES):
        if not found and hand.kinds[kind] > 0 and may_end_on(rules, kind):
            hand.kinds[kind] -= 1
            found = may_empty(table, hand, rules, plan, 1)
            hand.kinds[kind] += 1
    return found


@jit
def put_out(hand, plan):
    """Turn the counts of `search_out` into rows of a plan that goes out, unless it has filled them itself."""
    plan.out = 1
    if plan.rows > 0:
        return
    for rank in range(NATURAL_KINDS):
        add_rows(hand, plan, rank, plan.use[rank], rank)
        for _ in range(plan.add_twos[rank]):
            add_rows(hand, plan, JOKERS if count_planned(plan, JOKERS) < hand.kinds[JOKERS] else TWOS, 1, rank)
    add_rows(hand, plan, BLACK_THREES, plan.use[THREES_MELD], THREES_MELD)
