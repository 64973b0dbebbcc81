"""Bonuses of canastas and penalties for incomplete melds, in a side's row of `sides`. Sources: RULES §1.10, §3-§17."""

from __future__ import annotations

from engine.cards import ACES, BLACK_THREES, JOKERS, NATURAL_KINDS, POINTS_OF_KIND, SEVENS, TWOS
from engine.jit import jit
from engine.kernel.melds import AS_RANK, CANASTA, count_cards, find_kind_on_table
from engine.kernel.state import FIRST_PLACES, SEQUENCE, THREES_MELD, WILD_MELD

SHORT_SEQUENCE = 5


@jit
def clear_counts(log, row):
    """Nothing has been counted in a row of `sides`, whatever its points."""
    log.sides_natural_by_rank[:, row] = 0
    log.sides_mixed_by_rank[:, row] = 0
    log.sides_natural_canastas[row] = 0
    log.sides_mixed_canastas[row] = 0
    log.sides_wild_canastas[row] = 0
    log.sides_sequence_canastas[row] = 0
    log.sides_royal_canastas[row] = 0
    log.sides_melded_cards[row] = 0


@jit
def clear_melds(log, row):
    """Nothing has been counted in a row of `sides`, and its melds have no points."""
    clear_counts(log, row)
    log.sides_natural_points[row] = 0
    log.sides_mixed_points[row] = 0
    log.sides_wild_points[row] = 0
    log.sides_sequence_points[row] = 0
    log.sides_royal_points[row] = 0
    log.sides_card_points[row] = 0


@jit
def count_wild_bonus(rules, jokers):
    """Bonus of a canasta of wild cards."""
    if jokers >= 4:
        return rules.bonus_wild_4_jokers
    return rules.bonus_wild_all_twos if jokers == 0 else rules.canasta_bonus_wild


@jit
def count_royal_bonus(rules, wilds):
    """Bonus of a canasta of black threes; where it has no number, that of any other (RULES §18)."""
    if rules.bonus_royal >= 0:
        return rules.bonus_royal
    return rules.canasta_bonus_natural if wilds == 0 else rules.canasta_bonus_mixed


@jit
def add_bonus(log, row, kind, wilds, points):
    """Add points, which may be negative, to the bonus of a canasta's type."""
    if kind >= SEQUENCE:
        log.sides_sequence_points[row] += points
    elif kind == WILD_MELD:
        log.sides_wild_points[row] += points
    elif kind == THREES_MELD:
        log.sides_royal_points[row] += points
    elif wilds == 0:
        log.sides_natural_points[row] += points
    else:
        log.sides_mixed_points[row] += points


@jit
def count_canasta(log, row, kind, wilds):
    """Count a canasta by its type, of a rank by that too."""
    if kind >= SEQUENCE:
        log.sides_sequence_canastas[row] += 1
    elif kind == WILD_MELD:
        log.sides_wild_canastas[row] += 1
    elif kind == THREES_MELD:
        log.sides_royal_canastas[row] += 1
    elif wilds == 0:
        log.sides_natural_by_rank[kind, row] += 1
        log.sides_natural_canastas[row] += 1
    else:
        log.sides_mixed_by_rank[kind, row] += 1
        log.sides_mixed_canastas[row] += 1


@jit
def count_bonus_of(rules, kind, twos, jokers):
    """Bonus of a canasta of a kind with so many wild cards."""
    if kind >= SEQUENCE:
        return rules.canasta_bonus_sequence
    if kind == WILD_MELD:
        return count_wild_bonus(rules, jokers)
    if kind == THREES_MELD:
        return count_royal_bonus(rules, twos + jokers)
    return rules.bonus_natural[kind] if twos + jokers == 0 else rules.bonus_mixed[kind]


