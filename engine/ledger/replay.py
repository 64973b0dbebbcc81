"""Logged deals and the referee: a logged deal as a hand history, and everything the log says of it judged.

The kernel's log is believed only as far as the cards dealt and drawn; the referee plays the moves again by the
rules and compares every column of `deals`, `sides` and `turns` it can tell with what it finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from engine.cards import CARDS
from engine.history.record import History
from engine.ledger.compare import compare_deal, compare_moves, compare_sides, compare_turns
from engine.ledger.deals import LoggedDeal, read_columns, read_row, split_deals
from engine.ledger.piles import compare_piles
from engine.ledger.rows import Ledger, read_moves
from engine.ledger.watch import TurnNotes
from engine.log import NULL
from engine.referee.faults import Fault
from engine.referee.setup import lay_table
from engine.referee.table import Table
from engine.referee.turn import act, finish
from engine.rules import PARAMETERS, Rules, Variant, check_playable, variant_names


@lru_cache(maxsize=64)
def _name_rules(variant: Variant) -> tuple[str, tuple[tuple[str, Any], ...]]:
    """The variant's name in a history and what it changes; a variant of a user's file becomes changes to classic4."""
    if variant.name in variant_names():
        name, changed = variant.name, dict(variant.changes)
    else:
        name, changed = "classic4", {key: mine for key, (mine, _) in variant.rules.differences(Rules()).items()}
    return name, tuple((key, _plain(key, value)) for key, value in changed.items())


def _plain(key: str, value: Any) -> Any:
    """TOML has no null: a parameter that is none is written so."""
    return "none" if value is None else PARAMETERS[key].plain(value)


def history_of(variant: Variant, deal: Mapping[str, Any], moves: Any, sides: Any) -> History:
    """The history of a logged deal: its row of `deals`, its rows of `moves` and of `sides`.

    Each may be columns of codes or of words, or a structured array; `deal` a row (a record, a mapping).
    """
    logged = LoggedDeal(read_row(deal), read_columns("moves", moves), read_columns("sides", sides))
    return make_history(variant, logged, read_moves(variant.rules, logged))


def make_history(variant: Variant, logged: LoggedDeal, ledger: Ledger) -> History:
    """The history of a deal whose moves have been read."""
    name, changes = _name_rules(variant)
    deal = logged.deal
    hands = [_read_cards(hand) for hand in deal["hands"]]
    return History(
        variant=name,
        dealer=deal["dealer"],
        scores=tuple(logged.sides["score_before"]),
        game=str(deal["game"]),
        deal=deal["deal"],
        hands=tuple(hands[: variant.rules.players]),
        sits_out=None if deal.get("sits_out", NULL) == NULL else deal["sits_out"],
        reserve=tuple(_read_cards(packet) for packet in deal["reserves"])[: variant.rules.players]
        if variant.rules.reserve_size
        else None,
        upcards=_read_cards(deal["upcards"]),
        actions=tuple(ledger.actions),
        rules=dict(changes),
    )


def _read_cards(codes: Any) -> tuple[int, ...]:
    """Card codes of a logged list, which ends at the first null."""
    items = codes.tolist() if hasattr(codes, "tolist") else codes
    if items and isinstance(items[0], str):
        return tuple(CARDS.index(item) for item in items)
    return tuple(item - 1 for item in items if item > 0)


def judge_logged_deal(
    variant: Variant, deal: Mapping[str, Any], moves: Any, sides: Any, turns: Any = None, piles: Any = None
) -> list[Fault]:
    """Every fault of a logged deal: illegal play, and columns that say something else than the moves give.

    Rows as for `history_of`; `turns` and `piles` its rows of those, where they were kept. The action of a fault is the
    number of its first move, 0 for the deal as a whole.
    """
    logged = LoggedDeal(
        read_row(deal),
        read_columns("moves", moves),
        read_columns("sides", sides),
        {} if turns is None else read_columns("turns", turns),
        {} if piles is None else read_columns("piles", piles),
    )
    return judge_logged(variant, logged)


def judge_block(variant: Variant, block: Mapping[str, Any]) -> Iterator[tuple[int, int, list[Fault]]]:
    """Game, deal and faults of every deal of a block of whole deals, as `play_blocks` yields them."""
    for logged in split_deals(block):
        yield logged.deal["game"], logged.deal["deal"], judge_logged(variant, logged)


def judge_logged(variant: Variant, logged: LoggedDeal) -> list[Fault]:
    """The same for a deal already read."""
    ledger = read_moves(variant.rules, logged)
    if not ledger.readable:
        return ledger.faults
    notes = TurnNotes()
    table = _replay(variant, logged, ledger, notes)
    faults = [
        fault._replace(action=ledger.first_move[fault.action - 1] if fault.action else 0) for fault in table.faults
    ]
    faults += ledger.faults
    faults += compare_moves(table, logged, ledger)
    faults += compare_deal(table, logged, ledger)
    faults += compare_sides(table, logged, notes)
    if logged.turns:
        faults += compare_turns(table, logged, ledger, notes)
    if logged.piles:
        faults += compare_piles(table, logged, ledger)
    return sorted(faults, key=lambda fault: fault.action)


def _replay(variant: Variant, logged: LoggedDeal, ledger: Ledger, notes: TurnNotes) -> Table:
    """The table after the moves, while notes are taken of each turn."""
    _check_playable(variant.rules)
    table = lay_table(make_history(variant, logged, ledger), variant.rules)
    table.watch = notes
    begins = True
    for number, action in enumerate(ledger.actions, 1):
        act(table, number, action)
        # A turn begins with the reserve in hand that the discard before made due, with a three kept till then laid.
        if begins and not table.dealing and action.verb in ("foot", "red3"):
            notes.look_again(table)
        elif action.verb != "bonus":
            begins = table.dealing or action.verb in ("discard", "pass")
    finish(table)
    return table


@lru_cache(maxsize=64)
def _check_playable(rules: Rules) -> None:
    check_playable(rules)
