"""From an outcome to the record of a planned case."""

from __future__ import annotations

from datetime import datetime, timezone

from kgb_core.models.plan import SuiteRef
from kgb_core.models.record import Record
from kgb_core.runner.lane import Judged
from kgb_core.runner.request import DeviceStrings, RunRequest


def record_of(judged: Judged, run: str, suite: SuiteRef, request: RunRequest) -> Record:
    """The terminal record of one planned case."""
    station, planned, outcome = judged.unit.station, judged.item.planned, judged.outcome
    translates = station.translates(request.device_strings)
    return Record(
        run=run,
        uid=planned.uid,
        suite=suite.label,
        operator=planned.operator,
        kind=judged.unit.operator.kind.value,
        case=planned.case,
        candidate=planned.candidate,
        backend=station.ref,
        device=station.device,
        verdict=outcome.verdict,
        message=outcome.message,
        evidence=outcome.evidence,
        errors=outcome.errors,
        tolerance=judged.item.task.tolerance,
        timing=outcome.timing,
        device_strings=(DeviceStrings.TRANSLATE if translates else DeviceStrings.STRICT).value,
        sandbox=request.sandbox.value,
        finished=datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
    )
