"""One finding for each way to be wrong, and none for an answer that is right."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from kgb_core.judge.compare import Foreign, is_dense
from kgb_core.models.verdict import Verdict
from kgb_core.operators.binding import Bound
from kgb_core.operators.rules import Elementwise, Exact, MetadataOnly, Random
from kgb_core.operators.spec import Kind, Operator, Strides, operator

if TYPE_CHECKING:
    from conftest import Trial

    Trials = Callable[..., Trial]

inf, nan = math.inf, math.nan


@operator("law::plus_one", numeric=Elementwise(ulps=1))
def plus_one(self: torch.Tensor) -> torch.Tensor:
    """One more than each."""
    return self + 1


@operator("law::same", numeric=Elementwise(ulps=1))
def same(self: torch.Tensor) -> torch.Tensor:
    """A copy."""
    return self.clone()


@operator("law::as_laid_out", numeric=Exact(), strides=Strides.EXACT)
def as_laid_out(self: torch.Tensor) -> torch.Tensor:
    """A copy that lies in memory as the input does."""
    return self.clone(memory_format=torch.preserve_format)


@operator("law::move", numeric=Exact())
def move(self: torch.Tensor) -> torch.Tensor:
    """A copy, bit by bit."""
    return self.clone()


@operator("law::both", numeric=Exact())
def both(self: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Smallest and largest of each row."""
    return self.amin(-1), self.amax(-1)


@operator("law::size_and_negative", numeric=Exact())
def size_and_negative(self: torch.Tensor) -> tuple[int, torch.Tensor]:
    """How many elements there are, and the negative of each."""
    return self.numel(), -self


@operator("law::count", numeric=Exact(), kind=Kind.HOST_READ)
def count(self: torch.Tensor) -> float:
    """The sum as a number."""
    return self.sum().item()


@operator("law::double_", numeric=Elementwise(ulps=1), mutates=["self"])
def double_(self: torch.Tensor) -> torch.Tensor:
    """Twice each, in place."""
    return self.mul_(2)


@operator("law::flip", numeric=Exact(), kind=Kind.VIEW)
def flip(self: torch.Tensor) -> torch.Tensor:
    """The transpose, as a view."""
    return self.t()


@operator("law::room", numeric=MetadataOnly(), kind=Kind.UNINITIALISED)
def room(self: torch.Tensor) -> torch.Tensor:
    """Memory for as many."""
    return torch.empty_like(self)


@operator("law::coin", numeric=Random(lambda call, out: float((out == 1).all())), kind=Kind.RANDOM)
def coin(self: torch.Tensor) -> torch.Tensor:
    """Draws that a test of this module likes when all are 1."""
    return torch.ones_like(self)


def _tells(call: Bound, out: torch.Tensor, left: Mapping[str, torch.Tensor]) -> bool:
    return torch.equal(left["kept"], call["kept"] + out)


