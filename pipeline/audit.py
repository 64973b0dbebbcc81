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
from pipeline import catalog
from pipeline.cells import RunCell
from pipeline.query import plain_frame, split_header
from pipeline.run import Run

FOLDER = Path(__file__).parent / "sql" / "audits"
RESULT = "audit.json"
FILES = "committed_files"
"""The audit that comes first: a batch whose files it faults is asked nothing else."""
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
        """Whether no audit found a row."""
        return not any(finding.rows for finding in self.audits)


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
    return Audit(name, header["title"], header["rule"], sql)


def audit_run(
    run: Run,
    names: Sequence[str] | None = None,
    *,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Report:
    """Asks all audits, or those named, of everything committed; `progress` is told how many games are done."""
    audits = [load_audit(name) for name in names or audit_names()]
    findings = {audit.name: Finding(audit.name, audit.title, audit.rule) for audit in audits}
    started, done = time.monotonic(), 0
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        asked = {pool.submit(_ask, run, batch, audits): batch for batch in batches_of(run.parts)}
        try:
            for future in as_completed(asked):
                for name, rows, seconds, examples in future.result():
                    finding = findings[name]
                    finding.rows += rows
                    finding.seconds += seconds
                    finding.examples = (finding.examples + examples)[:EXAMPLES]
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
            if shards and (not follows or sum(one.games for one in shards) + shard.games > BATCH_GAMES):
                yield Batch(replace(cell, shards=tuple(shards)))
                shards = []
            shards.append(shard)
        if shards:
            yield Batch(replace(cell, shards=tuple(shards)))


def _ask(run: Run, batch: Batch, audits: Sequence[Audit]) -> list[tuple[str, int, float, list[dict[str, Any]]]]:
    where = {"variant": batch.cell.variant, "lineup": batch.cell.lineup}
    lost = [
        {**where, "path": str(path.relative_to(run.path)), "found": fault}
        for path in _paths(run, batch)
        if (fault := _find_fault(path))
    ]
    if lost:
        return [(audit.name, len(lost), 0.0, lost[:EXAMPLES]) for audit in audits if audit.name == FILES]
    found = []
    with duckdb.connect(config={**catalog.SETTINGS, "threads": 1}) as connection:
        connection.execute(catalog.views_sql([batch.cell], run.seed, run.path.resolve()))
        connection.execute(catalog.committed_sql(batch.cell, run.path.resolve()))
        for audit in audits:
            started = time.monotonic()
            rows = plain_frame(connection.sql(audit.sql))
            found.append(
                (
                    audit.name,
                    rows.height,
                    time.monotonic() - started,
                    [{**where, **row} for row in rows.head(EXAMPLES).to_dicts()],
                )
            )
    return found


def _paths(run: Run, batch: Batch) -> list[Path]:
    return [run.path / file.path for shard in batch.cell.shards for file in shard.files.values()]


def _find_fault(path: Path) -> str:
    """Why a file cannot be read at all, or nothing."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        pq.read_metadata(path)
    except FileNotFoundError:
        return "missing"
    except (OSError, pa.ArrowException) as error:
        return " ".join(str(error).split())
    return ""
