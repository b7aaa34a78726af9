"""What became of the time of each perf case between two runs, with the baseline as control."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kgb_core.models.base import FrozenModel
from kgb_core.models.record import Record
from kgb_core.results.run import Run
from kgb_core.results.samples import SamplePair
from kgb_core.scores.change import Change, change_of, real_changes
from kgb_core.scores.kernels import kernel_key
from kgb_core.scores.speedup import point_of


class TimeChange(FrozenModel):
    """One perf case of one kernel, before and after."""

    operator: str
    candidate: str
    pack: str
    device: str
    case: str
    """Its label."""
    weight: float
    before_ns: float
    """Median of the candidate."""
    after_ns: float
    change: Change
    """Of the candidate's samples."""
    baseline: float
    """The ratio of the baseline's medians over the same two runs: what the machine did, not the kernel."""
    relative: float
    """The candidate's ratio over the baseline's: above 1 is slower."""
    real: bool
    """More than noise: the samples differ, many looked at or not, and by other than the baseline did."""


@dataclass(frozen=True)
class Place:
    """Where the record of a timed case stands."""

    number: int
    offset: int


@dataclass(frozen=True)
class Timed:
    """The timed cases of one device of a run, by kernel and case.

    Attributes:
        run: whose they are.
        places: by `kernel_key` and the case's id.
    """

    run: Run
    places: Mapping[str, Place]


@dataclass(frozen=True)
class TimedPair:
    """The timed cases of one device before and after."""

    before: Timed
    after: Timed


@dataclass(frozen=True)
class _Measured:
    record: Record
    samples: SamplePair


def timed_of(run: Run, device: str, packed: bool) -> Timed:
    """Find the timed cases of one device.

    Args:
        run: read as a stream; places alone are kept.
        device: `vendor:index`.
        packed: whether kernels of different packs are different ones.
    """
    places: dict[str, Place] = {}
    for line in run.lines():
        head = run.head(line)
        if head.timed and head.device_name == device:
            kernel = kernel_key(head.operator, head.candidate.name, head.candidate.pack, packed)
            places[f"{kernel}\0{head.case.id}"] = Place(line.number, line.offset)
    return Timed(run, places)


def time_changes(pairs: Sequence[TimedPair]) -> list[TimeChange]:
    """The change of every case that both runs of a pair timed, are right on and have the samples of.

    Which changes are real is decided over all pairs together, so that looking at many finds no false ones.
    """
    found = [change for pair in pairs for change in _changes(pair)]
    differs = real_changes([each.change for each in found])
    return [
        each.model_copy(update={"real": differ and not _reaches(each)})
        for each, differ in zip(found, differs, strict=True)
    ]


def _reaches(change: TimeChange) -> bool:
    """The baseline, whose code did not change, moved as far: the machine is another, not the kernel."""
    interval = change.change.interval
    return interval.low <= change.baseline <= interval.high


def _changes(pair: TimedPair) -> Iterator[TimeChange]:
    before, after = pair.before, pair.after
    for key in sorted(before.places.keys() & after.places.keys()):
        one, other = _measured(before, key), _measured(after, key)
        if one is not None and other is not None:
            yield _change(one, other)


def _measured(timed: Timed, key: str) -> _Measured | None:
    place = timed.places[key]
    record = timed.run.record_at(place.number, place.offset)
    samples = timed.run.samples(record) if point_of(record) is not None else None
    if samples is None or not _usable(samples.candidate.device_ns) or not _usable(samples.baseline.device_ns):
        return None
    return _Measured(record, samples)


def _usable(samples: Sequence[int]) -> bool:
    return bool(samples) and min(samples) > 0


def _change(one: _Measured, other: _Measured) -> TimeChange:
    was, now = one.samples, other.samples
    change = change_of(was.candidate.device_ns, now.candidate.device_ns)
    baseline = float(np.median(now.baseline.device_ns) / np.median(was.baseline.device_ns))
    record = other.record
    return TimeChange(
        operator=record.operator,
        candidate=record.candidate.name,
        pack=record.candidate.pack,
        device=f"{record.backend.name}:{record.device.index}",
        case=record.case.label,
        weight=record.case.weight,
        before_ns=float(np.median(was.candidate.device_ns)),
        after_ns=float(np.median(now.candidate.device_ns)),
        change=change,
        baseline=baseline,
        relative=change.ratio / baseline,
        real=False,
    )


def kernel_ratios(changes: Sequence[TimeChange]) -> list[float]:
    """By kernel and device, the weighted geometric mean of the relative changes of its cases."""
    groups: dict[str, list[TimeChange]] = defaultdict(list)
    for each in changes:
        groups[f"{each.device}\0{each.pack}\0{each.operator}\0{each.candidate}"].append(each)
    return [
        math.exp(sum(c.weight * math.log(c.relative) for c in group) / sum(c.weight for c in group))
        for group in groups.values()
    ]
