"""How far a long job is, on standard error: a bar at a terminal, plain lines elsewhere, nothing for a short one."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rich.progress

QUIET_SECONDS = 2.0
LINE_SECONDS = 10.0
WAIT_SECONDS = 15.0


class Stopped(Exception):  # noqa: N818 - as asked for, no error
    """A long job was stopped by Ctrl-C; the message is one line: what is kept and how to go on."""


class Progress:
    """Shows `done` of `total` things with rate and time left; as a context manager it cleans up behind itself.

    `done` at the start is what an earlier session did: it counts in the bar but not in the rate. `total` may be changed
    on the way; `about` says that it is only expected.
    """

    def __init__(self, total: int, done: int = 0, unit: str = "games", *, about: bool = False) -> None:
        self.total = total
        self.unit = unit
        self._about = "about " if about else ""
        self._first = done
        self._started = time.monotonic()
        self._next_line = self._started + QUIET_SECONDS
        self._bar: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int) -> None:
        """Show that `done` of the total are done by now."""
        if time.monotonic() < self._next_line:
            return
        if sys.stderr.isatty():
            self._show_bar(done)
        else:
            self._next_line = time.monotonic() + LINE_SECONDS
            say(self._line(done))

    def _line(self, done: int) -> str:
        rate = (done - self._first) / (time.monotonic() - self._started)
        left = f", {show_seconds((self.total - done) / rate)} left" if rate else ""
        of = f"{done:,} of {self._about}{self.total:,} {self.unit} ({done / self.total:.0%})"
        return f"{of}, {rate:,.0f} {self.unit}/s{left}"

    def _show_bar(self, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        if self._bar is None:
            columns = (BarColumn(), TextColumn("{task.description}"))
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=self.total)
            self._bar.start()
        if self._task is not None:
            self._bar.update(self._task, total=self.total, completed=done, description=self._line(done))


def say(text: str) -> None:
    """A line on standard error, such as what is being waited for."""
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """While the block runs, say every so often that `what` goes on."""
    ended = threading.Event()
    started = time.monotonic()

    def tell() -> None:
        while not ended.wait(WAIT_SECONDS):
            say(f"{what}: {show_seconds(time.monotonic() - started)} so far …")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def show_seconds(seconds: float) -> str:
    """A time as people say it, to the second."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
