"""The right answer: values in float64, structure as the reference gives it, and nothing else touched."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from kgb_core.judge.golden import (
    Expected,
    ExpectedTensor,
    clone_laid_out,
    cloned,
    expect,
    outputs_of,
    widened,
)
from kgb_core.models.case import Layout, TensorSpec
from kgb_core.operators.binding import Bound
from kgb_core.operators.cases import fp16, fp32, normal
from kgb_core.operators.draw import draw_tensor
from kgb_core.operators.rules import Elementwise, Exact, Random
from kgb_core.operators.spec import Operator, operator


@operator("law::third", numeric=Elementwise())
def third(self: torch.Tensor, dtype: torch.dtype | None = None) -> torch.Tensor:
    """A third of each, as `dtype` where given."""
    return (self / 3).to(dtype or self.dtype)


@operator("law::swap_", numeric=Elementwise(), mutates=["self", "other"])
def swap_(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Exchange half of one for a third of the other, in place."""
    kept = self / 2
    self.copy_(other / 3)
    other.copy_(kept)
    return self


@operator("law::halves", numeric=Elementwise())
def halves(self: torch.Tensor) -> torch.Tensor:
    """Half of each, in the default dtype for whole numbers."""
    return self / 2


@operator("law::raises", numeric=Elementwise())
def raises(self: torch.Tensor) -> torch.Tensor:
    """Nothing: only doubles are refused."""
    if self.dtype is torch.float64:
        raise ValueError("no doubles")
    return self


@operator("law::coin", numeric=Random(lambda call, out: 1.0))
def coin(self: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """A draw for each."""
    return torch.bernoulli(self, generator=generator)


@operator("law::parts", numeric=Exact())
def parts(tensors: list[torch.Tensor]) -> list[torch.Tensor]:
    """The second of the tensors, and a copy of the first."""
    return [tensors[1], tensors[0].clone()]


def right(made: Operator, **values: Any) -> Expected:
    return expect(made, Bound(made.signature, values))


def output(expected: Expected) -> ExpectedTensor:
    (one,) = expected.outputs
    assert isinstance(one, ExpectedTensor)
    return one


X = draw_tensor(normal((3, 5), dtype=fp16), 1)


def test_values_are_float64_and_structure_is_the_references() -> None:
    found = output(right(third, self=X.t()))
    assert torch.equal(found.value, X.t().double() / 3)
    assert found.value.dtype is torch.float64
    assert (found.dtype, found.shape, found.stride) == (torch.float16, (5, 3), (1, 5))
    assert (found.alias, found.exact) == (None, False)


def test_a_dtype_argument_is_widened_too() -> None:
    found = output(right(third, self=X, dtype=torch.bfloat16))
    assert found.dtype is torch.bfloat16
    assert torch.equal(found.value, X.double() / 3)


def test_whole_numbers_divide_in_float64() -> None:
    found = output(right(halves, self=torch.tensor([1, 2**53 + 2])))
    assert found.dtype is torch.float32
    assert found.value.tolist() == [0.5, float(2**52 + 1)]


def test_complex_numbers_are_widened_to_complex128() -> None:
    found = output(right(halves, self=torch.tensor([1 + 1j], dtype=torch.complex64)))
    assert found.value.dtype is torch.complex128


def test_an_exact_operator_is_not_widened() -> None:
    expected = right(parts, tensors=[X, X + 1])
    second, first = expected.outputs
    assert isinstance(second, ExpectedTensor)
    assert isinstance(first, ExpectedTensor)
    assert (second.value.dtype, second.exact, second.alias) == (torch.float16, True, "tensors[1]")
    assert first.alias is None
    assert expected.is_sequence


@pytest.mark.parametrize("made", [third, halves, swap_], ids=lambda made: made.name)
def test_the_arguments_are_left_as_they_were(made: Operator) -> None:
    values = {"self": X.clone(), "other": X.clone() + 1}
    given_values = {name: values[name] for name in made.signature.parameters if name in values}
    right(made, **given_values)
    assert torch.equal(values["self"], X)
    assert torch.equal(values["other"], X + 1)


def test_what_becomes_of_changed_arguments_is_expected_too() -> None:
    found = right(swap_, self=X, other=X + 1)
    assert list(found.mutated) == ["other", "self"]
    assert torch.equal(found.mutated["self"].value, (X + 1).double() / 3)
    assert torch.equal(found.mutated["other"].value, X.double() / 2)
    assert output(found).alias == "self"


def test_the_default_dtype_is_put_back() -> None:
    before = torch.get_default_dtype()
    right(halves, self=X)
    assert torch.get_default_dtype() is before
    with pytest.raises(ValueError, match="no doubles"):
        right(raises, self=X)
    assert torch.get_default_dtype() is before


def test_a_generator_is_left_where_it_was() -> None:
    generator = torch.Generator().manual_seed(4)
    before = generator.get_state()
    right(coin, self=torch.full((9,), 0.5), generator=generator)
    assert torch.equal(generator.get_state(), before)


def test_where_the_reference_is_not_the_truth_another_function_is() -> None:
    truth = operator("law::truth", numeric=Elementwise(), golden=lambda self: self * 5)(third.reference)
    assert torch.equal(output(right(truth, self=X)).value, X.double() * 5)


def test_no_gradient_is_kept() -> None:
    x = X.float().requires_grad_()
    assert not output(right(third, self=x)).value.requires_grad


def test_bounds_evaluate_outputs_in_float64_as_a_flat_list() -> None:
    bound = Bound(third.signature, widened({"self": X}))
    (found,) = outputs_of(third.reference, bound)
    assert torch.equal(found, X.double() / 3)


@settings(max_examples=40)
@given(
    layout=st.sampled_from([x for x in Layout if x not in (Layout.CHANNELS_LAST, Layout.FAR)]),
    seed=st.integers(0, 99),
)
def test_a_copy_lies_in_memory_as_the_original(layout: Layout, seed: int) -> None:
    x = draw_tensor(TensorSpec(shape=(3, 4), dtype=fp32, layout=layout), seed)
    copy = clone_laid_out(x)
    assert torch.equal(copy, x)
    assert (copy.stride(), copy.storage_offset()) == (x.stride(), x.storage_offset())
    assert copy.untyped_storage().nbytes() == x.untyped_storage().nbytes()
    copy.flatten()
    copy.as_strided((1,), (1,), 0).add_(1)
    assert torch.equal(x, draw_tensor(TensorSpec(shape=(3, 4), dtype=fp32, layout=layout), seed))


def test_copies_share_nothing_lists_included() -> None:
    values = {"x": X.clone(), "many": [X.clone(), X.clone()], "n": 3}
    copies = cloned(values)
    copies["x"].zero_()
    copies["many"][1].zero_()
    assert torch.equal(values["x"], X)
    assert torch.equal(values["many"][1], X)
    assert copies["n"] == 3
