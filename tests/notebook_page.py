"""Runs the blocks of docs/notebook.md in order and writes below each what it gave: `python tests/notebook_page.py`."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "notebook.md"
BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n.*?```\n)?", re.DOTALL)


def run_page(text: str) -> str:
    """The page with the output of every block below it; its blocks share their names, as cells of a notebook do."""
    names: dict[str, object] = {}

    def run(found: re.Match[str]) -> str:
        given = run_block(found[1], names)
        return f"```python\n{found[1]}```\n" + (f"\n```text\n{given}\n```\n" if given else "")

    with shown_whole():
        return BLOCK.sub(run, text)


def run_block(code: str, names: dict[str, object]) -> str:
    """What a block prints, and the value of its last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<notebook>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<notebook>", "eval"), names) if last else None
        if value is not None:
            print(value if isinstance(value, str) else repr(value))
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines())


@contextlib.contextmanager
def shown_whole() -> Iterator[None]:
    """Tables are printed with all their columns, numbers with three decimals."""
    import polars as pl

    with pl.Config(
        tbl_formatting="ASCII_MARKDOWN",
        tbl_hide_dataframe_shape=True,
        tbl_hide_column_data_types=True,
        tbl_cols=20,
        tbl_rows=20,
        tbl_width_chars=160,
        float_precision=3,
        fmt_str_lengths=80,
    ):
        yield


@contextlib.contextmanager
def beside_the_sample(folder: Path) -> Iterator[None]:
    """Work in a folder that has the sample run where the repository has it."""
    (folder / "data").mkdir()
    (folder / "data" / "sample").symlink_to(ROOT / "data" / "sample")
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory() as scratch, beside_the_sample(Path(scratch)):
        made = run_page(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(made, encoding="utf-8")
