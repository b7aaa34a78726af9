"""The documents say what the code says: hooks, verdicts, exit codes, records, rooms, links."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgb_core import hookspecs
from kgb_core.errors import ExitCode
from kgb_core.models.base import FrozenModel
from kgb_core.models.device import Device
from kgb_core.models.manifest import Manifest, System
from kgb_core.models.plan import Plan
from kgb_core.models.plugins import LoadState
from kgb_core.models.record import (
    BackendRef,
    CandidateRef,
    CaseRef,
    Errors,
    Evidence,
    Finding,
    Record,
)
from kgb_core.models.timing import Interval, Summary, Timing
from kgb_core.models.tolerance import Tolerance
from kgb_core.models.verdict import Verdict
from kgb_core.plugins.defaults import CoreDefaults
from kgb_core.results.merged import Merged

if TYPE_CHECKING:
    from conftest import PlantedTree, Tree

HEAD = re.compile(r"^\|.*\|\n\|[-|]+\|$", re.MULTILINE)
ROW = re.compile(r"^\| `?([^|`]+?)`? \|(.*)\|$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

RECORD_PAGE = (
    Record,
    CaseRef,
    CandidateRef,
    BackendRef,
    Device,
    Evidence,
    Finding,
    Errors,
    Tolerance,
    Timing,
    Summary,
    Interval,
)
BUNDLE_PAGE = (Plan, System, Manifest, Merged)


def sections(page: str) -> dict[str, str]:
    """The parts of a page by their heading, whatever its level."""
    parts = re.split(r"^#+ (.+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def table(text: str) -> dict[str, str]:
    """The rows of the tables in a text, heads left out: first cell, and the others as they are."""
    return {match[1]: match[2].strip() for match in ROW.finditer(HEAD.sub("", text))}


def fields(model: type[FrozenModel]) -> list[str]:
    """The keys of a record in JSON."""
    return [field.alias or name for name, field in model.model_fields.items()]


def hooks() -> dict[str, ast.FunctionDef]:
    """The hook specifications, as written."""
    module = ast.parse(inspect.getsource(hookspecs))
    return {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}


def signature(hook: ast.FunctionDef) -> str:
    """A hook's definition in one line."""
    assert hook.returns is not None
    return f"def {hook.name}({ast.unparse(hook.args)}) -> {ast.unparse(hook.returns)}"


def page(tree: Tree, name: str) -> str:
    """A reference page."""
    return tree.text(Path("docs/reference", name))


@pytest.mark.parametrize("name", list(hooks()))
def test_each_hook_is_described_with_its_signature_and_its_words(tree: Tree, name: str) -> None:
    described = sections(page(tree, "hooks.md"))[name]
    assert f"```python\n{signature(hooks()[name])}\n```" in described
    assert " ".join((ast.get_docstring(hooks()[name]) or "").split()) in " ".join(described.split())


def test_no_hook_is_described_that_does_not_exist(tree: Tree) -> None:
    described = [heading for heading in sections(page(tree, "hooks.md")) if heading.startswith("kgb_")]
    assert sorted(described) == sorted(hooks())


def test_the_hooks_at_a_glance(tree: Tree) -> None:
    glance = sections(page(tree, "hooks.md"))["At a glance"]
    rows = table(glance)
    assert list(rows) == list(hooks())
    assert {name for name, row in rows.items() if row.startswith("yes")} == hookspecs.REQUIRED
    of_the_core = {name for name, row in rows.items() if "the core's own" in row}
    assert of_the_core == {name for name in dir(CoreDefaults) if name.startswith("kgb_")}
    major, minor = hookspecs.HOOK_API
    assert f"version {major}.{minor} of the contract: `api = ({major}, {minor})`" in glance


def test_the_states_of_a_plugin(tree: Tree) -> None:
    states = table(sections(page(tree, "hooks.md"))["What becomes of a plugin"])
    assert list(states) == [state.value for state in LoadState]


def test_each_verdict_stands_under_its_family(tree: Tree) -> None:
    described = sections(page(tree, "verdicts.md"))
    found = {verdict: family for family, text in described.items() for verdict in table(text)}
    assert found == {verdict.value: verdict.family.value for verdict in Verdict}


def test_each_verdict_says_whether_it_counts(tree: Tree) -> None:
    rows = table(page(tree, "verdicts.md"))
    counts = {verdict: rest.partition(" ")[0] for verdict, rest in rows.items()}
    assert counts == {verdict.value: "yes" if verdict.counts else "no" for verdict in Verdict}


def test_exit_codes(tree: Tree) -> None:
    rows = table(page(tree, "exit-codes.md"))
    found = {int(code): rest.partition(" ")[0].strip("`") for code, rest in rows.items()}
    assert found == {code.value: code.name for code in ExitCode}


@pytest.mark.parametrize("model", RECORD_PAGE, ids=lambda model: model.__name__)
def test_the_fields_of_a_record(tree: Tree, model: type[FrozenModel]) -> None:
    assert list(table(sections(page(tree, "records.md"))[model.__name__])) == fields(model)


@pytest.mark.parametrize("model", BUNDLE_PAGE, ids=lambda model: model.__name__)
def test_the_fields_of_a_bundle(tree: Tree, model: type[FrozenModel]) -> None:
    assert list(table(sections(page(tree, "bundles.md"))[model.__name__])) == fields(model)


def test_each_room_of_the_core_has_a_row_in_contributing(tree: Tree) -> None:
    rooms = {f"kgb_core/{file.parts[1]}/" for file in tree.below("kgb_core") if len(file.parts) > 2}
    described = table(sections(tree.text(Path("CONTRIBUTING.md")))["Where a change belongs"])
    assert {room for room in described if room.startswith("kgb_core/")} >= rooms


def test_each_page_can_be_reached_from_the_index(tree: Tree) -> None:
    index = tree.text(Path("docs/index.md"))
    linked = {f"docs/{target.partition('#')[0]}" for target in LINK.findall(index)}
    pages = {str(file) for file in tree.below("docs") if file.suffix == ".md"} - {"docs/index.md"}
    assert pages - linked == set()


def dead_links(tree: Tree) -> list[str]:
    """Links between pages that lead to no file, or to no heading in it."""
    return [
        f"{file}: {target}"
        for file in tree.files
        if file.suffix == ".md"
        for target in LINK.findall(FENCE.sub("", tree.text(file)))
        if "://" not in target and not _leads_somewhere(tree, file, target)
    ]


def _leads_somewhere(tree: Tree, file: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    found = (tree.root / file.parent / path).resolve() if path else tree.root / file
    if not anchor or not found.is_file():
        return found.exists()
    return anchor in set(_anchors(found.read_text(encoding="utf-8")))


def _anchors(text: str) -> Iterator[str]:
    for heading in HEADING.findall(FENCE.sub("", text)):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_links_lead_somewhere(tree: Tree) -> None:
    assert dead_links(tree) == []


def test_a_dead_link_is_found(planted: PlantedTree) -> None:
    tree = planted(
        {
            "docs/a.md": "# A\n[b](b.md#two-words), [c](c.md), [d](b.md#three), [e](#a)\n```\n[x](y)\n```\n",
            "docs/b.md": "# B\n## Two words\n",
        }
    )
    assert dead_links(tree) == ["docs/a.md: c.md", "docs/a.md: b.md#three"]


def test_a_table_is_read_without_its_head() -> None:
    assert table("| field | what it holds |\n|---|---|\n| `run` | the id |\n| 70 | `INTERNAL` | x |\n") == {
        "run": "the id",
        "70": "`INTERNAL` | x",
    }
