"""The `canasta` command as tests call it: what it prints, and what it refuses in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.cli import main

ROOT = Path(__file__).parents[1]


def canasta(*words: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "pipeline.cli", *words], capture_output=True, cwd=ROOT, check=False, **options
    )  # type: ignore[call-overload,no-any-return]


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(words) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return str(captured.out)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line of a command that fails: exit 2, nothing on standard output."""
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("canasta: ")
    assert "internal error" not in captured.err
    return str(captured.err)
