"""What answers in under a second imports neither torch nor triton; imports inside the core point one way."""

from __future__ import annotations

import ast
import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

HEAVY = frozenset({"torch", "triton"})
MAY_BE_HEAVY = (
    "kgb_core/worker/",
    "kgb_core/judge/",
    "kgb_core/operators/draw.py",
    "kgb_core/operators/far.py",
    "kgb_core/operators/samples.py",
    "kgb_core/plugins/timers.py",
    "kgb_core/testing/kernels/",
    "kgb_core/testing/practice/pack/",
)
"""What runs only beside a kernel, and is imported only there."""

PACKAGES = {
    "kgb_core": "kgb_core",
    "kgb_operators": "operators",
    "kgb_backend_cpu": "backends/cpu/src/kgb_backend_cpu",
}
"""Packages and where they lie."""
OPERATORS = "Operators know what an operator is, and nothing of who judges it"

REPORT = """
import json, sys
try:
    {statement}
except SystemExit:
    pass
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})), file=sys.stderr)
"""


def heavy_imports(tree: Tree) -> list[str]:
    """Places where importing a module of the core imports torch or triton."""
    return [
        f"{file}:{line} imports {name}"
        for file in tree.python("kgb_core")
        if not str(file).startswith(MAY_BE_HEAVY)
        for line, name in _imported(ast.parse(tree.text(file)).body)
        if name in HEAVY
    ]


def _imported(body: list[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Line and top package of what a module imports as it is imported: not in functions, not for types."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module.partition(".")[0]
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from _imported(node.orelse)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for block in ("body", "orelse", "finalbody"):
                yield from _imported(getattr(node, block, []))
            for handler in getattr(node, "handlers", []):
                yield from _imported(handler.body)


def modules_after(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter has imported after a statement."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT.format(statement=statement)], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_the_core_imports_nothing_heavy_as_it_is_imported(tree: Tree) -> None:
    assert heavy_imports(tree) == []


@pytest.mark.parametrize(
    "statement",
    [
        "import kgb_core, kgb_core.models, kgb_core.hookspecs",
        "from kgb_core.operators.registry import load_registry; load_registry()",
        "sys.argv = ['kgb', '--help']; from kgb_core.cli import main; main()",
    ],
    ids=["import", "operators", "help"],
)
def test_imports_neither_torch_nor_triton(statement: str) -> None:
    assert modules_after(statement) & HEAVY == set()


def test_an_import_would_be_seen() -> None:
    assert {"wave"} == modules_after("import wave") & {"wave", "torch"}


def test_planted_imports_are_found(planted: PlantedTree) -> None:
    tree = planted(
        {
            "kgb_core/a.py": "import torch.nn\n",
            "kgb_core/b.py": "try:\n    from triton import jit\nexcept ImportError:\n    jit = None\n",
            "kgb_core/c.py": "if TYPE_CHECKING:\n    import torch\n\n\ndef f():\n    import torch\n",
            "kgb_core/judge/d.py": "import torch\n",
        }
    )
    assert heavy_imports(tree) == ["kgb_core/a.py:1 imports torch", "kgb_core/b.py:2 imports triton"]


def test_help_takes_under_a_second() -> None:
    command = [str(Path(sys.executable).with_name("kgb")), "--help"]
    assert min(_cpu_seconds(command) for _ in range(3)) < 1.0


def _cpu_seconds(command: list[str]) -> float:
    """Processor time of a command: unlike the wall clock it doesn't depend on what else runs here."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    ("module", "imported", "contract"),
    [
        ("kgb_core/models/planted.py", "kgb_core.operators.spec", "Imports point one way"),
        ("kgb_core/worker/planted.py", "kgb_core.judge.compare", "The worker never imports the judge"),
        ("kgb_core/models/planted.py", "kgb_core.lazy", "Records know only errors and the version"),
        ("kgb_core/planted.py", "kgb_core.version", "Imports point one way"),
        ("kgb_operators/planted.py", "kgb_core.judge.compare", OPERATORS),
        ("kgb_backend_cpu/planted.py", "kgb_core.worker.channel", "A backend uses what every vendor may use"),
    ],
)
def test_import_linter_sees_a_wrong_import(
    tree: Tree, tmp_path: Path, module: str, imported: str, contract: str
) -> None:
    for package, source in PACKAGES.items():
        shutil.copytree(
            tree.root / source, tmp_path / package, ignore=shutil.ignore_patterns("tests", "*-info")
        )
    shutil.copy(tree.root / "pyproject.toml", tmp_path)
    (tmp_path / module).write_text(f"import {imported}\n")
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{contract} BROKEN" in done.stdout
