"""Code that stands in prose without fences: found by what lines begin with, proved by parsing."""

from __future__ import annotations

import keyword
import re

from kgb_core.kernels.entry import parse

_DEFINITION = re.compile(
    r"import [\w.]+(?: as \w+)?\s*(?:[,#;]|$)|from [\w.]+ import |(?:async )?def \w+\(|class \w+\s*[(:]|@\w"
)
_DOCSTRING = re.compile(r"[rbuf]{0,2}(?:\"\"\"|''')")
_ASSIGNMENT = re.compile(r"[A-Za-z_][\w.]*(?:\[[^\]]*\])?(?:, *[A-Za-z_]\w*)* *(?::[^=]+)?=[^=]")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_RULER = re.compile(r"[-*_=\s]+$")
_SINGLE_WORD = re.compile(r"[A-Za-z]+$")
_FIRST_WORD = re.compile(r"[A-Za-z_]+")
_MAX_TRAILING = 400
"""Lines of prose after the code; more than that is no remark."""


def looks_like_code(text: str) -> bool:
    """True when a line of the text begins as Python code does."""
    return any(_is_code(line) for line in text.split("\n"))


def begins_as_code(text: str) -> bool:
    """True when definitions or imports stand before the first fence: then the fences are a docstring's."""
    for line in text.split("\n"):
        if _FENCE.match(line):
            return False
        if _DEFINITION.match(line):
            return True
    return False


def without_prose(text: str) -> str | None:
    """The module between leading and trailing lines of prose; `None` where there is none.

    Only lines that read as prose are cut. A line of code that does not parse stays, and then nothing is
    found: cutting it would judge another program than the one that was written.
    """
    lines = text.split("\n")
    start = next((i for i, line in enumerate(lines) if not _is_prose(line)), len(lines))
    for end in range(len(lines), max(start, len(lines) - _MAX_TRAILING), -1):
        candidate = "\n".join(lines[start:end]).rstrip("\n") + "\n"
        if lines[end - 1].strip() and parse(candidate).has_code:
            return candidate
        if not _is_prose(lines[end - 1]):
            return None
    return None


def _is_code(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_DEFINITION, _DOCSTRING, _ASSIGNMENT))


def _is_prose(line: str) -> bool:
    """Blank, a comment, a ruler, one bare word, or words that are no Python."""
    if not line.strip() or line.startswith("#") or _SINGLE_WORD.match(line) or _RULER.match(line):
        return True
    if _is_code(line) or _FENCE.match(line) or parse(line.strip()).tree is not None:
        return False
    word = _FIRST_WORD.search(line)
    return word is not None and not keyword.iskeyword(word.group())
