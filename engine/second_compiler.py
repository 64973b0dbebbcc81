"""The first compile, in two processes at once: this one and one that it starts, each half of the kernel.

What is outlined (`engine.kernel.outline`) and the strategies' decisions are compiled where they are first asked for.
Meanwhile a second process compiles the loops of play, which reach outlined functions by name only, into the same
cache folder. A second process that fails is no loss: the first then finds nothing in the folder and compiles itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from engine.jit import KERNEL_CACHE, cache_root, is_cached

MARK = "CANASTA_SECOND_COMPILER"
"""Set in the environment of the process that is started here."""
LOCK = KERNEL_CACHE / "second_compiler.lock"
LONGEST_SECONDS = 600


def is_second() -> bool:
    """Whether this process only compiles the loops of play, for another."""
    return MARK in os.environ


@cache
def start() -> subprocess.Popen[bytes] | None:
    """Start the second process, once, where the loops of play were never compiled on this machine."""
    if is_second() or is_cached():
        return None
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, MARK: "1", "CANASTA_CACHE": str(cache_root()), "PYTHONPATH": path.rstrip(os.pathsep)}
    silent = subprocess.DEVNULL
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            [sys.executable, "-m", "engine.second_compiler"],
            env=environment,
            stdin=silent,
            stdout=silent,
            stderr=silent,
            start_new_session=True,
        )
    return None


def wait() -> None:
    """Until no second process compiles, be it this one's or that of another who began at the same time."""
    own = start()
    if own is not None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            own.wait(LONGEST_SECONDS)
    if LOCK.exists() and not is_cached():
        with _locked(fcntl.LOCK_SH):
            pass


@contextlib.contextmanager
def _locked(how: int) -> Iterator[None]:
    LOCK.parent.mkdir(parents=True, exist_ok=True)
    with LOCK.open("w") as file:
        fcntl.flock(file, how)
        yield


def main() -> None:
    """Compile the loops of play, unless another second process is at it."""
    with contextlib.suppress(BlockingIOError), _locked(fcntl.LOCK_EX | fcntl.LOCK_NB):
        from engine.kernel.loops import compile_loops

        compile_loops()


if __name__ == "__main__":
    main()
