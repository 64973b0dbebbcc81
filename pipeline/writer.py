"""Every step that makes a run on disk: starting it, going on with it, writing and committing shards.

Files are written under another name and renamed, moves last; then the commit appears in one atomic step.
A writer holds the run's lock; whatever no commit names it removes first.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from engine import log
from engine.errors import BadInput
from pipeline import dataset
from pipeline.catalog import write_views
from pipeline.cells import read_cells
from pipeline.dataset import Commit, Manifest, unfinished
from pipeline.lock import LOCK, locked
from pipeline.manifest import extend_manifest, make_manifest, now
from pipeline.plan import Plan, Shard
from pipeline.removal import ASIDE, check_removable, drop_aside, put_back, remove_run, set_aside
from pipeline.rollup import load_rollups, rollup_digest
from pipeline.rollup_shard import prepare
from pipeline.shard_writer import ShardFiles, ShardWriter

RENAME_ORDER = (*(table for table in log.TABLES if table != "moves"), "moves")


class RunWriter:
    """The one writer of a run, made by `open_writer`. `plan` is what the run's cells now are to have."""

    def __init__(self, folder: Path, plan: Plan, manifest: Manifest, commits: list[Commit], *, is_new: bool) -> None:
        self.folder = folder
        self.plan = plan
        self._manifest = manifest
        self._commits = {commit.key: commit for commit in commits}
        self._is_new = is_new
        self._began = False
        self._cells = {(cell.variant, cell.lineup): cell for cell in read_cells(manifest, [])}

    def lacking(self) -> Iterator[Shard]:
        """The shards of the plan that the run has not, or not with all their games."""
        return (shard for shard in self.plan.shards() if not self.is_done(shard))

    def games_lacking(self) -> dict[tuple[str, str], int]:
        """Games in lacking shards of each cell of the plan that lacks any, by its key."""
        games = {cell.key: cell.games for cell in self.plan.cells}
        lacking = dict(games)
        for commit in self._commits.values():
            cell = commit.key[:2]
            if cell in games and commit.games == min(
                self._manifest["shard_games"], games[cell] - commit.first_game + 1
            ):
                lacking[cell] -= commit.games
        return {cell: count for cell, count in lacking.items() if count}

    def begin(self) -> None:
        """Change the disk: remove what no commit names, or set aside the run whose place is taken; and say the plan."""
        self._began = True
        if self._is_new:
            set_aside(self.folder)
        else:
            remove_uncommitted(self.folder, self.commits)
        if self._manifest["summary"] is None:
            write_json(self.folder / dataset.MANIFEST, self._manifest)
        (self.folder / dataset.COMMITS).mkdir(exist_ok=True)
        prepare()

    def plan_more(self, games: Mapping[tuple[str, str], int]) -> None:
        """Plan so many games for cells of the plan, by their key, where fewer were planned."""
        cells = [
            {**cell, "games": max(cell["games"], games.get((cell["variant"], cell["lineup"]), 0))}
            for cell in self._manifest["cells"]
        ]
        if cells == self._manifest["cells"]:
            return
        self.plan = self.plan.with_games({(cell["variant"], cell["lineup"]): cell["games"] for cell in cells})
        self._change_manifest(cells=cells, summary=None)

    def note(self, **facts: Any) -> None:
        """Write facts about how the run was asked for into the manifest, if they are not there."""
        if any(self._manifest.get(name) != fact for name, fact in facts.items()):
            self._change_manifest(**facts)

    def _change_manifest(self, **facts: Any) -> None:
        self._manifest = {**self._manifest, **facts}
        if self._began:
            write_json(self.folder / dataset.MANIFEST, self._manifest)

    def abandon(self) -> None:
        """After a failure: a new run goes if it has no finished shard or takes a place, which the older gets back."""
        if not self._began:
            return
        with contextlib.suppress(OSError):
            if self._is_new and (not self._commits or (self.folder / ASIDE).exists()):
                remove_run(self.folder)
                put_back(self.folder)
            else:
                self.write_views()

    def is_done(self, shard: Shard) -> bool:
        """Whether the run has the shard with all its games."""
        commit = self._commits.get((*shard.cell.key, shard.number))
        return commit is not None and commit.games == shard.games

    def start(self, shard: Shard) -> ShardWriter:
        """Begin to write a shard."""
        short = None if shard.games == self._manifest["shard_games"] else shard.games
        paths = {table: dataset.file_path(table, *shard.cell.key, shard.number, short) for table in log.TABLES}
        facts = {
            "schema_version": self._manifest["schema_version"],
            "kernel": self._manifest["kernel"],
            "seed": self._manifest["seed"],
            "variant": shard.cell.variant.slug,
            "lineup": shard.cell.slug,
            "shard": shard.number,
            "first_game": shard.first_game,
            "games": shard.games,
        }
        rollups = {
            name: dataset.rollup_path(name, *shard.cell.key, shard.number, rollup_digest(), short)
            for name in load_rollups()
        }
        cell = self._cells[shard.cell.key]
        return ShardWriter(self.folder, paths, {key: str(value) for key, value in facts.items()}, rollups, cell)

    def commit(self, shard: Shard, files: ShardFiles) -> None:
        """Rename the finished files of a shard and let it count; an older, shorter shard goes."""
        commit = Commit(
            *shard.cell.key, shard.number, shard.first_game, shard.games, files.tables, files.rollups, rollup_digest()
        )
        try:
            for file in (*files.rollups.values(), *(files.tables[table] for table in RENAME_ORDER)):
                path = self.folder / file.path
                unfinished(path).replace(path)
            write_json(self.folder / dataset.commit_path(*commit.key), asdict(commit))
        except OSError:
            for file in commit.all_files:
                (self.folder / file.path).unlink(missing_ok=True)
            raise
        older = self._commits.get(commit.key)
        self._commits[commit.key] = commit
        self._drop_replaced()
        for file in older.all_files if older else ():
            if file.path not in {one.path for one in commit.all_files}:
                (self.folder / file.path).unlink(missing_ok=True)

    def _drop_replaced(self) -> None:
        """Remove the run whose place this one takes, once every cell has a shard."""
        cells = {key[:2] for key in list(self._commits)}
        if all(cell.key in cells for cell in self.plan.cells) and (self.folder / ASIDE).exists():
            drop_aside(self.folder)

    def write_views(self) -> None:
        """Write views.sql over the finished shards."""
        write_views(self.folder, read_cells(self._manifest, self.commits), self._manifest["seed"])

    @property
    def is_complete(self) -> bool:
        """Whether every cell of the run, also of earlier plans, has all its games."""
        games: Counter[tuple[str, str]] = Counter()
        for commit in self._commits.values():
            games[commit.variant, commit.lineup] += commit.games
        return all(games[cell["variant"], cell["lineup"]] >= cell["games"] for cell in self._manifest["cells"])

    def finish(self, **facts: Any) -> None:
        """Write the views; and, if the run is complete and has none yet, the summary with `facts` into the manifest."""
        self.write_views()
        if self._manifest["summary"] is not None or not self.is_complete:
            return
        files = [(table, file) for commit in self.commits for table, file in commit.files.items()]
        summary = {
            "finished": now(),
            "games": sum(commit.games for commit in self.commits),
            "rows": {table: sum(file.rows for of, file in files if of == table) for table in log.TABLES},
            "bytes": sum(file.bytes for commit in self.commits for file in commit.all_files),
            **facts,
        }
        self._change_manifest(summary=summary)

    @property
    def manifest(self) -> Manifest:
        """The manifest as it now is."""
        return self._manifest

    @property
    def commits(self) -> list[Commit]:
        """The finished shards so far."""
        return list(self._commits.values())


