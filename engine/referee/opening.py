"""Commit points: melds are whole, and what opens a side is worth its minimum (RULES §1.6, §5, §7, §8, §10, §15)."""

from __future__ import annotations

from engine.history.record import show_cards
from engine.referee.cards import LEAST, SEQUENCE, WILD_MELD
from engine.referee.shape import check_meld
from engine.referee.table import NATURAL_KINDS, POINTS, WILD, Meld, Table
from engine.rules import Rules


def find_minimum(rules: Rules, score: int, deal: int) -> int:
    """Least count of an opening for a side at a score before the deal, in the deal of a number (RULES §1.6)."""
    reached = score if rules.initial_basis == "score" else deal
    minimum = rules.initial_minimums[0][1]
    for start, row in rules.initial_minimums:
        if reached >= start:
            minimum = row
    return minimum


def find_content(rules: Rules, score: int) -> str:
    """What the opening of a side at a score before the deal must contain."""
    if isinstance(rules.initial_content, str):
        return rules.initial_content
    word = rules.initial_content[0][1]
    for start, row in rules.initial_content:
        if score >= start:
            word = row
    return word


def commit(table: Table, *, going_out: bool) -> None:
    """A commit point: melds laid since the last one are whole, and the first of a side are an opening."""
    turn = table.turn
    if not turn.touched:
        return
    for meld in sorted(turn.touched, key=lambda meld: meld.kind):
        check_meld(table, turn.side, meld, going_out=going_out)
    turn.touched.clear()
    if not turn.opened_before and not turn.opened:
        _open(table, turn.laid_points, table.melds[turn.side].values(), going_out=going_out)


def note_opening(table: Table) -> None:
    """Note when the cards laid so far make a whole opening: what is laid after that is no part of it."""
    turn = table.turn
    melds = table.melds[turn.side].values()
    if turn.opened_before or turn.opened or turn.sufficed or any(len(meld.cards) < LEAST for meld in melds):
        return
    content = find_content(table.rules, table.scores[turn.side])
    turn.sufficed = turn.laid_points >= table.minimums[turn.side] and not _find_lacking(content, melds)


def open_before_take(table: Table) -> None:
    """The opening must qualify from the hand alone before the pile is taken (`after_own`, RULES §8, §10)."""
    turn = table.turn
    whole = [meld for meld in table.melds[turn.side] if len(meld.cards) >= LEAST]
    points = sum(POINTS[card] for meld in whole for card in meld.cards)
    for meld in whole:
        check_meld(table, turn.side, meld, going_out=False)
    _open(table, points, whole, going_out=False)


def _open(table: Table, points: int, melds: list[Meld], *, going_out: bool) -> None:
    """Judge the opening of the side."""
    turn = table.turn
    side = turn.side
    turn.opened = True
    table.openings[side] = (
        table.own_turns[turn.seat - 1],
        turn.seat,
        points,
        "pile" if turn.took else "hand",
    )
    _owe_cards(table)
    if turn.sufficed or _is_waived(table, melds, going_out=going_out):
        return
    minimum = table.minimums[side]
    if points < minimum:
        table.fault("minimum", f"side {side + 1} opens with {points}; its minimum is {minimum}")
    lacking = _find_lacking(find_content(table.rules, table.scores[side]), melds)
    if lacking:
        shown = ", ".join(show_cards(meld.cards) for meld in melds) or "no meld"
        table.fault("opening_content", f"side {side + 1} opens with {shown}; {lacking}")


def _find_lacking(word: str, melds: list[Meld]) -> str:
    """What an opening lacks; empty when it has all."""
    canastas = [meld for meld in melds if meld.is_canasta]
    if word == "naturals_only":
        has_wild = any(WILD[card] for meld in melds for card in meld.cards)
        return "an opening holds naturals only" if has_wild else ""
    if word in ("clean_triple", "clean_or_wild_triple"):
        if any(meld.sort == "mixed" for meld in canastas):
            return "a mixed canasta does not open"
        clean = any(meld.kind < NATURAL_KINDS and not meld.wilds and meld.naturals >= LEAST for meld in melds)
        wild = word == "clean_or_wild_triple" and any(
            meld.kind == WILD_MELD and len(meld.cards) >= LEAST for meld in melds
        )
        return "" if clean or wild else "three naturals of a rank without wilds are needed"
    if word == "any_canasta":
        return "" if canastas else "a canasta is needed"
    if word == "natural_canasta":
        return "" if any(meld.sort != "mixed" for meld in canastas) else "a natural canasta or better is needed"
    return ""


def _is_waived(table: Table, melds: list[Meld], *, going_out: bool) -> bool:
    """Openings that need neither count nor content (RULES §1.6, §10).

    Going out at once with a canasta after a stock draw; a complete natural or wild canasta from hand.
    """
    turn, waivers = table.turn, table.rules.initial_waivers
    if "concealed_out" in waivers and going_out and turn.drawn and not turn.took and table.count_canastas(turn.side):
        return True
    return "splash" in waivers and any(
        meld.is_canasta and meld.sort in ("natural", "wild") and not _holds_upcard(table, meld) for meld in melds
    )


def _holds_upcard(table: Table, meld: Meld) -> bool:
    """Whether the upcard of this turn's take makes up the seven: it never counts for a splash."""
    return table.turn.upcard_meld is meld and len(meld.cards) == 7 and meld.kind != SEQUENCE


def _owe_cards(table: Table) -> None:
    """Bonus cards for who opens its side, drawn at once (RULES §15)."""
    turn, bonus = table.turn, table.rules.initial_draw
    if bonus["when"] == "at_once":
        owe(table, turn.seat, count_bonus(table))


def count_bonus(table: Table) -> int:
    """Bonus cards by the order in which the side has opened."""
    counts: tuple[int, ...] = table.rules.initial_draw["counts"]
    others = _count_opened(table)
    return counts[others] if others < len(counts) else 0


def _count_opened(table: Table) -> int:
    """Sides that had opened before; of partners of a deal each that did so alone, else both as one (RULES §1.11)."""
    own = table.turn.side
    opened = {side for side, opening in enumerate(table.openings) if opening and side != own}
    told = {id(table.melds[side]) for side in (*opened, own)}
    return len(opened) + len({id(melds) for melds in table.melds if melds and id(melds) not in told})


def owe_next_turn_bonus(table: Table) -> None:
    """After the discard of the opening turn: only before the turn card is drawn, and not after a take (RULES §10)."""
    turn = table.turn
    if table.rules.initial_draw["when"] != "next_turn" or not turn.opened or turn.took or table.stock < 9:
        return
    owe(table, turn.seat, count_bonus(table))


def owe(table: Table, seat: int, count: int) -> None:
    """Cards a seat is to receive from the stock beside its draw."""
    due = table.due_cards[1] if table.due_cards[0] == seat else 0
    coming = min(due + count, table.stock)
    table.due_cards = (seat, coming) if coming else (0, 0)
