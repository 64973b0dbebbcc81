"""Measured figures beside their aims and bounds: what `canasta bench` prints (DESIGN §8).

Every figure is taken in one run on this machine; ratios are of things measured side by side, so that they hold when
the machine is faster or slower than another. Nothing here decides: it prints.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import pyarrow.parquet as pq

from engine.log import TABLES
from engine.play import Game, Rows, play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup
from pipeline.bench_answers import measure_answers
from pipeline.bench_figure import Figure
from pipeline.cells import read_cells
from pipeline.manifest import make_manifest
from pipeline.plan import make_plan
from pipeline.rollup import load_rollups
from pipeline.rollup_files import write_rollups
from pipeline.rollup_shard import ShardRollups
from pipeline.schema import ContentHash, arrow_schema, parquet_options, to_batch
from pipeline.simulation import count_processors, simulate

VARIANT, STRATEGY, SEED = "classic4", "safe", 1
T = TypeVar("T")
_MEMORY = """
import resource, sys
from pipeline.plan import make_plan
from pipeline.simulation import simulate
simulate(make_plan({"variants": [sys.argv[1]], "lineups": [sys.argv[2]], "games": int(sys.argv[3])}), sys.argv[4])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""

_FIRST_GAME = """
import sys
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup
variant = load_variant(sys.argv[1])
for _ in play_blocks(variant, parse_lineup(sys.argv[2], variant.rules), seed=1, first_game=1, games=1): pass
"""


