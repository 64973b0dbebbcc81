"""The first play of a version compiles the engine: that is said, whoever waits for it and wherever.

On standard error, at a terminal or not, for it takes far longer than anybody expects of a first command.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from engine.jit import is_cached
from pipeline.progress import say, waiting

BEGUN = "Compiling the engine, once for this version: up to a minute …"


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """While the block plays for the first time: say that the engine is compiled, and how long that took.

    Nothing is said where it has been compiled before.
    """
    if is_cached():
        yield
        return
    say(BEGUN)
    started = time.monotonic()
    with waiting("Compiling"):
        yield
    say(f"Compiled in {time.monotonic() - started:.0f} s.")
