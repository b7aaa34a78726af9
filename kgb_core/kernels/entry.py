"""What a module binds at its top level, read from its syntax tree and never by importing it."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from enum import Enum

from kgb_core.models.base import FrozenModel


class How(str, Enum):
    """What sort of statement binds a name."""

    DEFINED = "defined"
    ASSIGNED = "assigned"
    IMPORTED = "imported"


class Binding(FrozenModel):
    """The last top-level statement that binds a name."""

    name: str
    how: How
    line: int


@dataclass(frozen=True)
class Parsed:
    """A text as Python sees it: a tree, or the reason why there is none."""

    tree: ast.Module | None
    error: str = ""

    @property
    def has_code(self) -> bool:
        """True when some statement does more than evaluate an expression: prose can parse, too."""
        return self.tree is not None and any(not isinstance(node, ast.Expr) for node in self.tree.body)


def parse(text: str) -> Parsed:
    """Parse a module. Text of any kind is fine; nothing is raised for it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Parsed(ast.parse(text))
    except SyntaxError as error:
        return Parsed(None, f"line {error.lineno or 1}: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        # NUL bytes, and nesting deeper than the parser's stack.
        return Parsed(None, f"{type(error).__name__}: {error}")


def top_level(tree: ast.Module) -> dict[str, Binding]:
    """Every name that is bound when the module has run, with its last binding.

    Statements under a top-level `if`, `try`, `with`, `for` or `while` count; bodies of functions and classes
    don't. A name that is deleted later is left out. The same name may be bound several times: published
    kernels give the Triton function and its wrapper one name.
    """
    collector = _Collector()
    collector.visit(tree)
    return collector.found


class _Collector(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found: dict[str, Binding] = {}

    def _bind(self, name: str, how: How, node: ast.stmt | ast.expr) -> None:
        self.found[name] = Binding(name=name, how=how, line=node.lineno)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._bind(node.name, How.DEFINED, node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._bind(node.name, How.DEFINED, node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name, How.DEFINED, node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """A lambda has a scope of its own."""

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._bind(alias.asname or alias.name.split(".")[0], How.IMPORTED, node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self._bind(alias.asname or alias.name, How.IMPORTED, node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """The targets of a comprehension are local to it."""

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id, How.ASSIGNED, node)
        elif isinstance(node.ctx, ast.Del):
            self.found.pop(node.id, None)
