"""What of the rules the referee asks at every card, looked up once: seats, sides, copies of cards, what freezes.

Readings that no parameter names stand here, each in one attribute, so that a parameter can take its place.
"""

from __future__ import annotations

from functools import lru_cache

from engine.cards import BLACK_THREES, CARDS, JOKER, JOKERS, RANKS, RED_THREES, TWOS
from engine.rules import Rules, side_of_seats

_KINDS = {
    "wild": (TWOS, JOKERS),
    "black3": (BLACK_THREES,),
    "red3": (RED_THREES,),
    "red3_discard": (RED_THREES,),
    "7": (RANKS.index("7"),),
}


class Book:
    """What of the rules is asked at every card, looked up once.

    `order` is the seats that play, in turn order; of five seats one sits out and seat 5 plays in its place.
    """

    def __init__(self, rules: Rules, sits_out: int = 0) -> None:
        sides = side_of_seats(rules)
        self.seats = rules.players
        self.sits_out = sits_out
        self.order = [seat for seat in range(1, rules.players + 1) if seat != sits_out]
        if sits_out == 3:
            self.order = [1, 2, 5, 4]
        self.sides = max(sides) + 1
        self.side_of = (-1, *sides)  # by seat
        self.copies = [rules.packs] * len(CARDS)
        self.copies[JOKER] = rules.jokers
        self.pack = 52 * rules.packs + rules.jokers
        self.always_frozen = rules.pile_frozen == "always"
        self.laid_threes = frozenset(
            kind
            for kind, laid in (
                (RED_THREES, rules.red3_use == "lay_replace"),
                (BLACK_THREES, rules.black3_role == "bonus"),
            )
            if laid
        )
        # Threes that are laid when the pile brings them: a red three wherever it is no card to play with (§1.3).
        self.laid_from_pile = self.laid_threes | (
            frozenset() if rules.red3_use == "on_clean_canasta" else frozenset({RED_THREES})
        )
        self.freezing = frozenset(kind for word in rules.freeze_by for kind in _KINDS.get(word, ()))
        self.freezing_upcards = self.freezing - {RED_THREES} | (
            {RED_THREES} if "red3_upcard" in rules.freeze_by else frozenset()
        )
        # A wild and a red three are never taken, whatever is on the list (RULES §1.7).
        self.untakeable = frozenset(
            {TWOS, JOKERS, RED_THREES} | {kind for word in rules.untakeable_tops for kind in _KINDS[word]}
        )
        self.several = rules.same_rank_melds == "several"
        self.threes_as_rank = rules.black3_meld == "as_rank" and rules.black3_role != "bonus"
        self._read_more(rules)
        self._read_house_rules(rules)

    def _read_house_rules(self, rules: Rules) -> None:
        """Parameters that house rules brought."""
        self.full_sequences_grow = rules.full_sequence_add == "going_out"
        self.meld_from = rules.meld_from_round
        self.removes_rest = rules.pile_rest == "removed"
        self.freeze_ends = rules.freeze_ends
        self.freeze_limit = rules.freeze_limit
        self.counts_as_many_as_out = rules.counted_canastas == "as_many_as_out"
        self.one_turn_bonus = rules.one_turn_canasta_bonus
        self.match_win = frozenset(rules.match_win)

    def _read_more(self, rules: Rules) -> None:
        """Readings of the text that no parameter names."""
        # §7: both bonuses for wild canastas are only for the side that goes out.
        self.wild_bonus_needs_out = "wild_canasta_excluded" in rules.out_conditions
        # §10: a red three that stays in the hand counts 5.
        self.held_red_three = 5 if rules.last_red3 == "stays_in_hand" else 0
        # §10: one three may be kept for a straight while the side has not opened.
        self.keeps_a_three = "straight" in rules.special_hands

    def next_of(self, seat: int) -> int:
        """The seat that plays after a seat; who sits out holds the place of the seat that plays in its stead."""
        if seat in self.order:
            return self.order[(self.order.index(seat) + 1) % len(self.order)]
        if self.sits_out == 1:
            return 2
        place = 5 if self.sits_out != 5 else self.order[-1]
        return self.next_of(place)


@lru_cache(maxsize=64)
def open_book(rules: Rules, sits_out: int = 0) -> Book:
    """The book of some rules."""
    return Book(rules, sits_out)
