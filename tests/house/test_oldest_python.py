"""What runs in a vendor's interpreter runs on Python 3.10: syntax and standard library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

ROOMS = ("kgb_core", "operators", "backends", "examples", "kernels")


def too_new(tree: Tree) -> str:
    """What vermin finds that Python 3.10 doesn't have; empty when nothing."""
    files = [str(tree.root / file) for file in tree.python(*ROOMS)]
    vermin = Path(sys.executable).with_name("vermin")
    done = subprocess.run(
        [vermin, "--quiet", "--violations", "--no-tips", "--target=3.10-", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout


def test_python_3_10_is_enough(tree: Tree) -> None:
    assert too_new(tree) == ""


def test_what_is_newer_is_found(planted: PlantedTree) -> None:
    tree = planted(
        {
            "kgb_core/a.py": "import tomllib\n",
            "kgb_core/b.py": "try:\n    pass\nexcept* ValueError:\n    pass\n",
            "kgb_core/c.py": "print(1)\n",
        }
    )
    found = too_new(tree)
    assert "a.py" in found
    assert "b.py" in found
    assert "c.py" not in found
