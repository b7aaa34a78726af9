"""The registry: finding operators by name and by suite, and the hash that says it is the same suite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kgb_core.errors import OperatorError, UsageError
from kgb_core.models.case import Tier
from kgb_core.operators.cases import case, fp32, normal
from kgb_core.operators.registry import load_registry, registry_of, suite_hash
from kgb_core.operators.rules import Elementwise, Exact, NumericRule, Reduction
from kgb_core.operators.spec import Kind, Operator, Strides, Work

X = normal((3,), dtype=fp32)


def relu(self: Any) -> Any:
    """The larger of self and zero."""
    return self.clamp(min=0)


def other_relu(self: Any) -> Any:
    """The larger of self and zero."""
    return self.relu()


def one_term(call: Any) -> int:
    return 1


def two_terms(call: Any) -> int:
    return 2


def made(name: str = "one::relu", numeric: NumericRule | None = None, **fields: Any) -> Operator:
    """An operator with one case of each purpose."""
    declared = Operator(name, fields.pop("reference", relu), numeric or Exact(), **fields)
    declared.check(case("a", self=X))
    declared.perf(case("Llama", self=X))
    return declared


def test_an_operator_is_found_by_name_and_by_entry() -> None:
    registry = registry_of([made("one::relu"), made("two::gelu")])
    assert registry.get("one::relu").name == "one::relu"
    assert registry.get("gelu").name == "two::gelu"


def test_an_unknown_name_brings_close_ones() -> None:
    registry = registry_of([made("one::softmax"), made("one::gelu")])
    with pytest.raises(UsageError, match="no operator one::softmx") as caught:
        registry.get("one::softmx")
    assert "2 operators are installed; close: one::softmax" in caught.value.why
    with pytest.raises(UsageError) as far:
        registry.get("zzz")
    assert "close" not in far.value.why


def test_an_entry_that_two_have_is_ambiguous() -> None:
    registry = registry_of([made("one::relu"), made("two::relu")])
    assert len(registry.with_entry("relu")) == 2
    with pytest.raises(UsageError, match="ambiguous") as caught:
        registry.get("relu")
    assert "one::relu and two::relu" in caught.value.why


def test_the_same_name_twice_is_refused() -> None:
    with pytest.raises(OperatorError, match="declared twice"):
        registry_of([made(), made()])


def test_a_case_that_does_not_fit_is_refused() -> None:
    wrong = made()
    wrong.check(case("a", self=X, dim=1))
    with pytest.raises(OperatorError, match="does not fit"):
        registry_of([wrong])


def test_a_suite_is_sorted_and_an_unknown_one_names_the_known() -> None:
    registry = registry_of(
        [made("b::relu", tags=frozenset({"mc"})), made("a::relu", tags=frozenset({"mc", "smoke"}))]
    )
    assert [operator.name for operator in registry.suite("mc")] == ["a::relu", "b::relu"]
    assert [operator.name for operator in registry.suite("smoke")] == ["a::relu"]
    with pytest.raises(UsageError, match="no suite ms") as caught:
        registry.suite("ms")
    assert caught.value.why == "known: mc, smoke"


def test_installed_operators_are_found() -> None:
    assert "aten::softmax" in load_registry().operators


def with_case(**changes: Any) -> Operator:
    changed = made()
    changed.cases[0] = changed.cases[0].model_copy(update=changes)
    return changed


CHANGES: dict[str, Callable[[], Operator]] = {
    "a case more": lambda: _more(made()),
    "a case less": lambda: _less(made()),
    "the tier of a case": lambda: with_case(tier=Tier.FULL),
    "the weight of a case": lambda: with_case(weight=2.0),
    "the reference": lambda: made(reference=other_relu),
    "the golden function": lambda: made(golden=other_relu),
    "the operations counted": lambda: made(flops=one_term),
    "the rule": lambda: made(numeric=Elementwise(ulps=2)),
    "a number of the rule": lambda: made(numeric=Elementwise(ulps=3)),
    "what a rule counts": lambda: made(numeric=Reduction(terms=one_term)),
    "how a rule counts": lambda: made(numeric=Reduction(terms=two_terms)),
    "the kind": lambda: made(kind=Kind.VIEW),
    "the work": lambda: made(work=Work.MOVEMENT),
    "the strides": lambda: made(strides=Strides.EXACT),
    "what it mutates": lambda: made(mutates=frozenset({"self"})),
    "what it need not read": lambda: made(unread=frozenset({"self"})),
    "the name": lambda: made("two::relu"),
}


def _more(operator: Operator) -> Operator:
    operator.check(case("b", self=normal((4,), dtype=fp32)))
    return operator


def _less(operator: Operator) -> Operator:
    operator.cases.pop()
    return operator


def test_every_change_of_a_suite_changes_its_hash() -> None:
    hashes = {name: suite_hash([change()]) for name, change in CHANGES.items()}
    hashes["nothing"] = suite_hash([made()])
    assert len(set(hashes.values())) == len(hashes), hashes


def test_titles_and_order_do_not_change_the_hash() -> None:
    one, two = made("one::relu"), made("two::relu")
    assert suite_hash([one, two]) == suite_hash([two, one]) == suite_hash([with_case(title="b"), two])
