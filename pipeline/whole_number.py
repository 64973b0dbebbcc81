"""A number given on the command line: plain digits, which `int` alone does not ask for (２０, 1_0 and ٣ pass it)."""

from __future__ import annotations

import re

import typer


def whole_number(text: str) -> int:
    """The number; wrong usage when it is written in another way."""
    if not re.fullmatch(r"[+-]?[0-9]+", text.strip()):
        raise typer.BadParameter(f"'{text}' is no whole number in plain digits")
    return int(text)
