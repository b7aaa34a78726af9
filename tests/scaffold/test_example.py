"""The example is what the scaffold writes, filled in, and its note says what became of each file."""

from __future__ import annotations

import re
from pathlib import Path

from kgb_core.scaffold.names import Names
from kgb_core.scaffold.package import package_of

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "kgb-backend-hygon"
ROW = re.compile(r"^\| `([^`]+)` \| (as written|filled in|added|extended)\b", re.MULTILINE)


def made() -> dict[str, str]:
    """What the scaffold writes today."""
    return package_of(Names("hygon"))


def here() -> dict[str, str]:
    """The sources of the example."""
    places = [EXAMPLE / "src", EXAMPLE / "tests"]
    found = [path for place in places for path in place.rglob("*") if path.is_file()]
    found += [path for path in EXAMPLE.iterdir() if path.is_file()]
    kept = [path for path in found if not {"__pycache__", "data"} & set(path.parts)]
    return {
        str(path.relative_to(EXAMPLE)): path.read_text(encoding="utf-8")
        for path in kept
        if ".egg-info" not in str(path)
    }


def what_happened() -> dict[str, str]:
    """What became of each file since the scaffold wrote it."""
    before, now = made(), here()
    assert set(before) <= set(now)
    return {path: _happened(path, before, text) for path, text in now.items()}


def _happened(path: str, before: dict[str, str], text: str) -> str:
    if path not in before:
        return "added"
    if text == before[path]:
        return "as written"
    return "filled in" if "FILL IN" in before[path] else "extended"


def test_the_note_says_what_became_of_each_file() -> None:
    note = (EXAMPLE / "FILLED_IN.md").read_text(encoding="utf-8")
    assert dict(ROW.findall(note)) == what_happened()


def test_nothing_is_left_to_fill_in() -> None:
    assert [path for path, text in here().items() if "FILL IN" in text] == []
