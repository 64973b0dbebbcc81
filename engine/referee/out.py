"""Going out: who may, whether it is concealed, and asking the partner (RULES §1.6, §1.9, §4, §7, §9, §10, §15, §17)."""

from __future__ import annotations

from engine.cards import RANKS, RED_THREES
from engine.history.record import Action
from engine.referee.canastas import SORTS, Counts, count_canastas
from engine.referee.cards import CANASTA, WILD_MELD, kind_of
from engine.referee.opening import commit
from engine.referee.reserve import owns_reserve, take_up, waits_for_foot
from engine.referee.table import Meld, Table

_SPECIAL = (RANKS.index("A"), RANKS.index("7"))


def empty_hand(table: Table, *, by_discard: bool) -> bool:
    """The hand is empty: its reserve fills it, at once or in its next turn, or the player goes out.

    True when the deal has ended.
    """
    seat = table.turn.seat
    if waits_for_foot(table, seat):
        if not by_discard:
            take_up(table, seat)
        return False
    go_out(table, by_discard=by_discard)
    return True


def go_out(table: Table, *, by_discard: bool) -> None:
    """The deal ends. Without the right to go out it is a fault, and the deal may go on after it."""
    turn, rules = table.turn, table.rules
    table.form_sides(turn.seat)
    commit(table, going_out=True)
    table.due_cards = (0, 0)  # nothing is received once the hand is empty
    before = len(table.faults)
    for rule, text in find_out_faults(table, table.melds[turn.side].values()):
        table.fault(rule, f"seat {turn.seat} empties its hand; {text}")
    if turn.answer == "refuse":
        table.fault("answer_no", f"seat {turn.seat} goes out although its partner said no")
    elif rules.ask_partner == "required" and turn.answer != "agree" and table.partner_of(turn.seat):
        table.fault("ask_required", f"seat {turn.seat} goes out without its partner's yes")
    if rules.out_discard == "required" and not by_discard:
        table.fault("out_discard", f"seat {turn.seat} goes out without a discard")
    table.unfinished_out = len(table.faults) > before
    table.ended = True
    table.out_seat = turn.seat
    table.ending, table.out_bonus = _find_bonus(table)


def _count_red_threes(table: Table) -> int:
    """Red threes of all who play together with the seat."""
    sides = {table.book.side_of[seat] for seat in table.team_of(table.turn.seat)}
    return sum(kind_of(card) == RED_THREES for side in sides for card in table.red_threes[side])


def find_out_faults(table: Table, melds: list[Meld]) -> list[tuple[str, str]]:
    """What keeps the side whose turn it is, with these melds, from going out, by rule."""
    rules, turn = table.rules, table.turn
    conditions = rules.out_conditions
    counts = count_canastas(melds)
    total = sum(counts[sort] for sort in SORTS)
    number = total - (counts["wild"] if "wild_canasta_excluded" in conditions else 0)
    faults = []
    if number < rules.canastas_out:
        faults.append(
            ("out_canastas", f"its side has {number} of the {rules.canastas_out} canastas it needs to go out")
        )
    lacking = _find_lacking(counts, dict(rules.canastas_out_types))
    if lacking and not faults:
        faults.append(("out_types", f"its side has no canastas that give {lacking}"))
    if "red3_per_canasta" in conditions and _count_red_threes(table) < total:
        faults.append(("out_red_threes", "its side has fewer red threes than canastas"))
    if "no_open_special_meld" in conditions and (open_meld := find_open_special(melds)):
        faults.append(("out_open_meld", f"its side's meld of {open_meld.name} is not complete"))
    if "reserve_taken" in conditions and owns_reserve(table, turn.seat):
        faults.append(("out_reserve", "it has not taken up its reserve"))
    partners = table.team_of(turn.seat)[1:]
    if "partner_reserve_taken" in conditions and any(owns_reserve(table, other) for other in partners):
        faults.append(("out_reserve", "its partner has not taken up the reserve"))
    return faults


def _find_lacking(counts: Counts, needed: dict[str, int]) -> str:
    """Types of canasta that are missing, each canasta counted once; a canasta of sevens may count as its sort too."""
    sevens = needed.pop("7", 0)
    naturals, mixed = counts["natural_7"], counts["mixed_7"]
    ways = [(used, sevens - used) for used in range(sevens + 1) if used <= naturals and sevens - used <= mixed]
    for used, other in ways:
        left = {**counts, "natural": counts["natural"] - used, "mixed": counts["mixed"] - other}
        if all(left[sort] >= count for sort, count in needed.items()):
            return ""
    words = [f"{count} {sort}" for sort, count in needed.items()] + ([f"{sevens} of sevens"] if sevens else [])
    return ", ".join(words) if words and sum(needed.values()) + sevens else ""


def find_open_special(melds: list[Meld]) -> Meld | None:
    """An incomplete meld of pure aces, of sevens or of wilds."""
    for meld in melds:
        if len(meld.cards) >= CANASTA:
            continue
        if meld.kind == WILD_MELD or (meld.kind in _SPECIAL and (not meld.wilds or meld.kind != _SPECIAL[0])):
            return meld
    return None


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
    if any(meld.is_canasta for meld in turn.new_melds):
        return "concealed", bonus["concealed"]
    return "out", bonus["concealed_plain"]


def ask_partner(table: Table, action: Action) -> None:
    """May I go out?"""
    turn = table.turn
    partner = table.partner_of(action.seat)
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
