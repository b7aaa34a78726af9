"""With triton-ascend a kernel comes to Linalg, and `ascendnpu-ir` checks it: run where both are installed.

Neither a chip nor CANN is needed: pip install triton-ascend numpy pybind11 ascendnpu-ir, for Python 3.11.
"""

from __future__ import annotations

from typing import Any

import pytest

from kgb_backend_ascend import unified_buffer
from kgb_backend_ascend.compiling import NO_BINARY, NO_CHECK
from kgb_core.models.launch import Launch, Stage


def test_a_kernel_comes_to_linalg_and_is_checked(bench: Any) -> None:
    found = bench.compiled(bench.add())
    assert (found.stage, found.error, found.note) == (Stage.LINALG, "", NO_BINARY)
    assert sorted(found.artefacts) == ["ttadapter", "ttir"]
    assert b"func.func @add" in found.artefacts["ttadapter"]
    assert b"1024xf32" in found.artefacts["ttadapter"]
    assert found.nanoseconds > 0


def test_every_target_is_known_to_the_compiler(bench: Any) -> None:
    for target in bench.backend.targets():
        found = bench.backend.compile(bench.add(), target)
        assert (found.stage, found.error, found.note) == (Stage.LINALG, "", NO_BINARY), target.name


def test_a_block_that_is_too_large_is_out_of_resources(bench: Any) -> None:
    found = bench.compiled(bench.add(block=131072))
    (excess,) = found.excesses
    assert found.stage is Stage.LINALG
    assert found.error == f"out of resources: shared memory {excess.needed} bytes, limit 196608"
    assert excess.needed >= 3 * 131072


def test_a_grid_that_is_too_large_is_out_of_resources(bench: Any) -> None:
    found = bench.compiled(bench.add(grid=(256, 256)))
    assert found.error == "out of resources: grid 65536 programs, limit 65535"


@pytest.mark.parametrize("dtype", ["*fp32", "*fp16", "*bf16", "*i32", "*i64"])
def test_dtypes_that_pass(bench: Any, dtype: str) -> None:
    assert bench.compiled(bench.on("twice", dtype)).error == ""


def test_fp64_is_refused_behind_linalg(bench: Any) -> None:
    found = bench.compiled(bench.on("twice", "*fp64"))
    assert found.stage is Stage.LINALG
    assert found.error.startswith("'hivm.hir.vmul' op failed to verify")
    assert "hivm.hir.vmul" in found.log
    assert found.note == ""


def test_fp8_is_refused_by_the_front_end(bench: Any) -> None:
    launch = Launch(bench.kernels.fp8, {"x": "*fp32", "out": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 128})
    found = bench.compiled(launch)
    assert (found.stage, found.artefacts) == (Stage.NOTHING, {})
    assert "unexpected type fp8" in found.error


@pytest.mark.parametrize(("precision", "refused"), [("ieee", False), ("hf32", False), ("tf32", True)])
def test_a_product_has_no_tf32(bench: Any, precision: str, refused: bool) -> None:
    found = bench.compiled(bench.product("*fp32", precision))
    assert bool(found.error) is refused
    assert ("hf32" in found.error) is refused


def test_options_reach_the_compiler(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    real = unified_buffer.check

    def check(linalg: str, arch: str, options: dict[str, object], program: object) -> unified_buffer.Verdict:
        asked.append(options)
        return real(linalg, arch, options, program)  # type: ignore[arg-type]

    monkeypatch.setattr(unified_buffer, "check", check)
    bench.compiled(bench.add(multibuffer=False))
    assert [options["multibuffer"] for options in asked] == [False]


def test_without_the_compiler_linalg_is_the_end_and_says_so(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unified_buffer, "compiler", lambda: None)
    found = bench.compiled(bench.add(block=131072))
    assert (found.stage, found.error, found.note) == (Stage.LINALG, "", NO_CHECK)


def test_an_error_in_a_kernel_is_an_outcome(bench: Any) -> None:
    found = bench.compiled(bench.on("undefined"))
    assert (found.stage, found.note) == (Stage.NOTHING, "")
    assert "nowhere is not defined" in found.error
