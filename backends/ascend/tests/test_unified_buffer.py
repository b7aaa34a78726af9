"""What the compiler's endings mean, from imitations of it: CANN's own could not be run here."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgb_backend_ascend import unified_buffer
from kgb_backend_ascend.unified_buffer import Verdict, check

LINALG = 'func.func @add() attributes {global_kernel = "local", mix_mode = "aiv", parallel_mode = "simd"}'
OVERFLOW = (
    "ub overflow, requires 4194304 bits while 1572864 bits available! (possible reason: tiling basic block)"
)
TWO_ERRORS = """loc("k":1:1): error: Failed to run BiShengHIR pipeline
loc("k":9:2): error: hivm.hir.vmul op failed"""


def imitation(folder: Path, script: str) -> Path:
    """A `bishengir-compile` that runs a script, in which `$1` is the kernel."""
    program = folder / "bishengir-compile"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def judged(folder: Path, script: str) -> Verdict:
    """What is made of that."""
    return check(LINALG, "Ascend910B3", {"multibuffer": True, "unit_flag": None}, imitation(folder, script))


@pytest.mark.parametrize("name", ["kernel.o", "kernel_reloc.o"])
def test_with_cann_there_is_a_binary(tmp_path: Path, name: str) -> None:
    assert judged(tmp_path, f'printf npu > "$(dirname "$1")/{name}"').binary == b"npu"


def test_an_overflow_tells_how_much_was_needed(tmp_path: Path) -> None:
    found = judged(tmp_path, f"echo 'loc(\"$1\":2:3): error: {OVERFLOW}' >&2; exit 1")
    assert (found.needed, found.error) == (524288, "")
    assert OVERFLOW in found.log


def test_without_hivmc_all_but_the_last_step_went_well(tmp_path: Path) -> None:
    said = "[ERROR] Cannot find hivmc under $PATH\nerror: External hivmc run fails, returning module"
    found = judged(tmp_path, f"echo '{said}' >&2; exit 1")
    assert (found.binary, found.needed, found.error) == (b"", None, "")
    assert "hivmc" in found.log


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (
            f"echo '{TWO_ERRORS}' >&2; exit 1",
            "hivm.hir.vmul op failed",
        ),
        ("echo 'error: Failed to run BiShengHIR pipeline' >&2; exit 1", "Failed to run BiShengHIR pipeline"),
        ("exit 3", "bishengir-compile ended with 3"),
        ("kill -6 $$", "bishengir-compile ended with -6"),
        (
            "echo 'LLVM ERROR: PlanMemory Traverse IR Failed! ' >&2; kill -6 $$",
            "bishengir-compile ended with -6: LLVM ERROR: PlanMemory Traverse IR Failed!",
        ),
    ],
    ids=["operation", "pipeline", "silent", "aborted", "aborted with a word"],
)
def test_an_error_is_the_line_that_says_most(tmp_path: Path, script: str, error: str) -> None:
    assert judged(tmp_path, script).error == error


def test_the_compiler_gets_target_options_and_the_kernel(tmp_path: Path) -> None:
    found = judged(tmp_path, 'cat "$1"; echo "$@"')
    assert "mix_mode" not in found.log
    assert 'parallel_mode = "simd"' in found.log
    assert "--target=Ascend910B3" in found.log
    assert "--enable-auto-multi-buffer=True" in found.log
    assert "unit-flag" not in found.log


def test_a_compiler_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unified_buffer, "TIMEOUT_S", 0.2)
    assert "timed out" in judged(tmp_path, "exec sleep 5").error


def test_a_compiler_that_is_no_program_is_told(tmp_path: Path) -> None:
    program = tmp_path / "bishengir-compile"
    program.write_text("nothing")
    assert check(LINALG, "Ascend910B3", {}, program).error.startswith("bishengir-compile: ")


def test_what_path_has_goes_before_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "ascendnpuir"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setattr(unified_buffer, "PACKAGE", "no_such_package")
    assert unified_buffer.compiler() is None
    monkeypatch.setattr(unified_buffer, "PACKAGE", "ascendnpuir")
    imitation(package / "bin", "exit 0")
    assert str(unified_buffer.compiler()).endswith("ascendnpuir/bin/bishengir-compile")
    (tmp_path / "path").mkdir()
    imitation(tmp_path / "path", "exit 0")
    assert unified_buffer.compiler() == tmp_path / "path/bishengir-compile"
