"""What is installed, found in files and metadata."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kgb_backend_metax import stack


@pytest.mark.parametrize(
    ("folders", "name"),
    [(["nvidia", "amd"], None), (["nvidia", "metax"], "metax"), (["maca"], "maca"), ([], None)],
)
def test_the_back_end_of_an_older_triton_is_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folders: list[str], name: str | None
) -> None:
    package = tmp_path / "triton"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('libmcruntime.so not found')\n")
    for folder in folders:
        (package / "backends" / folder).mkdir(parents=True)
        (package / "backends" / folder / "driver.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "triton", raising=False)
    assert stack.triton_backend() == name


def test_the_back_end_of_a_newer_triton_is_an_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "triton_metax-3.6.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: triton-metax\nVersion: 3.6\n")
    (info / "entry_points.txt").write_text("[triton.backends]\nmetax = triton.backends.metax\n")
    assert stack.triton_backend() is None
    monkeypatch.syspath_prepend(str(tmp_path))
    assert stack.triton_backend() == "metax"


@pytest.mark.parametrize(
    ("version", "ours"),
    [
        ("2.8.0+metax3.7.2.0", True),
        ("2.13.0+cpu", False),
        ("2.7.1+corex.4.4.0", False),
        ("2.9.0", False),
        (None, False),
    ],
)
def test_metaxs_build_is_told_by_its_version(version: str | None, ours: bool) -> None:
    assert stack.is_metax_build(version) is ours


def test_the_toolkit_is_where_the_variable_says(tmp_path: Path) -> None:
    named, usual = tmp_path / "named", tmp_path / "usual"
    usual.mkdir()
    assert stack.toolkit({"MACA_PATH": str(named)}, usual) is None
    named.mkdir()
    assert stack.toolkit({"MACA_PATH": str(named)}, usual) == named
    assert stack.toolkit({}, usual) == usual
    assert stack.toolkit({}, tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("Version:3.7.1.5\n", "3.7.1.5"),
        ("MACA\r\nVersion: 3.8.1.3\r\n", "3.8.1.3"),
        ("3.3.0.15\n", "3.3.0.15"),
        ("", None),
        ("no number here", None),
        (None, None),
    ],
)
def test_the_version_of_the_toolkit(tmp_path: Path, content: str | None, found: str | None) -> None:
    if content is not None:
        (tmp_path / "Version.txt").write_text(content)
    assert stack.toolkit_version(tmp_path) == found


def test_no_toolkit_has_no_version() -> None:
    assert stack.toolkit_version(None) is None