@contextlib.contextmanager
def open_writer(folder: Path, plan: Plan, *, replace: bool = False) -> Iterator[RunWriter]:
    """Start a run, or go on with one, or make it anew: locks it and checks the plan against it.

    Nothing on the disk changes before `RunWriter.begin`. Raises BadInput when another process writes the run, when
    the folder holds something else, or when the run was made with other rules, strategies, seed, engine or schema;
    OSError when the disk refuses.
    """
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file; give a folder as out (--out)")
    if replace:
        check_removable(folder)
    elif folder.exists() and not (_is_run(folder) or (folder / ASIDE).is_dir() or _is_empty(folder)):
        raise BadInput(f"{folder} is neither empty nor a run; give another folder as out (--out)")
    created = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with locked(folder):
            if not _is_run(folder):
                put_back(folder)  # killed while it was set aside
            run = _start(folder, plan) if replace or not _is_run(folder) else _go_on(folder, plan)
            try:
                yield run
            except BaseException:
                run.abandon()
                raise
    finally:
        for path in created:
            with contextlib.suppress(OSError):
                path.rmdir()


def _is_run(folder: Path) -> bool:
    return (folder / dataset.MANIFEST).exists()


def _is_empty(folder: Path) -> bool:
    """Whether a run may begin here: nothing lies here, or what a run leaves that was killed before its manifest."""
    left, own = {LOCK, dataset.MANIFEST + dataset.UNFINISHED}, {dataset.COMMITS, dataset.ROLLUPS, *log.TABLES}
    there = [entry for entry in folder.iterdir() if entry.name not in left]
    return all(entry.name in own and entry.is_dir() and not any(entry.iterdir()) for entry in there)


