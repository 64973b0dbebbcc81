"""The files of a shard's roll-ups: writing them, and what tells a file from another."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from engine import log
from pipeline.dataset import File, unfinished


def write_rollups(folder: Path, rollups: Mapping[str, pa.Table], paths: Mapping[str, str]) -> dict[str, File]:
    """Write roll-ups under the unfinished names of their paths and say what is in them; nothing stays on failure."""
    files = {}
    try:
        for name, path in paths.items():
            draft = unfinished(folder / path)
            draft.parent.mkdir(parents=True, exist_ok=True)
            rows = rollups[name]
            pq.write_table(rows, draft, **_options(rows))
            files[name] = File(path, rows.num_rows, draft.stat().st_size, hash_rows(rows))
    except OSError:
        for path in paths.values():
            unfinished(folder / path).unlink(missing_ok=True)
        raise
    return files


def find_rollup_fault(path: Path, digest: str) -> str:
    """What is wrong with the file of a roll-up, or nothing."""
    try:
        rows = pq.ParquetFile(path).read()
        return "" if hash_rows(rows) == digest else "other rows than were committed"
    except FileNotFoundError:
        return "missing"
    except (OSError, pa.ArrowException, ValueError) as error:
        return "damaged: " + (" ".join(str(error).split()) or type(error).__name__)


def _options(rows: pa.Table) -> dict[str, Any]:
    """Words by dictionary, numbers with their bytes split, as in the tables."""
    words = [name for name in rows.column_names if pa.types.is_dictionary(rows[name].type)]
    numbers = [name for name in rows.column_names if name not in words]
    return {
        "compression": "zstd",
        "compression_level": 1,
        "write_statistics": False,
        "store_schema": False,
        "use_dictionary": words,
        "column_encoding": dict.fromkeys(numbers, "BYTE_STREAM_SPLIT"),
    }


def hash_rows(rows: pa.Table) -> str:
    """Digest of a roll-up's columns and values, however they are stored: 16 hex digits."""
    sums = []
    for name in rows.column_names:
        column = rows[name].combine_chunks()
        if pa.types.is_string(column.type) or pa.types.is_null(column.type):
            column = column.cast(pa.string()).dictionary_encode()
        words: list[str] = []
        if pa.types.is_dictionary(column.type):
            words, column = _ordered_words(column)
        holes = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else np.zeros(0, np.bool_)
        values = (column.fill_null(log.NULL) if column.null_count else column).to_numpy(zero_copy_only=False)
        sums.append(
            (name, str(column.type), words, zlib.crc32(np.ascontiguousarray(values).data), zlib.crc32(holes.data))
        )
    whole = repr((rows.num_rows, sums)).encode()
    return f"{zlib.crc32(whole):08x}{zlib.crc32(whole[::-1]):08x}"


def _ordered_words(column: pa.DictionaryArray) -> tuple[list[str], pa.Array]:
    """The words of a column that occur, in order, and the place of each value's among them, -1 for none."""
    words = column.dictionary.to_pylist()
    codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    there = sorted(words[code] for code in np.unique(codes) if code >= 0)
    places = {word: place for place, word in enumerate(there)}
    numbers = np.array([-1, *(places.get(word, -1) for word in words)], np.int32)[codes + 1]
    return there, pa.array(numbers)
