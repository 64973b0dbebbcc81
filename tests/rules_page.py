"""Runs the commands of docs/own_rules.md, writes below each what it printed: `python tests/rules_page.py`."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tempfile
from pathlib import Path

from pipeline.cli import main

PAGE = Path(__file__).resolve().parent.parent / "docs" / "own_rules.md"
FILE = re.compile(r"```toml\n# (\S+)\n(.*?)```", re.DOTALL)
COMMANDS = re.compile(r"```\n(canasta .*?)\n```\n(?:\n```text\n.*?```\n)?", re.DOTALL)
LONGEST = 30
"""Lines of one output that are shown."""


def run_page(text: str, folder: Path) -> str:
    """The page with what its commands print, run in a folder that gets the files it shows."""
    for name, content in FILE.findall(text):
        (folder / name).write_text(content, encoding="utf-8")

    def run(found: re.Match[str]) -> str:
        printed = "\n".join(filter(None, map(run_command, found[1].splitlines())))
        return f"```\n{found[1]}\n```\n" + (f"\n```text\n{printed}\n```\n" if printed else "")

    with contextlib.chdir(folder):
        return COMMANDS.sub(run, text)


def run_command(command: str) -> str:
    """What a command prints for people: its table, or why it is refused; no progress, which tells times."""
    out, told = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
        code = main(shlex.split(command)[1:])
    lines = (told if code == 2 else out).getvalue().strip().splitlines()
    return "\n".join([*lines[:LONGEST], "…"] if len(lines) > LONGEST else lines)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        PAGE.write_text(run_page(PAGE.read_text(encoding="utf-8"), Path(made)), encoding="utf-8")
