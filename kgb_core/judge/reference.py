"""The reference worker, `python -m kgb_core.judge.reference`: trusted, on the same chip.

It makes inputs and the right answers, runs and times the native implementation, and compares what candidates
left behind. The conductor only routes descriptors between it and the candidate's worker.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from pydantic import BaseModel

from kgb_core.judge.cache import Known, KnownAnswers
from kgb_core.judge.compare import Answer, AnswerTensor, Foreign, judge_answer
from kgb_core.judge.draws import Draws
from kgb_core.judge.golden import cloned, run
from kgb_core.judge.observe import observed
from kgb_core.models.device import Device
from kgb_core.models.dtypes import DType
from kgb_core.models.record import Errors
from kgb_core.models.timer import Timer
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.draw import draw_case, torch_dtype
from kgb_core.operators.far import far_copy, is_far
from kgb_core.operators.registry import Registry, load_registry
from kgb_core.operators.rules import Random
from kgb_core.operators.spec import Operator
from kgb_core.plugins.backend import Backend
from kgb_core.worker.buffers import Packer, read_bytes, storage_bytes, unpack, view_of
from kgb_core.worker.channel import Message, ProtocolViolation
from kgb_core.worker.protocol import (
    BaselineRequest,
    ComplexValue,
    ForeignValue,
    HealthReport,
    HealthRequest,
    Judged,
    JudgeRequest,
    Measured,
    NamedValue,
    NullRequest,
    OutputValue,
    PlainValue,
    Prepared,
    PrepareRequest,
    Request,
    TensorValue,
    WorkerSettings,
)
from kgb_core.worker.serve import Handler, main


class ReferenceSession:
    """Answers the conductor's requests on one device.

    Args:
        backend: the plugin whose device this is.
        device: the device.
        registry: the installed operators.
    """

    def __init__(self, backend: Backend, device: Device, registry: Registry) -> None:
        self._backend = backend
        self._device = device
        self._registry = registry
        self._torch_device = torch.device(backend.info.torch_device_type)
        self._golden_on_device = backend.capabilities(device).of(DType.FLOAT64).support.usable
        self._timer: Timer = backend.make_timer(device)
        self._known = KnownAnswers()
        self._natives: dict[str, Callable[..., Any]] = {}
        self._draws = Draws()

    def prepare(self, request: PrepareRequest, packer: Packer) -> Prepared:
        """Make the inputs of one call, its right answer and the native implementation's errors."""
        operator = self._registry.get(request.operator)
        known = self._answer(operator, request)
        shipped = known.bound.values if request.ship else {}
        return Prepared(
            arguments=tuple(NamedValue(name=n, value=packer.value(v)) for n, v in shipped.items()),
            positional=len(known.bound.positional),
            native_error=known.native_error,
            native=known.native.errors if known.native else None,
            invalid=known.invalid,
            bytes_read=known.bytes_read(operator.sparse | operator.unread),
            bytes_written=known.bytes_written(operator.sparse),
            flops=operator.flops(*known.bound.args, **known.bound.kwargs) if operator.flops else None,
            numel=known.numel,
        )

    def judge(self, request: JudgeRequest, descriptors: list[int]) -> Judged:
        """Compare what a candidate left behind with the right answer."""
        operator = self._registry.get(request.operator)
        known = self._answer(operator, request)
        try:
            answer = _answer_of(request, descriptors, known)
        except _Unbelievable as error:
            return Judged(verdict=Verdict.TAMPERING, message=str(error))
        reshaped = _reshaped(request, known)
        if reshaped:
            return Judged(verdict=Verdict.WRONG_SHAPE, message=reshaped)
        outside = _written_outside(request, descriptors, known)
        if outside:
            return Judged(verdict=Verdict.WRONG_ALIAS, message=outside)
        finding = judge_answer(operator, known.bound, known.expected, known.bounds, answer, known.allowed)
        if request.draw and isinstance(operator.numeric, Random) and finding.verdict is Verdict.PASSED:
            case = f"{operator.name} {request.case.id} {request.seed}"
            finding = self._draws.judge(operator.numeric, case, request.draw, known.bound, answer)
        return Judged(verdict=finding.verdict, message=finding.message, errors=_beside(finding.errors, known))

    def baseline(self, request: BaselineRequest) -> Measured:
        """Call the native implementation once on inputs drawn on the device, measured as a candidate is."""
        operator = self._registry.get(request.operator)
        values = draw_case(request.case, request.seed, str(self._torch_device))
        bound = Bound(operator.signature, values)
        return self._measured(lambda: run(self._native(operator), bound))

    def null(self) -> Measured:
        """Measure an empty region."""
        return self._measured(lambda: None)

    def health(self) -> HealthReport:
        """Ask the backend whether the device computes."""
        return HealthReport(usable=self._backend.check_health(self._device))

    def _measured(self, call: Callable[[], Any]) -> Measured:
        self._backend.synchronize(self._device)
        self._timer.prepare()
        began = time.perf_counter_ns()
        self._timer.start()
        call()
        self._timer.stop()
        call_ns = time.perf_counter_ns() - began
        device_ns = self._timer.elapsed_ns()
        return Measured(
            device_ns=device_ns, call_ns=call_ns, timer=self._timer.name, method=self._timer.method
        )

    def _native(self, operator: Operator) -> Callable[..., Any]:
        if operator.name not in self._natives:
            found = self._backend.baseline(operator.name, self._device)
            self._natives[operator.name] = found or operator.reference
        return self._natives[operator.name]

    def _answer(self, operator: Operator, request: PrepareRequest | JudgeRequest) -> Known:
        on_device = not request.ship
        key = f"{operator.name} {request.case.id} {request.seed} {on_device}"
        return self._known.get(key, lambda: self._computed(operator, request, on_device))

    def _computed(self, operator: Operator, request: PrepareRequest | JudgeRequest, on_device: bool) -> Known:
        where = str(self._torch_device) if on_device else "cpu"
        bound = Bound(operator.signature, draw_case(request.case, request.seed, where))
        golden_bound = (
            bound if self._golden_on_device or not on_device else bound.replace(_moved(bound.values, "cpu"))
        )
        known = Known.of(operator, golden_bound, request.tolerance)
        return known.with_native(operator, self._native_answer(operator, bound), request.tolerance)

    def _native_answer(self, operator: Operator, bound: Bound) -> Answer | str:
        """What the native implementation leaves behind on the chip, or why it can't."""
        call = bound.replace(_moved(cloned(bound.values), str(self._torch_device)))
        try:
            returned = run(self._native(operator), call)
            self._backend.synchronize(self._device)
        except Exception as error:  # the native operator's refusal makes the case unsupported, whatever it is
            return f"{type(error).__name__}: {error}"
        return observed(operator, call, returned)