@jit
def put_canasta(table, rules, log, row, side, place, kind):
    """Count a canasta of any sort; black threes that only going out may meld are none."""
    if kind == THREES_MELD and rules.black3_meld != AS_RANK:
        return
    twos, jokers = table.twos[side, place], table.jokers[side, place]
    count_canasta(log, row, kind, twos + jokers)
    add_bonus(log, row, kind, twos + jokers, count_bonus_of(rules, kind, twos, jokers))


@jit
def count_naturals_points(table, side, place, kind):
    """Points of the naturals in a place."""
    naturals = table.naturals[side, place]
    if kind < NATURAL_KINDS:
        return naturals * POINTS_OF_KIND[kind]
    if kind == THREES_MELD:
        return naturals * POINTS_OF_KIND[BLACK_THREES]
    points = 0
    for step in range(naturals):
        points += POINTS_OF_KIND[(kind - SEQUENCE) % 16 + step]
    return points


@jit
def put_melds(table, rules, log, row, side):
    """Canastas and melded cards of a side in its row of `sides`."""
    clear_melds(log, row)
    for place in range(FIRST_PLACES + table.extras[side]):
        size = count_cards(table, side, place)
        if size == 0:
            continue
        kind = find_kind_on_table(table, side, place)
        if size >= CANASTA:
            put_canasta(table, rules, log, row, side, place, kind)
        log.sides_melded_cards[row] += size
        log.sides_card_points[row] += count_naturals_points(table, side, place, kind)
        log.sides_card_points[row] += table.twos[side, place] * POINTS_OF_KIND[TWOS]
        log.sides_card_points[row] += table.jokers[side, place] * POINTS_OF_KIND[JOKERS]


@jit
def count_set_points(rules, log, row):
    """Bonus for collections of canastas: the best of natural and mixed ones, and those of any (RULES §7, §8)."""
    natural, mixed = log.sides_natural_canastas[row], log.sides_mixed_canastas[row]
    every = natural + mixed + log.sides_wild_canastas[row] + log.sides_sequence_canastas[row]
    every += log.sides_royal_canastas[row]
    points = 0
    if natural >= 5:
        points = rules.set_bonuses_five_natural
    if natural >= 4 and mixed >= 1:
        points = max(points, rules.set_bonuses_four_natural_one_mixed)
    if every >= 10:
        points += rules.set_bonuses_ten_any
    return points + (rules.set_bonuses_seven_any if every >= 7 else 0)


@jit
def count_open_penalty(table, rules, side, place, kind):
    """Penalty for one meld that has not become a canasta (RULES §5, §10, §16)."""
    size = count_cards(table, side, place)
    if kind >= SEQUENCE:
        return rules.open_meld_penalty_sequence_lt5 if size < SHORT_SEQUENCE else 0
    if kind == WILD_MELD:
        four = table.jokers[side, place] >= 4
        return rules.penalty_wild_4_jokers if four else rules.open_meld_penalty_wild
    if kind == SEVENS:
        return rules.open_meld_penalty_7
    pure = table.twos[side, place] + table.jokers[side, place] == 0
    return rules.open_meld_penalty_A if kind == ACES and pure else 0


@jit
def count_open_penalties(table, rules, side):
    """Penalties for all melds of a side that have not become canastas."""
    points = 0
    for place in range(FIRST_PLACES + table.extras[side]):
        if 0 < count_cards(table, side, place) < CANASTA:
            points += count_open_penalty(table, rules, side, place, find_kind_on_table(table, side, place))
    return points


@jit
def count_held_charge(hand, rules, kind, fee):
    """What threes of a kind cost in hand beyond their points, where the rules charge a fee in their place."""
    return hand.kinds[kind] * (fee - POINTS_OF_KIND[kind]) if fee >= 0 else 0


@jit
def count_held_penalty(hand, rules):
    """Penalties for aces and sevens left in one hand (RULES §10, §16)."""
    points = rules.held_penalty_A3 if hand.kinds[ACES] >= 3 else 0
    if hand.kinds[SEVENS] >= 3:
        points += rules.held_penalty_7_3
    return points + (rules.held_penalty_7_gt3 if hand.kinds[SEVENS] > 3 else 0)
