"""The commands in the documents exist: verbs, options, make targets. What the README shows adds up."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kgb_core.models.case import Purpose, Tier
from kgb_core.operators.registry import load_registry

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

KGB = Path(sys.executable).with_name("kgb")
LINE = re.compile(r"^(?:\$ | {4})?(?:\S*/)?kgb ([a-z-]+)\b(.*)$", re.MULTILINE)
INLINE = re.compile(r"`kgb ([a-z-]+)( [^`]*)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
ROW = re.compile(r"^ +(\w+::\w+) +(\d+)/(\d+) +passed\b.*?(?:(\d+) unsupported)?(?:: .*)?$", re.MULTILINE)


@cache
def help_of(verb: str) -> str | None:
    """What `kgb VERB --help` prints; `None` when there is no such verb."""
    done = subprocess.run([KGB, verb, "--help"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def unknown_commands(tree: Tree, files: Iterable[Path]) -> list[str]:
    """Commands that the program doesn't have, and options that a verb doesn't take."""
    return [
        f"{file}: kgb {verb}{f' {option}' if option else ''}"
        for file in files
        for verb, rest in [*LINE.findall(tree.text(file)), *INLINE.findall(tree.text(file))]
        for option in _unknown(verb, rest)
    ]


def _unknown(verb: str, rest: str) -> list[str]:
    text = help_of(verb)
    if text is None:
        return [""]
    known = set(OPTION.findall(text)) | {"--debug", "--verbose"}
    return [option for option in OPTION.findall(rest.partition("|")[0]) if option not in known]


def pages(tree: Tree) -> list[Path]:
    """The documents."""
    return [file for file in tree.files if file.suffix == ".md" and file.name != "CHANGELOG.md"]


def test_every_command_exists(tree: Tree) -> None:
    assert unknown_commands(tree, pages(tree)) == []


def test_unknown_commands_are_found(planted: PlantedTree) -> None:
    text = (
        "    kgb run x --sweet\n\n```console\n$ .venv/bin/kgb rum x\n```\nUse `kgb check B --strict --lax`.\n"
    )
    tree = planted({"a.md": text})
    assert unknown_commands(tree, tree.files) == [
        "a.md: kgb run --sweet",
        "a.md: kgb rum",
        "a.md: kgb check --lax",
    ]


def test_every_make_target_exists(tree: Tree) -> None:
    named = {name for file in pages(tree) for name in re.findall(r"\bmake ([a-z]+)`", tree.text(file))}
    targets = set(re.findall(r"^([a-z]+):", tree.text(Path("Makefile")), flags=re.MULTILINE))
    assert {"demo", "test", "lint"} <= named <= targets


def sums(readme: str) -> dict[str, int]:
    """For each operator in the README's table the number of cases that it tells of."""
    return {name: int(counted) + int(rest or 0) for name, _, counted, rest in ROW.findall(readme)}


def test_the_table_in_the_readme_tells_of_every_case(tree: Tree) -> None:
    registry = load_registry()
    shown = sums(tree.text(Path("README.md")))
    planned = {name: len(registry.get(name).selected(Purpose.CHECK, Tier.SMOKE)) for name in shown}
    assert len(shown) >= 3
    assert shown == planned


def test_the_readme_tells_of_every_operator(tree: Tree) -> None:
    count = len(load_registry().suite("smoke"))
    text = tree.text(Path("README.md"))
    assert f"· {count} operators ·" in text
    assert f"{count} of {count} operators right" in text
