"""Writing rows of the log: the ledger of moves and the account of each turn.

The log counts seats, sides, games and turns from 1 and words from 1 (0 is null); the state counts
from 0, so every + 1 between the two stands here or in scoring.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, KIND_OF, NATURAL_BITS, NATURAL_KINDS, SEVENS
from engine.jit import jit
from engine.kernel.melds import has_meld, is_wild
from engine.kernel.state import ADD, NATURAL_WILD, PAIR, THREES_MELD
from engine.log import ACTIONS, NULL, STATES, code
from engine.rules import bit

A_DRAW, A_RED3, A_MELD, A_TAKE, A_DISCARD = (
    code(ACTIONS, word) for word in ("draw", "red3", "meld", "take", "discard")
)
A_ASK, A_AGREE, A_REFUSE, A_PASS, A_JOIN = (code(ACTIONS, word) for word in ("ask", "agree", "refuse", "pass", "join"))
A_FOOT, A_BONUS, A_ASIDE, A_SPECIAL = (code(ACTIONS, word) for word in ("foot", "bonus", "aside", "special"))
S_OPEN, S_FROZEN, S_UNOPENED, S_STOPPED, S_WILD_TOP, S_EMPTY = (code(STATES, word) for word in STATES)
NO_MELD = -1
STOPPING_SEVEN = bit("untakeable_tops", "7")


@jit
def put_move(log, croupier, table, seat, action, card, meld, taken):
    """One row of `moves`."""
    row = log.moves_rows
    log.moves_rows = row + 1
    croupier.move += 1
    log.moves_game[row] = croupier.game
    log.moves_deal[row] = table.deal
    log.moves_turn[row] = table.turn
    log.moves_move[row] = croupier.move
    log.moves_seat[row] = seat + 1
    log.moves_action[row] = action
    log.moves_card[row] = card + 1
    log.moves_meld[row] = meld + 1
    log.moves_taken[row] = taken


@jit
def find_state(table, rules, side):
    """Log code of the pile's state from a side's point of view."""
    if table.pile_count == 0:
        return S_EMPTY
    kind = KIND_OF[table.upcard]
    if is_wild(kind):
        return S_WILD_TOP
    if kind >= BLACK_THREES or (kind == SEVENS and rules.untakeable_tops & STOPPING_SEVEN):
        return S_STOPPED
    if table.frozen:
        return S_FROZEN
    return S_OPEN if table.opened[side] else S_UNOPENED


@jit
def put_met(log, croupier, table, hand, rules):
    """Begin a row of `turns`: what the seat meets, and whether it could take the pile."""
    row = log.turns_rows
    log.turns_game[row] = croupier.game
    log.turns_deal[row] = table.deal
    log.turns_turn[row] = table.turn
    log.turns_seat[row] = hand.seat + 1
    log.turns_upcard[row] = table.upcard + 1
    log.turns_pile[row] = table.pile_count
    log.turns_hand[row] = hand.count
    log.turns_stock[row] = table.stock
    log.turns_state[row] = find_state(table, rules, hand.side)
    log.turns_frozen_by[row] = table.frozen_by if table.frozen else 0
    log.turns_could_take[row] = hand.may_take != 0
    if row > 0 and table.turn > 1 and log.turns_discard[row - 1] > 0:
        log.turns_next_could_take[row - 1] = hand.may_take != 0
        log.turns_next_took[row - 1] = 0


@jit
def find_way(ways):
    """Log code of the one way to take the pile that is set in a mask; 0 for none."""
    return 1 if ways == PAIR else 2 if ways == NATURAL_WILD else 3 if ways == ADD else 0


@jit
def put_took(log, table, hand, croupier):
    """Complete the row of `turns` by what the draw or take made possible."""
    row = log.turns_rows
    took = hand.took > 0
    log.turns_took[row] = hand.took if took else NULL
    log.turns_how[row] = find_way(croupier.how) if took else 0
    log.turns_could_open[row] = hand.could_open
    log.turns_could_out[row] = hand.could_out
    if took and table.turn > 1 and row > 0 and log.turns_discard[row - 1] > 0:
        log.turns_next_took[row - 1] = hand.took


@jit
def put_no_discard(log):
    """The turn under way ends without a discard."""
    row = log.turns_rows
    log.turns_discard[row] = 0
    log.turns_in_theirs[row] = NULL
    log.turns_in_ours[row] = NULL
    log.turns_thrown_before[row] = NULL
    log.turns_seen[row] = NULL
    log.turns_had_other[row] = NULL


@jit
def find_next(table, seat):
    """The seat after this one in turn order."""
    return table.next_seat[seat]


@jit
def lies_in(table, side, kind):
    """Whether cards of a kind lie in a meld of a side as its naturals."""
    return (kind < NATURAL_KINDS and has_meld(table, side, kind)) or (
        kind == BLACK_THREES and has_meld(table, side, THREES_MELD)
    )


@jit
def had_other(table, card, side, allowed):
    """Whether another legal discard was held that no meld of a side wants; `allowed`: bits of what may be discarded."""
    wanted = table.melds[side] & NATURAL_BITS | has_meld(table, side, THREES_MELD) << BLACK_THREES
    return allowed & ~(1 << KIND_OF[card]) & ~wanted != 0


@jit
def put_discard(log, table, hand, card, allowed):
    """The account of a discard, before the card leaves the hand."""
    row = log.turns_rows
    kind = KIND_OF[card]
    following = find_next(table, hand.seat)
    theirs = table.seat_sides[following]
    log.turns_discard[row] = card + 1
    log.turns_in_theirs[row] = lies_in(table, theirs, kind)
    log.turns_in_ours[row] = lies_in(table, hand.side, kind)
    log.turns_thrown_before[row] = table.thrown[following, kind] > 0
    log.turns_seen[row] = hand.kinds[kind] - 1 + table.visible[kind]
    log.turns_had_other[row] = had_other(table, card, theirs, allowed)


@jit
def put_done(log, hand, croupier):
    """Finish the row of `turns`."""
    row = log.turns_rows
    log.turns_opened[row] = croupier.opened
    log.turns_laid[row] = hand.laid
    log.turns_laid_points[row] = croupier.laid_points
    log.turns_next_could_take[row] = NULL
    log.turns_next_took[row] = NULL
    log.turns_rows = row + 1


@jit
def put_life(log, croupier, table, ending, seat):
    """One row of `piles`: the life that ends now, taken by `seat` or left (−1)."""
    row = log.piles_rows
    log.piles_rows = row + 1
    log.piles_game[row] = croupier.game
    log.piles_deal[row] = table.deal
    log.piles_pile[row] = croupier.life
    log.piles_first_turn[row] = croupier.life_first
    log.piles_last_turn[row] = table.turn
    log.piles_frozen_turn[row] = croupier.life_frozen
    log.piles_frozen_by[row] = croupier.life_frozen_by
    log.piles_frozen_seat[row] = croupier.life_frozen_seat
    log.piles_wilds_on_frozen[row] = croupier.life_wilds
    log.piles_black_threes[row] = croupier.life_black_threes
    log.piles_ending[row] = ending
    log.piles_taken_seat[row] = seat + 1 if seat >= 0 else NULL
    log.piles_how[row] = find_way(croupier.how) if seat >= 0 else 0
    log.piles_cards[row] = table.pile_count
    log.piles_card_points[row] = table.pile_points + croupier.hidden_points
