"""How far an answer may be from the golden value: what rounds as it must passes, what rounds early fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from kgb_core.judge.bounds import compute_dtype, ulp
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.operators.cases import bf16, fp16, fp32, normal, uniform
from kgb_core.operators.draw import draw_tensor, torch_dtype
from kgb_core.operators.registry import Registry
from kgb_core.operators.rules import Elementwise, Product, Reduction
from kgb_core.operators.spec import Operator, operator

if TYPE_CHECKING:
    from conftest import Trial

    Trials = Callable[..., Trial]

SEEDS = st.integers(0, 2**32)
FLOATING = st.sampled_from([fp16, bf16, fp32])
SCALES = st.sampled_from([1e-6, 1e-3, 1.0, 300.0, 3e4])
ONCE = 0.501
"""Units that rounding once costs, and a hair: torch goes from float64 to 16 bits by way of float32."""


@operator("law::multiply", numeric=Elementwise(ulps=ONCE))
def multiply(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The product of each pair."""
    return self * other


@operator("law::cosine", numeric=Elementwise(ulps=ONCE, input_ulps=1.0))
def cosine(self: torch.Tensor) -> torch.Tensor:
    """The cosine of each."""
    return torch.cos(self)


@operator("law::total", numeric=Reduction(ulps=ONCE, accumulation=0.0))
def total(self: torch.Tensor) -> torch.Tensor:
    """The sum of each row."""
    return self.sum(-1)


@operator("law::share", numeric=Reduction(ulps=ONCE, accumulation=0.0, normalized=True))
def share(self: torch.Tensor) -> torch.Tensor:
    """The softmax of each row."""
    return torch.softmax(self, -1)


