"""Whether the game is over with a deal, who has won it, and its row. Sources: RULES §1.10, §8, §10."""

from __future__ import annotations

import numpy as np

from engine.jit import jit
from engine.kernel.special import DREAM_4, DREAM_5, SPECIAL
from engine.log import GAME_ENDINGS, MAX_SIDES, NULL, code
from engine.rules import bit
from engine.rules import code as rule_code

SHARED = rule_code("tie", "shared")
SEVEN_CANASTAS, DREAM_HAND = bit("match_win", "seven_canastas"), bit("match_win", "dream_hand")
G_TARGET, G_DEALS, G_CAP = code(GAME_ENDINGS, "target"), code(GAME_ENDINGS, "deals"), code(GAME_ENDINGS, "cap")
G_SPECIAL = code(GAME_ENDINGS, "special")
MATCH_CANASTAS = 7
NOBODY, TIED = -1, -2
"""Who has won: no side; several, with the same score."""
DEAL_CAP = 100
NO_SIDE = np.iinfo(np.int32).min
NO_COUNT = np.iinfo(np.int16).min


@jit
def find_match_winner(table, rules, croupier):
    """The side that has won the game at once with the deal just scored; NOBODY, or TIED (RULES §8, §10)."""
    dream = croupier.special == DREAM_4 or croupier.special == DREAM_5
    if rules.match_win & DREAM_HAND and croupier.ending == SPECIAL and dream:
        return croupier.out_seat if table.lone >= 0 else table.seat_sides[croupier.out_seat]
    winner, best = NOBODY, 0
    if rules.match_win & SEVEN_CANASTAS:
        for side in range(table.sides):
            playing = table.seat_sides[side] if table.lone >= 0 else side
            if table.canastas[playing] < MATCH_CANASTAS:
                continue
            score = table.scores[side]
            if winner == NOBODY or score > best:
                winner, best = side, score
            elif score == best:
                winner = TIED
    return winner


@jit
def count_leaders(table):
    """How many sides share the highest total."""
    best, leaders = table.scores[0], 0
    for side in range(table.sides):
        if table.scores[side] > best:
            best, leaders = table.scores[side], 0
        leaders += table.scores[side] == best
    return leaders


@jit
def find_leader(table):
    """The first side with the highest total."""
    leader = 0
    for side in range(table.sides):
        if table.scores[side] > table.scores[leader]:
            leader = side
    return leader


@jit
def find_game_ending(table, rules, croupier):
    """Log code of how the game has ended with the deal just scored; 0 when it goes on (RULES §1.10)."""
    won = find_match_winner(table, rules, croupier) if rules.match_win != 0 else NOBODY
    if won != NOBODY and (won != TIED or rules.tie == SHARED):
        return G_SPECIAL
    reached = rules.target > 0 and table.scores[find_leader(table)] >= rules.target
    played = rules.deals > 0 and table.deal >= rules.deals
    if won == NOBODY and (reached or played) and (count_leaders(table) == 1 or rules.tie == SHARED):
        return G_TARGET if reached else G_DEALS
    return G_CAP if table.deal >= DEAL_CAP else 0


@jit
def put_game(table, rules, croupier, log, ending):
    """The row of `games`."""
    row = log.games_rows
    log.games_rows = row + 1
    log.games_game[row] = croupier.game
    log.games_seed[row] = croupier.seed
    log.games_ending[row] = ending
    log.games_deals[row] = table.deal
    log.games_turns[row] = croupier.g_turns
    winner = find_leader(table) if ending != G_CAP and count_leaders(table) == 1 else NOBODY
    if ending == G_SPECIAL:
        winner = find_match_winner(table, rules, croupier)
    log.games_winner[row] = winner + 1 if winner >= 0 else NULL
    log.games_takes[row] = croupier.g_takes
    log.games_legal_takes[row] = croupier.g_legal_takes
    log.games_taken_cards[row] = croupier.g_taken
    log.games_frozen_turns[row] = croupier.g_frozen_turns
    log.games_frozen_deals[row] = croupier.g_frozen_deals
    log.games_freezes[row] = croupier.g_freezes
    log.games_out_deals[row] = croupier.g_out_deals
    log.games_melded_cards[row] = croupier.g_melded
    for side in range(MAX_SIDES):
        at_table = side < table.sides
        log.games_scores[row, side] = table.scores[side] if at_table else NO_SIDE
        log.games_side_takes[row, side] = croupier.g_side_takes[side] if at_table else NO_COUNT
        log.games_side_natural_canastas[row, side] = croupier.g_naturals[side] if at_table else NO_COUNT
        log.games_side_mixed_canastas[row, side] = croupier.g_mixed[side] if at_table else NO_COUNT
        log.games_side_wild_canastas[row, side] = croupier.g_wilds[side] if at_table else NO_COUNT
        log.games_side_sequence_canastas[row, side] = croupier.g_sequences[side] if at_table else NO_COUNT
