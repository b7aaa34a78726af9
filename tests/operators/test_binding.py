"""From a case to a call: what goes by position, what by name, and which tensors there are."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.errors import OperatorError
from kgb_core.operators.binding import Bound, check_case
from kgb_core.operators.cases import case, fp32, normal
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator


@operator("test::call", numeric=Exact())
def call(self: Any, dim: Any = 0, keep: Any = False, *, dtype: Any = None, out: Any = None) -> Any:
    """Its arguments."""
    return [self, dim, keep, dtype, out]


def bound(**values: Any) -> Bound:
    """A call with these arguments."""
    return Bound(call.signature, values)


@given(st.sets(st.sampled_from(["dim", "keep", "dtype", "out"])))
def test_a_bound_call_reaches_every_parameter(given_names: set[str]) -> None:
    values = {name: f"<{name}>" for name in call.signature.parameters if name in given_names | {"self"}}
    made = bound(**values)
    received = call.reference(*made.args, **made.kwargs)
    assert received == [made[name] for name in call.signature.parameters]


def test_arguments_go_by_position_until_the_first_omission() -> None:
    made = bound(self=1, keep=True, dtype="d")
    assert made.positional == ["self"]
    assert (made.args, made.kwargs) == ([1], {"keep": True, "dtype": "d"})


def test_keyword_only_parameters_go_by_name() -> None:
    made = bound(self=1, dim=2, keep=3, dtype=4)
    assert (made.args, made.kwargs) == ([1, 2, 3], {"dtype": 4})


def test_an_omitted_parameter_has_its_default() -> None:
    assert bound(self=1)["dim"] == 0
    assert bound(self=1, dim=-1)["dim"] == -1


def test_a_replaced_call_goes_the_same_way() -> None:
    made = bound(self=1, dim=2).replace({"self": 5, "dim": 6})
    assert made.args == [5, 6]


def test_tensors_are_found_with_their_paths() -> None:
    x, y, z = (torch.zeros(1) for _ in range(3))
    found = list(bound(self=[x, y], dim=z, keep=3).tensors())
    assert [path for path, _ in found] == ["self[0]", "self[1]", "dim"]
    assert [tensor for _, tensor in found][2] is z


def test_a_case_that_fits_is_let_through() -> None:
    check_case(call, case("", self=normal((2,), dtype=fp32), dtype=fp32))


@pytest.mark.parametrize("arguments", [{"dim": 1}, {"self": 1, "axis": 1}], ids=["missing", "unknown"])
def test_a_case_that_does_not_fit_is_refused_with_the_signature(arguments: dict[str, Any]) -> None:
    with pytest.raises(OperatorError, match="test::call") as caught:
        check_case(call, case("", **arguments))
    assert "call(self" in caught.value.hint
    assert list(arguments)[-1] in caught.value.why or "self" in caught.value.why


def test_a_case_out_of_order_is_refused() -> None:
    """A call goes by position in the order of its case: another order would reach other parameters."""
    x = normal((2,), dtype=fp32)
    check_case(call, case("", self=x, out=1, dtype=fp32))
    for arguments in ({"dim": 1, "self": x}, {"dtype": fp32, "self": x}, {"self": x, "keep": True, "dim": 1}):
        with pytest.raises(OperatorError, match="out of order"):
            check_case(call, case("", **arguments))
