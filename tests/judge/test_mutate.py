"""Mutants: one operator of a kernel exchanged, nothing else; or what a candidate returns changed."""

from __future__ import annotations

import ast

import pytest
import torch

from kgb_core.judge.mutate import RETURNED, Mutant, mutants, returning, some_of

SOURCE = '''"""Doc."""
import triton
import triton.language as tl


@triton.jit
def _kernel(x, y, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.load(x + at, mask=at < count)
    total += 1
    tl.store(y + at, total, mask=(0 <= at) & (at < count))


@triton.jit(do_not_specialize=["n"])
def _second(n):
    return n % 2 == 0


def entry(x):
    return x * 2
'''


def test_each_operator_of_each_kernel_is_exchanged_once() -> None:
    found = mutants(SOURCE)
    assert len(found) == 11
    assert len({mutant.source for mutant in found}) == 11
    assert [m.label for m in found if m.label.startswith("_second")] == [
        "_second: n % 2 == 0 -> n % 2 != 0",
        "_second: n % 2 -> n // 2",
    ]
    assert "_kernel: total += 1 -> total -= 1" in [mutant.label for mutant in found]


def test_a_mutant_differs_in_one_operator_and_keeps_the_host_code() -> None:
    honest = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in mutants(SOURCE):
        lines = mutant.source.splitlines()
        assert sum(one != other for one, other in zip(honest, lines, strict=True)) == 1
        assert "return x * 2" in mutant.source


def test_some_are_spread_over_the_text() -> None:
    found = mutants(SOURCE)
    assert some_of(found, 100) == found
    few = some_of(found, 3)
    assert len(few) == 3
    assert few[0] in found[:4]
    assert few[-1] in found[-3:]
    assert some_of([], 3) == []


@pytest.mark.parametrize("change", RETURNED)
def test_what_is_returned_is_changed(change: str) -> None:
    mutant = returning("def entry(x):\n    return x\n", "entry", change)
    assert isinstance(mutant, Mutant)
    scope: dict[str, object] = {}
    exec(compile(mutant.source, "mutant", "exec"), scope)
    entry = scope["entry"]
    assert callable(entry)
    given = torch.arange(6.0).view(2, 3)
    got = entry(given)
    assert (got.shape, got.stride(), got.tolist()) != (given.shape, given.stride(), given.tolist())
