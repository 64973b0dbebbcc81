"""The two ways in which something given to the lab is refused."""

from __future__ import annotations


class BadInput(ValueError):
    """What was given cannot be used; the message is one line: what was given, what is allowed."""


class IllegalChoice(RuntimeError):
    """A strategy chose what the rules forbid; the message names variant, game, deal, seat and reason."""
