"""Plugins import what the page for their maintainers calls public, and nothing else of the core."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

PAGE = Path("docs/how-to/maintain-a-vendor-plugin.md")
ROW = re.compile(r"^\| `(kgb_core[\w.]*)` \|", re.MULTILINE)
CORE = "kgb_core"


def public(tree: Tree) -> set[str]:
    """The modules that the page lists."""
    return set(ROW.findall(tree.text(PAGE)))


def imported(source: str) -> Iterator[str]:
    """The modules of the core that a module imports; of a package, what it takes out of it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == CORE)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == CORE:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_public(name: str, modules: set[str]) -> bool:
    """True for a listed module, what is in it, and modules below it; of the core itself, only names."""
    if name.count(".") == 1:
        return CORE in modules and name.split(".")[1] in {"hookimpl", "HOOK_API", "__version__"}
    return any(name.startswith(f"{module}.") for module in modules - {CORE})


def private_imports(tree: Tree, modules: set[str]) -> list[str]:
    """Imports of plugins that are not public."""
    return [
        f"{file}: {name}"
        for file in tree.python("backends", "examples")
        for name in imported(tree.text(file))
        if not is_public(name, modules)
    ]


def test_plugins_import_only_what_is_public(tree: Tree) -> None:
    modules = public(tree)
    assert len(modules) > 5
    assert private_imports(tree, modules) == []


def test_every_public_module_exists(tree: Tree) -> None:
    paths = [Path(*module.split(".")) for module in public(tree)]
    assert [p for p in paths if not {p.with_suffix(".py"), p / "__init__.py"} & set(tree.files)] == []


def test_a_private_import_is_found(planted: PlantedTree) -> None:
    tree = planted(
        {
            "backends/a/src/a.py": "from kgb_core import hookimpl\nfrom kgb_core.models import Device\n",
            "backends/a/src/b.py": "from kgb_core.runner.conduct import run\nfrom kgb_core import judge\n",
            "backends/a/tests/c.py": "import kgb_core.runner\n",
        }
    )
    assert private_imports(tree, {"kgb_core", "kgb_core.models"}) == [
        "backends/a/src/b.py: kgb_core.runner.conduct.run",
        "backends/a/src/b.py: kgb_core.judge",
    ]
