"""`kgb new-backend`, really: written by an installed KGB, installed by pip, passed by its own tests."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "kgb-backend-hygon"


@pytest.mark.slow
def test_a_new_backend_installs_loads_and_passes(scratch: Any, tmp_path: Path) -> None:
    place = tmp_path / "x"
    told = json.loads(scratch.run("kgb", "new-backend", "demo", "-o", place, "--json").stdout)
    assert (told["schema"], told["backend"]) == ("kgb.new-backend/1", "demo")
    written = {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}
    assert set(told["files"]) == written
    assert [entry["function"] for entry in told["fill"]] == ["identity", "discover"]

    scratch.install(place)
    listed = json.loads(scratch.run("kgb", "backends", "--json").stdout)["backends"]
    assert ("demo", "loaded") in [(entry["name"], entry["state"]) for entry in listed]
    passed = scratch.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", place, where=tmp_path)
    assert " passed" in passed.stdout
    with pytest.raises(RuntimeError, match=r"there is a backend demo already"):
        scratch.run("kgb", "new-backend", "demo", "-o", tmp_path / "y")
    assert not (tmp_path / "y").exists()


@pytest.mark.slow
def test_a_backend_that_breaks_a_rule_does_not_pass(scratch: Any, tmp_path: Path) -> None:
    place = tmp_path / "x"
    scratch.run("kgb", "new-backend", "wrong", "-o", place)
    discovery = place / "src/kgb_backend_wrong/discovery.py"
    text = discovery.read_text(encoding="utf-8")
    discovery.write_text(text.replace("return []", 'raise OSError("no driver")'), encoding="utf-8")
    scratch.install(place)
    with pytest.raises(RuntimeError, match="failed"):
        scratch.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", place, where=tmp_path)


@pytest.mark.slow
def test_the_walk_through_comes_to_its_end(script: ModuleType, scratch: Any, tmp_path: Path) -> None:
    steps = script.walk_through(scratch, EXAMPLE, tmp_path)
    assert [step.name for step in steps][-1].startswith("conformance")
    assert all(step.seconds > 0 for step in steps)
