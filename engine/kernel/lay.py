"""Laying what a plan says, and combining melds. Sources: RULES §1.4, §1.5, §3."""

from __future__ import annotations

from engine.cards import NO_CARD, POINTS_OF
from engine.faults import fault
from engine.jit import jit
from engine.kernel.draw import take_up_reserve
from engine.kernel.leave import FIRST_CANASTA
from engine.kernel.melds import CANASTA, add_card, count_cards, find_kind_on_table, has_meld, mark_dead, remove_card
from engine.kernel.outline import outline
from engine.kernel.places import (
    SEVERAL,
    find_kind,
    has_incomplete_wild,
    is_closed,
    may_be_rank_meld,
    may_be_wild_meld,
    word_of,
)
from engine.kernel.rows import A_JOIN, A_MELD, put_move
from engine.kernel.state import FIRST_PLACES, MAX_JOINS, MELDS, NOTHING, SEQUENCE, THREES_MELD, WILD_MELD

F_JOIN = fault("join_illegal")


@jit
def begin_melds(table, side, plan):
    """Give the melds that a plan begins their further places."""
    for number in range(plan.news):
        table.extra_kind[side, table.extras[side]] = plan.new_kind[number]
        table.extras[side] += 1
    plan.news = 0


@jit
def lay_plan(table, hand, rules, croupier, log, plan):
    """Move the plan's cards from the hand to the side's melds."""
    if plan.news > 0:
        begin_melds(table, hand.side, plan)
    if not rules.open_wild_meld_locks_wilds:
        lay_rows(table, hand, rules, croupier, log, plan, True, True)
    else:
        first = has_incomplete_wild(table, hand.side, plan, 0) or not has_incomplete_wild(table, hand.side, plan, 1)
        lay_rows(table, hand, rules, croupier, log, plan, first, not first)
        lay_rows(table, hand, rules, croupier, log, plan, not first, first)
    if plan.rows > 0:
        table.melded[hand.seat] = 1


@jit
def lay_rows(table, hand, rules, croupier, log, plan, wild, other):
    """Lay the plan's rows for wild melds, for other melds, or for both.

    Where an incomplete wild meld locks wild cards, a plan that uses some elsewhere completes what there is first, or
    begins one last.
    """
    for row in range(plan.rows):
        card, meld = plan.card[row], plan.meld[row]
        if not (wild and other) and wild != (find_kind(table, hand.side, plan, meld) == WILD_MELD):
            continue
        remove_card(table, hand, card)
        put_move(log, croupier, table, hand.seat, A_MELD, card, word_of(table, hand.side, meld), -1)
        lay_card(table, hand, rules, croupier, log, card, meld)


@jit
def lay_card(table, hand, rules, croupier, log, card, meld):
    """Put a card on the side's meld and note what going out concealed and the log ask about it.

    A canasta may bring the seat its reserve there and then (RULES §17).
    """
    if croupier.melds_before >> meld & 1:
        croupier.added_to_old = 1
    canastas = table.canastas[hand.side]
    add_card(table, rules, hand.side, meld, card)
    hand.laid += 1
    croupier.laid_points += POINTS_OF[card]
    if table.canastas[hand.side] > canastas:
        if croupier.first_canasta[hand.home] == 0:
            croupier.first_canasta[hand.home] = table.own_turns[hand.seat]
        if rules.reserve_pickup == FIRST_CANASTA and table.reserves[hand.seat] > 0:
            croupier.refilled = take_up_reserve(table, hand, rules, croupier, log)


@jit
def may_join_melds(table, hand, rules, plan, start, end):
    """Whether the side may combine two melds: of one rank or of wild cards, that are valid together (RULES §3)."""
    side = hand.side
    if rules.same_rank_melds != SEVERAL or start == end or not 0 <= start < MELDS or not 0 <= end < MELDS:
        return False
    if not has_meld(table, side, start) or not has_meld(table, side, end):
        return False
    kind = find_kind(table, side, plan, start)
    if kind != find_kind(table, side, plan, end) or kind >= SEQUENCE or kind == THREES_MELD:
        return False
    twos = table.twos[side, start] + table.twos[side, end]
    jokers = table.jokers[side, start] + table.jokers[side, end]
    if kind == WILD_MELD:
        return may_be_wild_meld(rules, twos, jokers)
    naturals = table.naturals[side, start] + table.naturals[side, end]
    return not is_closed(table, rules, kind) and may_be_rank_meld(table, rules, side, kind, naturals, twos + jokers, 0)


@jit
def move_meld(table, side, start, end):
    """Put the cards of one place to those of another."""
    table.naturals[side, end] += table.naturals[side, start]
    table.twos[side, end] += table.twos[side, start]
    table.jokers[side, end] += table.jokers[side, start]
    table.naturals[side, start] = 0
    table.twos[side, start] = 0
    table.jokers[side, start] = 0
    table.melds[side] = (table.melds[side] & ~(1 << start)) | (1 << end)
    if start >= FIRST_PLACES:
        table.extra_kind[side, start - FIRST_PLACES] = NOTHING


@jit
def combine(table, hand, croupier, start, end):
    """Combine two melds, counting canastas anew; a rank's first place never stays empty before a further one."""
    side = hand.side
    kind = find_kind_on_table(table, side, start)
    before = 1 if count_cards(table, side, start) >= CANASTA else 0
    before += count_cards(table, side, end) >= CANASTA
    if croupier.melds_before >> start & 1 or croupier.melds_before >> end & 1:
        croupier.added_to_old = 1
    canastas = table.canastas[side]
    move_meld(table, side, start, end)
    if count_cards(table, side, end) >= CANASTA:
        table.canastas[side] += 1
        mark_dead(table, side, end)
    table.canastas[side] -= before
    if start < FIRST_PLACES:
        for further in range(table.extras[side]):
            if table.extra_kind[side, further] == kind:
                move_meld(table, side, FIRST_PLACES + further, start)
                break
    if croupier.first_canasta[hand.home] == 0 and table.canastas[side] > canastas:
        croupier.first_canasta[hand.home] = table.own_turns[hand.seat]


@outline
def join_melds(table, hand, rules, croupier, log, plan):
    """Combine melds as a plan says, one after another; the reason against it, 0 for none. Two rows each."""
    if not 0 <= plan.joins <= MAX_JOINS:
        return F_JOIN
    for join in range(plan.joins):
        start, end = plan.join_from[join], plan.join_to[join]
        if not may_join_melds(table, hand, rules, plan, start, end):
            return F_JOIN
        put_move(log, croupier, table, hand.seat, A_JOIN, NO_CARD, word_of(table, hand.side, start), -1)
        put_move(log, croupier, table, hand.seat, A_JOIN, NO_CARD, word_of(table, hand.side, end), -1)
        combine(table, hand, croupier, start, end)
    return 0
