"""Shared fixtures: the sample run, and a profile under which Hypothesis is reproducible."""

from __future__ import annotations

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
