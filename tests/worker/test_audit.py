"""The audit of a call: what was dispatched is counted, what was allocated is guarded and poisoned."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from kgb_core.worker.audit import Audit
from kgb_core.worker.guard import Poison


def audited(call: Callable[[], object], seed: int = 1) -> Audit:
    """The audit of a call."""
    audit = Audit(Poison(seed, torch.device("cpu")))
    with audit:
        call()
    return audit


X = torch.arange(6.0).reshape(2, 3)

CALLS: dict[str, tuple[Callable[[], object], dict[str, int]]] = {
    "nothing": (lambda: X.shape, {}),
    "softmax": (lambda: torch.softmax(X, 1), {"aten::_softmax": 1}),
    "twice": (lambda: (X + 1) + 1, {"aten::add": 2}),
    "in place": (lambda: X.clone().mul_(2), {"aten::clone": 1, "aten::mul_": 1}),
    "out": (lambda: torch.sum(X, 1, out=torch.empty(2)), {"aten::sum": 1, "aten::empty": 1}),
    "a view": (lambda: X.t(), {"aten::t": 1}),
    "an operator of numpy's": (lambda: X.numpy().sum(), {}),
}


@pytest.mark.parametrize(("call", "counted"), CALLS.values(), ids=CALLS)
def test_every_dispatched_operator_is_counted(call: Callable[[], object], counted: dict[str, int]) -> None:
    operators = audited(call).operators
    assert {name: count for name, count in operators.items() if name != "aten::detach"} == counted


def test_an_operator_by_any_name_is_counted() -> None:
    def hidden() -> None:
        function = getattr(torch, "soft" + "max")
        function(X, 1)
        torch._C._nn.gelu(X)
        torch.ops.aten.cos(X)

    assert set(audited(hidden).operators) >= {"aten::_softmax", "aten::gelu", "aten::cos"}


def test_after_the_call_nothing_is_counted() -> None:
    audit = audited(lambda: X + 1)
    torch.softmax(X, 1)
    assert set(audit.operators) == {"aten::add"}


def test_in_quiet_nothing_is_counted() -> None:
    audit = Audit(Poison(1, torch.device("cpu")))
    with audit:
        with audit.quiet():
            torch.cos(X)
            with audit.quiet():
                torch.sin(X)
            torch.tan(X)
        torch.exp(X)
    assert set(audit.operators) == {"aten::exp"}


MAKERS: dict[str, Callable[[], torch.Tensor]] = {
    "empty": lambda: torch.empty(40),
    "empty_like": lambda: torch.empty_like(X.expand(7, 2, 3)),
    "empty_strided": lambda: torch.empty_strided((4, 10), (1, 4)),
    "new_empty": lambda: X.new_empty(40),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_memory_that_nobody_wrote_holds_something_else_each_call(make: Callable[[], torch.Tensor]) -> None:
    found: list[torch.Tensor] = []
    for seed in (1, 2):
        audited(lambda: found.append(make()), seed)
    assert not torch.equal(*found)
    assert bool(torch.isfinite(found[0]).all())
    assert found[0].stride() == make().stride()


FILLED: dict[str, Callable[[], torch.Tensor]] = {
    "zeros": lambda: torch.zeros(9),
    "ones_like": lambda: torch.ones_like(X),
    "full": lambda: torch.full((9,), 3),
    "new_zeros": lambda: X.new_zeros(3),
}


@pytest.mark.parametrize("make", FILLED.values(), ids=FILLED)
def test_memory_that_was_filled_keeps_its_values(make: Callable[[], torch.Tensor]) -> None:
    found: list[torch.Tensor] = []
    audited(lambda: found.append(make()))
    assert torch.equal(found[0], make())


@pytest.mark.parametrize("make", {**MAKERS, **FILLED}.values(), ids={**MAKERS, **FILLED})
@pytest.mark.parametrize("side", [-1, 1], ids=["before", "behind"])
def test_a_write_beside_an_allocation_is_seen(make: Callable[[], torch.Tensor], side: int) -> None:
    def trespass() -> None:
        x = make()
        span = 1 + sum((n - 1) * s for n, s in zip(x.shape, x.stride(), strict=True))
        place = x.storage_offset() + (span if side > 0 else -1)
        x.as_strided((1,), (1,), place).fill_(7)

    (name,) = audited(trespass).broken_guards()
    assert name.startswith("allocation 0 (")


def test_a_write_inside_an_allocation_is_not() -> None:
    assert audited(lambda: torch.empty(40).fill_(7)).broken_guards() == []


def test_empty_allocations_are_let_alone() -> None:
    audit = audited(lambda: torch.empty(0, 3))
    assert audit.broken_guards() == []
    assert audit.operators["aten::empty"] == 1
