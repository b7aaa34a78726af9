"""Running a vendor's tool: its output in the plain locale, or one line on why there is none."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from kgb_core.plugins.environment import module_version
from kgb_core.plugins.tools import run_tool


def test_a_tools_output_comes_back() -> None:
    said = run_tool(["sh", "-c", "echo $LANG $LC_ALL"])
    assert (said.text, said.problem) == ("C C\n", "")


def test_a_missing_tool_is_a_problem() -> None:
    assert run_tool(["no-such-smi"]).problem == "no-such-smi not found"


def test_a_tool_that_fails_is_quoted() -> None:
    said = run_tool(["sh", "-c", "echo half; echo 'driver not loaded' >&2; exit 9"])
    assert (said.text, said.problem) == ("half\n", "sh ended with 9: driver not loaded")


def test_a_tool_that_hangs_is_given_up() -> None:
    began = time.monotonic()
    assert run_tool(["sleep", "60"], timeout_s=0.2).problem == "sleep gave no answer in 0.2 s"
    assert time.monotonic() - began < 10


def test_a_tool_that_can_not_run_is_a_problem(tmp_path: Path) -> None:
    program = tmp_path / "smi"
    program.write_bytes(b"\x7fELF of another machine")
    program.chmod(0o755)
    assert "can't be run" in run_tool([str(program)]).problem


def test_output_that_is_no_utf8_does_not_stop_anything() -> None:
    assert "�" in run_tool(["printf", r"\377"]).text


def test_the_version_of_a_module_is_its_distributions() -> None:
    assert module_version("no_such_module") is None
    assert module_version("packaging") == sys.modules["packaging"].__version__  # type: ignore[attr-defined]
