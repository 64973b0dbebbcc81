"""Compares the rows of `moves`, `deals`, `sides` and `turns` of a deal with what the referee found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.cards import BLACK_THREES, CARDS, RANKS, RED_THREES, SUITS
from engine.ledger.deals import LoggedDeal
from engine.ledger.rows import Ledger
from engine.ledger.watch import Discard, TurnNotes
from engine.log import DEAL_ENDINGS, FREEZES, MELDS, NULL, OPENINGS, STATES, TAKES
from engine.referee.faults import Fault
from engine.referee.scoring import count_items
from engine.referee.table import KIND, NATURAL_KINDS, WILD, Table, Turn, name_kind

_ITEMS = {
    ("natural_points", "mixed_points", "royal_points"): ("natural", "mixed"),
    ("wild_points",): ("wild",),
    ("sequence_points",): ("sequence",),
    ("set_points",): ("sets",),
    ("card_points",): ("cards",),
    ("held_points", "held_penalty_points"): ("held",),
    ("open_meld_points",): ("open_melds",),
    ("aside_points",): ("set_aside",),
    ("red_three_points",): ("red_threes",),
    ("out_points",): ("out",),
    ("one_turn_points",): ("one_turn",),
    ("special_points",): ("special",),
}
"""Columns whose sum is that of the referee's items."""


def _code(words: tuple[str, ...], word: str | None) -> int:
    """The logged code of a word; 0 for none."""
    return 0 if word is None else words.index(word) + 1


def _number(value: int | None) -> int:
    return NULL if value is None else value


def compare_moves(table: Table, logged: LoggedDeal, ledger: Ledger) -> Iterable[Fault]:
    """Takes as logged, red threes that have a row of their own, cards the log should have told of."""
    takes = [turn for turn in table.turns if turn.took]
    for turn, (card, meld, taken), lowest in zip(takes, ledger.takes, ledger.lowest, strict=False):
        key = lowest if lowest is not None else -1 if turn.upcard is None else turn.upcard
        names = _name_upcard_meld(table, turn, key)
        if (card, taken) != (key, turn.took_cards) or (MELDS[meld - 1] if meld else "").partition(".")[0] not in names:
            said = f"{_show_take(card, taken)} to {MELDS[meld - 1] if meld else 'no meld'}"
            found = f"{_show_take(key, turn.took_cards)} to {' or '.join(names)}"
            yield Fault(0, turn.seat, "log_rows", f"turn {turn.number}: the take says {said}; it was {found}")
    laid = sum(len(cards) for cards in table.red_threes)
    if ledger.red_threes != laid:
        yield Fault(0, 0, "log_rows", f"{ledger.red_threes} rows lay red threes; {laid} were laid")
    if table.invented or not all(hand.is_known for hand in table.hands):
        yield Fault(0, 0, "log_rows", "a card that replaced a red three, or was dealt, is not logged")


