"""Bundles on two chips with everything that the page shows, hostile text included."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgb_core.models.candidate import Candidate
from kgb_core.models.case import Purpose, Tier
from kgb_core.models.device import Capabilities, Capability, Device, Support
from kgb_core.models.manifest import System, SystemDevice
from kgb_core.models.pack import PackInfo
from kgb_core.models.plan import Plan, PlanHeader, PlannedCase, SuiteRef
from kgb_core.models.record import BackendRef, CandidateRef, CaseRef, Errors, Evidence, Record
from kgb_core.models.timing import Samples, Timing
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.results.bundle import BundleWriter

HOSTILE = "</script><img src=x onerror=alert(1)>\"'`${1}<!--\u202e\x00\x1b[31m"
"""What a candidate may print, and be called."""
SOURCE = f"import triton\n\n\n# {HOSTILE!r}\ndef softmax(self, dim):\n    return '</script>'\n"


def candidate(name: str, operator: str = "aten::softmax", source: str = SOURCE) -> Candidate:
    text = f"{source}# {name}\n"
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Candidate(operator=operator, name=name, source=text, sha256=sha256, pack="mine", path="x.py")


@dataclass
class Written:
    """Records on their way into the bundle of one chip.

    Attributes:
        chip: its backend.
        records: so far.
        candidates: whose sources are kept.
        planned: cases without a record.
    """

    chip: str
    records: list[Record] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    planned: list[PlannedCase] = field(default_factory=list)

    def add(self, made: Candidate, case: str, purpose: Purpose = Purpose.CHECK, **changes: Any) -> None:
        """One record."""
        self.candidates.append(made)
        uid = hashlib.sha256(f"{self.chip} {made.name} {made.operator} {case}".encode()).hexdigest()[:24]
        timing = changes.get("timing")
        if timing is not None:
            changes["timing"] = timing.model_copy(update={"samples": f"samples/{uid}.json"})
        fields: dict[str, Any] = {
            "run": f"run-{self.chip}",
            "uid": uid,
            "suite": "smoke 3f9c21e0",
            "operator": made.operator,
            "kind": "compute",
            "case": CaseRef(id=case.replace(" ", "-"), label=case, purpose=purpose, tier=Tier.SMOKE),
            "candidate": CandidateRef(name=made.name, sha256=made.sha256, pack=made.pack),
            "backend": BackendRef(name=self.chip, version="0.1.0"),
            "device": Device(index=0, name=f"Chip {self.chip}", arch="c1"),
            "verdict": Verdict.PASSED,
            **changes,
        }
        self.records.append(Record(**fields))

    def leave(self, made: Candidate, case: str) -> None:
        """A planned case that was never reached."""
        self.add(made, case)
        record = self.records.pop()
        self.planned.append(_planned(record))

    def write(self, path: Path, **header: Any) -> Path:
        """The bundle; closed where nothing is missing."""
        plan = Plan(
            **{**dict(_header(f"run-{self.chip}")), **header},
            cases=(*map(_planned, self.records), *self.planned),
        )
        with BundleWriter.create(path, plan, _system(self.chip)) as writer:
            for each in self.candidates:
                writer.add_source(each)
            for record in self.records:
                if record.timing is not None:
                    writer.add_samples(record.uid, _samples(900), _samples(1800))
                writer.append(record)
            if not self.planned:
                writer.close(packs=[PackInfo(name="mine", tokens=1000, cost=2.5, model="m")])
        return path


def _planned(record: Record) -> PlannedCase:
    device = f"{record.backend.name}:0"
    case, candidate = record.case, record.candidate
    return PlannedCase(
        uid=record.uid, operator=record.operator, case=case, candidate=candidate, device=device
    )


def _header(run: str) -> PlanHeader:
    suite = SuiteRef(name="smoke", hash="3f9c21e0")
    return PlanHeader(run=run, created="2026-12-01T09:12:00+00:00", suite=suite, seed=7, tier=Tier.SMOKE)


def _samples(middle: int) -> Samples:
    times = tuple(middle + step for step in (-20, -10, 0, 10, 20))
    return Samples(device_ns=times, call_ns=tuple(time + 500 for time in times))


def _system(chip: str) -> System:
    timed = {} if chip == "north" else {"timing": Capability(support=Support.UNSUPPORTED, reason="no clock")}
    half = {"bfloat16": Capability(support=Support.PARTIAL, reason="slow")}
    device = SystemDevice(
        backend=BackendRef(name=chip, version="0.1.0"),
        device=Device(index=0, name=f"Chip {chip}", arch="c1", memory_bytes=2**33),
        capabilities=Capabilities(table={**timed, **half}),
    )
    return System(
        os="Linux", python="3.11", cpu_count=2, devices=(device,), environment={chip: {"driver": "1.2"}}
    )


def _errors() -> Errors:
    infinite = float("inf")
    return Errors(
        max_abs=infinite,
        max_rel=float("nan"),
        max_ulp=9,
        rms=1,
        scale=2.5,
        worst_index=(3,),
        got="inf",
        want="1",
    )


def north(make_timing: Callable[..., Timing]) -> Written:
    """Two candidates for softmax, one of them wrong; add timed; tolerance of its own for add."""
    chip = Written("north")
    good, bad, add = candidate("good"), candidate("bad"), candidate("add", "aten::add")
    chip.add(good, "small")
    chip.add(good, "a model", Purpose.PERF, timing=make_timing(900.0, 1800.0, floor_ns=450.0))
    chip.add(
        bad,
        "small",
        verdict=Verdict.WRONG_VALUE,
        message=HOSTILE,
        errors=_errors(),
        evidence=Evidence(
            calls=2, launches=1, kernels=("_k",), output=HOSTILE, traceback=f"Traceback {HOSTILE}"
        ),
    )
    chip.add(bad, "a model", Purpose.PERF, verdict=Verdict.SKIPPED, message="not right")
    own = Tolerance(ulps=4, reason="its exp is coarse", source="north")
    errors = Errors(max_abs=0, max_rel=0, max_ulp=3, rms=0, scale=0.75)
    chip.add(add, "small", tolerance=own, errors=errors)
    return chip


def south() -> Written:
    """The good softmax is wrong there, too; nothing else was run."""
    chip = Written("south")
    good = candidate("good")
    chip.add(good, "small", verdict=Verdict.COMPILE_ERROR, message="unknown layout\nsecond line")
    return chip
