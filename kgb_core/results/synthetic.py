"""Made-up bundles of any size, marked as such: for tests and for measuring KGB, never for a result."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kgb_core.models.case import Purpose, Tier
from kgb_core.models.device import Device
from kgb_core.models.manifest import Manifest, System, SystemDevice
from kgb_core.models.plan import PlanHeader, PlannedCase, SuiteRef, device_name
from kgb_core.models.record import BackendRef, CandidateRef, CaseRef, Errors, Evidence, Record
from kgb_core.models.timer import TimingMethod
from kgb_core.models.timing import Interval, Samples, Summary, Timing
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.results import layout
from kgb_core.results.files import hash_files, write_whole
from kgb_core.results.planfile import write_plan
from kgb_core.results.samples import SamplePair
from kgb_core.version import __version__

_WHEN = "2026-12-01T09:12:00+00:00"
_WRONG = (
    Verdict.WRONG_VALUE,
    Verdict.COMPILE_ERROR,
    Verdict.RUNTIME_ERROR,
    Verdict.FALLBACK,
    Verdict.TIMEOUT,
)


@dataclass(frozen=True)
class Shape:
    """How large a made-up run is."""

    backend: str = "synthetic"
    operators: int = 10
    candidates: int = 2
    """For each operator."""
    check_cases: int = 8
    """For each candidate."""
    perf_cases: int = 2
    samples: int = 5
    """Raw times of each side of a perf case; odd."""
    right: float = 0.8
    """Share of the candidates that are right."""
    seed: int = 1

    @property
    def records(self) -> int:
        """How many there will be."""
        return self.operators * self.candidates * (self.check_cases + self.perf_cases)


def write_synthetic(path: Path, shape: Shape, run: str = "synthetic") -> Manifest:
    """Write a finished bundle of made-up records; its manifest says that nothing was measured.

    Args:
        path: a directory that does not exist.
        shape: how large, and of what.
        run: the id of the run.
    """
    path.mkdir(parents=True)
    for name in (layout.KERNELS, layout.SAMPLES):
        (path / name).mkdir()
    header = PlanHeader(
        run=run,
        created=_WHEN,
        suite=SuiteRef(name="synthetic", hash="0" * 16),
        seed=shape.seed,
        tier=Tier.SMOKE,
    )
    system = _system(shape)
    write_whole(path / layout.SYSTEM, system.model_dump_json())
    cases = (_planned(record).model_dump_json().encode() for record in _records(shape, header))
    write_plan(path / layout.PLAN, header, cases)
    counts = _write_records(path, shape, header)
    manifest = Manifest(
        run=run,
        created=_WHEN,
        finished=_WHEN,
        core=__version__,
        suite=header.suite,
        seed=shape.seed,
        tier=header.tier,
        planned=shape.records,
        counts=counts,
        environment=system.environment,
        synthetic=True,
        files=hash_files(path),
    )
    write_whole(path / layout.MANIFEST, manifest.model_dump_json())
    return manifest


def _write_records(path: Path, shape: Shape, header: PlanHeader) -> dict[Verdict, int]:
    counts: Counter[Verdict] = Counter()
    written: set[str] = set()
    with (path / layout.RESULTS).open("w", encoding="utf-8", newline="\n") as stream:
        for record in _records(shape, header):
            stream.write(record.model_dump_json() + "\n")
            counts[record.verdict] += 1
            if record.timing is not None:
                (path / record.timing.samples).write_text(_samples(record, record.timing).model_dump_json())
            if record.candidate.sha256 not in written:
                written.add(record.candidate.sha256)
                (path / layout.source_path(record.candidate.sha256)).write_text(
                    _source(record.candidate.name)
                )
    return dict(counts)


def _records(shape: Shape, header: PlanHeader) -> Iterator[Record]:
    draw = random.Random(shape.seed)
    for operator in range(shape.operators):
        for candidate in range(shape.candidates):
            name = f"op_{operator:04d}_{candidate:02d}"
            wrong = None if draw.random() < shape.right else draw.choice(_WRONG)
            for case in range(shape.check_cases + shape.perf_cases):
                yield _record(shape, header, name, f"synthetic::op_{operator:04d}", case, wrong, draw)


def _record(
    shape: Shape,
    header: PlanHeader,
    name: str,
    operator: str,
    number: int,
    wrong: Verdict | None,
    draw: random.Random,
) -> Record:
    ref = CandidateRef(name=name, sha256=hashlib.sha256(_source(name).encode()).hexdigest(), pack="synthetic")
    purpose = Purpose.CHECK if number < shape.check_cases else Purpose.PERF
    case = hashlib.sha256(f"{operator} {number}".encode()).hexdigest()[:12]
    uid = hashlib.sha256(f"{shape.backend} {operator} {name} {case}".encode()).hexdigest()[:24]
    verdict = _verdict(purpose, wrong)
    compared = verdict in (Verdict.PASSED, Verdict.WRONG_VALUE, Verdict.FALLBACK)
    return Record(
        run=header.run,
        uid=uid,
        suite=header.suite.label,
        operator=operator,
        kind="compute",
        case=CaseRef(id=case, label=f"self=fp32[{number + 1}x1023]", purpose=purpose, tier=Tier.SMOKE),
        candidate=ref,
        backend=BackendRef(name=shape.backend, version="0.0.0"),
        device=_device(shape),
        verdict=verdict,
        message="" if verdict is Verdict.PASSED else f"made up: {verdict.value}",
        evidence=Evidence(calls=2, launches=2, kernels=(f"_{name}",)),
        errors=_errors(verdict, draw) if compared else None,
        tolerance=Tolerance(),
        timing=_timing(uid, shape.samples, draw)
        if purpose is Purpose.PERF and verdict is Verdict.PASSED
        else None,
        sandbox="none",
        finished=_WHEN,
    )


def _verdict(purpose: Purpose, wrong: Verdict | None) -> Verdict:
    if wrong is None:
        return Verdict.PASSED
    return Verdict.SKIPPED if purpose is Purpose.PERF else wrong


def _errors(verdict: Verdict, draw: random.Random) -> Errors:
    scale = draw.uniform(3.1, 9.0) if verdict is Verdict.WRONG_VALUE else draw.uniform(0.0, 1.0)
    return Errors(
        max_abs=scale * 1e-6,
        max_rel=scale * 1e-6,
        max_ulp=2 * scale,
        rms=scale * 1e-7,
        golden_rms=1.0,
        scale=scale,
        worst_index=(0, draw.randrange(1023)),
        got="1.00001",
        want="1",
        native_scale=draw.uniform(0.0, 1.0),
    )


def _timing(uid: str, count: int, draw: random.Random) -> Timing:
    candidate, baseline = draw.randrange(5_000, 500_000), draw.randrange(5_000, 500_000)
    speedup = baseline / candidate
    return Timing(
        method=TimingMethod.EVENTS,
        timer="synthetic",
        candidate=_summary(candidate, count),
        baseline=_summary(baseline, count),
        null_ns=1000.0,
        speedup=speedup,
        speedup_interval=Interval(low=speedup * 0.98, high=speedup * 1.02),
        floor_ns=None,
        verified_calls=2,
        samples=layout.samples_path(uid),
    )


def _summary(median: int, count: int) -> Summary:
    interval = Interval(low=median * 0.99, high=median * 1.01)
    return Summary(median_ns=median, interval_ns=interval, call_median_ns=median + 4000, count=count)


def _samples(record: Record, timing: Timing) -> SamplePair:
    return SamplePair(uid=record.uid, candidate=_around(timing.candidate), baseline=_around(timing.baseline))


def _around(summary: Summary) -> Samples:
    """Times on both sides of the median."""
    median = int(summary.median_ns)
    device = tuple(median + (index - summary.count // 2) * 7 for index in range(summary.count))
    return Samples(device_ns=device, call_ns=tuple(ns + 4000 for ns in device))


def _planned(record: Record) -> PlannedCase:
    return PlannedCase(
        uid=record.uid,
        operator=record.operator,
        case=record.case,
        candidate=record.candidate,
        device=device_name(record.backend.name, record.device.index),
    )


def _system(shape: Shape) -> System:
    backend = BackendRef(name=shape.backend, version="0.0.0")
    device = SystemDevice(backend=backend, device=_device(shape))
    environment = {shape.backend: {"driver": "0"}}
    return System(os="none", python="none", cpu_count=0, devices=(device,), environment=environment)


def _device(shape: Shape) -> Device:
    return Device(index=0, name=f"Made-up {shape.backend}", arch="none")


def _source(name: str) -> str:
    return f"def {name}(self):\n    raise NotImplementedError('made up')\n"
