"""Laying cards: which meld they join, what a meld may hold, and what must hold at a commit point (RULES §1.5, §1.6).

What nothing can repair is a fault of the action that lays the cards; what a later card of the turn could
still repair is judged at the commit point: a take, a discard, the end of the deal.
"""

from __future__ import annotations

from engine.cards import BLACK_THREES, RANKS, RED_THREES
from engine.history import Action, show_cards
from engine.referee_table import KIND, NATURAL_KINDS, POINTS, WILD, Meld, Table, name_kind
from engine.rules import Rules


def lay_cards(table: Table, action: Action) -> bool:
    """Lay cards from hand; one that is not held is a fault, and lies there all the same. False when nothing is laid."""
    turn, seat = table.turn, action.seat
    kind = _find_kind(table, action)
    if kind is None:
        return False
    if not turn.began:
        _lay_early(table, kind, action)
    melds = table.melds[turn.side]
    missing = [card for card in action.cards if not table.remove(seat, card)]
    if missing:
        table.fault("card_not_held", f"seat {seat} melds {show_cards(missing)}, not in its hand")
    meld = melds.get(kind)
    if meld is None:
        meld = melds[kind] = Meld(kind)
        turn.new_kinds.add(kind)
    elif kind not in turn.new_kinds:
        turn.added_to_old = True
    wilds = meld.wilds
    for card in action.cards:
        meld.add(card)
        turn.laid_points += POINTS[card]
        if meld.is_canasta and table.first_canastas[turn.side] is None:
            table.first_canastas[turn.side] = table.own_turns[seat - 1]
    turn.laid += len(action.cards)
    turn.touched.add(kind)
    if turn.began:
        turn.melded_after = True
    if meld.wilds > wilds:
        _check_wilds(table, meld)
    if kind == BLACK_THREES and table.rules.black3_meld == "never":
        table.fault("black_three_meld", f"seat {seat} melds {show_cards(action.cards)}; black threes are never melded")
    return True


def _check_wilds(table: Table, meld: Meld) -> None:
    if meld.kind == BLACK_THREES:
        table.fault("black_three_meld", f"{show_cards(meld.cards)}: black threes are melded without wilds")
    elif meld.wilds > table.rules.max_wilds:
        table.fault(
            "max_wilds", f"{show_cards(meld.cards)} has {meld.wilds} wilds; the most is {table.rules.max_wilds}"
        )


def _lay_early(table: Table, kind: int, action: Action) -> None:
    """Cards laid before drawing: they must be for a take, and a side that has opened lays nothing else."""
    turn = table.turn
    counts = turn.before_take.setdefault(kind, [0, 0])
    for card in action.cards:
        counts[WILD[card]] += 1
    turn.early_action = turn.early_action or table.action
    if turn.opened_before and not turn.early_flagged and (not table.pile or KIND[table.pile[-1]] != kind):
        turn.early_flagged = True
        table.fault("draw_first", f"seat {action.seat} melds {show_cards(action.cards)} before drawing or taking")


def flag_early_melds(table: Table) -> None:
    """Cards were laid for a take that does not come."""
    turn = table.turn
    if turn.early_action and not turn.early_flagged and not turn.began:
        turn.early_flagged = True
        table.fault(
            "draw_first", f"seat {turn.seat} melds before drawing, and does not take the pile", action=turn.early_action
        )


def _find_kind(table: Table, action: Action) -> int | None:
    """The kind of the meld the cards join; None when they cannot be melded at all."""
    seat, cards = action.seat, action.cards
    kinds = {KIND[card] for card in cards if not WILD[card]}
    if RED_THREES in kinds:
        table.fault("red_three_meld", f"seat {seat} melds {show_cards(cards)}; red threes are never melded")
        return None
    aimed = find_aim(table, action) if action.aim else None
    if action.aim and aimed is None:
        return None
    if len(kinds) > 1 or (aimed is not None and kinds and kinds != {aimed}):
        where = f" to the meld of {name_kind(aimed)}" if aimed is not None else " as one meld"
        table.fault("one_rank", f"seat {seat} lays {show_cards(cards)}{where}")
        return None
    if aimed is not None:
        return aimed
    if not kinds:
        table.fault("wild_meld", f"seat {seat} melds {show_cards(cards)}; wilds alone are no meld")
        return None
    return kinds.pop()


