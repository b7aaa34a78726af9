"""Another tolerance over stored measurements, without a chip: which verdicts move, and why."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from pydantic import ConfigDict, Field

from kgb_core.errors import BundleError
from kgb_core.models.base import FrozenModel
from kgb_core.models.case import Purpose
from kgb_core.models.manifest import Manifest, Rejudged
from kgb_core.models.plan import PlanHeader, device_name
from kgb_core.models.record import CandidateRef, Record
from kgb_core.models.verdict import Verdict
from kgb_core.results import layout
from kgb_core.results.copies import copy_of, verify
from kgb_core.results.decide import Decision, Fate, decide, is_wrong
from kgb_core.results.files import copy_hashed, hash_files, sha256_of, staged, write_whole
from kgb_core.results.merge import seal
from kgb_core.results.planfile import write_plan
from kgb_core.results.policy import Policy
from kgb_core.results.query import runs_of
from kgb_core.results.run import Run, is_merged

REJUDGE_SCHEMA: Final = "kgb.rejudge/1"
_UNTIMED = "not timed: a check case failed under the other tolerance"
_NEVER_TIMED = "not timed: a check case failed under the tolerance of the run"


class Change(FrozenModel):
    """A record whose verdict moved, or of which it can't be told."""

    run: str
    uid: str
    operator: str
    case: str
    """Its label."""
    candidate: CandidateRef
    device: str
    fate: Fate
    before: Verdict
    after: Verdict
    why: str


