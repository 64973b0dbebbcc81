"""What a side still lacks for going out, and which cards and melds are kept for it: read from the rules, shared.

Nothing here knows a variant: types of canasta that going out takes, penalties for melds that stay incomplete, ranks
closed for all, reserves still to be taken up. Source: RULES §1.9, §4, §5, §9, §10, §17; STRATEGY §1.6, §1.8.
"""

from __future__ import annotations

from engine.cards import ACES, NATURAL_KINDS, SEVENS
from engine.jit import find_lowest, part
from engine.kernel.leave import is_reserve_waiting
from engine.kernel.licence import NO_OPEN_SPECIAL, count_size, count_type, count_wilds, may_go_out
from engine.kernel.melds import CANASTA, count_cards, find_kind_on_table
from engine.kernel.places import count_places, find_kind
from engine.kernel.spread import find_ranks
from engine.kernel.state import FIRST_PLACES, SEQUENCE, WILD_MELD

RUN_FROM = 5
"""Cards with which a sequence is begun that costs dear while it is short."""
RICH_BONUS = 1000
"""A bonus for a canasta of wild cards or in sequence that is worth keeping cards together for."""
WINDOW = 4
"""Different ranks of a suit within seven, held in hand, that are kept for a sequence still to be begun."""


@part
def may_hurry(table, hand, rules, plan):
    """Whether cards are better laid than held: a reserve waits for the hand to be empty, or the side may go out."""
    return is_reserve_waiting(table, hand, rules) or (not hand.barred and may_go_out(table, hand, rules, plan))


@part
def is_dear(rules, rank):
    """Whether a meld of a rank costs points, or keeps from going out, while it is incomplete."""
    closed = rules.out_conditions & NO_OPEN_SPECIAL != 0
    if rank == SEVENS:
        return closed or rules.open_meld_penalty_7 > 0
    return rank == ACES and (closed or rules.open_meld_penalty_A > 0)


@part
def is_wild_dear(rules):
    """Whether a wild meld costs points, or keeps from going out, while it is incomplete."""
    return rules.open_meld_penalty_wild > 0 or rules.out_conditions & NO_OPEN_SPECIAL != 0


@part
def is_charged(rules):
    """Whether any meld costs points, or keeps from going out, while it is incomplete."""
    dear = is_dear(rules, SEVENS) or is_dear(rules, ACES)
    return dear or is_wild_dear(rules) or rules.open_meld_penalty_sequence_lt5 > 0


@part
def find_price(rules, kind, size, wilds, jokers):
    """Points that a meld of so many cards costs if it stays incomplete (RULES §5, §10, §16)."""
    if size == 0 or size >= CANASTA:
        return 0
    if kind >= SEQUENCE:
        return rules.open_meld_penalty_sequence_lt5 if size < RUN_FROM else 0
    if kind == WILD_MELD:
        return rules.penalty_wild_4_jokers if jokers >= 4 else rules.open_meld_penalty_wild
    if kind == SEVENS:
        return rules.open_meld_penalty_7
    return rules.open_meld_penalty_A if kind == ACES and wilds == 0 else 0


@part
def find_held_price(rules, rank, held):
    """Points that so many cards of a rank cost if they stay in the hand (RULES §10, §16)."""
    if rank == ACES:
        return rules.held_penalty_A3 if held >= 3 else 0
    if rank != SEVENS or held < 3:
        return 0
    return rules.held_penalty_7_3 + (rules.held_penalty_7_gt3 if held > 3 else 0)


@part
def lacks_natural(table, rules, side, plan):
    """Natural canastas that going out takes and the side lacks, those of sevens among them."""
    needed = rules.canastas_out_types_natural + rules.canastas_out_types_7
    return needed - count_type(table, side, plan, 1, 0) if needed > 0 else 0


@part
def lacks_wild(table, rules, side, plan):
    """Wild canastas that going out takes and the side lacks."""
    needed = rules.canastas_out_types_wild
    return needed - count_type(table, side, plan, 1, 3) if needed > 0 else 0


