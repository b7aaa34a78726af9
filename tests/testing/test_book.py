"""The book of rules: its page says what it says, its hash follows its files, a star imports all of it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from kgb_core.models.base import FrozenModel
from kgb_core.models.conformance import Conformance, ConformanceState, ConformanceTier
from kgb_core.testing import book, suite
from kgb_core.testing.book import rules, suite_identity

PAGE = Path(__file__).parents[2] / "docs/reference/conformance.md"
ROW = re.compile(r"^\| `([\w-]+)` \| (.*) \|$", re.MULTILINE)


def rows(heading: str) -> dict[str, str]:
    """The table under a heading of the page."""
    parts = re.split(r"^#+ (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(ROW.findall(dict(zip(parts[1::2], parts[2::2], strict=True))[heading]))


@pytest.mark.parametrize(
    ("heading", "tier"),
    [("Without a chip", ConformanceTier.NO_CHIP), ("With a chip", ConformanceTier.CHIP)],
)
def test_the_page_has_every_rule_with_its_statement(heading: str, tier: ConformanceTier) -> None:
    assert rows(heading) == {rule.name: rule.statement for rule in rules() if rule.tier is tier}


def fields(model: type[FrozenModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def test_the_page_has_the_fields_of_the_record_and_the_states() -> None:
    assert list(rows("The record")) == fields(Conformance)
    assert list(rows("In bundles")) == [state.value for state in ConformanceState]


def test_no_two_rules_have_one_name() -> None:
    names = [rule.name for rule in rules()]
    assert len(names) == len(set(names))
    assert all(rule.statement for rule in rules())


def test_importing_everything_brings_every_rule_and_the_plugins() -> None:
    assert set(suite.__all__) == {"pytest_plugins", *(rule.function.__name__ for rule in rules())}


def test_the_hash_follows_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = suite_identity()
    assert before == suite_identity()
    copy = tmp_path / "testing"
    shutil.copytree(Path(book.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(book, "__file__", str(copy / "book.py"))
    assert suite_identity() == before
    (copy / "rules" / "timing.py").write_text("")
    assert suite_identity().sha256 != before.sha256
