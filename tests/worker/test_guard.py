"""Guard zones see every write outside a tensor and none inside; poison is ordinary and never the same."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from kgb_core.models.dtypes import DType
from kgb_core.operators.draw import torch_dtype
from kgb_core.worker.guard import GUARD_BYTES, Guarded, Poison

CPU = torch.device("cpu")
DTYPES = [torch_dtype(dtype) for dtype in DType]


def poison(seed: int = 1) -> Poison:
    return Poison(seed, CPU)


@settings(max_examples=60)
@given(
    size=st.integers(0, 100),
    where=st.one_of(st.integers(0, 300), st.integers(GUARD_BYTES - 2, GUARD_BYTES + 101), st.just(-1)),
    flipped=st.integers(1, 255),
)
def test_a_changed_byte_outside_is_seen_and_one_inside_is_not(size: int, where: int, flipped: int) -> None:
    guarded = Guarded.storage(size, "x", poison())
    assert guarded.tensor.numel() == size
    place = where % guarded.whole.numel()
    guarded.whole[place] ^= flipped
    inside = GUARD_BYTES <= place < GUARD_BYTES + size
    assert guarded.broken() != inside


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_guarded_tensor_is_like_its_model(dtype: torch.dtype) -> None:
    like = torch.ones(3, 5).to(dtype).t()
    guarded = Guarded.around(like, "x", poison(), keep=True)
    copy = guarded.tensor
    assert (copy.dtype, copy.shape, copy.stride()) == (like.dtype, like.shape, like.stride())
    assert torch.equal(copy.contiguous().view(torch.uint8), like.contiguous().view(torch.uint8))
    assert copy.data_ptr() % 256 == guarded.whole.data_ptr() % 256
    assert not guarded.broken()


@pytest.mark.parametrize("offset", [-1, 15], ids=["before", "behind"])
def test_one_element_outside_is_seen(offset: int) -> None:
    guarded = Guarded.around(torch.zeros(3, 5), "x", poison(), keep=True)
    place = guarded.tensor.storage_offset() + offset
    guarded.tensor.as_strided((1,), (1,), place).fill_(7)
    assert guarded.broken()


def test_every_element_inside_may_be_written() -> None:
    guarded = Guarded.around(torch.zeros(3, 5)[:, ::2], "x", poison(), keep=False)
    guarded.tensor.fill_(7)
    assert not guarded.broken()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_poison_is_made_of_ordinary_values_of_any_dtype(dtype: torch.dtype) -> None:
    x = torch.zeros(500).to(dtype)
    poison().fill(x)
    wide = x.to(torch.complex128 if dtype.is_complex else torch.float64)
    assert bool(torch.isfinite(wide).all())
    assert len(set(wide.tolist())) > (1 if dtype is torch.bool else 20)
    assert float(wide.abs().max()) <= 100


def test_poison_depends_on_its_seed_alone() -> None:
    first, again, other = (Guarded.around(torch.zeros(50), "x", poison(s), keep=False) for s in (1, 1, 2))
    assert torch.equal(first.whole, again.whole)
    assert not torch.equal(first.tensor, other.tensor)
    assert not torch.equal(first.pattern, other.pattern)
