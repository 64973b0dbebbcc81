"""Which combinations of rules are impossible, and which the engine does not play yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import BadInput
from engine.log_words import MAX_SAME
from engine.parameter_text import BELOW_ALL
from engine.rule_reach import check_reachable

if TYPE_CHECKING:
    from engine.parameters import Rules

PLAYERS_OF_SIDES = {
    "two_teams": (4, 6),
    "three_teams": (6,),
    "individual": (2, 3, 4, 5, 6),
    "lone_hand": (3,),
    "two_v_three": (5,),
}
"""Numbers of players each word of `sides` can seat."""


def check_combination(rules: Rules) -> None:
    """Raise BadInput when values that are allowed each do not go together."""
    _check_table(rules)
    _check_pack(rules)
    _check_rows(rules)
    _check_out(rules)
    check_reachable(rules)
    if rules.same_rank_melds == "several" and rules.min_naturals == 1 and rules.packs > 4:
        raise BadInput(
            f"same_rank_melds=several with min_naturals=1 and packs={rules.packs}: a side could begin more than "
            f"{MAX_SAME} melds of a rank, which the table has no place for; allowed: min_naturals=2, or packs=4 or less"
        )
    if rules.red3_use == "discardable" and "red3" in rules.discard_bans:
        raise BadInput("red3_use=discardable does not go with discard_bans=red3; allowed: discard_bans without red3")
    _check_threes(rules)
    if rules.target is None and rules.deals is None:
        raise BadInput("target=none and deals=none: a game would never end; give a target or a number of deals")


def _check_threes(rules: Rules) -> None:
    """Red threes are laid and replaced, kept for canastas, or thrown; black ones block, are laid, or set aside."""
    stopping = ("wild",) if rules.black3_role == "bonus" else ("wild", "black3", "red3")
    missing = [word for word in stopping if word not in rules.untakeable_tops]
    if missing:
        raise BadInput(
            f"untakeable_tops={','.join(rules.untakeable_tops) or 'none'} lacks {','.join(missing)}: under a wild card "
            "or a three the pile is never taken (§1.7), also where black threes are melded like a rank; allowed: with "
            "wild, and with black3,red3 but where threes never lie on the pile, black3_role=bonus"
        )
    if rules.black3_role == "bonus" and rules.black3_meld != "never":
        raise BadInput(
            f"black3_role=bonus does not go with black3_meld={rules.black3_meld}: black threes are laid as they come; "
            "allowed: black3_meld=never"
        )
    if "black3" in rules.freeze_by and rules.black3_role == "bonus":
        raise BadInput("freeze_by=black3 does not go with black3_role=bonus; allowed: freeze_by without black3")
    if rules.red3_use == "on_clean_canasta" and rules.last_red3 != "end_at_once":
        raise BadInput(
            f"last_red3={rules.last_red3} does not go with red3_use=on_clean_canasta: a red three is kept like "
            "any card; allowed: last_red3=end_at_once"
        )
    if "three" in rules.discard_bans and (rules.black3_role != "bonus" or rules.red3_use != "lay_replace"):
        raise BadInput(
            f"discard_bans=three does not go with black3_role={rules.black3_role} and red3_use={rules.red3_use}: a "
            "hand of threes could not end its turn; allowed: discard_bans without three, or black3_role=bonus and "
            "red3_use=lay_replace"
        )
    kept = [word for word in ("red3", "three") if word in rules.discard_bans]
    if rules.red3_use == "on_clean_canasta" and kept:
        raise BadInput(
            f"red3_use=on_clean_canasta does not go with discard_bans={','.join(kept)}: a hand of red threes "
            f"could not end its turn; allowed: discard_bans without {' and '.join(kept)}"
        )


def check_playable(rules: Rules) -> None:
    """Raise BadInput naming the first parameter whose value the engine does not play yet."""
    from engine.parameters import PARAMETERS

    for name, parameter in PARAMETERS.items():
        value = getattr(rules, name)
        instead = parameter.find_unplayable(value)
        if instead is not None:
            raise BadInput(f"{name}={parameter.show(value)} is not playable yet; playable: {instead}")


def _check_table(rules: Rules) -> None:
    seats = PLAYERS_OF_SIDES[rules.sides]
    if rules.players not in seats:
        fitting = [word for word, numbers in PLAYERS_OF_SIDES.items() if rules.players in numbers]
        raise BadInput(
            f"sides={rules.sides} does not go with players={rules.players}; allowed: players="
            f"{' or '.join(map(str, seats))}, or sides={' or '.join(fitting)}"
        )
    if rules.sides == "individual" and rules.ask_partner != "none":
        raise BadInput(
            f"ask_partner={rules.ask_partner} needs partners, sides=individual has none; allowed: ask_partner=none"
        )
    if (rules.reserve_size > 0) != (rules.reserve_pickup != "none"):
        raise BadInput(
            f"reserve_size={rules.reserve_size} does not go with reserve_pickup={rules.reserve_pickup}; "
            "allowed: both or neither"
        )
    if rules.reserve_size == 1:
        raise BadInput("reserve_size=1: who takes it up within a turn could not discard; allowed: 0 or from 2")


def _check_pack(rules: Rules) -> None:
    """A deal must always be possible, even if all threes that are laid are dealt and no other card turned may stay."""
    active = 4 if rules.sides == "two_v_three" else rules.players
    pack = rules.packs * 52 + rules.jokers
    dealt = active * (rules.hand_size + rules.reserve_size)
    red_threes = 2 * rules.packs
    laid, threes = (2 * red_threes, "threes") if rules.black3_role == "bonus" else (red_threes, "red threes")
    turned = {"none": 0, "single": 1, "value_pile": 14}.get(rules.upcard, 6 * rules.packs + rules.jokers + 1)
    room = pack - laid - turned
    if dealt > room:
        raise BadInput(
            f"hand_size={rules.hand_size} with reserve_size={rules.reserve_size} for {active} players takes "
            f"{dealt} of {pack} cards; allowed: at most {room}, {threes} and upcard need the rest"
        )
    if len(rules.red3_totals) < red_threes:
        raise BadInput(
            f"red3_totals has {len(rules.red3_totals)} totals but packs={rules.packs} hold {red_threes} red "
            f"threes; allowed: {red_threes} totals or more"
        )


def _check_rows(rules: Rules) -> None:
    first = rules.initial_minimums[0][0]
    if rules.initial_basis == "score" and first != BELOW_ALL:
        raise BadInput(
            f"initial_minimums starts at {first}; with initial_basis=score it must start below every score, "
            "such as <0:15;0:50"
        )
    if rules.initial_basis == "deal" and first != 1:
        raise BadInput(
            f"initial_minimums starts at {'<0' if first == BELOW_ALL else first}; with initial_basis=deal "
            "it must start at deal 1, such as 1:50;2:90"
        )
    if not isinstance(rules.initial_content, str) and rules.initial_content[0][0] != BELOW_ALL:
        raise BadInput("initial_content must start below every score, such as <0:any;7000:any_canasta")


def _check_out(rules: Rules) -> None:
    needed = sum(rules.canastas_out_types.values())
    if needed > rules.canastas_out:
        raise BadInput(
            f"canastas_out_types asks for {needed} canastas, canastas_out={rules.canastas_out}; allowed: "
            f"canastas_out={needed} or more"
        )
    if "sequence" in rules.canastas_out_types and not rules.sequences:
        raise BadInput("canastas_out_types=sequence needs sequences=yes, or nobody could go out")
    if "wild" in rules.canastas_out_types and rules.wild_melds == "none":
        raise BadInput("canastas_out_types=wild needs wild_melds other than none, or nobody could go out")
    reserve = [word for word in rules.out_conditions if word.endswith("reserve_taken")]
    if reserve and not rules.reserve_size:
        raise BadInput(f"out_conditions={','.join(reserve)} needs reserve_size above 0")
