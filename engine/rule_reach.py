"""Rules under which something could never happen: refused where nobody could meld or go out, else told in a line.

A bound is only used where it holds whatever is played: what is refused here cannot be reached, what is not may still
be rare. Sources: the parameters' own (`engine.parameters`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.cards import RANKS
from engine.errors import BadInput

if TYPE_CHECKING:
    from engine.parameters import Rules

CANASTA, SPECIAL_HAND = 7, 14
NATURAL_RANKS = RANKS[:11]


def check_reachable(rules: Rules) -> None:
    """Raise BadInput where nobody could ever meld or go out under these rules."""
    _check_first_turn(rules)
    _check_minimum(rules)
    _check_types(rules)
    _check_red_threes(rules)


def find_warnings(rules: Rules) -> list[str]:
    """What these rules allow or name and yet never pays or never happens, a sentence each."""
    return [*_unpaid(rules), *_pays_less(rules), *_inert(rules)]


def _active(rules: Rules) -> int:
    return 4 if rules.sides == "two_v_three" else rules.players


def _check_first_turn(rules: Rules) -> None:
    """Until somebody may take the pile, every turn takes draw_count cards from the stock, which ends."""
    stock = 52 * rules.packs + rules.jokers - _active(rules) * (rules.hand_size + rules.reserve_size)
    turns = -(-stock // rules.draw_count)
    rounds = -(-turns // _active(rules))
    if rules.meld_from_round > rounds:
        raise BadInput(
            f"meld_from_round={rules.meld_from_round}: the stock of {stock} cards lasts for {rounds} rounds at most, "
            f"so nobody could meld; allowed: at most {rounds}"
        )


def _check_minimum(rules: Rules) -> None:
    """A hand that draws one card and throws one never grows before its side opens."""
    if rules.draw_count > 1 or rules.initial_waivers:
        return
    cards = rules.hand_size + 1
    jokers = min(cards, rules.jokers)
    most = 50 * jokers + 20 * (cards - jokers)
    least = min(minimum for _, minimum in rules.initial_minimums)
    if least > most:
        raise BadInput(
            f"initial_minimums asks for {least} points at least; {cards} cards hold at most {most}, so nobody could "
            f"open; allowed: a row of {most} or less"
        )


def _check_types(rules: Rules) -> None:
    """Canastas that must be among those for going out, and cannot be made, or not so many of them."""
    asked = rules.canastas_out_types
    closed = all(rules.natural_only_ranks.get(rank) == "always" for rank in NATURAL_RANKS)
    if "mixed" in asked and (rules.max_wilds == 0 or closed):
        why = "max_wilds=0" if rules.max_wilds == 0 else "natural_only_ranks=always for every rank"
        raise BadInput(f"canastas_out_types=mixed does not go with {why}: nobody could go out; allowed: without mixed")
    for word, name, cards in (
        ("7", "sevens", _cards_of_sevens(rules)),
        ("wild", "wild cards", 4 * rules.packs + rules.jokers),
    ):
        most = cards // CANASTA
        if rules.same_rank_melds == "one" or (word == "7" and rules.closed_ranks_dead):
            most = min(most, 2 if rules.sides == "lone_hand" else 1)  # partners of a deal keep both
        if asked.get(word, 0) > most:
            raise BadInput(
                f"canastas_out_types asks for {asked[word]} canastas of {name}, of which a side can make {most} with "
                f"same_rank_melds={rules.same_rank_melds} and packs={rules.packs}: nobody could go out; allowed: at "
                f"most {most}"
            )


def _cards_of_sevens(rules: Rules) -> int:
    """Cards that melds of sevens could hold at most."""
    if rules.natural_only_ranks.get("7") == "always":
        return 4 * rules.packs
    return 4 * rules.packs + min(4 * rules.packs + rules.jokers, 7 * rules.max_wilds)


def _check_red_threes(rules: Rules) -> None:
    """A red three for every canasta, where the pack has too few, or each needs a clean canasta."""
    if "red3_per_canasta" not in rules.out_conditions:
        return
    threes = 2 * rules.packs
    if rules.canastas_out > threes:
        raise BadInput(
            f"out_conditions=red3_per_canasta with canastas_out={rules.canastas_out} asks for more red threes than the "
            f"{threes} of packs={rules.packs}: nobody could go out; allowed: canastas_out={threes} or less"
        )
    if rules.red3_use == "on_clean_canasta" and "mixed" in rules.canastas_out_types:
        raise BadInput(
            "out_conditions=red3_per_canasta with red3_use=on_clean_canasta does not go with canastas_out_types=mixed: "
            "a mixed canasta bears no red three, so nobody could go out; allowed: without mixed"
        )


def _unpaid(rules: Rules) -> Iterator[str]:
    """Types of canasta that the rules allow and that pay nothing."""
    bonus, unpaid = rules.canasta_bonus, []
    if rules.sequences and not bonus.get("sequence"):
        unpaid.append("sequence")
    if rules.wild_melds != "none" and not bonus.get("wild"):
        kinds = [key for key in ("wild_4_jokers", "wild_all_twos") if not bonus.get(key)]
        unpaid.append("wild" if len(kinds) != 1 else f"wild (and {kinds[0]})")
    if rules.black3_meld == "as_rank" and "royal" in bonus and bonus["royal"] == 0:
        unpaid.append("royal")
    unpaid += [key for key in ("natural", "mixed") if bonus[key] == 0]
    for key in unpaid:
        yield f"canastas of type {key} may be made and pay no bonus: canasta_bonus has none for them"


def _pays_less(rules: Rules) -> Iterator[str]:
    """Canastas of sevens that open the way out and do not pay as such."""
    mixed_pays = "rank:7:any" in rules.canasta_bonus or "rank:7" not in rules.canasta_bonus
    if "7" in rules.canastas_out_types and not mixed_pays and rules.natural_only_ranks.get("7") != "always":
        yield "a mixed canasta of sevens counts as one of sevens for going out and pays as mixed: rank:7 is of natural"


def _inert(rules: Rules) -> Iterator[str]:
    """Rules that change nothing beside the others."""
    grown = rules.hand_size + rules.draw_count
    if rules.special_hands and (grown > SPECIAL_HAND or (grown < SPECIAL_HAND and rules.draw_count == 1)):
        yield (
            f"special_hands never happen: they are {SPECIAL_HAND} cards after a draw, and hand_size={rules.hand_size} "
            f"with draw_count={rules.draw_count} makes {'fewer' if grown < SPECIAL_HAND else 'more'} before opening"
        )
    if rules.full_sequence_add != "never" and not rules.sequences:
        yield f"full_sequence_add={rules.full_sequence_add} changes nothing: sequences=no"
    if rules.freeze_ends != "taken" and rules.pile_frozen == "always":
        yield f"freeze_ends={rules.freeze_ends} changes nothing: pile_frozen=always"
    if rules.open_wild_meld_locks_wilds and rules.wild_melds == "none":
        yield "open_wild_meld_locks_wilds changes nothing: wild_melds=none"
