"""`canasta dashboard`: starts the dashboard on this machine and says where it is.

The pipeline knows the dashboard only as a file to start, never as an import.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import sys
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import typer

from engine.errors import BadInput

RUNS = "CANASTA_RUNS"
"""Environment variable with the folders that the dashboard looks for runs in, separated as in PATH."""
PLACES = ("data/runs", "data/sample")
"""Where it looks without that: a run, or a folder of runs, each."""


def register(app: typer.Typer) -> None:
    """Add the command to the `canasta` application."""
    app.command("dashboard")(dashboard)


def dashboard(
    run: Annotated[
        Path | None, typer.Argument(help="Run to open first; without it every run in data/runs and data/sample.")
    ] = None,
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8501,
    address: Annotated[
        str, typer.Option(help="Address to listen on; the default can only be reached from here.")
    ] = "127.0.0.1",
) -> None:
    """Open the dashboard in the browser; Ctrl-C ends it."""
    page = find_page()
    check_port(address, port)
    environment = dict(os.environ)
    query = ""
    if run is not None:
        if not (run / "manifest.json").is_file():
            raise BadInput(f"{run}: not a run, it has no manifest.json; `canasta simulate --out {run}` makes one")
        folder = run.resolve()
        environment[RUNS] = os.pathsep.join([str(folder), environment.get(RUNS) or os.pathsep.join(PLACES)])
        query = "?" + urlencode({"run": folder.name})
    print(f"Dashboard: http://{address}:{port}/{query}   (Ctrl-C ends it)", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "streamlit", "run", str(page)]
    options = [f"--server.port={port}", f"--server.address={address}", "--server.headless=true"]
    os.execve(sys.executable, command + options, environment)


def find_page() -> Path:
    """The dashboard's entry script; BadInput when Streamlit or the dashboard is not installed."""
    for name in ("streamlit", "altair"):
        if importlib.util.find_spec(name) is None:
            raise BadInput(f"{name} is not installed; the dashboard needs it: pip install 'canasta-lab[dash]'")
    package = importlib.util.find_spec("dashboards")
    folders = list(package.submodule_search_locations or ()) if package else []
    pages = [page for page in (Path(folder) / "app.py" for folder in folders) if page.is_file()]
    if not pages:
        raise BadInput("the dashboards package is not installed beside the pipeline; run `make setup`")
    return pages[0]


def check_port(address: str, port: int) -> None:
    """BadInput when something listens on the port already, or the address is not this machine's."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            raise BadInput(f"port {port} on {address}: {error.strerror}; choose another with --port") from None
