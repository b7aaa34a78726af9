"""Case ids that never move, and the grids that cases are written with."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgb_core.errors import OperatorError
from kgb_core.models.case import Case, Layout, Purpose, TensorListSpec, TensorSpec, Tier
from kgb_core.models.dtypes import DType
from kgb_core.operators.cases import (
    ANY_LAYOUT,
    FLOATING,
    OMIT,
    case,
    fill,
    fp16,
    fp32,
    grid,
    i64,
    inf,
    integers,
    literally,
    nan,
    normal,
    permutation,
    shapes,
    sprinkle,
    uniform,
)
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import operator

SOFTMAX = case("rows", self=normal((7, 1023), dtype=fp32), dim=-1)

PINNED = {
    "41ea9ab3e2a7": SOFTMAX,
    "278abde88dcb": case("", size=[2, 3], value=nan, dtype=fp16),
    "02af3cce7abd": case("", tensors=[normal((2,), dtype=fp32), fill((3,), True, dtype=DType.BOOL)], dim=0),
    "03ce425a3c14": case("", x=sprinkle((4,), nan, -inf, dtype=fp16, layout=Layout.STRIDED), p="mean"),
}
"""Ids as they were when bundles were first written. Bundles name cases by them: they must not change."""


def argument(cases: list[Case], name: str) -> list[Any]:
    """What a parameter gets in each case."""
    return [named.argument for made in cases for named in made.arguments if named.name == name]


@pytest.mark.parametrize(("expected", "made"), PINNED.items(), ids=PINNED)
def test_ids_do_not_change_between_versions(expected: str, made: Case) -> None:
    assert made.id == expected


@pytest.mark.parametrize(
    "change", [{"title": "other"}, {"tier": Tier.FULL}, {"weight": 3.0}, {"telling": False}], ids=repr
)
def test_an_id_is_of_the_arguments_alone(change: dict[str, Any]) -> None:
    assert SOFTMAX.model_copy(update=change).id == SOFTMAX.id


@pytest.mark.parametrize(
    "other",
    [
        case("rows", self=normal((7, 1023), dtype=fp32), dim=1),
        case("rows", self=normal((7, 1023), dtype=fp16), dim=-1),
        case("rows", self=normal((7, 1024), dtype=fp32), dim=-1),
        case("rows", self=normal((7, 1023), 0.5, dtype=fp32), dim=-1),
        case("rows", self=normal((7, 1023), dtype=fp32, layout=Layout.STRIDED), dim=-1),
        case("rows", self=normal((7, 1023), dtype=fp32), dim=-1, dtype=fp32),
        SOFTMAX.model_copy(update={"purpose": Purpose.PERF}),
    ],
    ids=lambda made: made.label,
)
def test_other_arguments_have_another_id(other: Case) -> None:
    assert other.id != SOFTMAX.id


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(max_size=8)
)
NUMBERS = st.lists(st.one_of(st.integers(-(2**63), 2**63 - 1), st.floats(), st.booleans()), max_size=4)
TENSORS = st.builds(
    TensorSpec,
    shape=st.lists(st.integers(0, 9), max_size=4).map(tuple),
    dtype=st.sampled_from(DType),
    layout=st.sampled_from([x for x in Layout if x is not Layout.FAR]),
    values=st.sampled_from(
        [literally((), nan, -0.0, True).values, sprinkle((), inf).values, fill((), True).values]
    ),
)
ARGUMENTS = st.one_of(
    SCALARS, NUMBERS, TENSORS, st.lists(TENSORS, min_size=1, max_size=2), st.sampled_from(DType)
)


@given(st.dictionaries(st.sampled_from("abcd"), ARGUMENTS))
def test_a_case_survives_the_wire_with_its_id(arguments: dict[str, Any]) -> None:
    made = case("", **arguments)
    again = Case.model_validate_json(made.model_dump_json())
    assert again.id == made.id
    assert again.label == made.label
    assert again.model_dump_json() == made.model_dump_json()


def test_an_id_is_of_the_purpose_that_a_case_has_in_the_end() -> None:
    probe = operator("test::probe", numeric=Exact())(_identity)
    same = grid("Llama", self=normal((9,)), dtypes=(fp32,))
    probe.check(same)
    probe.perf(same, case("Llama", self=normal((9,), dtype=fp32)))
    check, perf, single = (made.id for made in probe.cases)
    assert check != perf == single
    assert perf == Case.model_validate_json(probe.cases[1].model_dump_json()).id


def _identity(self: Any) -> Any:
    """The input."""
    return self


def test_a_grid_is_every_combination_in_order() -> None:
    made = grid("t", self=shapes((2,), (3, 4)), dim=[0, -1], dtypes=FLOATING, layouts=ANY_LAYOUT)
    assert len(made) == 3 * 4 * 2 * 2
    found = [(t.dtype, t.layout, t.shape) for t in argument(made, "self")]
    assert found[::2] == list(itertools.product(FLOATING, ANY_LAYOUT, [(2,), (3, 4)]))
    assert {made_one.title for made_one in made} == {"t"}


def test_a_grid_completes_templates_and_leaves_the_rest_alone() -> None:
    (made,) = grid(
        self=normal((2, 3)),
        index=integers((2, 3), 0, 2, dtype=i64),
        tensors=[[uniform((2,)), permutation((4,), dtype=i64)]],
        dtypes=(fp16,),
        layouts=[Layout.STRIDED],
    )
    x, index, many = (named.argument for named in made.arguments)
    assert isinstance(x, TensorSpec)
    assert (x.dtype, x.layout) == (fp16, Layout.STRIDED)
    assert isinstance(index, TensorSpec)
    assert (index.dtype, index.layout) == (i64, Layout.CONTIGUOUS)
    assert isinstance(many, TensorListSpec)
    assert [item.dtype for item in many.tensors] == [fp16, i64]


def test_a_list_of_tensors_may_leave_some_out() -> None:
    some = [None, integers((3,), 0, 2), None]
    (made,) = grid(indices=[some], dtypes=(i64,), layouts=[Layout.STRIDED])
    (found,) = argument([made], "indices")
    assert [item and (item.dtype, item.layout) for item in found.items] == [None, (i64, Layout.STRIDED), None]
    assert made.label == "indices=[None, i64[3] strided, None]"
    assert len(made.tensors()) == 1
    assert made.dtypes() == {i64}


def test_a_list_of_nothing_but_none_is_a_plain_value() -> None:
    (found,) = argument([case("", dims=[None, None])], "dims")
    assert found.plain == [None, None]


def test_a_layout_that_a_template_names_stays() -> None:
    made = grid(self=normal((2, 3), layout=Layout.TRANSPOSED), dtypes=(fp32,), layouts=ANY_LAYOUT)
    assert [t.layout for t in argument(made, "self")] == [Layout.TRANSPOSED]


def test_omit_leaves_a_parameter_out() -> None:
    made = grid(self=normal((2,)), alpha=[OMIT, 2], dtypes=(fp32,))
    assert [[named.name for named in one.arguments] for one in made] == [["self"], ["self", "alpha"]]


def test_the_same_case_twice_is_one_case() -> None:
    assert len(grid(self=[normal((2,)), normal((2,))], dim=[0, 0, 1], dtypes=(fp32, fp32))) == 2


def test_a_list_as_value_is_wrapped() -> None:
    made = grid(size=[[2, 3], [4]], dtype=[fp16])
    assert [one.plain for one in argument(made, "size")] == [[2, 3], [4]]


def test_a_tensor_without_dtype_is_refused() -> None:
    with pytest.raises(OperatorError, match="no dtype"):
        case("t", self=normal((2,)))
    with pytest.raises(OperatorError, match="no dtype") as caught:
        grid(self=normal((2,)))
    assert "dtypes=" in caught.value.hint


def test_a_label_says_what_a_tester_would() -> None:
    made = case("rows of NaN", self=normal((2, 3), dtype=fp16, layout=Layout.STRIDED), dim=-1, reduce="mean")
    assert made.label == "rows of NaN: self=fp16[2x3] strided, dim=-1, reduce='mean'"


@given(outer=st.sampled_from(Tier), inner=st.sampled_from(Tier))
def test_a_tier_includes_those_before_it(outer: Tier, inner: Tier) -> None:
    if Tier.OPINFO in (outer, inner):
        assert outer.includes(inner) == (outer is inner)
    else:
        assert outer.includes(inner) == (list(Tier).index(inner) <= list(Tier).index(outer))


def test_the_dtypes_of_a_case_are_those_it_touches() -> None:
    made = case("", self=normal((2,), dtype=fp16), tensors=[normal((2,), dtype=fp32)], dtype=DType.FLOAT64)
    assert made.dtypes() == {fp16, fp32, DType.FLOAT64}
    assert [t.dtype for t in made.tensors()] == [fp16, fp32]
