"""Special hands: fourteen cards after a stock draw that end the deal. Source: RULES §10 (CLA and Pagat profiles).

HANDS says what each is made of. Groups are cards of one kind, jokers and twos each a kind of their own ("matching
wilds"); only in the dream hand with five wilds do jokers and twos make one group. Pairs are of seven different kinds.
"""

from __future__ import annotations

import numpy as np

from engine.cards import ACES, BLACK_THREES, JOKERS, NATURAL_KINDS, RED_THREES, SEVENS, TWOS
from engine.faults import fault
from engine.jit import jit
from engine.kernel.rows import A_SPECIAL, put_move
from engine.log import DEAL_ENDINGS, MELDS, code
from engine.parameters import PARAMETERS
from engine.rules import code as rule_code

SPECIAL = code(DEAL_ENDINGS, "special")
F_SPECIAL = fault("special_illegal")
NAMES = PARAMETERS["special_hands"].keys  # type: ignore[attr-defined]
SPECIAL_WORD = MELDS.index(NAMES[0])
SIZE, MOST = 14, 5

# Groups of 1, 2, 3, 4, 5 cards; wild cards from, to; wild groups from, to; jokers and twos are one group;
# aces and sevens are among them; threes.
_HANDS = {
    "pairs": (0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    "wild_pairs": (0, 7, 0, 0, 0, 2, 4, 1, 2, 0, 1, 0),
    "miami_pairs": (0, 7, 0, 0, 0, 4, 4, 2, 2, 0, 1, 0),
    "zip_code": (0, 2, 2, 1, 0, 0, 8, 0, 2, 0, 0, 0),
    "straight": (14, 0, 0, 0, 0, 2, 2, 2, 2, 0, 1, 1),
    "garbage": (0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0),
    "blast_off": (0, 1, 1, 1, 1, 0, 9, 0, 2, 0, 0, 0),
    "triples": (0, 1, 4, 0, 0, 2, 2, 1, 1, 0, 0, 0),
    "quads": (0, 1, 0, 3, 0, 2, 2, 1, 1, 0, 0, 0),
    "dream_plus_4": (0, 0, 0, 1, 2, 4, 4, 1, 1, 0, 0, 0),
    "dream_plus_5": (0, 0, 0, 1, 2, 5, 5, 1, 1, 1, 0, 0),
}
HANDS = np.array([_HANDS[name] for name in NAMES], np.int64)
"""One row a name of the parameter `special_hands`, in its order; its code is the row from 1."""
WILDS_FROM, WILDS_TO, GROUPS_FROM, GROUPS_TO, ONE_GROUP, NEEDS, THREES = range(MOST, MOST + 7)
STRAIGHT, WILD_PAIRS = NAMES.index("straight") + 1, NAMES.index("wild_pairs") + 1
ANY_PAIR = rule_code("wild_pair_kind", "any")
DREAM_4, DREAM_5 = NAMES.index("dream_plus_4") + 1, NAMES.index("dream_plus_5") + 1


@jit
def find_award(rules, special):
    """Points the rules give for a special hand; 0 when they do not know it."""
    return rules.special_awards[special - 1]


@jit
def count_groups(hand, size, one_group):
    """Groups of so many cards in the hand; jokers and twos as one group where the rules of a hand say so."""
    groups = 0
    for kind in range(NATURAL_KINDS):
        groups += hand.kinds[kind] == size
    if one_group:
        return groups + (hand.kinds[TWOS] + hand.kinds[JOKERS] == size)
    threes = hand.kinds[BLACK_THREES] + hand.kinds[RED_THREES]
    return groups + (hand.kinds[TWOS] == size) + (hand.kinds[JOKERS] == size) + (threes == size)


@jit
def has_wild_pair(hand, rules):
    """Whether the wild cards are what wild pairs take: one pair of any, or a pair of twos (parameter)."""
    twos, jokers = hand.kinds[TWOS], hand.kinds[JOKERS]
    return twos + jokers == 2 if rules.wild_pair_kind == ANY_PAIR else twos == 2


@jit
def is_special(hand, rules, special):
    """Whether the hand is the special hand of a code."""
    row = special - 1
    wilds = hand.kinds[TWOS] + hand.kinds[JOKERS]
    groups = 1 if hand.kinds[TWOS] > 0 else 0  # NumPy adds two truths to one
    groups += hand.kinds[JOKERS] > 0
    if HANDS[row, ONE_GROUP]:
        groups = 1 if wilds > 0 else 0
    if hand.kinds[BLACK_THREES] + hand.kinds[RED_THREES] != HANDS[row, THREES]:
        return False
    if not HANDS[row, WILDS_FROM] <= wilds <= HANDS[row, WILDS_TO]:
        return False
    if not HANDS[row, GROUPS_FROM] <= groups <= HANDS[row, GROUPS_TO]:
        return False
    if HANDS[row, NEEDS] and (hand.kinds[SEVENS] == 0 or hand.kinds[ACES] == 0):
        return False
    if special == WILD_PAIRS and not has_wild_pair(hand, rules):
        return False
    wrong = 0
    for size in range(1, MOST + 1):
        wrong += count_groups(hand, size, HANDS[row, ONE_GROUP]) != HANDS[row, size - 1]
    return wrong == 0


@jit
def may_keep_three(table, hand, rules):
    """Whether one three more may be kept for a straight: the only one, before the side has opened (RULES §10)."""
    threes = hand.kinds[BLACK_THREES] + hand.kinds[RED_THREES]
    return threes == 0 and table.opened[hand.side] == 0 and find_award(rules, STRAIGHT) > 0


@jit
def wants_three(table, hand, rules):
    """Whether the seat will keep a three: its next draw makes fourteen cards, all but one at most of a straight."""
    if table.opened[hand.side] != 0 or find_award(rules, STRAIGHT) == 0 or hand.count + rules.draw_count != SIZE:
        return False
    lacking = 0
    for kind in range(NATURAL_KINDS):
        lacking += hand.kinds[kind] == 0
    lacking += hand.kinds[TWOS] == 0
    lacking += hand.kinds[JOKERS] == 0
    return lacking <= 1


@jit
def find_special(table, hand, rules):
    """Code of the special hand worth most that the seat may declare now; 0 for none.

    After a draw from the stock, before any meld of the side (RULES §10).
    """
    if not rules.has_special or hand.count != SIZE or table.opened[hand.side] or hand.took > 0:
        return 0
    best = 0
    for special in range(1, HANDS.shape[0] + 1):
        award = find_award(rules, special)
        if award > 0 and is_special(hand, rules, special) and (best == 0 or award > find_award(rules, best)):
            best = special
    return best


@jit
def judge_special(table, hand, rules, special):
    """Reason against declaring a special hand, 0 for none."""
    if not 1 <= special <= HANDS.shape[0] or find_award(rules, special) == 0:
        return F_SPECIAL
    if not is_special(hand, rules, special):
        return F_SPECIAL
    may = hand.count == SIZE and table.opened[hand.side] == 0 and hand.took == 0 and hand.laid == 0
    return 0 if may else F_SPECIAL


@jit
def declare_special(table, hand, croupier, log, special):
    """The seat shows its hand; the deal is over (RULES §10)."""
    put_move(log, croupier, table, hand.seat, A_SPECIAL, -1, SPECIAL_WORD + special - 1, -1)
    croupier.out_seat = hand.seat
    croupier.special = special
