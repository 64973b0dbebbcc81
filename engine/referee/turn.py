"""Follows a history action by action: whose turn it is, drawing, discarding, passing (RULES §1.4, §1.9)."""

from __future__ import annotations

from engine.cards import CARDS
from engine.history.record import Action
from engine.referee.bans import check_discard
from engine.referee.bonus import receive_bonus, replace_due, settle, tell_aside
from engine.referee.dealt import begin_play, is_kept, keep_dealt_three, lay_dealt_red_three
from engine.referee.finish import must_take
from engine.referee.kept import check_kept, gives_up, keep_three
from engine.referee.melds import flag_early_melds, join_melds, lay_cards
from engine.referee.opening import commit, owe_next_turn_bonus
from engine.referee.out import answer_partner, ask_partner, empty_hand
from engine.referee.pile import discard_onto, take_pile
from engine.referee.reserve import take_up, tell_foot, waits_for_foot
from engine.referee.special import declare
from engine.referee.stock import draw, fault_owed, lay_red_three, tell_shown
from engine.referee.table import Table


def act(table: Table, number: int, action: Action) -> None:
    """Judge one action and carry it out as far as it can be."""
    verb = action.verb
    table.action = number
    if table.dealing:
        if verb == "keep" or (verb == "red3" and not is_kept(table, action)):
            (lay_dealt_red_three if verb == "red3" else keep_dealt_three)(table, action)
            return
        begin_play(table)
    if verb == "bonus" and not table.ended:
        receive_bonus(table, action)
        return
    if verb != "foot" and not _is_under_way(table, action):
        settle(table)
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
        if table.ended:
            return
        turn = table.turn
    if turn.owed and not (verb in ("draw", "keep") or (verb == "red3" and len(action.cards) > 1)):
        fault_owed(table, turn)
    _HANDLERS[verb](table, action)


def _is_under_way(table: Table, action: Action) -> bool:
    """Whether threes told of have come with the reserve, or with the pile beside it: what is due may still follow."""
    if action.verb == "aside":
        return all(card in table.turn.set_aside for card in action.cards)
    if action.verb != "red3":
        return False
    card = action.cards[0]
    return card in table.due_threes or (len(action.cards) == 1 and card in table.turn.shown_reds)


def finish(table: Table) -> None:
    """The history ends here."""
    if table.dealing:
        begin_play(table)
    settle(table)
    if table.turn.owed and not table.ended:
        fault_owed(table, table.turn)
    if table.turn.last_three and not table.ended:
        _end_after_last_three(table)
    if table.ended:
        table.leave_turn()


def _end_after_last_three(table: Table) -> None:
    """Who drew a three as the last card has melded what it wished, and does not discard (RULES §1.9)."""
    commit(table, going_out=False)
    table.end("red_three")


def begin_turn(table: Table, seat: int) -> None:
    """The next turn; a hand emptied by its last discard is filled with the reserve first (RULES §9)."""
    hand = table.hands[seat - 1]
    table.change_turn(seat)
    if hand.is_empty and waits_for_foot(table, seat):
        take_up(table, seat)
        table.turn.hand = hand.size


def _goes_on(table: Table, action: Action) -> bool:
    """Whether play goes on although the deal has ended: after a going out that was a fault, it may."""
    if action.verb == "red3" and tell_shown(table, action):
        return False
    if table.unfinished_out and action.seat != table.turn.seat:
        table.ended = table.unfinished_out = False
        table.ending, table.out_seat, table.out_bonus = None, 0, 0
        begin_turn(table, table.book.next_of(table.turn.seat) if table.turn.discard is not None else action.seat)
        return True
    table.fault("deal_over", f"seat {action.seat}: {action.verb} after the deal has ended", seat=action.seat)
    return False


def _change_turn(table: Table, action: Action) -> None:
    """Another seat acts than the one whose turn it is."""
    turn = table.turn
    flag_early_melds(table)
    if turn.last_three:
        _end_after_last_three(table)
        table.fault("deal_over", f"seat {action.seat}: {action.verb} after the deal has ended", seat=action.seat)
        return
    if turn.began:
        table.fault("missing_discard", f"seat {action.seat} acts; seat {turn.seat} has not discarded")
        commit(table, going_out=False)
    else:
        table.fault("wrong_seat", f"seat {action.seat} acts; it is seat {turn.seat}'s turn", seat=action.seat)
    begin_turn(table, action.seat)


def _is_emptied(table: Table) -> bool:
    """No card is left, and none is on its way."""
    seat = table.turn.seat
    return table.hands[seat - 1].is_empty and not table.due_threes and table.due_cards[0] != seat


def _meld(table: Table, action: Action) -> None:
    laid = lay_cards(table, action)
    if laid and table.turn.began and _is_emptied(table):
        empty_hand(table, by_discard=False)


def _take(table: Table, action: Action) -> None:
    take_pile(table, action)
    if table.turn.took and _is_emptied(table):
        empty_hand(table, by_discard=False)


def _lay_three(table: Table, action: Action) -> None:
    told = len(action.cards) == 1 and not gives_up(table, action) and tell_shown(table, action)
    if not told and action.cards[0] in table.due_threes:
        replace_due(table, action.cards[0], action.cards[1:])
        return
    if not told:
        lay_red_three(table, action)
    if not table.ended and table.turn.began and not table.turn.owed and _is_emptied(table):
        empty_hand(table, by_discard=False)


def _discard(table: Table, action: Action) -> None:
    turn, seat, card = table.turn, action.seat, action.cards[0]
    if not turn.began:
        flag_early_melds(table)
        table.fault("draw_first", f"seat {seat} discards before drawing or taking the pile")
    if turn.last_three:
        table.fault("last_three", f"seat {seat} discards {CARDS[card]} after drawing a three as the last card")
    if not table.remove(seat, card):
        table.fault("card_not_held", f"seat {seat} discards {CARDS[card]}, not in its hand")
    check_discard(table, seat, card)
    check_kept(table, seat)
    turn.discard = card
    if table.watch is not None:
        table.watch.discard(table, card)
    discard_onto(table, card)
    if table.hands[seat - 1].is_empty and empty_hand(table, by_discard=True):
        return
    commit(table, going_out=False)
    if turn.answer == "agree":
        table.fault("answer_yes", f"seat {seat} does not go out although its partner said yes")
    owe_next_turn_bonus(table)
    if turn.last_three:
        table.end("red_three")
    elif not table.stock and table.rules.stock_end == "immediate":
        table.end("stock")
    else:
        begin_turn(table, table.book.next_of(seat))


def _pass(table: Table, action: Action) -> None:
    turn, seat = table.turn, action.seat
    flag_early_melds(table)
    if turn.last_three:
        _end_after_last_three(table)
        return
    if turn.began or table.stock:
        instead = (
            f"after {'drawing' if turn.drawn else 'taking the pile'}"
            if turn.began
            else f"with {table.stock} cards in the stock"
        )
        table.fault("pass_time", f"seat {seat} passes {instead}")
        begin_turn(table, table.book.next_of(seat))
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
    "red3": _lay_three,
    "pass": _pass,
    "ask": ask_partner,
    "join": join_melds,
    "aside": tell_aside,
    "foot": tell_foot,
    "special": declare,
    "bonus": receive_bonus,
    "keep": keep_three,
}
