"""The pile: who may take it and how, taking it, discarding on it. Sources: RULES §1.7, §1.8, §2, §9, §19."""

from __future__ import annotations

from engine.cards import BLACK_THREES, JOKERS, KIND_OF, NATURAL_KINDS, NO_CARD, RED_THREES, SEVENS, TWOS
from engine.jit import jit
from engine.kernel.deal import ALWAYS, find_freeze, freeze, put_on_pile
from engine.kernel.discards import UNSEEN, may_end_on
from engine.kernel.leave import may_leave
from engine.kernel.melds import (
    CANASTA,
    count_cards,
    count_wild_limit,
    has_meld,
    is_wild,
    may_end_with,
    may_lie,
    remove_card,
)
from engine.kernel.opening import search_opening
from engine.kernel.opening_rules import AFTER_OWN
from engine.kernel.part import count_below, find_below, find_key_place
from engine.kernel.rows import A_DISCARD, NO_MELD, STOPPING_SEVEN, put_move
from engine.kernel.state import ADD, NATURAL_WILD, PAIR
from engine.kernel.tally import count_row
from engine.kernel.upcard import find_any_way, find_any_ways
from engine.kernel.ways import search_own_take
from engine.log import LIFE_ENDINGS, code
from engine.rules import bit
from engine.rules import code as rule_code

FORBIDDEN, WHILE_STOCK = rule_code("one_card_pile", "forbidden"), rule_code("one_card_pile", "forbidden_while_stock")
BY_PAIR, BY_NATURAL_WILD, BY_ADD = (bit("unfrozen_take", way) for way in ("pair", "natural_wild", "add"))
L_TAKE, L_DEAL = code(LIFE_ENDINGS, "take"), code(LIFE_ENDINGS, "deal")
NOT_TO_OPEN = rule_code("initial_pile", "forbidden")
TOP7, FROM_MELDED = rule_code("pile_portion", "top7"), rule_code("pile_portion", "from_melded")


@jit
def find_last_kind(table, hand, rules, rank, used_naturals, used_wilds):
    """Kind of the one card left after a take that used these cards of the hand for the key card's rank."""
    for kind in range(RED_THREES):
        left = hand.kinds[kind]
        if kind == rank:
            left -= used_naturals
        if is_wild(kind):
            used = min(used_wilds, left)
            left -= used
            used_wilds -= used
        if left > 0:
            return kind
    last = find_below(table, hand, rules)
    return KIND_OF[last] if last >= 0 else UNSEEN


@jit
def completes_canasta(table, rules, side, kind, rank, laid_naturals, laid_wilds):
    """Whether one more card of a kind makes a seventh in a meld of the side, after a take laid cards on `rank`."""
    for meld in range(NATURAL_KINDS):
        naturals = table.naturals[side, meld] + (laid_naturals if meld == rank else 0)
        wilds = table.twos[side, meld] + table.jokers[side, meld] + (laid_wilds if meld == rank else 0)
        if naturals + wilds == CANASTA - 1:
            if kind == meld:
                return True
            if is_wild(kind) and wilds < count_wild_limit(rules, naturals):
                return True
    return False


@jit
def leaves_enough(table, hand, rules, rank, naturals, wilds):
    """Whether the turn can end legally after a take with so many cards from the hand: two cards left, or going out."""
    left = hand.count - naturals - wilds + count_below(table, hand, rules)
    if left >= hand.keep:
        return True
    if not may_leave(table, hand, rules):
        return False
    side = hand.side
    size = count_cards(table, side, rank)
    canastas = table.canastas[side] + (1 if size < CANASTA <= size + naturals + wilds + 1 else 0)
    last = find_last_kind(table, hand, rules, rank, naturals, wilds) if left == 1 else -1
    if canastas >= rules.canastas_out:
        if left == 1 and not may_end_on(rules, last):
            return last >= 0 and has_meld(table, side, last) and may_end_with(rules, 0)
        return may_end_with(rules, left)
    if left == 1 and canastas + 1 >= rules.canastas_out and may_end_with(rules, 0):
        return completes_canasta(table, rules, side, last, rank, naturals + 1, wilds)
    return False


@jit
def may_use(table, hand, rules, rank, naturals, wilds):
    """Whether so many cards of the hand and the upcard make or join a valid meld and the turn can end."""
    side = hand.side
    on_table = table.twos[side, rank] + table.jokers[side, rank]
    if not may_lie(rules, table.naturals[side, rank] + naturals + 1, on_table + wilds):
        return False
    return leaves_enough(table, hand, rules, rank, naturals, wilds)


@jit
def may_touch(table, hand, rules):
    """Whether the pile can be taken by anybody in this seat's place: a natural on top, not one card for one card."""
    if table.pile_count == 0 or KIND_OF[table.upcard] >= NATURAL_KINDS:
        return False
    if KIND_OF[table.upcard] == SEVENS and rules.untakeable_tops & STOPPING_SEVEN:
        return False
    if table.own_turns[hand.seat] < rules.meld_from_round:
        return False
    if hand.count == 1 and table.pile_count == 1:
        return not (rules.one_card_pile == FORBIDDEN or (rules.one_card_pile == WHILE_STOCK and table.stock > 0))
    return True


