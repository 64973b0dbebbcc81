"""Reads CHH files: TOML text → histories. What cannot be read is one line that names the line and what was expected.

`.chh` holds one deal, `.chhs` several as tables `[1] [2] …`. Keys that begin with `_` are the user's own and
are kept. Only what the format says is judged here, never the play (docs/hand_history.md).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import BadInput
from engine.history import (
    FORMAT,
    Action,
    Cards,
    History,
    Position,
    parse_action,
    parse_any_cards,
)
from engine.history_lines import find_line
from engine.rules import Rules, side_of_seats

Value = TypeVar("Value")

KEYS = ("format", "variant", "dealer", "scores", "game", "deal", "sits_out", "hands", "upcards", "reserve", "actions",
        "rules", "players", "position")
POSITION_KEYS = ("turn", "drawn", "hands", "pile", "frozen", "stock", "melds", "red_threes", "melded", "reserve",
                 "round")


def read_history(text: str) -> History:
    """The one deal of a `.chh` text; BadInput says the line and what was expected."""
    return _Reader(text, ()).read(_read_toml(text))


def read_histories(text: str) -> dict[str, History | BadInput]:
    """The deals of a `.chhs` text by the name of their table, in order; what cannot be read is an error in its place.

    BadInput when the text is no TOML or holds no deal.
    """
    tables = _read_toml(text)
    shared = {key: value for key, value in tables.items() if not isinstance(value, dict)}
    deals = {key: value for key, value in tables.items() if isinstance(value, dict) and not key.startswith("_")}
    wrong = [key for key in shared if key != "format" and not key.startswith("_")]
    wrong += [key for key in deals if not key.isdecimal()]
    if wrong or not deals:
        found = f"line {find_line(text, (wrong[0],))}: '{wrong[0]}'" if wrong else "line 1: no table"
        raise BadInput(f"{found}; expected several deals as tables [1] [2] …")
    read: dict[str, History | BadInput] = {}
    for key in sorted(deals, key=int):
        table = deals[key]
        if "format" in shared:
            table = {"format": shared["format"], **table}
        try:
            read[key] = _Reader(text, (key,)).read(table)
        except BadInput as error:
            read[key] = error
    return read


def load_histories(path: Path | str) -> dict[str | None, History | BadInput]:
    """The deals of a file by the name of their table (None for the one deal of a `.chh`); BadInput as above."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"no UTF-8 text at byte {error.start + 1}; expected a hand history") from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}") from None
    if path.suffix == ".chhs":
        return dict(read_histories(text))
    return {None: read_history(text)}


def _read_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = " ".join(str(error).split())
        place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
        line = place[1] if place and place[1] else str(text.count("\n") + 1)
        what = message[:place.start()] if place else message
        raise BadInput(f"line {line}: {what[:1].lower()}{what[1:]}; expected TOML") from None
    except RecursionError:
        raise BadInput("line 1: nested too deeply; expected a hand history") from None


