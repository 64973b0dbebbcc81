"""Writes histories as CHH text (docs/hand_history.md): what is written and read again is the same history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import tomli_w

from engine.history.record import FORMAT, Cards, History, Position, show_action, show_cards


def write_history(history: History) -> str:
    """The `.chh` text of a deal."""
    return "".join(_deal(history, ()))


def write_histories(histories: Iterable[History]) -> str:
    """The `.chhs` text of several deals, tables `[1] [2] …`."""
    return "\n".join("".join(_deal(history, (str(number),))) for number, history in enumerate(histories, 1))


def _deal(history: History, path: tuple[str, ...]) -> list[str]:
    text = [f"[{'.'.join(path)}]\n"] if path else []
    text.append(_line("format", FORMAT) + _line("variant", history.variant))
    for key in ("dealer", "scores", "game", "deal", "sits_out"):
        text.append(_line(key, getattr(history, key)))
    text.append(_lines("hands", _hands(history.hands)))
    text.append(_line("upcards", _cards(history.upcards)))
    text.append(_lines("reserve", _hands(history.reserve)))
    text.append(_lines("actions", [show_action(action) for action in history.actions]))
    text.append(_own(history.extras, path, tables=False))
    if history.rules:
        text.append("\n" + _table((*path, "rules"), history.rules))
    if history.players:
        text.append("\n" + _table((*path, "players"), history.players))
    if history.position is not None:
        text += ["\n", *_position(history.position, (*path, "position"))]
    text.append(_own(history.extras, path, tables=True))
    return text


def _position(position: Position, path: tuple[str, ...]) -> list[str]:
    stock = position.stock if position.stock is None or isinstance(position.stock, int) else _cards(position.stock)
    melds = position.melds and [[show_cards(meld) for meld in side] for side in position.melds]
    red_threes = position.red_threes and [show_cards(cards) for cards in position.red_threes]
    return [
        f"[{'.'.join(path)}]\n",
        _line("turn", position.turn),
        _line("drawn", position.drawn),
        _seat_cards("hands", position.hands) if position.hands else "",
        _line("pile", _cards(position.pile)),
        _line("frozen", position.frozen),
        _line("stock", stock),
        _line("melds", melds),
        _line("red_threes", red_threes),
        _line("melded", position.melded),
        "" if position.reserve is None else _seat_cards("reserve", position.reserve),
        _line("round", position.round),
        _line("lone_hand", position.lone_hand),
        _own(position.extras, path, tables=False),
        _own(position.extras, path, tables=True),
    ]


def _cards(cards: Cards | None) -> str | None:
    return None if cards is None else show_cards(cards)


def _hands(hands: tuple[Cards, ...] | None) -> list[str] | None:
    return None if hands is None else [show_cards(hand) for hand in hands]


def _seat_cards(key: str, hands: Mapping[int, Cards]) -> str:
    seats = ", ".join(f"{seat} = {_value(show_cards(cards))}" for seat, cards in hands.items())
    return f"{key} = {{ {seats} }}\n" if seats else f"{key} = {{}}\n"


def _line(key: str, value: Any) -> str:
    return "" if value is None else f"{key} = {_value(value)}\n"


def _lines(key: str, values: list[str] | None) -> str:
    """A list with an entry a line, as people like to read it."""
    if not values:
        return _line(key, values)
    return f"{key} = [\n" + "".join(f"  {_value(value)},\n" for value in values) + "]\n"


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")


def _own(extras: Mapping[str, Any], path: tuple[str, ...], *, tables: bool) -> str:
    """The user's own keys: plain values stand among the keys of the format, tables after everything else."""
    chosen = {key: value for key, value in extras.items() if _is_table(value) == tables}
    if not chosen:
        return ""
    return "\n" + _table(path, chosen) if tables else tomli_w.dumps(chosen)


def _is_table(value: Any) -> bool:
    """Whether the value is written under a head of its own; a short list of tables is not."""
    return tomli_w.dumps({"x": value}).startswith("[")


def _table(path: tuple[str, ...], values: Mapping[str, Any]) -> str:
    nested: Any = dict(values)
    for key in reversed(path):
        nested = {key: nested}
    return tomli_w.dumps(nested)
