"""Makers of records, plans and bundles, for every test that needs results without a run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Purpose, Tier
from kgb_core.models.device import Device
from kgb_core.models.manifest import System, SystemDevice
from kgb_core.models.pack import PackInfo
from kgb_core.models.plan import Plan, PlannedCase, SuiteRef
from kgb_core.models.record import BackendRef, CandidateRef, CaseRef, Record
from kgb_core.models.timer import TimingMethod
from kgb_core.models.timing import Interval, Samples, Summary, Timing
from kgb_core.models.verdict import Verdict
from kgb_core.results.bundle import BundleWriter

settings.register_profile("kgb", deadline=None, derandomize=True)
settings.load_profile("kgb")  # --hypothesis-profile=default tries other examples in each run

SOURCE = "def softmax(self, dim):\n    return self\n"
RUN = "20261201T0912Z-chip"
SUITE = SuiteRef(name="smoke", hash="3f9c21e0")


def a_candidate(
    source: str = SOURCE, operator: str = "aten::softmax", name: str = "aten__softmax"
) -> Candidate:
    sha256 = hashlib.sha256(source.encode()).hexdigest()
    return Candidate(
        operator=operator, name=name, source=source, sha256=sha256, pack="mine", path="mine/a.py"
    )


def a_record(uid: str = "u0", **changes: Any) -> Record:
    """A passed case of `aten::softmax` on `chip:0`; anything may be changed."""
    candidate = a_candidate()
    purpose = Purpose.PERF if changes.get("timing") is not None else Purpose.CHECK
    fields: dict[str, Any] = {
        "run": RUN,
        "uid": uid,
        "suite": SUITE.label,
        "operator": "aten::softmax",
        "kind": "compute",
        "case": CaseRef(
            id=f"case-{uid}", label="self=fp32[7x1023], dim=-1", purpose=purpose, tier=Tier.SMOKE
        ),
        "candidate": CandidateRef(name=candidate.name, sha256=candidate.sha256, pack=candidate.pack),
        "backend": BackendRef(name="chip", version="0.1.0"),
        "device": Device(index=0, name="Chip 1"),
        "verdict": Verdict.PASSED,
        **changes,
    }
    return Record(**fields)


def planned_for(record: Record) -> PlannedCase:
    return PlannedCase(
        uid=record.uid,
        operator=record.operator,
        case=record.case,
        candidate=record.candidate,
        device=f"{record.backend.name}:{record.device.index}",
    )


def a_plan(*records: Record) -> Plan:
    """The plan that these records answer."""
    return Plan(
        run=RUN,
        created="2026-12-01T09:12:00+00:00",
        suite=SUITE,
        seed=7,
        tier=Tier.SMOKE,
        cases=tuple(map(planned_for, records)),
    )


def a_timing(candidate_ns: float = 1000.0, baseline_ns: float = 2000.0, **changes: Any) -> Timing:
    """A timing of candidate against baseline, consistent with itself; anything may be changed."""

    def summary(median: float) -> Summary:
        interval = Interval(low=median * 0.99, high=median * 1.01)
        return Summary(median_ns=median, interval_ns=interval, call_median_ns=median + 500, count=3)

    speedup = baseline_ns / candidate_ns
    fields: dict[str, Any] = {
        "method": TimingMethod.EVENTS,
        "timer": "events",
        "candidate": summary(candidate_ns),
        "baseline": summary(baseline_ns),
        "null_ns": 10.0,
        "speedup": speedup,
        "speedup_interval": Interval(low=speedup * 0.98, high=speedup * 1.02),
        "floor_ns": 100.0,
        **changes,
    }
    return Timing(**fields)


def judged(
    operator: str = "a::one",
    name: str = "",
    verdict: Verdict = Verdict.PASSED,
    case: str = "c0",
    times: Sequence[float] = (),
    device: int = 0,
    backend: str = "chip",
    source: str = "",
    **changes: Any,
) -> Record:
    """A record by what scores look at; `times` are those of candidate and baseline in nanoseconds."""
    name = name or operator.replace("::", "__")
    identity = f"{operator} {name} {case} {backend} {device}"
    uid = hashlib.sha256(identity.encode()).hexdigest()[:24]
    purpose = Purpose.PERF if times else Purpose.CHECK
    timing = a_timing(*times, samples=f"samples/{uid}.json") if times and verdict is Verdict.PASSED else None
    sha256 = hashlib.sha256((source or name).encode()).hexdigest()
    fields: dict[str, Any] = {
        "operator": operator,
        "case": CaseRef(id=case, label=case, purpose=purpose, tier=Tier.SMOKE),
        "candidate": CandidateRef(name=name, sha256=sha256, pack=changes.pop("pack", "mine")),
        "backend": BackendRef(name=backend, version="0.1.0"),
        "device": Device(index=device, name=f"Model of {backend}"),
        "verdict": verdict,
        "message": "" if verdict is Verdict.PASSED else f"it is {verdict.value}",
        "timing": timing,
        **changes,
    }
    return a_record(uid, **fields)


def write_judged(
    path: Path,
    *records: Record,
    planned: Sequence[Record] = (),
    packs: Sequence[PackInfo] = (),
    environment: dict[str, str] | None = None,
    spread: int = 5,
    **header: Any,
) -> Path:
    """A bundle of `judged` records; raw times lie around the medians. `planned` ones leave it open.

    Args:
        path: where; also the id of the run.
        records: what was judged.
        planned: what was planned beyond them.
        packs: what is said of them.
        environment: versions.
        spread: of the raw times, in nanoseconds from one to the next.
        header: of the plan.
    """
    plan = a_plan(*records, *planned).model_copy(update={"run": path.name, **header})
    devices = {
        f"{r.backend.name}:{r.device.index}": SystemDevice(backend=r.backend, device=r.device)
        for r in records
    }
    versions = {r.backend.name: environment or {} for r in records}
    system = System(
        os="Linux", python="3", cpu_count=1, devices=tuple(devices.values()), environment=versions
    )
    with BundleWriter.create(path, plan, system) as writer:
        for record in records:
            if record.timing is not None:
                sides = (record.timing.candidate.median_ns, record.timing.baseline.median_ns)
                writer.add_samples(record.uid, *(_around(int(median), spread) for median in sides))
            writer.append(record.model_copy(update={"run": path.name, "suite": plan.suite.label}))
        if not planned:
            writer.close(packs=packs)
    return path


def _system_of(records: Sequence[Record], environment: dict[str, str]) -> System:
    devices = {planned_for(r).device: SystemDevice(backend=r.backend, device=r.device) for r in records}
    return System(
        os="Linux",
        python="3",
        cpu_count=1,
        devices=tuple(devices.values()),
        environment={record.backend.name: environment for record in records},
    )


def _around(median: int, spread: int) -> Samples:
    times = tuple(median + spread * step for step in range(-15, 16))
    return Samples(device_ns=times, call_ns=times)


@pytest.fixture(scope="session")
def make_judged() -> Callable[..., Record]:
    return judged


@pytest.fixture(scope="session")
def write_bundle() -> Callable[..., Path]:
    return write_judged


@pytest.fixture(scope="session")
def make_candidate() -> Callable[..., Candidate]:
    return a_candidate


@pytest.fixture(scope="session")
def make_record() -> Callable[..., Record]:
    return a_record


@pytest.fixture(scope="session")
def make_plan() -> Callable[..., Plan]:
    return a_plan


@pytest.fixture(scope="session")
def make_timing() -> Callable[..., Timing]:
    return a_timing


@pytest.fixture(scope="session")
def system() -> System:
    return System(
        os="Linux 6.1 x86_64", python="3.11.7", cpu_count=2, environment={"chip": {"driver": "1.2"}}
    )
