"""docs/own_rules.md is true: its commands run in order and print what stands below them."""

from __future__ import annotations

from pathlib import Path

from rules_page import COMMANDS, PAGE, run_page


def test_the_page_on_own_rules_shows_what_its_commands_print(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(COMMANDS.findall(text)) >= 6
    assert run_page(text, tmp_path).splitlines() == text.splitlines()  # made by `python tests/rules_page.py`


def test_the_rules_of_the_page_are_about_ten_lines() -> None:
    text = PAGE.read_text(encoding="utf-8")
    lines = text.split("# ours.toml\n")[1].split("```")[0].splitlines()
    assert 5 <= len(lines) <= 12
