"""`kgb report --html`: the page from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgb_core.errors import ExitCode
from kgb_core.models.record import Record
from kgb_core.report.html import page as html_page

Kgb = Callable[..., Any]


@pytest.fixture
def bundle(make_bundle: Callable[..., Path], make_record: Callable[..., Record]) -> Path:
    return make_bundle(make_record("u0"))


def test_a_page_is_written_and_its_path_is_said(kgb: Kgb, bundle: Path, tmp_path: Path) -> None:
    out = tmp_path / "pages" / "r.html"
    ended = kgb("report", str(bundle), "--html", str(out))
    assert (ended.code, ended.out) == (ExitCode.OK, f"Report   {out}\n")
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_with_json_the_document_is_printed_too(kgb: Kgb, bundle: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    assert kgb("report", str(bundle), "--html", str(out), "--json").json["schema"] == "kgb.report/1"
    assert out.exists()


def test_a_bundle_inside_which_something_is_broken_leaves_no_page(
    kgb: Kgb, bundle: Path, tmp_path: Path
) -> None:
    lines = (bundle / "results.jsonl").read_text()
    (bundle / "results.jsonl").write_text("not a record\n" + lines)
    ended = kgb("report", str(bundle), "--html", str(tmp_path / "r.html"))
    assert ended.code == ExitCode.USAGE
    assert "results.jsonl:1" in ended.err
    assert not (tmp_path / "r.html").exists()


def test_compile_only_results_are_read_before_anything_is_written(
    kgb: Kgb, bundle: Path, tmp_path: Path
) -> None:
    compiled = tmp_path / "c.json"
    compiled.write_text(json.dumps({"schema": "kgb.compile/1", "targets": [], "candidates": []}))
    out = tmp_path / "r.html"
    assert kgb("report", str(bundle), "--html", str(out), "--compiled", str(bundle)).code == ExitCode.USAGE
    assert not out.exists()
    assert kgb("report", str(bundle), "--html", str(out), "--compiled", str(compiled)).code == ExitCode.OK


def test_without_the_extra_the_command_that_mends_it_is_said(
    kgb: Kgb, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html_page, "_NEEDED", ("no_such_distribution",))
    ended = kgb("report", str(bundle), "--html", str(tmp_path / "r.html"))
    assert ended.code == ExitCode.USAGE
    assert ended.err.splitlines() == [
        "kgb: the HTML report can't be written.",
        "not installed: no_such_distribution",
        'python -m pip install "kgb-core[report]"',
    ]
