"""Reads the moves of a logged deal as actions.

What is wrong with the rows themselves (order, numbers, nulls, red threes) is noted while they are read; whether the
play is legal is the referee's to say.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engine.cards import BLACK_THREES, CARDS, RED_THREES
from engine.history.record import Action
from engine.ledger.deals import LoggedDeal
from engine.ledger.melds import MeldNames, is_below, number_of
from engine.log import ACTIONS, MELDS, NULL
from engine.referee.faults import Fault
from engine.referee.table import KIND
from engine.rules import Rules

_RED3, _DRAW, _MELD, _TAKE, _DISCARD = (ACTIONS.index(word) + 1 for word in ("red3", "draw", "meld", "take", "discard"))
_ASIDE = ACTIONS.index("aside") + 1
_PASS, _AGREE, _REFUSE = (ACTIONS.index(word) + 1 for word in ("pass", "agree", "refuse"))
_CARDLESS = frozenset(ACTIONS.index(word) + 1 for word in ("ask", "agree", "refuse", "pass", "foot", "special", "join"))
_JOIN, _SPECIAL, _BONUS = (ACTIONS.index(word) + 1 for word in ("join", "special", "bonus"))
_MELDED = (_MELD, _TAKE, _JOIN, _SPECIAL)


@dataclass
class Ledger:
    """The moves of a deal read as actions.

    `first_move` has the number of the first row of each action; `takes` card, meld and count of each take
    as logged, `lowest` the lowest card of each that takes a part of the pile; `red_threes` how many were
    laid; `turns` how many there are;
    `readable` is false when rows hold codes that mean nothing.
    """

    actions: list[Action] = field(default_factory=list)
    first_move: list[int] = field(default_factory=list)
    takes: list[tuple[int, int, int]] = field(default_factory=list)
    lowest: list[int | None] = field(default_factory=list)
    red_threes: int = 0
    turns: int = 0
    readable: bool = True
    faults: list[Fault] = field(default_factory=list)


def read_moves(rules: Rules, logged: LoggedDeal) -> Ledger:
    """The moves of a deal as actions, with the faults of the rows themselves."""
    return _Reader(rules, logged).read()


class _Reader:
    """Walks the rows of one deal."""

    def __init__(self, rules: Rules, logged: LoggedDeal) -> None:
        moves = logged.moves
        self.seats, self.verbs, self.cards = moves["seat"], moves["action"], moves["card"]
        self.melds, self.taken, self.turns, self.numbers = moves["meld"], moves["taken"], moves["turn"], moves["move"]
        self.laid_kinds = {
            kind
            for kind, laid in (
                (RED_THREES, rules.red3_use == "lay_replace"),
                (BLACK_THREES, rules.black3_role == "bonus"),
            )
            if laid
        }
        self.keeps = "straight" in rules.special_hands
        self.may_keep = rules.last_red3 == "stays_in_hand" or self.keeps
        self.players = rules.players
        self.ledger = Ledger()
        self.game, self.deal = moves["game"], moves["deal"]
        self.row = logged.deal
        self.names = MeldNames(rules)
        self.told: set[int] = set()  # rows that an action before has told
        self.rules = rules
        upcards = logged.deal["upcards"]
        self.pile = [CARDS.index(card) + 1 if isinstance(card, str) else int(card) for card in upcards if card]

    def fault(self, at: int, text: str) -> None:
        self.ledger.faults.append(Fault(self.numbers[at], self.seats[at], "log_rows", text))

    def add(self, at: int, verb: str, cards: tuple[int, ...] = (), aim: str | None = None) -> None:
        self.ledger.actions.append(Action(self.seats[at], verb, cards, aim))
        self.ledger.first_move.append(self.numbers[at])

    def read(self) -> Ledger:
        self._check_codes()
        if not self.ledger.readable:
            return self.ledger
        self._check_numbers()
        at, end, dealt = 0, len(self.verbs), self.keeps
        while at < end:
            verb = self.verbs[at]
            if dealt and self.turns[at] > 0:
                self._add_kept(at)
                dealt = False
            if verb == _MELD:
                at = self._read_melds(at)
            elif verb in (_DRAW, _BONUS):
                at = self._read_draws(at, verb)
            elif verb == _RED3:
                at = self._read_red_three(at)
            elif verb == _JOIN:
                at = self._read_join(at)
            else:
                self._read_other(at, verb)
                at += 1
        return self.ledger

    def _add_kept(self, at: int) -> None:
        """Threes dealt that no row before the first turn lays are kept for a straight."""
        laid = Counter((self.seats[row], self.cards[row]) for row in range(at) if self.verbs[row] == _RED3)
        laid -= Counter((self.seats[row], self.cards[row]) for row in range(at) if self.verbs[row] == _DRAW)
        for seat, hand in enumerate(self.row["hands"], 1):
            for word in hand:
                card = CARDS.index(word) if isinstance(word, str) else int(word) - 1
                if card >= 0 and KIND[card] in self.laid_kinds and laid[seat, card + 1] <= 0:
                    self.ledger.actions.append(Action(seat, "keep", (card,)))
                    self.ledger.first_move.append(self.numbers[at])
                laid[seat, card + 1] -= 1

    def _check_codes(self) -> None:
        """Every seat, action, card and meld is one there is."""
        limits = (
            ("seat", self.seats, 1, self.players),
            ("action", self.verbs, 1, len(ACTIONS)),
            ("card", self.cards, 0, len(CARDS)),
            ("meld", self.melds, 0, len(MELDS)),
        )
        for name, codes, low, high in limits:
            if codes and not (low <= min(codes) and max(codes) <= high):
                self.ledger.readable = False
                self.ledger.faults.append(Fault(0, 0, "log_rows", f"a move has a {name} that is none"))
        if not 1 <= self.row["dealer"] <= self.players:
            self.ledger.readable = False
            self.ledger.faults.append(Fault(0, 0, "log_rows", f"dealer {self.row['dealer']} has no seat"))

    def _check_numbers(self) -> None:
        """Moves count from 1, turns go up by one after each discard or pass, what has no card or meld has none."""
        if self.numbers != list(range(1, len(self.numbers) + 1)):
            self.ledger.faults.append(Fault(0, 0, "log_rows", "moves are not numbered 1, 2, 3 …"))
        if set(self.game) - {self.row["game"]} or set(self.deal) - {self.row["deal"]}:
            self.ledger.faults.append(Fault(0, 0, "log_rows", "moves of another deal among them"))
        turn = 0
        ended = True
        for at, (verb, now) in enumerate(zip(self.verbs, self.turns, strict=True)):
            if now and ended and not (now == turn and verb in (_BONUS, _RED3)):  # bonus cards come after the discard
                turn += 1
                ended = False
            if now != turn:
                self.fault(at, f"a move of turn {now} in turn {turn}")
                turn = now
            if verb in (_DISCARD, _PASS):
                ended = True
            if (self.cards[at] == 0) != (verb in _CARDLESS):
                self.fault(at, f"{ACTIONS[verb - 1]} with{'' if self.cards[at] else 'out'} a card")
            if (self.melds[at] == 0) == (verb in _MELDED) or (self.taken[at] == NULL) == (verb == _TAKE):
                self.fault(at, f"{ACTIONS[verb - 1]} with wrong meld or number of cards taken")
        self.ledger.turns = turn

    def _read_other(self, at: int, verb: int) -> None:
        """A row that is an action of its own."""
        aim, word, number = None, None, None
        if verb == _TAKE:
            number = self._take_part(self.cards[at], self.taken[at])
            self.ledger.takes.append((self.cards[at] - 1, self.melds[at], self.taken[at]))
            aim = self.names.find_aim(self.seats[at], MELDS[self.melds[at] - 1], (self.cards[at] - 1,), True)
        elif verb == _SPECIAL:
            word = MELDS[self.melds[at] - 1]
        elif verb == _DISCARD:
            self.pile.append(self.cards[at])
        self.add(at, ACTIONS[verb - 1], (self.cards[at] - 1,) if verb in (_DISCARD, _ASIDE) else (), aim)
        self.ledger.actions[-1] = self.ledger.actions[-1]._replace(word=word, number=number)

    def _take_part(self, card: int, taken: int) -> int | None:
        """How many cards a take says it takes, where it takes a part of the pile by its lowest; None for any other."""
        whole = taken == len(self.pile) and self.pile[-1:] == [card]
        rest = self.pile[: max(0, len(self.pile) - taken)]
        lowest = self.pile[len(rest)] - 1 if len(rest) < len(self.pile) else -1
        self.pile = rest if self.rules.pile_rest == "stays" else []
        part = self.rules.pile_portion == "from_melded" and not whole
        self.ledger.lowest.append(lowest if part else None)
        return taken if part else None

    def _read_join(self, at: int) -> int:
        """The meld that goes and the one it joins, a row each."""
        if at + 1 == len(self.verbs) or self.verbs[at + 1] != _JOIN or self.seats[at] != self.seats[at + 1]:
            self.fault(at, "join without the meld that is joined")
            return at + 1
        self.add(at, "join", aim=MELDS[self.melds[at + 1] - 1])
        self.ledger.actions[-1] = self.ledger.actions[-1]._replace(word=MELDS[self.melds[at] - 1])
        return at + 2

    def _read_melds(self, start: int) -> int:
        """Rows of melds that follow one another in a turn; what begins a second meld of a name waits for the first."""
        end = start
        while end < len(self.verbs) and self._is_meld_of(end, self.seats[start], self.turns[start]):
            end += 1
        words = {at: self._word(at) for at in range(start, end)}
        waiting = [at for at in words if self.names.is_early(self.seats[at], at, words)]
        rows = [at for at in words if at not in waiting] + sorted(waiting, key=lambda at: number_of(words[at]))
        for place, at in enumerate(rows):
            if at in self.told:
                continue
            if self.melds[at] and self.names.begins_sequence(self.seats[at], self._word(at)):
                self._read_sequence(at)
            else:
                self._read_meld(rows[place:])
        return end

    def _word(self, at: int) -> str:
        return MELDS[self.melds[at] - 1]

    def _is_meld_of(self, at: int, seat: int, turn: int) -> bool:
        return self.verbs[at] == _MELD and self.seats[at] == seat and self.turns[at] == turn

    def _read_sequence(self, start: int) -> None:
        """Cards that begin a sequence are one action, whatever else is laid or happens between them.

        Three cards make it one; later ones belong to it as long as nothing but melds comes between.
        """
        seat, meld, turn = self.seats[start], self.melds[start], self.turns[start]
        rows, apart = [start], False
        for at in range(start + 1, len(self.verbs)):
            if self.turns[at] != turn or self.seats[at] != seat or self.verbs[at] in (_TAKE, _DISCARD):
                break
            apart = apart or self.verbs[at] != _MELD
            if self.verbs[at] == _MELD and self.melds[at] == meld and not (apart and len(rows) >= 3):
                below = is_below(MELDS[meld - 1], self.cards[at] - 1)
                if not below or at == rows[-1] + 1:
                    rows.append(at)
                if below:
                    break
        self._add_meld(rows)

    def _read_meld(self, following: list[int]) -> None:
        """Cards laid to one meld, one after another, are one action; aimed where their naturals do not name it.

        A card that joins a sequence from below gives it another name: the word then means another meld.
        """
        rows: list[int] = []
        for at in following:
            if self.melds[at] != self.melds[following[0]] or at in self.told:
                break
            rows.append(at)
            if is_below(MELDS[self.melds[at] - 1], self.cards[at] - 1):
                break
        self._add_meld(rows)

    def _add_meld(self, rows: list[int]) -> None:
        start, cards = rows[0], tuple(self.cards[at] - 1 for at in rows)
        self.told.update(rows)
        word = MELDS[self.melds[start] - 1] if self.melds[start] else None
        self.add(start, "meld", cards, word and self.names.find_aim(self.seats[start], word, cards, False))

    def _read_draws(self, at: int, verb: int) -> int:
        """Cards drawn one after another are one action; a red three among them is laid and replaced by the next."""
        seat, turn, start, end = self.seats[at], self.turns[at], at, len(self.verbs)
        cards, kept = [], []
        while at < end and self.seats[at] == seat and self.turns[at] == turn:
            card = self.cards[at] - 1
            if self.verbs[at] == verb:
                cards.append(card)
                if KIND[card] in self.laid_kinds:
                    at += 1
                    if at == end or (self.verbs[at], self.cards[at] - 1, self.seats[at]) != (_RED3, card, seat):
                        if not self.may_keep:
                            self.fault(at - 1, f"{CARDS[card]} drawn and not laid next")
                        kept.append(card)
                        continue
                    self.ledger.red_threes += 1
            else:
                break
            at += 1
        self.add(start, ACTIONS[verb - 1], tuple(cards))
        for card in kept if self.keeps and at < end else ():  # a three that ends the deal is not kept for anything
            self.add(start, "keep", (card,))
        return at

    def _read_red_three(self, at: int) -> int:
        """A red three laid from hand, with the draw that replaces it, if one follows; one out of a reserve with all."""
        seat, turn, start, end = self.seats[at], self.turns[at], at, len(self.verbs)
        self.ledger.red_threes += 1
        cards = [self.cards[at] - 1]
        at += 1
        while at < end and self.verbs[at] == _DRAW and self.seats[at] == seat and self.turns[at] == turn:
            cards.append(self.cards[at] - 1)
            at += 1
            laid = at < end and turn > 0 and (self.verbs[at], self.cards[at] - 1) == (_RED3, cards[-1])
            if not laid or KIND[cards[-1]] not in self.laid_kinds:
                break
            self.ledger.red_threes += 1
            at += 1
        self.add(start, "red3", tuple(cards))
        return at
