"""Asking strategies: a seat for a decision, under guard, and its partner for leave. Source: RULES §1.9."""

from __future__ import annotations

import numpy as np

from engine.cards import NO_CARD
from engine.faults import fault
from engine.jit import jit
from engine.kernel.judge import may_ask
from engine.kernel.leave import find_partner
from engine.kernel.melds import clear_plan
from engine.kernel.rows import A_AGREE, A_ASK, A_REFUSE, NO_MELD, put_move
from engine.kernel.state import AGREED, REFUSED

F_ASK, F_CHANGED, F_UNKNOWN = fault("ask_illegal"), fault("changed_table"), fault("unknown_answer")


@jit
def ask_strategy(function, kind, table, seats, hand, rules, plan, croupier, guard):
    """One decision of a seat's strategy; where the guard is on, what it may only read is compared before and after."""
    weights = seats.weights[kind, hand.seat]
    if not guard.on:
        return function(table, hand, rules, weights, plan)
    before = hand.rng
    guard.kept[:] = guard.live
    answer = function(table, hand, rules, weights, plan)
    after = hand.rng
    hand.rng = before
    changed = np.uint64(0)
    for place in range(guard.live.size):
        changed |= guard.live[place] ^ guard.kept[place]
    if changed != 0:
        guard.live[:] = guard.kept
        croupier.fault = F_CHANGED
    hand.rng = after
    return answer


@jit
def refuse(croupier, seat, reason):
    """Stop: the seat's choice is illegal. Always False, so that a caller can return it."""
    if croupier.fault == 0:
        croupier.fault = reason
    croupier.fault_seat = seat
    return False


@jit
def ask_partner(table, seats, hand, rules, croupier, log, plan, answers, guard):
    """Ask the partner and note the answer, which binds (RULES §1.9); False when the seat may not ask."""
    if not may_ask(table, hand, rules):
        return refuse(croupier, hand.seat, F_ASK)
    partner = find_partner(table, hand.seat)
    clear_plan(plan)
    answer = ask_strategy(answers[partner], 3, table, seats, seats.hand[partner], rules, plan, croupier, guard)
    if croupier.fault != 0 or (answer != 0 and answer != 1):
        return refuse(croupier, partner, F_UNKNOWN)
    hand.permission = AGREED if answer == 1 else REFUSED
    put_move(log, croupier, table, hand.seat, A_ASK, NO_CARD, NO_MELD, -1)
    put_move(log, croupier, table, partner, A_AGREE if answer == 1 else A_REFUSE, NO_CARD, NO_MELD, -1)
    return True
