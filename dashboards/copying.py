"""What "Copy as" holds: the Python and the command that give a figure's table again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from dashboards.rotations import rotations
from dashboards.runs import RunKey, about, opened

Asked = Mapping[str, Any]


def narrow(run: RunKey, variants: Sequence[str], lineups: Sequence[str]) -> dict[str, Any]:
    """The filters that leave something out, as arguments `variant` and `lineup` of `Run`: rotations each by name."""
    there = about(run)
    found: dict[str, Any] = {}
    if set(variants) != set(there.variants):
        found["variant"] = list(variants)
    if set(lineups) != set(there.lineups):
        turned = rotations(opened(run))
        found["lineup"] = [one for lineup in lineups for one in turned[lineup]]
    return found


def as_python(run: RunKey, method: str, *values: Any, **named: Any) -> str:
    """Python that asks a run again: `run.query("head_to_head")`."""
    given = [*map(repr, values), *(f"{key}={value!r}" for key, value in named.items())]
    return f'import pipeline as cl\n\nrun = cl.open_run("{about(run).folder}")\nrun.{method}({", ".join(given)})'


def as_command(run: RunKey, command: str, name: str, given: Asked, settings: Asked) -> str:
    """The command that prints an answer again: options of `given` (a list repeats one), parameters of `settings`."""
    words = ["canasta", command, name, about(run).folder]
    for key, value in given.items():
        words += [f"--{key}={one}" for one in (value if isinstance(value, list) else [value])]
    words += [f"--set={key}={value}" for key, value in settings.items()]
    return shlex.join(words)


def join_python(parts: Sequence[tuple[str, str]]) -> str:
    """Python of several answers one below the other; all ask the same run in their last line."""
    opening = (
        parts[0][1].rpartition("\n")[0].replace("import pipeline as cl", "import pipeline as cl\nimport polars as pl")
    )
    tables = "".join(
        f"    {python.rpartition(chr(10))[2]}.select(pl.lit({label!r}).alias('part'), pl.all()),\n"
        for label, python in parts
    )
    return f"{opening}\npl.concat([\n{tables}], how='diagonal')"
