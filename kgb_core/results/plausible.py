"""Records that can't be: times below the floor, verdicts that their own evidence contradicts."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from pathlib import Path

from kgb_core.errors import BundleError
from kgb_core.models.record import Record
from kgb_core.models.timing import Samples, Summary, Timing
from kgb_core.models.verdict import Verdict
from kgb_core.results.documents import parse_document
from kgb_core.results.layout import samples_path
from kgb_core.results.samples import SAMPLES_SCHEMA, SamplePair

_ROUNDING = 1e-6
"""Relative difference that JSON and a division in another order may make."""


def implausible(root: Path, record: Record) -> Iterator[str]:
    """What can't be right about one record.

    Args:
        root: the bundle, where the raw samples lie.
        record: any record.
    """
    yield from _verdict(record)
    yield from timing_problems(root, record)


def _verdict(record: Record) -> Iterator[str]:
    """A verdict that the record's own evidence contradicts."""
    if record.verdict is not Verdict.PASSED:
        return
    evidence, errors = record.evidence, record.errors
    if evidence.mutated or evidence.guards:
        yield "passed although it changed memory that it must not"
    if errors is None or record.tolerance is None:
        return
    allowed = max(1.0, record.tolerance.native_factor * (errors.native_scale or 0.0))
    if not errors.scale <= allowed * (1 + _ROUNDING):
        yield f"passed although it needs {errors.scale:.6g} times the tolerance; {allowed:.6g} is allowed"


def timing_problems(root: Path, record: Record) -> Iterator[str]:
    """What can't be right about the timing of one record.

    Args:
        root: the bundle, where the raw samples lie.
        record: any record; one without a timing has no problem.
    """
    timing = record.timing
    if timing is None:
        return
    if record.verdict is not Verdict.PASSED:
        yield f"timed although its verdict is {record.verdict.value}"
    if not timing.invalid:
        yield from _impossible(timing)
    yield from _speedup(timing)
    yield from _samples(root, record, timing)


def _impossible(timing: Timing) -> Iterator[str]:
    medians = {"candidate": timing.candidate.median_ns, "baseline": timing.baseline.median_ns}
    for side, median in medians.items():
        if not (math.isfinite(median) and median > 0):
            yield f"the {side}'s time of {median} ns is no time"
    floor = timing.floor_ns
    if floor is not None and timing.candidate.median_ns < floor:
        median = timing.candidate.median_ns
        yield f"{median:.0f} ns is below the roofline floor of {floor:.0f} ns and not marked invalid"


def _speedup(timing: Timing) -> Iterator[str]:
    if timing.invalid:
        if timing.speedup is not None:
            yield "a speedup from a time marked invalid"
        return
    if timing.speedup is None or timing.candidate.median_ns <= 0:
        return
    expected = timing.baseline.median_ns / timing.candidate.median_ns
    if not math.isclose(timing.speedup, expected, rel_tol=_ROUNDING):
        yield f"the speedup is {timing.speedup}; its medians give {expected:.6g}"


def _samples(root: Path, record: Record, timing: Timing) -> Iterator[str]:
    if not timing.samples:
        return
    # The path is fixed, so that a bundle from elsewhere can't point outside itself.
    if timing.samples != samples_path(record.uid):
        yield f"its samples should be {samples_path(record.uid)}"
        return
    try:
        pair = parse_document(
            (root / timing.samples).read_bytes(), SamplePair, SAMPLES_SCHEMA, timing.samples
        )
    except (BundleError, OSError) as error:
        yield f"its samples can't be read: {error}"
        return
    yield from _summary("candidate", pair.candidate, timing.candidate)
    yield from _summary("baseline", pair.baseline, timing.baseline)


def _summary(side: str, samples: Samples, summary: Summary) -> Iterator[str]:
    if len(samples.device_ns) != summary.count:
        yield f"{len(samples.device_ns)} samples of the {side}; the record counts {summary.count}"
        return
    if not samples.device_ns:
        return
    median = statistics.median(samples.device_ns)
    if not math.isclose(median, summary.median_ns, rel_tol=_ROUNDING):
        yield f"the {side}'s median is {median} ns by its samples and {summary.median_ns} ns by the record"
