"""Without Hygon's compiler a kernel comes as far as TTIR, and says so; stock Triton is asked for no more."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from kgb_backend_hygon import compiling, stack
from kgb_core.models.launch import CompileOutcome, Launch, Stage

if TYPE_CHECKING:
    from conftest import Site

KERNELS = Path(__file__).with_name("kernels") / "small.py"
ADD = Launch(
    None,
    signature={**dict.fromkeys(("x", "y", "out"), "*fp32"), "n": "i32", "BLOCK": "constexpr"},
    constants={"BLOCK": 1024},
    options={"num_warps": 8},
)


@pytest.fixture(scope="module")
def kernels() -> ModuleType:
    """The kernels, imported from their file as a candidate is."""
    spec = importlib.util.spec_from_file_location("kgb_hygon_small", KERNELS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def compiled(site: Site, launch: Launch, arch: str) -> CompileOutcome:
    """A launch, compiled for a target."""
    target = next(target for target in site.hygon.targets() if target.arch == arch)
    return site.hygon.compile(launch, target)


@pytest.mark.parametrize("arch", ["gfx906", "gfx928", "gfx936"])
def test_a_kernel_comes_as_far_as_ttir_and_says_so(site: Site, kernels: ModuleType, arch: str) -> None:
    launch = Launch(kernels.add, ADD.signature, ADD.constants, options=ADD.options)
    found = compiled(site, launch, arch)
    assert (found.stage, found.error) == (Stage.TTIR, "")
    assert b"tt.func public @add" in found.artefacts["ttir"]
    assert found.note.startswith("TTIR only, since Hygon's Triton is not installed")
    assert found.resources.threads_per_block == 8 * 64


def test_a_wrong_kernel_is_an_outcome_with_the_compilers_words(site: Site, kernels: ModuleType) -> None:
    found = compiled(site, Launch(kernels.broken, {"x": "*fp32"}, {}), "gfx928")
    assert found.stage is Stage.NOTHING
    assert "16" in found.error
    assert "32" in found.error


def test_hygons_compiler_is_asked_where_it_is(site: Site) -> None:
    assert not stack.has_triton()
    place = site.root / "modules/triton/backends/hcu"
    place.mkdir(parents=True)
    (place / "driver.py").touch()
    (site.root / "modules/triton/__init__.py").touch()
    importlib.invalidate_caches()
    assert stack.has_triton()
    assert compiling.compile_launch(ADD, site.hygon.targets()[0]) is None


def test_no_limit_or_peak_stands_without_a_source(site: Site) -> None:
    limits = {target.arch: target.limits.shared_memory_bytes for target in site.hygon.targets()}
    assert limits == {"gfx906": None, "gfx928": 65536, "gfx936": 65536}
    for target in site.hygon.targets():
        assert (target.limits.threads_per_block, target.limits.grid) == (None, None)
        assert (target.peaks.bytes_per_second, target.peaks.flops_per_second) == (None, {})


def test_versions(tmp_path: Path, site: Site) -> None:
    assert "dtk" not in stack.versions(tmp_path)
    (tmp_path / ".dtk_version").write_text("DTK-26.04-rc4\n")
    assert stack.versions(tmp_path)["dtk"] == "DTK-26.04-rc4"
