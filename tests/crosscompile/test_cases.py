"""One call for each combination of dtypes, with contents where there are any."""

from __future__ import annotations

import pytest

from kgb_core.crosscompile.cases import calls_of
from kgb_core.models.case import Case, Purpose, Tier
from kgb_core.operators.cases import bf16, case, fp32, normal
from kgb_core.operators.registry import load_registry
from kgb_core.operators.rules import Elementwise
from kgb_core.operators.spec import Operator, operator


@pytest.fixture
def added() -> Operator:
    @operator("scratch::added", numeric=Elementwise())
    def added(self, other, *, alpha=1.0):  # type: ignore[no-untyped-def]
        """A sum."""

    added.check(
        case("empty", self=normal((0,), dtype=fp32), other=normal((0,), dtype=fp32)),
        case("first", self=normal((3,), dtype=fp32), other=normal((3,), dtype=fp32)),
        case("second", self=normal((4,), dtype=fp32), other=normal((4,), dtype=fp32)),
        case("mixed", self=normal((3,), dtype=bf16), other=normal((3,), dtype=fp32), alpha=2.0),
        case("only empty", self=normal((0,), dtype=bf16), other=normal((0,), dtype=bf16)),
    )
    return added


def test_the_first_that_is_not_empty_stands_for_its_dtypes(added: Operator) -> None:
    assert [call.case.title for call in calls_of(added)] == ["first", "mixed", "only empty"]


def test_keyword_only_arguments_do_not_go_by_position(added: Operator) -> None:
    assert {call.positional for call in calls_of(added)} == {2}


@pytest.mark.parametrize("found", load_registry().operators.values(), ids=lambda found: found.name)
def test_every_dtype_of_the_smoke_cases_is_called(found: Operator) -> None:
    smoke = found.selected(Purpose.CHECK, Tier.SMOKE)

    def dtypes(cases: list[Case]) -> set[object]:
        return {dtype for each in cases for dtype in each.dtypes()}

    assert dtypes([call.case for call in calls_of(found)]) == dtypes(smoke)
