"""From logged blocks to Arrow and Parquet and back: types, nulls, lists, encodings, the hash, the dictionary page."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine import log
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup
from pipeline import schema
from pipeline.dictionary import write_dictionary

DATA_README = Path(__file__).parents[1] / "data" / "README.md"
TABLES = tuple(log.TABLES)


@pytest.fixture(scope="module")
def blocks() -> dict[str, dict[str, np.ndarray]]:
    """Everything logged of twenty games."""
    variant = load_variant("classic4")
    lineup = parse_lineup("naive~random", variant.rules)
    (only,) = play_blocks(variant, lineup, seed=5, first_game=1, games=20)
    return {table: {name: only[table][name].copy() for name in only[table]} for table in TABLES}


def write(path: Path, table: str, block: schema.Block) -> Path:
    batch = schema.to_batch(table, block)
    with pq.ParquetWriter(path, batch.schema, **schema.parquet_options(table)) as writer:
        writer.write_table(pa.Table.from_batches([batch]))
    return path


def column(table: str, name: str) -> log.Column:
    return next(column for column in log.TABLES[table] if column.name == name)


@pytest.mark.parametrize("table", TABLES)
def test_what_was_logged_comes_back_from_parquet_code_by_code(tmp_path, blocks, table):
    back = schema.to_block(table, pq.read_table(write(tmp_path / "t.parquet", table, blocks[table])))
    assert len(blocks[table]["game"]) >= 20
    for name, values in blocks[table].items():
        assert back[name].dtype == values.dtype, name
        assert np.array_equal(back[name], values), name


@pytest.mark.parametrize("table", TABLES)
def test_batches_are_valid_and_null_only_where_the_log_allows_it(blocks, table):
    batch = schema.to_batch(table, blocks[table])
    batch.validate(full=True)
    for name in batch.schema.names:
        assert column(table, name).nullable or batch[name].null_count == 0, name


def test_a_batch_keeps_its_values_when_the_block_is_filled_anew(blocks):
    block = {name: values.copy() for name, values in blocks["turns"].items()}
    batch = schema.to_batch("turns", block)
    before = batch.to_pylist()[:50]
    for values in block.values():
        values[...] = 1
    assert batch.to_pylist()[:50] == before


def test_null_codes_become_nulls_and_words_count_from_one():
    block = {
        column.name: np.zeros(3, schema.to_block("moves", empty("moves"))[column.name].dtype) for column in log.MOVES
    }
    block["action"][:] = log.code(log.ACTIONS, "take")
    block["card"][:] = 0, log.code(log.CARDS, "4C"), log.code(log.CARDS, "JK")
    block["taken"][:] = -1, 0, 7
    batch = schema.to_batch("moves", block)
    assert batch["action"].to_pylist() == ["take", "take", "take"]
    assert batch["card"].to_pylist() == [None, "4C", "JK"]
    assert batch["taken"].to_pylist() == [None, 0, 7]


def test_a_nullable_yes_or_no_has_three_values():
    names = [column.name for column in log.TURNS]
    block = {name: np.ones(3, np.int8) for name in names}
    block["in_theirs"] = np.array([-1, 0, 1], np.int8)
    block["could_take"] = np.array([0, 1, 1], np.int8)
    batch = schema.to_batch("turns", {name: block[name].astype(dtype_of("turns", name)) for name in names})
    assert batch["in_theirs"].to_pylist() == [None, False, True]
    assert batch["could_take"].to_pylist() == [False, True, True]


def test_lists_end_where_the_log_ends_them(blocks):
    deals, games = schema.to_batch("deals", blocks["deals"]), schema.to_batch("games", blocks["games"])
    for hands in deals["hands"].to_pylist():
        assert [len(hand) for hand in hands] == [11, 11, 11, 11]
    assert all(len(scores) == 2 for scores in games["scores"].to_pylist())
    assert all(len(upcards) >= 1 for upcards in deals["upcards"].to_pylist())


def test_a_seat_without_cards_between_others_is_an_empty_list():
    hands = np.zeros((1, log.MAX_SEATS, log.MAX_HAND), np.int8)
    hands[0, 0, :2], hands[0, 2, :1] = (1, 2), 53
    array = schema.to_array(column("deals", "hands"), hands)
    assert array.to_pylist() == [[["4C", "4D"], [], ["JK"]]]
    assert np.array_equal(schema.to_codes(column("deals", "hands"), array), hands)


@pytest.mark.parametrize("table", TABLES)
def test_duckdb_reads_the_types_that_the_dictionary_states(tmp_path, blocks, table):
    path = write(tmp_path / "t.parquet", table, blocks[table])
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(path))
        found = dict(zip(relation.columns, map(str, relation.types), strict=True))
    assert found == {column.name: schema.duckdb_type(column) for column in log.TABLES[table]}


def test_whole_numbers_have_their_bytes_split_the_rest_a_dictionary(tmp_path, blocks):
    group = pq.ParquetFile(write(tmp_path / "t.parquet", "moves", blocks["moves"])).metadata.row_group(0)
    for place, of in enumerate(log.MOVES):
        encodings = group.column(place).encodings
        split = of.kind not in ("text", "bool") and not of.size
        assert ("BYTE_STREAM_SPLIT" in encodings) == split, of.name
        assert group.column(place).compression == "ZSTD"


def test_games_can_be_found_by_statistics(tmp_path, blocks):
    group = pq.ParquetFile(write(tmp_path / "t.parquet", "moves", blocks["moves"])).metadata.row_group(0)
    statistics = group.column(0).statistics
    assert (statistics.min, statistics.max) == (1, 20)


def test_every_field_carries_unit_and_description():
    for table in TABLES:
        for field, of in zip(schema.arrow_schema(table), log.TABLES[table], strict=True):
            assert field.metadata[b"description"].decode() == of.description
            assert field.metadata[b"unit"].decode() == of.unit


def test_the_hash_of_rows_does_not_depend_on_how_they_are_split(blocks):
    for table in TABLES:
        whole, parts = schema.ContentHash(table), schema.ContentHash(table)
        whole.add(blocks[table])
        for piece in (slice(0, 7), slice(7, 8), slice(8, None)):
            parts.add({name: values[piece] for name, values in blocks[table].items()})
        assert whole.hexdigest() == parts.hexdigest()


@pytest.mark.parametrize("change", ["value", "order", "row"])
def test_the_hash_notices_another_value_another_order_and_a_missing_row(blocks, change):
    block = {name: values.copy() for name, values in blocks["sides"].items()}
    if change == "value":
        block["score"][3] += 5
    elif change == "order":
        block = {name: values[::-1] for name, values in block.items()}
    else:
        block = {name: values[:-1] for name, values in block.items()}
    before, after = schema.ContentHash("sides"), schema.ContentHash("sides")
    before.add(blocks["sides"])
    after.add(block)
    assert before.hexdigest() != after.hexdigest()


def test_the_data_dictionary_is_up_to_date():
    assert DATA_README.read_text(encoding="utf-8") == write_dictionary(), "run: python -m pipeline.dictionary"


def test_the_data_dictionary_has_every_column_once_with_its_type():
    page = write_dictionary()
    for table, columns in log.TABLES.items():
        section = page.split(f"\n## {table}\n")[1].split("\n## ")[0]
        for of in columns:
            assert section.count(f"| `{of.name}` | {schema.duckdb_type(of)} |") == 1


def empty(table: str) -> pa.Table:
    return schema.arrow_schema(table).empty_table()


def dtype_of(table: str, name: str) -> np.dtype:
    return schema.to_block(table, empty(table))[name].dtype
