"""Nothing in the repository depends on the machine that it was written on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

HOME = re.compile(r"(?<![\w.~])/(home|root|Users|work)/\w")
REGISTRY = re.compile(
    r"(pypi|pythonhosted|pytorch|anaconda|debian|npmjs|ubuntu)\.(org|com|net|io)\b[\w/]*|/opt/(wheels|pypi)"
)


def places(tree: Tree) -> list[str]:
    """Lines that name a directory of one machine, or the host of a package registry."""
    here = re.compile(f"{HOME.pattern}|{re.escape(str(tree.root))}(?!\\w)")
    return [
        f"{file}:{number}: {line.strip()[:80]}"
        for file in tree.texts()
        for number, line in enumerate(tree.text(file).splitlines(), 1)
        if here.search(line) or REGISTRY.search(line)
    ]


def test_no_file_names_a_machine(tree: Tree) -> None:
    assert places(tree) == []


def test_planted_places_are_found(planted: PlantedTree) -> None:
    host = "py" + "pi.org"
    tree = planted(
        {
            "a.md": "Clone it to /home" + "/ada/kgb.\n",
            "b.toml": f'index = "https://{host}/simple"\n',
            "c.md": f"It lies in {planted.root}/x\n",
            "d.md": "~/wo" + "rk/kgb, docs/home/index.md and workshop/work are fine.\n",
        }
    )
    assert [place.partition(":")[0] for place in places(tree)] == ["a.md", "b.toml", "c.md"]
