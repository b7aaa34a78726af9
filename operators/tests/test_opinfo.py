"""PyTorch's own samples: which operators have them, that they replay, and that nothing unsaid slips in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
import torch

from kgb_core.judge.golden import run
from kgb_core.models.case import Case, Layout, Purpose, TensorSpec, Tier
from kgb_core.operators.binding import Bound
from kgb_core.operators.draw import draw_case
from kgb_core.operators.registry import suite_hash
from kgb_core.operators.samples import Inexpressible, case_of
from kgb_core.operators.spec import Operator
from kgb_operators import operators
from kgb_operators.opinfo import ALIKE, NEURAL, RENAMED, name_of

OPERATORS = {operator.name: operator for operator in operators()}
FEW = ("aten::add_", "aten::pow", "aten::cat", "aten::embedding", "aten::sort", "aten::bernoulli")


@dataclass(frozen=True)
class Database:
    """The names of all samples that torch has."""

    names: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def installed(cls) -> Database:
        from torch.testing._internal.common_methods_invocations import op_db

        return cls(frozenset(info.name for info in op_db))


def test_every_name_is_one_of_torch() -> None:
    wanted = {name for operator in OPERATORS.values() if (name := name_of(operator.name))}
    assert wanted <= Database.installed().names
    assert len(wanted) > 70


def test_every_entry_of_the_table_is_an_operator() -> None:
    entries = {operator.entry for operator in OPERATORS.values()}
    assert {*NEURAL, *RENAMED} <= entries
    assert {name for name in ALIKE if name not in entries and f"{name}_" not in entries} == set()


@pytest.mark.parametrize("name", FEW)
def test_samples_are_cases_of_their_own_tier(name: str) -> None:
    operator = OPERATORS[name]
    found = operator.selected(Purpose.CHECK, Tier.OPINFO)
    assert len(found) >= 9
    assert {case.tier for case in found} == {Tier.OPINFO}
    assert len({case.id for case in found}) == len(found)
    assert operator.selected(Purpose.PERF, Tier.OPINFO) == []
    assert not set(found) & set(operator.selected(Purpose.CHECK, Tier.FULL))


@pytest.mark.parametrize("name", FEW)
def test_making_them_again_gives_the_same_cases_and_leaves_generators_alone(name: str) -> None:
    sampler = OPERATORS[name].sampler
    assert sampler is not None
    torch.manual_seed(3)
    before = torch.get_rng_state()
    assert [case.id for case in sampler().cases] == [case.id for case in OPERATORS[name].samples.cases]
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("name", FEW)
def test_the_seed_of_a_run_does_not_change_a_sample(name: str) -> None:
    operator = OPERATORS[name]
    for case in operator.samples.cases[:20]:
        one, other = (Bound(operator.signature, draw_case(case, seed)) for seed in (1, 2))
        for (_, left), (_, right) in zip(one.tensors(), other.tensors(), strict=True):
            assert torch.equal(left.nan_to_num(), right.nan_to_num())
        run(operator.reference, one)


def entry(self: torch.Tensor, other: Any = None) -> torch.Tensor:
    """Any."""
    return self


ENTRY = Operator("law::entry", entry, OPERATORS["aten::add"].numeric)


def the_tensor(case: Case) -> TensorSpec:
    (tensor,) = case.tensors()
    return tensor


LAID_OUT = {
    Layout.CONTIGUOUS: torch.arange(6.0).view(2, 3),
    Layout.TRANSPOSED: torch.arange(6.0).view(3, 2).t(),
    Layout.STRIDED: torch.arange(14.0).view(2, 7)[:, 1::2],
    Layout.EXPANDED: torch.arange(3.0).expand(2, 3),
    Layout.CHANNELS_LAST: torch.arange(24.0).view(1, 2, 3, 4).to(memory_format=torch.channels_last),
}


@pytest.mark.parametrize("layout", LAID_OUT, ids=lambda layout: str(layout.value))
def test_elements_and_strides_are_kept(layout: Layout) -> None:
    sample = LAID_OUT[layout]
    case = case_of(ENTRY, "sample", (sample,), {})
    drawn = draw_case(case, 0)["self"]
    assert the_tensor(case).layout is layout
    assert torch.equal(drawn, sample)
    assert drawn.stride() == sample.stride()


UNSAID = {
    "complex elements": torch.zeros(2, dtype=torch.complex64),
    "strides that no layout has": torch.zeros(9)[::3],
    "a tensor of more than 4096 elements": torch.zeros(5000),
    "a tensor that is not strided": torch.zeros(2, 2).to_sparse(),
    "whole numbers beyond 2\\*\\*53": torch.tensor([2**60]),
}


@pytest.mark.parametrize(("reason", "sample"), UNSAID.items(), ids=UNSAID)
def test_what_a_case_can_not_say_is_refused(reason: str, sample: torch.Tensor) -> None:
    with pytest.raises(Inexpressible, match=reason):
        case_of(ENTRY, "sample", (sample,), {})


@pytest.mark.parametrize("argument", [1j, object(), [object()], slice(2)])
def test_an_argument_that_no_case_has_is_refused(argument: object) -> None:
    with pytest.raises(Inexpressible):
        case_of(ENTRY, "sample", (torch.zeros(2), argument), {})


def test_an_argument_that_the_entry_does_not_take_is_refused() -> None:
    with pytest.raises(Inexpressible, match="does not take"):
        case_of(ENTRY, "sample", (torch.zeros(2),), {"alpha": 2})


def test_the_suite_of_samples_is_another_with_another_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [OPERATORS[name] for name in FEW]
    declared, sampled = suite_hash(some), suite_hash(some, Tier.OPINFO)
    monkeypatch.setattr("kgb_core.operators.registry.version", lambda name: "9.9")
    assert suite_hash(some) == declared
    assert len({declared, sampled, suite_hash(some, Tier.OPINFO)}) == 3
