"""Shared fixtures: the sample run, a small finished run, and a profile under which Hypothesis is reproducible."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile(
    "lab", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("lab")


@pytest.fixture(scope="session")
def sample_run() -> Path:
    """The small committed run, `data/sample`; `make sample` makes it anew."""
    path = ROOT / "data" / "sample"
    assert (path / "manifest.json").is_file(), "data/sample is missing; make it with: make sample"
    return path


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of 250 games in shards of 100, not to be changed."""
    from finished_run import plan

    from pipeline.simulation import simulate

    folder = tmp_path_factory.mktemp("runs") / "made"
    simulate(plan(), folder)
    return folder


@pytest.fixture(scope="session")
def rolled_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the plan of `sample_run` with enough games for its roll-ups to answer, not to be changed."""
    from pipeline.plan import make_plan, read_plan
    from pipeline.simulation import simulate

    folder = tmp_path_factory.mktemp("runs") / "rolled"
    simulate(make_plan({**read_plan(ROOT / "data" / "plans" / "sample.toml"), "games": 660}), folder)
    return folder


@pytest.fixture(scope="session")
def sweep_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rules in all combinations by equals and by unequals, games enough for roll-ups; not to be changed."""
    from pipeline.plan import make_plan
    from pipeline.simulation import simulate

    folder = tmp_path_factory.mktemp("runs") / "swept"
    varied = {"vary": {"canastas_out": [1, 2], "hand_size": [11, 15]}}
    simulate(make_plan({"sweep": varied, "lineups": ["naive", "naive~random"], "games": 650}), folder, workers=1)
    return folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """A copy of it to change."""
    return Path(shutil.copytree(made, tmp_path / "run"))
