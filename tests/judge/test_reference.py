"""The reference worker's answers: what it prepares, and what it thinks of replies, forged ones among them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch

from kgb_core.judge.reference import ReferenceSession
from kgb_core.models.case import Case, Layout
from kgb_core.models.device import Device
from kgb_core.models.dtypes import DType
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.operators.cases import case, fp32, normal
from kgb_core.operators.registry import registry_of
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import Operator
from kgb_core.plugins.backend import Backend
from kgb_core.worker.buffers import Packer, read_bytes, unpack
from kgb_core.worker.protocol import (
    BaselineRequest,
    ComplexValue,
    DTypeValue,
    ForeignValue,
    GeneratorValue,
    JudgeRequest,
    NamedValue,
    OutputValue,
    PlainValue,
    Prepared,
    PrepareRequest,
    TensorsValue,
    TensorValue,
)

TOLERANCE = Tolerance(ulps=1.0)
FLAT = case("flat", self=normal((3, 4), dtype=fp32))
STRIDED = case("strided", self=normal((3, 4), dtype=fp32, layout=Layout.STRIDED))


def double(self: torch.Tensor, factor: float = 2) -> torch.Tensor:
    """Twice each."""
    return self * factor


def double_(self: torch.Tensor) -> torch.Tensor:
    """Twice each, in place."""
    return self.mul_(2)


def floats_only(self: torch.Tensor) -> torch.Tensor:
    """Nothing for floats."""
    if self.dtype is torch.float32:
        raise NotImplementedError("no float32 here")
    return self


def wrong(self: torch.Tensor) -> torch.Tensor:
    """Something else than the truth."""
    return self + 1


OPERATORS = [
    Operator("law::double", double, Elementwise(ulps=1), flops=lambda self, factor=2: float(self.numel())),
    Operator("law::double_", double_, Elementwise(ulps=1), mutates=frozenset({"self"})),
    Operator("law::like", double, Elementwise(ulps=1), unread=frozenset({"self"})),
    Operator("law::wrong", wrong, Elementwise(ulps=1), golden=double),
    Operator("law::half", lambda self: self.half(), Elementwise(ulps=1), golden=lambda self: self.clone()),
]


@pytest.fixture(scope="module")
def session(backend: Backend, device: Device) -> ReferenceSession:
    return ReferenceSession(backend, device, registry_of(OPERATORS))


@dataclass
class Reply:
    """What a candidate's worker sends back; every part of it may be forged.

    Attributes:
        case: of the call.
        packer: holds the buffers.
        outputs: as a worker encodes them.
        mutated: likewise.
    """

    case: Case
    packer: Packer = field(default_factory=Packer)
    outputs: list[OutputValue] = field(default_factory=list)
    mutated: list[NamedValue] = field(default_factory=list)
    is_sequence: bool = False

    def output(self, value: Any, alias: str | None = None) -> Reply:
        """Add an output: a tensor, or a value as it is on the wire."""
        if isinstance(value, torch.Tensor):
            sent = self.packer.tensor(value.contiguous().clone())
            value = sent.model_copy(update={"stride": tuple(value.stride())})
        self.outputs.append(OutputValue(value=value, alias=alias))
        return self

    def left(self, name: str, tensor: torch.Tensor, **changes: Any) -> Reply:
        """Add what became of an argument."""
        value = self.packer.tensor(tensor).model_copy(update=changes)
        self.mutated.append(NamedValue(name=name, value=value))
        return self

    def judged(self, session: ReferenceSession, operator: str = "law::double") -> tuple[Verdict, str]:
        """The verdict on it, and the reason."""
        request = JudgeRequest(
            operator=operator,
            case=self.case,
            seed=5,
            tolerance=TOLERANCE,
            outputs=tuple(self.outputs),
            is_sequence=self.is_sequence,
            mutated=tuple(self.mutated),
        )
        try:
            found = session.judge(request, self.packer.descriptors)
        finally:
            self.packer.close()
        return found.verdict, found.message


def prepared(session: ReferenceSession, made: Case, operator: str = "law::double") -> tuple[Prepared, Any]:
    """What is prepared for a call, and its first argument as a candidate gets it."""
    packer = Packer()
    request = PrepareRequest(operator=operator, case=made, seed=5, tolerance=TOLERANCE)
    reply = session.prepare(request, packer)
    value = reply.arguments[0].value
    assert isinstance(value, TensorValue)
    storage = read_bytes(packer.descriptors[value.buffer], value.storage_bytes)
    packer.close()
    return reply, unpack(value, [storage], torch.device("cpu"))


@pytest.fixture
def x(session: ReferenceSession) -> torch.Tensor:
    """The input of a flat call."""
    found: torch.Tensor = prepared(session, FLAT)[1]
    return found


@pytest.fixture
def view(session: ReferenceSession) -> torch.Tensor:
    """The input of an in-place call on a view."""
    found: torch.Tensor = prepared(session, STRIDED, "law::double_")[1]
    return found


def test_inputs_are_laid_out_as_the_case_says(session: ReferenceSession) -> None:
    reply, x = prepared(session, STRIDED)
    assert (x.shape, x.stride(), x.storage_offset()) == ((3, 4), (9, 2), 1)
    assert (reply.positional, reply.numel, reply.flops) == (1, 12, 12.0)
    assert (reply.bytes_read, reply.bytes_written) == (48, 48)
    assert (reply.native_error, reply.invalid) == ("", "")


def test_what_need_not_be_read_counts_only_what_is_written(session: ReferenceSession) -> None:
    reply, _ = prepared(session, STRIDED, "law::like")
    assert (reply.bytes_read, reply.bytes_written) == (0, 48)


def test_the_same_seed_gives_the_same_inputs(session: ReferenceSession, x: torch.Tensor) -> None:
    assert torch.equal(prepared(session, FLAT)[1], x)


def test_inputs_that_a_candidate_draws_itself_are_not_sent(session: ReferenceSession) -> None:
    packer = Packer()
    request = PrepareRequest(operator="law::double", case=FLAT, seed=5, tolerance=TOLERANCE, ship=False)
    assert session.prepare(request, packer).arguments == ()
    assert packer.descriptors == []


def test_a_case_whose_reference_is_wrong_is_invalid(session: ReferenceSession) -> None:
    reply, _ = prepared(session, FLAT, "law::wrong")
    assert reply.invalid.startswith("the native implementation: got ")


def test_a_baseline_that_cannot_makes_a_case_unsupported(backend: Backend, device: Device) -> None:
    class Refusing:
        def __getattr__(self, name: str) -> Any:
            return getattr(backend, name)

        def baseline(self, operator: str, device: Device) -> Callable[..., Any]:
            return floats_only

    refusing: Any = Refusing()
    session = ReferenceSession(refusing, device, registry_of(OPERATORS))
    assert prepared(session, FLAT)[0].native_error == "NotImplementedError: no float32 here"


def test_times_are_measured_with_their_method(session: ReferenceSession) -> None:
    baseline = session.baseline(BaselineRequest(operator="law::double", case=FLAT, seed=5))
    assert baseline.device_ns > 0
    assert baseline.method is session.null().method


def test_the_interpreter_is_healthy(session: ReferenceSession) -> None:
    assert session.health().usable


# Replies.


def test_the_right_answer_passes(session: ReferenceSession, x: torch.Tensor) -> None:
    assert Reply(FLAT).output(x * 2).judged(session) == (Verdict.PASSED, "")


def test_a_wrong_one_does_not(session: ReferenceSession, x: torch.Tensor) -> None:
    verdict, message = Reply(FLAT).output(x).judged(session)
    assert verdict is Verdict.WRONG_VALUE
    assert message.startswith("got ")


def test_strides_are_those_that_the_candidate_had(session: ReferenceSession, x: torch.Tensor) -> None:
    verdict, message = Reply(FLAT).output(torch.empty(3, 8)[:, ::2].copy_(x * 2)).judged(session)
    assert (verdict, message) == (
        Verdict.WRONG_SHAPE,
        "strides (8, 2), want (4, 1) or any without holes",
    )


A_TENSOR = TensorValue(dtype=DType.FLOAT32, shape=(12,), stride=(1,), offset=0, storage_bytes=48, buffer=0)


@pytest.mark.parametrize(
    "value",
    [
        ForeignValue(type="numpy.ndarray"),
        PlainValue(),
        PlainValue(text="done"),
        PlainValue(items=(1, 2)),
        PlainValue(value=3),
        ComplexValue(real=1, imag=2),
        DTypeValue(dtype=DType.FLOAT16),
        GeneratorValue(seed=2**80),
        TensorsValue(items=(A_TENSOR,)),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_no_tensor_is_the_wrong_structure(session: ReferenceSession, value: Any) -> None:
    verdict, message = Reply(FLAT).output(value).judged(session)
    assert verdict is Verdict.WRONG_STRUCTURE
    assert message.endswith("want a tensor")


def test_a_list_of_the_right_answer_is_the_wrong_structure(
    session: ReferenceSession, x: torch.Tensor
) -> None:
    reply = Reply(FLAT, is_sequence=True).output(x * 2)
    assert reply.judged(session)[0] is Verdict.WRONG_STRUCTURE


FORGED = {
    "more bytes than elements": {"storage_bytes": 96},
    "more elements than bytes": {"shape": (3, 400)},
    "a buffer that was not sent": {"buffer": 7},
    "another size of element": {"dtype": DType.FLOAT64},
    "negative sizes": {"shape": (-3, -4)},
    "a smaller buffer": {"shape": (30, 4), "storage_bytes": 480},
}


@pytest.mark.parametrize("changes", FORGED.values(), ids=FORGED)
def test_a_description_that_its_buffer_does_not_fit_is_tampering(
    session: ReferenceSession, x: torch.Tensor, changes: dict[str, Any]
) -> None:
    reply = Reply(FLAT).output(x * 2)
    value = reply.outputs[0].value.model_copy(update=changes)
    reply.outputs = [OutputValue(value=value)]
    assert reply.judged(session)[0] is Verdict.TAMPERING


# In place.


def in_place(view: torch.Tensor, *outside: int) -> torch.Tensor:
    """The view doubled as it should be, and further places of its storage zeroed."""
    view.mul_(2)
    for place in outside:
        view.as_strided((1,), (1,), place).zero_()
    return view


def test_a_view_changed_in_place_passes(session: ReferenceSession, view: torch.Tensor) -> None:
    done = in_place(view)
    reply = Reply(STRIDED).output(done, "self").left("self", done)
    assert reply.judged(session, "law::double_") == (Verdict.PASSED, "")


@pytest.mark.parametrize("outside", [0, 2, 26], ids=["before", "between", "behind"])
def test_a_write_outside_the_view_is_seen(
    session: ReferenceSession, view: torch.Tensor, outside: int
) -> None:
    done = in_place(view, outside)
    reply = Reply(STRIDED).output(done, "self").left("self", done)
    assert reply.judged(session, "law::double_") == (
        Verdict.WRONG_ALIAS,
        "wrote outside the view that self is",
    )


RESHAPED: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "transposed": lambda view: view.t(),
    "resized": lambda view: view[:2],
    "flattened": lambda view: view.as_strided((12,), (1,), 0),
    "moved": lambda view: view.as_strided((3, 4), (9, 2), 0),
}


@pytest.mark.parametrize("reshape", RESHAPED.values(), ids=RESHAPED)
def test_an_argument_must_keep_its_shape(
    session: ReferenceSession, view: torch.Tensor, reshape: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    done = in_place(view)
    reply = Reply(STRIDED).output(done, "self").left("self", reshape(done))
    assert reply.judged(session, "law::double_")[0] is Verdict.WRONG_SHAPE


def test_memory_that_was_not_sent_is_tampering(session: ReferenceSession, view: torch.Tensor) -> None:
    done = in_place(view)
    reply = Reply(STRIDED).output(done, "self").left("self", done, storage_bytes=4)
    assert reply.judged(session, "law::double_")[0] is Verdict.TAMPERING


@pytest.mark.parametrize("names", [[], ["other"], ["self", "other"]], ids=repr)
def test_only_what_was_asked_may_be_reported(
    session: ReferenceSession, view: torch.Tensor, names: list[str]
) -> None:
    done = in_place(view)
    reply = Reply(STRIDED).output(done, "self")
    for name in names:
        reply.left(name, done)
    assert reply.judged(session, "law::double_")[0] is Verdict.TAMPERING


def test_no_descriptor_is_kept(session: ReferenceSession) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        _, x = prepared(session, FLAT)
        Reply(FLAT).output(x * 2).judged(session)
    assert len(os.listdir("/proc/self/fd")) == before