def _name_upcard_meld(table: Table, turn: Turn, card: int) -> list[str]:
    """Names the meld of the upcard may have had: its rank, or a sequence by what was its lowest card."""
    meld = turn.upcard_meld
    if meld is None or meld.suit < 0:
        return [name_kind(KIND[card])] if 0 <= KIND[card] < NATURAL_KINDS else ["no meld"]
    return [SUITS[meld.suit] + RANKS[rank] for rank in range(meld.ranks[0], min(card // 4 + 2, NATURAL_KINDS))]


def _show_take(card: int, taken: int) -> str:
    return f"{CARDS[card] if card >= 0 else 'no card'}, {taken} cards"


def compare_deal(table: Table, logged: LoggedDeal, ledger: Ledger) -> Iterable[Fault]:
    """The row of `deals`."""
    row = logged.deal
    takes = [(turn.took_cards, turn.seat) for turn in table.turns if turn.took]
    biggest = max(takes, key=lambda take: take[0], default=None)
    found: dict[str, Any] = {
        "dealer": table.dealer,
        "seats": len(table.book.order),
        "sits_out": row["sits_out"],
        "turns": ledger.turns,
        "ending": _code(DEAL_ENDINGS, table.ending or "cap"),
        "out_seat": table.out_seat or NULL,
        "stock": table.stock,
        "pile": len(table.pile),
        "biggest_take": biggest[0] if biggest else NULL,
        "biggest_take_seat": biggest[1] if biggest else NULL,
    }
    for column, value in found.items():
        if row[column] != value:
            said, gives = row[column], value
            if column == "ending":
                said, gives = (DEAL_ENDINGS[code - 1] if code else None for code in (said, gives))
            yield Fault(0, 0, "log_deal", f"{column} is {said}; the moves give {gives}")


def compare_sides(table: Table, logged: LoggedDeal, notes: TurnNotes) -> Iterable[Fault]:
    """The rows of `sides`."""
    rows = logged.sides
    if rows["side"] != list(range(1, table.book.sides + 1)):
        yield Fault(0, 0, "log_side", f"sides {rows['side']} are logged; there are {table.book.sides}")
        return
    for side in range(table.book.sides):
        items = count_items(table, side) or {}
        found = {**_find_side(table, side, notes), **_find_score(table, side, items)}
        found = {column: value for column, value in found.items() if column in rows}
        said = {column: rows[column][side] for column in found}
        for columns, names in _ITEMS.items():
            key = " + ".join(columns)
            said[key] = sum(rows[column][side] for column in columns if column in rows)
            found[key] = sum(items.get(name, 0) for name in names)
        for column, value in found.items():
            if said[column] != value:
                yield Fault(0, 0, "log_side", f"side {side + 1}: {column} is {said[column]}; the moves give {value}")


def _find_score(table: Table, side: int, items: Mapping[str, int]) -> dict[str, int]:
    """What the moves give for the deal's score."""
    score = sum(items.values())
    return {"score": score, "score_after": table.scores[side] + score}


def _count_melds(table: Table, side: int) -> dict[str, int]:
    """What the moves give for the columns about melds; of partners of a deal, the lower seat's row has them."""
    names = ("natural_canastas", "mixed_canastas", "wild_canastas", "sequence_canastas", "royal_canastas")
    found = dict.fromkeys(names, 0)
    found |= {f"{sort}_{rank}": 0 for sort in ("natural", "mixed") for rank in RANKS[:NATURAL_KINDS]}
    melds = table.melds[side]
    if any(table.melds[other] is melds for other in range(side)):
        return {**found, "melded_cards": 0, "held_cards": 0}
    for meld in melds.values():
        if meld.is_canasta and meld.kind == BLACK_THREES:
            found["royal_canastas"] += 1
        elif meld.is_canasta:
            found[f"{meld.sort}_canastas"] += 1
            if meld.kind < NATURAL_KINDS:
                found[f"{meld.sort}_{name_kind(meld.kind)}"] += 1
    seats = [seat for seat in table.book.order if table.melds[table.book.side_of[seat]] is melds]
    held = sum(table.hands[seat - 1].size or 0 for seat in seats)
    held += sum((reserve.size or 0) for seat in seats if (reserve := table.reserves[seat - 1]) is not None)
    return {**found, "melded_cards": sum(len(meld.cards) for meld in melds.values()), "held_cards": held}


def _find_side(table: Table, side: int, notes: TurnNotes) -> dict[str, int]:
    """What the moves give for the columns of a side that are no points."""
    turns = [turn for turn in table.turns if table.book.side_of[turn.seat] == side]
    opening = table.openings[side]
    reds = sum(1 for card in table.red_threes[side] if KIND[card] == RED_THREES)
    return {
        "minimum": table.minimums[side],
        "open_turn": opening[0] if opening else NULL,
        "open_seat": opening[1] if opening else NULL,
        "open_points": opening[2] if opening else NULL,
        "opening": _code(OPENINGS, opening[3]) if opening else 0,
        "first_canasta_turn": _number(table.first_canastas[side]),
        "legal_takes": sum(notes.could_take[turn.number - 1] for turn in turns),
        "takes": sum(turn.took for turn in turns),
        "taken_cards": sum(turn.took_cards for turn in turns),
        "freezes": sum(turn.froze for turn in turns),
        **_count_melds(table, side),
        "red_threes": reds,
        "black_threes": len(table.red_threes[side]) - reds,
    }


def compare_turns(table: Table, logged: LoggedDeal, ledger: Ledger, notes: TurnNotes) -> Iterable[Fault]:
    """The rows of `turns`, as far as the referee tells: what each met, did, and whether it could have taken."""
    rows = logged.turns
    if rows["turn"] != list(range(1, ledger.turns + 1)) or ledger.turns > len(table.turns):
        yield Fault(0, 0, "log_turn", f"turns {rows['turn']} are logged; the moves give 1 to {ledger.turns}")
        return
    turns = table.turns[: ledger.turns]
    for place, turn in enumerate(turns):
        first = turn.laid > 0 and not turn.opened_before
        following = turns[place + 1] if place + 1 < len(turns) else None
        found = {
            **_find_turn(turn, first, "7" in table.rules.untakeable_tops),
            "could_take": int(notes.could_take[place]),
            **_find_discard(notes.discards[place]),
            "next_could_take": NULL if following is None else int(notes.could_take[place + 1]),
            "next_took": NULL if following is None else following.took_cards,
        }
        for column, value in found.items():
            if column in rows and rows[column][place] != value:
                text = f"turn {turn.number}: {column} is {rows[column][place]}; the moves give {value}"
                yield Fault(0, turn.seat, "log_turn", text)


def _find_discard(discard: Discard | None) -> dict[str, int]:
    """What the moves give for the columns about the discard of a turn."""
    if discard is None:
        return dict.fromkeys(("in_theirs", "in_ours", "thrown_before", "seen", "had_other"), NULL)
    return {
        "in_theirs": int(discard.in_theirs),
        "in_ours": int(discard.in_ours),
        "thrown_before": int(discard.thrown_before),
        "seen": discard.seen,
        "had_other": int(discard.had_other),
    }


def _find_turn(turn: Turn, first: bool, stops: bool) -> dict[str, int]:
    """What the moves give for the columns of a turn."""
    state = _find_state(turn, stops)
    return {
        "seat": turn.seat,
        "upcard": 0 if turn.upcard is None else turn.upcard + 1,
        "pile": turn.pile,
        "hand": _number(turn.hand),
        "stock": turn.stock,
        "state": _code(STATES, state),
        "frozen_by": _code(FREEZES, turn.frozen_by),
        "took": turn.took_cards if turn.took else NULL,
        "how": _code(TAKES, turn.way),
        "opened": int(first),
        "laid": turn.laid,
        "laid_points": turn.laid_points,
        "discard": 0 if turn.discard is None else turn.discard + 1,
    }


def _find_state(turn: Turn, stops: bool) -> str:
    """The pile from the side of the seat whose turn begins; whether a seven stops it."""
    if turn.upcard is None:
        return "empty"
    if WILD[turn.upcard]:
        return "wild_top"
    if KIND[turn.upcard] >= BLACK_THREES or (stops and RANKS[KIND[turn.upcard]] == "7"):
        return "stopped"
    if turn.frozen:
        return "frozen"
    return "open" if turn.opened_before else "unopened"
