"""The kernel as a judge of hand histories: its compiled functions decide each action of a file.

Actions are led through the functions that play them in a game. The kernel judges what a strategy plans as a whole;
so the cards melded since the last commit point are gathered into a plan, and judged at the next one, or at once when
nothing could repair them. Only what the kernel's loop makes impossible is judged here: acting out of turn, not
drawing, cards that are not in the pack.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernel_setup import lay_table
from kernel_table import RefusedError
from kernel_taking import Taking

from engine.cards import NO_CARD
from engine.history.record import Action, History
from engine.kernel.game import IMMEDIATE, finish_deal
from engine.kernel.judge import judge_choice, may_ask
from engine.kernel.leave import find_partner
from engine.kernel.special import NAMES
from engine.kernel.state import AGREED, PASS, REFUSED
from engine.kernel.turn import (
    STOCK,
    end_special,
    end_turn,
    meld_once,
    pass_turn,
)
from engine.log import DEAL_ENDINGS


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


class Judge(Taking):
    """Leads each action through the kernel's functions."""

    # ------------------------------------------------------------------------------------------------------ the walk
    def run(self) -> None:
        first, position = self.kernel.first, self.kernel.history.position
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
        if self.hand.no_discard and not self.kernel.croupier.ending:
            self.end_after_last_three()

    def act(self, action: Action) -> None:
        kernel, verb = self.kernel, action.verb
        if self.number in self.told:
            return
        if kernel.croupier.ending:
            if verb != "red3" or not self.tell(action):
                self.refuse("the deal has ended")
            return
        if verb == "bonus":
            self.act_bonus(action)
            return
        if verb in ("agree", "refuse"):
            self.answer(action)
            return
        if self.waiting >= 0:
            self.refuse("the partner asked has not answered")
        if action.seat - 1 != kernel.table.seat:
            self.need_no_early_melds()
            if self.hand.no_discard:
                self.end_after_last_three()
            self.refuse("not this seat's turn")
        handler = getattr(self, f"act_{verb}", None)
        if handler is None:
            self.refuse(f"the kernel knows no {verb}")
        if self.number > self.drawn_with:
            handler(action)

    def commit(self, start: int | None = None) -> None:
        """A commit point: the cards melded since the last one are judged and laid as one plan.

        Cards it brings are told of by the action under way, or by those after the first `start`.
        """
        start = self.number - 1 if start is None else start
        table, hand, rules, croupier, log = self.state
        if self.rows:
            plan = self.fill_plan()
            self.supply(int(table.seat), start, lambda: self.need(meld_once(table, hand, rules, croupier, log, plan)))
            self.rows, self.news = [], []
        self.refill(start)

    # --------------------------------------------------------------------------------------------- asking and ending
    def act_ask(self, action: Action) -> None:
        table, hand, rules, _, _ = self.state
        hand.asks_late |= bool(self.rows)
        count = int(hand.count)
        hand.could_out, hand.count = 1, max(count, 2)  # the kernel asks only who could go out and live with a no
        may = may_ask(table, hand, rules)
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
        if self.hand.no_discard:
            self.refuse("no discard after a three drawn last")
        if self.given_up >= 0 and self.shown[self.given_up] > 0:
            self.refuse("a three is still kept")
        self.need_cards(action.cards)
        self.commit()
        self.end(action.cards[0])

    def act_pass(self, action: Action) -> None:
        self.need_no_early_melds()
        table, hand, _, croupier, log = self.state
        if hand.no_discard:
            self.end_after_last_three()
            return
        if self.began or judge_choice(table, hand, PASS):
            self.refuse("no passing now")
        pass_turn(table, hand, croupier, log)

    def act_special(self, action: Action) -> None:
        table, hand, rules, croupier, log = self.state
        if not self.began or self.rows or action.word not in NAMES:
            self.refuse("no special hand now")
        plan = self.fill_plan()
        plan.special = NAMES.index(action.word) + 1
        end_special(table, hand, rules, croupier, log, plan)
        self.need(bool(croupier.ending))

    def end_after_last_three(self) -> None:
        """Who drew a three as the last card has melded and does not discard (RULES §1.9)."""
        self.commit()
        self.end(NO_CARD)

    def end(self, card: int) -> None:
        """The turn ends by a discard, or without one when the hand is empty; what follows is the kernel's loop."""
        table, hand, rules, croupier, log = self.state
        self.supply(
            int(table.seat),
            self.number,
            lambda: self.need(end_turn(table, hand, rules, croupier, log, self.kernel.plan, card)),
        )
        if not croupier.ending and table.stock == 0 and rules.stock_end == IMMEDIATE:
            croupier.ending = STOCK
        if not croupier.ending:
            self.begin(self.kernel.follow(int(table.seat)))

    def verdict(self) -> KernelVerdict:
        kernel, table = self.kernel, self.kernel.table
        sides = range(int(table.sides))
        if not kernel.croupier.ending:
            return KernelVerdict(True, scores=tuple(int(table.scores[side]) for side in sides))
        finish_deal(table, kernel.seats, kernel.rules, kernel.croupier, kernel.log)
        dark = {int(table.seat_sides[seat]) for seat in range(kernel.players) if kernel.unknown[seat]}
        dark |= {int(table.seat_sides[seat]) for seat in range(kernel.players) if kernel.unknown_reserve[seat]}
        playing = [int(table.seat_sides[side]) if table.lone >= 0 else side for side in sides]
        return KernelVerdict(
            True,
            ending=DEAL_ENDINGS[int(kernel.croupier.ending) - 1],
            deal_scores=tuple(None if playing[side] in dark else int(kernel.log.sides_score[side]) for side in sides),
            scores=tuple(None if playing[side] in dark else int(table.scores[side]) for side in sides),
        )
