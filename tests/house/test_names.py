"""No chip is named in the core, and no operator: they belong to backends and to operator packs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

UNMISTAKABLE = re.compile("nvidia|iluvatar|mthreads|metax", re.IGNORECASE)
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""The words of a text, identifiers taken apart: `AscendBackend` has two, `amd_smi` too."""
WORDS = frozenset({"amd", "ascend"})
"""Vendors whose names are part of other words, as in `ascending`."""

OPERATOR = re.compile(r"(aten|vllm|cublas)::\w+")


def chip_names(text: str) -> set[str]:
    """The vendors that a text names."""
    words = set(map(str.lower, WORD.findall(text)))
    return set(map(str.lower, UNMISTAKABLE.findall(text))) | (words & WORDS)


def operator_literals(source: str) -> list[str]:
    """The strings in a module, docstrings left out, that are the name of an operator."""
    module = ast.parse(source)
    prose = set(map(id, _prose(module)))
    return [
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in prose
        and OPERATOR.fullmatch(node.value)
    ]


def _prose(module: ast.Module) -> Iterator[ast.expr]:
    """Strings that stand alone as a statement: docstrings of modules, functions, classes and attributes."""
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def core_with_chips(tree: Tree) -> dict[str, set[str]]:
    """The files of the core that name a chip, in their text or in their path."""
    named = {str(file): chip_names(f"{file}\n{tree.text(file)}") for file in tree.below("kgb_core")}
    return {file: chips for file, chips in named.items() if chips}


def core_with_operators(tree: Tree) -> dict[str, list[str]]:
    """The modules of the core that name an operator in code."""
    named = {str(file): operator_literals(tree.text(file)) for file in tree.python("kgb_core")}
    return {file: operators for file, operators in named.items() if operators}


def test_core_names_no_chip(tree: Tree) -> None:
    assert core_with_chips(tree) == {}


def test_core_names_no_operator(tree: Tree) -> None:
    assert core_with_operators(tree) == {}


def test_a_planted_chip_and_operator_are_found(planted: PlantedTree) -> None:
    tree = planted(
        {
            "kgb_core/ascend.py": "",
            "kgb_core/a.py": 'if vendor == "metax":\n    pass\n',
            "kgb_core/b.py": 'RULES = {"aten::mm": 1}\n',
            "backends/amd/a.py": "AMD = 1\n",
        }
    )
    assert core_with_chips(tree) == {"kgb_core/ascend.py": {"ascend"}, "kgb_core/a.py": {"metax"}}
    assert core_with_operators(tree) == {"kgb_core/b.py": ["aten::mm"]}


@pytest.mark.parametrize(
    "text", ["NVIDIA", "AscendBackend", "amd_smi", "MetaX", "MThreads", "the Iluvatar BI-V150", "AMDBackend"]
)
def test_a_chip_is_seen_however_it_is_written(text: str) -> None:
    assert chip_names(text)


@pytest.mark.parametrize("text", ["ascending order", "descend", "amdahl", "padmd", "meta x"])
def test_other_words_name_no_chip(text: str) -> None:
    assert chip_names(text) == set()


def test_an_operator_in_prose_is_allowed() -> None:
    source = '"""Judges `aten::mm`."""\nhint = \'write "aten::softmax"\'\nX = 1\n"""Of `aten::add`."""\n'
    assert operator_literals(source) == []
