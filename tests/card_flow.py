"""Follows every card of a logged deal from the pack to where it ends, by the rows of `moves` alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.cards import CARDS
from engine.log import ACTIONS
from engine.rules import Rules

Columns = Mapping[str, np.ndarray]


class Flow:
    """Where the cards of one deal are; `missing` says which move took a card from where it was not."""

    def __init__(self, rules: Rules, hands: Any, reserves: Any, upcards: Any) -> None:
        self.rules = rules
        self.hands = [Counter(card for card in hand if card) for hand in hands]
        self.reserves = [Counter(card for card in reserve if card) for reserve in reserves]
        self.pile = [card for card in upcards if card]
        self.table: Counter[int] = Counter()
        self.removed: Counter[int] = Counter()
        self.missing: list[str] = []

    def drop(self, where: str, seat: int, card: int) -> None:
        """A card leaves a hand."""
        self.hands[seat][card] -= 1
        if self.hands[seat][card] < 0:
            self.missing.append(f"{where} of {CARDS[card - 1]} that seat {seat + 1} does not hold")

    def move(self, action: str, seat: int, card: int, taken: int) -> None:
        """One row of `moves`."""
        if action in ("draw", "bonus"):
            self.hands[seat][card] += 1
        elif action in ("meld", "red3", "aside"):
            self.drop(action, seat, card)
            self.table[card] += 1
        elif action == "discard":
            self.drop(action, seat, card)
            self.pile.append(card)
        elif action == "foot":
            self.hands[seat] += self.reserves[seat]
            self.reserves[seat] = Counter()
        elif action == "take":
            self.take(seat, card, taken)

    def take(self, seat: int, card: int, taken: int) -> None:
        """The top of the pile goes to a hand but for the card melded."""
        rest, part = self.pile[: len(self.pile) - taken], self.pile[len(self.pile) - taken :]
        if len(part) != taken or card not in (part[0], part[-1]):
            self.missing.append(f"a take of {taken} from a pile of {len(self.pile)}")
        self.hands[seat] += Counter(part)
        self.hands[seat][card] -= 1
        self.table[card] += 1
        self.pile = rest if self.rules.pile_rest == "stays" else []
        self.removed += Counter(rest if self.rules.pile_rest == "removed" else [])

    def count_all(self) -> Counter[int]:
        """Every card that has been seen, by code."""
        hands: Counter[int] = sum([*self.hands, *self.reserves], Counter())
        return hands + Counter(self.pile) + self.table + self.removed


def find_lost_cards(rules: Rules, block: Mapping[str, Columns]) -> Iterator[str]:
    """What is wrong with the cards of the deals of a block: none may appear, vanish or be in two places."""
    copies = {card + 1: rules.packs if card < len(CARDS) - 1 else rules.jokers for card in range(len(CARDS))}
    moves, deals, start = block["moves"], block["deals"], 0
    for row in range(len(deals["deal"])):
        key = (int(deals["game"][row]), int(deals["deal"][row]))
        flow = Flow(rules, *(deals[name][row].tolist() for name in ("hands", "reserves", "upcards")))
        drawn = 0
        while start < len(moves["deal"]) and (int(moves["game"][start]), int(moves["deal"][start])) == key:
            action = ACTIONS[int(moves["action"][start]) - 1]
            drawn += action in ("draw", "bonus")
            flow.move(action, int(moves["seat"][start]) - 1, int(moves["card"][start]), int(moves["taken"][start]))
            start += 1
        found = flow.count_all()
        yield from (f"{key}: {fault}" for fault in flow.missing)
        yield from (f"{key}: {found[card]} of {CARDS[card - 1]}" for card in found if found[card] > copies[card])
        if found.total() + int(deals["stock"][row]) != rules.packs * 52 + rules.jokers:
            yield f"{key}: {found.total()} cards seen and {int(deals['stock'][row])} in the stock"
        if len(flow.pile) != int(deals["pile"][row]):
            yield f"{key}: {len(flow.pile)} cards in the pile, logged {int(deals['pile'][row])}"
