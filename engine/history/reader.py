"""Reads CHH files: TOML text → histories. What cannot be read is one line that names the line and what was expected.

`.chh` holds one deal, `.chhs` several as tables `[1] [2] …`. Keys that begin with `_` are the user's own and
are kept. Only what the format says is judged here, never the play (docs/hand_history.md).
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from engine.errors import BadInput
from engine.history.lines import find_line
from engine.history.record import FORMAT, History, Position, parse_action
from engine.history.values import Values
from engine.rules import side_of_seats

KEYS = (
    "format",
    "variant",
    "dealer",
    "scores",
    "game",
    "deal",
    "sits_out",
    "hands",
    "upcards",
    "reserve",
    "actions",
    "rules",
    "players",
    "position",
)
POSITION_KEYS = (
    "turn",
    "drawn",
    "hands",
    "pile",
    "frozen",
    "stock",
    "melds",
    "red_threes",
    "melded",
    "reserve",
    "round",
    "lone_hand",
)


def read_history(text: str) -> History:
    """The one deal of a `.chh` text; BadInput says the line and what was expected."""
    return _Deal(text, _read_toml(text)).read()


def read_histories(text: str) -> dict[int, History | BadInput]:
    """The deals of a `.chhs` text by the number of their table; what cannot be read is an error in its place.

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
    read: dict[int, History | BadInput] = {}
    for key in sorted(deals, key=int):
        table = deals[key]
        if "format" in shared:
            table = {"format": shared["format"], **table}
        try:
            read[int(key)] = _Deal(text, table, (key,)).read()
        except BadInput as error:
            read[int(key)] = error
    return read


def load_histories(path: Path | str) -> dict[int | None, History | BadInput]:
    """The deals of a file by number (None for the one deal of a `.chh`); BadInput as above."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"no UTF-8 text at byte {error.start + 1}; expected a hand history") from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}") from None
    if path.suffix == ".chhs":
        return dict(read_histories(text).items())
    return {None: read_history(text)}


def _read_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = " ".join(str(error).split())
        place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
        line = place[1] if place and place[1] else str(text.count("\n") + 1)
        what = message[: place.start()] if place else message
        raise BadInput(f"line {line}: {what[:1].lower()}{what[1:]}; expected TOML") from None
    except RecursionError:
        raise BadInput("line 1: nested too deeply; expected a hand history") from None


class _Deal(Values):
    """The table of one deal."""

    def read(self) -> History:
        self.check_keys(KEYS)
        values = self.values
        if values.get("format") != FORMAT:
            given = f"format = {values['format']!r}" if "format" in values else "no format"
            raise self.wrong(f'{given}; expected format = "{FORMAT}"', "format")
        if "variant" not in values:
            raise self.wrong('no variant; expected a preset\'s name, such as variant = "classic4"')
        if ("hands" in values or "upcards" in values) and "position" in values:
            raise self.wrong("hands or upcards beside a [position]; expected a whole deal or a position", "position")
        if "hands" not in values and "position" not in values:
            raise self.wrong("neither hands nor [position]; expected a whole deal or a position")
        rules = self.table("rules")
        history = History(
            variant=self.text("variant") or "",
            dealer=self.number("dealer"),
            scores=self.numbers("scores"),
            game=self.text("game"),
            deal=self.number("deal"),
            sits_out=self.number("sits_out"),
            hands=self.card_list("hands"),
            upcards=self.cards("upcards"),
            reserve=self.card_list("reserve"),
            actions=self.each("actions", parse_action, 'a list of actions, such as ["1 draw 7H"]', "action") or (),
            rules={} if rules is None else dict(rules.values),
            players=self._read_players(),
            position=self._read_position(),
            extras=self.own(),
        )
        self._check_table(history)
        return history

    def _read_players(self) -> dict[str, Any]:
        table = self.table("players")
        if table is None:
            return {}
        for key, name in table.values.items():
            if not key.startswith("_") and not isinstance(name, str):
                raise table.wrong(f"{key} = {name!r}; expected a name as text", key)
        return dict(table.values)

    def _read_position(self) -> Position | None:
        table = self.table("position")
        if table is None:
            return None
        for key in KEYS:
            if key in table.values and key not in POSITION_KEYS:
                raise table.wrong(f"unknown key '{key}' in [position]; move it above [position]", key)
        table.check_keys(POSITION_KEYS)
        return Position(
            turn=table.number("turn"),
            drawn=table.flag("drawn"),
            hands=table.seat_cards("hands") or {},
            pile=table.cards("pile"),
            frozen=table.flag("frozen"),
            stock=table.stock("stock"),
            melds=table.melds("melds"),
            red_threes=table.card_list("red_threes"),
            melded=table.numbers("melded", 1),
            reserve=table.seat_cards("reserve"),
            round=table.number("round"),
            lone_hand=table.number("lone_hand"),
            extras=table.own(),
        )

    def _check_table(self, history: History) -> None:
        """The rules exist, and seats and sides are those of the table."""
        try:
            rules = history.load_rules().rules
        except BadInput as error:
            named = [key for key in history.rules if key in str(error)]
            raise self.wrong(str(error), *(("rules", named[0]) if named else ("variant",))) from None
        self._check_seats(history, rules.players)
        self._check_lengths(history, rules.players, max(side_of_seats(rules)) + 1)

    def _check_seats(self, history: History, seats: int) -> None:
        named: list[tuple[int | None, tuple[str | int, ...]]]
        named = [(history.dealer, ("dealer",)), (history.sits_out, ("sits_out",))]
        named += [(action.seat, ("actions", place)) for place, action in enumerate(history.actions)]
        if position := history.position:
            named += [(position.turn, ("position", "turn")), (position.lone_hand, ("position", "lone_hand"))]
            for key in ("hands", "reserve", "melded"):
                named += [(seat, ("position", key)) for seat in getattr(position, key) or ()]
        for seat, path in named:
            if seat is not None and seat > seats:
                name = path[-1] if isinstance(path[-1], str) else f"action {path[-1] + 1}"
                raise self.wrong(f"{name} names seat {seat}; expected a seat 1 to {seats}", *path)

    def _check_lengths(self, history: History, seats: int, sides: int) -> None:
        lists: list[tuple[tuple[Any, ...] | None, int, str, tuple[str, ...]]] = [
            (history.scores, sides, "side", ("scores",)),
            (history.hands, seats, "seat", ("hands",)),
            (history.reserve, seats, "seat", ("reserve",)),
        ]
        if position := history.position:
            lists.append((position.melds, sides, "side", ("position", "melds")))
            lists.append((position.red_threes, sides, "side", ("position", "red_threes")))
        for given, count, of, path in lists:
            if given is not None and len(given) != count:
                raise self.wrong(f"{path[-1]} has {len(given)} entries; expected {count}, one a {of}", *path)
