"""Declaring an operator: what it says of itself, and what a declaration must not be."""

from __future__ import annotations

from typing import Any

import pytest

from kgb_core.errors import OperatorError
from kgb_core.models.case import Purpose, Tier
from kgb_core.operators.cases import case, fp32, grid, normal
from kgb_core.operators.rules import Exact
from kgb_core.operators.spec import Kind, Operator, operator


def declared(**options: Any) -> Operator:
    """A small operator."""

    @operator("test::scale", numeric=Exact(), **options)
    def scale(self: Any, factor: float = 2.0, *, out: Any = None) -> Any:
        """Self times factor.

        More about it.
        """
        return self * factor

    return scale


def test_an_operator_says_what_it_is() -> None:
    scale = declared(mutates=["self"], tags=["mine"])
    assert (scale.source, scale.entry) == ("test", "scale")
    assert scale.semantics == "Self times factor."
    assert list(scale.signature.parameters) == ["self", "factor", "out"]
    assert (scale.mutates, scale.tags) == ({"self"}, {"mine"})


def test_cases_are_selected_by_purpose_and_tier_in_declared_order() -> None:
    scale = declared()
    x = normal((3,), dtype=fp32)
    scale.check(case("a", self=x), grid("b", self=x, factor=[1, 2], tier=Tier.STANDARD), case("c", self=x))
    scale.perf(case("Llama", self=x), weight=3)
    titles = [made.title for made in scale.selected(Purpose.CHECK, Tier.STANDARD)]
    assert titles == ["a", "b", "b", "c"]
    assert [made.title for made in scale.selected(Purpose.CHECK, Tier.SMOKE)] == ["a", "c"]
    (perf,) = scale.selected(Purpose.PERF, Tier.SMOKE)
    assert (perf.purpose, perf.weight) == (Purpose.PERF, 3)


def test_a_perf_case_needs_an_origin() -> None:
    with pytest.raises(OperatorError, match="origin"):
        declared().perf(case("", self=normal((3,), dtype=fp32)))


def test_a_name_needs_a_namespace() -> None:
    with pytest.raises(OperatorError, match="namespace") as caught:
        operator("softmax", numeric=Exact())
    assert "aten::softmax" in caught.value.hint


def test_a_function_must_state_its_semantics() -> None:
    def silent(self: Any) -> Any:
        return self

    with pytest.raises(OperatorError, match="semantics"):
        operator("test::silent", numeric=Exact())(silent)


@pytest.mark.parametrize("kind", Kind)
def test_what_is_timed_needs_a_launch(kind: Kind) -> None:
    assert kind.timed == kind.needs_launch == (kind in (Kind.COMPUTE, Kind.FACTORY, Kind.RANDOM))


def test_arguments_are_kept_in_the_order_of_the_signature() -> None:
    @operator("law::scaled", numeric=Exact())
    def scaled(self: object, scale: float, shift: float = 0.0) -> None:
        """Something."""

    scaled.check(case("", shift=1.0, scale=2.0, self=3.0), case("", self=3.0, scale=2.0, shift=1.0))
    assert [[a.name for a in made.arguments] for made in scaled.cases] == [["self", "scale", "shift"]] * 2
    assert scaled.cases[0].id == scaled.cases[1].id
