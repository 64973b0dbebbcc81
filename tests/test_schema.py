"""The log's columns as readers are told of them: types, descriptions, the hash of rows, the data dictionary."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from engine import log
from engine.play import play_blocks
from engine.rules import load_variant
from engine.strategies import parse_lineup
from pipeline import schema
from pipeline.dictionary import write_dictionary
from pipeline.parquet import ParquetFile

DATA_README = Path(__file__).parents[1] / "data" / "README.md"
TABLES = tuple(log.TABLES)


@pytest.fixture(scope="module")
def blocks() -> dict[str, dict[str, np.ndarray]]:
    """Everything logged of twenty games."""
    variant = load_variant("classic4")
    lineup = parse_lineup("naive~random", variant.rules)
    (only,) = play_blocks(variant, lineup, seed=5, first_game=1, games=20)
    return {table: {name: only[table][name].copy() for name in only[table]} for table in TABLES}


@pytest.mark.parametrize("table", TABLES)
def test_duckdb_reads_the_types_that_the_dictionary_states(tmp_path, blocks, table):
    file = ParquetFile(tmp_path / "t.parquet", table, {})
    file.write(blocks[table])
    file.close()
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(tmp_path / "t.parquet"))
        found = dict(zip(relation.columns, map(str, relation.types), strict=True))
    assert found == {column.name: schema.duckdb_type(column) for column in log.TABLES[table]}


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
