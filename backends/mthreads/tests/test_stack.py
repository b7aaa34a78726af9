"""What is installed, found in files and metadata."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from kgb_backend_mthreads import stack


@pytest.mark.parametrize(
    ("folders", "name"),
    [
        (["nvidia", "amd"], None),
        (["nvidia", "mthreads"], "mthreads"),
        (["musa"], "musa"),
        ([], None),
    ],
)
def test_the_back_end_of_an_older_triton_is_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folders: list[str], name: str | None
) -> None:
    package = tmp_path / "triton"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('libcuda.so.1 not found')\n")
    for folder in folders:
        (package / "backends" / folder).mkdir(parents=True)
        (package / "backends" / folder / "driver.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "triton", raising=False)
    assert stack.triton_backend() == name


def test_the_back_end_of_a_newer_triton_is_an_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "triton_musa-3.6.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: triton-musa\nVersion: 3.6\n")
    (info / "entry_points.txt").write_text("[triton.backends]\nmthreads = triton.backends.mthreads\n")
    assert stack.triton_backend() is None
    monkeypatch.syspath_prepend(str(tmp_path))
    assert stack.triton_backend() == "mthreads"


def test_the_toolkit_is_where_the_variable_says(tmp_path: Path) -> None:
    named, usual = tmp_path / "named", tmp_path / "usual"
    usual.mkdir()
    assert stack.toolkit({"MUSA_HOME": str(named)}, usual) is None
    named.mkdir()
    assert stack.toolkit({"MUSA_HOME": str(named)}, usual) == named
    assert stack.toolkit({}, usual) == usual
    assert stack.toolkit({}, tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (
            json.dumps({"musa_toolkits": {"version": "4.3.6"}, "mudnn": {"version": ""}}),
            {"musa musa_toolkits": "4.3.6"},
        ),
        (json.dumps({"musa_toolkits": "4.3.6"}), {}),
        (json.dumps(["4.3.6"]), {}),
        ("4.3.6", {}),
        ("{", {}),
        (None, {}),
    ],
)
def test_versions_of_the_toolkit(tmp_path: Path, content: str | None, found: dict[str, str]) -> None:
    if content is not None:
        (tmp_path / "version.json").write_text(content)
    assert stack.toolkit_versions(tmp_path) == found


def test_no_toolkit_has_no_versions() -> None:
    assert stack.toolkit_versions(None) == {}