@operator(
    "law::matmul", numeric=Product(terms=lambda call: call["self"].shape[1], ulps=ONCE, accumulation=0.0)
)
def matmul(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The matrix product."""
    return self @ other


UNARY = [cosine, total, share]


def drawn(shape: tuple[int, ...], dtype: Any, seed: int, scale: float = 1.0) -> torch.Tensor:
    return draw_tensor(normal(shape, 0, scale, dtype=dtype), seed)


@settings(max_examples=60)
@given(law=st.sampled_from(UNARY), dtype=FLOATING, scale=SCALES, seed=SEEDS)
def test_the_golden_value_rounded_once_passes_at_half_a_unit(
    trial_of: Trials, law: Operator, dtype: Any, scale: float, seed: int
) -> None:
    trial = trial_of(law, self=drawn((5, 17), dtype, seed, scale))
    assert trial.judge(trial.right).verdict is Verdict.PASSED


@settings(max_examples=40)
@given(law=st.sampled_from([multiply, matmul]), dtype=FLOATING, scale=SCALES, seed=SEEDS)
def test_so_it_does_for_two_operands(
    trial_of: Trials, law: Operator, dtype: Any, scale: float, seed: int
) -> None:
    left, right = (drawn((6, 6), dtype, seed + i, scale) for i in range(2))
    trial = trial_of(law, self=left, other=right)
    assert trial.judge(trial.right).verdict is Verdict.PASSED


@settings(max_examples=40)
@given(dtype=FLOATING, seed=SEEDS, steps=st.sampled_from([2, -2, 9]))
def test_a_unit_beyond_the_bound_is_seen(trial_of: Trials, dtype: Any, seed: int, steps: int) -> None:
    trial = trial_of(multiply, self=drawn((3, 5), dtype, seed), other=drawn((3, 5), dtype, seed + 1))
    off = trial.right.clone()
    off[1, 2] = neighbour(off[1, 2], steps)  # one step may be the other side of a tie
    finding = trial.judge(off)
    assert finding.verdict is Verdict.WRONG_VALUE
    assert finding.errors is not None
    assert finding.errors.worst_index == (1, 2)


def neighbour(value: torch.Tensor, steps: int) -> torch.Tensor:
    """The number so many steps further from zero (nearer if negative) in the dtype."""
    whole = torch.int16 if value.element_size() == 2 else torch.int32
    return (value.view(whole) + steps).view(value.dtype)


@settings(max_examples=40)
@given(
    value=st.floats(-(2.0**127), 2.0**127, width=32).filter(lambda x: abs(x) >= 2.0**-126),
)
def test_a_unit_in_the_last_place_is_the_spacing_of_numbers(value: float) -> None:
    found = ulp(torch.tensor([value], dtype=torch.float64), torch.float32)
    assert float(found) == float(np.spacing(np.float32(abs(value))))


@given(value=st.floats(-(2.0**15), 2.0**15, width=16).filter(lambda x: abs(x) >= 2.0**-14))
def test_so_it_is_in_half_precision(value: float) -> None:
    found = ulp(torch.tensor([value], dtype=torch.float64), torch.float16)
    assert float(found) == float(np.spacing(np.float16(abs(value))))


@pytest.mark.parametrize("value", [0.0, 1e-45, float("nan"), float("inf")])
def test_below_the_normal_numbers_the_spacing_is_that_of_the_smallest(value: float) -> None:
    assert float(ulp(torch.tensor([value], dtype=torch.float64), torch.float32)) == 2.0**-149


@pytest.mark.parametrize(
    ("dtype", "computes"),
    [
        (torch.float16, torch.float32),
        (torch.bfloat16, torch.float32),
        (torch.float32, torch.float32),
        (torch.complex64, torch.float32),
        (torch.float64, torch.float64),
        (torch.complex128, torch.float64),
    ],
    ids=str,
)
def test_a_careful_kernel_computes_in_single_precision_at_least(
    dtype: torch.dtype, computes: torch.dtype
) -> None:
    assert compute_dtype(dtype) is computes


# The shipped rules: what a careful kernel does passes, what is one precision lower fails.


def tf32(x: torch.Tensor) -> torch.Tensor:
    """Rounded to ten bits of mantissa, as tensor cores read float32 in TF32."""
    bits = x.view(torch.int32)
    return ((bits + 0x1000) & ~0x1FFF).view(torch.float32)


def in_half(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """The same, computed in float16."""

    def lowered(self: torch.Tensor, *args: Any) -> torch.Tensor:
        return function(self.half(), *args).float()

    return lowered


def one_by_one(self: torch.Tensor, *args: Any) -> torch.Tensor:
    """A sum that rounds to float16 after every term."""
    so_far = torch.zeros(self.shape[:-1], dtype=torch.float16)
    for i in range(self.shape[-1]):
        so_far = so_far + self[..., i]
    return so_far


def product_one_by_one(self: torch.Tensor, mat2: torch.Tensor) -> torch.Tensor:
    """A matrix product that accumulates in float16."""
    so_far = torch.zeros(self.shape[0], mat2.shape[1], dtype=torch.float16)
    for k in range(self.shape[1]):
        so_far = so_far + self[:, k : k + 1] * mat2[k]
    return so_far


X = normal((64, 257), dtype=fp32)
POSITIVE = uniform((16, 1025), 0.5, 1.5, dtype=fp16)
MATRICES = {"self": normal((33, 257), dtype=fp32), "mat2": normal((257, 17), dtype=fp32)}
HALVES = {"self": normal((17, 513), dtype=fp16), "mat2": normal((513, 9), dtype=fp16)}

LOWER: dict[str, tuple[str, dict[str, Any], Callable[..., torch.Tensor]]] = {
    "mm in bf16": (
        "aten::mm",
        MATRICES,
        lambda self, mat2: self.bfloat16().float() @ mat2.bfloat16().float(),
    ),
    "mm in TF32": ("aten::mm", MATRICES, lambda self, mat2: tf32(self) @ tf32(mat2)),
    "mm accumulated in fp16": ("aten::mm", HALVES, product_one_by_one),
    "cos in fp16": ("aten::cos", {"self": X}, in_half(torch.cos)),
    "rsqrt in fp16": ("aten::rsqrt", {"self": uniform((999,), 0.5, 9, dtype=fp32)}, in_half(torch.rsqrt)),
    "silu in fp16": ("aten::silu", {"self": X}, in_half(torch.nn.functional.silu)),
    "softmax in fp16": ("aten::softmax", {"self": X, "dim": -1}, in_half(torch.softmax)),
    "sum accumulated in fp16": ("aten::sum", {"self": POSITIVE, "dim": [-1]}, one_by_one),
    "cumsum in fp16": ("aten::cumsum", {"self": X, "dim": 1}, in_half(torch.cumsum)),
    "mean in fp16": ("aten::mean", {"self": X, "dim": [-1]}, in_half(torch.mean)),
}


@pytest.mark.parametrize(("name", "arguments", "lower"), LOWER.values(), ids=LOWER)
def test_the_native_answer_passes_and_one_precision_less_fails(
    trial_of: Trials,
    registry: Registry,
    name: str,
    arguments: dict[str, Any],
    lower: Callable[..., torch.Tensor],
) -> None:
    tried = registry.get(name)
    values = {key: draw_tensor(x, 4) if hasattr(x, "layout") else x for key, x in arguments.items()}
    trial = trial_of(tried, **values)
    native = trial.judge(trial.called(tried.reference))
    assert native.verdict is Verdict.PASSED, native
    finding = trial.judge(trial.called(lower))
    assert finding.verdict is Verdict.WRONG_VALUE
    assert finding.errors is not None
    assert finding.errors.scale > 2, "a thin margin says nothing"


def test_zeros_fail_softmax_over_400_000_columns(trial_of: Trials, registry: Registry) -> None:
    x = draw_tensor(normal((1, 400_000), dtype=fp32), 1)
    trial = trial_of(registry.get("aten::softmax"), self=x, dim=1)
    assert trial.judge(torch.softmax(x, 1)).verdict is Verdict.PASSED
    assert float(trial.right.max()) < 1e-3, "zeros would meet a usual absolute tolerance"
    for trivial in (torch.zeros_like(x), torch.full_like(x, 1 / 400_000)):
        assert trial.judge(trivial).verdict is Verdict.WRONG_VALUE


@pytest.mark.parametrize("dtype", [fp16, bf16, fp32])
@pytest.mark.parametrize("mean", [0.0, 0.05])
def test_zero_fails_a_full_sum(trial_of: Trials, registry: Registry, dtype: Any, mean: float) -> None:
    x = draw_tensor(normal((300_007,), mean, dtype=dtype), 11)
    trial = trial_of(registry.get("aten::sum"), self=x)
    assert trial.judge(x.sum()).verdict is Verdict.PASSED
    assert trial.judge(torch.zeros((), dtype=torch_dtype(dtype))).verdict is Verdict.WRONG_VALUE


def test_cancellation_is_forgiven_by_as_much_as_it_costs(trial_of: Trials, registry: Registry) -> None:
    """Terms of 1e6 that cancel leave a rounding error of their own size, and no more is allowed."""
    big = draw_tensor(uniform((1, 1000), 1e5, 1e6, dtype=fp32), 2)
    x = torch.cat([big, -big, torch.full((1, 1), 0.5)], dim=1)
    trial = trial_of(registry.get("aten::sum"), self=x, dim=[1])
    assert float(trial.want.value) == 0.5
    assert trial.judge(torch.tensor([1.0])).verdict is Verdict.PASSED
    assert trial.judge(torch.tensor([1e5])).verdict is Verdict.WRONG_VALUE


def second_difference(self: torch.Tensor) -> torch.Tensor:
    """The difference of neighbouring differences."""
    return self.diff(n=2)


def weighed(self: torch.Tensor) -> torch.Tensor:
    """What a second difference adds up, when its terms are positive."""
    return self[2:] + 2 * self[1:-1] + self[:-2]


def test_terms_that_the_reference_subtracts_count_by_their_magnitude(trial_of: Trials) -> None:
    """Differences of 1e6 that cancel to 1: what their rounding costs is more than the spacing at 1."""
    plain = operator("law::curve", numeric=Reduction(ulps=1.0))(second_difference)
    stated = operator("law::curve", numeric=Reduction(ulps=1.0, magnitude=weighed))(second_difference)
    x = torch.tensor([1e6, 1e6 + 0.5, 1e6 + 2])
    off = torch.tensor([1.0625])
    assert trial_of(stated, self=x).judge(off).verdict is Verdict.PASSED
    assert trial_of(plain, self=x).judge(off).verdict is Verdict.WRONG_VALUE
    assert trial_of(stated, self=x).judge(torch.tensor([3.0])).verdict is Verdict.WRONG_VALUE


def test_a_steep_function_is_forgiven_for_its_input(trial_of: Trials) -> None:
    """The cosine of 1e6 moves by 0.06 with one unit of its float32 input."""
    x = draw_tensor(uniform((200,), 1e6, 2e6, dtype=fp32), 3)
    moved = torch.cos(x.double() * (1 + 2.0**-25))
    assert trial_of(cosine, self=x).judge(moved.float()).verdict is Verdict.PASSED
    strict = trial_of(cosine, Tolerance(ulps=ONCE), self=x)
    assert strict.judge(moved.float()).verdict is Verdict.WRONG_VALUE


def test_what_a_vendor_loosens_is_loosened(trial_of: Trials) -> None:
    x = draw_tensor(normal((40,), dtype=fp32), 3)
    off = (torch.cos(x.double()) * (1 + 40 * 2.0**-23)).float()
    assert trial_of(cosine, self=x).judge(off).verdict is Verdict.WRONG_VALUE
    assert trial_of(cosine, Tolerance(ulps=100, reason="slow"), self=x).judge(off).verdict is Verdict.PASSED
