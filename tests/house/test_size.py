"""Code stays small enough to read: every module says what it is for, functions and files have a limit.

A function is measured from the first line of its body: a signature is a list, not something to follow.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

ROOMS = ("kgb_core", "operators", "backends", "examples", "kernels", "benchmarks")
LONGEST_FUNCTION = 60
LONGEST_FILE = 400
MEDIAN_FUNCTION = 10
NINTH_DECILE_FUNCTION = 30
"""Most functions are under 10 lines and few over 30, docstrings not counted."""


@dataclass(frozen=True)
class Function:
    """A function and how long it is.

    Attributes:
        name: with file and line.
        lines: of the body.
        code: of the body without the docstring.
    """

    name: str
    lines: int
    code: int


def functions(tree: Tree) -> list[Function]:
    """Every function outside tests."""
    return [
        _measured(f"{file}:{node.lineno} {node.name}", node)
        for file in tree.python(*ROOMS)
        for node in ast.walk(ast.parse(tree.text(file)))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def _measured(name: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
    lines = _lines(node.body[0], node.body[-1])
    return Function(
        name, lines, lines - (_lines(node.body[0], node.body[0]) if ast.get_docstring(node) else 0)
    )


def _lines(first: ast.stmt, last: ast.stmt) -> int:
    assert last.end_lineno is not None
    return last.end_lineno - first.lineno + 1


def long_functions(tree: Tree) -> list[str]:
    """Functions over the limit."""
    return [f"{f.name}: {f.lines} lines" for f in functions(tree) if f.lines > LONGEST_FUNCTION]


def long_files(tree: Tree) -> list[str]:
    """Modules over the limit."""
    lengths = {file: tree.text(file).count("\n") for file in tree.python(*ROOMS)}
    return [f"{file}: {lines} lines" for file, lines in lengths.items() if lines > LONGEST_FILE]


def silent_modules(tree: Tree) -> list[str]:
    """Modules, tests included, that don't say what they are for."""
    modules = [file for file in tree.files if file.suffix == ".py"]
    return [str(file) for file in modules if not ast.get_docstring(ast.parse(tree.text(file)))]


def test_every_module_says_what_it_is_for(tree: Tree) -> None:
    assert silent_modules(tree) == []


def test_no_function_is_long(tree: Tree) -> None:
    assert long_functions(tree) == []


def test_no_file_is_long(tree: Tree) -> None:
    assert long_files(tree) == []


def test_most_functions_are_short(tree: Tree, record_property: Callable[[str, object], None]) -> None:
    lengths = [function.code for function in functions(tree)]
    measured = {"functions": len(lengths), "median": median(lengths), "p90": quantiles(lengths, n=10)[-1]}
    for name, value in measured.items():
        record_property(name, value)
    assert measured["median"] <= MEDIAN_FUNCTION, measured
    assert measured["p90"] <= NINTH_DECILE_FUNCTION, measured


def test_planted_faults_are_found(planted: PlantedTree) -> None:
    body = "    x = 1\n" * (LONGEST_FUNCTION + 1)
    tree = planted(
        {
            "kgb_core/a.py": f'"""Fine."""\n\n\ndef long() -> None:\n{body}',
            "kgb_core/b.py": "x = 1\n" * (LONGEST_FILE + 1),
            "kgb_core/tests/test_c.py": '"""Tests may be long."""\n' * (LONGEST_FILE + 1),
        }
    )
    assert long_functions(tree) == [f"kgb_core/a.py:4 long: {LONGEST_FUNCTION + 1} lines"]
    assert long_files(tree) == [f"kgb_core/b.py: {LONGEST_FILE + 1} lines"]
    assert silent_modules(tree) == ["kgb_core/b.py"]


def test_neither_signature_nor_docstring_is_code() -> None:
    (node,) = ast.parse('def f(\n    a,\n):\n    """One.\n\n    Two.\n    """\n    return 1\n').body
    assert isinstance(node, ast.FunctionDef)
    assert _measured("f", node) == Function("f", lines=5, code=1)
