"""Drawing inputs is a pure function of (case, seed): what is drawn, where it lies, that it comes again."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from kgb_core.models.case import (
    Case,
    DeviceArgument,
    DTypeArgument,
    GeneratorArgument,
    Layout,
    MemoryFormat,
    MemoryFormatArgument,
    NamedArgument,
    Scalar,
    TensorListSpec,
    TensorSpec,
)
from kgb_core.models.dtypes import DType
from kgb_core.models.values import Fill, Integers, Literally, Normal, Permutation, Sprinkle, Uniform
from kgb_core.operators.cases import case, fp16, fp32, i64, inf, nan, normal
from kgb_core.operators.draw import draw_case, draw_tensor, torch_dtype
from kgb_core.operators.seeds import seed_of

SHAPES = st.lists(st.integers(0, 5), max_size=4).map(tuple)
SEEDS = st.integers(0, 2**63 - 1)
VALUES = st.one_of(
    st.builds(Normal, mean=st.floats(-3, 3), std=st.floats(0.5, 3)),
    st.builds(Uniform, low=st.floats(-9, 0), high=st.floats(1, 9)),
    st.builds(Integers, low=st.integers(0, 5), high=st.integers(6, 99)),
    st.builds(Fill, value=st.sampled_from([0.0, 1.0, True, 7.0])),
    st.builds(Literally, values=st.lists(st.integers(0, 100), min_size=1, max_size=4).map(tuple)),
    st.builds(Sprinkle, base=st.just(Normal()), specials=st.just((3.0, 5.0, 7.0))),
    st.just(Permutation()),
)
LAID_OUT = (Layout.CONTIGUOUS, Layout.TRANSPOSED, Layout.STRIDED, Layout.GAPS)
"""Layouts in which every element has its own memory."""


@st.composite
def specs(draw: st.DrawFn) -> TensorSpec:
    """Any tensor that a case may ask for."""
    layout = draw(st.sampled_from([x for x in Layout if x is not Layout.FAR]))
    shape = draw(SHAPES)
    assume(layout is not Layout.CHANNELS_LAST or len(shape) == 4)
    return TensorSpec(shape=shape, dtype=draw(st.sampled_from(DType)), layout=layout, values=draw(VALUES))


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a contiguous tensor."""
    return torch.empty(shape).stride()


def strides_of(spec: TensorSpec) -> tuple[int, ...]:
    """The strides that a layout promises."""
    shape, rank = spec.shape, len(spec.shape)
    if spec.layout is Layout.TRANSPOSED and rank >= 2:
        *outer, last, second = row_major((*shape[:-2], shape[-1], shape[-2]))
        return (*outer, second, last)
    if spec.layout is Layout.STRIDED and rank:
        return (*row_major((*shape[:-1], 2 * shape[-1] + 1))[:-1], 2)
    if spec.layout is Layout.GAPS:
        return tuple(2 * step for step in row_major(around(shape)))
    if spec.layout is Layout.EXPANDED and rank:
        return (0, *row_major((1, *shape[1:]))[1:])
    if spec.layout is Layout.CHANNELS_LAST:
        return torch.empty(shape, memory_format=torch.channels_last).stride()
    return row_major(shape)


