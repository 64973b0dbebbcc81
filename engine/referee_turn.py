"""Follows a history action by action: whose turn it is, drawing, discarding, passing (RULES §1.4, §1.9)."""

from __future__ import annotations

from engine.cards import CARDS, RED_THREES
from engine.history import Action
from engine.referee_could import must_take
from engine.referee_melds import commit, flag_early_melds, lay_cards
from engine.referee_out import answer_partner, ask_partner, go_out
from engine.referee_pile import discard_onto, take_pile
from engine.referee_stock import begin_play, draw, fault_owed, lay_dealt_red_three, lay_red_three, tell_shown
from engine.referee_table import KIND, Table


def act(table: Table, number: int, action: Action) -> None:
    """Judge one action and carry it out as far as it can be."""
    verb = action.verb
    table.action = number
    if table.dealing:
        if verb == "red3":
            lay_dealt_red_three(table, action)
            return
        begin_play(table)
    if table.ended and not _goes_on(table, action):
        return
    if verb in ("agree", "refuse"):
        answer_partner(table, action)
        return
    if table.waiting:
        table.fault("answer", f"seat {table.waiting} does not answer its partner", seat=table.waiting)
        table.waiting = 0
    turn = table.turn
    if action.seat != turn.seat:
        _change_turn(table, action)
        turn = table.turn
    if turn.owed and not (verb == "draw" or (verb == "red3" and len(action.cards) > 1)):
        fault_owed(table, turn)
    handler = _HANDLERS.get(verb)
    if handler is None:
        table.fault("not_in_rules", f"seat {action.seat}: {verb} belongs to other variants")
    else:
        handler(table, action)


def finish(table: Table) -> None:
    """The history ends here."""
    if table.dealing:
        begin_play(table)
    if table.turn.owed and not table.ended:
        fault_owed(table, table.turn)


def _goes_on(table: Table, action: Action) -> bool:
    """Whether play goes on although the deal has ended: after a going out that was a fault, it may."""
    if action.verb == "red3" and tell_shown(table, action):
        return False
    if table.unfinished_out and action.seat != table.turn.seat:
        table.ended = table.unfinished_out = False
        table.ending, table.out_seat, table.out_bonus = None, 0, 0
        if table.turn.discard is not None:
            table.next_turn()
        else:
            table.leave_turn()
            table.start_turn(action.seat)
        return True
    table.fault("deal_over", f"seat {action.seat}: {action.verb} after the deal has ended", seat=action.seat)
    return False


def _change_turn(table: Table, action: Action) -> None:
    """Another seat acts than the one whose turn it is."""
    turn = table.turn
    flag_early_melds(table)
    if turn.began:
        table.fault("missing_discard", f"seat {action.seat} acts; seat {turn.seat} has not discarded")
        commit(table, going_out=False)
    else:
        table.fault("wrong_seat", f"seat {action.seat} acts; it is seat {turn.seat}'s turn", seat=action.seat)
    table.leave_turn()
    table.start_turn(action.seat)


def _meld(table: Table, action: Action) -> None:
    laid = lay_cards(table, action)
    if laid and table.turn.began and table.hands[action.seat - 1].is_empty:
        go_out(table, by_discard=False)


def _take(table: Table, action: Action) -> None:
    take_pile(table, action)
    if table.turn.took and table.hands[action.seat - 1].is_empty:
        go_out(table, by_discard=False)


def _discard(table: Table, action: Action) -> None:
    turn, seat, card = table.turn, action.seat, action.cards[0]
    if not turn.began:
        flag_early_melds(table)
        table.fault("draw_first", f"seat {seat} discards before drawing or taking the pile")
    if not table.remove(seat, card):
        table.fault("card_not_held", f"seat {seat} discards {CARDS[card]}, not in its hand")
    if KIND[card] == RED_THREES and "red3" in table.rules.discard_bans:
        table.fault("discard_ban", f"seat {seat} discards {CARDS[card]}; red threes are not discarded")
    turn.discard = card
    if table.watch is not None:
        table.watch.discard(table, card)
    discard_onto(table, card)
    if table.hands[seat - 1].is_empty:
        go_out(table, by_discard=True)
        return
    commit(table, going_out=False)
    if turn.answer == "agree":
        table.fault("answer_yes", f"seat {seat} does not go out although its partner said yes")
    if not table.stock and table.rules.stock_end == "immediate":
        table.end("stock")
    else:
        table.next_turn()


def _pass(table: Table, action: Action) -> None:
    turn, seat = table.turn, action.seat
    flag_early_melds(table)
    if turn.began or table.stock:
        instead = (
            f"after {'drawing' if turn.drawn else 'taking the pile'}"
            if turn.began
            else f"with {table.stock} cards in the stock"
        )
        table.fault("pass_time", f"seat {seat} passes {instead}")
        table.next_turn()
        return
    if must_take(table):
        table.fault(
            "forced_take",
            f"seat {seat} passes; {CARDS[table.pile[-1]]} fits its side's meld, so the pile must be taken",
        )
    table.end("stock")


_HANDLERS = {
    "draw": draw,
    "meld": _meld,
    "take": _take,
    "discard": _discard,
    "red3": lay_red_three,
    "pass": _pass,
    "ask": ask_partner,
}
