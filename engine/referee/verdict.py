"""The referee: judges a hand history by the rules and tells every fault in it.

The rules are implemented here a second time, from their text and apart from the compiled engine, in plain
Python that can be read beside docs/rules.md. `cards`, `table` and `book` hold the state and
the seats, `setup` lays it, `turn` follows the actions; the rules stand in the modules of their
name: `stock`, `upcards`, `aim`, `shape`, `melds`, `opening`, `pile`, `part`, `bonus`, `reserve`, `bans`, `out`,
`special`, `canastas`, `scoring`; `could`, `openings` and `finish` tell what a seat might do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.errors import BadInput
from engine.history.record import UNKNOWN, History, show_cards
from engine.referee.canastas import SORTS
from engine.referee.faults import Fault
from engine.referee.scoring import Items, count_items, find_sides_that_won, find_winner
from engine.referee.setup import lay_table
from engine.referee.table import Table
from engine.referee.turn import act, finish
from engine.rules import Rules


@dataclass(frozen=True)
class Verdict:
    """What the referee says of a history (docs/hand_history.md, "The verdict").

    `deal_scores`, `breakdown` by side, None while the deal goes on and for a side with a hand not known;
    `scores` are totals after the deal when it has ended. `hands` by seat leaves out hands nobody told of.
    """

    legal: bool
    faults: tuple[Fault, ...]
    ended: bool
    ending: str | None
    deal_scores: tuple[int | None, ...] | None
    scores: tuple[int | None, ...]
    breakdown: tuple[dict[str, int] | None, ...] | None
    winner: int | None
    hands: dict[int, str]
    melds: tuple[tuple[str, ...], ...]
    pile: str
    frozen: bool
    stock: int
    to_act: int | None

    def as_dict(self) -> dict[str, Any]:
        """The verdict as JSON values, in the order of the format."""
        return {
            "legal": self.legal,
            "faults": [
                {"action": fault.action, "seat": fault.seat or None, "rule": fault.rule, "text": fault.text}
                for fault in self.faults
            ],
            "ended": self.ended,
            "ending": self.ending,
            "deal_scores": None if self.deal_scores is None else list(self.deal_scores),
            "scores": list(self.scores),
            "breakdown": None if self.breakdown is None else list(self.breakdown),
            "winner": self.winner,
            "hands": {str(seat): cards for seat, cards in self.hands.items()},
            "melds": [list(side) for side in self.melds],
            "pile": self.pile,
            "frozen": self.frozen,
            "stock": self.stock,
            "to_act": self.to_act,
        }


def judge(history: History) -> Verdict:
    """Judge a history by the rules it names; BadInput when they are none the referee judges yet."""
    rules = history.load_rules().rules
    table = follow(history, rules)
    deal_scores, breakdown, scores, winner = _score(table)
    faults = tuple(sorted(table.faults, key=lambda fault: fault.action))
    return Verdict(
        legal=not faults,
        faults=faults,
        ended=table.ended,
        ending=table.ending,
        deal_scores=deal_scores,
        scores=scores,
        breakdown=breakdown,
        winner=winner,
        hands={
            seat: show_cards(sorted([*hand.cards, *[UNKNOWN] * hand.unknown], key=_by_code))
            for seat, hand in enumerate(table.hands, 1)
            if not hand.endless
        },
        melds=tuple(tuple(show_cards(meld.cards) for meld in melds.values()) for melds in table.melds),
        pile=show_cards(table.pile),
        frozen=table.frozen or table.book.always_frozen,
        stock=table.stock,
        to_act=None if table.ended else table.waiting or table.turn.seat,
    )


def follow(history: History, rules: Rules) -> Table:
    """The table after all actions of a history, faults noted on it, for who wants more than the verdict."""
    check_judged(history, rules)
    table = lay_table(history, rules)
    for number, action in enumerate(history.actions, 1):
        act(table, number, action)
    finish(table)
    return table


def check_judged(history: History, rules: Rules) -> None:
    """Raise BadInput for a history that seats players in a way its rules do not know."""
    if rules.sides == "two_v_three":
        if history.sits_out not in (None, 1, 3, 5):
            raise BadInput(f"sits_out = {history.sits_out}: one of the side of three sits out; expected 1, 3 or 5")
    elif history.sits_out is not None:
        raise BadInput(f"sits_out = {history.sits_out}: everybody plays in this variant; leave it out")
    if history.position is not None and history.position.lone_hand is not None and rules.sides != "lone_hand":
        raise BadInput("lone_hand: nobody plays alone against partners in this variant; leave it out")


def _by_code(card: int) -> int:
    return card if card != UNKNOWN else 99


def _score(
    table: Table,
) -> tuple[tuple[int | None, ...] | None, tuple[dict[str, int] | None, ...] | None, tuple[int | None, ...], int | None]:
    """Scores of the deal, their items, the totals and the winner."""
    if not table.ended:
        return None, None, tuple(table.scores), None
    items = [count_items(table, side) for side in range(table.book.sides)]
    deal_scores = tuple(None if item is None else sum(item.values()) for item in items)
    totals = tuple(
        None if score is None else before + score for before, score in zip(table.scores, deal_scores, strict=True)
    )
    breakdown = tuple(None if item is None else _show_items(item) for item in items)
    known = [total for total in totals if total is not None]
    won = find_sides_that_won(table)
    winner = find_winner(table.rules, known, table.deal, won)[1] if len(known) == len(totals) else None
    return deal_scores, breakdown, totals, winner


def _show_items(items: Items) -> dict[str, int]:
    """The items as the verdict names them: those of every variant, others where they are not zero."""
    shown = {
        "canastas": sum(items[sort] for sort in SORTS),
        "red_threes": items["red_threes"],
        "cards": items["cards"],
        "held": items["held"],
        "out": items["out"],
    }
    others = ("sets", "set_aside", "open_melds", "special", "one_turn")
    return shown | {name: items[name] for name in others if items[name]}
