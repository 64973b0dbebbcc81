"""`play`: games played in memory, a run without a folder. For tests, teaching and quick looks.

The same games as `canasta simulate` would write with the same seed, in the same tables; nothing touches the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa

from engine import log
from engine.errors import BadInput
from engine.play import play_blocks
from engine.rules import PARAMETERS, Variant, variant_names
from pipeline import catalog, frames
from pipeline.cells import RunCell, read_cells
from pipeline.compiling import compiling
from pipeline.dataset import Commit
from pipeline.literal import literal
from pipeline.manifest import make_manifest
from pipeline.plan import Plan, Shard, make_plan
from pipeline.run import Run
from pipeline.schema import arrow_schema, duckdb_type, list_depth, to_batch
from pipeline.simulation import count_processors
from pipeline.table_frames import Choice, Games

MOST_GAMES = 20_000
"""Of all cells together: what fits a small machine (measured: 25 kB a game of classic4, 45 more once SQL is asked)."""

Tables = Mapping[str, pa.Table]


class PlayedRun(Run):
    """A run in memory: everything a `Run` on disk has but files."""

    def __init__(self, plan: Plan, played: Mapping[tuple[str, str], Tables], opening: str) -> None:
        manifest = make_manifest(plan)
        commits = [Commit(*cell.key, 1, 1, cell.games, {}) for cell in plan.cells]
        super().__init__(Path("games in memory"), manifest, read_cells(manifest, commits))
        self._played = played
        self._opening = opening

    @property
    def folders(self) -> tuple[str, ...]:
        """None: it has no folder."""
        return ()

    @property
    def opening(self) -> str:
        """The Python expression that plays the same games again, with `pipeline` imported as `cl`."""
        return self._opening

    def files(self, table: str, variant: Choice = None, lineup: Choice = None) -> list[Path]:
        """Refused: there are none."""
        raise BadInput("games played in memory have no files; simulate(…, out=FOLDER) writes some")

    def _connect(self, *, lock: bool = True) -> duckdb.DuckDBPyConnection:
        """A connection with the tables, held in memory, views and macros."""
        connection = duckdb.connect(config=catalog.SETTINGS)
        connection.execute(catalog.views_sql(self.parts, self.seed))
        for table in log.TABLES:
            whole = pa.concat_tables(self._arrow(cell, table) for cell in self.parts)
            connection.from_arrow(whole).project(_casts(table, held_type)).create(f"held_{table}")
            words = {"held": f"held_{table}", "plain": _casts(table, duckdb_type), "table": table}
            connection.execute(catalog.read_sql("views/held.sql").format(**words, columns=catalog.columns_sql(table)))
        if lock:
            connection.execute("set enable_external_access = false")
            connection.execute("set lock_configuration = true")
        return connection

    def _scan(self, cells: Sequence[RunCell], table: str, games: Games | None) -> pl.LazyFrame:
        frame = pl.concat(frames.complete(self._rows(cell, table).lazy(), cell, table) for cell in cells)
        return frame.filter(pl.col("game").is_between(*games)) if games else frame

    def _arrow(self, cell: RunCell, table: str) -> pa.Table:
        rows = self._played[cell.variant, cell.lineup][table].replace_schema_metadata()
        first = pa.repeat(pa.scalar(0, pa.int8()), rows.num_rows)
        for place, (name, value) in enumerate((("variant", cell.variant), ("lineup", cell.lineup))):
            rows = rows.add_column(place, name, pa.DictionaryArray.from_arrays(first, [value]))
        return rows

    def _rows(self, cell: RunCell, table: str) -> pl.DataFrame:
        rows = pl.from_arrow(self._arrow(cell, table))
        assert isinstance(rows, pl.DataFrame)
        return rows


def held_type(column: log.Column) -> str:
    """DuckDB type in which a column waits in memory: a text by its place among its words, in one byte."""
    if column.kind != "text":
        return duckdb_type(column)
    return f"ENUM {literal(column.words).removeprefix('row')}" + "[]" * list_depth(column)


def _casts(table: str, kind: Callable[[log.Column], str]) -> str:
    casts = [f"{column.name}::{kind(column)} as {column.name}" for column in log.TABLES[table]]
    return ", ".join(["variant::VARCHAR as variant", "lineup::VARCHAR as lineup", *casts])


def play(
    variant: str | Variant | Mapping[str, Any] | Sequence[str | Variant | Mapping[str, Any]] = "classic4",
    lineup: str | Sequence[str] = "safe",
    *,
    games: int = 1_000,
    seed: int = 1,
    mirror: bool = True,
    workers: int | None = None,
) -> PlayedRun:
    """Play games in memory: so many of each variant under each line-up, in all its rotations unless `mirror` is false.

    A variant is a name, a TOML file, `rules(…)`, or a mapping of `base` and changes. The answer works like a run on
    disk: frames, `sql`, `metric`, `query`, `ask`, `deal`. BadInput for what cannot be played, or for too much of it.
    """
    for what, given in (("variant", variant), ("line-up", lineup)):
        if not isinstance(given, (str, Variant, Iterable)):
            raise BadInput(f"{what} {given!r} given; give a name, or several in a list")
    if workers is not None and (not isinstance(workers, int) or workers < 1):
        raise BadInput(f"workers={workers!r}; allowed: 1 or more")
    variants = [variant] if isinstance(variant, (str, Variant, Mapping)) else list(variant)
    lineups = [lineup] if isinstance(lineup, str) else list(lineup)
    asked = {"variants": variants, "lineups": lineups, "games": games, "seed": seed, "mirror": mirror}
    plan = make_plan(asked).settled()
    if plan.games > MOST_GAMES:
        raise BadInput(
            f"{plan.games:,} games in {len(plan.cells)} cells: in memory {MOST_GAMES:,} are played at most; "
            "simulate(…, out=FOLDER) plays any number"
        )
    shards = list(plan.shards())
    with compiling(), ThreadPoolExecutor(workers or count_processors()) as pool:
        found = list(pool.map(lambda shard: _play_shard(shard, plan.seed), shards))
    played: dict[tuple[str, str], Tables] = {}
    for cell in plan.cells:
        own = [tables for shard, tables in zip(shards, found, strict=True) if shard.cell.key == cell.key]
        played[cell.key] = {table: pa.concat_tables(one[table] for one in own) for table in log.TABLES}
    return PlayedRun(plan, played, _write_opening(variants, lineups, games, seed, mirror))


def _play_shard(shard: Shard, seed: int) -> Tables:
    cell = shard.cell
    batches: dict[str, list[pa.RecordBatch]] = {table: [] for table in log.TABLES}
    blocks = play_blocks(cell.variant, cell.lineup, seed=seed, first_game=shard.first_game, games=shard.games)
    for block in blocks:
        for table, rows in block.items():
            batches[table].append(to_batch(table, rows))
    return {table: pa.Table.from_batches(batches[table], arrow_schema(table)) for table in log.TABLES}


def _write_opening(variants: Sequence[Any], lineups: Sequence[str], games: int, seed: int, mirror: bool) -> str:
    named = [_write_variant(one) for one in variants]
    rules = named[0] if len(named) == 1 else f"[{', '.join(named)}]"
    lineup = repr(lineups[0] if len(lineups) == 1 else list(lineups))
    turned = "" if mirror else ", mirror=False"
    return f"cl.play({rules}, {lineup}, games={games}, seed={seed}{turned})"


def _write_variant(variant: Any) -> str:
    if not isinstance(variant, Variant):
        return repr(variant)
    name = variant.name if variant.name in variant_names() else f"{variant.name}.toml"
    changes = [f"{name}={PARAMETERS[name].plain(value)!r}" for name, value in variant.changes.items()]
    return f"cl.rules({', '.join([repr(name), *changes])})"
