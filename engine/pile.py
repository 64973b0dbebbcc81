"""The pile: who may take it and how, taking it, discarding on it. Sources: RULES §1.7, §1.8, §2."""

from __future__ import annotations

from engine.cards import BLACK_THREES, JOKERS, KIND_OF, NATURAL_KINDS, RED_THREES, TWOS
from engine.deal import begin_life, find_freeze, freeze, put_on_pile
from engine.jit import jit
from engine.log import LIFE_ENDINGS, code
from engine.melds import CANASTA, count_cards, count_wild_limit, give_card, is_wild, may_end_with, may_lie, remove_card
from engine.opening import search_opening
from engine.rows import A_DISCARD, A_RED3, A_TAKE, NO_MELD, put_life, put_move
from engine.rules import bit
from engine.rules import code as rule_code
from engine.state import ADD, NATURAL_WILD, PAIR

FORBIDDEN = rule_code("one_card_pile", "forbidden")
BY_NATURAL_WILD, BY_ADD = bit("unfrozen_take", "natural_wild"), bit("unfrozen_take", "add")
RED3_BANNED = bit("discard_bans", "red3")
L_TAKE, L_DEAL = code(LIFE_ENDINGS, "take"), code(LIFE_ENDINGS, "deal")


@jit
def count_below(table):
    """Cards that join the hand on a take: the pile without its upcard and without red threes, which are laid."""
    return table.pile_count - 1 - table.pile_kinds[RED_THREES]


@jit
def find_last_kind(table, hand, rank, used_naturals, used_wilds):
    """Kind of the one card left after a take that used these cards of the hand for the upcard's rank."""
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
    for place in range(table.pile_count - 1):
        if KIND_OF[table.pile[place]] != RED_THREES:
            return KIND_OF[table.pile[place]]
    return RED_THREES


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
    left = hand.count - naturals - wilds + count_below(table)
    if left >= 2:
        return True
    side = hand.side
    size = count_cards(table, side, rank)
    canastas = table.canastas[side] + (1 if size < CANASTA <= size + naturals + wilds + 1 else 0)
    if canastas >= rules.canastas_out:
        return may_end_with(rules, left)
    if left == 1 and canastas + 1 >= rules.canastas_out and may_end_with(rules, 0):
        last = find_last_kind(table, hand, rank, naturals, wilds)
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
    """Whether the upcard can be taken by anybody in this seat's place: a natural, and not one card for one card."""
    if table.pile_count == 0 or KIND_OF[table.upcard] >= NATURAL_KINDS:
        return False
    return not (hand.count == 1 and table.pile_count == 1 and rules.one_card_pile == FORBIDDEN)


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
def find_ways(table, hand, rules, plan):
    """The legal ways to take the pile now, as bits; 0 when there is none. Uses the plan's scratch."""
    if not may_touch(table, hand, rules):
        return 0
    rank = KIND_OF[table.upcard]
    if not table.opened[hand.side]:
        if hand.kinds[rank] < 2:
            return 0
        return PAIR if search_opening(table, hand, rules, plan, rank, max(0, 2 - count_below(table))) else 0
    pair = PAIR if hand.kinds[rank] >= 2 and may_use(table, hand, rules, rank, 2, 0) else 0
    return pair if table.frozen else pair | find_open_ways(table, hand, rules, rank)


@jit
def find_way_of(hand, plan, rank, opened):
    """The way a tallied plan takes the pile; 0 if its cards are none."""
    naturals = plan.add_naturals[rank]
    wilds = plan.add_twos[rank] + plan.add_jokers[rank]
    if not opened:
        return PAIR if naturals >= 2 else 0
    if plan.rows != naturals + wilds:
        return 0
    if naturals == 2 and wilds == 0:
        return PAIR
    if naturals == 1 and wilds == 1:
        return NATURAL_WILD
    return ADD if plan.rows == 0 else 0


@jit
def take_pile(table, hand, croupier, log):
    """Move the pile below its upcard into the hand; red threes in it are laid without replacement (RULES §1.3)."""
    taken = table.pile_count
    put_move(log, croupier, table, hand.seat, A_TAKE, table.upcard, KIND_OF[table.upcard], taken)
    put_life(log, croupier, table, L_TAKE, hand.seat)
    for place in range(taken - 1):
        card = table.pile[place]
        kind = KIND_OF[card]
        table.visible[kind] -= 1
        if kind == RED_THREES:
            table.red_threes[hand.side] += 1
            put_move(log, croupier, table, hand.seat, A_RED3, card, NO_MELD, -1)
        else:
            give_card(table, hand, card)
            table.known[hand.seat, kind] += 1
    table.visible[KIND_OF[table.upcard]] -= 1
    hand.took = taken
    croupier.takes[hand.side] += 1
    croupier.taken[hand.side] += taken
    if taken > croupier.biggest:
        croupier.biggest = taken
        croupier.biggest_seat = hand.seat
    begin_life(table, croupier, table.turn)


@jit
def may_discard(hand, rules, card):
    """Whether the hand holds the card and the rules let it be discarded."""
    if card < 0 or card >= hand.cards.size or hand.cards[card] <= 0:
        return False
    return KIND_OF[card] != RED_THREES or (rules.discard_bans & RED3_BANNED) == 0


@jit
def discard_card(table, hand, rules, croupier, log, card):
    """Put a card from the hand on the pile, freezing it where the rules say so."""
    kind = KIND_OF[card]
    put_move(log, croupier, table, hand.seat, A_DISCARD, card, NO_MELD, -1)
    remove_card(table, hand, card)
    if table.frozen and is_wild(kind):
        croupier.life_wilds += 1
    croupier.life_black_threes += kind == BLACK_THREES
    table.thrown[hand.seat, kind] += 1
    put_on_pile(table, card)
    freeze(table, rules, croupier, find_freeze(rules, kind, False), hand.seat)
