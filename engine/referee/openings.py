"""What openings a hand holds beside a card of the pile (RULES §1.6, §3, §4, §5, §7, §8, §10).

Openings are sets of melds; what matters of one is its count, the cards it takes, and whether it has what an
opening must contain. They are found meld by meld, best counts kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from engine.cards import BLACK_THREES, JOKERS, POINTS_OF_KIND, TWOS
from engine.history.record import UNKNOWN
from engine.referee.cards import CANASTA, KIND, LEAST, NATURAL_KINDS, SEQUENCE, WILD_MELD, Meld
from engine.referee.finish import count_sure, may_go_out
from engine.referee.opening import count_bonus, find_content
from engine.referee.reserve import brings_foot, waits_for_foot
from engine.referee.shape import largest, word_of_rank
from engine.referee.table import Table

Form = tuple[int, int, int, int, int]
"""A meld from hand: kind, naturals, twos, jokers (of a wild meld: no naturals), 1 where the card taken joins it."""
_VALUE = [int(points) for points in POINTS_OF_KIND]


@dataclass(frozen=True)
class Opening:
    """What matters of melds laid together; `forms` are kept only where the melds themselves matter."""

    twos: int = 0
    jokers: int = 0
    cards: int = 0
    content: bool = False
    splash: bool = False
    forms: tuple[Form, ...] = ()


Best = dict[Opening, int]
"""The highest count of openings that are alike."""


def may_open(table: Table, rest: list[int], card: int) -> bool:
    """Whether an opening with a natural pair for a card of the pile is possible, and the turn can be finished."""
    turn = table.turn
    hand = table.hands[turn.seat - 1].cards
    search = _Search(table, hand, card)
    coming = _count_coming(table)
    left = len(hand) + len(rest) + coming
    if left - len(hand) >= 2 or waits_for_foot(table, turn.seat):
        search.counts_cards = False
        return any(search.suffices(*best) for best in search.find(full=False))
    good = [best for best in search.find(full=False) if search.suffices(*best)]
    if not good or any(left - opening.cards >= 2 for opening, _ in good):
        return bool(good)
    for opening, points in search.find(full=True):
        if search.suffices(opening, points) and left - opening.cards < 2:
            melds = [_make(form) for form in opening.forms]
            if brings_foot(table, turn.seat) and any(meld.is_canasta for meld in melds):
                return True
            last = _remove(hand, opening.forms) + rest + [UNKNOWN] * coming
            if len(last) < 2 and may_go_out(table, melds, last):
                return True
    return False


def _count_coming(table: Table) -> int:
    """Stock cards that such a take brings for certain: extra ones, and those of an opening (RULES §7, §15)."""
    rules = table.rules
    due = rules.pile_extra_draw
    if rules.initial_draw["when"] == "at_once":
        due += count_bonus(table)
    return min(due, count_sure(table))


class _Search:
    """The openings of one hand."""

    def __init__(self, table: Table, hand: list[int], card: int) -> None:
        self.table, self.rules, self.card = table, table.rules, card
        self.own = table.rules.initial_pile == "after_own"
        self.counts_cards = True
        self.kind = KIND[card]
        self.content = find_content(table.rules, table.scores[table.turn.side])
        self.minimum = table.minimums[table.turn.side]
        self.hand = hand
        self.held = Counter(KIND[other] for other in hand)

    def suffices(self, opening: Opening, points: int) -> bool:
        """Whether an opening has its count and content, or needs none."""
        return opening.splash or (points >= self.minimum and opening.content)

    def find(self, *, full: bool) -> Iterator[tuple[Opening, int]]:
        """Every kind of opening with its highest count; with `full` every set of melds."""
        for sequences in _find_sequences(self.hand) if self.rules.sequences else [()]:
            held = self.held - Counter(card // 4 for run in sequences for card in run)
            if held[self.kind] < 2:
                continue
            start = Opening(content=self.content in ("any", "naturals_only"))
            points = 0
            for run in sequences:
                form = (SEQUENCE, len(run), 0, 0, 0)
                start = self._add(start, form, full=full)
                points += sum(_VALUE[card // 4] for card in run)
            yield from self._fill(start, points, held, full=full).items()

    def _fill(self, start: Opening, points: int, held: Counter[int], *, full: bool) -> Best:
        """Melds of every rank, and of wilds, beside the sequences chosen."""
        best: Best = {start: points}
        for kind in (*range(NATURAL_KINDS), *((BLACK_THREES,) if self.table.book.threes_as_rank else ()), WILD_MELD):
            sets = self._sets(kind, held[kind]) if kind != WILD_MELD else self._wild_sets()
            grown: Best = {}
            for (opening, count), forms in product(best.items(), sets):
                if not self._may_use(opening, forms):
                    continue
                after, total = opening, count
                for form in forms:
                    after = self._add(after, form, full=full)
                    total += self._count(form)
                if grown.get(after, -1) < total:
                    grown[after] = total
            best = grown
        return best

    def _may_use(self, opening: Opening, forms: tuple[Form, ...]) -> bool:
        twos = opening.twos + sum(form[2] for form in forms)
        jokers = opening.jokers + sum(form[3] for form in forms)
        return twos <= self.held[TWOS] and jokers <= self.held[JOKERS]

    def _count(self, form: Form) -> int:
        kind, naturals, twos, jokers, joined = form
        if naturals + twos + jokers < LEAST and self.own:
            return 0  # a pair laid beside the opening for the card that is taken
        joined = 0 if self.own else joined
        value = _VALUE[kind] if kind != WILD_MELD else 0
        return (naturals + joined) * value + twos * _VALUE[TWOS] + jokers * _VALUE[JOKERS]

    def _add(self, opening: Opening, form: Form, *, full: bool) -> Opening:
        kind, naturals, twos, jokers, joined = form
        size = naturals + twos + jokers + (0 if self.own else joined)
        wilds = twos + jokers
        natural = kind != WILD_MELD and not wilds
        triple = natural and kind < NATURAL_KINDS and size >= LEAST
        fits = {
            "clean_triple": triple,
            "clean_or_wild_triple": triple or kind == WILD_MELD,
            "any_canasta": size >= CANASTA,
            "natural_canasta": size >= CANASTA and (natural or kind == WILD_MELD),
        }
        splash = naturals + wilds >= CANASTA and (natural or kind == WILD_MELD) and kind != SEQUENCE
        return Opening(
            opening.twos + twos,
            opening.jokers + jokers,
            opening.cards + (naturals + wilds if self.counts_cards else 0),
            opening.content or fits.get(self.content, False),
            opening.splash or (splash and "splash" in self.rules.initial_waivers),
            (*opening.forms, form) if full else (),
        )

    def _sets(self, kind: int, held: int) -> list[tuple[Form, ...]]:
        """Melds of a rank that may be laid together."""
        if self.table.is_dead(kind):
            return [()] if kind != self.kind else []
        sets: list[tuple[Form, ...]] = [] if kind == self.kind else [()]
        for joined in (1, 0) if kind == self.kind else (0,):
            for naturals in range(1 + joined, held + 1):
                for form in self._forms(kind, naturals, joined):
                    left = held - naturals
                    if joined or kind != self.kind:
                        sets.append((form,))
                    if joined:
                        sets += [(form, other) for other in self._others(form, left)]
                    elif kind != self.kind:
                        sets += [(form, other) for other in self._others(form, left) if other <= form]
        return sets

    def _others(self, first: Form, held: int) -> list[Form]:
        """A second meld of the rank of a first; a canasta of it may close the rank for the other."""
        forms = [form for naturals in range(1, held + 1) for form in self._forms(first[0], naturals, 0)]
        if not self.table.book.several or (self.rules.closed_ranks_dead and sum(first[1:]) >= CANASTA):
            return []
        return [form for form in forms if not self.rules.closed_ranks_dead or sum(form[1:]) < CANASTA]

    def _forms(self, kind: int, naturals: int, joined: int) -> Iterator[Form]:
        """Melds of so many naturals of a rank with every number of wilds."""
        rules = self.rules
        pure = word_of_rank(rules, kind) == "always" or self.content == "naturals_only"
        for wilds in range((0 if pure else rules.max_wilds) + 1):
            size, whole = naturals + wilds, naturals + wilds + joined
            # a whole meld must be one without the card taken
            counted = naturals if self.own and size >= LEAST else naturals + joined
            most = {"none": wilds, "not_more": counted, "fewer": counted - 1}[rules.wild_ratio]
            if wilds > most or whole > largest(self.table, kind) or whole < LEAST:
                continue
            if counted < rules.min_naturals or (self.own and joined and size < LEAST and wilds):
                continue
            if self.content.endswith("triple") and wilds and (size if self.own else whole) >= CANASTA:
                continue
            for jokers in range(wilds + 1):
                yield kind, naturals, wilds - jokers, jokers, joined

    def _wild_sets(self) -> list[tuple[Form, ...]]:
        """Wild melds that may be laid."""
        rules = self.rules
        forms: list[tuple[Form, ...]] = [()]
        if rules.wild_melds == "none" or self.content == "naturals_only":
            return forms
        for twos, jokers in product(range(self.held[TWOS] + 1), range(self.held[JOKERS] + 1)):
            ranked = rules.wild_melds != "twos_first" or (twos >= rules.min_naturals and jokers <= rules.max_wilds)
            if LEAST <= twos + jokers <= CANASTA and ranked:
                forms.append(((WILD_MELD, 0, twos, jokers, 0),))
        return forms


def _find_sequences(hand: list[int]) -> list[tuple[tuple[int, ...], ...]]:
    """Every set of sequences a hand holds, none among them."""
    cards = Counter(card for card in hand if card < 4 * NATURAL_KINDS)
    runs: list[tuple[int, ...]] = []
    for first in cards:
        for length in range(LEAST, CANASTA + 1):
            run = tuple(range(first, first + 4 * length, 4))
            if all(card in cards for card in run):
                runs.append(run)
    sets: list[tuple[tuple[int, ...], ...]] = [()]
    for run in runs:
        for _ in range(min(cards[card] for card in run)):
            sets += [
                (*chosen, run)
                for chosen in sets
                if all(cards[card] > sum(other.count(card) for other in chosen) for card in run)
                and (*chosen, run) not in sets
            ]
    return sets


def _make(form: Form) -> Meld:
    """A meld of a form, of some cards of its kinds."""
    kind, naturals, twos, jokers, joined = form
    meld = Meld(kind)
    card = 0 if kind in (SEQUENCE, WILD_MELD) else kind * 4 if kind < NATURAL_KINDS else 48
    wilds = [44] * twos + [52] * jokers
    for laid in [card] * (naturals + joined) + wilds:
        meld.add(laid)
    return meld


def _remove(hand: list[int], forms: tuple[Form, ...]) -> list[int]:
    """What is left of a hand after melds of ranks and wilds."""
    gone: Counter[int] = Counter()
    for kind, naturals, twos, jokers, _ in forms:
        gone.update({kind: naturals, TWOS: twos, JOKERS: jokers} if kind < WILD_MELD else {TWOS: twos, JOKERS: jokers})
    left = []
    for card in hand:
        if gone[KIND[card]] > 0:
            gone[KIND[card]] -= 1
        else:
            left.append(card)
    return left
