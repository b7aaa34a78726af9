"""The commands in the documents exist, `--json` prints what the reference says, and the README adds up."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgb_core.models.case import Purpose, Tier
from kgb_core.operators.registry import load_registry

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

KGB = Path(sys.executable).with_name("kgb")
LINE = re.compile(r"^(?:\$ | {4})?(?:\S*/)?kgb ([a-z-]+)\b(.*)$", re.MULTILINE)
INLINE = re.compile(r"`kgb ([a-z-]+)( [^`]*)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
VERBS = re.compile(r"^  ([a-z-]+) {2,}\S", re.MULTILINE)
DOCUMENT = re.compile(r"^\| `--json`[^\n]*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)
FIELD = re.compile(r"^\| `(\w+)` \| (.*) \|$", re.MULTILINE)
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


@dataclass(frozen=True)
class Described:
    """A JSON document as the reference has it."""

    schema: str
    fields: list[str]


def described(page: str) -> dict[str, list[Described]]:
    """The documents of each verb."""
    sections = re.split(r"^## kgb ([a-z-]+)$", page, flags=re.MULTILINE)
    tables = {verb: DOCUMENT.findall(text) for verb, text in zip(sections[1::2], sections[2::2], strict=True)}
    return {verb: [_described(rows) for rows in found] for verb, found in tables.items()}


def _described(rows: str) -> Described:
    fields = dict(FIELD.findall(rows))
    return Described(fields["schema"].strip("`"), list(fields))


def reference(tree: Tree) -> dict[str, list[Described]]:
    """What the page on the command line describes."""
    return described(tree.text(Path("docs/reference/command-line.md")))


def test_every_verb_is_described(tree: Tree) -> None:
    top = subprocess.run([KGB, "--help"], capture_output=True, text=True, check=True).stdout
    verbs = VERBS.findall(top.partition("Verbs:")[2].partition("Exit codes")[0])
    assert "run" in verbs
    assert list(reference(tree)) == verbs


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a candidate, and a bundle of it; the document of the run is `run.json`."""
    here = tmp_path_factory.mktemp("judged")
    (here / "aten__t.py").write_text("def t(self):\n    return self.transpose(0, 1)\n")
    command = [KGB, "run", "aten__t.py", "--backend", "cpu", "--out", "bundle", "--json"]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    (here / "run.json").write_text(done.stdout)
    return here


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "doctor",
        "devices",
        "backends",
        "operators",
        "operators aten::t",
        "kernels aten__t.py",
        "show bundle aten::t",
        "report bundle",
        "check bundle",
        "compare bundle bundle",
    ],
)
def test_json_is_what_the_reference_says(tree: Tree, judged: Path, command: str) -> None:
    verb = command.partition(" ")[0]
    done = subprocess.run(
        [KGB, *command.split(), "--json"], cwd=judged, capture_output=True, text=True, check=False
    )
    document = json.loads(done.stdout)
    assert Described(document["schema"], list(document)) in reference(tree)[verb]


@pytest.mark.slow
def test_the_document_of_a_run_is_what_the_reference_says(tree: Tree, judged: Path) -> None:
    document = json.loads((judged / "run.json").read_text())
    assert [Described(document["schema"], list(document))] == reference(tree)["run"]


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
