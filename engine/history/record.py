"""One deal as a hand history: the values of a CHH file, and the text of its actions.

CHH is a text format, one deal in a small TOML file (docs/hand_history.md). This module owns what such a file
holds and the one-line text of an action; `engine.history.reader` and `engine.history.writer` turn whole
files into histories and back. Cards are codes of `engine.cards`; `??`, a card not known, is `UNKNOWN`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.cards import CARDS, NO_CARD, SUITS, parse_card
from engine.errors import BadInput
from engine.log import ACTIONS
from engine.rules import Variant, load_variant

FORMAT = "chh/1"
UNKNOWN = NO_CARD
"""Code of a card that is not known."""

NO_CARDS = ("foot", "ask", "agree", "refuse", "pass")
"""Actions that name nothing."""
VERBS = (*ACTIONS, "keep")
"""What an action may do: what the log has rows for, and telling that a three is kept, which has none."""
MAY_BE_UNKNOWN = ("draw", "red3", "bonus")
"""Actions whose cards may be unknown; what is laid or discarded is seen by everybody."""

_RANK = "[4-9TJQKA]"
_AIM = re.compile(rf"(?:[1-9]:)?(?:3|(?:WILD|[{''.join(SUITS)}]{_RANK}|{_RANK})(?:\.(?:[1-9][0-9]?|NEW))?)")

Cards = tuple[int, ...]


class Action(NamedTuple):
    """One action: the seat (from 1) and what it does.

    `aim` is the meld its cards go to, as written after `>`; `number` how many cards a `take #7` takes; `word`
    the meld a `join` moves or the name of a special hand. A `take` may name its lowest card in `cards`.
    """

    seat: int
    verb: str
    cards: Cards = ()
    aim: str | None = None
    number: int | None = None
    word: str | None = None


@dataclass(frozen=True)
class Position:
    """The middle of a deal; None or a missing seat is what the file leaves out.

    `hands` and `reserve` by seat, `melds` by side and meld, `stock` cards left or the cards, next first;
    `lone_hand` the seat that plays alone, where three have found that out already.
    """

    turn: int | None = None
    drawn: bool | None = None
    hands: Mapping[int, Cards] = field(default_factory=dict)
    pile: Cards | None = None
    frozen: bool | None = None
    stock: int | Cards | None = None
    melds: tuple[tuple[Cards, ...], ...] | None = None
    red_threes: tuple[Cards, ...] | None = None
    melded: tuple[int, ...] | None = None
    reserve: Mapping[int, Cards] | None = None
    round: int | None = None
    lone_hand: int | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class History:
    """One deal, whole (`hands`, `upcards`) or from a `position`; None is what the file leaves out.

    `variant` and `rules` name the rules and what is changed in them. In `hands` an empty hand is one not
    known. `extras` are the user's own keys, which begin with `_`.
    """

    variant: str
    dealer: int | None = None
    scores: tuple[int, ...] | None = None
    game: str | None = None
    deal: int | None = None
    sits_out: int | None = None
    hands: tuple[Cards, ...] | None = None
    upcards: Cards | None = None
    reserve: tuple[Cards, ...] | None = None
    actions: tuple[Action, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)
    position: Position | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)

    def load_rules(self) -> Variant:
        """The variant played, changes made; BadInput when it does not exist or cannot be."""
        changes = {name: value for name, value in self.rules.items() if not name.startswith("_")}
        key = (self.variant, repr(sorted(changes.items())))
        variant = _LOADED.get(key)
        if variant is None:
            variant = load_variant(self.variant, changes)
            if not self.variant.endswith(".toml"):
                _LOADED[key] = variant
        return variant


_LOADED: dict[tuple[str, str], Variant] = {}
"""Built-in variants with changes already made: files of many deals name the same one again and again."""


def parse_known_cards(text: str) -> Cards:
    """Codes of cards separated by spaces; BadInput for what is no card, `??` too."""
    return tuple(_card(word) for word in text.split())


def parse_any_cards(text: str) -> Cards:
    """Codes of cards separated by spaces, `??` among them; BadInput for what is no card."""
    return tuple(UNKNOWN if word == "??" else _card(word) for word in text.split())


def show_cards(cards: Iterable[int]) -> str:
    """Text of card codes, `??` for a card not known."""
    return " ".join("??" if card == UNKNOWN else CARDS[card] for card in cards)


def _card(word: str) -> int:
    try:
        return parse_card(word)
    except ValueError as error:
        raise BadInput(str(error)) from None


def parse_action(text: str) -> Action:
    """The action of its text, such as `1 meld KH KD 2C > K`; BadInput says what was expected."""
    words = text.split()
    if len(words) < 2 or not words[0].isdecimal() or words[0].startswith("0"):
        raise BadInput(f"'{text}': expected a seat from 1 and what it does, such as '1 draw 7H'")
    seat, verb, rest = int(words[0]), words[1], words[2:]
    if verb not in VERBS:
        raise BadInput(f"'{text}': unknown '{verb}'; expected one of {' '.join(VERBS)}")
    try:
        return _parse_rest(seat, verb, rest)
    except BadInput as error:
        raise BadInput(f"'{text}': {error}") from None


def _parse_rest(seat: int, verb: str, rest: list[str]) -> Action:
    aim = None
    if ">" in rest:
        if verb not in ("meld", "take", "join"):
            raise BadInput(f"'>' aims a meld, take or join, not a {verb}")
        at = rest.index(">")
        rest, aims = rest[:at], rest[at + 1 :]
        if len(aims) != 1:
            raise BadInput("expected one meld after '>'")
        aim = _parse_aim(aims[0])
    if verb in NO_CARDS:
        if rest:
            raise BadInput(f"expected nothing after {verb}")
        return Action(seat, verb)
    if verb == "take":
        return _parse_take(seat, rest, aim)
    if verb in ("special", "join"):
        if len(rest) != 1 or (verb == "join" and aim is None):
            raise BadInput(
                "expected the name of the hand, such as '1 special garbage'"
                if verb == "special"
                else "expected two melds, such as '1 join K.2 > K'"
            )
        return Action(seat, verb, aim=aim, word=_parse_aim(rest[0]) if verb == "join" else rest[0])
    cards = (parse_any_cards if verb in MAY_BE_UNKNOWN else parse_known_cards)(" ".join(rest))
    if not cards or (verb in ("discard", "keep") and len(cards) > 1):
        raise BadInput(f"expected {'one card' if verb in ('discard', 'keep') else 'cards'} after {verb}")
    if verb == "red3" and cards[0] == UNKNOWN:
        raise BadInput("expected the red three that is laid")
    return Action(seat, verb, cards, aim)


def _parse_take(seat: int, rest: list[str], aim: str | None) -> Action:
    if not rest:
        return Action(seat, "take", aim=aim)
    if len(rest) > 1:
        raise BadInput("expected at most the lowest card taken, such as '1 take 5C', or how many, such as '1 take #7'")
    if rest[0].startswith("#"):
        if not rest[0][1:].isdecimal() or int(rest[0][1:]) < 1:
            raise BadInput(f"'{rest[0]}': expected # and a number of cards from 1")
        return Action(seat, "take", aim=aim, number=int(rest[0][1:]))
    return Action(seat, "take", (_card(rest[0]),), aim)


def _parse_aim(word: str) -> str:
    aim = word.upper()
    if not _AIM.fullmatch(aim):
        raise BadInput(
            f"'{word}' is no meld; expected a rank K, wild, 3, a second meld K.2 or K.new, a sequence H5, "
            "or another side's 2:K"
        )
    return aim.replace("WILD", "wild").replace("NEW", "new")


def show_action(action: Action) -> str:
    """The text of an action, which `parse_action` reads back."""
    words = [str(action.seat), action.verb]
    if action.word is not None:
        words.append(action.word)
    if action.cards:
        words.append(show_cards(action.cards))
    if action.number is not None:
        words.append(f"#{action.number}")
    if action.aim is not None:
        words += [">", action.aim]
    return " ".join(words)
