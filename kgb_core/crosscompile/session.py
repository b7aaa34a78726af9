"""The worker's work: import a candidate, run its host code under a stub driver, compile what it launches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgb_core.compiling import tensors
from kgb_core.compiling.capture import capture
from kgb_core.compiling.words import reason
from kgb_core.crosscompile.protocol import Call, CompileRequest
from kgb_core.crosscompile.records import Built, BuiltLaunch, FailedCase, Status
from kgb_core.errors import KgbError
from kgb_core.models.case import DeviceArgument
from kgb_core.models.launch import CompileOutcome, Launch, Stage
from kgb_core.plugins.backend import Backend
from kgb_core.plugins.loader import load_backends

_SEED = 0
_TEXT_LIMIT = 4000
_KEPT_FAILURES = 50


@dataclass(frozen=True)
class _Made:
    """A launch and the case that made it first."""

    launch: Launch
    case: str


@dataclass(frozen=True)
class _Ran:
    """What the host code did."""

    made: list[_Made]
    failed: list[FailedCase]


def compile_for(request: CompileRequest) -> Built:
    """Answer one request.

    A candidate that raises is an answer; a plugin that raises is one, too.
    """
    try:
        backend = load_backends([request.target.vendor]).get(request.target.vendor)
        ran = _run_host_code(request, backend.info.torch_device_type)
    except (KgbError, RuntimeError) as error:  # the plugin, or a Triton that knows no such chip
        return Built(failed=(FailedCase(case="", status=Status.HARNESS_ERROR, message=str(error)),))
    launches = [
        _built(backend, number, made, request) for number, made in enumerate(_distinct(ran.made), start=1)
    ]
    return Built(
        launches=tuple(launches), failed=tuple(ran.failed[:_KEPT_FAILURES]), cases=len(request.calls)
    )


def _run_host_code(request: CompileRequest, device_type: str) -> _Ran:
    from kgb_core.worker.candidate import Refused, failure, load
    from kgb_core.worker.protocol import LoadRequest
    from kgb_core.worker.protocol import Stage as When

    ran = _Ran([], [])
    path = Path(request.path)
    with capture(request.target, device_type) as captured:
        try:
            entry = load(LoadRequest(path=request.path, entry=request.entry, translate=False), "")
        except Refused as refused:
            return _Ran([], [_failed("", refused.reply)])
        for call in request.calls:
            captured.launches.clear()
            try:
                _call(entry, call, device_type)
            except Refused as refused:
                ran.failed.append(_failed(call.case.label, refused.reply))
            except BaseException as error:  # whatever a candidate raises is its record
                ran.failed.append(_failed(call.case.label, failure(When.CALL, error, path)))
            ran.made.extend(_Made(launch, call.case.label) for launch in captured.launches)
    return ran


def _call(entry: Callable[..., Any], call: Call, device_type: str) -> None:
    from kgb_core.operators.draw import draw_case
    from kgb_core.worker.candidate import fits

    values = draw_case(call.case, _SEED)
    for named in call.case.arguments:
        if isinstance(named.argument, DeviceArgument):
            values[named.name] = tensors.chip_device(device_type)
    names = list(values)[: call.positional]
    args = [values.pop(name) for name in names]
    fits(entry, args, values)
    entry(*args, **values)


def _failed(case: str, reply: Any) -> FailedCase:
    statuses = {
        "import": Status.IMPORT_ERROR,
        "entry": Status.NO_ENTRY,
        "signature": Status.BAD_SIGNATURE,
    }
    otherwise = Status.REFUSED if reply.declined else Status.HOST_ERROR
    told = f"{reply.type}: {reply.message}" if reply.type else reply.message
    return FailedCase(
        case=case, status=statuses.get(reply.stage.value, otherwise), message=told[:_TEXT_LIMIT]
    )


def _distinct(made: Iterable[_Made]) -> list[_Made]:
    """The launches that differ in what is compiled; the grid is no part of it."""
    found: dict[str, _Made] = {}
    for each in made:
        launch = each.launch
        parts = (launch.signature, _configuration(launch), launch.attributes)
        found.setdefault(f"{id(launch.function)} {parts}", each)
    return list(found.values())


def _configuration(launch: Launch) -> dict[str, str]:
    told = {**launch.constants, **launch.options}
    return {name: _short(value) for name, value in told.items() if name not in ("num_ctas",) or value != 1}


def _short(value: object) -> str:
    return repr(getattr(value, "__name__", value))[:200]


def _built(backend: Backend, number: int, made: _Made, request: CompileRequest) -> BuiltLaunch:
    launch = made.launch
    try:
        outcome = backend.compile(launch, request.target)
    except KgbError as error:
        outcome = CompileOutcome(
            stage=Stage.NOTHING, kernel=launch.function.__name__, error=f"{error.what}: {error.why}"
        )
    kept = _keep(outcome, number, Path(request.keep)) if request.keep else ()
    return BuiltLaunch(
        kernel=outcome.kernel,
        signature={name: str(kind) for name, kind in launch.signature.items()},
        configuration=_configuration(launch),
        case=made.case,
        stage=outcome.stage,
        nanoseconds=outcome.nanoseconds,
        resources=outcome.resources,
        error=outcome.error[:_TEXT_LIMIT],
        reason=reason(outcome.error)[:_TEXT_LIMIT],
        excesses=outcome.excesses,
        note=outcome.note,
        artefacts=kept,
    )


def _keep(outcome: CompileOutcome, number: int, folder: Path) -> tuple[str, ...]:
    """Write the compiled forms, and what the compiler said where it said something."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {f"{outcome.kernel}-{number}.{form}": data for form, data in outcome.artefacts.items()}
    said = "\n".join(part for part in (outcome.error, outcome.log) if part)
    if said:
        files[f"{outcome.kernel}-{number}.log"] = said.encode()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return tuple(files)
