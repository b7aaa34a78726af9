"""Tensors that don't merge: which operators get them, and that they are drawn as their layout says."""

from __future__ import annotations

import torch

from kgb_core.models.case import Layout, Purpose, Tier
from kgb_core.operators.cases import fp32, normal
from kgb_core.operators.draw import draw_tensor
from kgb_operators import operators
from kgb_operators.gaps import CASES, with_gaps

OPERATORS = {operator.name: operator for operator in operators()}


def test_most_operators_have_some_and_nobody_twice() -> None:
    counted = {
        name: sum(any(t.layout is Layout.GAPS for t in case.tensors()) for case in operator.cases)
        for name, operator in OPERATORS.items()
    }
    assert set(counted.values()) <= set(range(CASES + 1))
    assert sum(count > 0 for count in counted.values()) >= 80
    assert all(with_gaps(operator) == [] for name, operator in OPERATORS.items() if counted[name])


def test_no_two_dimensions_merge() -> None:
    near = draw_tensor(normal((3, 4, 5), dtype=fp32), 1)
    gapped = draw_tensor(normal((3, 4, 5), dtype=fp32, layout=Layout.GAPS), 1)
    assert gapped.shape == near.shape
    assert all(gapped.stride(d) > gapped.stride(d + 1) * gapped.shape[d + 1] for d in range(2))
    assert gapped.stride(2) == 2
    assert gapped.storage_offset() > 0
    whole = torch.empty(0).set_(gapped.untyped_storage())
    assert bool(whole.isfinite().all())


def test_a_case_with_gaps_is_the_same_case_otherwise() -> None:
    cases = OPERATORS["aten::add"].selected(Purpose.CHECK, Tier.SMOKE)
    (first, *_) = [case for case in cases if any(t.layout is Layout.GAPS for t in case.tensors())]
    assert first.title.endswith("gaps")
    assert [t.shape for t in first.tensors()] in [
        [t.shape for t in case.tensors()] for case in cases if case != first
    ]