@jit
def find_open_ways(table, hand, rules, rank):
    """The legal ways besides a pair to take a pile that is not frozen, as bits."""
    ways = 0
    may_mix = rules.unfrozen_take & BY_NATURAL_WILD and hand.kinds[rank] > 0
    if may_mix and hand.kinds[TWOS] + hand.kinds[JOKERS] > 0 and may_use(table, hand, rules, rank, 1, 1):
        ways |= NATURAL_WILD
    size = count_cards(table, hand.side, rank)
    may_add = rules.unfrozen_take & BY_ADD and size > 0 and (size < CANASTA or rules.add_to_complete)
    if may_add and may_use(table, hand, rules, rank, 0, 0):
        ways |= ADD
    return ways


@jit
def find_opening_ways(table, hand, rules, plan, rank):
    """PAIR if the side can open with the pile now, else 0."""
    if rules.initial_pile == NOT_TO_OPEN or hand.kinds[rank] < 2:
        return 0
    if rules.initial_pile == AFTER_OWN:
        return PAIR if search_own_take(table, hand, rules, plan, count_below(table, hand, rules)) else 0
    keep = max(0, hand.keep - count_below(table, hand, rules))
    return PAIR if search_opening(table, hand, rules, plan, rank, keep) else 0


@jit
def find_ways_here(table, hand, rules, plan):
    """The legal ways to take the pile down to `hand.depth`, as bits. Uses the plan's scratch."""
    rank = KIND_OF[hand.key]
    if not table.opened[hand.side]:
        return find_opening_ways(table, hand, rules, plan, rank)
    if not rules.plain:
        return find_any_ways(table, hand, rules, plan, count_below(table, hand, rules))
    may_pair = hand.kinds[rank] >= 2 and (rules.unfrozen_take & BY_PAIR or table.frozen)
    pair = PAIR if may_pair and may_use(table, hand, rules, rank, 2, 0) else 0
    return pair if table.frozen else pair | find_open_ways(table, hand, rules, rank)


@jit
def aim_take(table, hand, rules, depth):
    """Let a take go down to a card that it melds, or for 0 give what the rules do for the upcard; whether it could."""
    hand.deep = depth > 0
    hand.depth = depth
    if depth == 0:
        hand.depth = min(table.pile_count, 7) if rules.pile_portion == TOP7 else table.pile_count
    place = find_key_place(table, hand)
    hand.key = table.pile[place] if 0 <= place < table.pile_count else NO_CARD
    return hand.key != NO_CARD and KIND_OF[hand.key] < NATURAL_KINDS


@jit
def find_ways(table, hand, rules, plan):
    """The legal ways to take the pile now, as bits; 0 when there is none. Uses the plan's scratch.

    Where a part may be taken (RULES §19) and the upcard takes nothing, those of the deepest legal take.
    """
    aim_take(table, hand, rules, 0)
    if not may_touch(table, hand, rules):
        return 0
    ways = find_ways_here(table, hand, rules, plan)
    if ways != 0 or rules.pile_portion != FROM_MELDED:
        return ways
    for depth in range(table.pile_count, 0, -1):
        if aim_take(table, hand, rules, depth):
            ways = find_ways_here(table, hand, rules, plan)
            if ways != 0:
                return ways
    return 0


@jit
def may_be_added(hand):
    """Whether the upcard fits a meld of the side and the pile is not frozen for it (RULES §1.9)."""
    return (hand.may_take & ADD) != 0 and not hand.deep


@jit
def find_way_of(table, hand, rules, plan):
    """The way a tallied plan takes the pile, 0 if its cards are none; the upcard gets its place and joins the tally."""
    if not rules.plain:
        return find_any_way(table, hand, rules, plan)
    rank = KIND_OF[hand.key]
    naturals = plan.add_naturals[rank]
    wilds = plan.add_twos[rank] + plan.add_jokers[rank]
    plan.upcard_place = rank
    count_row(plan, hand.key, rank)
    if not table.opened[hand.side]:
        return PAIR if naturals >= 2 else 0
    if plan.rows != naturals + wilds:
        return 0
    if naturals == 2 and wilds == 0:
        return PAIR
    if naturals == 1 and wilds == 1:
        return NATURAL_WILD
    return ADD if plan.rows == 0 else 0


@jit
def discard_card(table, hand, rules, croupier, log, card):
    """Put a card from the hand on the pile, freezing it where the rules say so."""
    kind = KIND_OF[card]
    put_move(log, croupier, table, hand.seat, A_DISCARD, card, NO_MELD, -1)
    remove_card(table, hand, card)
    if (table.frozen or rules.pile_frozen == ALWAYS) and table.pile_count > 0 and is_wild(kind):
        croupier.life_wilds += 1
    croupier.life_black_threes += kind == BLACK_THREES
    table.thrown[hand.seat, kind] += 1
    put_on_pile(table, card)
    freeze(table, rules, croupier, find_freeze(rules, kind, False), hand.seat)