def _beside(errors: Errors | None, known: Known) -> Errors | None:
    """A candidate's errors with the native implementation's scale beside them."""
    native = known.native.errors if known.native else None
    return errors.model_copy(update={"native_scale": native.scale}) if errors and native else errors


class _Unbelievable(Exception):
    """A reply that no honest worker sends."""


def _moved(values: dict[str, Any], device: str) -> dict[str, Any]:
    """The arguments on another device, laid out as they were."""
    return {name: _moved_value(value, device) for name, value in values.items()}


def _moved_value(value: Any, device: str) -> Any:
    if isinstance(value, torch.Tensor) and is_far(value):
        return far_copy(value, device)
    if isinstance(value, torch.Tensor):
        data = storage_bytes(value).to(device)
        empty = torch.empty(0, dtype=value.dtype, device=device)
        return empty.set_(data.untyped_storage(), value.storage_offset(), value.size(), value.stride())
    if isinstance(value, list):
        return [_moved_value(item, device) for item in value]
    if isinstance(value, torch.device):
        return torch.device(device)
    if isinstance(value, torch.Generator):
        return torch.Generator(device).manual_seed(value.initial_seed())
    return value


def _answer_of(request: JudgeRequest, descriptors: list[int], known: Known) -> Answer:
    device = known.device
    names = {named.name for named in request.mutated}
    if names != set(known.expected.mutated):
        raise _Unbelievable(
            f"what became of {sorted(known.expected.mutated)} was asked, {sorted(names)} came"
        )
    outputs = [_decoded(output, descriptors, device) for output in request.outputs]
    mutated = {named.name: _tensor(named.value, descriptors, device) for named in request.mutated}
    return Answer(outputs, request.is_sequence, mutated)


