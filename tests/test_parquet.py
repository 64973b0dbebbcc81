"""The lab's own Parquet writer: three readers that know nothing of it find in its files what was logged."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from arrow_reference import to_block, to_table
from hypothesis import example, given
from hypothesis import strategies as st

from engine import log
from engine.log import Column
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup
from pipeline import thrift
from pipeline.pages import encode
from pipeline.parquet import ParquetFile

TABLES = tuple(log.TABLES)
WORDS = ("ace", "two", "drei", "vier, fünf", "")
ODD = (
    Column("game", "int32", "", "", delta=True),
    Column("tiny", "int8", "", ""),
    Column("small", "int16", "", "", nullable=True),
    Column("whole", "int32", "", "", nullable=True),
    Column("large", "int64", "", ""),
    Column("sure", "bool", "", ""),
    Column("perhaps", "bool", "", "", nullable=True),
    Column("word", "text", "", "", WORDS),
    Column("name", "text", "", "", tuple(f"n{number}" for number in range(120)), nullable=True),
    Column("cards", "text", "", "", WORDS, size=3),
    Column("points", "int16", "", "", size=2),
    Column("hands", "text", "", "", WORDS, size=3, nested=2),
)
"""Columns of every kind there is."""


@pytest.fixture(scope="module")
def blocks() -> dict[str, dict[str, np.ndarray]]:
    """Everything logged of thirty games of two line-ups."""
    variant = load_variant("classic4")
    (only,) = play_blocks(variant, parse_lineup("naive~random", variant.rules), seed=5, first_game=1, games=30)
    return {table: {name: only[table][name].copy() for name in only[table]} for table in TABLES}


def write(path: Path, table: str, block: dict[str, np.ndarray], *cuts: int) -> Path:
    """A file of a block, cut into row groups."""
    file = ParquetFile(path, table, {"seed": "5"})
    places = [0, *cuts, len(block["game"])]
    for start, end in pairwise(places):
        file.write({name: values[start:end] for name, values in block.items()})
    file.close()
    return path


def assert_all_readers_agree(path: Path, expected: pyarrow.Table) -> None:
    found = pq.read_table(path)
    found.validate(full=True)
    assert found.schema.equals(expected.schema, check_metadata=False)
    wanted = expected.to_pylist()
    assert found.to_pylist() == wanted
    assert pl.read_parquet(path).to_dicts() == wanted
    assert pl.scan_parquet(path).select(pl.len()).collect().item() == len(wanted)
    with duckdb.connect() as connection:
        assert connection.read_parquet(str(path)).to_arrow_table().to_pylist() == wanted


# ------------------------------------------------------------------------------------------------ logged games


@pytest.mark.parametrize("table", TABLES)
def test_every_reader_finds_what_was_logged(tmp_path, blocks, table):
    block = blocks[table]
    path = write(tmp_path / "t.parquet", table, block)
    assert_all_readers_agree(path, to_table(table, block))
    back = to_block(table, pq.read_table(path))
    assert all(np.array_equal(back[name], block[name]) for name in block)


@pytest.mark.parametrize("table", TABLES)
def test_rows_may_come_in_several_row_groups(tmp_path, blocks, table):
    rows = len(blocks[table]["game"])
    path = write(tmp_path / "t.parquet", table, blocks[table], 1, rows // 3, rows // 3 + 8)
    read = pq.ParquetFile(path)
    assert [read.metadata.row_group(group).num_rows for group in range(4)] == [
        1, rows // 3 - 1, 8, rows - rows // 3 - 8,
    ]  # fmt: skip
    assert_all_readers_agree(path, to_table(table, blocks[table]))


def test_null_codes_become_nulls_and_words_count_from_one(tmp_path, blocks):
    block = {name: values[:3].copy() for name, values in blocks["moves"].items()}
    block["action"][:] = log.code(log.ACTIONS, "take")
    block["card"][:] = 0, log.code(log.CARDS, "4C"), log.code(log.CARDS, "JK")
    block["taken"][:] = -1, 0, 7
    rows = pq.read_table(write(tmp_path / "t.parquet", "moves", block))
    assert rows["action"].to_pylist() == ["take", "take", "take"]
    assert rows["card"].to_pylist() == [None, "4C", "JK"]
    assert rows["taken"].to_pylist() == [None, 0, 7]


def test_a_nullable_yes_or_no_has_three_values(tmp_path, blocks):
    block = {name: values[:3].copy() for name, values in blocks["turns"].items()}
    block["in_theirs"][:] = -1, 0, 1
    block["could_take"][:] = 0, 1, 1
    rows = pq.read_table(write(tmp_path / "t.parquet", "turns", block))
    assert rows["in_theirs"].to_pylist() == [None, False, True]
    assert rows["could_take"].to_pylist() == [False, True, True]


def test_lists_end_where_the_log_ends_them(tmp_path, blocks):
    block = {name: values[:2].copy() for name, values in blocks["deals"].items()}
    block["hands"][0] = 0
    block["hands"][0, 0, :2], block["hands"][0, 2, :1] = (1, 2), 53
    rows = pq.read_table(write(tmp_path / "t.parquet", "deals", block)).to_pylist()
    assert rows[0]["hands"] == [["4C", "4D"], [], ["JK"]]
    assert [len(hand) for hand in rows[1]["hands"]] == [11, 11, 11, 11]
    games = pq.read_table(write(tmp_path / "g.parquet", "games", blocks["games"]))
    assert all(len(scores) == 2 for scores in games["scores"].to_pylist())


def test_a_file_without_rows_has_its_columns(tmp_path):
    ParquetFile(tmp_path / "t.parquet", "deals", {}).close()
    assert pq.read_table(tmp_path / "t.parquet").num_rows == 0
    assert pl.read_parquet(tmp_path / "t.parquet").columns == [column.name for column in log.DEALS]


def test_units_descriptions_and_facts_are_in_the_file(tmp_path, blocks):
    schema = pq.read_schema(write(tmp_path / "t.parquet", "sides", blocks["sides"]))
    assert schema.metadata[b"seed"] == b"5"
    for of in log.SIDES:
        assert schema.field(of.name).metadata[b"description"].decode() == of.description
        assert schema.field(of.name).metadata[b"unit"].decode() == of.unit


def test_statistics_bound_whole_numbers_and_count_nulls(tmp_path, blocks):
    path = write(tmp_path / "t.parquet", "turns", blocks["turns"], 900)
    table = to_table("turns", blocks["turns"])
    for group, rows in enumerate((table.slice(0, 900), table.slice(900))):
        for place, of in enumerate(log.TURNS):
            statistics = pq.ParquetFile(path).metadata.row_group(group).column(place).statistics
            assert statistics.null_count == rows[of.name].null_count, of.name
            if of.kind.startswith("int"):
                bounds = pc.min_max(rows[of.name]).as_py()
                assert (statistics.min, statistics.max) == (bounds["min"], bounds["max"]), of.name


def test_a_game_is_found_by_reading_its_row_group_alone(tmp_path, blocks):
    path = write(tmp_path / "t.parquet", "games", blocks["games"], 10, 20)
    with duckdb.connect() as connection:
        assert connection.sql(f"select game from '{path}' where game = 15").fetchall() == [(15,)]
        assert connection.sql(f"select count(*) from '{path}' where game > 30").fetchall() == [(0,)]
    assert pl.scan_parquet(path).filter(pl.col("game") == 25).collect()["game"].to_list() == [25]


def test_columns_are_dictionary_encoded_and_compressed(tmp_path, blocks):
    group = pq.ParquetFile(write(tmp_path / "t.parquet", "moves", blocks["moves"])).metadata.row_group(0)
    for place in range(len(log.MOVES)):
        chunk = group.column(place)
        assert "RLE_DICTIONARY" in chunk.encodings
        assert chunk.compression == "ZSTD"
        assert chunk.total_compressed_size < chunk.total_uncompressed_size + 64
    assert sum(group.column(place).total_compressed_size for place in range(len(log.MOVES))) < (
        write(tmp_path / "t.parquet", "moves", blocks["moves"]).stat().st_size
    )


def test_a_file_is_no_larger_than_what_arrow_makes_of_the_same_rows(tmp_path, blocks):
    for table in ("moves", "turns"):
        own = write(tmp_path / "own.parquet", table, blocks[table]).stat().st_size
        pq.write_table(to_table(table, blocks[table]), tmp_path / "arrow.parquet", compression="zstd")
        assert own <= (tmp_path / "arrow.parquet").stat().st_size


# ------------------------------------------------------------------------------------------------ columns of any kind


def number(bits: int) -> st.SearchStrategy[int]:
    """Whole numbers: close together, far apart, or at the ends of what the type can hold."""
    top = 2 ** (bits - 1) - 1
    near = st.integers(0, 12)
    return st.one_of(near, near.map(lambda value: -1 - value), st.integers(-top, top), st.sampled_from([-top, top]))


ROW = st.fixed_dictionaries({
    "game": number(32), "tiny": number(8), "small": number(16), "whole": number(32), "large": number(64),
    "sure": st.integers(0, 1), "perhaps": st.integers(-1, 1), "word": st.integers(1, 5), "name": st.integers(0, 120),
    "cards": st.lists(st.integers(1, 5), max_size=3), "points": st.lists(number(15), max_size=2),
    "hands": st.lists(st.lists(st.integers(1, 5), max_size=3), max_size=2),
})  # fmt: skip
EMPTY = {"cards": [], "points": [], "hands": []}


def row(**values: object) -> dict[str, object]:
    names = [column.name for column in ODD if not column.size]
    return dict.fromkeys(names, 1) | EMPTY | values


def to_columns(rows: list[dict[str, object]]) -> dict[str, np.ndarray]:
    """Rows as the kernel would have logged them."""
    block = {}
    for column in ODD:
        _, base, *shape = column.dtype
        end = 0 if column.kind == "text" else np.iinfo(base).min
        inner = shape[0] if shape and isinstance(shape[0], tuple) else tuple(shape)
        values = np.full((len(rows), *inner), end, base)
        for place, given_row in enumerate(rows):
            value = given_row[column.name]
            if column.nested:
                for seat, hand in enumerate(value):
                    values[place, seat, : len(hand)] = hand
            elif column.size:
                values[place, : len(value)] = value
            else:
                values[place] = value
        block[column.name] = values
    return block


@given(st.lists(ROW, min_size=1, max_size=40))
@example([row()])
@example([row(small=-1, whole=-1, perhaps=-1, name=0)] * 9)
@example([row(game=game, whole=game * 5) for game in range(1, 1500)])
@example([row(whole=-(2**31) + 1), row(whole=2**31 - 1)])
@example([row(whole=value * 37 % 60_000) for value in range(3000)])
@example([row(hands=[[], [1]]), row(hands=[[]]), row(hands=[]), row(hands=[[5, 4, 3], [2]])])
@example([row(hands=[])] * 17)
def test_columns_of_every_kind_with_any_values_come_back(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("odd")
    log.TABLES["odd"] = ODD
    try:
        block = to_columns(rows)
        half = len(rows) // 2
        path = write(folder / "odd.parquet", "odd", block, *([half] if half else []))
        assert_all_readers_agree(path, to_table("odd", block))
    finally:
        del log.TABLES["odd"]


def test_numbers_far_apart_are_written_plain_the_rest_by_dictionary():
    column = Column("whole", "int32", "", "")
    assert encode(column, np.array([0, 65_535], np.int32)).dictionary is not None
    assert encode(column, np.array([0, 65_536], np.int32)).dictionary is None


def test_a_dictionary_of_scattered_numbers_holds_only_what_occurs():
    pages = encode(Column("points", "int16", "", ""), np.array([3000, 5, -500, 5], np.int16))
    assert (pages.words, pages.low, pages.high) == (3, -500, 3000)


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_bit_packing_is_that_of_the_format(width):
    from pipeline.pages import _packed

    values = np.random.default_rng(width).integers(0, 2**width, 83).astype(np.uint8 if width <= 8 else np.uint16)
    bits = "".join(f"{int(value):0{width}b}"[::-1] for value in [*values, *[0] * 5])
    expected = bytes(int(bits[place : place + 8][::-1], 2) for place in range(0, len(bits), 8))
    assert _packed(values, width) == bytes([11 << 1 | 1]) + expected


# ------------------------------------------------------------------------------------------------ thrift


def test_structures_are_written_in_the_compact_protocol():
    inner = thrift.Struct({1: "ab", 3: thrift.I8(-1)})
    outer = thrift.Struct({1: 150, 2: thrift.I64(-1), 3: None, 4: True, 5: False, 7: [1, 2], 8: inner, 9: [inner] * 15})
    small = bytes.fromhex("18 02 61 62 23 ff 00")
    before, after = bytes.fromhex("15 ac 02  16 01  21  12  29 25 02 04  1c"), bytes.fromhex("19 fc 0f")
    assert thrift.encode(outer) == before + small + after + small * 15 + b"\x00"