class RejudgeReport(FrozenModel):
    """What another tolerance does to a bundle; it lies in the new one as `rejudged.json`."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["kgb.rejudge/1"] = Field(default=REJUDGE_SCHEMA, alias="schema")
    policy: Policy
    counts: dict[Fate, int]
    """Records by what became of them."""
    verdicts: dict[Verdict, int]
    """Of all records, under the other tolerance."""
    changes: tuple[Change, ...]
    """Everything that moved, is undecided or impossible, in the order of the records."""


def rejudge_bundle(path: Path, policy: Policy, out: Path | None = None) -> RejudgeReport:
    """Judge the stored measurements of a bundle by another tolerance.

    Args:
        path: the bundle, merged or not.
        policy: which tolerance.
        out: where to write a bundle with the new verdicts, a run of its own with another id; `None`: nowhere.

    Raises:
        BundleError: the bundle is damaged, was altered or was itself rejudged, it was interrupted and `out`
            is given, or something is at `out` already.
    """
    runs = tuple(runs_of(path))
    for run in runs:
        _require_measured(run, writes=out is not None)
        verify(copy_of(run))
    if out is None:
        return _report(policy, [_rejudged(run, policy) for run in runs])
    with staged(out) as stage:
        if not is_merged(path):
            return _written(runs[0], policy, stage)
        done = [_written(run, policy, _directory(stage, run, policy)) for run in runs]
        seal(stage, hash_files(stage))
        return _together(policy, done)


@dataclass
class _Rejudging:
    """One run under another tolerance."""

    run: Run
    policy: Policy
    wrong: set[tuple[str, CandidateRef, str]] = field(default_factory=set)
    """Operator, candidate and device of the kernels that are wrong now."""
    counts: Counter[Fate] = field(default_factory=Counter)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    changes: list[Change] = field(default_factory=list)

    def decisions(self) -> Iterator[Decision]:
        """What becomes of each record, in the order of the records."""
        for record in self.run.records():
            decision = self._after_checks(decide(record, self.policy.tolerance_for(record)), record)
            self.counts[decision.fate] += 1
            self.verdicts[decision.record.verdict] += 1
            if decision.fate in (Fate.MOVED, Fate.UNDECIDED, Fate.IMPOSSIBLE):
                self.changes.append(_change(record, decision))
            yield decision

    def look_for_wrong(self) -> None:
        """Find the kernels that are wrong now: what is wrong is not timed."""
        for record in self.run.records():
            if record.case.purpose is Purpose.CHECK:
                after = decide(record, self.policy.tolerance_for(record)).record
                if is_wrong(after):
                    self.wrong.add(_kernel(record))

    def _after_checks(self, decision: Decision, before: Record) -> Decision:
        """A perf case depends on the check cases of the same kernel, too."""
        if before.case.purpose is not Purpose.PERF:
            return decision
        if _kernel(before) in self.wrong:
            return _untimed(before) if before.verdict in (Verdict.PASSED, Verdict.WRONG_VALUE) else decision
        if before.verdict is Verdict.SKIPPED:
            return Decision(Fate.IMPOSSIBLE, before, _NEVER_TIMED)
        return decision


def _untimed(record: Record) -> Decision:
    changes = {"verdict": Verdict.SKIPPED, "message": _UNTIMED, "timing": None}
    return Decision(Fate.MOVED, record.model_copy(update=changes), _UNTIMED)


def _kernel(record: Record) -> tuple[str, CandidateRef, str]:
    return record.operator, record.candidate, device_name(record.backend.name, record.device.index)


def _change(before: Record, decision: Decision) -> Change:
    return Change(
        run=before.run,
        uid=before.uid,
        operator=before.operator,
        case=before.case.label,
        candidate=before.candidate,
        device=device_name(before.backend.name, before.device.index),
        fate=decision.fate,
        before=before.verdict,
        after=decision.record.verdict,
        why=decision.why,
    )


def _require_measured(run: Run, writes: bool) -> None:
    if run.manifest is not None and run.manifest.rejudged is not None:
        source = run.manifest.rejudged.run
        raise BundleError(
            f"{run.path} was rejudged already",
            f"its measurements are those of {source}",
            f"rejudge {source} itself",
        )
    if writes and (run.plan is None or run.manifest is None):
        raise BundleError(
            f"{run.path} was interrupted, or goes on",
            "only a finished bundle is written anew",
            "finish it with kgb run --resume, or leave -o out to see what would move",
        )


def _rejudged(run: Run, policy: Policy) -> _Rejudging:
    work = _Rejudging(run, policy)
    work.look_for_wrong()
    for _ in work.decisions():
        pass
    return work


def _report(policy: Policy, done: list[_Rejudging]) -> RejudgeReport:
    return RejudgeReport(
        policy=policy,
        counts=sum((work.counts for work in done), Counter()),
        verdicts=sum((work.verdicts for work in done), Counter()),
        changes=tuple(change for work in done for change in work.changes),
    )


def _together(policy: Policy, done: list[RejudgeReport]) -> RejudgeReport:
    return RejudgeReport(
        policy=policy,
        counts=sum((Counter(report.counts) for report in done), Counter()),
        verdicts=sum((Counter(report.verdicts) for report in done), Counter()),
        changes=tuple(change for report in done for change in report.changes),
    )


def _new_id(run: Run, policy: Policy) -> str:
    """Another id for the same records under another policy, so that merging never mixes the two."""
    return f"{run.id}-rejudged-{hashlib.sha256(policy.model_dump_json().encode()).hexdigest()[:8]}"


def _directory(stage: Path, run: Run, policy: Policy) -> Path:
    directory = stage / layout.RUNS / _new_id(run, policy)
    directory.mkdir(parents=True)
    return directory


def _written(run: Run, policy: Policy, target: Path) -> RejudgeReport:
    """Write one run with its new verdicts."""
    plan, manifest = run.plan, run.manifest
    assert plan is not None
    assert manifest is not None
    name = _new_id(run, policy)
    _copy_rest(run, manifest, target)
    _write_new_plan(run, plan.model_copy(update={"run": name}), target)
    work = _Rejudging(run, policy)
    work.look_for_wrong()
    with (target / layout.RESULTS).open("w", encoding="utf-8", newline="\n") as stream:
        for decision in work.decisions():
            record = decision.record.model_copy(update={"run": name})
            stream.write(record.model_dump_json() + "\n")
            _copy_samples(run, record, target)
    report = _report(policy, [work])
    write_whole(target / layout.REJUDGED, report.model_dump_json())
    source = Rejudged(run=run.id, manifest=sha256_of(run.path / layout.MANIFEST), reason=policy.reason)
    changes = {"run": name, "counts": report.verdicts, "rejudged": source, "files": hash_files(target)}
    write_whole(target / layout.MANIFEST, manifest.model_copy(update=changes).model_dump_json())
    return report


def _copy_rest(run: Run, manifest: Manifest, target: Path) -> None:
    """Sources, system and what else is listed: all but what is written anew and the log of another run."""
    anew = {layout.PLAN, layout.RESULTS, layout.LOG}
    for inside in manifest.files:
        if inside not in anew and not inside.startswith(f"{layout.SAMPLES}/"):
            (target / inside).parent.mkdir(parents=True, exist_ok=True)
            copy_hashed(run.path / inside, target / inside)


def _write_new_plan(run: Run, header: PlanHeader, target: Path) -> None:
    planned = run.planned()
    assert planned is not None
    write_plan(target / layout.PLAN, header, map(bytes, planned.encoded))


def _copy_samples(run: Run, record: Record, target: Path) -> None:
    if record.timing is not None and record.timing.samples == layout.samples_path(record.uid):
        (target / layout.SAMPLES).mkdir(exist_ok=True)
        copy_hashed(run.path / record.timing.samples, target / record.timing.samples)
