"""A plugin's own conformance record is found beside its package, and importing the package is not needed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kgb_core.plugins.shipped import shipped_conformance

MODULE = "kgb_backend_that_can_not_be_imported"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed plugin whose import raises."""
    folder = tmp_path / MODULE
    folder.mkdir()
    (folder / "__init__.py").write_text("raise SystemExit('it was imported')\n")
    info = tmp_path / "kgb_backend_shy-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kgb-backend-shy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[kgb.backends]\nshy = {MODULE}:Backend\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_the_record_is_a_file_in_the_package(package: Path) -> None:
    (package / "conformance.json").write_text("{}")
    assert shipped_conformance("shy") == package / "conformance.json"
    assert MODULE not in sys.modules


def test_a_plugin_without_one_ships_none(package: Path) -> None:
    assert shipped_conformance("shy") is None
    assert shipped_conformance("nobody") is None
