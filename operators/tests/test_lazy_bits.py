"""The honest kernels of `resolve_conj` and `resolve_neg` do what a bit puts off; no case carries the bit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

KERNELS = Path(__file__).parents[2] / "kernels"

PROGRAM = """
import importlib.util, sys
import torch

def entry(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)

def lazy(x):
    return x.conj() if name == "resolve_conj" else torch._neg_view(x)

path, name = sys.argv[1:]
resolve = entry(path, name)
for shape in [(), (5,), (7, 33), (2, 3, 1, 5, 2, 3), (0, 3)]:
    for dtype in (torch.complex64, torch.complex128):
        x = torch.randn(shape, dtype=dtype)
        assert resolve(x) is x
        for plain in (x, x.mT if x.dim() > 1 else x, x[..., ::2] if x.dim() else x):
            marked = lazy(plain)
            done = resolve(marked)
            assert done is not marked and not done.is_conj() and not done.is_neg()
            assert torch.equal(done, getattr(torch, name)(marked)), (shape, dtype)
print("compared")
"""


@pytest.mark.parametrize("name", ["resolve_conj", "resolve_neg"])
def test_the_bit_is_resolved_by_a_kernel(name: str) -> None:
    done = run(KERNELS / f"aten__{name}.py", name)
    assert (done.returncode, done.stdout) == (0, "compared\n"), done.stderr


def test_a_kernel_that_copies_only_is_found_out(tmp_path: Path) -> None:
    honest = (KERNELS / "aten__resolve_conj.py").read_text(encoding="utf-8")
    assert honest.count("-tl.load") == 1
    wrong = tmp_path / "wrong.py"
    wrong.write_text(honest.replace("-tl.load", "tl.load"), encoding="utf-8")
    assert "AssertionError" in run(wrong, "resolve_conj").stderr


def run(kernel: Path, name: str) -> subprocess.CompletedProcess[str]:
    """A process of its own: the interpreter is chosen before Triton is imported."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(kernel), name],
        env={"TRITON_INTERPRET": "1", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
