"""Records as rows of plain values, for CSV, Parquet, DuckDB or a data frame.

import csv, sys
writer = csv.DictWriter(sys.stdout, COLUMNS)
writer.writeheader()
writer.writerows(rows(open_results("merged")))
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING

from kgb_core.models.plan import device_name
from kgb_core.models.record import Errors, Record
from kgb_core.models.timing import Interval, Timing
from kgb_core.results.query import Results
from kgb_core.results.run import Run

if TYPE_CHECKING:
    import pyarrow

Value = str | int | float | bool | None
Row = dict[str, Value]

COLUMNS = MappingProxyType(
    {
        "run": str,
        "suite": str,
        "suite_hash": str,
        "seed": int,
        "core": str,
        "synthetic": bool,
        "rejudged": bool,
        "uid": str,
        "operator": str,
        "namespace": str,
        "kind": str,
        "case": str,
        "case_label": str,
        "purpose": str,
        "tier": str,
        "weight": float,
        "pack": str,
        "candidate": str,
        "source": str,
        "backend": str,
        "backend_version": str,
        "device": str,
        "device_name": str,
        "arch": str,
        "verdict": str,
        "family": str,
        "counts": bool,
        "message": str,
        "launches": int,
        "max_abs": float,
        "max_rel": float,
        "max_ulp": float,
        "scale": float,
        "native_scale": float,
        "tolerance_source": str,
        "candidate_ns": float,
        "baseline_ns": float,
        "null_ns": float,
        "floor_ns": float,
        "speedup": float,
        "speedup_low": float,
        "speedup_high": float,
        "overhead_bound": bool,
        "invalid": str,
        "timing_method": str,
        "attempt": int,
        "finished": str,
    }
)
"""Every column with the type of its values; any but the first may be `None`."""


def rows(results: Results) -> Iterator[Row]:
    """One row a record, in the order of `Results.records`, with every column.

    Raises:
        BundleError: a line is malformed, naming file and line.
    """
    for run in results.runs:
        common = _of_run(run)
        for record in run.records():
            yield {**common, **_of_record(record), **_of_errors(record.errors), **_of_timing(record.timing)}


def arrow_batches(results: Results, size: int = 10_000) -> Iterator[pyarrow.RecordBatch]:
    """The rows as Arrow record batches, for Parquet and DuckDB. Needs the extra `table`.

    Args:
        results: what to read.
        size: rows in memory at a time.
    """
    import pyarrow

    schema = arrow_schema()
    waiting: list[Row] = []
    for row in rows(results):
        waiting.append(row)
        if len(waiting) == size:
            yield pyarrow.RecordBatch.from_pylist(waiting, schema=schema)
            waiting = []
    if waiting:
        yield pyarrow.RecordBatch.from_pylist(waiting, schema=schema)


def arrow_schema() -> pyarrow.Schema:
    """The columns as Arrow has them. Needs the extra `table`."""
    import pyarrow

    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    return pyarrow.schema([(name, types[kind]) for name, kind in COLUMNS.items()])


def _of_run(run: Run) -> Row:
    return {
        "run": run.id,
        "suite": run.plan.suite.name if run.plan else None,
        "suite_hash": run.plan.suite.hash if run.plan else None,
        "seed": run.plan.seed if run.plan else None,
        "core": run.manifest.core if run.manifest else None,
        "synthetic": run.synthetic,
        "rejudged": run.manifest is not None and run.manifest.rejudged is not None,
    }


def _of_record(record: Record) -> Row:
    return {
        "uid": record.uid,
        "operator": record.operator,
        "namespace": record.operator.partition("::")[0],
        "kind": record.kind,
        "case": record.case.id,
        "case_label": record.case.label,
        "purpose": record.case.purpose.value,
        "tier": record.case.tier.value,
        "weight": record.case.weight,
        "pack": record.candidate.pack,
        "candidate": record.candidate.name,
        "source": record.candidate.sha256,
        "backend": record.backend.name,
        "backend_version": record.backend.version,
        "device": device_name(record.backend.name, record.device.index),
        "device_name": record.device.name,
        "arch": record.device.arch,
        "verdict": record.verdict.value,
        "family": record.verdict.family.value,
        "counts": record.verdict.counts,
        "message": record.message,
        "launches": record.evidence.launches,
        "tolerance_source": record.tolerance.source if record.tolerance else None,
        "attempt": record.attempt,
        "finished": record.finished,
    }


def _of_errors(errors: Errors | None) -> Row:
    names = ("max_abs", "max_rel", "max_ulp", "scale", "native_scale")
    return {name: getattr(errors, name) if errors else None for name in names}


def _of_timing(timing: Timing | None) -> Row:
    interval = timing.speedup_interval if timing else None
    return {
        "candidate_ns": timing.candidate.median_ns if timing else None,
        "baseline_ns": timing.baseline.median_ns if timing else None,
        "null_ns": timing.null_ns if timing else None,
        "floor_ns": timing.floor_ns if timing else None,
        "speedup": timing.speedup if timing else None,
        "speedup_low": _bound(interval, "low"),
        "speedup_high": _bound(interval, "high"),
        "overhead_bound": timing.overhead_bound if timing else None,
        "invalid": timing.invalid if timing else None,
        "timing_method": timing.method.value if timing else None,
    }


def _bound(interval: Interval | None, side: str) -> float | None:
    value: float | None = getattr(interval, side, None)
    return value if value is not None and math.isfinite(value) else None
