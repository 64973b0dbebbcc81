"""The loops: a turn's decisions, a deal, a game, many games. Rules live in the modules they belong to."""

from __future__ import annotations

import numpy as np

from engine.block import ROOM
from engine.cards import NO_CARD
from engine.jit import jit
from engine.kernel.asking import ask_partner, ask_strategy, refuse
from engine.kernel.deal import clear_deal, count_active, deal_hands, find_dealer, seat_players
from engine.kernel.draw import choose_to_keep, lay_dealt
from engine.kernel.endings import find_game_ending, put_game
from engine.kernel.judge import judge_choice, may_meld
from engine.kernel.melds import clear_plan
from engine.kernel.opening_rules import find_content
from engine.kernel.outlook import refill_hand, search_after_draw
from engine.kernel.pile import L_DEAL
from engine.kernel.rows import put_life, put_took
from engine.kernel.scoring import CAP, add_side_totals, put_deal, score_side
from engine.kernel.sides import form_if_due
from engine.kernel.state import DRAW, TAKE
from engine.kernel.turn import (
    STOCK,
    begin_turn,
    draw_from_stock,
    end_special,
    end_turn,
    join_once,
    lay_red_threes,
    meld_once,
    pass_turn,
    take_with_plan,
)
from engine.kernel.upcards import turn_upcards
from engine.rng import key_of
from engine.rules import code

TURN_CAP = 1000
"""Turns after which a deal is stopped; no sensible strategy comes near."""
IMMEDIATE = code("stock_end", "immediate")
BY_DEAL = code("initial_basis", "deal")
MOVES_ROOM = ROOM["moves"] - 4 * TURN_CAP - 1600
TURNS_ROOM = ROOM["turns"] - TURN_CAP
PILES_ROOM = ROOM["piles"] - TURN_CAP
DEALS_ROOM, SIDES_ROOM, GAMES_ROOM = ROOM["deals"] - 1, ROOM["sides"] - 6, ROOM["games"] - 1


@jit
def draw_or_take(table, seats, hand, rules, croupier, log, plan, choose_draw, guard):
    """The first half of a turn; False when the deal or the run has ended."""
    choice = DRAW
    if hand.may_take != 0:
        clear_plan(plan)
        choice = ask_strategy(choose_draw, 0, table, seats, hand, rules, plan, croupier, guard)
        reason = judge_choice(table, hand, choice)
        if reason != 0 or croupier.fault != 0:
            return refuse(croupier, hand.seat, reason)
    if choice == TAKE:
        return take_with_plan(table, seats, hand, rules, croupier, log, plan)
    if table.stock == 0:
        return pass_turn(table, hand, croupier, log)
    return draw_from_stock(table, hand, rules, croupier, log)


@jit
def meld_all(table, seats, hand, rules, croupier, log, plan, choose_melds, answers, guard):
    """Ask for melds until the plan stays empty or the hand is; False when the deal or the run has ended."""
    while True:
        refill_hand(table, hand, rules, plan, croupier, log)
        if hand.count == 0 or not may_meld(table, hand, rules):
            break
        clear_plan(plan)
        ask_strategy(choose_melds, 1, table, seats, hand, rules, plan, croupier, guard)
        if croupier.fault != 0:
            return refuse(croupier, hand.seat, croupier.fault)
        if plan.ask:
            if not ask_partner(table, seats, hand, rules, croupier, log, plan, answers, guard):
                return False
            continue
        if plan.special != 0:
            return end_special(table, hand, rules, croupier, log, plan)
        if plan.rows == 0 and plan.red_threes == 0 and plan.joins == 0:
            break
        if plan.joins != 0 and not join_once(table, hand, rules, croupier, log, plan):
            return False
        if plan.rows != 0 and not meld_once(table, hand, rules, croupier, log, plan):
            return False
        # Last: what the hand could do after it is searched for in the plan itself.
        if plan.red_threes != 0 and not lay_red_threes(table, hand, rules, croupier, log, plan):
            return False
    return True


@jit
def play_turn(
    table, seats, seat, rules, croupier, log, plan, choose_draw, choose_melds, choose_discard, answers, guard
):
    """One turn of one seat; how the deal has ended, 0 while it goes on."""
    hand = seats.hand[seat]
    if rules.has_special:
        choose_to_keep(table, hand, rules)
    begin_turn(table, hand, rules, croupier, log, plan)
    if not draw_or_take(table, seats, hand, rules, croupier, log, plan, choose_draw, guard):
        return croupier.ending
    search_after_draw(table, hand, rules, plan, croupier)
    put_took(log, table, hand, croupier)
    if not meld_all(table, seats, hand, rules, croupier, log, plan, choose_melds, answers, guard):
        return croupier.ending
    card = NO_CARD
    if hand.count > 0 and not hand.no_discard:
        clear_plan(plan)
        card = ask_strategy(choose_discard, 2, table, seats, hand, rules, plan, croupier, guard)
        if croupier.fault != 0:
            refuse(croupier, seat, croupier.fault)
            return croupier.ending
        if card < 0:
            card = -2
    end_turn(table, hand, rules, croupier, log, plan, card)
    return croupier.ending


