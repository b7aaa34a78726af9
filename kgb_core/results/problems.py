"""What `kgb check` can say of a bundle."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from kgb_core.errors import BundleError
from kgb_core.models.base import FrozenModel

_SHOWN = 3


class Severity(str, Enum):
    """How bad a problem is."""

    ERROR = "error"
    """The bundle says something that can't be right."""
    WARNING = "warning"
    """The bundle is incomplete in a way that an interrupted run explains."""
    NOTE = "note"
    """Nothing is wrong; whoever uses the bundle must know it all the same."""


class Problem(FrozenModel):
    """One thing that is wrong or must be known, with its place."""

    file: str
    """Inside the bundle."""
    line: int | None = None
    severity: Severity
    message: str

    @property
    def place(self) -> str:
        """`results.jsonl:12`, or the file alone."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def below(self, directory: str) -> Problem:
        """The same, of a bundle that lies in a directory of another one."""
        return self.model_copy(update={"file": f"{directory}/{self.file}"})

    def strictly(self) -> Problem:
        """The same, with no excuse for an interrupted run."""
        return (
            self.model_copy(update={"severity": Severity.ERROR})
            if self.severity is Severity.WARNING
            else self
        )


def error(file: str, message: str, line: int | None = None) -> Problem:
    """Something that can't be right."""
    return Problem(file=file, line=line, severity=Severity.ERROR, message=message)


def warning(file: str, message: str, line: int | None = None) -> Problem:
    """Something that an interrupted run explains."""
    return Problem(file=file, line=line, severity=Severity.WARNING, message=message)


def note(file: str, message: str) -> Problem:
    """Something to know."""
    return Problem(file=file, severity=Severity.NOTE, message=message)


def unreadable(root: str, found: BundleError) -> Problem:
    """A file or a line that can't be read, from the error that says where."""
    place, _, rest = found.what.removeprefix(f"{root}/").partition(": ")
    file, _, line = place.partition(":")
    message = ": ".join(part for part in (rest or found.what, found.why) if part)
    return error(file if rest else ".", message, int(line) if line.isdigit() else None)


def faults(problems: Iterable[Problem]) -> list[Problem]:
    """The problems without the notes."""
    return [problem for problem in problems if problem.severity is not Severity.NOTE]


def some(names: Iterable[str]) -> str:
    """The first names of many, and how many more there are."""
    listed = list(names)
    more = len(listed) - _SHOWN
    return ", ".join(listed[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
