"""Removing a run from the disk, and nothing but the run: what else lies in its folder is named, not touched.

Of a run are its manifest, commits, tables, views, audit report and lock, whole or unfinished, whatever its schema and
however damaged. Commits go first and the manifest last, so that what a kill leaves is an unfinished run.

A run that is made anew is first set aside within its folder, which takes no room, and removed when every cell of the
new one has a shard: by then the new one can be played and written, and what fails later leaves its finished games.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from engine import log
from engine.errors import BadInput
from pipeline import dataset
from pipeline.lock import LOCK

_FILES = (dataset.MANIFEST, "views.sql", "audit.json", LOCK)
_TABLES = "|".join(log.TABLES)
_ROLLUP = rf"{dataset.ROLLUPS}/[a-z][a-z0-9_]*"
_FOLDER = re.compile(rf"{dataset.COMMITS}|{dataset.ROLLUPS}|({_TABLES}|{_ROLLUP})(/variant=[^/]+(/lineup=[^/]+)?)?")
_FILE = re.compile(
    rf"({'|'.join(map(re.escape, _FILES))}|{dataset.COMMITS}/[^/]+__[^/]+-\d+\.json"
    rf"|({_TABLES})/variant=[^/]+/lineup=[^/]+/\d+(\.\d+)?\.parquet"
    rf"|{_ROLLUP}/variant=[^/]+/lineup=[^/]+/\d+(\.\d+)?\.[0-9a-f]{{16}}\.parquet)({re.escape(dataset.UNFINISHED)})?"
)
ASIDE = ".replaced"
"""Folder within a run's own where the run lies that it takes the place of."""
NAMED = 3
"""So many of the things that are not the run's are named."""


def check_removable(folder: Path) -> None:
    """BadInput naming what lies in the folder that is not a run's; an empty folder is one that can be used."""
    others = [path for path, ours in _entries(folder) if not ours]
    if not others and _is_of_others(folder):
        others = [dataset.MANIFEST]
    if others:
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        raise BadInput(
            f"{folder} also holds {', '.join(others[:NAMED])}{more}, which is not the run's; "
            "move it elsewhere, or give another folder as out (--out)"
        )


def remove_run(folder: Path) -> None:
    """Remove a run's files, and the folders that they leave empty; the caller holds the lock, which stays."""
    entries = [path for path, ours in _entries(folder) if ours and path != LOCK]
    for path in sorted(entries, key=_order):
        with contextlib.suppress(FileNotFoundError):
            (folder / path).unlink()
    for table in (dataset.COMMITS, dataset.ROLLUPS, *log.TABLES):
        for here, _, _ in os.walk(folder / table, topdown=False):
            with contextlib.suppress(OSError):
                Path(here).rmdir()


def set_aside(folder: Path) -> None:
    """Set the run in a folder aside; of one that had itself just begun to replace another, the other stays there."""
    aside = folder / ASIDE
    if aside.is_dir():
        remove_run(folder)
        return
    names = {path.partition("/")[0] for path, ours in _entries(folder) if ours} - {LOCK}
    if not names:
        return
    aside.mkdir()
    try:
        for name in sorted(names, key=lambda name: name != dataset.MANIFEST):
            (folder / name).replace(aside / name)
    except OSError:
        put_back(folder)
        raise


def put_back(folder: Path) -> None:
    """Put the run that was set aside back, if there is one; the folder holds no other. The manifest comes last."""
    aside = folder / ASIDE
    if not aside.is_dir():
        return
    for path in sorted(aside.iterdir(), key=lambda path: path.name == dataset.MANIFEST):
        path.replace(folder / path.name)
    aside.rmdir()


def drop_aside(folder: Path) -> None:
    """Remove the run that was set aside, if there is one."""
    remove_run(folder / ASIDE)
    with contextlib.suppress(OSError):
        (folder / ASIDE).rmdir()


def _order(path: str) -> int:
    return 0 if path.startswith(dataset.COMMITS) else 2 if path == dataset.MANIFEST else 1


def _entries(folder: Path) -> Iterator[tuple[str, bool]]:
    """Files in the folder, and folders that are no run's, by their path in it; whether they are the run's."""
    for here, folders, names in os.walk(folder):
        for name in sorted(folders):
            path = (Path(here) / name).relative_to(folder).as_posix()
            if path == ASIDE:
                folders.remove(name)
                continue
            if not _FOLDER.fullmatch(path) or (Path(here) / name).is_symlink():
                folders.remove(name)
                yield path + "/", False
        folders.sort()
        for name in sorted(names):
            path = (Path(here) / name).relative_to(folder).as_posix()
            yield path, _FILE.fullmatch(path) is not None


def _is_of_others(folder: Path) -> bool:
    """Whether the manifest is a whole one of something else: others use the name too."""
    try:
        manifest = json.loads((folder / dataset.MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    name = str(manifest.get("format", "")) if isinstance(manifest, dict) else ""
    return not name.startswith(dataset.FORMAT.partition("/")[0]) and not (folder / dataset.COMMITS).is_dir()
