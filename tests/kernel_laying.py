"""Cards laid and melds joined on the way of a hand history through the kernel: `kernel_judge` leads the rest."""

from __future__ import annotations

from kernel_melds import NOWHERE, find_any_place, is_beyond_repair
from kernel_walk import Walk

from engine.cards import KIND_OF, NATURAL_KINDS, NO_CARD, RANKS
from engine.history.record import Action
from engine.kernel.commit import GOING_OUT_ONLY
from engine.kernel.melds import count_cards, is_wild, may_lie
from engine.kernel.places import find_kind
from engine.kernel.state import SEQUENCE, THREES_MELD, WILD_MELD
from engine.kernel.tally import tally_plan
from engine.kernel.turn import join_once

MANY = 100


class Laying(Walk):
    """What lays cards; commit points and ends of turns are the judge's."""

    def commit(self) -> None:
        raise NotImplementedError

    def end(self, card: int) -> None:
        raise NotImplementedError

    def find_meld(self, action: Action, kinds: set[int]) -> int:
        """The kernel's place of the meld that an action's cards join, given their natural kinds."""
        if not self.kernel.rules.plain:
            return find_any_place(self, action)
        named = min(kinds) if kinds else WILD_MELD
        if action.aim is None:
            return min(named, THREES_MELD)
        side, mark, rest = action.aim.rpartition(":")
        if mark and int(side) - 1 != self.hand.side:
            return NOWHERE
        rank, _, which = rest.partition(".")
        place = {"wild": WILD_MELD, "3": THREES_MELD}.get(rank, RANKS.index(rank) if rank in RANKS else NOWHERE)
        there = place < NATURAL_KINDS and (
            count_cards(self.kernel.table, self.hand.side, place) > 0 or any(meld == place for _, meld in self.rows)
        )
        return NOWHERE if which and which != "1" and (there or which != "new") else place

    def act_meld(self, action: Action) -> None:
        table, hand, rules, _, _ = self.state
        kinds = {int(KIND_OF[card]) for card in action.cards if not is_wild(KIND_OF[card])}
        meld = self.find_meld(action, kinds)
        self.first_meld = self.first_meld or self.number
        if not self.began and table.opened[hand.side] and (table.pile_count == 0 or not self.is_for_upcard(meld)):
            self.refuse("before a take a side that has opened lays only what justifies it")
        self.rows += [(card, meld) for card in action.cards]
        plan = self.fill_plan()
        wrong = tally_plan(table, hand, rules, plan)
        if wrong:
            self.refuse("a card not held" if wrong == 1 else "a card that cannot join this meld")
        if not rules.plain:
            if is_beyond_repair(self, meld, action.cards):
                self.refuse("a meld that no later card can make valid")
            if self.began and plan.rows == hand.count:
                self.commit()
                self.end(NO_CARD)
            return
        wilds = (
            table.twos[hand.side, meld] + table.jokers[hand.side, meld] + plan.add_twos[meld] + plan.add_jokers[meld]
        )
        if meld < NATURAL_KINDS and not may_lie(rules, MANY, wilds):
            self.refuse("more wild cards than any naturals could bear")
        if meld == THREES_MELD and rules.black3_meld != GOING_OUT_ONLY:
            self.refuse("black threes are never melded")
        if self.began and plan.rows == hand.count:
            self.commit()
            self.end(NO_CARD)

    def act_join(self, action: Action) -> None:
        """Two melds of a rank, each found as cards aimed at it would be."""
        table, hand, rules, croupier, log = self.state
        self.commit()
        plan = self.fill_plan()
        places = [find_any_place(self, Action(action.seat, "meld", (), aim)) for aim in (action.word, action.aim)]
        plan.joins, plan.join_from[0], plan.join_to[0] = 1, *places
        self.need(join_once(table, hand, rules, croupier, log, plan))

    def is_for_upcard(self, meld: int) -> bool:
        """Whether cards laid to a place before a take can justify it."""
        table, hand = self.kernel.table, self.hand
        kind = find_kind(table, hand.side, self.fill_plan(), meld) if meld != NOWHERE else -1
        same_suit = kind >= SEQUENCE and (kind - SEQUENCE) // 16 == table.upcard % 4
        return bool(kind == min(KIND_OF[table.upcard], THREES_MELD) or same_suit)
