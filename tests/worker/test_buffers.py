"""Tensors through shared memory: any dtype and layout, one buffer a storage, and no change after sending."""

from __future__ import annotations

import mmap
import os
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kgb_core.models.case import Layout, MemoryFormat, TensorSpec
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Integers
from kgb_core.operators.draw import draw_tensor
from kgb_core.worker.buffers import (
    Packer,
    map_bytes,
    read_bytes,
    share_bytes,
    storage_bytes,
    unpack,
    view_of,
)
from kgb_core.worker.protocol import (
    ForeignValue,
    MemoryFormatValue,
    PlainValue,
    TensorsValue,
    TensorValue,
)

CPU = torch.device("cpu")


def through(*items: Any) -> list[Any]:
    """What arrives of values that are sent in one message."""
    packer = Packer()
    values = [packer.value(item) for item in items]
    sizes = _sizes(values)
    storages = [read_bytes(fd, sizes[i]) for i, fd in enumerate(packer.descriptors)]
    packer.close()
    return [
        unpack(type(value).model_validate_json(value.model_dump_json()), storages, CPU) for value in values
    ]


def _sizes(values: list[Any]) -> dict[int, int]:
    flat = [v for value in values for v in (value.items if isinstance(value, TensorsValue) else [value])]
    return {v.buffer: v.storage_bytes for v in flat if isinstance(v, TensorValue)}


def raw(tensor: torch.Tensor) -> bytes:
    return storage_bytes(tensor).numpy().tobytes()


@settings(max_examples=120)
@given(
    dtype=st.sampled_from(DType),
    layout=st.sampled_from([x for x in Layout if x is not Layout.FAR]),
    shape=st.lists(st.integers(0, 5), max_size=4).map(tuple),
    seed=st.integers(0, 99),
)
def test_any_tensor_arrives_as_it_was_bit_by_bit(
    dtype: DType, layout: Layout, shape: tuple[int, ...], seed: int
) -> None:
    assume(layout is not Layout.CHANNELS_LAST or len(shape) == 4)
    x = draw_tensor(TensorSpec(shape=shape, dtype=dtype, layout=layout), seed)
    (y,) = through(x)
    assert (y.dtype, y.shape, y.stride(), y.storage_offset()) == (
        x.dtype,
        x.shape,
        x.stride(),
        x.storage_offset(),
    )
    assert raw(y) == raw(x)


def test_payloads_of_nan_arrive() -> None:
    x = torch.tensor([0x7FC00001, -0x003FFFFF, 0x7F800001], dtype=torch.int32).view(torch.float32)
    (y,) = through(x)
    assert torch.equal(y.view(torch.int32), x.view(torch.int32))


def test_tensors_of_one_storage_share_a_buffer_and_the_memory() -> None:
    x = torch.arange(12.0).reshape(3, 4)
    packer = Packer()
    values = [packer.value(item) for item in (x, x[1], x.t(), x.clone())]
    assert [value.buffer for value in values if isinstance(value, TensorValue)] == [0, 0, 0, 1]
    packer.close()
    whole, row = through(x, x[1])
    row.zero_()
    assert whole[1].tolist() == [0, 0, 0, 0]


def test_a_freed_storage_does_not_lend_its_address() -> None:
    """Temporary tensors may be given the same memory one after another; each has its own content."""
    packer = Packer()
    values = [packer.value(torch.full((1000,), float(n))) for n in range(20)]
    assert len({value.buffer for value in values if isinstance(value, TensorValue)}) == 20
    packer.close()


def test_a_list_arrives_as_a_list() -> None:
    (many,) = through([torch.ones(2), torch.zeros(3, dtype=torch.bool)])
    assert [item.tolist() for item in many] == [[1, 1], [False] * 3]


def test_what_a_list_leaves_out_stays_out() -> None:
    first, tensor, last = through([None, torch.ones(2), None])[0]
    assert (first, tensor.tolist(), last) == (None, [1, 1], None)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(st.characters(exclude_categories=["Cs"])),
)


@given(SCALARS | st.lists(st.one_of(st.none(), st.booleans(), st.integers(), st.floats()), max_size=4))
def test_plain_values_keep_type_and_value(item: Any) -> None:
    (found,) = through(item)
    assert repr(found) == repr(item)


@given(st.complex_numbers())
def test_complex_numbers_arrive(item: complex) -> None:
    (found,) = through(item)
    assert repr(found) == repr(item)


def test_what_torch_has_of_its_own_arrives() -> None:
    generator = torch.Generator().manual_seed(99)
    dtype, order, device, drawn = through(torch.bfloat16, torch.channels_last, torch.device("cpu"), generator)
    assert (dtype, order, device) == (torch.bfloat16, torch.channels_last, CPU)
    assert drawn.initial_seed() == 99
    assert MemoryFormatValue(format=MemoryFormat.PRESERVE).format.value == "preserve_format"


class Odd:
    """Something that no operator returns."""