def find_aim(table: Table, action: Action) -> int | None:
    """The kind of the meld an action aims at; None, with a fault, when these rules have no such meld."""
    assert action.aim is not None
    aim, seat = action.aim, action.seat
    side, mark, rest = aim.partition(":")
    if mark:
        if int(side) - 1 != table.turn.side:
            table.fault("others_meld", f"seat {seat} adds {show_cards(action.cards)} to a meld of side {side}")
            return None
        aim = rest
    if aim == "wild":
        table.fault("wild_meld", f"seat {seat} melds {show_cards(action.cards)} as wilds")
        return None
    if aim == "3":
        return BLACK_THREES
    rank, dot, which = aim.partition(".")
    if rank not in RANKS:
        table.fault("sequence", f"seat {seat} aims {show_cards(action.cards)} at the sequence {aim}")
        return None
    kind = RANKS.index(rank)
    if dot and which != "1" and not (which == "new" and kind not in table.melds[table.turn.side]):
        table.fault("second_meld", f"seat {seat} aims {show_cards(action.cards)} at a second meld of {rank}")
    return kind


def check_meld(table: Table, side: int, meld: Meld, *, going_out: bool) -> None:
    """Fault what a meld lacks when it is judged."""
    rules = table.rules
    if meld.kind >= NATURAL_KINDS:
        if rules.black3_meld == "never":
            return  # already the fault of who laid them
        if len(meld.cards) < 3:
            table.fault("black_three_meld", f"{show_cards(meld.cards)}: black threes are melded three or more at once")
        elif not going_out:
            table.fault("black_three_meld", f"{show_cards(meld.cards)}: black threes are melded only by who goes out")
        return
    if len(meld.cards) < 3:
        table.fault("meld_size", f"side {side + 1}'s meld {show_cards(meld.cards)} has fewer than three cards")
        return
    if meld.naturals < rules.min_naturals:
        table.fault(
            "min_naturals",
            f"side {side + 1}'s meld {show_cards(meld.cards)} has {meld.naturals} naturals; it "
            f"needs {rules.min_naturals}",
        )
    if (rules.wild_ratio == "not_more" and meld.wilds > meld.naturals) or (
        rules.wild_ratio == "fewer" and meld.wilds >= meld.naturals
    ):
        allowed = "no more" if rules.wild_ratio == "not_more" else "fewer"
        table.fault(
            "wild_ratio",
            f"side {side + 1}'s meld {show_cards(meld.cards)} has {meld.wilds} wilds and "
            f"{meld.naturals} naturals; {allowed} wilds than naturals are allowed",
        )


def commit(table: Table, *, going_out: bool) -> None:
    """A commit point: melds laid since the last one are whole, and the first of a side reach its minimum."""
    turn = table.turn
    if not turn.touched:
        return
    melds = table.melds[turn.side]
    for kind in sorted(turn.touched):
        check_meld(table, turn.side, melds[kind], going_out=going_out)
    turn.touched.clear()
    if turn.opened_before or turn.opened:
        return
    turn.opened = True
    table.openings[turn.side] = (
        table.own_turns[turn.seat - 1],
        turn.seat,
        turn.laid_points,
        "pile" if turn.took else "hand",
    )
    minimum = table.minimums[turn.side]
    if turn.laid_points < minimum and not (going_out and _is_waived(table)):
        table.fault("minimum", f"side {turn.side + 1} opens with {turn.laid_points}; its minimum is {minimum}")


def _is_waived(table: Table) -> bool:
    """Going out at once with a canasta after a stock draw needs no minimum (RULES §1.6)."""
    turn = table.turn
    return (
        "concealed_out" in table.rules.initial_waivers
        and turn.drawn
        and not turn.took
        and table.count_canastas(turn.side) > 0
    )


def may_add_wild(rules: Rules, meld: Meld, *, naturals: int = 0) -> bool:
    """Whether one more wild fits a meld, to which so many naturals are added with it."""
    wilds, naturals = meld.wilds + 1, meld.naturals + naturals
    most = {"none": wilds, "not_more": naturals, "fewer": naturals - 1}[rules.wild_ratio]
    return wilds <= min(rules.max_wilds, most)
