"""Which meld the upcard joins and with which cards, where rules are not plain. Sources: RULES §1.7, §3, §9, §10."""

from __future__ import annotations

from engine.cards import JOKERS, KIND_OF, NATURAL_KINDS, TWOS
from engine.jit import jit
from engine.kernel.commit import TAKING, find_fault
from engine.kernel.melds import CANASTA, add_row, clear_plan, count_cards, find_card
from engine.kernel.outline import outline
from engine.kernel.places import TWOS_FIRST, count_places, find_kind, has_incomplete_wild, may_be_rank_meld
from engine.kernel.spread import choose_rank_place
from engine.kernel.state import ADD, FIRST_PLACES, NATURAL_WILD, PAIR, SEQUENCE
from engine.kernel.tally import count_row, tally_plan
from engine.rules import bit

BY_PAIR, BY_NATURAL_WILD, BY_ADD = (bit("unfrozen_take", way) for way in ("pair", "natural_wild", "add"))


@jit
def may_add_at(table, rules, side, plan, place, card):
    """Whether the upcard alone may be added to a meld on the table in order to take the pile."""
    size = count_cards(table, side, place)
    if size == 0 or (size >= CANASTA and not rules.add_to_complete):
        return False
    kind, rank = find_kind(table, side, plan, place), KIND_OF[card]
    if kind >= SEQUENCE:
        lowest = (kind - SEQUENCE) % 16
        fits = rank == lowest - 1 or rank == lowest + size
        return size < CANASTA and fits and card % 4 == (kind - SEQUENCE) // 16
    if kind != rank:
        return False
    wilds = table.twos[side, place] + table.jokers[side, place]
    return may_be_rank_meld(table, rules, side, rank, table.naturals[side, place] + 1, wilds, 0)


@jit
def find_add_place(table, rules, side, plan, card):
    """The meld to which the upcard is best added: the largest below a canasta; −1 if there is none."""
    best, most = -1, -100
    for place in range(FIRST_PLACES + table.extras[side]):
        if may_add_at(table, rules, side, plan, place, card):
            size = count_cards(table, side, place)
            if size >= CANASTA:
                size -= 2 * CANASTA
            if size > most:
                best, most = place, size
    return best


@jit
def put_pair(hand, plan, rank, count, place):
    """Add one or two naturals of a rank from the hand to a plan that has none of them."""
    for card in range(4 * rank, 4 * rank + 4):
        for _ in range(min(hand.cards[card], count)):
            add_row(plan, card, place)
            count -= 1


@jit
def choose_wild(table, hand, rules, plan):
    """The kind of wild card to take the pile with: a two, but for one that a meld of twos needs (RULES §7)."""
    locked = rules.open_wild_meld_locks_wilds and rules.wild_melds == TWOS_FIRST and hand.kinds[JOKERS] > 0
    if hand.kinds[TWOS] == 0 or (locked and has_incomplete_wild(table, hand.side, plan, 0)):
        return JOKERS
    return TWOS


@outline
def fill_take(table, hand, rules, plan, way):
    """Fill the plan with the cards that justify a take by an opened side, and the upcard's place; False if none do."""
    clear_plan(plan)
    rank = KIND_OF[hand.key]
    if way == ADD:
        plan.upcard_place = find_add_place(table, rules, hand.side, plan, hand.key)
        return plan.upcard_place >= 0
    naturals = 2 if way == PAIR else 1
    wild = choose_wild(table, hand, rules, plan)
    if hand.kinds[rank] < naturals or (way == NATURAL_WILD and hand.kinds[wild] == 0):
        return False
    tally_plan(table, hand, rules, plan)
    place = choose_rank_place(table, rules, hand.side, plan, rank, naturals + 1, 2 - naturals)
    if place < 0:
        return False
    plan.upcard_place = place
    put_pair(hand, plan, rank, naturals, place)
    if naturals == 1:
        add_row(plan, find_card(hand, wild), place)
    return True


@jit
def find_upcard_place(table, rules, side, plan, card):
    """The place where the plan has the upcard join: as it says, with its own cards of the rank, or where it fits."""
    if plan.upcard_place >= 0:
        return plan.upcard_place if plan.upcard_place < count_places(table, side, plan) else -1
    if plan.rows == 0:
        return find_add_place(table, rules, side, plan, card)
    for row in range(plan.rows):
        if find_kind(table, side, plan, plan.meld[row]) == KIND_OF[card]:
            return plan.meld[row]
    return -1


@outline
def find_any_way(table, hand, rules, plan):
    """The way in which a tallied plan takes the pile, 0 if its cards are none; counts the upcard into the tally."""
    card, side = hand.key, hand.side
    place = find_upcard_place(table, rules, side, plan, card)
    if place < 0 or KIND_OF[card] >= NATURAL_KINDS:
        return 0
    plan.upcard_place = place
    naturals, wilds = plan.add_naturals[place], plan.add_twos[place] + plan.add_jokers[place]
    of_rank = find_kind(table, side, plan, place) == KIND_OF[card]
    way = 0
    may_pair = (rules.unfrozen_take & BY_PAIR or table.frozen) and naturals == 2 and plan.rows == 2
    if of_rank and naturals >= 2 and (not table.opened[side] or may_pair):
        way = PAIR
    elif table.opened[side] and not table.frozen:
        if of_rank and naturals == 1 and wilds == 1 and plan.rows == 2 and rules.unfrozen_take & BY_NATURAL_WILD:
            way = NATURAL_WILD
        elif plan.rows == 0 and rules.unfrozen_take & BY_ADD and may_add_at(table, rules, side, plan, place, card):
            way = ADD
    count_row(plan, card, place)
    return way


@jit
def justifies_take(table, hand, rules, plan, below):
    """Whether the plan is a legal take for an opened side; `below` cards will come."""
    if tally_plan(table, hand, rules, plan) != 0 or find_any_way(table, hand, rules, plan) == 0:
        return False
    return find_fault(table, hand, rules, plan, below, TAKING) == 0


@outline
def find_any_ways(table, hand, rules, plan, below):
    """The legal ways to take the pile for an opened side, as bits; whether it may be touched is known."""
    ways = 0
    may_pair = rules.unfrozen_take & BY_PAIR or table.frozen
    if may_pair and fill_take(table, hand, rules, plan, PAIR) and justifies_take(table, hand, rules, plan, below):
        ways |= PAIR
    if table.frozen:
        return ways
    if fill_take(table, hand, rules, plan, NATURAL_WILD) and justifies_take(table, hand, rules, plan, below):
        ways |= NATURAL_WILD
    if fill_take(table, hand, rules, plan, ADD) and justifies_take(table, hand, rules, plan, below):
        ways |= ADD
    return ways
