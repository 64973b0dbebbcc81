"""The house: imports run dashboards → pipeline → engine, views hold no SQL, modules stay small."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("engine", "pipeline", "dashboards")
MAY_IMPORT = {"engine": {"engine"}, "pipeline": {"engine", "pipeline"}, "dashboards": set(LAYERS)}
ENGINE_MAY_USE = {"numpy", "numba", "llvmlite", "pydantic", "tomli_w"}
VAGUE = {"utils", "util", "helpers", "helper", "misc", "manager", "common", "base"}
LONGEST = 300
LONGEST_TEST = 300
MACHINE_PATH = re.compile(r"""(?:["'\s(=]|^)/(?:home|root|work|Users|tmp|mnt)/\w""", re.M)
SQL = re.compile(r"\b(select\s.+?\sfrom\b|group\s+by\b|order\s+by\b|create\s+(view|table|macro)\b)", re.I | re.S)


def sources(*layers: str) -> list[Path]:
    return [path for layer in layers for path in sorted((ROOT / layer).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """Top-level names that a module imports, at whatever depth in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.relative_to(ROOT)}: relative import; write the full name"
            names.add((node.module or "").split(".")[0])
    return names


def texts_of(tree: ast.Module) -> list[str]:
    """All texts of a module but its docstrings."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in said)
    return [node.value for node in texts if isinstance(node.value, str)]


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("layer", LAYERS)
def test_no_layer_imports_one_above_it(layer: str) -> None:
    wrong = {name_of(p): sorted(imported(p) & set(LAYERS) - MAY_IMPORT[layer]) for p in sources(layer)}
    assert {name: above for name, above in wrong.items() if above} == {}


def test_the_engine_needs_nothing_but_numpy_numba_and_pydantic() -> None:
    own = set(sys.stdlib_module_names) | ENGINE_MAY_USE | {"engine", "__future__"}
    wrong = {name_of(p): sorted(imported(p) - own) for p in sources("engine")}
    assert {name: others for name, others in wrong.items() if others} == {}


def test_kernel_and_referee_know_nothing_of_each_other() -> None:
    rooms = {"kernel": ("referee", "ledger", "history"), "referee": ("kernel", "ledger", "strategies"),
             "ledger": ("kernel", "strategies"), "history": ("kernel", "referee", "ledger", "strategies")}  # fmt: skip
    wrong = [
        f"{name_of(path)} imports {other}"
        for room, others in rooms.items()
        for path in sources(f"engine/{room}")
        for other in others
        if re.search(rf"^\s*(from|import) engine\.{other}\b", path.read_text("utf-8"), re.M)
    ]
    assert wrong == []
    assert all(sources(f"engine/{room}") for room in rooms)


def test_views_hold_no_sql_and_reach_the_pipeline_only_through_data() -> None:
    wrong = {}
    for path in sources("dashboards"):
        tree = ast.parse(path.read_text("utf-8"))
        found = [text for text in texts_of(tree) if SQL.search(text)]
        if path.parent.name == "views":
            found += sorted(imported(path) & {"pipeline", "engine", "duckdb", "polars", "pandas", "numpy"})
        if found:
            wrong[name_of(path)] = found
    assert wrong == {}


def test_views_do_no_arithmetic() -> None:
    sums = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in sorted((ROOT / "dashboards" / "views").glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.BinOp) and isinstance(node.op, sums)
    ]
    assert wrong == []


def test_modules_have_at_most_300_lines_and_a_docstring() -> None:
    long, silent = [], []
    for path in sources(*LAYERS) + sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text("utf-8")
        if len(text.splitlines()) > (LONGEST_TEST if path.is_relative_to(ROOT / "tests") else LONGEST):
            long.append(f"{name_of(path)}: {len(text.splitlines())}")
        if text.strip() and path.is_relative_to(ROOT / "tests") is False and ast.get_docstring(ast.parse(text)) is None:
            silent.append(name_of(path))
    assert (long, silent) == ([], [])


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [name_of(p) for p in sources(*LAYERS) if VAGUE & set(p.stem.split("_"))] == []


def test_no_tracked_file_names_a_path_of_one_machine() -> None:
    wrong = []
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        wrong += [f"{name_of(path)}: {match.group().strip()}" for match in MACHINE_PATH.finditer(text)]
    assert wrong == []
