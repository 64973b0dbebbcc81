"""Cards laid and melds joined on the way of a hand history through the kernel: `kernel_judge` leads the rest."""

from __future__ import annotations

from kernel_melds import NOWHERE, find_any_place, is_beyond_repair
from kernel_supply import Supply

from engine.cards import KIND_OF, NATURAL_KINDS, NO_CARD, RANKS
from engine.history.record import UNKNOWN, Action
from engine.kernel.commit import GOING_OUT_ONLY
from engine.kernel.judge import judge_plan
from engine.kernel.melds import count_cards, is_wild, may_lie
from engine.kernel.opening_rules import ANY
from engine.kernel.places import find_kind
from engine.kernel.state import SEQUENCE, THREES_MELD, WILD_MELD
from engine.kernel.tally import tally_plan
from engine.kernel.turn import join_once
from engine.rules import code

FROM_MELDED, TOP7 = code("pile_portion", "from_melded"), code("pile_portion", "top7")
TOP = 7
"""Cards of a pile of which only the top is taken (RULES §9)."""
MANY = 100


class Laying(Supply):
    """What lays cards; commit points and ends of turns are the judge's."""

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
        self.open_first()
        kinds = {int(KIND_OF[card]) for card in action.cards if not is_wild(KIND_OF[card])}
        meld = self.find_meld(action, kinds)
        self.first_meld = self.first_meld or self.number
        if not self.began and table.opened[hand.side] and (table.pile_count == 0 or not self.is_for_upcard(meld)):
            self.refuse("before a take a side that has opened lays only what justifies it")
        self.need_cards(action.cards)
        self.rows += [(card, meld) for card in action.cards]
        plan = self.fill_plan()
        wrong = tally_plan(table, hand, rules, plan)
        if wrong:
            self.refuse("a card not held" if wrong == 1 else "a card that cannot join this meld")
        if table.own_turns[hand.seat] < rules.meld_from_round:
            self.refuse("melds before its round")
        if not rules.plain:
            if is_beyond_repair(self, meld, action.cards):
                self.refuse("a meld that no later card can make valid")
            if self.began and plan.rows == hand.count:
                self.empty_hand()
            return
        wilds = (
            table.twos[hand.side, meld] + table.jokers[hand.side, meld] + plan.add_twos[meld] + plan.add_jokers[meld]
        )
        if meld < NATURAL_KINDS and not may_lie(rules, MANY, wilds):
            self.refuse("more wild cards than any naturals could bear")
        if meld == THREES_MELD and rules.black3_meld != GOING_OUT_ONLY:
            self.refuse("black threes are never melded")
        if self.began and plan.rows == hand.count:
            self.empty_hand()

    def open_first(self) -> None:
        """Where an opening must contain something, cards that open are laid: what follows is no part of it."""
        table, hand, rules, _, _ = self.state
        due = self.rows and self.began and not table.opened[hand.side] and table.content[hand.side] != ANY
        if due and judge_plan(table, hand, rules, self.fill_plan()) == 0:
            self.commit()

    def empty_hand(self) -> None:
        """The last card is melded: the turn ends, unless a reserve or bonus cards fill the hand."""
        self.commit(self.number)
        if self.hand.count == 0:
            self.end(NO_CARD)

    def act_join(self, action: Action) -> None:
        """Two melds of a rank, each found as cards aimed at it would be."""
        table, hand, rules, croupier, log = self.state
        self.commit()
        plan = self.fill_plan()
        places = [find_any_place(self, Action(action.seat, "meld", (), aim)) for aim in (action.word, action.aim)]
        plan.joins, plan.join_from[0], plan.join_to[0] = 1, *places
        self.need(join_once(table, hand, rules, croupier, log, plan))

    @property
    def whole(self) -> int:
        """How many cards a take brings that says nothing of it."""
        count = int(self.kernel.table.pile_count)
        return min(count, TOP) if self.kernel.rules.pile_portion == TOP7 else count

    def find_depth(self, action: Action) -> int:
        """How many cards a take means: their number, or down to the lowest card named where it lies uppermost."""
        table, whole = self.kernel.table, self.whole
        pile = table.pile[: table.pile_count].tolist()
        if self.kernel.rules.pile_portion != FROM_MELDED:
            lowest = action.cards and pile and pile[-whole] not in (action.cards[0], UNKNOWN)
            if lowest or (action.number is not None and action.number != whole):
                self.refuse("another part of the pile than is taken")
            return whole
        if action.cards and action.cards[0] not in pile:
            self.refuse("a card that is not in the pile")
        if action.cards:
            return pile[::-1].index(action.cards[0]) + 1
        return min(action.number or whole, whole)

    def find_key(self, depth: int) -> int:
        """The card that a take so deep melds: the upcard, or the lowest card of the part (RULES §19)."""
        table = self.kernel.table
        return int(table.upcard if depth == self.whole else table.pile[table.pile_count - depth])

    def is_for_upcard(self, meld: int) -> bool:
        """Whether cards laid to a place before a take can justify it."""
        table, hand = self.kernel.table, self.hand
        kind = find_kind(table, hand.side, self.fill_plan(), meld) if meld != NOWHERE else -1
        takes = (action for action in self.actions[self.number :] if action.verb == "take")
        key = int(table.upcard)
        if self.kernel.rules.pile_portion == FROM_MELDED:
            key = next((self.find_key(self.find_depth(action)) for action in takes), key)
        same_suit = kind >= SEQUENCE and (kind - SEQUENCE) // 16 == key % 4
        return bool(kind == min(KIND_OF[key], THREES_MELD) or same_suit)
