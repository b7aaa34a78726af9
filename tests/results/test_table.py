"""Records as plain rows: every column, every record, and readable by DuckDB."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from kgb_core.models.record import Errors, Record
from kgb_core.models.timing import Timing
from kgb_core.models.verdict import Verdict
from kgb_core.results.query import Results, open_results
from kgb_core.results.table import COLUMNS, arrow_batches, arrow_schema, rows

Make = Callable[..., Record]


@pytest.fixture
def results(
    tmp_path: Path, make_record: Make, make_timing: Callable[..., Timing], write_run: Callable[..., Path]
) -> Results:
    errors = Errors(max_abs=float("inf"), max_rel=float("nan"), max_ulp=1.0, rms=0.0, scale=2.0)
    timed = make_record("u1", timing=make_timing(samples="samples/u1.json"))
    wrong = make_record("u2", verdict=Verdict.WRONG_VALUE, errors=errors, message='a "quoted",\nline')
    return open_results(write_run(tmp_path / "a", [make_record("u0"), timed, wrong]))


def test_each_record_is_a_row_with_every_column(results: Results) -> None:
    found = list(rows(results))
    assert [list(row) for row in found] == [list(row) for row in found[:1]] * 3
    assert set(found[0]) == set(COLUMNS)
    for row in found:
        for name, value in row.items():
            assert value is None or isinstance(value, COLUMNS[name]), name
    assert [row["verdict"] for row in found] == ["passed", "passed", "wrong_value"]
    assert [row["speedup"] for row in found] == [None, 2.0, None]
    assert found[2]["scale"] == 2.0
    assert found[0]["seed"] == 7


def test_rows_go_through_csv(results: Results) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(COLUMNS))
    writer.writeheader()
    writer.writerows(rows(results))
    read = list(csv.DictReader(io.StringIO(text.getvalue())))
    assert [row["uid"] for row in read] == ["u0", "u1", "u2"]
    assert read[2]["message"] == 'a "quoted",\nline'


def test_duckdb_reads_the_rows(results: Results) -> None:
    import duckdb
    import pyarrow

    records = pyarrow.Table.from_batches(arrow_batches(results, size=2), schema=arrow_schema())
    assert records.num_rows == 3
    found = duckdb.sql("select verdict, count(*), max(speedup) from records group by 1 order by 1").fetchall()
    assert found == [("passed", 2, 2.0), ("wrong_value", 1, None)]


def test_duckdb_reads_the_lines_of_a_bundle(results: Results) -> None:
    import duckdb

    path = results.runs[0].results
    found = duckdb.sql(f"select uid from read_json('{path}', format='newline_delimited') order by 1")
    assert found.fetchall() == [("u0",), ("u1",), ("u2",)]


ROWS = """
    import sys
    from kgb_core.results.query import open_results
    from kgb_core.results.table import rows
    count = len(list(rows(open_results(sys.argv[1]))))
    print(count, {"pyarrow", "duckdb", "torch"} & set(sys.modules))
"""


def test_reading_needs_neither(results: Results) -> None:
    command = [sys.executable, "-c", textwrap.dedent(ROWS), str(results.runs[0].path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "3 set()\n"
