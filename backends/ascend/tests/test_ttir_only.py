"""With stock Triton a kernel comes as far as TTIR, and says so."""

from __future__ import annotations

from typing import Any

import pytest

from kgb_core.models.launch import Launch, Stage


@pytest.mark.parametrize("arch", ["Ascend910B3", "Ascend910_9392"])
def test_a_kernel_comes_as_far_as_ttir_and_says_so(bench: Any, arch: str) -> None:
    found = bench.compiled(bench.add(), arch)
    assert (found.stage, found.error, found.kernel) == (Stage.TTIR, "", "add")
    assert b"tt.func public @add" in found.artefacts["ttir"]
    assert found.note.startswith("TTIR only, since the installed Triton has no Ascend back end: ")
    assert found.resources.shared_memory_bytes is None
    assert found.resources.threads_per_block is None
    assert found.nanoseconds > 0


def test_attributes_and_constants_reach_the_form(bench: Any) -> None:
    text = bench.compiled(bench.add()).artefacts["ttir"]
    assert b"tt.divisibility = 16" in text
    assert b"tensor<1024xf32>" in text


@pytest.mark.parametrize(
    ("grid", "programs"), [((65536,), 65536), ((256, 256), 65536), ((2, 3, 65535), 393210)]
)
def test_a_grid_counts_in_all_dimensions_together(bench: Any, grid: tuple[int, ...], programs: int) -> None:
    found = bench.compiled(bench.add(grid=grid))
    (excess,) = found.excesses
    assert found.error == f"out of resources: grid {programs} programs, limit 65535"
    assert (excess.needed, excess.limit) == (programs, 65535)


def test_the_largest_grid_fits(bench: Any) -> None:
    assert bench.compiled(bench.add(grid=(257, 255))).error == ""


def test_options_of_triton_ascend_are_no_error(bench: Any) -> None:
    assert bench.compiled(bench.add(multibuffer=True, num_warps=32)).error == ""


def test_a_long_name_is_noted(bench: Any) -> None:
    launch = bench.on("a_name_that_is_so_long_that_nobody_would_ever_want_to_type_it")
    assert "name has 61 characters, and CANN keeps the last 49" in bench.compiled(launch).note


def test_an_error_in_a_kernel_is_an_outcome(bench: Any) -> None:
    launch = Launch(bench.kernels.undefined, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 128})
    found = bench.compiled(launch)
    assert (found.stage, found.artefacts) == (Stage.NOTHING, {})
    assert found.error.startswith("CompilationError: ")
    assert "nowhere is not defined" in found.error
    assert found.note


def test_a_triton_without_any_back_end_is_told(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from triton.backends import backends

    for name in list(backends):
        monkeypatch.delitem(backends, name)
    found = bench.compiled(bench.add())
    assert found.stage is Stage.NOTHING
    assert found.error == "RuntimeError: the installed Triton has no back end that makes TTIR"
