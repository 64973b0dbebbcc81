"""What a side's first meld of a deal must be: its points and what it must contain. Sources: RULES §1.6, §5, §7, §10.

The opening is the one plan that opens; what later plans of the turn lay is no part of it.
"""

from __future__ import annotations

from engine.cards import NATURAL_KINDS
from engine.faults import fault
from engine.jit import jit
from engine.kernel.melds import CANASTA
from engine.kernel.outline import outline
from engine.kernel.places import count_places, find_kind
from engine.kernel.state import SEQUENCE, WILD_MELD
from engine.rules import bit, code

ANY, NATURALS_ONLY, CLEAN_TRIPLE, CLEAN_OR_WILD, ANY_CANASTA, NATURAL_CANASTA = (
    code("initial_content", word)
    for word in ("any", "naturals_only", "clean_triple", "clean_or_wild_triple", "any_canasta", "natural_canasta")
)
AFTER_OWN = code("initial_pile", "after_own")
SPLASH = bit("initial_waivers", "splash")
F_MINIMUM, F_CONTENT = fault("minimum"), fault("opening_content")


@jit
def find_content(table, rules, side):
    """Code of what the side's opening must contain by its score before the deal."""
    content = ANY
    for row in range(rules.content_rows):
        if row == 0 or table.scores[side] >= rules.content_from[row]:
            content = rules.content_word[row]
    return content


@jit
def count_planned_wilds(plan, place):
    """Wild cards the tallied plan lays in a place."""
    return plan.add_twos[place] + plan.add_jokers[place]


@jit
def has_any_wild(table, side, plan):
    """Whether the plan lays a wild card."""
    wilds = 0
    for place in range(count_places(table, side, plan)):
        wilds += count_planned_wilds(plan, place)
    return wilds > 0


@jit
def has_canasta(table, side, plan, mixed_counts):
    """Whether the plan lays a canasta, a mixed one only if that counts."""
    for place in range(count_places(table, side, plan)):
        naturals, wilds = plan.add_naturals[place], count_planned_wilds(plan, place)
        if naturals + wilds >= CANASTA and (mixed_counts or naturals == 0 or wilds == 0):
            return True
    return False


@jit
def has_triple(table, side, plan, wild_counts):
    """Whether the plan lays a clean triple, or a wild meld if that counts, and no mixed canasta (RULES §10)."""
    found = False
    for place in range(count_places(table, side, plan)):
        naturals, wilds = plan.add_naturals[place], count_planned_wilds(plan, place)
        kind = find_kind(table, side, plan, place)
        if kind < NATURAL_KINDS and naturals + wilds >= CANASTA and wilds > 0:
            return False
        found = found or (kind < NATURAL_KINDS and naturals >= 3 and wilds == 0)
        found = found or (wild_counts and kind == WILD_MELD and wilds >= 3)
    return found


@jit
def may_contain(table, side, plan):
    """Whether the tallied plan contains what the side's opening must."""
    content = table.content[side]
    if content == NATURALS_ONLY:
        return not has_any_wild(table, side, plan)
    if content in (CLEAN_TRIPLE, CLEAN_OR_WILD):
        return has_triple(table, side, plan, content == CLEAN_OR_WILD)
    if content in (ANY_CANASTA, NATURAL_CANASTA):
        return has_canasta(table, side, plan, content == ANY_CANASTA)
    return True


@jit
def is_splash(table, rules, side, plan, joined):
    """Whether the plan lays a whole natural or wild canasta of a kind, which may open without a minimum (RULES §10).

    It comes from the hand: an upcard in the tally, at the place `joined`, is none of its seven (−1: no take).
    """
    if (rules.initial_waivers & SPLASH) == 0:
        return False
    for place in range(count_places(table, side, plan)):
        naturals, wilds = plan.add_naturals[place] - (place == joined), count_planned_wilds(plan, place)
        if find_kind(table, side, plan, place) < SEQUENCE and naturals + wilds >= CANASTA and naturals * wilds == 0:
            return True
    return False


@outline
def find_content_fault(table, rules, side, plan, joined):
    """Reason against opening with the tallied plan where the rules are not plain, 0 for none."""
    if is_splash(table, rules, side, plan, joined):
        return 0
    if plan.points < table.minimum[side]:
        return F_MINIMUM
    return 0 if may_contain(table, side, plan) else F_CONTENT


@jit
def find_opening_fault(table, rules, side, plan, joined):
    """Reason against opening with the tallied plan, 0 for none; its points hold the upcard where it counts."""
    if not rules.plain:
        return find_content_fault(table, rules, side, plan, joined)
    return F_MINIMUM if plan.points < table.minimum[side] else 0