class _Reader:
    """Reads one deal; knows where in the text it stands, to name lines."""

    def __init__(self, text: str, table: tuple[str, ...]) -> None:
        self.text = text
        self.table = table

    def wrong(self, message: str, *path: str | int) -> BadInput:
        """The error about the value at a path of keys and places (from 0)."""
        return BadInput(f"line {find_line(self.text, (*self.table, *path))}: {message}")

    def read(self, values: Mapping[str, Any]) -> History:
        self._check_keys(values, KEYS)
        if values.get("format") != FORMAT:
            given = f"format = {values['format']!r}" if "format" in values else "no format"
            raise self.wrong(f'{given}; expected format = "{FORMAT}"', "format")
        if "variant" not in values:
            raise self.wrong("no variant; expected a preset's name, such as variant = \"classic4\"")
        if ("hands" in values or "upcards" in values) and "position" in values:
            raise self.wrong("hands and upcards of a whole deal beside a [position]; expected one of the two", "position")
        if "hands" not in values and "position" not in values:
            raise self.wrong("neither hands nor [position]; expected a whole deal or a position")
        history = History(
            variant=self._text(values, "variant"),
            rules=dict(self._typed(values, dict, "a table of rules", "rules") or {}),
            dealer=self._number(values, 1, "dealer"),
            scores=self._numbers(values, None, "scores"),
            game=self._optional_text(values, "game"),
            deal=self._number(values, 1, "deal"),
            sits_out=self._number(values, 1, "sits_out"),
            hands=self._card_list(values, "hands"),
            upcards=self._cards(values, "upcards"),
            reserve=self._card_list(values, "reserve"),
            actions=self._actions(values),
            players=self._players(values),
            position=self._position(values),
            extras=_own_keys(values),
        )
        self._check_table(history)
        return history

    def _position(self, values: Mapping[str, Any]) -> Position | None:
        table = self._typed(values, dict, "a table", "position")
        if table is None:
            return None
        self._check_keys(table, POSITION_KEYS, "position")
        return Position(
            turn=self._number(table, 1, "position", "turn"),
            drawn=self._typed(table, bool, "true or false", "position", "drawn"),
            hands=self._seat_cards(table, "hands") or {},
            pile=self._cards(table, "position", "pile"),
            frozen=self._typed(table, bool, "true or false", "position", "frozen"),
            stock=self._stock(table),
            melds=self._melds(table),
            red_threes=self._card_list(table, "position", "red_threes"),
            melded=self._numbers(table, 1, "position", "melded"),
            reserve=self._seat_cards(table, "reserve"),
            round=self._number(table, 1, "position", "round"),
            extras=_own_keys(table),
        )

    def _check_keys(self, values: Mapping[str, Any], known: tuple[str, ...], *path: str) -> None:
        for key in values:
            if key not in known and not key.startswith("_"):
                raise self.wrong(f"unknown key '{key}'; expected {' '.join(known)}, or a key of your own that begins with _",
                                 *path, key)

    def _check_table(self, history: History) -> None:
        """The rules exist, and seats and sides named are those of the table."""
        try:
            rules = history.load_rules().rules
        except BadInput as error:
            named = [key for key in history.rules if key in str(error)]
            path = ("rules", named[0]) if named else ("rules",) if history.rules and "variant" not in str(error) \
                else ("variant",)
            raise self.wrong(str(error), *path) from None
        seats, sides = rules.players, max(side_of_seats(rules)) + 1
        for number, action in enumerate(history.actions):
            if action.seat > seats:
                raise self.wrong(f"action {number + 1}: seat {action.seat}; expected a seat 1 to {seats}", "actions", number)
        self._check_seats(history, seats)
        self._check_lengths(history, rules, seats, sides)

    def _check_seats(self, history: History, seats: int) -> None:
        named: list[tuple[int | None, tuple[str | int, ...]]] = [
            (history.dealer, ("dealer",)), (history.sits_out, ("sits_out",))]
        if position := history.position:
            named += [(position.turn, ("position", "turn"))]
            named += [(seat, ("position", "hands")) for seat in position.hands]
            named += [(seat, ("position", "reserve")) for seat in position.reserve or ()]
            named += [(seat, ("position", "melded")) for seat in position.melded or ()]
        for seat, path in named:
            if seat is not None and seat > seats:
                raise self.wrong(f"{path[-1]} names seat {seat}; expected a seat 1 to {seats}", *path)

    def _check_lengths(self, history: History, rules: Rules, seats: int, sides: int) -> None:
        lists: list[tuple[Any, int, str, tuple[str, ...]]] = [
            (history.scores, sides, "side", ("scores",)), (history.hands, seats, "seat", ("hands",)),
            (history.reserve, seats, "seat", ("reserve",))]
        if position := history.position:
            lists += [(position.melds, sides, "side", ("position", "melds")),
                      (position.red_threes, sides, "side", ("position", "red_threes"))]
        for given, count, of, path in lists:
            if given is not None and len(given) != count:
                raise self.wrong(f"{path[-1]} has {len(given)} entries; expected {count}, one a {of}", *path)

    def _actions(self, values: Mapping[str, Any]) -> tuple[Action, ...]:
        return self._each(values, parse_action, "a list of actions", "actions") or ()

    def _cards(self, values: Mapping[str, Any], *path: str) -> Cards | None:
        text = self._typed(values, str, "cards in one text", *path)
        return None if text is None else self._parse(text, *path)

    def _card_list(self, values: Mapping[str, Any], *path: str) -> tuple[Cards, ...] | None:
        return self._each(values, parse_any_cards, "a list of texts of cards", *path)

    def _seat_cards(self, values: Mapping[str, Any], key: str) -> dict[int, Cards] | None:
        table = self._typed(values, dict, "cards by seat, such as { 1 = \"KH KD\" }", "position", key)
        if table is None:
            return None
        hands = {}
        for seat, cards in table.items():
            if not seat.isdecimal() or seat.startswith("0") or not isinstance(cards, str):
                raise self.wrong(f"{key} holds '{seat}'; expected cards by seat, such as {{ 1 = \"KH KD\" }}", "position",
                                 key)
            hands[int(seat)] = self._parse(cards, "position", key)
        return hands

    def _melds(self, values: Mapping[str, Any]) -> tuple[tuple[Cards, ...], ...] | None:
        sides = self._typed(values, list, "a list of melds for each side", "position", "melds")
        if sides is None:
            return None
        for side in sides:
            if not isinstance(side, list) or not all(isinstance(meld, str) for meld in side):
                raise self.wrong('melds; expected a list for each side, such as [["9C 9D 9H"], []]', "position", "melds")
        return tuple(tuple(self._parse(meld, "position", "melds") for meld in side) for side in sides)

    def _stock(self, values: Mapping[str, Any]) -> int | Cards | None:
        stock = values.get("stock")
        if isinstance(stock, str):
            return self._parse(stock, "position", "stock")
        if isinstance(stock, list) and all(isinstance(card, str) for card in stock):
            return self._parse(" ".join(stock), "position", "stock")
        if stock is None or (isinstance(stock, int) and not isinstance(stock, bool) and stock >= 0):
            return stock
        raise self.wrong(f"stock = {stock!r}; expected cards left, from 0, or a list of cards", "position", "stock")

    def _players(self, values: Mapping[str, Any]) -> dict[str, str]:
        names = self._typed(values, dict, "a table of names", "players") or {}
        for key, name in names.items():
            if not key.startswith("_") and not isinstance(name, str):
                raise self.wrong(f"{key} = {name!r}; expected a name as text", "players", key)
        return dict(names)

    def _parse(self, text: str, *path: str | int) -> Cards:
        try:
            return parse_any_cards(text)
        except BadInput as error:
            raise self.wrong(f"{path[-1] if isinstance(path[-1], str) else path[-2]}: {error}", *path) from None

    def _each(self, values: Mapping[str, Any], parse: Callable[[str], Value], what: str, *path: str
              ) -> tuple[Value, ...] | None:
        items = self._typed(values, list, what, *path)
        if items is None:
            return None
        read = []
        for place, item in enumerate(items):
            if not isinstance(item, str):
                raise self.wrong(f"{path[-1]} holds {item!r}; expected {what}", *path, place)
            try:
                read.append(parse(item))
            except BadInput as error:
                where = f"action {place + 1}" if parse is parse_action else f"{path[-1]} {place + 1}"
                raise self.wrong(f"{where}: {error}", *path, place) from None
        return tuple(read)

    def _numbers(self, values: Mapping[str, Any], low: int | None, *path: str) -> tuple[int, ...] | None:
        items = self._typed(values, list, "a list of whole numbers", *path)
        if items is None:
            return None
        if any(type(item) is not int or (low is not None and item < low) for item in items):
            raise self.wrong(f"{path[-1]} = {items!r}; expected a list of whole numbers"
                             + (f" from {low}" if low is not None else ""), *path)
        return tuple(items)

    def _number(self, values: Mapping[str, Any], low: int, *path: str) -> int | None:
        number = self._typed(values, int, f"a whole number from {low}", *path)
        if number is not None and number < low:
            raise self.wrong(f"{path[-1]} = {number}; expected a whole number from {low}", *path)
        return number

    def _text(self, values: Mapping[str, Any], key: str) -> str:
        text = self._typed(values, str, "a text", key)
        return "" if text is None else text

    def _optional_text(self, values: Mapping[str, Any], key: str) -> str | None:
        return self._typed(values, str, "a text", key)

    def _typed(self, values: Mapping[str, Any], kind: type[Value], what: str, *path: str) -> Value | None:
        value = values.get(path[-1])
        if value is None:
            return None
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.wrong(f"{path[-1]} = {value!r}; expected {what}", *path)
        return value


def _own_keys(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key.startswith("_")}
