"""README and docs are true: commands exist and run, snippets run, links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from notebook_page import PAGE, beside_the_sample, run_page

from pipeline.cli import main

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "data" / "README.md"])


def blocks_of(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def commands_of(page: Path) -> list[str]:
    lines = [line for block in blocks_of(page, "") for line in block.splitlines()]
    return [line.partition("#")[0].strip() for line in lines if line.startswith("canasta ")]


def test_readme_shows_the_two_commands() -> None:
    block = blocks_of(ROOT / "README.md", "")[0]
    assert "make demo" in block
    assert "make test" in block


def test_make_targets_named_in_a_page_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"(?:^|`)make ([a-z][a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert named <= targets, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_readme_commands_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_deal.chh").write_text((ROOT / "tests/cases/x04_third_wild_fits.chh").read_text(encoding="utf-8"))
    commands = commands_of(ROOT / "README.md")
    assert len(commands) >= 6
    for command in commands:
        if command.startswith("canasta bench"):
            continue  # minutes of measuring; tests/test_bench.py asks its parts
        code = main(shlex.split(command.replace("--games 20000", "--games 40"))[1:])
        assert code == 0, (command, capsys.readouterr().err)


def test_readme_python_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for block in blocks_of(ROOT / "README.md", "python"):
        exec(compile(block, "README.md", "exec"), {})


def test_the_notebook_runs_and_shows_what_its_blocks_give(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    with beside_the_sample(tmp_path):
        assert run_page(text).splitlines() == text.splitlines()  # made by `python tests/notebook_page.py`
    assert (tmp_path / "turns.svg").stat().st_size > 5000


def test_no_page_names_a_variant_or_query_that_is_not_there() -> None:
    from engine.rules import variant_names
    from pipeline.query import load_query

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"canasta query ([a-z_]+)", text):
        assert load_query(name).name == name
    for name in re.findall(r"--variant ([a-z0-9_]+)(?=\s)", text):
        assert name in variant_names()


def test_readme_variant_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "family.toml").write_text(blocks_of(ROOT / "README.md", "toml")[0], encoding="utf-8")
    assert main(["simulate", "--variant", "family.toml,classic4", "--games", "20", "--out", "run"]) == 0


def test_the_strategies_of_the_page_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "strategies.md"
    (tmp_path / "mine.py").write_text(blocks_of(page, "python")[0], encoding="utf-8")
    (tmp_path / "timid.toml").write_text(blocks_of(page, "toml")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for lineup in ("mine.py:lowest~safe", "timid.toml~safe"):
        assert main(["simulate", "--strategy", lineup, "--games", "20", "--out", lineup.partition("~")[0][:4]]) == 0
