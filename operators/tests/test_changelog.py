"""The suite's change log tells of the version that the distribution has."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def latest(text: str) -> str:
    """The version that the topmost entry is about."""
    found = re.search(r"^## (\d+\.\d+\.\d+)", text, re.MULTILINE)
    return found.group(1) if found else ""


def declared(text: str) -> str:
    """The version of the distribution."""
    found = re.search(r'^version = "(.+)"$', text, re.MULTILINE)
    return found.group(1) if found else "none"


def test_the_topmost_entry_is_about_the_version_at_hand() -> None:
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert latest(log) == declared(project)


def test_a_forgotten_entry_is_seen() -> None:
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert latest(log) != declared('version = "9.9.9"\n')
    assert latest("# Changes\n") != declared("")
