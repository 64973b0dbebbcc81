"""A run as a folder: where its files lie and which of them count. Only reads; `pipeline.writer` writes.

A file counts when a commit names it. A short last shard bears its games in its name (`00003.150.parquet`), so
that the fuller one which an extension writes stands beside it until the commit is replaced. All paths of a
run are made here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import log
from engine.errors import BadInput

FORMAT = "canasta-run/1"
MANIFEST = "manifest.json"
COMMITS = "commits"
UNFINISHED = ".tmp"

Manifest = dict[str, Any]


@dataclass(frozen=True)
class File:
    """One table of a shard: path within the run, rows, bytes, and a hash of the rows (`schema.ContentHash`)."""

    path: str
    rows: int
    bytes: int
    hash: str


@dataclass(frozen=True)
class Commit:
    """A finished shard of a run."""

    variant: str
    lineup: str
    shard: int
    first_game: int
    games: int
    files: Mapping[str, File]

    @property
    def key(self) -> tuple[str, str, int]:
        """What the commit is of: variant, line-up, number of the shard."""
        return self.variant, self.lineup, self.shard


def read_manifest(run: Path | str) -> Manifest:
    """Manifest of a run; BadInput when the folder is none."""
    path = Path(run) / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput(f"{run} is no run: it has no {MANIFEST}; `canasta runs` lists the runs of a folder") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read: {' '.join(str(error).split())}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BadInput(f"{path} is no manifest of a run of format {FORMAT}")
    if manifest["schema_version"].split(".")[0] != log.SCHEMA_VERSION.split(".")[0]:
        raise BadInput(
            f"{run} has log schema {manifest['schema_version']}; this version reads "
            f"{log.SCHEMA_VERSION.split('.')[0]}.x"
        )
    return manifest


def committed(run: Path | str) -> list[Commit]:
    """The finished shards of a run in order of cells in the manifest, then of shards."""
    order = {(cell["variant"], cell["lineup"]): place for place, cell in enumerate(read_manifest(run)["cells"])}
    commits = [_read_commit(path) for path in (Path(run) / COMMITS).glob("*.json")]
    return sorted(
        (commit for commit in commits if (commit.variant, commit.lineup) in order),
        key=lambda commit: (order[commit.variant, commit.lineup], commit.shard),
    )


def files(run: Path | str, table: str, variant: str | None = None, lineup: str | None = None) -> list[Path]:
    """Paths of a table's files, of one variant or line-up if given; committed ones only."""
    return [
        Path(run) / commit.files[table].path
        for commit in committed(run)
        if variant in (None, commit.variant) and lineup in (None, commit.lineup)
    ]


def find_runs(folder: Path | str) -> list[Path]:
    """Runs in a folder, at any depth but not within another run, by name."""
    found = []
    for here, folders, names in os.walk(folder):
        if MANIFEST in names:
            found.append(Path(here))
            folders.clear()
    return sorted(found)


def file_path(table: str, variant: str, lineup: str, shard: int, short: int | None = None) -> str:
    """Where a shard's table lies within a run; `short` is the number of games of a shard that is not full."""
    name = f"{shard:05d}" if short is None else f"{shard:05d}.{short}"
    return f"{table}/variant={variant}/lineup={lineup}/{name}.parquet"


def commit_path(variant: str, lineup: str, shard: int) -> str:
    """Where the commit of a shard lies within a run."""
    return f"{COMMITS}/{variant}__{lineup}-{shard:05d}.json"


def unfinished(path: Path) -> Path:
    """The name under which a file is written until it is whole."""
    return path.with_name(path.name + UNFINISHED)


def _read_commit(path: Path) -> Commit:
    try:
        words = json.loads(path.read_text(encoding="utf-8"))
        return Commit(**{**words, "files": {table: File(**file) for table, file in words["files"].items()}})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BadInput(f"{path} is no commit of a run: {' '.join(str(error).split())}") from None