@operator(
    "law::noted",
    numeric=Random(lambda call, out: 1.0, consistent=_tells),
    kind=Kind.RANDOM,
    mutates=("kept",),
)
def noted(self: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """Draws of any kind, which are added to `kept` too."""
    kept += 1
    return torch.ones_like(self)


X = torch.arange(6.0).reshape(2, 3)
INPUTS: dict[str, Operator] = {made.name: made for made in (plus_one, same, as_laid_out, move, both)}


@pytest.mark.parametrize("made", INPUTS.values(), ids=INPUTS)
def test_the_reference_passes(trial_of: Trials, made: Operator) -> None:
    trial = trial_of(made, self=X)
    returned = trial.called(made.reference)
    outputs = returned if isinstance(returned, tuple) else (returned,)
    assert trial.judge(*outputs, sequence=isinstance(returned, tuple)).verdict is Verdict.PASSED


# Structure.


@pytest.mark.parametrize(
    ("outputs", "sequence", "words"),
    [
        ([X + 1], True, "a sequence of 1, want one value"),
        ([X + 1, X + 1], True, "a sequence of 2"),
        ([], True, "a sequence of 0"),
        ([Foreign("numpy.ndarray")], False, "numpy.ndarray, want a tensor"),
        ([3.0], False, "float, want a tensor"),
    ],
    ids=["a list", "two", "none", "foreign", "a number"],
)
def test_something_else_than_one_tensor(
    trial_of: Trials, outputs: list[Any], sequence: bool, words: str
) -> None:
    finding = trial_of(plus_one, self=X).judge(*outputs, sequence=sequence)
    assert finding.verdict is Verdict.WRONG_STRUCTURE
    assert words in finding.message


def test_too_few_of_two_outputs(trial_of: Trials) -> None:
    trial = trial_of(both, self=X)
    low, high = both.reference(X)
    assert trial.judge(low, sequence=True).verdict is Verdict.WRONG_STRUCTURE
    assert trial.judge(low, high, sequence=True).verdict is Verdict.PASSED


@pytest.mark.parametrize("wrong", [torch.tensor(15.0), 15, True, Foreign("str")], ids=repr)
def test_a_number_of_another_type_is_no_answer(trial_of: Trials, wrong: Any) -> None:
    trial = trial_of(count, self=X)
    assert trial.judge(15.0).verdict is Verdict.PASSED
    assert trial.judge(wrong).verdict is Verdict.WRONG_STRUCTURE


# Dtype, shape, strides.


def test_another_dtype(trial_of: Trials) -> None:
    finding = trial_of(plus_one, self=X).judge((X + 1).double())
    assert (finding.verdict, finding.message) == (Verdict.WRONG_DTYPE, "got float64, want float32")


def test_another_shape_even_if_it_broadcasts(trial_of: Trials) -> None:
    trial = trial_of(plus_one, self=torch.ones(2, 1))
    finding = trial.judge(torch.full((2,), 2.0))
    assert (finding.verdict, finding.message) == (Verdict.WRONG_SHAPE, "got (2,), want (2, 1)")


def test_the_second_output_is_named(trial_of: Trials) -> None:
    low, high = both.reference(X)
    finding = trial_of(both, self=X).judge(low, high.int(), sequence=True)
    assert finding.message.startswith("output 1: ")


ONES = torch.ones(2, 3)
LAID_OUT = {
    "contiguous": (ONES.clone(), Verdict.PASSED),
    "another order": (torch.ones(3, 2).t(), Verdict.PASSED),
    "holes": (torch.ones(2, 6)[:, ::2], Verdict.WRONG_SHAPE),
    "overlap": (torch.ones(3).expand(2, 3), Verdict.WRONG_SHAPE),
}


@pytest.mark.parametrize(("answer", "verdict"), LAID_OUT.values(), ids=LAID_OUT)
def test_any_order_without_holes_will_do(trial_of: Trials, answer: torch.Tensor, verdict: Verdict) -> None:
    assert trial_of(move, self=ONES).judge(answer).verdict is verdict


def test_exact_strides_are_those_of_the_reference(trial_of: Trials) -> None:
    turned = X.t().contiguous().t()
    trial = trial_of(as_laid_out, self=turned)
    assert trial.judge(turned.clone()).verdict is Verdict.PASSED
    finding = trial.judge(X.clone())
    assert (finding.verdict, finding.message) == (Verdict.WRONG_SHAPE, "strides (3, 1), want (1, 2)")


def test_the_stride_of_a_single_element_means_nothing(trial_of: Trials) -> None:
    one = torch.ones(1, 3)
    answer = torch.empty_strided((1, 3), (99, 1)).copy_(one)
    assert trial_of(as_laid_out, self=one).judge(answer).verdict is Verdict.PASSED


@given(
    st.lists(st.integers(1, 4), max_size=4).flatmap(
        lambda s: st.tuples(st.just(s), st.permutations(range(len(s))))
    )
)
def test_a_permuted_contiguous_tensor_is_dense(made: tuple[list[int], list[int]]) -> None:
    shape, order = made
    tensor = torch.empty(shape).permute(order)
    assert is_dense(tuple(tensor.shape), tensor.stride())


@given(
    shape=st.lists(st.integers(1, 4), max_size=3).map(tuple),
    stride=st.lists(st.integers(0, 9), min_size=3, max_size=3),
)
def test_dense_means_that_every_place_is_used_once(shape: tuple[int, ...], stride: list[int]) -> None:
    steps = tuple(stride[: len(shape)])
    places = sorted(
        sum(i * s for i, s in zip(index, steps, strict=True))
        for index in itertools.product(*map(range, shape))
    )
    assert is_dense(shape, steps) == (places == list(range(len(places))))


# Memory.


def test_an_output_in_the_memory_of_an_input(trial_of: Trials) -> None:
    trial = trial_of(same, self=X)
    assert trial.judge(X.clone()).verdict is Verdict.PASSED
    finding = trial.judge(X, alias="self")
    assert (finding.verdict, finding.message) == (Verdict.WRONG_ALIAS, "shares memory with self")


def test_an_operator_in_place_returns_its_argument(trial_of: Trials) -> None:
    trial = trial_of(double_, self=X)
    left = {"self": X * 2}
    assert trial.judge(X * 2, alias="self", mutated=left).verdict is Verdict.PASSED
    finding = trial.judge(X * 2, mutated=left)
    assert (finding.verdict, finding.message) == (Verdict.WRONG_ALIAS, "does not return self itself")


def test_an_operator_in_place_must_leave_the_answer_behind(trial_of: Trials) -> None:
    finding = trial_of(double_, self=X).judge(X * 2, alias="self", mutated={"self": X})
    assert finding.verdict is Verdict.WRONG_VALUE


@pytest.mark.parametrize("alias", ["self", None], ids=["view", "copy"])
def test_a_view_operator_may_copy(trial_of: Trials, alias: str | None) -> None:
    trial = trial_of(flip, self=X)
    assert trial.judge(X.t(), alias=alias).verdict is Verdict.PASSED
    assert trial.judge(X.t().contiguous(), alias=alias).verdict is Verdict.PASSED
    assert trial.judge(X.reshape(3, 2), alias=alias).verdict is Verdict.WRONG_VALUE


def test_empty_memory_is_shared_with_nobody(trial_of: Trials) -> None:
    nothing = torch.empty(0, 3)
    assert trial_of(same, self=nothing).judge(nothing, alias="self").verdict is Verdict.PASSED


# Values.


def test_the_worst_element_is_named(trial_of: Trials) -> None:
    answer = X + 1
    answer[0, 1] += 0.5
    answer[1, 2] += 2
    finding = trial_of(plus_one, self=X).judge(answer)
    assert (finding.verdict, finding.message) == (Verdict.WRONG_VALUE, "got 8, want 6 at (1, 2)")
    assert finding.errors is not None
    assert (finding.errors.max_abs, finding.errors.max_rel) == (2.0, pytest.approx(1 / 3))
    assert finding.errors.rms == pytest.approx(math.sqrt((0.25 + 4) / 6))


@settings(max_examples=50)
@given(
    values=st.lists(st.sampled_from([nan, inf, -inf, 0.0, 1.0, -2.0]), min_size=1, max_size=6),
    place=st.integers(0, 5),
    other=st.sampled_from([nan, inf, -inf, 3e38, 9.0]),
)
def test_nan_and_infinities_must_stand_where_they_belong(
    trial_of: Trials, values: list[float], place: int, other: float
) -> None:
    x = torch.tensor(values)
    trial = trial_of(same, self=x)
    assert trial.judge(x.clone()).verdict is Verdict.PASSED
    off = x.clone()
    off[place % len(values)] = other
    wrong = repr(off[place % len(values)].item()) != repr(values[place % len(values)])
    assert (trial.judge(off).verdict is Verdict.WRONG_VALUE) == wrong


@pytest.mark.parametrize(
    ("golden", "right", "wrong"),
    [
        (60_000.0, [60_000.0], [inf, -inf, nan]),
        (65_504.0, [65_504.0], [-65_504.0, -inf, nan]),
        (65_519.9, [65_504.0, inf], [-inf, nan]),
        (65_520.0, [inf], [65_504.0, -inf]),
        (-65_519.9, [-65_504.0, -inf], [inf]),
        (-70_000.0, [-inf], [-65_504.0, inf]),
        (inf, [inf], [65_504.0]),
    ],
)
def test_either_side_is_right_at_the_edge_of_the_dtype(
    trial_of: Trials, golden: float, right: list[float], wrong: list[float]
) -> None:
    trial = trial_of(narrowed, self=torch.tensor([golden], dtype=torch.float64))
    for value in right:
        assert trial.judge(torch.tensor([value], dtype=torch.float16)).verdict is Verdict.PASSED, value
    for value in wrong:
        finding = trial.judge(torch.tensor([value], dtype=torch.float16))
        assert finding.verdict is Verdict.WRONG_VALUE, value


@operator("law::narrowed", numeric=Elementwise(ulps=0.5), golden=lambda self: self.clone())
def narrowed(self: torch.Tensor) -> torch.Tensor:
    """Each in float16."""
    return self.half()


@given(st.integers(2**53, 2**63 - 2), st.sampled_from([1, -1]))
def test_whole_numbers_beyond_a_double_are_told_apart(trial_of: Trials, value: int, step: int) -> None:
    x = torch.tensor([value])
    trial = trial_of(move, self=x)
    assert trial.judge(x.clone()).verdict is Verdict.PASSED
    assert trial.judge(x + step).verdict is Verdict.WRONG_VALUE


@pytest.mark.parametrize(
    "dtype", [torch.bool, torch.uint8, torch.float16, torch.float8_e4m3fn, torch.complex64], ids=str
)
def test_moved_values_are_equal_or_wrong(trial_of: Trials, dtype: torch.dtype) -> None:
    x = torch.tensor([0.0, 1.0, 1.0, 0.0]).to(dtype)
    trial = trial_of(move, self=x)
    assert trial.judge(x.clone()).verdict is Verdict.PASSED
    assert trial.judge(torch.tensor([0.0, 1.0, 1.0, 1.0]).to(dtype)).verdict is Verdict.WRONG_VALUE


def test_signed_zeros_are_equal(trial_of: Trials) -> None:
    assert trial_of(move, self=torch.tensor([0.0, -0.0])).judge(torch.zeros(2)).verdict is Verdict.PASSED


Z = torch.tensor([1 + 2j, -3 + 0.5j], dtype=torch.complex64)


@pytest.mark.parametrize("wrong", [1e-5, 1e-5j, complex(nan, 0), complex(0, inf)], ids=repr)
def test_both_parts_of_a_complex_number_count(trial_of: Trials, wrong: complex) -> None:
    trial = trial_of(plus_one, self=Z)
    assert trial.judge(Z + 1).verdict is Verdict.PASSED
    off = Z + 1
    off[1] += wrong
    assert trial.judge(off).verdict is Verdict.WRONG_VALUE


def test_the_sign_of_a_moved_complex_infinity_counts(trial_of: Trials) -> None:
    z = torch.tensor([complex(inf, 1), complex(0, nan)], dtype=torch.complex64)
    trial = trial_of(move, self=z)
    assert trial.judge(z.clone()).verdict is Verdict.PASSED
    assert trial.judge(torch.stack([-z[0], z[1]])).verdict is Verdict.WRONG_VALUE


def test_a_looser_bound_lets_the_same_answer_pass(trial_of: Trials) -> None:
    trial = trial_of(plus_one, self=X)
    off = (X + 1) * (1 + 4 * 2.0**-23)
    finding = trial.judge(off)
    assert finding.verdict is Verdict.WRONG_VALUE
    assert finding.errors is not None
    assert trial.judge(off, allowed=finding.errors.scale).verdict is Verdict.PASSED
    assert trial.judge(off, allowed=finding.errors.scale * 0.99).verdict is Verdict.WRONG_VALUE


@pytest.mark.parametrize(("got", "right"), [(15.0, True), (14.0, False), (nan, False)])
def test_numbers_are_equal_or_wrong(trial_of: Trials, got: float, right: bool) -> None:
    assert (trial_of(count, self=X).judge(got).verdict is Verdict.PASSED) == right


def test_nan_equals_nan_as_a_number(trial_of: Trials) -> None:
    trial = trial_of(count, self=torch.tensor([nan]))
    assert trial.judge(nan).verdict is Verdict.PASSED
    assert trial.judge(0.0).verdict is Verdict.WRONG_VALUE


@pytest.mark.parametrize(
    ("size", "negative", "right"),
    [(6, -X, True), (5, -X, False), (6, X, False), (5, X, False)],
    ids=["both right", "number wrong", "tensor wrong", "both wrong"],
)
def test_every_output_counts(trial_of: Trials, size: int, negative: torch.Tensor, right: bool) -> None:
    finding = trial_of(size_and_negative, self=X).judge(size, negative, sequence=True)
    assert (finding.verdict is Verdict.PASSED) == right


def test_uninitialised_memory_is_judged_by_its_metadata(trial_of: Trials) -> None:
    trial = trial_of(room, self=X)
    assert trial.judge(torch.full_like(X, nan)).verdict is Verdict.PASSED
    assert trial.judge(torch.empty(3, 2)).verdict is Verdict.WRONG_SHAPE


def test_draws_are_judged_by_their_distribution(trial_of: Trials) -> None:
    trial = trial_of(coin, self=X)
    assert trial.judge(torch.ones_like(X)).verdict is Verdict.PASSED
    finding = trial.judge(torch.zeros_like(X))
    assert finding.verdict is Verdict.WRONG_VALUE
    assert "probability" in finding.message


def test_draws_are_judged_by_what_they_leave_behind(trial_of: Trials) -> None:
    trial = trial_of(noted, self=X, kept=X)
    drawn = torch.full_like(X, 3.0)
    assert trial.judge(drawn, mutated={"kept": X + 3}).verdict is Verdict.PASSED
    finding = trial.judge(drawn, mutated={"kept": X + 1})
    assert finding.verdict is Verdict.WRONG_VALUE
    assert finding.message == "what it left in kept does not belong to its output"


def test_an_empty_answer_is_right(trial_of: Trials) -> None:
    assert trial_of(plus_one, self=torch.empty(0, 3)).judge(torch.empty(0, 3)).verdict is Verdict.PASSED
