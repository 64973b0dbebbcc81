"""The rules as compiled code reads them: one record, and the codes and bits of its words.

Everything about rules can be imported from here; the declarations are in `engine.parameters`, the
variants in `engine.variant`, the checks in `engine.rule_checks`.
"""

from __future__ import annotations

import numpy as np

from engine.cards import RANKS
from engine.parameter_kinds import SEAT_LIMIT, Parameter, Word, Words
from engine.parameter_tables import BonusCards, Contents
from engine.parameter_text import FrozenMap
from engine.parameters import PARAMETERS, Rules, parameter_named
from engine.rule_checks import check_combination, check_playable
from engine.rule_reach import find_warnings
from engine.variant import Variant, load_variant, parse_changes, variant_names

__all__ = [
    "PARAMETERS",
    "RULES",
    "FrozenMap",
    "Parameter",
    "Rules",
    "Variant",
    "bit",
    "check_combination",
    "check_playable",
    "code",
    "compile_rules",
    "find_warnings",
    "load_variant",
    "parse_changes",
    "side_of_seats",
    "variant_names",
]

SPECIAL_HANDS = parameter_named("special_hands").keys  # type: ignore[attr-defined]
RULES = np.dtype(
    [
        *(field for parameter in PARAMETERS.values() for field in parameter.fields()),
        ("has_special", np.int32),
        ("special_awards", np.int32, (len(SPECIAL_HANDS),)),
        ("plain", np.int32),
        ("natural_only", np.int32, (11,)),
        ("bonus_natural", np.int32, (11,)),
        ("bonus_mixed", np.int32, (11,)),
        *((name, np.int32) for name in ("bonus_wild_4_jokers", "bonus_wild_all_twos", "bonus_royal")),
        *((name, np.int32) for name in ("penalty_wild_4_jokers", "fee_black3", "fee_red3")),
        ("side_count", np.int32),
        ("seat_sides", np.int32, (SEAT_LIMIT,)),
    ]
)
"""The compiled record, all int32, of one set of rules.

- numbers and yes/no: the parameter's name; none → 0
- words: the parameter's name; the place of the word from 0 (`code`)
- sets: the parameter's name; a mask (`bit`)
- maps: `parameter_key` for every allowed key, `:` → `_`; a key not given → 0.
  `natural_only_ranks_R`: 0 = takes wilds, 1 = always, 2 = opening_only
- `red3_totals` [16]: place k − 1 = total for k red threes, the last repeated
- `minimum_rows`, `minimum_from` [8], `minimum_count` [8]: rows of initial_minimums; of the first
  `minimum_rows` the last whose `from` is reached (score before the deal, or number of the deal) holds
- `content_rows`, `content_from` [8], `content_word` [8]: the same for initial_content (`code`)
- `initial_draw_counts` [6], `initial_draw_when`
- `has_special`; `special_awards` [11]: points by place of the special hand's name
- `plain`: 1 where melds are of one rank each, one a rank, with no limits but naturals and wild cards, and going out
  takes no canastas but a number of any: compiled code leaves everything else about melds aside then
- `natural_only` [11] = `natural_only_ranks_R`; `bonus_natural`, `bonus_mixed` [11]: bonus of a canasta of each rank
- `bonus_wild_4_jokers`, `bonus_wild_all_twos`, `penalty_wild_4_jokers`: their keys' numbers, where not given those of
  `wild`; `bonus_royal`, `fee_black3`, `fee_red3` (of threes held): −1 where not given, and 5 for a
  red three that stays in the hand as the last stock card
- `side_count`; `seat_sides` [6]: side of each seat, both from 0
"""


def compile_rules(rules: Rules) -> np.record:
    """The record of dtype `RULES` for a set of rules; a new one each time."""
    record = np.zeros(1, RULES).view(np.recarray)[0]
    for name, parameter in PARAMETERS.items():
        for field, value in parameter.encode(getattr(rules, name)).items():
            record[field] = value
    record["special_awards"] = [rules.special_hands.get(name, 0) for name in SPECIAL_HANDS]
    record["has_special"] = bool(rules.special_hands)
    bonuses = rules.canasta_bonus
    _fill_in(record, rules)
    for place, rank in enumerate(RANKS[:11]):
        either = bonuses.get(f"rank:{rank}:any")
        record["natural_only"][place] = record[f"natural_only_ranks_{rank}"]
        natural = bonuses.get(f"rank:{rank}", either)
        record["bonus_natural"][place] = bonuses["natural"] if natural is None else natural
        record["bonus_mixed"][place] = bonuses["mixed"] if either is None else either
    record["plain"] = is_plain(rules)
    sides = side_of_seats(rules)
    record["side_count"] = max(sides) + 1
    record["seat_sides"][: len(sides)] = sides
    return record


def _fill_in(record: np.record, rules: Rules) -> None:
    """Numbers of keys not given that stand for others; a red three kept as the last stock card counts 5 (§10)."""
    for key in ("wild_4_jokers", "wild_all_twos"):
        record[f"bonus_{key}"] = rules.canasta_bonus.get(key, rules.canasta_bonus.get("wild")) or 0
    royal = rules.canasta_bonus.get("royal")
    record["bonus_royal"] = -1 if royal is None else royal
    penalties, held = rules.open_meld_penalty, rules.held_penalty
    record["penalty_wild_4_jokers"] = penalties.get("wild_4_jokers", penalties.get("wild", 0))
    record["fee_black3"] = held.get("black3", -1)
    record["fee_red3"] = held.get("red3", 5 if rules.last_red3 == "stays_in_hand" else -1)


_PLAIN = {
    "wild_add_min_naturals": 0,
    "natural_only_ranks": FrozenMap(),
    "sequences": False,
    "wild_melds": "none",
    "max_meld_size": None,
    "same_rank_melds": "one",
    "closed_ranks_dead": False,
    "initial_content": "any",
    "canastas_out_types": FrozenMap(),
    "out_conditions": (),
}
"""Values of plain rules; where sides form during a deal, one may get two melds of a rank."""


def is_plain(rules: Rules) -> bool:
    """Whether melds and going out are the classic game's, whatever the numbers (see `RULES`)."""
    usual = all(getattr(rules, name) == value for name, value in _PLAIN.items())
    return (
        usual
        and rules.sides != "lone_hand"
        and rules.initial_pile != "after_own"
        and rules.reserve_pickup != "first_canasta"
        and rules.black3_meld != "as_rank"
        and "splash" not in rules.initial_waivers
    )


def side_of_seats(rules: Rules) -> tuple[int, ...]:
    """Side of each seat, both from 0; where sides form during the deal, every seat is its own."""
    count = {"two_teams": 2, "two_v_three": 2, "three_teams": 3}.get(rules.sides, rules.players)
    return tuple(seat % count for seat in range(rules.players))


def code(parameter: str, word: str) -> int:
    """The code of a word in the compiled record: `code("wild_ratio", "fewer")` is 2."""
    kind = parameter_named(parameter)
    if not isinstance(kind, (Word, Contents, BonusCards)):
        raise KeyError(f"{parameter} holds no word")
    return kind.words.index(word)


def bit(parameter: str, word: str) -> int:
    """The bit of a word in the mask of a set: `bit("freeze_by", "black3")` is 8."""
    kind = parameter_named(parameter)
    if not isinstance(kind, Words):
        raise KeyError(f"{parameter} is no set")
    return 1 << kind.words.index(word)


if __name__ == "__main__":
    from engine.rules_page import write_page

    print(write_page(), end="")
