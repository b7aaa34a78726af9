"""Far tensors: elements 2^31 apart reach a candidate and come back without the gigabytes between."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from kgb_core.models.case import Layout
from kgb_core.models.device import Device
from kgb_core.operators.cases import case, fp16, nan, normal, sprinkle
from kgb_core.operators.draw import draw_case
from kgb_core.operators.far import far_copy, far_from, held_bytes, is_far
from kgb_core.plugins.backend import Backend
from kgb_core.worker.buffers import Packer
from kgb_core.worker.protocol import (
    Called,
    CallRequest,
    Collected,
    Loaded,
    LoadRequest,
    NamedValue,
    TensorValue,
)
from kgb_core.worker.session import CandidateSession

ROWS = (5, 37)
BESIDE = """def entry(self):
    row = self[3:]
    row.as_strided((1,), (1,), row.storage_offset() + {distance}).zero_()
    return self
"""
SOURCES = {
    "double": "def entry(self):\n    return self * 2\n",
    "double_": "def entry(self):\n    return self.mul_(2)\n",
    "before": BESIDE.format(distance=-1),
    "after": BESIDE.format(distance=37),
}


@pytest.fixture(autouse=True)
def small(request: pytest.FixtureRequest) -> Iterator[None]:
    """Resident memory must not grow by what a storage announces."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20, (
        "more than 1 GiB was touched"
    )


class Far:
    """A far tensor sent to a candidate in this process, and what came back."""

    def __init__(
        self, backend: Backend, device: Device, tmp_path: Path, name: str, self_: torch.Tensor
    ) -> None:
        path = tmp_path / "candidate.py"
        path.write_text(SOURCES[name], encoding="utf-8")
        self._session = CandidateSession(backend, device)
        assert isinstance(
            self._session.load(LoadRequest(path=str(path), entry="entry", translate=False)), Loaded
        )
        self._mutates = ("self",) if name != "double" else ()
        self._tensor = self_

    def call(self, **changes: Any) -> Called:
        packer = Packer()
        sent = packer.value(self._tensor)
        request = CallRequest(
            arguments=(NamedValue(name="self", value=sent),),
            positional=1,
            **{"mutates": self._mutates, "audit": True, "poison": 7, **changes},
        )
        called = self._session.call(request, packer.descriptors)
        packer.close()
        assert isinstance(called, Called), called
        return called

    def collect(self) -> Collected:
        packer = Packer()
        collected = self._session.collect(packer)
        packer.close()
        assert isinstance(collected, Collected)
        return collected


def a_far_tensor() -> torch.Tensor:
    drawn = draw_case(case("far", self=normal(ROWS, dtype=fp16, layout=Layout.FAR)), 3)["self"]
    assert isinstance(drawn, torch.Tensor)
    return drawn


def test_offsets_need_more_than_32_bits_and_strides_do_not() -> None:
    tensor = a_far_tensor()
    assert tensor[-1].storage_offset() > 2**31
    assert tensor.stride(0) < 2**31
    assert is_far(tensor)
    assert held_bytes(tensor) == 5 * 37 * 2


def test_values_are_those_of_a_contiguous_tensor_of_the_same_seed() -> None:
    near = draw_case(case("near", self=normal(ROWS, dtype=fp16)), 3)["self"]
    assert torch.equal(a_far_tensor(), near)
    assert torch.equal(far_copy(a_far_tensor()), near)
    assert not is_far(near)


@pytest.mark.parametrize("rows", [(), (1, 3), (2, 3)])
def test_fewer_than_three_rows_are_not_far(rows: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="fewer than three rows"):
        far_from(torch.zeros(rows))


def test_a_message_carries_the_elements_only() -> None:
    packer = Packer()
    sent = packer.value(a_far_tensor())

    assert isinstance(sent, TensorValue)
    assert sent.far
    assert os.fstat(packer.descriptors[0]).st_size == 5 * 37 * 2
    packer.close()


def test_a_candidate_reads_and_leaves_it_alone(backend: Backend, device: Device, tmp_path: Path) -> None:
    far = Far(backend, device, tmp_path, "double", a_far_tensor())
    seen = far.call().observations
    assert (seen.mutated, seen.guards) == ((), ())
    (output,) = far.collect().outputs
    assert isinstance(output.value, TensorValue)
    assert output.value.shape == ROWS


def test_a_candidate_writes_it_in_place_twice(backend: Backend, device: Device, tmp_path: Path) -> None:
    far = Far(backend, device, tmp_path, "double_", a_far_tensor())
    for reuse in (False, True):
        seen = far.call(reuse=reuse).observations
        assert (seen.mutated, seen.guards) == ((), ())
        (mutated,) = far.collect().mutated
        assert isinstance(mutated.value, TensorValue)
        assert mutated.value.far
        assert mutated.value.stride == a_far_tensor().stride()
        assert mutated.value.offset == 0


def test_a_write_that_is_not_allowed_is_seen(backend: Backend, device: Device, tmp_path: Path) -> None:
    far = Far(backend, device, tmp_path, "double_", a_far_tensor())
    assert far.call(mutates=()).observations.mutated == ("self",)


@pytest.mark.parametrize("name", ["before", "after"])
def test_a_write_beside_a_row_is_seen(backend: Backend, device: Device, tmp_path: Path, name: str) -> None:
    far = Far(backend, device, tmp_path, name, a_far_tensor())
    assert far.call().observations.guards == ("input 0",)


def test_nan_does_not_look_like_a_change(backend: Backend, device: Device, tmp_path: Path) -> None:
    drawn = draw_case(case("far", self=sprinkle(ROWS, nan, dtype=fp16, layout=Layout.FAR)), 3)["self"]
    assert Far(backend, device, tmp_path, "double", drawn).call().observations.mutated == ()
