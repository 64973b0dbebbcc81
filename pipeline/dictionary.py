"""The data dictionary: `data/README.md`, written from engine.log (`python -m pipeline.dictionary`)."""

from __future__ import annotations

from collections.abc import Iterator

from engine import log
from engine.cards import CARDS
from engine.log import Column
from pipeline.schema import duckdb_type

_HEAD = """# Data dictionary

Written by `python -m pipeline.dictionary` from `engine/log.py`; do not edit. Schema version {version}.

A **run** is a folder of Parquet tables made by `canasta simulate`. Any tool that reads Parquet reads it.

```
RUN/manifest.json      the whole plan: seed, every cell with every rule value, strategies with weights and
                       digests, versions; a summary once all is played
RUN/commits/*.json     one file per finished shard: its files with rows, bytes and a hash of their content
RUN/TABLE/variant=V/lineup=L/SHARD.parquet
```

- A **cell** is one variant × line-up, a **shard** a stretch of consecutive games of a cell. A shard counts once
  its commit is there: whoever reads while games are being played takes the paths from the commits.
- `variant` and `lineup` come from the folders (hive partitioning) and are part of every key: games count from 1
  in each cell. The same game number means the same cards in all cells of a run whose packs agree.
- Everything counts from 1: games, deals, turns, moves, seats, sides; turn 0 is the deal itself. All integers are
  signed.
- Cards: rank `A 2 3 4 5 6 7 8 9 T J Q K` and suit `C D H S`, joker `JK`. Text columns are dictionary-encoded.
- Each Parquet field carries its unit and description; the footer carries schema version, kernel digest, seed,
  cell and shard.
- Schema versions are *major.minor.patch*: a new major number changes the meaning or type of something, a minor
  one adds columns or words, a patch mends descriptions.

"""


def write_dictionary() -> str:
    """The page, as Markdown."""
    return _HEAD.format(version=log.SCHEMA_VERSION) + "\n".join(_write_table(table) for table in log.TABLES)


def _write_table(table: str) -> str:
    key = ", ".join(f"`{name}`" for name in ("variant", "lineup", *log.KEYS[table]))
    lines = [
        f"## {table}",
        "",
        f"One row per {log.DESCRIPTIONS[table]}. Key: {key}.",
        "",
        "| column | type | unit | null | meaning |",
        "|---|---|---|---|---|",
        *(_write_column(column) for column in log.TABLES[table]),
        "",
    ]
    return "\n".join(lines)


def _write_column(column: Column) -> str:
    cells = (f"`{column.name}`", duckdb_type(column), column.unit, "yes" if column.nullable else "")
    return "| " + " | ".join((*cells, " ".join(_meaning(column)).replace("|", "\\|"))) + " |"


def _meaning(column: Column) -> Iterator[str]:
    yield column.description[0].upper() + column.description[1:] + "."
    if column.words and column.words != CARDS:
        yield "One of " + " ".join(f"`{word}`" for word in column.words) + "."


if __name__ == "__main__":
    print(write_dictionary(), end="")
