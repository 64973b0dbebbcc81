"""Deals played by trial and error before the referee alone: whatever it lets pass is played, in any variant.

Slow and stupid, but it needs no engine: cards are dealt from a shuffled pack, every action is tried on a copy of
the table, and one without a fault is kept.
"""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random

from engine.cards import BLACK_THREES, RED_THREES
from engine.history.record import Action, History
from engine.referee.cards import KIND, NATURAL_KINDS, WILD
from engine.referee.setup import find_sits_out, lay_table
from engine.referee.table import Table
from engine.referee.turn import act
from engine.referee.upcards import PIPS, find_upcard_fault
from engine.rules import Rules, load_variant


@dataclass
class Dealt:
    """A deal as it was played."""

    variant: str
    rules: Rules
    history: History
    table: Table
    stock: list[int]
    chance: Random
    actions: list[Action] = field(default_factory=list)

    def try_action(self, action: Action) -> bool:
        """Do an action if the referee finds no fault in it."""
        trial = deepcopy(self.table)
        act(trial, len(self.actions) + 1, action)
        if len(trial.faults) > len(self.table.faults):
            return False
        self.table = trial
        self.actions.append(action)
        return True

    def take_cards(self, count: int) -> tuple[int, ...]:
        """Cards from the stock, as many as wanted beside threes that are laid."""
        cards: list[int] = []
        while count and self.stock:
            cards.append(self.stock.pop())
            count -= KIND[cards[-1]] not in self.table.book.laid_threes
        return tuple(cards)


def deal_cards(variant: str, seed: int, **changes: object) -> Dealt:
    """Shuffle and deal; dealt threes are laid."""
    rules = load_variant(variant, changes).rules
    chance = Random(f"{variant}/{seed}")
    pack = [card for card in range(52) for _ in range(rules.packs)] + [52] * rules.jokers
    chance.shuffle(pack)
    empty = History(variant=variant, deal=seed % 3 + 1, hands=((),) * rules.players)
    out = find_sits_out(empty, rules)
    hands = [
        tuple(pack.pop() for _ in range(rules.hand_size)) if seat != out else () for seat in range(1, rules.players + 1)
    ]
    feet = [tuple(pack.pop() for _ in range(rules.reserve_size)) for _ in hands] if rules.reserve_size else None
    upcards: tuple[int, ...] = ()
    if rules.upcard == "value_pile":
        top = next(place for place in range(len(pack) - 1, -1, -1) if KIND[pack[place]] < NATURAL_KINDS)
        card = pack.pop(top)
        upcards = (*(pack.pop() for _ in range(PIPS[KIND[card]])), card)
    while find_upcard_fault(rules, upcards):
        upcards = (*upcards, pack.pop())
    history = History(
        variant=variant,
        deal=empty.deal,
        hands=tuple(hands),
        upcards=upcards,
        reserve=None if feet is None else tuple(feet),
        rules=changes,
    )
    dealt = Dealt(variant, rules, history, lay_table(history, rules), pack, chance)
    order, first = dealt.table.book.order, dealt.table.book.next_of(dealt.table.dealer)
    for seat in order[order.index(first) :] + order[: order.index(first)]:
        for card in [card for card in hands[seat - 1] if KIND[card] in dealt.table.book.laid_threes]:
            assert dealt.try_action(Action(seat, "red3", (card, *dealt.take_cards(1))))
    return dealt


def play_deal(dealt: Dealt, most: int = 250) -> Dealt:
    """Play turns until the deal ends."""
    turn = None
    for _ in range(most):
        if dealt.table.ended:
            break
        turn = _play_turn(dealt)
    assert turn is None or dealt.table.ended, f"no end after {most} turns"
    return dealt


def _play_turn(dealt: Dealt) -> int:
    table = dealt.table
    seat = (table.dealing and table.book.next_of(table.dealer)) or table.turn.seat
    for three in list(table.due_threes):  # of a reserve that the discard before made due
        assert dealt.try_action(Action(seat, "red3", (three, *dealt.take_cards(1))))
    if not (dealt.chance.random() < 0.7 and _take(dealt, seat)):
        if dealt.stock:
            assert dealt.try_action(Action(seat, "draw", dealt.take_cards(dealt.rules.draw_count)))
        elif not dealt.try_action(Action(seat, "pass")):
            assert _take(dealt, seat)
    if dealt.table.ended:
        return seat
    if not dealt.table.turn.took and dealt.rules.ask_partner == "required" and table.partner_of(seat):
        _ask(dealt, seat)
    _bonus(dealt, seat)
    _meld(dealt, seat)
    if not dealt.table.ended:
        _discard(dealt, seat)
    return seat


