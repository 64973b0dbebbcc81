"""Drawing and taking on the way of a hand history through the kernel, and threes laid from the hand."""

from __future__ import annotations

from collections import Counter

from kernel_laying import Laying

from engine.cards import BLACK_THREES, KIND_OF, NO_CARD, RED_THREES
from engine.history.record import UNKNOWN, Action
from engine.kernel.draw import DISCARDABLE, ON_CANASTA, lay_from_hand, lay_received
from engine.kernel.judge import judge_choice
from engine.kernel.state import DRAW
from engine.kernel.turn import draw_from_stock, lay_red_threes, take_with_plan
from engine.rules import code

STOPS = code("black3_role", "stop")


class Taking(Laying):
    """What brings cards into the hand at the beginning of a turn."""

    def need_no_early_melds(self) -> None:
        if self.rows and not self.began:
            self.refuse("cards laid before drawing", self.first_meld)

    def act_draw(self, action: Action) -> None:
        self.need_no_early_melds()
        table, hand, rules, croupier, log = self.state
        if self.began or judge_choice(table, hand, DRAW):
            self.refuse("no draw now")
        cards, ends = self.gather_draw()
        if self.tells_of_keeping(cards, self.number + len(ends)):
            hand.keeps = 1
        told = self.kernel.put_on_stock(cards)
        threes = self.count_laid()
        drawn = draw_from_stock(table, hand, rules, croupier, log)
        if rules.red3_use == DISCARDABLE:  # more cards than are drawn: red threes laid and replaced
            while croupier.next < len(action.cards) and lay_from_hand(table, hand, rules, croupier, log):
                drawn = True
        if self.count_laid() > threes:
            self.shown.update(card for card in cards if self.kernel.is_laid(card))
        if croupier.next > told or croupier.next not in ends:
            self.refuse("other cards than are drawn")
        self.drawn_with = self.number + ends.index(int(croupier.next))
        used = cards[: int(croupier.next)]
        self.kernel.unknown[int(table.seat)] += used.count(UNKNOWN)
        if drawn:
            self.look()

    def tells_of_keeping(self, cards: list[int], end: int) -> bool:
        """Whether a three of a draw is kept for a straight: the next action says so, or its replacement is not told."""
        following = self.actions[end] if end < len(self.actions) else None
        if following is not None and (following.seat - 1, following.verb) == (self.kernel.table.seat, "keep"):
            return True
        left = self.count_due(cards) - len(cards)
        return left == 1 and int(self.kernel.table.stock) > len(cards) and self.kernel.is_laid(cards[-1])

    def act_keep(self, action: Action) -> None:
        """A three just drawn is kept."""
        if not self.began or not self.hand.keeps or not self.hand.cards[action.cards[0]]:
            self.refuse("no three that is kept")

    def count_laid(self) -> int:
        """Threes that lie with the melds of the seat whose turn it is."""
        table, side = self.kernel.table, int(self.hand.home)
        return int(table.red_threes[side] + table.black_threes[side])

    def gather_draw(self) -> tuple[list[int], list[int]]:
        """Cards of a draw that may be told in several actions, and how many they are after each."""
        cards: list[int] = []
        ends: list[int] = []
        replaces = self.kernel.rules.red3_use != DISCARDABLE
        for later in self.actions[self.number - 1 :]:
            if later.seat - 1 != self.kernel.table.seat or later.verb not in ("draw", "red3"):
                break
            if later.verb == "red3" and (not replaces or len(later.cards) < 2):
                break
            if ends and len(cards) >= self.count_due(cards):
                break
            cards += [self.see_drawn(card) for card in later.cards[later.verb == "red3" :]]
            ends.append(len(cards))
            self.number += 1  # so that a card the pack does not have is the fault of its own action
        self.number -= len(ends)
        return cards, ends

    def count_due(self, cards: list[int]) -> int:
        """Cards that must be drawn when these were: one more for every red three that is laid."""
        replaced = sum(self.kernel.is_laid(card) for card in cards)
        return int(self.kernel.rules.draw_count) + (replaced if self.kernel.rules.red3_use != DISCARDABLE else 0)

    def act_take(self, action: Action) -> None:
        table, hand, rules, croupier, log = self.state
        if self.began:
            self.refuse("a take after the draw")
        depth = self.find_depth(action)
        pile, hidden = table.pile[: table.pile_count].tolist()[-depth:], int(table.hidden)
        key = self.find_key(depth)
        named = self.find_meld(action, {int(KIND_OF[key])}) if rules.plain and action.aim is not None else KIND_OF[key]
        if named != KIND_OF[key]:
            self.refuse("the upcard joins the meld of its rank")
        place = self.find_meld(action._replace(cards=(key,)), {int(KIND_OF[key])}) if action.aim else -1
        plan = self.fill_plan()
        plan.upcard_place = place
        plan.depth = depth if depth != self.whole else 0
        self.supply(
            int(table.seat),
            self.number,
            lambda: self.need(take_with_plan(table, self.kernel.seats, hand, rules, croupier, log, plan)),
        )
        self.rows, self.news = [], []
        self.note_taken(pile, key, pile.count(NO_CARD) if hidden else 0)
        self.refill(self.number)
        self.look()
        if hand.count == 0:
            self.end(NO_CARD)

    def note_taken(self, pile: list[int], key: int, hidden: int) -> None:
        """Threes of the part taken that are in no hand, and cards of it nobody has seen."""
        rules = self.kernel.rules
        self.kernel.unknown[int(self.kernel.table.seat)] += hidden
        others = Counter(pile)
        others[key] -= 1
        for card in [card for card in others.elements() if card != NO_CARD]:
            joins = rules.black3_role == STOPS if KIND_OF[card] == BLACK_THREES else rules.red3_use == ON_CANASTA
            if KIND_OF[card] >= BLACK_THREES and not joins:
                (self.shown if self.kernel.is_laid(card) else self.asides)[card] += 1

    def tell(self, action: Action) -> bool:
        """A three already laid, told of afterwards."""
        card = action.cards[0]
        told = len(action.cards) == 1 and self.shown[card] > 0
        self.shown[card] -= told
        return told

    def act_red3(self, action: Action) -> None:
        if self.tell(action):
            return
        table, hand, rules, croupier, log = self.state
        card = action.cards[0]
        if hand.keeps and hand.cards[card] and self.kernel.is_laid(card):
            hand.keeps = 0
            self.supply(int(table.seat), self.number - 1, lambda: lay_received(table, hand, rules, croupier, log))
            return
        if rules.red3_use == ON_CANASTA:
            self.lay_on_canasta(action)
            return
        if not self.began or rules.red3_use != DISCARDABLE or KIND_OF[card] != RED_THREES or not hand.cards[card]:
            self.refuse("no red three to lay")
        cards = [self.see_drawn(card) for card in action.cards[1:] or (UNKNOWN,) * bool(table.stock > 0)]
        told = self.kernel.put_on_stock(cards)
        lay_from_hand(table, hand, rules, croupier, log)
        if croupier.next != told:
            self.refuse("one card replaces it")
        self.kernel.unknown[int(table.seat)] += cards.count(UNKNOWN)

    def lay_on_canasta(self, action: Action) -> None:
        """A red three from the hand onto a clean canasta (RULES §9)."""
        table, hand, rules, croupier, log = self.state
        if not self.began or KIND_OF[action.cards[0]] != RED_THREES or not hand.cards[action.cards[0]]:
            self.refuse("no red three to lay")
        if len(action.cards) > 1:
            self.refuse("nothing replaces it")
        self.commit()
        plan = self.fill_plan()
        plan.red_threes = 1
        self.need(lay_red_threes(table, hand, rules, croupier, log, plan))
        self.refill(self.number)
        if hand.count == 0:
            self.end(NO_CARD)
