"""Tables on standard output: for people and for programs."""

from __future__ import annotations

import csv
import io
import json

import pytest
from canasta_command import canasta

from engine.rules import variant_names
from pipeline.output import Format, print_rows, show_value

ROWS = [{"name": "a", "n": 1234, "share": 0.25, "tags": ["x", "y"], "none": None},
        {"name": "long, \"quoted\"", "n": 7, "share": 12345.6, "tags": [], "none": None}]  # fmt: skip


def test_a_table_for_people_is_aligned_and_has_no_trailing_blanks(capsys):
    print_rows(ROWS)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "n", "share", "tags", "none"]
    assert lines[1].index("1,234") + 5 == lines[2].index(" 7 ") + 2
    assert all(line == line.rstrip() for line in lines)


def test_json_and_csv_hold_the_values_themselves(capsys):
    print_rows(ROWS, Format.JSON)
    assert json.loads(capsys.readouterr().out) == ROWS
    print_rows(ROWS, Format.CSV)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert (rows[0]["n"], rows[1]["name"], json.loads(rows[0]["tags"])) == ("1234", 'long, "quoted"', ["x", "y"])


def test_parquet_is_a_file_on_standard_output():
    import pyarrow.parquet as pq

    done = canasta("variants", "--format", "parquet")
    assert pq.read_table(io.BytesIO(done.stdout)).num_rows == len(variant_names())


def test_a_frame_without_rows_still_has_its_columns(capsys):
    import polars as pl

    print_rows(pl.DataFrame(schema={"a": pl.Int32, "b": pl.String}), Format.CSV)
    assert capsys.readouterr().out == "a,b\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (True, "yes"), (1234567, "1,234,567"), (0.123456, "0.1235"), (98765.4, "98,765"), (["a", 2], "a 2"),
     ({"k": 1}, "k 1")],
)  # fmt: skip
def test_values_are_shown_as_people_write_them(value, text):
    assert show_value(value) == text
