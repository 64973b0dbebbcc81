"""Throw the card with the highest weighed sum: what is safe, what is useless, when to freeze (STRATEGY §1.1–1.3)."""

from __future__ import annotations

from engine.cards import BLACK_THREES, JOKERS, NATURAL_KINDS, POINTS_OF_KIND, RED_THREES
from engine.decision import strategy
from engine.jit import find_lowest, part
from engine.kernel.deal import ALWAYS
from engine.kernel.discards import find_discards
from engine.kernel.melds import CANASTA, count_cards, find_card, has_meld
from engine.kernel.places import SEVERAL, is_closed
from engine.kernel.rows import find_next
from engine.kernel.spread import find_fitting_place
from engine.kernel.state import FIRST_PLACES, MELDS, SEQUENCE
from engine.kernel.tally import clear_tally
from engine.strategies.careful import DEAR_FROM
from engine.strategies.goals import find_held_price, has_spare, is_charged, is_dear, is_spare, wants_sequence

WEIGHTS = {
    "single": (10.0, "the only card of its rank (D5)"),
    "pair": (-25.0, "one of two"),
    "triple": (-5.0, "one of three or more"),
    "pair_always": (-30.0, "… where the pile is always frozen, so that nothing else takes it (F6)"),
    "triple_always": (-60.0, "… one of three or more there"),
    "own_meld": (-35.0, "a rank the own side has melded (P1)"),
    "feed_open_meld": (-40.0, "a rank the next side has melded (D1)"),
    "feed_six": (-150.0, "… with six cards (D7)"),
    "thrown_by_next": (20.0, "the next seat has thrown this rank (D3)"),
    "known_in_next": (-40.0, "the next seat is known to hold it (D4)"),
    "seen": (5.0, "each copy seen (D6)"),
    "points": (-0.6, "each point of the card before the next side has opened (D2)"),
    "points_opened": (0.2, "… after it has"),
    "tall": (0.15, "how much each card of the pile adds to the dangers above (D8)"),
    "frozen": (0.35, "share of the dangers when the pile is frozen (F1)"),
    "black_three": (0.0, "a black three (B1)"),
    "black_three_pile": (10.0, "… for each card of the pile"),
    "wild": (-150.0, "a wild card on a pile not frozen"),
    "freeze_pile": (6.0, "… for each card of the pile"),
    "freeze_pair": (8.0, "… for each pair held (F2)"),
    "freeze_behind": (25.0, "… when the next side has opened and the own has not (F3)"),
    "freeze_opened": (15.0, "… when the next side has opened (F4)"),
    "wild_on_frozen": (-120.0, "a wild card on a frozen pile"),
    "joker": (-40.0, "a joker rather than a two"),
    "red_three": (-60.0, "a red three, where it may be thrown"),
    "dead": (60.0, "a rank closed for all"),
    "dear": (0.0, "an ace or a seven, where melds of few or many left in the hand cost dear"),
    "dear_held": (60.0, "… held so often that keeping them to the end costs points"),
    "sequence": (-45.0, "a card that sequences may still take, where going out lacks one"),
}
(
    SINGLE,
    PAIR,
    TRIPLE,
    PAIR_ALWAYS,
    TRIPLE_ALWAYS,
    OWN_MELD,
    FEED,
    FEED_SIX,
    THROWN,
    KNOWN,
    SEEN,
    POINTS,
    POINTS_OPENED,
    TALL,
    FROZEN,
    BLACK_THREE,
    BLACK_PILE,
    WILD,
    FREEZE_PILE,
    FREEZE_PAIR,
    FREEZE_BEHIND,
    FREEZE_OPENED,
    WILD_ON_FROZEN,
    JOKER,
    RED_THREE,
    DEAD,
    DEAR,
    DEAR_HELD,
    FOR_SEQUENCE,
) = range(len(WEIGHTS))


@part
def scale_danger(table, weights):
    """How much the dangers of a discard count on this pile (D8, F1)."""
    scale = 1.0 + weights[TALL] * table.pile_count
    return scale * weights[FROZEN] if table.frozen else scale


@part
def weigh_natural(table, hand, weights, rank, following, theirs, scale, points):
    """The sum for a natural card; written without branches, which cards would make unpredictable."""
    held = hand.kinds[rank]
    their_meld = (table.melds[theirs] >> rank) & 1
    own_meld = (table.melds[hand.side] >> rank) & 1
    danger = weights[THROWN] * min(table.thrown[following, rank], 2)
    danger += weights[KNOWN] * min(table.known[following, rank], 2)
    danger += weights[FEED + (count_cards(table, theirs, rank) == CANASTA - 1)] * their_meld
    value = weights[SINGLE + min(held, 3) - 1] + weights[OWN_MELD] * own_meld
    return value + weights[SEEN] * (table.visible[rank] + held - 1) + POINTS_OF_KIND[rank] * points + danger * scale


@part
def count_pairs(hand):
    """Ranks held at least twice."""
    pairs = 0
    for rank in range(NATURAL_KINDS):
        pairs += hand.kinds[rank] >= 2
    return pairs


@part
def weigh_wild(table, hand, weights, theirs):
    """The sum for a two; a joker is weighed by `joker` more."""
    if table.frozen:
        return weights[WILD_ON_FROZEN]
    value = weights[WILD] + weights[FREEZE_PILE] * table.pile_count + weights[FREEZE_PAIR] * count_pairs(hand)
    if table.opened[theirs]:
        value += weights[FREEZE_OPENED]
        if not table.opened[hand.side]:
            value += weights[FREEZE_BEHIND]
    return value


