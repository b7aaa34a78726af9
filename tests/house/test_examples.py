"""The examples in the documents are run, page by page, in a scratch directory, and print what the page says.

A fence marked `python test` is executed, one marked `python save=NAME` is written to a file, and one marked
`console test` has its commands run by a shell and the output compared. In expected output `…` stands for any
text in a line, and for any lines when it is alone in one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Tree

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w+) (test|save=\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = 240
MARK = "<<<end of output>>>"


@dataclass(frozen=True)
class Example:
    """A marked fence.

    Attributes:
        language: `python` or `console`.
        mark: `test` or `save=NAME`.
        text: what is inside.
    """

    language: str
    mark: str
    text: str


@dataclass(frozen=True)
class Step:
    """A command with the output that the page shows."""

    command: str
    output: str


def examples(page: str) -> list[Example]:
    """The marked fences of a page, in order."""
    return [Example(*match.groups()) for match in FENCE.finditer(page)]


def steps(text: str) -> list[Step]:
    """The commands of a console fence: `$ ` begins one, `> ` goes on with it."""
    found: list[Step] = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        command = [lines.pop(0)]
        while lines and lines[0].startswith("> "):
            command.append(lines.pop(0)[2:])
        found.append(Step("\n".join(command), "\n".join(lines)))
    return found


def agrees(expected: str, printed: str) -> bool:
    """True when output is what a page shows."""
    pattern = "".join(_line(line) for line in expected.strip().splitlines())
    lines = printed.strip().splitlines()
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None


def _line(line: str) -> str:
    if line.strip() == "…":
        return r"(?:[^\n]*\n)*?"
    return r"[^\n]*?".join(re.escape(part) for part in line.rstrip().split("…")) + r"[ ]*\n"


def run_page(page: str, scratch: Path) -> list[str]:
    """Run a page's examples; returns where it is wrong."""
    wrong: list[str] = []
    for example in examples(page):
        if example.mark.startswith("save="):
            (scratch / example.mark.removeprefix("save=")).write_text(example.text, encoding="utf-8")
        elif example.language == "python":
            wrong += _python(example.text, scratch)
        else:
            wrong += _console(steps(example.text), scratch)
    return wrong


def _python(code: str, scratch: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=scratch,
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    return [f"python example:\n{code}\n{done.stderr}"] if done.returncode else []


def _console(session: list[Step], scratch: Path) -> list[str]:
    """All commands of one fence run in one shell, so that `cd`, variables and `$?` work."""
    script = "".join(f"{step.command}\nkept=$?; echo '{MARK}'; (exit $kept)\n" for step in session)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=scratch,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    printed = done.stdout.split(f"{MARK}\n")
    if len(printed) != len(session) + 1:
        return [f"the shell ended early:\n{done.stdout}"]
    return [
        f"$ {step.command}\n--- the page shows\n{step.output}\n--- it printed\n{output}"
        for step, output in zip(session, printed[:-1], strict=True)
        if not agrees(step.output, output)
    ]


def _environment() -> dict[str, str]:
    """The program first on the path, no colour, and none of the caller's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KGB_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "PATH": path, "NO_COLOR": "1", "COLUMNS": "110", "REPOSITORY": str(ROOT)}


PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if path.is_file() and examples(path.read_text(encoding="utf-8"))
)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_examples_do_what_the_page_says(tree: Tree, name: str, tmp_path: Path) -> None:
    wrong = run_page(tree.text(Path(name)), tmp_path)
    assert not wrong, "\n\n".join(wrong)


def test_a_wrong_example_is_found(tmp_path: Path) -> None:
    page = "```python save=a.txt\nhello\n```\n```console test\n$ cat a.txt\nhello\n$ cat a.txt\nbye\n```\n"
    (only,) = run_page(page, tmp_path)
    assert "bye" in only
    assert run_page("```python test\nassert 1 == 2\n```\n", tmp_path)
    assert run_page("```console test\n$ exit\n$ echo a\na\n```\n", tmp_path)
    assert not run_page("```python\nassert 1 == 2\n```\n", tmp_path)


def test_one_shell_runs_a_fence(tmp_path: Path) -> None:
    page = "```console test\n$ cd /\n$ pwd\n/\n$ false\n$ echo $?\n1\n$ echo a \\\n> b\na b\n```\n"
    assert run_page(page, tmp_path) == []


@pytest.mark.parametrize(
    ("expected", "printed", "equal"),
    [
        ("a … c", "a b c", True),
        ("a\n…\nd", "a\nb\nc\nd", True),
        ("a\n…", "a", True),
        ("a", "a\nb", False),
        ("a … c", "a\nc", False),
        ("", "a", False),
    ],
)
def test_an_ellipsis_stands_for_anything(expected: str, printed: str, equal: bool) -> None:
    assert agrees(expected, printed) is equal
