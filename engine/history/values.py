"""Values out of a TOML table, checked one by one: an error is one line that names the line and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine.errors import BadInput
from engine.history.lines import find_line
from engine.history.record import Cards, parse_any_cards

Value = TypeVar("Value")


class Values:
    """The values of one table of a TOML text; `path` is where it stands, which names its lines.

    A value left out is None; BadInput for one of another kind than the method's name says.
    """

    def __init__(self, toml: str, values: Mapping[str, Any], path: tuple[str, ...] = ()) -> None:
        self.toml = toml
        self.values = values
        self.path = path

    def wrong(self, message: str, *path: str | int) -> BadInput:
        """The error about the value at a path of keys and places (from 0)."""
        return BadInput(f"line {find_line(self.toml, (*self.path, *path))}: {message}")

    def check_keys(self, known: tuple[str, ...]) -> None:
        """Raise BadInput for a key that is neither known nor the user's own."""
        for key in self.values:
            if key not in known and not key.startswith("_"):
                raise self.wrong(
                    f"unknown key '{key}'; expected {' '.join(known)}, or an own key that begins with _", key
                )

    def own(self) -> dict[str, Any]:
        """The user's own keys, which begin with `_`."""
        return {key: value for key, value in self.values.items() if key.startswith("_")}

    def typed(self, key: str, kind: type[Value], what: str) -> Value | None:
        """A value of a Python type."""
        value = self.values.get(key)
        if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            raise self.wrong(f"{key} = {value!r}; expected {what}", key)
        return value

    def table(self, key: str) -> Values | None:
        """A table."""
        table: dict[str, Any] | None = self.typed(key, dict, "a table")
        return None if table is None else Values(self.toml, table, (*self.path, key))

    def text(self, key: str) -> str | None:
        """A text."""
        return self.typed(key, str, "a text")

    def flag(self, key: str) -> bool | None:
        """True or false."""
        return self.typed(key, bool, "true or false")

    def number(self, key: str) -> int | None:
        """A whole number from 1."""
        number = self.typed(key, int, "a whole number from 1")
        if number is not None and number < 1:
            raise self.wrong(f"{key} = {number}; expected a whole number from 1", key)
        return number

    def numbers(self, key: str, low: int | None = None) -> tuple[int, ...] | None:
        """A list of whole numbers."""
        what = "a list of whole numbers" + ("" if low is None else f" from {low}")
        items: list[Any] | None = self.typed(key, list, what)
        if items is None:
            return None
        if any(type(item) is not int or (low is not None and item < low) for item in items):
            raise self.wrong(f"{key} = {items!r}; expected {what}", key)
        return tuple(items)

    def cards(self, key: str) -> Cards | None:
        """Cards in one text."""
        text = self.typed(key, str, 'cards in one text, such as "KH KD"')
        return None if text is None else self._parse(parse_any_cards, text, key, key)

    def card_list(self, key: str) -> tuple[Cards, ...] | None:
        """A list of texts of cards."""
        return self.each(key, parse_any_cards, 'a list of cards in texts, such as ["KH KD", ""]', key)

    def seat_cards(self, key: str) -> dict[int, Cards] | None:
        """A table of seats and their cards."""
        table = self.table(key)
        if table is None:
            return None
        for seat in table.values:
            if not seat.isdecimal() or seat.startswith("0"):
                raise table.wrong(f"{key} names '{seat}'; expected a seat, such as {{ 1 = \"KH KD\" }}", seat)
        return {int(seat): table.cards(seat) or () for seat in table.values}

    def melds(self, key: str) -> tuple[tuple[Cards, ...], ...] | None:
        """A list with a list of texts of cards for each side."""
        what = 'a list of melds for each side, such as [["9C 9D 9H"], []]'
        sides: list[Any] | None = self.typed(key, list, what)
        if sides is None:
            return None
        if not all(isinstance(side, list) and all(isinstance(meld, str) for meld in side) for side in sides):
            raise self.wrong(f"{key} = {sides!r}; expected {what}", key)
        return tuple(
            tuple(self._parse(parse_any_cards, meld, key, key, place, spot) for spot, meld in enumerate(side))
            for place, side in enumerate(sides)
        )

    def stock(self, key: str) -> int | Cards | None:
        """Cards left, or the cards, next first, as a text or a list of texts."""
        stock = self.values.get(key)
        if isinstance(stock, str):
            return self.cards(key)
        if isinstance(stock, list):
            return tuple(card for cards in self.card_list(key) or () for card in cards)
        if stock is None or (type(stock) is int and stock >= 0):
            return stock
        raise self.wrong(f"{key} = {stock!r}; expected cards left, from 0, or a list of cards", key)

    def each(self, key: str, parse: Callable[[str], Value], what: str, name: str) -> tuple[Value, ...] | None:
        """A list of texts, each parsed; `name` with its number, from 1, names an entry in an error."""
        items: list[Any] | None = self.typed(key, list, what)
        if items is None:
            return None
        for place, item in enumerate(items):
            if not isinstance(item, str):
                raise self.wrong(f"{key} holds {item!r}; expected {what}", key, place)
        return tuple(self._parse(parse, item, f"{name} {place + 1}", key, place) for place, item in enumerate(items))

    def _parse(self, parse: Callable[[str], Value], text: str, name: str, *path: str | int) -> Value:
        try:
            return parse(text)
        except BadInput as error:
            raise self.wrong(f"{name}: {error}", *path) from None