@part
def weigh_special(table, hand, weights, kind, theirs):
    """The sum for a wild card or a three."""
    if kind == BLACK_THREES:
        return weights[BLACK_THREE] + weights[BLACK_PILE] * table.pile_count
    value = weigh_wild(table, hand, weights, theirs)
    if kind == RED_THREES:
        return value + weights[RED_THREE] - weights[WILD]
    return value + weights[JOKER] if kind == JOKERS else value


@part
def feeds_sequence(table, side, card):
    """Whether a sequence of a side takes a card at one of its ends."""
    for further in range(table.extras[side]):
        kind, size = table.extra_kind[side, further], count_cards(table, side, FIRST_PLACES + further)
        if kind >= SEQUENCE and (kind - SEQUENCE) // 16 == card % 4 and size < CANASTA:
            low = (kind - SEQUENCE) % 16
            if card // 4 == low - 1 or card // 4 == low + size:
                return True
    return False


@part
def find_harmless(table, hand, side, rank):
    """A card of a rank that no sequence of a side takes; −1 if all held would feed one."""
    for card in range(4 * rank, 4 * rank + 4):
        if hand.cards[card] > 0 and not feeds_sequence(table, side, card):
            return card
    return -1


@part
def weigh_feeding(table, hand, rules, weights, plan, rank, theirs):
    """What is bad about a card that a meld of the next side takes, second melds and sequences among them (D1, D7)."""
    place = find_fitting_place(table, rules, theirs, plan, rank, 1, 0)
    if place >= 0:
        return weights[FEED_SIX if count_cards(table, theirs, place) == CANASTA - 1 else FEED]
    return weights[FEED] if rules.sequences and find_harmless(table, hand, theirs, rank) < 0 else 0.0


@part
def weigh_dear(table, hand, rules, weights, rank, value):
    """The sum for a rank that may not be worth keeping, since a meld of few would cost dear."""
    held = hand.kinds[rank]
    if not is_dear(rules, rank) or held >= DEAR_FROM or has_meld(table, hand.side, rank):
        return value
    return value + weights[DEAR_HELD if find_held_price(rules, rank, held) > 0 else DEAR]


@part
def weigh_further(table, hand, rules, weights, plan, rank, theirs, scale, value):
    """The sum for a natural card where rules are not plain: whom it serves, and what it may cost to keep."""
    if is_closed(table, rules, rank):
        return weights[DEAD] + weights[SEEN]
    if has_meld(table, theirs, rank):
        value -= weights[FEED_SIX if count_cards(table, theirs, rank) == CANASTA - 1 else FEED] * scale
    value += weigh_feeding(table, hand, rules, weights, plan, rank, theirs) * scale
    own_meld = has_meld(table, hand.side, rank)
    if own_meld and find_fitting_place(table, rules, hand.side, plan, rank, 1, 0) < 0:
        value -= weights[OWN_MELD]
        if rules.same_rank_melds != SEVERAL:
            value += weights[SINGLE] - weights[SINGLE + min(hand.kinds[rank], 3) - 1]
    value = weigh_dear(table, hand, rules, weights, rank, value)
    building = rules.sequences and wants_sequence(table, rules, hand.side, plan)
    if building and not has_spare(table, hand, plan, rank):
        value += weights[FOR_SEQUENCE]
    return value


@part
def spare_straight(hand, kinds):
    """Of kinds that may be discarded those held twice, while the hand is all but a straight (RULES §10)."""
    spare = 0
    left = kinds
    while left != 0:
        kind = find_lowest(left)
        left &= left - 1
        if hand.kinds[kind] > 1:
            spare |= 1 << kind
    return spare if spare != 0 else kinds


@part
def choose_card(table, hand, plan, rank, theirs):
    """The card of a rank to throw: one that no own sequence takes before one that none of the next side takes."""
    best, most = -1, -1
    for card in range(4 * rank, 4 * rank + 4):
        if hand.cards[card] > 0:
            worth = 2 * is_spare(table, hand, plan, card) + (not feeds_sequence(table, theirs, card))
            if worth > most:
                best, most = card, worth
    return best


@part
def weigh_rank(table, hand, rules, weights, plan, rank, theirs, scale, value):
    """The sum for a natural card, with what only some rules make of it."""
    held = hand.kinds[rank]
    if rules.pile_frozen == ALWAYS and held > 1 and not is_dear(rules, rank):
        value += weights[TRIPLE_ALWAYS if held > 2 else PAIR_ALWAYS]
    if rules.plain:
        return weigh_dear(table, hand, rules, weights, rank, value)
    return weigh_further(table, hand, rules, weights, plan, rank, theirs, scale, value)


@strategy(kind="discard", weights=WEIGHTS)
def discard_weighed(table, hand, rules, weights, plan):
    """The kind with the highest sum, the first of equals."""
    following = find_next(table, hand.seat)
    theirs = table.seat_sides[following]
    points = weights[POINTS_OPENED] if table.opened[theirs] else weights[POINTS]
    scale = scale_danger(table, weights)
    best, most = -1, -1e9
    usual = rules.plain and rules.pile_frozen != ALWAYS and not is_charged(rules)
    if not rules.plain:
        clear_tally(plan, MELDS)
    kinds = find_discards(table, hand, rules)
    if hand.keeps:
        kinds = spare_straight(hand, kinds)
    while kinds != 0:
        kind = find_lowest(kinds)
        kinds &= kinds - 1
        if kind < NATURAL_KINDS:
            value = weigh_natural(table, hand, weights, kind, following, theirs, scale, points)
            if not usual:
                value = weigh_rank(table, hand, rules, weights, plan, kind, theirs, scale, value)
        else:
            value = weigh_special(table, hand, weights, kind, theirs)
        if value > most:
            best, most = kind, value
    if rules.sequences and 0 <= best < NATURAL_KINDS:
        return choose_card(table, hand, plan, best, theirs)
    return find_card(hand, best)