@jit
def find_minimum(table, rules, side):
    """The side's minimum count for this deal (RULES §1.6)."""
    reached = table.deal if rules.initial_basis == BY_DEAL else table.scores[side]
    minimum = 0
    for row in range(rules.minimum_rows):
        if row == 0 or reached >= rules.minimum_from[row]:
            minimum = rules.minimum_count[row]
    return minimum


@jit
def begin_deal(table, seats, rules, croupier, log):
    """Deal, turn the upcards, lay the red threes dealt."""
    table.deal += 1
    place = find_dealer(table)
    seat_players(table, rules, seats)
    table.dealer = 4 if place == table.sits_out else place
    clear_deal(table, seats, croupier)
    for side in range(table.sides):
        table.minimum[side] = find_minimum(table, rules, side)
        croupier.minimums[side] = table.minimum[side]
        table.content[side] = find_content(table, rules, side)
    for seat in range(table.players):
        seats.hand[seat].rng = key_of(croupier.seed, croupier.game, table.deal, seat + 1)
    deal_hands(table, seats, rules, croupier, log)
    turn_upcards(table, rules, croupier, log)
    if rules.has_special:
        for seat in range(table.players):
            choose_to_keep(table, seats.hand[seat], rules)
    lay_dealt(table, seats, rules, croupier, log)


@jit
def play_deal(table, seats, rules, croupier, log, plan, draws, melds, discards, answers, guard, play_one_turn):
    """One deal from the shuffle to the score."""
    begin_deal(table, seats, rules, croupier, log)
    seat = table.dealer
    while croupier.ending == 0 and croupier.fault == 0:
        seat = table.next_seat[seat]
        play_one_turn(
            table, seats, seat, rules, croupier, log, plan, draws[seat], melds[seat], discards[seat], answers, guard
        )
        if croupier.ending == 0 and table.stock == 0 and rules.stock_end == IMMEDIATE:
            croupier.ending = STOCK
        if croupier.ending == 0 and table.turn >= TURN_CAP:
            croupier.ending = CAP
    if croupier.fault == 0:
        finish_deal(table, seats, rules, croupier, log)


@jit
def finish_deal(table, seats, rules, croupier, log):
    """Score the deal and write its rows."""
    if table.pile_count > 0:
        put_life(log, croupier, table, L_DEAL, -1)
    if croupier.out_seat >= 0:
        form_if_due(table, seats, rules, croupier.out_seat)
    for side in range(table.sides):
        score_side(table, seats, rules, croupier, log, side)
    put_deal(table, croupier, log)
    add_side_totals(table, croupier)


@jit
def clear_totals(croupier):
    """Nothing has been counted in this game."""
    croupier.g_turns = 0
    croupier.g_takes = 0
    croupier.g_legal_takes = 0
    croupier.g_taken = 0
    croupier.g_frozen_turns = 0
    croupier.g_frozen_deals = 0
    croupier.g_freezes = 0
    croupier.g_out_deals = 0
    croupier.g_melded = 0
    croupier.g_side_takes[:] = 0
    croupier.g_naturals[:] = 0
    croupier.g_mixed[:] = 0
    croupier.g_wilds[:] = 0
    croupier.g_sequences[:] = 0


@jit
def begin_game(table, seats, rules, croupier):
    """Set a new game: seats, sides, scores, the first dealer by the game's number."""
    croupier.game += 1
    croupier.in_game = 1
    table.game = croupier.game
    table.deal = 0
    table.players = rules.players
    table.sides = rules.side_count
    table.scores[:] = 0
    table.deal = 1
    seat_players(table, rules, seats)
    table.deal = 0
    table.dealer = np.int64(key_of(croupier.seed, croupier.game, 0, 0) % np.uint64(count_active(table)))
    for seat in range(table.players):
        seats.hand[seat].seat = seat
    clear_totals(croupier)


@jit
def has_room(log):
    """Whether the block has room for the longest possible deal."""
    return (
        log.moves_rows < MOVES_ROOM
        and log.turns_rows < TURNS_ROOM
        and log.piles_rows < PILES_ROOM
        and log.deals_rows < DEALS_ROOM
        and log.sides_rows < SIDES_ROOM
        and log.games_rows < GAMES_ROOM
    )


@jit
def play_games(table, seats, rules, croupier, log, plan, draws, melds, discards, answers, guard, play_one_turn, last):
    """Play on to the end of game `last` or until the block is full; whether all games are played.

    `play_one_turn` is `play_turn`, compiled by itself.
    """
    while croupier.fault == 0:
        if not croupier.in_game:
            if croupier.game >= last:
                return True
            begin_game(table, seats, rules, croupier)
        if not has_room(log):
            return False
        play_deal(table, seats, rules, croupier, log, plan, draws, melds, discards, answers, guard, play_one_turn)
        ending = find_game_ending(table, rules, croupier)
        if croupier.fault == 0 and ending != 0:
            put_game(table, rules, croupier, log, ending)
            croupier.in_game = 0
    return True
