"""Audits: one query pipeline/sql/audits/NAME.sql each that returns rows that break a rule; no rows, clean.

An audit's header says `title` and `rule`. Its views hold consecutive shards of one cell, so `cells` is the one
row of that cell's rules and `committed` lists the files. Games never cross a shard: batches of a few
thousand games are asked one by one, on a thread each, in memory that does not grow with the run.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from engine.errors import BadInput
from engine.parameter_text import near
from engine.rules import PARAMETERS, Rules, check_combination
from pipeline import catalog, dataset
from pipeline.cells import RunCell
from pipeline.dataset import Commit
from pipeline.query import fill_in_relations, plain_frame, split_header
from pipeline.rollup import rollup_digest
from pipeline.rollup_files import find_rollup_fault
from pipeline.rollup_shard import fractions
from pipeline.rollup_sql import differences_sql
from pipeline.run import Run
from pipeline.schema import ContentHash, arrow_schema, to_block

FOLDER = Path(__file__).parent / "sql" / "audits"
RESULT = "audit.json"
FILES = "committed_files"
"""The audit that comes first: games of a file that it cannot read are asked nothing else."""
ROLLUPS = "rollups"
"""The audit that compares roll-ups with the tables."""
BATCH_GAMES = 4_000
EXAMPLES = 10
"""Rows kept of each audit; all are counted."""


@dataclass(frozen=True)
class Audit:
    """A rule that a run must keep, and the question that finds what breaks it."""

    name: str
    title: str
    rule: str
    sql: str


@dataclass
class Finding:
    """What an audit found: how many rows break its rule, the first of them, and how long it took, over all threads."""

    name: str
    title: str
    rule: str
    rows: int = 0
    seconds: float = 0.0
    examples: list[dict[str, Any]] = field(default_factory=list)
    unasked: int = 0
    """Games it could not be asked of, for a file of theirs is lost or damaged."""
    lacking: int = 0
    """Games that have nothing to ask of: no roll-ups, or those of other definitions. That breaks no rule."""

    @property
    def breaks(self) -> int | None:
        """Rows that break the rule; None where none is known to and not all games could be asked."""
        return None if self.unasked and not self.rows else self.rows


@dataclass
class Report:
    """The result of auditing a run."""

    finished: str
    games: int
    seconds: float
    audits: list[Finding]
    stale: bool = False
    """Games were committed since."""

    @property
    def clean(self) -> bool:
        """Whether every audit was asked of all games and found no row."""
        return not any(finding.rows or finding.unasked for finding in self.audits)

    @property
    def verdict(self) -> str:
        """The result in a few words."""
        broken = sum(1 for one in self.audits if one.rows)
        unasked = sum(1 for one in self.audits if one.unasked)
        told = [f"{broken} of {len(self.audits)} audits broken"] if broken else []
        if unasked:
            games = max(one.unasked for one in self.audits)
            told.append(f"{unasked} not asked of {games:,} games, whose files are lost or damaged")
        lacking = max((one.lacking for one in self.audits), default=0)
        also = f"; {lacking:,} games have no roll-ups of today's metrics: canasta rollup makes them" if lacking else ""
        return ("; ".join(told) or f"all {len(self.audits)} audits clean") + also


@dataclass(frozen=True)
class Batch:
    """Consecutive shards of one cell."""

    cell: RunCell

    @property
    def games(self) -> tuple[int, int]:
        """First and last game."""
        last = self.cell.shards[-1]
        return self.cell.shards[0].first_game, last.first_game + last.games - 1


def audit_names() -> tuple[str, ...]:
    """Names of all audits, the one of the files first."""
    return tuple(sorted((path.stem for path in FOLDER.glob("*.sql")), key=lambda name: (name != FILES, name)))


@cache
def load_audit(name: str) -> Audit:
    """An audit by its name; BadInput names those there are."""
    if name not in audit_names():
        raise BadInput(f"no audit '{name}'{near(name, audit_names())}; there are {', '.join(audit_names())}")
    header, sql = split_header(name, (FOLDER / f"{name}.sql").read_text(encoding="utf-8"))
    if set(header) != {"title", "rule"}:
        raise ValueError(f"{name}.sql: the header has title and rule; found {', '.join(header)}")
    return Audit(name, header["title"], header["rule"], fill_in_relations(sql))


def audit_run(
    run: Run,
    names: Sequence[str] | None = None,
    *,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Report:
    """Asks all audits, or those named, of everything committed; `progress` is told how many games are done.

    Raises BadInput when the manifest has a rule value that none can have.
    """
    check_rules(run)
    audits = [load_audit(name) for name in names or audit_names()]
    findings = {audit.name: Finding(audit.name, audit.title, audit.rule) for audit in audits}
    started, done = time.monotonic(), 0
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        asked = {pool.submit(_ask, run, batch, audits): batch for batch in batches_of(run.parts)}
        try:
            for future in as_completed(asked):
                for part in future.result():
                    finding = findings[part.name]
                    finding.rows += part.rows
                    finding.seconds += part.seconds
                    finding.unasked += part.unasked
                    finding.lacking += part.lacking
                    finding.examples = (finding.examples + part.examples)[:EXAMPLES]
                first, last = asked[future].games
                done += last - first + 1
                progress(done)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return Report(
        datetime.now(UTC).isoformat(timespec="seconds"), done, time.monotonic() - started, list(findings.values())
    )


def save_report(run: Run, report: Report) -> None:
    """Keeps a report of all audits in the run folder, in one atomic step."""
    draft = run.path / f"{RESULT}.tmp"
    draft.write_text(json.dumps(asdict(report), indent=1, default=str) + "\n", encoding="utf-8")
    draft.replace(run.path / RESULT)


def last_report(run: Run) -> Report | None:
    """The report kept in the run folder; None when there is none or it cannot be read."""
    try:
        kept = json.loads((run.path / RESULT).read_text(encoding="utf-8"))
        report = Report(**{**kept, "audits": [Finding(**finding) for finding in kept["audits"]]})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return replace(report, stale=report.games != sum(cell.games for cell in run.parts))


def batches_of(cells: Sequence[RunCell]) -> Iterator[Batch]:
    """Consecutive shards of each cell, together a few thousand games."""
    for cell in cells:
        shards: list[Any] = []
        for shard in cell.shards:
            follows = shards and shard.first_game == shards[-1].first_game + shards[-1].games
            follows = follows and shard.rollup_digest == shards[-1].rollup_digest
            if shards and (not follows or sum(one.games for one in shards) + shard.games > BATCH_GAMES):
                yield Batch(replace(cell, shards=tuple(shards)))
                shards = []
            shards.append(shard)
        if shards:
            yield Batch(replace(cell, shards=tuple(shards)))


def check_rules(run: Run) -> None:
    """BadInput when the rules in the manifest are not all there, or no rules that there can be."""
    for cell in run.parts:
        where = f"{run.path / dataset.MANIFEST}: {cell.variant} {cell.lineup}"
        if missing := PARAMETERS.keys() - cell.rules.keys():
            raise BadInput(f"{where}: rule {min(missing)} is missing; make the run anew with replace=True (--replace)")
        try:
            check_combination(Rules(**cell.rules))
        except (BadInput, TypeError, ValueError) as error:
            raise BadInput(f"{where}: {' '.join(str(error).split())}; make it anew: replace=True (--replace)") from None


def _ask(run: Run, batch: Batch, audits: Sequence[Audit]) -> list[Finding]:
    """What the audits find: of the shards whose files can all be read, the rest is not asked."""
    lost: list[dict[str, Any]] = []
    sound, unasked = [], 0
    for shard in batch.cell.shards:
        faults = find_faults(run.path, shard)
        lost += faults
        damaged = find_rollup_faults(run.path, shard)
        if damaged:
            lost += damaged
            shard = replace(shard, rollups={}, rollup_digest="")
        if any(fault["unreadable"] for fault in faults):
            unasked += shard.games
        else:
            sound.append(shard)
    told = [{key: value for key, value in fault.items() if key != "unreadable"} for fault in lost]
    found = [
        Finding(audit.name, audit.title, audit.rule, len(told), examples=told[:EXAMPLES])
        if audit.name == FILES
        else Finding(audit.name, audit.title, audit.rule, unasked=unasked)
        for audit in audits
    ]
    for part in batches_of([replace(batch.cell, shards=tuple(sound))]):
        found += _ask_sound(run, part, audits)
    return found


def _ask_sound(run: Run, batch: Batch, audits: Sequence[Audit]) -> list[Finding]:
    where = {"variant": batch.cell.variant, "lineup": batch.cell.lineup}
    found = []
    with duckdb.connect(config={**catalog.SETTINGS, "threads": 1}) as connection:
        connection.execute(catalog.views_sql([batch.cell], run.seed, run.path.resolve()))
        connection.execute(catalog.committed_sql(batch.cell, run.path.resolve()))
        rolled_up = batch.cell.is_rolled_up(rollup_digest())
        connection.execute(differences_sql(fractions() if rolled_up else None))
        for audit in audits:
            started = time.monotonic()
            rows = plain_frame(connection.sql(audit.sql))
            seconds = time.monotonic() - started
            examples = [{**where, **row} for row in rows.head(EXAMPLES).to_dicts()]
            found.append(Finding(audit.name, audit.title, audit.rule, rows.height, seconds, examples))
            if audit.name == ROLLUPS and not rolled_up:
                found[-1].lacking = batch.cell.games
    return found


def find_faults(folder: Path, shard: Commit) -> list[dict[str, Any]]:
    """Files of a shard that cannot be read or hold other rows than its commit says: which, what, and `unreadable`."""
    faults = []
    for table, file in shard.files.items():
        found, unreadable = _find_fault(folder / file.path, table, file.hash)
        if found:
            where = {"variant": shard.variant, "lineup": shard.lineup, "path": file.path}
            faults.append({**where, "found": found, "unreadable": unreadable})
    return faults


def find_rollup_faults(folder: Path, shard: Commit) -> list[dict[str, Any]]:
    """Roll-ups of a shard that cannot be read or are not what its commit says: which and what."""
    found = ((file, find_rollup_fault(folder / file.path, file.hash)) for file in shard.rollups.values())
    where = {"variant": shard.variant, "lineup": shard.lineup}
    return [{**where, "path": file.path, "found": fault, "unreadable": False} for file, fault in found if fault]


def _find_fault(path: Path, table: str, digest: str) -> tuple[str, bool]:
    """What is wrong with the rows of a file, or nothing; and whether they cannot be read at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = ContentHash(table)
    try:
        with pq.ParquetFile(path) as file:
            there = {column.name: column.type for column in file.schema_arrow}
            if any(there.get(column.name) != column.type for column in arrow_schema(table)):
                return "other columns than the log has", True
            for group in range(file.num_row_groups):
                content.add(to_block(table, file.read_row_group(group)))
    except FileNotFoundError:
        return "missing", True
    except (OSError, pa.ArrowException, KeyError, ValueError, IndexError, OverflowError) as error:
        return "damaged: " + (" ".join(str(error).split()) or type(error).__name__), True
    return ("" if content.hexdigest() == digest else "other rows than were committed"), False
