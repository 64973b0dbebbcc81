"""The two ways in which something given to the lab is refused."""

from __future__ import annotations


class BadInput(ValueError):  # noqa: N818 - what was given is bad, nothing erred
    """What was given cannot be used; the message is one line: what was given, what is allowed."""


class IllegalChoice(RuntimeError):  # noqa: N818 - a choice at the table
    """A strategy chose what the rules forbid; the message names variant, game, deal, seat and reason."""
