"""Ways to name elements: none of them twice, within bounds, and with the result that they state."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.operators.cases import case, fp32, normal
from kgb_core.operators.draw import draw_case, draw_tensor
from kgb_operators.indexing import IN_ANY_LAYOUT, NOTHING, RANK_6, WAYS, Naming, distinct, numbers, rearranged

SIZES = st.integers(1, 60).filter(lambda size: size % 7 != 0)


@pytest.mark.parametrize(
    "way", [*WAYS, *IN_ANY_LAYOUT, *RANK_6, *NOTHING, rearranged(9, 4)], ids=lambda way: way.title
)
def test_no_element_is_named_twice(way: Naming) -> None:
    indices = draw_case(case("", self=normal(way.shape, dtype=fp32), indices=way.indices), 3)["indices"]
    every = torch.arange(math.prod(way.shape)).reshape(way.shape)
    named = torch.ops.aten.index.Tensor(every, indices)
    assert tuple(named.shape) == way.result
    assert len(set(named.flatten().tolist())) == named.numel()


@given(size=SIZES, data=st.data())
def test_numbers_differ_and_some_count_from_the_end(size: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, size))
    drawn = draw_tensor(numbers(size, count), 0)
    assert drawn.min() >= -size
    assert drawn.max() < size
    assert len(set((drawn % size).tolist())) == count
    if count == size > 1:
        assert drawn.min() < 0


@given(size=SIZES, other=st.integers(1, 5), dim=st.integers(0, 1))
def test_distinct_numbers_differ_along_their_dimension(size: int, other: int, dim: int) -> None:
    shape = (size, other) if dim == 0 else (other, size)
    lines = draw_tensor(distinct(shape, dim, size), 0).movedim(dim, 0).sort(0).values
    assert torch.equal(lines, torch.arange(size)[:, None].expand(size, other))


def test_a_size_that_the_stride_divides_would_repeat() -> None:
    """What the condition on sizes is for."""
    assert len(set(draw_tensor(distinct((7,), 0, 7), 0).tolist())) == 1
