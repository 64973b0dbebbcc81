"""Histories with one thing changed, most of them faulty: an action dropped, doubled, moved, or told otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from engine.cards import CARD_COUNT, CARDS
from engine.history.record import Action, History

WORDS = ("pass", "take", "ask", "agree", "refuse", "foot")
AIMS = ("K", "A", "4", "3", "wild", "7")
LIKELY = tuple(CARDS.index(card) for card in ("2C", "3C", "JK", "3H"))

Change = Callable[[Random, list[Action], int, int], bool]
"""Changes the action in a place of a deal of so many seats; False when it cannot be changed in this way."""


def drop(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    del actions[at]
    return True


def double(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    actions.insert(at, actions[at])
    return True


def move(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    actions.insert(at + 1, actions.pop(at))
    return True


def exchange_card(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    cards = list(actions[at].cards)
    if cards:
        cards[chance.randrange(len(cards))] = chance.randrange(CARD_COUNT)
        actions[at] = actions[at]._replace(cards=tuple(cards))
    return bool(cards)


def drop_card(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    cards = list(actions[at].cards)
    if len(cards) < 2 or actions[at].verb == "red3":
        return False
    del cards[chance.randrange(len(cards))]
    actions[at] = actions[at]._replace(cards=tuple(cards))
    return True


def add_card(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    card = chance.choice((*LIKELY, chance.randrange(CARD_COUNT)))
    actions[at] = actions[at]._replace(cards=(*actions[at].cards, card))
    return actions[at].verb == "meld"


def do_otherwise(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    actions[at] = Action(actions[at].seat, chance.choice(WORDS))
    return True


def do_by_another(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    actions[at] = actions[at]._replace(seat=chance.randrange(seats) + 1)
    return True


def aim_elsewhere(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    actions[at] = actions[at]._replace(aim=chance.choice(AIMS))
    return actions[at].verb == "meld"


def stop(chance: Random, actions: list[Action], at: int, seats: int) -> bool:
    del actions[at:]
    return True


CHANGES: tuple[Change, ...] = (
    drop,
    double,
    move,
    exchange_card,
    drop_card,
    add_card,
    do_otherwise,
    do_by_another,
    aim_elsewhere,
    stop,
)


def change_history(chance: Random, history: History) -> History:
    """The history with one thing changed after the first turn has begun; what it has not told of before stays so."""
    first = next(place for place, action in enumerate(history.actions) if action.verb != "red3")
    while True:
        actions = list(history.actions)
        at = chance.randrange(first, len(actions))
        if chance.choice(CHANGES)(chance, actions, at, len(history.hands or ())):
            return replace(history, actions=tuple(actions))
