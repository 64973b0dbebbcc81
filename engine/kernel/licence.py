"""What a side needs before one of its seats may go out. Sources: RULES §1.9, §4, §7, §9, §10, §15, §17."""

from __future__ import annotations

from engine.cards import ACES, NATURAL_KINDS, SEVENS
from engine.jit import jit
from engine.kernel.melds import AS_RANK, CANASTA, count_cards
from engine.kernel.outline import outline
from engine.kernel.places import count_places, find_kind
from engine.kernel.state import SEQUENCE, THREES_MELD, WILD_MELD
from engine.rules import bit

NO_WILD_CANASTA = bit("out_conditions", "wild_canasta_excluded")
RED3_EACH = bit("out_conditions", "red3_per_canasta")
NO_OPEN_SPECIAL = bit("out_conditions", "no_open_special_meld")


@jit
def count_canastas_with(table, side, plan):
    """Canastas the side would have once the tallied plan lies on the table, where the rules are plain."""
    canastas = table.canastas[side]
    for meld in range(NATURAL_KINDS):
        added = plan.add_naturals[meld] + plan.add_twos[meld] + plan.add_jokers[meld]
        size = count_cards(table, side, meld)
        if size < CANASTA <= size + added:
            canastas += 1
    return canastas


@jit
def count_size(table, side, plan, place, with_plan):
    """Cards of a place, the plan's counted or not (1, 0)."""
    added = plan.add_naturals[place] + plan.add_twos[place] + plan.add_jokers[place]
    return count_cards(table, side, place) + with_plan * added


@jit
def count_wilds(table, side, plan, place, with_plan):
    """Wild cards of a place, the plan's counted or not."""
    added = plan.add_twos[place] + plan.add_jokers[place]
    return table.twos[side, place] + table.jokers[side, place] + with_plan * added


@jit
def count_type(table, side, plan, with_plan, wanted):
    """Canastas of a type: 0 natural, 1 mixed, 2 sequence, 3 wild, 4 natural of sevens, 5 mixed of sevens, 6 royal."""
    found = 0
    for place in range(count_places(table, side, plan) - (1 - with_plan) * plan.news):
        if count_size(table, side, plan, place, with_plan) < CANASTA:
            continue
        kind = find_kind(table, side, plan, place)
        mixed = 1 if count_wilds(table, side, plan, place, with_plan) > 0 else 0
        if kind >= SEQUENCE:
            of = 2
        elif kind >= WILD_MELD:
            of = 3 if kind == WILD_MELD else 6
        else:
            of = 4 + mixed if kind == SEVENS and wanted >= 4 else mixed
        found += of == wanted
    return found


@jit
def has_types(table, rules, side, plan, with_plan):
    """Whether the side has the types of canasta that going out takes, one of sevens not counted twice (RULES §17)."""
    if rules.canastas_out_types_sequence > count_type(table, side, plan, with_plan, 2):
        return False
    if rules.canastas_out_types_wild > count_type(table, side, plan, with_plan, 3):
        return False
    natural = count_type(table, side, plan, with_plan, 0) - rules.canastas_out_types_natural
    mixed = count_type(table, side, plan, with_plan, 1) - rules.canastas_out_types_mixed
    if natural < 0 or mixed < 0:
        return False
    needed = rules.canastas_out_types_7
    if needed == 0:
        return True
    of_natural = min(natural, count_type(table, side, plan, with_plan, 4))
    return of_natural + min(mixed, count_type(table, side, plan, with_plan, 5)) >= needed


@jit
def has_open_special(table, side, plan, with_plan):
    """Whether the side has an incomplete meld of sevens, of aces without a wild card, or of wild cards (RULES §10)."""
    for place in range(count_places(table, side, plan) - (1 - with_plan) * plan.news):
        if 0 < count_size(table, side, plan, place, with_plan) < CANASTA:
            kind = find_kind(table, side, plan, place)
            if kind in (SEVENS, WILD_MELD):
                return True
            if kind == ACES and count_wilds(table, side, plan, place, with_plan) == 0:
                return True
    return False


@jit
def count_all(table, rules, side, plan, with_plan):
    """Canastas of the side that count for going out, and all it has."""
    counted, there = 0, 0
    for place in range(count_places(table, side, plan) - (1 - with_plan) * plan.news):
        if count_size(table, side, plan, place, with_plan) >= CANASTA:
            kind = find_kind(table, side, plan, place)
            if kind == THREES_MELD and rules.black3_meld != AS_RANK:
                continue
            there += 1
            counted += kind != WILD_MELD or (rules.out_conditions & NO_WILD_CANASTA) == 0
    return counted, there


@jit
def count_red_threes(table, side):
    """Red threes of those who play on a side; where sides form during the deal each has laid its own (RULES §1.11)."""
    threes = 0
    for home in range(table.sides):
        threes += table.red_threes[home] * (side == (table.seat_sides[home] if table.lone >= 0 else home))
    return threes


@outline
def has_licence(table, rules, side, plan, with_plan):
    """Whether the side has all that going out takes besides playing the last card, the plan counted or not (1, 0)."""
    counted, there = count_all(table, rules, side, plan, with_plan)
    if counted < rules.canastas_out or not has_types(table, rules, side, plan, with_plan):
        return False
    if rules.out_conditions & RED3_EACH and count_red_threes(table, side) < there:
        return False
    return (rules.out_conditions & NO_OPEN_SPECIAL) == 0 or not has_open_special(table, side, plan, with_plan)


@jit
def may_go_out(table, hand, rules, plan):
    """Whether the seat's side may go out with the melds on the table."""
    if rules.plain:
        return table.canastas[hand.side] >= rules.canastas_out
    return has_licence(table, rules, hand.side, plan, 0)


@jit
def may_go_out_with(table, hand, rules, plan):
    """Whether the seat's side may go out once the tallied plan lies on the table."""
    if rules.plain:
        return count_canastas_with(table, hand.side, plan) >= rules.canastas_out
    return has_licence(table, rules, hand.side, plan, 1)


@jit
def count_canastas_after(table, rules, side, plan):
    """Canastas of the side once the tallied plan lies on the table."""
    if rules.plain:
        return count_canastas_with(table, side, plan)
    return count_all(table, rules, side, plan, 1)[1]
