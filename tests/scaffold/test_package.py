"""A package is written whole or not at all, and what is in it is Python with two functions to fill in."""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from kgb_core.errors import UsageError
from kgb_core.scaffold.names import Names
from kgb_core.scaffold.package import FILES, functions_to_fill, package_of, write_package

NAMES = Names("my_chip")
TEXTS = package_of(NAMES)


def paths_below(folder: Path) -> dict[str, str]:
    """The files below a folder, with their text."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in found}


def refused(texts: Mapping[str, str], place: Path) -> UsageError:
    """The error of a package that can't be written; it has three lines."""
    with pytest.raises(UsageError) as caught:
        write_package(texts, place)
    assert len(str(caught.value).splitlines()) == 3
    return caught.value


def test_every_template_is_used() -> None:
    templates = {entry.name for entry in (files("kgb_core.scaffold") / "templates").iterdir()}
    assert templates == set(FILES.values())


def test_every_module_is_python_and_says_what_it_is_for() -> None:
    modules = {path: ast.parse(text) for path, text in TEXTS.items() if path.endswith(".py")}
    assert len(modules) == 7
    assert all(ast.get_docstring(module) for module in modules.values())


def test_nothing_of_the_template_is_left() -> None:
    assert [path for path, text in TEXTS.items() if "$" in path + text] == []


def test_two_functions_are_marked_and_no_more() -> None:
    marked = {
        (path, node.name)
        for path, text in TEXTS.items()
        if path.endswith(".py")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and "FILL IN" in (ast.get_docstring(node) or "")
    }
    assert marked == set(functions_to_fill(NAMES).items())
    assert sum(text.count("FILL IN") for text in TEXTS.values()) == len(marked) == 2


@pytest.mark.parametrize("place", ["new", "a/b/c", "empty", "empty/.", "a/../b"])
def test_the_files_are_there_and_nothing_else(tmp_path: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    write_package(TEXTS, tmp_path / place)
    assert paths_below((tmp_path / place).resolve()) == TEXTS
    assert not list(tmp_path.rglob(".kgb*"))


def test_the_current_directory_can_be_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_package(TEXTS, Path())
    assert Path("pyproject.toml").is_file()


def test_the_directory_has_the_usual_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_package(TEXTS, tmp_path / "x")
    finally:
        os.umask(before)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o750


def test_what_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    error = refused(TEXTS, tmp_path)
    assert error.why == "it has notes.txt."
    assert paths_below(tmp_path) == {"notes.txt": "mine"}


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    assert "no directory" in refused(TEXTS, tmp_path / "x").what
    assert "can't be written" in refused(TEXTS, tmp_path / "x" / "y").what
    assert paths_below(tmp_path) == {"x": "mine"}


@pytest.mark.parametrize("place", ["new", "a/b", "empty"])
def test_a_fault_halfway_leaves_nothing(tmp_path: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    error = refused({**TEXTS, "LICENSE/can't": "a file lies where its folder would"}, tmp_path / place)
    assert "LICENSE" in error.why
    assert list(tmp_path.rglob("*")) == [tmp_path / "empty"]


def test_a_move_that_fails_halfway_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = iter([Path.rename, Path.rename, _fails])
    monkeypatch.setattr(Path, "rename", lambda self, target: next(moves)(self, target))
    assert "disk on fire" in refused(TEXTS, tmp_path).why
    assert list(tmp_path.iterdir()) == []


def _fails(source: Path, target: Path) -> Path:
    raise OSError(5, "disk on fire", str(target))
