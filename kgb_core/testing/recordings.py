"""What a vendor's tool really printed, and a program that prints it again.

A vendor names its recordings with a fixture `recordings` in its test file or conftest; without one, the suite
makes do with outputs that it invents.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Recording:
    """One machine as a vendor's tool tells of it.

    Attributes:
        name: shown when a rule fails.
        tool: the program that is looked up in PATH.
        answers: what it prints, by a word that stands in its arguments; the first that fits is taken, and the
            empty word fits always.
        devices: how many devices it tells of; `None` where that isn't to be checked.
        exit_code: what the tool ended with.
        errors: what it wrote to standard error.
    """

    name: str
    tool: str
    answers: Mapping[str, bytes]
    devices: int | None = None
    exit_code: int = 0
    errors: bytes = field(default=b"", repr=False)

    @classmethod
    def of_files(
        cls, tool: str, folder: Path, files: Mapping[str, str], devices: int | None = None
    ) -> Recording:
        """A recording kept in files, named after the first of them.

        Args:
            tool: the program.
            folder: where the files lie.
            files: what is printed, by a word of the arguments.
            devices: how many devices are told of.
        """
        answers = {word: (folder / file).read_bytes() for word, file in files.items()}
        return cls(next(iter(files.values())), tool, answers, devices)


def recordings_fixture(recordings: Iterable[Recording]) -> Any:
    """Make the fixture `recordings`, which names what a vendor's tool printed."""
    kept = tuple(recordings)

    @pytest.fixture(scope="module")
    def named() -> tuple[Recording, ...]:
        return kept

    return named


def install(recording: Recording, folder: Path) -> None:
    """Write the tool of a recording into a folder that will be all of PATH.

    Args:
        recording: what it prints.
        folder: must exist.
    """
    cases = [
        f"*{shlex.quote(word)}*) {_print(folder / f'{recording.tool}.{number}', text)};;"
        for number, (word, text) in enumerate(recording.answers.items())
    ]
    errors = _print(folder / f"{recording.tool}.errors", recording.errors) + " >&2"
    lines = ["#!/bin/sh", 'case "$*" in', *cases, "esac", errors, f"exit {recording.exit_code}", ""]
    program = folder / recording.tool
    program.write_text("\n".join(lines), encoding="utf-8")
    program.chmod(0o755)


def _print(file: Path, text: bytes) -> str:
    file.write_bytes(text)
    return f"/bin/cat {shlex.quote(str(file))}"
