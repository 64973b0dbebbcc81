"""The kernel as a judge of hand histories: its compiled functions decide each action of a file.

Actions are led through the functions that play them in a game. The kernel judges what a strategy plans as a whole;
so the cards melded since the last commit point are gathered into a plan, and judged at the next one, or at once when
nothing could repair them. Only what the kernel's loop makes impossible is judged here: acting out of turn, not
drawing, cards that are not in the pack.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernel_laying import Laying
from kernel_table import RefusedError, lay_table

from engine.cards import KIND_OF, NO_CARD, RED_THREES
from engine.history.record import UNKNOWN, Action, History
from engine.kernel.draw import DISCARDABLE, lay_from_hand
from engine.kernel.game import IMMEDIATE, finish_deal
from engine.kernel.judge import judge_choice, may_ask
from engine.kernel.leave import find_partner
from engine.kernel.state import AGREED, DRAW, PASS, REFUSED
from engine.kernel.turn import (
    STOCK,
    draw_from_stock,
    end_turn,
    meld_once,
    pass_turn,
    take_with_plan,
)
from engine.log import DEAL_ENDINGS

MANY = 100


@dataclass(frozen=True)
class KernelFault:
    """The first action the kernel refuses, from 1; 0 is the set-up."""

    action: int
    text: str


@dataclass(frozen=True)
class KernelVerdict:
    """What the kernel makes of a history; scores only of a deal that has ended with every hand known."""

    legal: bool
    faults: tuple[KernelFault, ...] = ()
    ending: str | None = None
    deal_scores: tuple[int | None, ...] | None = None
    scores: tuple[int | None, ...] = ()


def judge_by_kernel(history: History) -> KernelVerdict:
    """Lay the table and lead every action through the kernel, up to the first it refuses."""
    try:
        walk = Judge(lay_table(history))
        walk.run()
    except RefusedError as refused:
        return KernelVerdict(False, (KernelFault(refused.action, str(refused)),))
    return walk.verdict()


class Judge(Laying):
    """Leads each action through the kernel's functions."""

    # ------------------------------------------------------------------------------------------------------ the walk
    def run(self) -> None:
        table, position = self.kernel.table, self.kernel.history.position
        first = (int(table.dealer) + 1) % self.kernel.players
        if position is None:
            self.lay_dealt_red_threes()
            self.begin(first)
        else:
            self.begin(first if position.turn is None else position.turn - 1)
            if position.drawn:
                self.look()
        for number, action in enumerate(self.actions[self.number :], self.number + 1):
            self.number = number
            self.act(action)

    def act(self, action: Action) -> None:
        kernel, verb = self.kernel, action.verb
        if kernel.croupier.ending:
            if verb != "red3" or not self.tell(action):
                self.refuse("the deal has ended")
            return
        if verb in ("agree", "refuse"):
            self.answer(action)
            return
        if self.waiting >= 0:
            self.refuse("the partner asked has not answered")
        if action.seat - 1 != kernel.table.seat:
            self.need_no_early_melds()
            self.refuse("not this seat's turn")
        handler = getattr(self, f"act_{verb}", None)
        if handler is None:
            self.refuse(f"the kernel knows no {verb}")
        if self.number > self.drawn_with:
            handler(action)

    def need_no_early_melds(self) -> None:
        if self.rows and not self.began:
            self.refuse("cards laid before drawing", self.first_meld)

    # -------------------------------------------------------------------------------------------- drawing and taking
    def act_draw(self, action: Action) -> None:
        self.need_no_early_melds()
        table, hand, rules, croupier, log = self.state
        if self.began or judge_choice(table, hand, DRAW):
            self.refuse("no draw now")
        cards, ends = self.gather_draw()
        told = self.kernel.put_on_stock(cards)
        red_threes = int(table.red_threes[hand.side])
        drawn = draw_from_stock(table, hand, rules, croupier, log)
        if rules.red3_use == DISCARDABLE:  # more cards than are drawn: red threes laid and replaced
            while croupier.next < len(action.cards) and lay_from_hand(table, hand, rules, croupier, log):
                drawn = True
        if table.red_threes[hand.side] > red_threes:
            self.shown.update(card for card in cards if card >= 0 and KIND_OF[card] == RED_THREES)
        if croupier.next > told or croupier.next not in ends:
            self.refuse("other cards than are drawn")
        self.drawn_with = self.number + ends.index(int(croupier.next))
        used = cards[: int(croupier.next)]
        self.kernel.unknown[int(table.seat)] += used.count(UNKNOWN)
        if drawn:
            self.look()

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
        replaced = sum(card >= 0 and KIND_OF[card] == RED_THREES for card in cards)
        return int(self.kernel.rules.draw_count) + (replaced if self.kernel.rules.red3_use != DISCARDABLE else 0)

    def act_take(self, action: Action) -> None:
        table, hand, rules, croupier, log = self.state
        pile, upcard = table.pile[: table.pile_count].tolist(), int(table.upcard)
        if self.began:
            self.refuse("a take after the draw")
        if (action.number or len(pile)) != len(pile) or (action.cards and action.cards[0] != pile[0]):
            self.refuse("only the whole pile is taken")
        named = (
            self.find_meld(action, {int(KIND_OF[upcard])})
            if rules.plain and action.aim is not None
            else KIND_OF[upcard]
        )
        if named != KIND_OF[upcard]:
            self.refuse("the upcard joins the meld of its rank")
        place = self.find_meld(action._replace(cards=(upcard,)), {int(KIND_OF[upcard])}) if action.aim else -1
        plan = self.fill_plan()
        plan.upcard_place = place
        self.need(take_with_plan(table, self.kernel.seats, hand, rules, croupier, log, plan))
        self.rows, self.news = [], []
        self.shown.update(card for card in pile[:-1] if KIND_OF[card] == RED_THREES)
        self.look()
        if hand.count == 0:
            self.end(NO_CARD)

    def tell(self, action: Action) -> bool:
        """A red three already laid, told of afterwards."""
        card = action.cards[0]
        told = len(action.cards) == 1 and self.shown[card] > 0
        self.shown[card] -= told
        return told

    def act_red3(self, action: Action) -> None:
        if self.tell(action):
            return
        table, hand, rules, croupier, log = self.state
        card = action.cards[0]
        if not self.began or rules.red3_use != DISCARDABLE or KIND_OF[card] != RED_THREES or not hand.cards[card]:
            self.refuse("no red three to lay")
        cards = [self.see_drawn(card) for card in action.cards[1:] or (UNKNOWN,) * bool(table.stock > 0)]
        told = self.kernel.put_on_stock(cards)
        lay_from_hand(table, hand, rules, croupier, log)
        if croupier.next != told:
            self.refuse("one card replaces it")
        self.kernel.unknown[int(table.seat)] += cards.count(UNKNOWN)

    def commit(self) -> None:
        """A commit point: the cards melded since the last one are judged and laid as one plan."""
        if self.rows:
            table, hand, rules, croupier, log = self.state
            self.need(meld_once(table, hand, rules, croupier, log, self.fill_plan()))
            self.rows, self.news = [], []

    # --------------------------------------------------------------------------------------------- asking and ending
    def act_ask(self, action: Action) -> None:
        table, hand, rules, croupier, _ = self.state
        croupier.asked_late |= bool(self.rows)
        count = int(hand.count)
        hand.could_out, hand.count = 1, max(count, 2)  # the kernel asks only who could go out and live with a no
        may = may_ask(table, hand, rules, croupier)
        hand.count = count
        if not self.began or not may:
            self.refuse("no asking now")
        self.waiting = int(find_partner(table, hand.seat))

    def answer(self, action: Action) -> None:
        if self.waiting < 0 or action.seat - 1 != self.waiting:
            self.refuse("this seat was not asked")
        self.hand.permission = AGREED if action.verb == "agree" else REFUSED
        self.waiting = -1

    def act_discard(self, action: Action) -> None:
        self.need_no_early_melds()
        if not self.began:
            self.refuse("a discard before drawing")
        self.commit()
        self.end(action.cards[0])

    def act_pass(self, action: Action) -> None:
        self.need_no_early_melds()
        table, hand, _, croupier, log = self.state
        if self.began or judge_choice(table, hand, PASS):
            self.refuse("no passing now")
        pass_turn(table, hand, croupier, log)

    def end(self, card: int) -> None:
        """The turn ends by a discard, or without one when the hand is empty; what follows is the kernel's loop."""
        table, hand, rules, croupier, log = self.state
        self.need(end_turn(table, hand, rules, croupier, log, self.kernel.plan, card))
        if not croupier.ending and table.stock == 0 and rules.stock_end == IMMEDIATE:
            croupier.ending = STOCK
        if not croupier.ending:
            self.begin((int(table.seat) + 1) % self.kernel.players)

    def verdict(self) -> KernelVerdict:
        kernel, table = self.kernel, self.kernel.table
        sides = range(int(table.sides))
        if not kernel.croupier.ending:
            return KernelVerdict(True, scores=tuple(int(table.scores[side]) for side in sides))
        finish_deal(table, kernel.seats, kernel.rules, kernel.croupier, kernel.log)
        dark = {int(table.seat_sides[seat]) for seat in range(kernel.players) if kernel.unknown[seat]}
        return KernelVerdict(
            True,
            ending=DEAL_ENDINGS[int(kernel.croupier.ending) - 1],
            deal_scores=tuple(None if side in dark else int(kernel.log.sides_score[side]) for side in sides),
            scores=tuple(None if side in dark else int(table.scores[side]) for side in sides),
        )
