"""What a candidate's worker does with a call: lays inputs out, watches, hands over what was left behind."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import torch

from kgb_core.models.case import Case, Layout
from kgb_core.models.device import Device
from kgb_core.models.dtypes import DType
from kgb_core.operators.cases import case, fp32, normal
from kgb_core.operators.draw import draw_case, draw_tensor
from kgb_core.plugins.backend import Backend
from kgb_core.worker.buffers import Packer, read_bytes, view_of
from kgb_core.worker.protocol import (
    Called,
    CallRequest,
    Collected,
    Failed,
    ForeignValue,
    LoadRequest,
    NamedValue,
    Observations,
    PlainValue,
    Stage,
    TensorsValue,
    TensorValue,
)
from kgb_core.worker.session import CandidateSession

X = torch.arange(12.0).reshape(3, 4)


@dataclass
class Bench:
    """A session with one candidate.

    Attributes:
        session: that has loaded it.
        packer: holds what was collected last.
    """

    session: CandidateSession
    packer: Packer = field(default_factory=Packer)

    def call(self, *values: Any, **changes: Any) -> Called | Failed:
        """Call with values by position."""
        packer = Packer()
        named = tuple(NamedValue(name=f"a{i}", value=packer.value(v)) for i, v in enumerate(values))
        fields: dict[str, Any] = {"arguments": named, "positional": len(named), "audit": True, "poison": 1}
        try:
            return self.session.call(CallRequest(**{**fields, **changes}), packer.descriptors)
        finally:
            packer.close()

    def seen(self, *values: Any, **changes: Any) -> Observations:
        """What was observed of a call that returned."""
        reply = self.call(*values, **changes)
        assert isinstance(reply, Called), reply
        return reply.observations

    def collect(self) -> Collected:
        """What was left behind."""
        self.packer.close()
        self.packer = Packer()
        reply = self.session.collect(self.packer)
        assert isinstance(reply, Collected), reply
        return reply

    def output(self) -> tuple[torch.Tensor, TensorValue, str | None]:
        """The one output: its elements, what is told of it, and the argument whose memory it shares."""
        (output,) = self.collect().outputs
        assert isinstance(output.value, TensorValue)
        row_major = torch.empty(output.value.shape).stride()
        plain = output.value.model_copy(update={"stride": row_major, "offset": 0})
        return self.contents(plain), output.value, output.alias

    def contents(self, value: TensorValue) -> torch.Tensor:
        return view_of(read_bytes(self.packer.descriptors[value.buffer], value.storage_bytes), value)


@pytest.fixture
def bench_of(backend: Backend, device: Device, tmp_path: Path) -> Iterator[Callable[[str], Bench]]:
    """Loads a candidate whose entry has this body; its arguments are a, b, c."""
    path, benches = tmp_path / "law__session.py", []

    def loaded(body: str) -> Bench:
        path.write_text(f"import torch\nkept = []\n\ndef entry(a=None, b=None, c=None):\n    {body}\n")
        session = CandidateSession(backend, device)
        session.load(LoadRequest(path=str(path), entry="entry", translate=False))
        benches.append(Bench(session))
        return benches[-1]

    yield loaded
    for bench in benches:
        bench.packer.close()
    sys.modules.pop(path.stem, None)


Benches = Callable[[str], Bench]


@pytest.mark.parametrize("layout", [x for x in Layout if x not in (Layout.CHANNELS_LAST, Layout.FAR)])
def test_inputs_lie_as_they_were_sent(bench_of: Benches, layout: Layout) -> None:
    x = draw_tensor(normal((3, 4), dtype=fp32, layout=layout), 1)
    bench = bench_of("return str((a.shape, a.stride(), a.sum().item() if a.numel() else 0))")
    assert bench.seen(x)
    (output,) = bench.collect().outputs
    assert output.value == PlainValue(text=str((x.shape, x.stride(), x.sum().item())))


def test_an_answer_is_handed_over_with_its_layout(bench_of: Benches) -> None:
    bench = bench_of("return (a * 2).t()")
    assert bench.seen(X).aten == {"aten::mul": 1, "aten::t": 1}
    elements, told, alias = bench.output()
    assert torch.equal(elements, (X * 2).t())
    assert (told.shape, told.stride, alias) == ((4, 3), (1, 4), None)


def test_arguments_by_name_arrive(bench_of: Benches) -> None:
    bench = bench_of("return b")
    packer = Packer()
    named = (NamedValue(name="b", value=packer.value(3)),)
    assert isinstance(bench.session.call(CallRequest(arguments=named, positional=0), []), Called)
    assert bench.collect().outputs[0].value == PlainValue(value=3)


def test_inputs_may_share_memory(bench_of: Benches) -> None:
    bench = bench_of("a[0, 0] = 99; return b.clone()")
    assert bench.seen(X, X[:1], mutates=("a0",)).mutated == ()
    assert bench.output()[0][0, 0] == 99


def test_a_changed_input_is_named(bench_of: Benches) -> None:
    bench = bench_of("b.add_(1); return a * 1")
    assert bench.seen(X, X + 1).mutated == ("a1",)
    assert bench.seen(X, X + 1, audit=False).mutated == ("a1",)
    assert bench.seen(X, X + 1, mutates=("a1",)).mutated == ()


def test_a_changed_tensor_of_a_list_is_named(bench_of: Benches) -> None:
    bench = bench_of("a[1].zero_(); return a[0] * 1")
    assert bench.seen([X, X + 1]).mutated == ("a0[1]",)


def test_an_element_between_those_of_a_view_is_an_input_too(bench_of: Benches) -> None:
    bench = bench_of("a.as_strided((1,), (1,), a.storage_offset() + 1).zero_(); return a * 1")
    assert bench.seen(torch.ones(3, 8)[:, ::2]).mutated == ("a0",)


@pytest.mark.parametrize("audit", [True, False])
def test_a_write_outside_an_input_is_seen(bench_of: Benches, audit: bool) -> None:
    bench = bench_of("import ctypes; ctypes.memset(b.data_ptr() + b.nbytes, 7, 9); return a * 1")
    assert bench.seen(X, X + 1, audit=audit).guards == ("input 1",)


def test_an_input_can_be_addressed_from_the_start_of_its_storage(bench_of: Benches) -> None:
    bench = bench_of("return a.as_strided((2,), (3,), 5)")
    assert bench.seen(X[1:]).guards == ()
    elements, told, alias = bench.output()
    assert elements.tolist() == [5, 8]
    assert (told.offset, alias) == (5, "a0")


def test_a_write_outside_an_output_is_seen(bench_of: Benches) -> None:
    body = "out = torch.empty_like(a); out.as_strided((13,), (1,), out.storage_offset()).fill_(7); return out"
    assert bench_of(body).seen(X).guards == ("allocation 0 (3, 4)",)


def test_memory_that_nobody_wrote_differs_from_call_to_call(bench_of: Benches) -> None:
    bench, found = bench_of("return torch.empty_like(a)"), []
    for poison in (1, 2, 1):
        bench.seen(X, poison=poison)
        found.append(bench.output()[0])
    assert torch.equal(found[0], found[2])
    assert not torch.equal(found[0], found[1])
    assert not torch.equal(found[0], X)


@pytest.mark.parametrize(
    ("body", "alias"),
    [
        ("return a", "a0"),
        ("return b[1]", "a1"),
        ("return a.clone()", None),
        ("return c[1].view(-1)", "a2[1]"),
    ],
)
def test_shared_memory_is_told(bench_of: Benches, body: str, alias: str | None) -> None:
    bench = bench_of(body)
    bench.seen(X, X + 1, [X + 2, X + 3])
    assert bench.output()[2] == alias


def test_what_becomes_of_a_changed_argument_is_handed_over_whole(bench_of: Benches) -> None:
    bench = bench_of("a.mul_(2); return a")
    storage = torch.arange(24.0).reshape(3, 8)
    bench.seen(storage[:, 1::2], mutates=("a0",))
    (left,) = bench.collect().mutated
    assert isinstance(left.value, TensorValue)
    assert (left.value.stride, left.value.offset, left.value.storage_bytes) == ((8, 2), 1, 96)
    assert torch.equal(bench.contents(left.value), storage[:, 1::2] * 2)
    whole = left.value.model_copy(update={"shape": (24,), "stride": (1,), "offset": 0})
    expected = storage.clone()
    expected[:, 1::2] *= 2
    assert torch.equal(bench.contents(whole), expected.flatten())


def test_new_contents_may_come_to_the_same_addresses(bench_of: Benches) -> None:
    bench = bench_of("return a.data_ptr()")
    addresses = []
    for n, reuse in enumerate([False, True, True]):
        bench.seen(X + n, reuse=reuse)
        (output,) = bench.collect().outputs
        assert isinstance(output.value, PlainValue)
        addresses.append(output.value.value)
    assert len(set(addresses)) == 1
    bench = bench_of("return a * 1")
    bench.seen(X)
    bench.seen(X + 5, reuse=True)
    assert torch.equal(bench.output()[0], X + 5)


def test_inputs_can_be_drawn_where_the_candidate_runs(bench_of: Benches) -> None:
    bench = bench_of("return a - b")
    shape = normal((3, 4), dtype=fp32, layout=Layout.STRIDED)
    made: Case = case("", a=shape, b=shape)
    reply = bench.session.call(CallRequest(case=made, seed=9, positional=2, audit=True, poison=1), [])
    assert isinstance(reply, Called)
    drawn = draw_case(made, 9)
    assert torch.equal(bench.output()[0], drawn["a"] - drawn["b"])
    assert reply.observations.mutated == reply.observations.guards == ()


OUTPUTS: dict[str, tuple[str, type]] = {
    "None": ("return None", PlainValue),
    "a number": ("return a.numel()", PlainValue),
    "a subclass": ("return torch.nn.Parameter(a)", ForeignValue),
    "an array": ("return a.numpy()", ForeignValue),
    "a dict": ("return {'a': a}", ForeignValue),
    "another device": ("return a.to('meta')", ForeignValue),
    "a function": ("return entry", ForeignValue),
}


@pytest.mark.parametrize(("body", "kind"), OUTPUTS.values(), ids=OUTPUTS)
def test_anything_may_be_returned(bench_of: Benches, body: str, kind: type) -> None:
    bench = bench_of(body)
    bench.call(X)
    (output,) = bench.collect().outputs
    assert type(output.value) is kind


def test_sequences_are_told_from_single_outputs(bench_of: Benches) -> None:
    bench = bench_of("return b")
    for returned, count in (([X], 1), ([X, X + 1], 2)):
        bench.call(X, returned)
        collected = bench.collect()
        assert (collected.is_sequence, len(collected.outputs)) == (True, count)
    nested = bench_of("return [[a, a]]")
    nested.call(X)
    assert isinstance(nested.collect().outputs[0].value, TensorsValue)


def test_an_output_that_can_not_be_sent_is_a_failure_of_the_output(bench_of: Benches) -> None:
    for body in ("return a.to(torch.uint16)", "return a.to_sparse()"):
        bench = bench_of(body)
        bench.call(X)
        reply = bench.session.collect(Packer())
        assert isinstance(reply, Failed)
        assert reply.stage is Stage.OUTPUT


@pytest.mark.parametrize(
    ("body", "stage", "name"),
    [
        ("raise ValueError('no')", Stage.CALL, "ValueError"),
        ("raise SystemExit(0)", Stage.CALL, "SystemExit"),
        ("raise KeyboardInterrupt", Stage.CALL, "KeyboardInterrupt"),
    ],
)
def test_whatever_is_raised_is_a_reply(bench_of: Benches, body: str, stage: Stage, name: str) -> None:
    bench = bench_of(body)
    reply = bench.call(X)
    assert isinstance(reply, Failed)
    assert (reply.stage, reply.type, reply.declined) == (stage, name, True)
    assert isinstance(bench.call(X), Failed), "and it can be called again"


def test_a_call_that_does_not_fit_is_not_made(bench_of: Benches) -> None:
    reply = bench_of("kept.append(1)").call(X, X, X, X)
    assert isinstance(reply, Failed)
    assert reply.stage is Stage.SIGNATURE


def test_an_unwatched_call_is_only_timed(bench_of: Benches) -> None:
    seen = bench_of("return a.softmax(1)").seen(X, audit=False)
    assert (seen.aten, seen.launches) == ({}, 0)


def test_every_dtype_reaches_a_candidate_and_comes_back(bench_of: Benches) -> None:
    bench = bench_of("return a.clone()")
    for dtype in DType:
        x = draw_tensor(normal((5, 7), dtype=dtype), 3)
        bench.seen(x)
        elements, told, _ = bench.output()
        assert told.dtype is dtype
        assert torch.equal(elements.view(torch.uint8), x.view(torch.uint8))
