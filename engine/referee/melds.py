"""Laying cards and joining melds (RULES §1.5, §3, §10).

What nothing can repair is a fault of the action that lays the cards; what a later card of the turn could
still repair is judged at the commit point: a take, a discard, the end of the deal (`opening`).
"""

from __future__ import annotations

from engine.cards import BLACK_THREES
from engine.history.record import Action, show_cards
from engine.referee.aim import find_named, find_target
from engine.referee.cards import SEQUENCE, kind_of
from engine.referee.opening import note_opening
from engine.referee.reserve import note_canasta
from engine.referee.shape import is_rank, limit_faults, wild_faults
from engine.referee.table import NATURAL_KINDS, POINTS, WILD, Meld, Table, name_kind


def lay_cards(table: Table, action: Action) -> bool:
    """Lay cards from hand; one that is not held is a fault, and lies there all the same. False when nothing is laid."""
    turn, seat = table.turn, action.seat
    meld = find_target(table, action)
    if meld is None:
        return False
    if not turn.began:
        _lay_early(table, meld, action)
    missing = [card for card in action.cards if not table.remove(seat, card)]
    if missing:
        table.fault("card_not_held", f"seat {seat} melds {show_cards(missing)}, not in its hand")
    check_round(table, f"seat {seat} melds {show_cards(action.cards)}")
    _check_state(table, meld, action)
    put_down(table, meld, action.cards)
    if turn.began:
        turn.melded_after = True
    for rule, text in (
        *([] if meld.kind >= NATURAL_KINDS and meld.kind != BLACK_THREES else wild_faults(table, meld, action.cards)),
        *limit_faults(table, meld),
    ):
        table.fault(rule, text)
    if meld.kind == BLACK_THREES and (table.rules.black3_meld == "never" or table.rules.black3_role == "bonus"):
        table.fault("black_three_meld", f"seat {seat} melds {show_cards(action.cards)}; black threes are never melded")
    return True


def _check_state(table: Table, meld: Meld, action: Action) -> None:
    """A dead rank takes no card."""
    if table.is_dead(meld.kind):
        table.fault(
            "dead_rank",
            f"seat {action.seat} melds {show_cards(action.cards)}; a canasta of {name_kind(meld.kind)} is complete",
        )


def check_round(table: Table, what: str) -> None:
    """House rule: nobody melds or takes the pile before a certain own turn."""
    own = table.own_turns[table.turn.seat - 1] + table.turns_before
    if own < table.book.meld_from:
        table.fault("too_early", f"{what} in turn {own} of its own; it may from turn {table.book.meld_from}")


def put_down(table: Table, meld: Meld, cards: tuple[int, ...]) -> None:
    """Cards come to lie in a meld; what that changes for the turn."""
    turn = table.turn
    if not meld.cards:
        turn.new_melds.append(meld)
    elif meld not in turn.new_melds:
        turn.added_to_old = True
    for card in cards:
        was = meld.is_canasta
        meld.add(card)
        turn.laid_points += POINTS[card]
        if meld.is_canasta and not was:
            note_canasta(table)
        note_opening(table)
    turn.laid += len(cards)
    if meld not in turn.touched:
        turn.touched.append(meld)


def _lay_early(table: Table, meld: Meld, action: Action) -> None:
    """Cards laid before drawing: they must be for a take, and a side that has opened lays nothing else."""
    turn = table.turn
    counts = turn.before_take.setdefault(meld, [0, 0])
    for card in action.cards:
        counts[WILD[card]] += 1
    turn.early_action = turn.early_action or table.action
    if turn.opened_before and not turn.early_flagged and not _may_serve_take(table, meld):
        turn.early_flagged = True
        table.fault("draw_first", f"seat {action.seat} melds {show_cards(action.cards)} before drawing or taking")


def _may_serve_take(table: Table, meld: Meld) -> bool:
    """Whether cards laid to a meld may be meant for the card to be taken; whether they justify it, the take tells."""
    if table.rules.pile_portion == "from_melded":
        return any(kind_of(card) == meld.kind for card in table.pile)
    if not table.pile:
        return False
    upcard = table.pile[-1]
    if meld.kind == SEQUENCE:
        return kind_of(upcard) < NATURAL_KINDS and upcard % 4 == meld.suit
    return kind_of(upcard) == meld.kind


def flag_early_melds(table: Table) -> None:
    """Cards were laid for a take that does not come."""
    turn = table.turn
    if turn.early_action and not turn.early_flagged and not turn.began:
        turn.early_flagged = True
        table.fault(
            "draw_first", f"seat {turn.seat} melds before drawing, and does not take the pile", action=turn.early_action
        )


def join_melds(table: Table, action: Action) -> None:
    """Combine two melds of a rank of the own side, limits permitting (RULES §3)."""
    seat, turn = action.seat, table.turn
    words = f"{action.word} with {action.aim}"
    if table.rules.same_rank_melds != "several":
        table.fault("not_in_rules", f"seat {seat}: join belongs to other variants")
        return
    moved, kept = (find_named(table, action, name or "") for name in (action.word, action.aim))
    if moved is None or kept is None or moved is kept:
        table.fault("join", f"seat {seat} joins {words}; its side has no two such melds")
        return
    if moved.kind != kept.kind or not is_rank(table, kept.kind):
        table.fault("join", f"seat {seat} joins {words}; only melds of one rank are joined")
        return
    was = kept.is_canasta or moved.is_canasta
    wilds = tuple(card for card in moved.cards if WILD[card])
    if kept not in turn.new_melds or moved not in turn.new_melds:
        turn.added_to_old = True
        turn.new_melds = [meld for meld in turn.new_melds if meld is not kept]
    for card in moved.cards:
        kept.add(card)
    table.melds[turn.side].laid = [meld for meld in table.melds[turn.side].laid if meld is not moved]
    turn.touched = [meld for meld in turn.touched if meld is not moved and meld is not kept] + [kept]
    turn.new_melds = [meld for meld in turn.new_melds if meld is not moved]
    if kept.wilds > table.rules.max_wilds and wilds:
        table.fault("max_wilds", f"{show_cards(kept.cards)} has {kept.wilds} wilds; too many to join {words}")
    for rule, text in limit_faults(table, kept):
        table.fault(rule, text)
    if kept.is_canasta and not was:
        note_canasta(table)
