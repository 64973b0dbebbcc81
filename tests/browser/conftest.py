"""A real Chromium in front of the real command `canasta dashboard`."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SHOTS = Path(__file__).parent / "shots"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
STARTS_WITHIN = 60


@pytest.fixture(scope="session")
def address(sample_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a dashboard that serves the sample and every run in CANASTA_RUNS."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("dashboard") / "log.txt"
    command = [sys.executable, "-m", "pipeline.cli", "dashboard", str(sample_run), "--port", str(port)]
    with log.open("w") as said:
        server = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=subprocess.STDOUT)
        try:
            _wait(f"http://127.0.0.1:{port}/_stcore/health", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(15)


def _wait(health: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(health, timeout=1) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the dashboard did not start within {STARTS_WITHIN} s:\n{log.read_text()}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail("no Chromium to test in; install it with: apt-get install chromium (or your system's package)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=list(QUIET))
        yield browser
        browser.close()


class Reader:
    """Somebody with a browser: opens addresses of the dashboard and waits until a page stands still."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.faults: list[str] = []
        self.contexts: list[BrowserContext] = []

    def open(self, path: str = "/", *, width: int = 1280, height: int = 1000, mode: str = "light") -> Page:
        """A new browser at this address; console errors and outside requests are kept as faults."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=mode, accept_downloads=True, locale="en-GB"
        )
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda said: wrong(said) and self.faults.append(f"console: {said.text}"))
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("request", lambda request: outside(request.url) and self.faults.append(f"request: {request.url}"))
        page.goto(self.address + path)
        page.get_by_role("heading", level=1).wait_for(timeout=30_000)
        self.settle(page)
        return page

    def settle(self, page: Page) -> None:
        """Wait until the script has run and nothing is being redrawn."""
        page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=30_000)
        page.wait_for_timeout(700)

    def close(self) -> None:
        """Close all pages."""
        for context in self.contexts:
            context.close()


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Reader]:
    """A reader who must meet no console error and whose browser asks nobody but the dashboard."""
    reader = Reader(browser, address)
    yield reader
    reader.close()
    assert reader.faults == []


def wrong(said: ConsoleMessage) -> bool:
    """An error, but for Streamlit's own: opened at a page, it looks for its server below that page first."""
    looked_for = urlsplit(said.location["url"]).path.endswith(("/_stcore/health", "/_stcore/host-config"))
    return said.type == "error" and not looked_for


def outside(url: str) -> bool:
    """A request that leaves this machine."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1"
