"""Kernels with one thing wrong, made from right ones: a suite that lets one pass has a hole.

In a Triton kernel one arithmetic or comparison operator is exchanged. A candidate without one, as a view, has
nothing to exchange: what it returns is changed instead.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

_Operator = ast.operator | ast.cmpop

EXCHANGED: Mapping[type[_Operator], type[_Operator]] = MappingProxyType(
    {
        ast.Add: ast.Sub,
        ast.Sub: ast.Add,
        ast.Mult: ast.Add,
        ast.Div: ast.Mult,
        ast.FloorDiv: ast.Mult,
        ast.Mod: ast.FloorDiv,
        ast.BitAnd: ast.BitOr,
        ast.BitOr: ast.BitAnd,
        ast.Lt: ast.GtE,
        ast.GtE: ast.Lt,
        ast.Gt: ast.LtE,
        ast.LtE: ast.Gt,
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
    }
)
"""What each operator is exchanged for; comparisons for their opposite."""

RETURNED: Mapping[str, str] = MappingProxyType(
    {
        "a dimension more": "out.unsqueeze(0)",
        "a gap after each element": "torch.stack([out, out], -1)[..., 0]",
        "another value": "out + 1",
    }
)
"""Changes of what a candidate returns, as expressions of `out`; the last is for what is no tensor."""


@dataclass(frozen=True)
class Mutant:
    """A candidate with one thing wrong.

    Attributes:
        label: what is wrong: the kernel, the expression, and what it became. It does not depend on lines.
        source: of the whole module.
    """

    label: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """Every mutant of the kernels in a module, in the order of its text.

    Args:
        source: of a module with functions decorated with `triton.jit`.
    """
    tree = ast.parse(source)
    count = sum(1 for _ in _places(tree))
    return [_mutated(tree, number) for number in range(count)]


def some_of(found: Sequence[Mutant], count: int) -> list[Mutant]:
    """So many of them, spread evenly over the text."""
    step = max(1.0, len(found) / count)
    return [found[int(step * (number + 0.5))] for number in range(min(count, len(found)))]


def returning(source: str, entry: str, change: str) -> Mutant:
    """The candidate with what it returns changed.

    Args:
        source: of the module.
        entry: its entry function.
        change: a key of `RETURNED`.
    """
    wrapped = f"""

_honest = {entry}


def {entry}(*args, **kwargs):
    out = _honest(*args, **kwargs)
    return {RETURNED[change]}
"""
    return Mutant(f"{entry} returns {change}", f"{source}\nimport torch\n{wrapped}")


@dataclass(frozen=True)
class _Place:
    """An operator in a kernel: the node that has it, and for a comparison which of its operators."""

    kernel: str
    node: ast.BinOp | ast.AugAssign | ast.Compare
    index: int = 0

    @property
    def operator(self) -> _Operator:
        return self.node.ops[self.index] if isinstance(self.node, ast.Compare) else self.node.op

    def exchange(self) -> None:
        """Put another operator in place of this one."""
        other = EXCHANGED[type(self.operator)]()
        if isinstance(self.node, ast.Compare):
            assert isinstance(other, ast.cmpop)
            self.node.ops[self.index] = other
        else:
            assert isinstance(other, ast.operator)
            self.node.op = other


def _mutated(tree: ast.Module, number: int) -> Mutant:
    changed = copy.deepcopy(tree)
    place = list(_places(changed))[number]
    before = ast.unparse(place.node)
    place.exchange()
    return Mutant(f"{place.kernel}: {before} -> {ast.unparse(place.node)}", ast.unparse(changed))


def _places(tree: ast.Module) -> Iterator[_Place]:
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and any(map(_is_jit, function.decorator_list)):
            for statement in function.body:
                yield from _inside(function.name, statement)


def _inside(kernel: str, statement: ast.stmt) -> Iterator[_Place]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Compare):
            yield from (_Place(kernel, node, i) for i, op in enumerate(node.ops) if type(op) in EXCHANGED)
        elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in EXCHANGED:
            yield _Place(kernel, node)


def _is_jit(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(called).rsplit(".", 1)[-1] == "jit"
