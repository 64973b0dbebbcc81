"""Judges hand-history files: what `canasta check` prints, one object a deal, and how it exits."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.errors import BadInput
from engine.history.reader import load_histories
from engine.history.record import History
from engine.referee.verdict import judge

LEGAL, FAULT, UNREADABLE = 0, 1, 2


def check_files(paths: Iterable[str | Path]) -> list[dict[str, Any]]:
    """The verdict on each file as JSON values (docs/hand_history.md, "The verdict"), a deal at a time for `.chhs`.

    An object begins with `file` (as given) and, in `.chhs`, `deal` (the number of its table). One that cannot be
    read or judged has `error`, one line, in place of a verdict; the others are judged all the same.
    """
    results: list[dict[str, Any]] = []
    for path in paths:
        name = str(path)
        try:
            deals = load_histories(path)
        except BadInput as error:
            results.append({"file": name, "error": str(error)})
            continue
        for deal, history in deals.items():
            results.append({"file": name, **({} if deal is None else {"deal": deal}), **_check(history)})
    return results


def _check(history: History | BadInput) -> dict[str, Any]:
    if isinstance(history, BadInput):
        return {"error": str(history)}
    try:
        return judge(history).as_dict()
    except BadInput as error:
        return {"error": str(error)}


def find_exit_code(results: Iterable[dict[str, Any]]) -> int:
    """0 when every deal is legal, 1 when one has a fault, 2 when one could not be read or judged."""
    codes = [UNREADABLE if "error" in result else LEGAL if result["legal"] else FAULT for result in results]
    return max(codes, default=LEGAL)
