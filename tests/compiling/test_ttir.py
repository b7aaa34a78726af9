"""Where no compiler of a chip is installed, a launch still gets as far as TTIR, and says why no further."""

from __future__ import annotations

from typing import Any

import pytest
import triton
import triton.language as tl

from kgb_core.compiling.ttir import compile_ttir, has_backend
from kgb_core.models.device import Target
from kgb_core.models.launch import CompileOutcome, Launch, Stage

ABSENT = Target(vendor="v", arch="a", triton_backend="no_such_chip", triton_arch=1, warp_size=128)
PRESENT = Target(vendor="v", arch="b", triton_backend="hip", triton_arch="gfx942", warp_size=64)
NOTE = "its compiler is not here"


@triton.jit
def copied(out, source, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(source + at))


def compiled(target: Target, block: int, **options: Any) -> CompileOutcome:
    signature = {"out": "*fp32", "source": "*fp32", "BLOCK": "constexpr"}
    launch = Launch(copied, signature, {"BLOCK": block}, {"out": 16, "source": 16}, options)
    return compile_ttir(launch, target, NOTE)


@pytest.mark.parametrize("target", [ABSENT, PRESENT], ids=lambda target: target.triton_backend)
def test_a_launch_gets_as_far_as_ttir(target: Target) -> None:
    outcome = compiled(target, 64, num_warps=2)
    assert (outcome.stage, outcome.kernel, outcome.note, outcome.error) == (Stage.TTIR, "copied", NOTE, "")
    text = outcome.artefacts["ttir"].decode()
    assert "tt.store" in text
    assert "tt.divisibility = 16" in text
    assert outcome.resources.threads_per_block == 2 * target.warp_size
    assert outcome.nanoseconds > 0


def test_what_any_chip_would_refuse_is_refused() -> None:
    outcome = compiled(ABSENT, 48)
    assert outcome.stage is Stage.NOTHING
    assert "power of 2" in outcome.error
    assert outcome.artefacts == {}


def test_whether_the_chip_has_a_back_end_is_known() -> None:
    assert has_backend(PRESENT)
    assert not has_backend(ABSENT)