def around(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of what a tensor with gaps is cut out of."""
    return tuple(2 * size + 1 for size in shape)


def offset_of(spec: TensorSpec) -> int:
    """The storage offset that a layout promises."""
    if spec.layout is Layout.GAPS:
        return sum(row_major(around(spec.shape)))
    return int(spec.layout is Layout.STRIDED and len(spec.shape) > 0)


def raw(tensor: torch.Tensor) -> bytes:
    """The elements in row-major order, bit by bit."""
    plain = tensor.clone(memory_format=torch.contiguous_format)
    return plain.flatten().view(torch.uint8).numpy().tobytes()


@settings(max_examples=150)
@given(spec=specs(), seed=SEEDS)
def test_a_tensor_is_as_specified(spec: TensorSpec, seed: int) -> None:
    drawn = draw_tensor(spec, seed)
    assert spec.dtype is not None
    assert drawn.dtype is torch_dtype(spec.dtype)
    assert tuple(drawn.shape) == spec.shape
    if drawn.numel():
        steps = zip(spec.shape, drawn.stride(), strides_of(spec), strict=True)
        assert all(size == 1 or got == want for size, got, want in steps)
        assert drawn.storage_offset() == offset_of(spec)


@settings(max_examples=60)
@given(spec=specs(), seed=SEEDS, elsewhere=st.integers(0, 99))
def test_the_same_seed_draws_the_same_whatever_happened_before(
    spec: TensorSpec, seed: int, elsewhere: int
) -> None:
    first = draw_tensor(spec, seed)
    torch.manual_seed(elsewhere)
    assert raw(draw_tensor(spec, seed)) == raw(first)


@settings(max_examples=40)
@given(values=st.sampled_from([Normal(), Uniform(), Integers(), Permutation()]), seed=SEEDS)
def test_another_seed_draws_something_else(values: Any, seed: int) -> None:
    spec = TensorSpec(shape=(8, 16), dtype=fp32, values=values)
    assert raw(draw_tensor(spec, seed)) != raw(draw_tensor(spec, seed ^ 1))


def test_drawing_leaves_the_global_generator_alone() -> None:
    before = torch.get_rng_state()
    draw_tensor(TensorSpec(shape=(64,), dtype=fp32, values=Normal()), 1)
    assert torch.equal(torch.get_rng_state(), before)


@settings(max_examples=60)
@given(values=VALUES, shape=SHAPES, seed=SEEDS)
@example(values=Literally(values=(1, 2, 3)), shape=(2, 4), seed=0)
def test_a_layout_says_where_elements_lie_and_not_what_they_are(
    values: Any, shape: tuple[int, ...], seed: int
) -> None:
    drawn = [
        draw_tensor(TensorSpec(shape=shape, dtype=fp32, values=values, layout=layout), seed)
        for layout in LAID_OUT
    ]
    assert len({raw(tensor) for tensor in drawn}) == 1


@settings(max_examples=60)
@given(
    specials=st.lists(st.sampled_from([nan, inf, -inf, 17.0, -0.5]), min_size=1, max_size=5, unique_by=repr),
    shape=st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple),
    layout=st.sampled_from(LAID_OUT),
    share=st.floats(0.01, 1),
    seed=SEEDS,
)
def test_every_special_is_sprinkled_where_there_is_room(
    specials: list[float], shape: tuple[int, ...], layout: Layout, share: float, seed: int
) -> None:
    assume(math.prod(shape) >= len(specials))
    values = Sprinkle(specials=tuple(specials), share=share)
    drawn = draw_tensor(TensorSpec(shape=shape, dtype=fp32, values=values, layout=layout), seed)
    assert {repr(value) for value in specials} <= {repr(value) for value in drawn.flatten().tolist()}


def test_a_share_of_specials_is_kept() -> None:
    spec = TensorSpec(shape=(100, 100), dtype=fp32, values=Sprinkle(specials=(nan,), share=0.3))
    assert int(torch.isnan(draw_tensor(spec, 3)).sum()) == 3000


@given(shape=SHAPES, layout=st.sampled_from(LAID_OUT), seed=SEEDS)
def test_a_permutation_names_every_number_once(shape: tuple[int, ...], layout: Layout, seed: int) -> None:
    drawn = draw_tensor(TensorSpec(shape=shape, dtype=i64, values=Permutation(), layout=layout), seed)
    assert sorted(drawn.flatten().tolist()) == list(range(math.prod(shape)))


@given(st.sampled_from(LAID_OUT))
def test_literal_values_are_in_row_major_order_and_begin_again(layout: Layout) -> None:
    spec = TensorSpec(shape=(2, 3), dtype=i64, values=Literally(values=(1, 2, 3, 4)), layout=layout)
    assert draw_tensor(spec, 0).tolist() == [[1, 2, 3], [4, 1, 2]]


def test_whole_numbers_are_in_their_range_and_reach_both_ends() -> None:
    drawn = draw_tensor(TensorSpec(shape=(1000,), dtype=i64, values=Integers(low=-2, high=3)), 5)
    assert set(drawn.tolist()) == {-2, -1, 0, 1, 2}


@pytest.mark.parametrize("values", [Normal(mean=5.0), Uniform(low=2, high=4), Integers()], ids=repr)
def test_a_bool_tensor_has_about_as_many_of_either(values: Any) -> None:
    drawn = draw_tensor(TensorSpec(shape=(1000,), dtype=DType.BOOL, values=values), 2)
    assert 400 < int(drawn.sum()) < 600


def test_what_lies_between_the_elements_of_a_view_is_ordinary_too() -> None:
    drawn = draw_tensor(TensorSpec(shape=(4, 64), dtype=fp32, layout=Layout.STRIDED), 8)
    between = drawn.as_strided((4, 64), drawn.stride(), 0)
    assert 0.7 < float(between.std()) < 1.3
    assert not torch.equal(between, drawn)


def test_a_case_gives_arguments_by_name_in_declared_order() -> None:
    arguments = {
        "x": normal((2, 3), dtype=fp16),
        "many": TensorListSpec(items=(normal((2,), dtype=fp32), None, normal((2,), dtype=fp32))),
        "n": Scalar(value=3),
        "sizes": Scalar(value=(1, 2)),
        "name": Scalar(text="mean"),
        "dtype": DTypeArgument(dtype=fp16),
        "device": DeviceArgument(),
        "memory_format": MemoryFormatArgument(format=MemoryFormat.CHANNELS_LAST),
        "generator": GeneratorArgument(),
    }
    named = tuple(NamedArgument(name=name, argument=argument) for name, argument in arguments.items())
    drawn = draw_case(Case(arguments=named), seed=4)
    assert list(drawn) == list(arguments)
    first, none, second = drawn["many"]
    assert none is None
    assert not torch.equal(first, second)
    assert (drawn["n"], drawn["sizes"], drawn["name"]) == (3, [1, 2], "mean")
    assert drawn["dtype"] is torch.float16
    assert drawn["device"] == torch.device("cpu")
    assert drawn["memory_format"] is torch.channels_last
    assert (
        drawn["generator"].initial_seed() == draw_case(Case(arguments=named), 4)["generator"].initial_seed()
    )
    assert (
        drawn["generator"].initial_seed() != draw_case(Case(arguments=named), 5)["generator"].initial_seed()
    )


def test_two_arguments_of_the_same_kind_differ() -> None:
    drawn = draw_case(case("", a=normal((9,), dtype=fp32), b=normal((9,), dtype=fp32)), 1)
    assert not torch.equal(drawn["a"], drawn["b"])


def test_what_is_added_to_a_case_leaves_the_other_contents_alone() -> None:
    one = draw_case(case("", a=normal((9,), dtype=fp32)), 1)
    two = draw_case(case("", b=normal((9,), dtype=fp32), a=normal((9,), dtype=fp32)), 1)
    assert torch.equal(one["a"], two["a"])


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (TensorSpec(shape=(2,)), "no dtype"),
        (TensorSpec(shape=(2, 3), dtype=fp32, layout=Layout.CHANNELS_LAST), "rank 4"),
    ],
    ids=["no dtype", "channels last of rank 2"],
)
def test_a_tensor_that_cannot_be_is_refused(spec: TensorSpec, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        draw_tensor(spec, 0)


def test_seeds_are_the_same_for_ever() -> None:
    assert seed_of(7, "aten::add", "0123456789ab", 1) == 1531326010065581941
    assert seed_of(7, "a", "b") != seed_of(7, "b", "a") != seed_of(8, "b", "a")


@given(seed=st.integers(0, 2**70), part=st.text(max_size=9))
def test_a_seed_fits_a_generator(seed: int, part: str) -> None:
    assert 0 <= seed_of(seed, part) < 2**63