def measure_figures(games: int, *, workers: int | None = None) -> Iterator[Figure]:
    """All figures, each as soon as it is there; `games` is the size of the run that is written."""
    workers = workers or count_processors()
    cost = measure_game_cost(min(games, 6_000))
    yield from describe_cost(cost)
    rolling = measure_rollup_cost(shard_games(games), 2)
    how = "count and write all roll-ups, in shards of the run's size"
    yield Figure("roll up a game", rolling * 1e6, "µs", "15 or less", how)
    with tempfile.TemporaryDirectory(prefix="canasta-bench-") as folder:
        run = Path(folder) / "run"
        rate, size = measure_run(run, games, workers)
        alone = workers / (cost["simulate"] + cost["encode"] + rolling)
        how = "against workers ÷ (simulate + encode + roll up)"
        yield Figure("games written", rate, "games/s", "12,000 on two cores", f"{games:,} games, {workers} workers")
        yield Figure("share of the bound", rate / alone, "", "0.85 or more", how)
        yield Figure("moves", size["moves"] / size["rows"], "bytes/row", "2.0 or less", "Parquet files")
        yield Figure("all tables", size["all"] / games / 1e3, "kB/game", "1.8 or less", "Parquet files")
        yield Figure("roll-ups", size["rollups"] / games / 1e3, "kB/game", "small beside the tables", "Parquet files")
        yield Figure("one deal", measure_deal(run, games), "ms", "50 or less", "open, find and read its moves, warm")
        small, _ = measure_run(Path(folder) / "small", games // 10, workers)
        yield Figure("cost of 10 × the games", 10 * small / rate, "×", "10.5 or less", "time of the two runs")
        yield from measure_answers(Path(folder) / "answers", max(games // 4, 700))
        for count in (games // 4, games):
            memory = measure_memory(Path(folder) / f"memory-{count}", count)
            yield Figure(f"peak memory, {count:,} games", memory, "MB", "1,500 or less, flat", "a process of its own")
    compiling = measure_first_compile()
    yield Figure("first compile", compiling, "s", "30 or less", "to the end of one game, with an empty cache")
    yield Figure("canasta --help", measure_help(), "s", "0.5 or less", "a process of its own, fastest of 5")


def measure_game_cost(games: int) -> dict[str, float]:
    """CPU seconds a game: `simulate` alone, `encode` (content hash, Parquet) alone, by table too; and deals, turns.

    The first block does not count: it pays for memory and for what libraries do once.
    """
    variant = load_variant(VARIANT)
    lineup = parse_lineup(STRATEGY, variant.rules)
    game = Game(variant, lineup, SEED)
    cost = dict.fromkeys(("games", "simulate", "encode", "deals", "turns"), 0.0)
    cost |= {f"{table} encode": 0.0 for table in TABLES}
    done = warm = False
    while not done:
        seconds, done = _time(lambda: game.play(games))
        blocks = {table: Rows(game.block, table) for table in TABLES}
        encoding = {table: _time(partial(_encode, table, rows))[0] for table, rows in blocks.items()}
        if warm or done:
            cost["simulate"] += seconds
            cost["encode"] += sum(encoding.values())
            for table in TABLES:
                cost[f"{table} encode"] += encoding[table]
            for table in ("games", "deals", "turns"):
                cost[table] += len(blocks[table])
        warm = True
    return {key: value / cost["games"] for key, value in cost.items()}


def shard_games(games: int) -> int:
    """Games of a shard of a run of so many."""
    return make_plan({"variants": [VARIANT], "lineups": [STRATEGY], "games": games}).settled().shard_games or games


def measure_rollup_cost(games: int, shards: int) -> float:
    """CPU seconds a game to make and write the roll-ups of shards of so many games; the first shard does not count."""
    plan = make_plan({"variants": [VARIANT], "lineups": [STRATEGY], "games": games, "seed": SEED}).settled(games)
    [cell] = read_cells(make_manifest(plan), [])
    variant = load_variant(VARIANT)
    lineup = parse_lineup(STRATEGY, variant.rules)
    seconds = 0.0
    with tempfile.TemporaryDirectory(prefix="canasta-bench-") as folder:
        for shard in range(shards + 1):
            counting, before = ShardRollups(cell), seconds
            for blocks in play_blocks(variant, lineup, seed=SEED, first_game=1 + shard * games, games=games):
                seconds += _time(partial(counting.add, blocks))[0]
            seconds += _time(partial(_write_rollups, Path(folder), counting))[0]
            seconds = seconds if shard else before
    return seconds / games / shards


def _write_rollups(folder: Path, counting: ShardRollups) -> None:
    write_rollups(folder, counting.finish(), {name: f"{name}.parquet" for name in load_rollups()})


def describe_cost(cost: dict[str, float]) -> Iterator[Figure]:
    """The figures of one game's cost."""
    deals = cost["deals"] / cost["simulate"]
    yield Figure("simulate only", deals, "deals/s", "100,000 on one core", f"{VARIANT}, {STRATEGY} on all seats")
    yield Figure("simulate a game", cost["simulate"] * 1e6, "µs", "50", f"{cost['turns']:.0f} turns a game")
    yield Figure("encode a game", cost["encode"] * 1e6, "µs", "85", "content hash and Parquet, all tables")
    for table in TABLES:
        aim = {"moves": "45", "turns": "25"}.get(table, "15 for the other four")
        yield Figure(f"encode {table}", cost[table + " encode"] * 1e6, "µs", aim, "")


def _encode(table: str, rows: Rows) -> None:
    content = ContentHash(table)
    content.add(rows)
    schema = arrow_schema(table)
    with pq.ParquetWriter(os.devnull, schema, **parquet_options(table)) as writer:
        writer.write_batch(to_batch(table, rows, schema))


def _time(action: Callable[[], T]) -> tuple[float, T]:
    """CPU seconds of an action, and what it returns."""
    before = time.process_time()
    answer = action()
    return time.process_time() - before, answer


def measure_run(folder: Path, games: int, workers: int) -> tuple[float, dict[str, int]]:
    """Games a second of a run written to a folder, and bytes and rows of its files."""
    plan = make_plan({"variants": [VARIANT], "lineups": [STRATEGY], "games": games, "seed": SEED})
    done = simulate(plan, folder, workers=workers)
    files = sorted(folder.glob("*/variant=*/lineup=*/*.parquet"))
    rolled = folder.glob("rollups/*/variant=*/lineup=*/*.parquet")
    size = {"all": sum(file.stat().st_size for file in files), "moves": 0, "rows": 0}
    size["rollups"] = sum(file.stat().st_size for file in rolled)
    for file in files:
        if file.relative_to(folder).parts[0] == "moves":
            size["moves"] += file.stat().st_size
            size["rows"] += pq.ParquetFile(file).metadata.num_rows
    return games / done.seconds, size


def measure_deal(folder: Path, games: int) -> float:
    """Milliseconds to read the moves of one deal, the run opened before; median of 9 games all over the run."""
    from pipeline.run import open_run

    run = open_run(folder)
    times = []
    for place in range(10):
        game = 1 + place * (games - 1) // 9
        before = time.perf_counter()
        found = run.sql("select * from moves where game = $game and deal = 1 order by move", game=game)
        times.append(time.perf_counter() - before)
        assert len(found) > 0
    return sorted(times[1:])[4] * 1e3


def measure_memory(folder: Path, games: int) -> float:
    """Peak resident megabytes of a process that writes a run."""
    command = [sys.executable, "-c", _MEMORY, VARIANT, STRATEGY, str(games), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout) / 1e3


def measure_first_compile() -> float:
    """Seconds of a process that plays one game and finds nothing compiled."""
    with tempfile.TemporaryDirectory(prefix="canasta-bench-") as folder:
        before = time.perf_counter()
        command = [sys.executable, "-c", _FIRST_GAME, VARIANT, STRATEGY]
        subprocess.run(command, env={**os.environ, "CANASTA_CACHE": folder}, capture_output=True, check=True)
        return time.perf_counter() - before


def measure_help() -> float:
    """Seconds of `canasta --help`, the fastest of five."""
    command = [sys.executable, "-m", "pipeline.cli", "--help"]
    times = []
    for _ in range(5):
        before = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - before)
    return min(times)
