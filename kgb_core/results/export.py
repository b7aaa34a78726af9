"""The rows of `kgb_core.results.table` as a file: CSV for anybody, Parquet with the extra `table`."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kgb_core.errors import BundleError, UsageError
from kgb_core.results.files import require_place
from kgb_core.results.query import Results
from kgb_core.results.table import COLUMNS, arrow_batches, arrow_schema, rows


def write_csv(results: Results, path: Path) -> None:
    """One row a record, with a header.

    Raises:
        BundleError: a line is malformed, or the file can't be written.
    """
    with _whole(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(COLUMNS))
        writer.writeheader()
        writer.writerows(rows(results))


def write_parquet(results: Results, path: Path) -> None:
    """The same with types.

    Raises:
        UsageError: pyarrow is not installed.
        BundleError: a line is malformed, or the file can't be written.
    """
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise UsageError(
            "no Parquet without pyarrow.", str(error), 'pip install "kgb-core[table]", or use --csv'
        ) from error
    with (
        _whole(path) as temporary,
        pyarrow.parquet.ParquetWriter(str(temporary), arrow_schema()) as writer,
    ):
        for batch in arrow_batches(results):
            writer.write_batch(batch)


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A file beside the wanted one that gets its name when it is finished."""
    place = require_place(path)
    temporary = place.with_name(f".{place.name}.tmp")
    try:
        yield temporary
        temporary.replace(place)
    except OSError as error:
        raise BundleError(f"can't write {path}", error.strerror or str(error)) from error
    finally:
        temporary.unlink(missing_ok=True)
