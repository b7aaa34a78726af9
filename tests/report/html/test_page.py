"""The file: one file without a network, the same for the same data, safe for whatever a candidate wrote."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from kgb_core.errors import BundleError, UsageError
from kgb_core.report.html import page as html_page
from kgb_core.report.html.model import Report
from kgb_core.report.html.page import SCRIPTS, page_of, write_page
from tests.report.html.making import HOSTILE

ASSETS = Path(html_page.__file__).with_name("assets")


def unpacked(text: str, name: str) -> Any:
    found = re.search(rf'id="blob-{name}">([^<]*)<', text)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_the_same_report_gives_the_same_file(report: Report, file: Path) -> None:
    assert page_of(report) == file.read_text(encoding="utf-8")


def test_nothing_of_a_candidate_stands_in_the_markup(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert "onerror" not in text
    assert text.count("</script>") == text.count("<script")
    place = [each["name"] for each in unpacked(text, "overview")["operators"]].index("aten::softmax")
    detail = unpacked(text, f"operator-{place}")
    said = [seen for kernel in detail["kernels"] for chip in kernel["chips"] for seen in chip["observations"]]
    assert HOSTILE in [seen.get("message") for seen in said]
    errors = next(seen["errors"] for seen in said if "errors" in seen)
    assert (errors["max_abs"], errors["max_rel"]) == ("Infinity", "NaN")


def test_control_characters_of_a_source_are_written_out(file: Path, report: Report) -> None:
    texts = [source.text for detail in report.details for source in detail.sources]
    assert all(text and text.replace("\n", "").isprintable() for text in texts)


def test_the_policy_allows_the_two_scripts_and_no_connection(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    script = re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    assert policy is not None
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"sha256-{digest}" in policy[1]
    assert "default-src &#39;none&#39;" in policy[1]
    assert "unsafe-eval" not in policy[1]
    assert not re.search(r"(src|href)=.?https?:", text)


def test_every_script_is_in_the_page_and_none_can_end_its_element() -> None:
    assert {path.name for path in ASSETS.glob("*.js")} == set(SCRIPTS)
    for path in ASSETS.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert "</script" not in text
        assert "<!--" not in text
        assert "innerHTML" not in text


def test_a_file_that_is_there_is_replaced_whole(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "new" / "r.html"
    write_page(report, path)
    path.write_text("old")
    write_page(report, path)
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [each.name for each in path.parent.iterdir()] == ["r.html"]


def test_a_place_that_can_not_be_written_is_named(report: Report, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BundleError, match="can't write"):
        write_page(report, tmp_path / "file" / "r.html")


def test_a_missing_extra_says_what_to_install(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html_page, "_NEEDED", ("jinja2", "no_such_distribution"))
    with pytest.raises(UsageError) as raised:
        write_page(report, tmp_path / "r.html")
    assert str(raised.value).splitlines() == [
        "the HTML report can't be written.",
        "not installed: no_such_distribution",
        'python -m pip install "kgb-core[report]"',
    ]
