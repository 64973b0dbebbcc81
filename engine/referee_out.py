"""Going out: who may, whether it is concealed, and asking the partner (RULES §1.6, §1.9)."""

from __future__ import annotations

from engine.history import Action
from engine.referee_melds import commit
from engine.referee_table import Table


def go_out(table: Table, *, by_discard: bool) -> None:
    """The hand is empty: the deal ends. Without the right to go out it is a fault, and the deal may go on after it."""
    turn, rules = table.turn, table.rules
    commit(table, going_out=True)
    before = len(table.faults)
    canastas = table.count_canastas(turn.side)
    if canastas < rules.canastas_out:
        table.fault(
            "out_canastas",
            f"seat {turn.seat} empties its hand; its side has {canastas} of the "
            f"{rules.canastas_out} canastas it needs to go out",
        )
    if turn.answer == "refuse":
        table.fault("answer_no", f"seat {turn.seat} goes out although its partner said no")
    elif rules.ask_partner == "required" and turn.answer != "agree":
        table.fault("ask_required", f"seat {turn.seat} goes out without its partner's yes")
    if rules.out_discard == "required" and not by_discard:
        table.fault("out_discard", f"seat {turn.seat} goes out without a discard")
    table.unfinished_out = len(table.faults) > before
    table.ended = True
    table.out_seat = turn.seat
    table.ending, table.out_bonus = _find_bonus(table)


def _find_bonus(table: Table) -> tuple[str, int]:
    """The ending and the bonus for it: concealed needs an own canasta and nothing melded before or to old melds."""
    turn, bonus = table.turn, table.rules.out_bonus
    hidden = (
        turn.laid > 0
        and turn.seat not in table.melded
        and not turn.added_to_old
        and (table.rules.concealed_with_pile or not turn.took)
    )
    if not hidden:
        return "out", bonus["out"]
    melds = table.melds[turn.side]
    if any(melds[kind].is_canasta for kind in turn.new_kinds):
        return "concealed", bonus["concealed"]
    return "out", bonus["concealed_plain"]


def ask_partner(table: Table, action: Action) -> None:
    """May I go out?"""
    turn = table.turn
    partner = table.book.partner_of(action.seat)
    if table.rules.ask_partner == "none" or not partner:
        table.fault(
            "asking_off",
            f"seat {action.seat} asks "
            + ("its partner, which these rules do not know" if partner else "but has no partner"),
        )
        return
    if not turn.began:
        table.fault("ask_time", f"seat {action.seat} asks before drawing or taking the pile")
    elif turn.melded_after:
        table.fault("ask_time", f"seat {action.seat} asks after melding")
    elif turn.asked:
        table.fault("ask_time", f"seat {action.seat} asks a second time")
    turn.asked = table.action
    table.waiting = partner


def answer_partner(table: Table, action: Action) -> None:
    """Yes or no, by the partner who was asked."""
    if not table.waiting:
        table.fault("answer", f"seat {action.seat} answers; nobody asked", seat=action.seat)
        return
    if action.seat != table.waiting:
        table.fault("answer", f"seat {action.seat} answers in place of seat {table.waiting}", seat=action.seat)
    table.waiting = 0
    table.turn.answer = action.verb
