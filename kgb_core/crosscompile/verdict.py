"""From what a worker answered to one status: the first thing that keeps a candidate from a target."""

from __future__ import annotations

from kgb_core.compiling.words import reason
from kgb_core.crosscompile.records import Built, BuiltLaunch, FailedCase, Status, TargetResult
from kgb_core.models.launch import Stage


def judged(target: str, built: Built, needs_launch: bool) -> TargetResult:
    """The result for one target.

    Args:
        target: its name.
        built: what the worker answered.
        needs_launch: whether the operator is one that a Triton kernel must compute.
    """
    status, message = _status(built, needs_launch)
    return TargetResult(
        target=target,
        status=status,
        ok=status is Status.COMPILED or (status is Status.NO_LAUNCH and not needs_launch),
        stage=_lowest(built.launches),
        nanoseconds=sum(launch.nanoseconds for launch in built.launches),
        message=message,
        note=next((launch.note for launch in built.launches if launch.note), ""),
        launches=built.launches,
        failed=built.failed,
    )


def unanswered(target: str, status: Status, message: str) -> TargetResult:
    """The result where no answer came."""
    return TargetResult(target=target, status=status, ok=False, message=message)


def unsupported(target: str, reasons: tuple[str, ...]) -> TargetResult:
    """The result where no chip of that kind can run any case: that is not the candidate's fault."""
    return TargetResult(
        target=target, status=Status.UNSUPPORTED, ok=True, message="; ".join(reasons), left_out=reasons
    )


def _status(built: Built, needs_launch: bool) -> tuple[Status, str]:
    raised = [case for case in built.failed if case.status is not Status.REFUSED]
    refused = [case for case in built.failed if case.status is Status.REFUSED]
    bad = [launch for launch in built.launches if launch.error]
    if bad:
        first = min(bad, key=lambda launch: bool(launch.excesses))
        return Status.OUT_OF_RESOURCES if first.excesses else Status.COMPILE_ERROR, _why(first)
    if raised:
        return raised[0].status, _told(raised)
    if refused and len(refused) == built.cases:
        return Status.REFUSED, _told(refused)
    if not built.launches:
        return Status.NO_LAUNCH, "no Triton kernel was launched" if needs_launch else ""
    return (
        Status.COMPILED,
        f"{len(refused)} of {built.cases} cases refused: {_told(refused)}" if refused else "",
    )


def _lowest(launches: tuple[BuiltLaunch, ...]) -> Stage:
    order = list(Stage)
    return min((launch.stage for launch in launches), key=order.index, default=Stage.NOTHING)


def _why(launch: BuiltLaunch) -> str:
    """The reason, and the kernel with its numbers: sizes and options are what an author changes."""
    numbers = {n: v for n, v in launch.configuration.items() if v.isdigit()}
    configuration = ", ".join(f"{name}={value}" for name, value in numbers.items())
    why = "; ".join(e.text for e in launch.excesses) or launch.reason or reason(launch.error)
    return f"{why} ({launch.kernel}{f': {configuration}' if configuration else ''})"


def _told(cases: list[FailedCase]) -> str:
    first = cases[0]
    line = first.message.splitlines()[0] if first.message else ""
    where = f" ({first.case})" if first.case else ""
    return f"{line}{where}"