def _decoded(output: OutputValue, descriptors: list[int], device: torch.device) -> Any:
    value = output.value
    if isinstance(value, TensorValue):
        count = 1
        for size in value.shape:
            count *= size
        if count * value.dtype.itemsize != value.storage_bytes:
            raise _Unbelievable(f"an output of shape {value.shape} came with {value.storage_bytes} bytes")
        plain = value.model_copy(update={"stride": _row_major(value.shape), "offset": 0})
        return AnswerTensor(_tensor(plain, descriptors, device), value.stride, output.alias)
    if isinstance(value, ForeignValue):
        return Foreign(value.type)
    if not isinstance(value, (PlainValue, ComplexValue)):
        return Foreign(value.kind)
    decoded = unpack(value, [], device)
    return decoded if isinstance(decoded, (bool, int, float, complex)) else Foreign(type(decoded).__name__)


def _row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= max(size, 1)
    return tuple(strides)


def _tensor(value: Any, descriptors: list[int], device: torch.device) -> torch.Tensor:
    if not isinstance(value, TensorValue):
        raise _Unbelievable(f"a tensor was announced and {value.kind} came")
    if value.far:
        count = math.prod(value.shape)
        plain = {
            "stride": _row_major(value.shape),
            "offset": 0,
            "storage_bytes": count * value.dtype.itemsize,
        }
        value = value.model_copy(update={**plain, "far": False})
    try:
        return view_of(read_bytes(descriptors[value.buffer], value.storage_bytes), value).to(device)
    except (IndexError, ValueError, RuntimeError, TypeError, OverflowError) as error:
        raise _Unbelievable(f"a buffer does not hold what was announced: {error}") from error


def _reshaped(request: JudgeRequest, known: Known) -> str:
    """What else than its contents an in-place operator changed of a tensor; empty if nothing."""
    for named in request.mutated:
        before, value = known.bound[named.name], named.value
        assert isinstance(value, TensorValue), "its tensor was made already"
        now = (torch_dtype(value.dtype), value.shape, value.stride, value.offset)
        then = (before.dtype, tuple(before.shape), before.stride(), before.storage_offset())
        if now != then:
            return f"left {named.name} with shape {value.shape} and strides {value.stride}, want {then[1:3]}"
    return ""


def _written_outside(request: JudgeRequest, descriptors: list[int], known: Known) -> str:
    """What an in-place operator wrote outside the view that it was given; empty if nothing."""
    for named in request.mutated:
        value = named.value
        before = known.bound[named.name]
        if (
            not isinstance(value, TensorValue) or value.far
        ):  # the worker's guards watch what is around its rows
            continue
        if value.storage_bytes == before.untyped_storage().nbytes():
            after = read_bytes(descriptors[value.buffer], value.storage_bytes).to(before.device)
            untouched = view_of(after, value)
            untouched.copy_(before)
            if not torch.equal(after, storage_bytes(before)):
                return f"wrote outside the view that {named.name} is"
    return ""


def _handler(backend: Backend, settings: WorkerSettings) -> Handler:
    session = ReferenceSession(backend, settings.device, load_registry())

    def handle(request: Request, message: Message, packer: Packer) -> BaseModel:
        if isinstance(request, PrepareRequest):
            return session.prepare(request, packer)
        if isinstance(request, JudgeRequest):
            return session.judge(request, message.descriptors)
        if isinstance(request, BaselineRequest):
            return session.baseline(request)
        if isinstance(request, NullRequest):
            return session.null()
        if isinstance(request, HealthRequest):
            return session.health()
        raise ProtocolViolation(f"the reference worker does not answer {request.kind}")

    return handle


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], _handler))
