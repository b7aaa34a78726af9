"""What `kgb compile --json` printed, as the page takes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgb_core.errors import UsageError
from kgb_core.report.html.compiled import read_compiled


def document(target: str = "chip:a1", status: str = "compiled") -> dict[str, Any]:
    result = {"target": target, "status": status, "ok": status == "compiled", "stage": "binary"}
    candidate = {
        "operator": "aten::add",
        "name": "add",
        "sha256": "0" * 64,
        "pack": "mine",
        "results": [result],
    }
    return {
        "schema": "kgb.compile/1",
        "targets": [{"name": target, "vendor": "chip"}],
        "candidates": [candidate],
    }


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content))
    return path


def test_several_files_are_put_together_and_the_last_word_counts(tmp_path: Path) -> None:
    files = [
        written(tmp_path / "a.json", document()),
        written(tmp_path / "b.json", document("chip:a2")),
        written(tmp_path / "c.json", document(status="compile_error")),
    ]
    found = read_compiled(files)
    assert found.targets == ("chip:a1", "chip:a2")
    assert [(cell.kernel, cell.target, cell.status, cell.ok) for cell in found.cells] == [
        ("mine/add", 0, "compile_error", False),
        ("mine/add", 1, "compiled", True),
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "its schema is not kgb.compile/1"),
        ('{"schema": "kgb.report/1"}', "its schema is not kgb.compile/1"),
        ("{", "truncated"),
        ('{"schema": "kgb.compile/1", "targets": []}', "candidates: Field required"),
    ],
)
def test_anything_else_is_refused_with_the_reason(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(UsageError) as raised:
        read_compiled([path])
    assert str(path) in raised.value.what
    assert why in raised.value.why
    assert "kgb compile" in raised.value.hint


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no compile-only results"):
        read_compiled([tmp_path / "absent.json"])