def _start(folder: Path, plan: Plan) -> RunWriter:
    plan = plan.settled()
    return RunWriter(folder, plan, make_manifest(plan), [], is_new=True)


def _go_on(folder: Path, plan: Plan) -> RunWriter:
    manifest = dataset.read_manifest(folder)
    readable = dataset.committed(folder, skip_unreadable=True)
    commits = [commit for commit in readable if _is_whole(folder, commit)]
    played: Counter[tuple[str, str]] = Counter()
    for commit in commits:
        cell = commit.variant, commit.lineup
        played[cell] = max(played[cell], commit.first_game + commit.games - 1)
    extended = extend_manifest(manifest, plan, played)
    games = {(cell["variant"], cell["lineup"]): cell["games"] for cell in extended["cells"]}
    plan = plan.settled(manifest["shard_games"]).with_games(games)
    finished = RunWriter(folder, plan, manifest, commits, is_new=False)
    if extended["cells"] == manifest["cells"] and finished.is_complete:
        return finished
    return RunWriter(folder, plan, extended, commits, is_new=False)


def _is_whole(folder: Path, commit: Commit) -> bool:
    """Whether the files of a commit are there with their sizes and rows: after a power cut they need not be."""
    try:
        return all(
            (folder / file.path).stat().st_size == file.bytes
            and pq.read_metadata(folder / file.path).num_rows == file.rows
            for file in commit.all_files
        )
    except (FileNotFoundError, pa.ArrowException):
        return False


def remove_uncommitted(folder: Path, commits: list[Commit]) -> None:
    """Remove files of tables, roll-ups and commits that no commit names; the caller holds the lock."""
    named = {folder / file.path for commit in commits for file in commit.all_files}
    named |= {folder / dataset.commit_path(*commit.key) for commit in commits}
    for place in (*log.TABLES, dataset.ROLLUPS, dataset.COMMITS):
        for path in (folder / place).rglob("*"):
            if path.is_file() and path not in named and path.name.endswith((".parquet", ".json", dataset.UNFINISHED)):
                path.unlink()


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a file that is there whole or not at all, also after a power cut."""
    draft = unfinished(path)
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(json.dumps(content, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