def _ask(dealt: Dealt, seat: int) -> None:
    """A yes obliges, so the partner says no unless the turn can go out."""
    if dealt.table.count_canastas(dealt.table.turn.side) < dealt.rules.canastas_out - 1:
        return
    trial = deepcopy(dealt)
    if trial.try_action(Action(seat, "ask")) and trial.try_action(Action(trial.table.waiting, "agree")):
        _meld(trial, seat)
        if not trial.table.ended and not _discard(trial, seat):
            return
        if trial.table.ended:
            dealt.table, dealt.actions = trial.table, trial.actions


def _groups(dealt: Dealt, seat: int) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = defaultdict(list)
    for card in dealt.table.hands[seat - 1].cards:
        groups[KIND[card]].append(card)
    return groups


def _take(dealt: Dealt, seat: int) -> bool:
    table = dealt.table
    if table.dealing or not table.pile:
        return False
    pair = _groups(dealt, seat)[KIND[table.pile[-1]]]
    before = deepcopy(dealt.table), list(dealt.actions)
    number = min(7, len(table.pile)) if dealt.rules.pile_portion == "top7" else None
    if len(pair) >= 2 and KIND[table.pile[-1]] < NATURAL_KINDS:
        dealt.try_action(Action(seat, "meld", tuple(pair[:2])))
        if not table.turn.opened_before:
            for group in list(_groups(dealt, seat).values()):
                if len(group) >= 3 and KIND[group[0]] < NATURAL_KINDS:
                    dealt.try_action(Action(seat, "meld", tuple(group)))
    if dealt.try_action(Action(seat, "take", number=number)):
        _bonus(dealt, seat)
        return True
    dealt.table, dealt.actions = before
    return False


def _bonus(dealt: Dealt, seat: int) -> None:
    who, due = dealt.table.due_cards
    if due and who == seat:
        assert dealt.try_action(Action(seat, "bonus", dealt.take_cards(due)))


def _meld(dealt: Dealt, seat: int) -> None:
    """Lay what can be laid; an opening that does not suffice is taken back whole."""
    before = deepcopy(dealt.table), list(dealt.actions)
    for kind, group in sorted(_groups(dealt, seat).items(), key=lambda item: -len(item[1])):
        if dealt.table.ended or dealt.table.hands[seat - 1].is_empty:
            break
        old = dealt.table.melds[dealt.table.turn.side].get(kind)
        if kind < NATURAL_KINDS and (old is not None or len(group) >= 3):
            _lay(dealt, seat, tuple(group))
        elif kind in (11, 12) and dealt.rules.wild_melds != "none" and len(group) >= 3:
            _lay(dealt, seat, tuple(group[:7]))
        elif kind == RED_THREES and dealt.rules.red3_use == "on_clean_canasta":
            dealt.try_action(Action(seat, "red3", (group[0],)))
        elif kind == BLACK_THREES and dealt.rules.black3_meld == "as_rank" and len(group) >= 3:
            _lay(dealt, seat, tuple(group))
    if dealt.rules.sequences:
        _lay_sequences(dealt, seat)
    for meld in list(dealt.table.melds[dealt.table.turn.side]):
        wilds = [card for card in dealt.table.hands[seat - 1].cards if WILD[card]]
        if wilds and meld.kind < NATURAL_KINDS and not dealt.table.ended and len(meld.cards) >= 4:
            _lay(dealt, seat, (wilds[0],), meld.name)
    trial = deepcopy(dealt)
    if not dealt.table.ended and not _discard(trial, seat):
        dealt.table, dealt.actions = before


def _lay(dealt: Dealt, seat: int, cards: tuple[int, ...], aim: str | None = None) -> None:
    if dealt.try_action(Action(seat, "meld", cards, aim)):
        three = dealt.table.due_threes
        while three and not dealt.table.ended:
            assert dealt.try_action(Action(seat, "red3", (three[0], *dealt.take_cards(1))))
            three = dealt.table.due_threes


def _lay_sequences(dealt: Dealt, seat: int) -> None:
    """A card to each end of the sequences there are, and new ones of three."""
    for meld in list(dealt.table.melds[dealt.table.turn.side].of(15)):
        for card in (min(meld.cards) - 4, max(meld.cards) + 4):
            if card in dealt.table.hands[seat - 1].cards and 0 <= card < 4 * NATURAL_KINDS:
                _lay(dealt, seat, (card,), meld.name)
    for card in sorted(set(dealt.table.hands[seat - 1].cards)):
        held = dealt.table.hands[seat - 1].cards
        if card < 36 and card + 4 in held and card + 8 in held and card in held and not dealt.table.ended:
            _lay(dealt, seat, (card, card + 4, card + 8))


def _discard(dealt: Dealt, seat: int) -> bool:
    cards = list(dealt.table.hands[seat - 1].cards)
    dealt.chance.shuffle(cards)
    for card in cards:
        if dealt.try_action(Action(seat, "discard", (card,))):
            _bonus(dealt, seat)
            return True
    return False
