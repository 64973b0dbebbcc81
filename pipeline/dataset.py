"""A run as a folder: where its files lie and which of them count. Only reads; `pipeline.writer` writes.

A file counts when a commit names it. A short last shard bears its games in its name (`00003.150.parquet`), so
that the fuller one which an extension writes stands beside it until the commit is replaced. All paths of a
run are made here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any

from engine import log
from engine.errors import BadInput

FORMAT = "canasta-run/1"
MANIFEST = "manifest.json"
COMMITS = "commits"
ROLLUPS = "rollups"
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
    """A finished shard of a run; `rollups` by name, none in runs that were written before there were any."""

    variant: str
    lineup: str
    shard: int
    first_game: int
    games: int
    files: Mapping[str, File]
    rollups: Mapping[str, File] = field(default_factory=dict)
    rollup_digest: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """What the commit is of: variant, line-up, number of the shard."""
        return self.variant, self.lineup, self.shard

    @property
    def all_files(self) -> tuple[File, ...]:
        """Files of the tables, then of the roll-ups."""
        return (*self.files.values(), *self.rollups.values())


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
    fault = _find_fault(manifest, _MANIFEST_KEYS)
    if fault or manifest["shard_games"] < 1:
        fault = fault or f"shard_games={manifest['shard_games']} is no number of games"
        raise BadInput(f"{path} is damaged: {fault}; make the run anew with replace=True (--replace)")
    if manifest["schema_version"].split(".")[0] != log.SCHEMA_VERSION.split(".")[0]:
        raise BadInput(
            f"{run} has log schema {manifest['schema_version']}; this version reads "
            f"{log.SCHEMA_VERSION.split('.')[0]}.x; make the run anew with replace=True (--replace)"
        )
    for place, cell in enumerate(manifest["cells"], start=1):
        if fault := _find_fault(cell, _CELL_KEYS):
            raise BadInput(f"{path} is damaged: cell {place}: {fault}; make the run anew with replace=True (--replace)")
    return manifest


def committed(run: Path | str, *, skip_unreadable: bool = False) -> list[Commit]:
    """The finished shards of a run in order of cells in the manifest, then of shards.

    A commit that cannot be read is BadInput; or as if it were not there, for who is to play its games again.
    """
    manifest = read_manifest(run)
    order = {(cell["variant"], cell["lineup"]): place for place, cell in enumerate(manifest["cells"])}
    commits = []
    for path in (Path(run) / COMMITS).glob("*.json"):
        try:
            commits.append(_read_commit(path, manifest["shard_games"]))
        except BadInput:
            if not skip_unreadable:
                raise
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


def rollup_path(name: str, variant: str, lineup: str, shard: int, digest: str, short: int | None = None) -> str:
    """Where a shard's roll-up lies; the digest of the definition keeps it apart from an older one that it replaces."""
    place = Path(file_path(f"{ROLLUPS}/{name}", variant, lineup, shard, short))
    return place.with_suffix(f".{digest}{place.suffix}").as_posix()


def commit_path(variant: str, lineup: str, shard: int) -> str:
    """Where the commit of a shard lies within a run."""
    return f"{COMMITS}/{variant}__{lineup}-{shard:05d}.json"


def unfinished(path: Path) -> Path:
    """The name under which a file is written until it is whole."""
    return path.with_name(path.name + UNFINISHED)


_MANIFEST_KEYS: Mapping[str, tuple[type, ...]] = {
    "schema_version": (str,),
    "kernel": (str,),
    "seed": (int,),
    "shard_games": (int,),
    "created": (str,),
    "cells": (list,),
    "summary": (dict, NoneType),
}
_CELL_KEYS: Mapping[str, tuple[type, ...]] = {
    "variant": (str,),
    "lineup": (str,),
    "group": (str,),
    "games": (int,),
    "base": (str,),
    "changes": (dict,),
    "rules": (dict,),
    "seats": (list,),
    "strategies": (dict,),
}
_COMMIT_KEYS: Mapping[str, tuple[type, ...]] = {
    "variant": (str,),
    "lineup": (str,),
    "shard": (int,),
    "first_game": (int,),
    "games": (int,),
    "files": (dict,),
}
_ROLLUP_KEYS: Mapping[str, tuple[type, ...]] = {"rollups": (dict,), "rollup_digest": (str,)}
_FILE_KEYS: Mapping[str, tuple[type, ...]] = {"path": (str,), "rows": (int,), "bytes": (int,), "hash": (str,)}


def _find_fault(words: Any, keys: Mapping[str, tuple[type, ...]]) -> str:
    """The first key that is missing or of another type, or nothing."""
    if not isinstance(words, dict):
        return f"{_show(words)} is no table of keys"
    for key, kinds in keys.items():
        if key not in words:
            return f"it has no {key}"
        if type(words[key]) not in kinds:
            return f"{key}={_show(words[key])} is no {' or '.join(kind.__name__ for kind in kinds)}"
    return ""


def _show(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 40 else text[:39] + "…"


def _read_commit(path: Path, shard_games: int) -> Commit:
    try:
        words = json.loads(path.read_text(encoding="utf-8"))
        fault = _find_fault(words, _COMMIT_KEYS) or _find_wrong_file(words["files"])
        fault = fault or _find_fault({"rollups": {}, "rollup_digest": "", **words}, _ROLLUP_KEYS)
        rollups, digest = ({}, "") if fault else (words.get("rollups", {}), words.get("rollup_digest", ""))
        fault = fault or _find_wrong_path({f"{ROLLUPS}/{name}": file for name, file in rollups.items()})
        fault = fault or _find_wrong_number(words, shard_games)
        if not fault and path.name != Path(commit_path(words["variant"], words["lineup"], words["shard"])).name:
            fault = f"it is of {words['variant']} {words['lineup']}, shard {words['shard']}"
    except (OSError, ValueError) as error:
        fault = " ".join(str(error).split())
    if fault:
        raise BadInput(
            f"{path} is no commit of a run: {fault}; remove it, or go on with the run: its games are played again"
        )
    tables, rolled = (
        {name: File(**{key: file[key] for key in _FILE_KEYS}) for name, file in group.items()}
        for group in (words["files"], rollups)
    )
    whole = {**{key: words[key] for key in _COMMIT_KEYS}, "files": tables}
    return Commit(**whole, rollups=rolled, rollup_digest=digest)


def _find_wrong_number(words: Mapping[str, Any], shard_games: int) -> str:
    """What cannot be of a shard's number and games: shard n begins behind n - 1 whole ones, so none overlap."""
    number, first, games = words["shard"], words["first_game"], words["games"]
    if number < 1 or first != (number - 1) * shard_games + 1:
        return f"shard {number} does not begin with game {first}: a shard has {shard_games} games"
    return "" if 1 <= games <= shard_games else f"{games} games; a shard has 1 to {shard_games}"


def _find_wrong_file(files: Mapping[str, Any]) -> str:
    if set(files) != set(log.TABLES):
        return f"its files are of {', '.join(files) or 'no table'}"
    return _find_wrong_path(files)


def _find_wrong_path(files: Mapping[str, Any]) -> str:
    for table, file in files.items():
        if fault := _find_fault(file, _FILE_KEYS):
            return f"{table}: {fault}"
        if file["rows"] < 0 or file["bytes"] < 0:
            return f"{table}: {file['rows']} rows in {file['bytes']} bytes"
        if not file["path"].startswith(f"{table}/") or ".." in Path(file["path"]).parts:
            return f"{table}: path {_show(file['path'])} lies elsewhere"
    return ""