@pytest.mark.parametrize(
    "item",
    [Odd(), {}, (1, 2), torch.nn.Parameter(torch.ones(1)), [torch.ones(1), 2], b"bytes", float],
    ids=lambda item: type(item).__name__,
)
def test_of_anything_else_only_the_type_is_told(item: Any) -> None:
    packer = Packer()
    value = packer.value(item)
    assert isinstance(value, ForeignValue)
    assert type(item).__qualname__ in value.type
    assert packer.descriptors == []


def test_a_subclass_of_a_number_is_not_a_number() -> None:
    class Sly(int):
        pass

    assert isinstance(Packer().value(Sly(3)), ForeignValue)
    assert isinstance(Packer().value(3), PlainValue)


# The memory itself.


@pytest.fixture
def sealed() -> Any:
    descriptor = share_bytes(torch.arange(100, dtype=torch.uint8))
    yield descriptor
    os.close(descriptor)


def test_sent_memory_cannot_be_written(sealed: int) -> None:
    with pytest.raises(PermissionError):
        os.pwrite(sealed, b"x", 0)
    with pytest.raises(PermissionError):
        mmap.mmap(sealed, 100, access=mmap.ACCESS_WRITE)
    assert read_bytes(sealed, 100).tolist() == list(range(100))


def test_sent_memory_can_neither_grow_nor_shrink(sealed: int) -> None:
    for size in (10, 1000):
        with pytest.raises(PermissionError):
            os.ftruncate(sealed, size)


def test_a_mapping_is_private(sealed: int) -> None:
    mapped = map_bytes(sealed, 100)
    mapped.zero_()
    assert read_bytes(sealed, 100).tolist() == list(range(100))
    assert map_bytes(sealed, 100).tolist() == list(range(100))


def test_less_memory_than_announced_is_refused(sealed: int) -> None:
    with pytest.raises(ValueError, match="100 bytes, 101 announced"):
        read_bytes(sealed, 101)


def test_no_bytes_are_no_bytes() -> None:
    descriptor = share_bytes(torch.empty(0, dtype=torch.uint8))
    assert read_bytes(descriptor, 0).numel() == map_bytes(descriptor, 0).numel() == 0
    os.close(descriptor)


OUTSIDE: dict[str, tuple[tuple[int, ...], tuple[int, ...], int]] = {
    "too many elements": ((4, 4), (4, 1), 0),
    "too long a step": ((3,), (6,), 0),
    "one too far": ((12,), (1,), 1),
    "behind the end": ((1,), (1,), 12),
    "a negative size": ((-1,), (1,), 0),
    "a negative step": ((2,), (-1,), 2),
    "a negative start": ((2,), (1,), -1),
    "one step missing": ((2, 2), (1,), 0),
}


def laid_out(shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> torch.Tensor:
    """A view of 48 bytes."""
    return view_of(torch.zeros(48, dtype=torch.uint8), described(shape, stride, offset))


def described(shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> TensorValue:
    return TensorValue(
        dtype=DType.FLOAT32, shape=shape, stride=stride, offset=offset, storage_bytes=48, buffer=0
    )


@pytest.mark.parametrize("layout", OUTSIDE.values(), ids=OUTSIDE)
def test_a_layout_outside_its_bytes_is_refused(
    layout: tuple[tuple[int, ...], tuple[int, ...], int],
) -> None:
    with pytest.raises(ValueError, match=r"does not fit|argument"):
        laid_out(*layout)


@settings(max_examples=80)
@given(
    shape=st.lists(st.integers(0, 4), max_size=3).map(tuple),
    stride=st.lists(st.integers(0, 5), min_size=3, max_size=3),
    offset=st.integers(0, 13),
)
def test_a_view_never_reaches_outside_its_bytes(
    shape: tuple[int, ...], stride: list[int], offset: int
) -> None:
    data = torch.zeros(48, dtype=torch.uint8)
    try:
        view = view_of(data, described(shape, tuple(stride[: len(shape)]), offset))
    except ValueError:
        return
    assert view.untyped_storage().nbytes() == 48, "the storage was made longer"
    assert view.untyped_storage().data_ptr() == data.untyped_storage().data_ptr()


@pytest.mark.parametrize("shape", [(3, 4), (12,), (0, 99), ()])
def test_a_layout_inside_its_bytes_is_taken(shape: tuple[int, ...]) -> None:
    assert laid_out(shape, torch.empty(shape).stride(), 0).shape == shape


def test_closing_gives_every_descriptor_back() -> None:
    before = len(os.listdir("/proc/self/fd"))
    packer = Packer()
    for n in range(5):
        packer.value(draw_tensor(TensorSpec(shape=(n,), dtype=DType.INT8, values=Integers()), n))
    assert len(os.listdir("/proc/self/fd")) == before + 5
    packer.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_dtype_without_a_name_here_is_an_error() -> None:
    with pytest.raises(ValueError, match="uint16"):
        Packer().value(torch.zeros(1, dtype=torch.uint16))
