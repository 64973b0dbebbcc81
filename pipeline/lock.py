"""One writer a run: the lock."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from engine.errors import BadInput

LOCK = "lock"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a run's folder; BadInput when another process does.

    It is the system's own lock on a file, which ends with its process: that of a dead one is none.
    """
    path = folder / LOCK
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(descriptor, 100).decode(errors="replace").strip()
            os.close(descriptor)
            raise BadInput(
                f"{folder} is being written by another process ({owner or 'unknown'}); wait for it, or give "
                "another folder as out (--out)"
            ) from None
        with contextlib.suppress(FileNotFoundError):
            if os.fstat(descriptor).st_ino == path.stat().st_ino:
                break
        os.close(descriptor)
    try:
        os.truncate(descriptor, 0)
        os.write(descriptor, f"process {os.getpid()} on {os.uname().nodename}".encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)
