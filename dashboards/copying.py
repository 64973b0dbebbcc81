"""What "Copy as" holds: the Python and the command that give a figure's table again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from dashboards.rotations import rotations
from dashboards.runs import RunKey, about, opened

Asked = Mapping[str, Any]


def narrow(run: RunKey, variants: Sequence[str], lineups: Sequence[str]) -> dict[str, list[str]]:
    """The filters that leave something out, as arguments `variant` and `lineup` of `Run`: rotations each by name."""
    there = about(run)
    found: dict[str, list[str]] = {}
    if set(variants) != set(there.variants):
        found["variant"] = list(variants)
    if set(lineups) != set(there.lineups):
        turned = rotations(opened(run))
        found["lineup"] = [one for lineup in lineups for one in turned[lineup]]
    return found


def as_python(run: RunKey, method: str, *values: Any, **named: Any) -> str:
    """Python that asks a run again: `open_run("data/sample").metric("turns_per_game", by=["variant"])`."""
    given = [*map(repr, values), *(f"{key}={value!r}" for key, value in named.items())]
    return f'from pipeline import open_run\n\nopen_run("{about(run).folder}").{method}({", ".join(given)})'


def as_command(run: RunKey, command: str, name: str, given: Asked, settings: Asked) -> str:
    """The command that prints an answer again: options of `given`, parameters of `settings`."""
    words = ["canasta", command, name, about(run).folder]
    for key, value in given.items():
        several = [",".join(value)] if key == "by" else value if isinstance(value, list) else [value]
        words += [f"--{key}={one}" for one in several]
    words += [f"--set={key}={value}" for key, value in settings.items()]
    return shlex.join(words)


def games_python(run: RunKey, variants: Sequence[str], lineups: Sequence[str]) -> str:
    """Python that counts the games of these variants and line-ups again."""
    call = f'games_by_lineup(open_run("{about(run).folder}"), {list(variants)}, {list(lineups)})'
    return f"from dashboards.rotations import games_by_lineup\nfrom pipeline import open_run\n\n{call}"