@part
def wants_sequence(table, rules, side, plan):
    """Whether a canasta in sequence is worth building: going out still takes one."""
    needed = rules.canastas_out_types_sequence
    return needed > 0 and count_type(table, side, plan, 1, 2) < needed


@part
def find_pure(table, side, plan, count):
    """Bits of the melds to keep free of wild cards: so many natural ones of a rank, the largest first."""
    pure = 0
    for _ in range(count):
        best, most = -1, 0
        for place in range(count_places(table, side, plan)):
            size = count_size(table, side, plan, place, 1)
            if not most < size < CANASTA or pure >> place & 1 or find_kind(table, side, plan, place) >= NATURAL_KINDS:
                continue
            if count_wilds(table, side, plan, place, 1) == 0:
                best, most = place, size
        if best < 0:
            break
        pure |= 1 << best
    return pure


@part
def find_open_wild(table, side):
    """Size of the side's incomplete wild meld; 0 if it has none."""
    for place in range(FIRST_PLACES + table.extras[side]):
        kind = find_kind_on_table(table, side, place)
        size = count_cards(table, side, place)
        if kind == WILD_MELD and 0 < size < CANASTA:
            return size
    return 0


# ------------------------------------------------------------------------------------------------------- sequences
@part
def find_reach(table, side, plan, place):
    """Bits of the ranks a sequence on the table may still be given, one after another; 0 for any other meld."""
    size = count_size(table, side, plan, place, 1)
    if find_kind(table, side, plan, place) < SEQUENCE or not 0 < size < CANASTA:
        return 0
    ranks = find_ranks(table, side, plan, place)
    low = find_lowest(ranks)
    first, end = max(0, low + size - CANASTA), min(NATURAL_KINDS, low + CANASTA)
    return ((1 << end) - (1 << first)) & ~ranks


@part
def set_aside(plan, suit, ranks):
    """Let the plan leave one card of each of these ranks of a suit in the hand."""
    for rank in range(NATURAL_KINDS):
        if ranks >> rank & 1 and plan.left_cards[4 * rank + suit] > 0:
            plan.left_cards[4 * rank + suit] -= 1
            plan.left[rank] -= 1


@part
def find_window(cards, suit):
    """Bits of the ranks held of a suit in the seven in a row of which most are; 0 if they are few."""
    best, most = 0, WINDOW - 1
    for low in range(NATURAL_KINDS - CANASTA + 1):
        ranks, count = 0, 0
        for rank in range(low, low + CANASTA):
            if cards[4 * rank + suit] > 0:
                ranks |= 1 << rank
                count += 1
        if count > most:
            best, most = ranks, count
    return best


@part
def find_wanted(table, side, plan, cards, suit):
    """Bits of the ranks of a suit that sequences take: those on the table, or one the hand may begin."""
    wanted = 0
    for place in range(FIRST_PLACES, count_places(table, side, plan)):
        kind = find_kind(table, side, plan, place)
        if kind >= SEQUENCE and (kind - SEQUENCE) // 16 == suit:
            wanted |= find_reach(table, side, plan, place)
    return wanted if wanted != 0 else find_window(cards, suit)


@part
def keep_for_sequences(table, side, plan):
    """Set aside the cards that sequences may still take."""
    for suit in range(4):
        set_aside(plan, suit, find_wanted(table, side, plan, plan.left_cards, suit))


@part
def is_spare(table, hand, plan, card):
    """Whether a natural card held is one that no own sequence takes, of several copies one too many."""
    wanted = find_wanted(table, hand.side, plan, hand.cards, card % 4) >> (card // 4) & 1
    return hand.cards[card] > wanted


@part
def has_spare(table, hand, plan, rank):
    """Whether one of the cards held of a rank is wanted by no own sequence."""
    spare = False
    for card in range(4 * rank, 4 * rank + 4):
        spare = spare or is_spare(table, hand, plan, card)
    return spare
