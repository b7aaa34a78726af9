"""Fenced blocks in markdown, with Python's parser as the judge of where a block ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kgb_core.kernels.entry import parse

_OPENING = re.compile(r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")
_PYTHON = frozenset({"", "py", "python", "python3", "triton"})
_MAX_CLOSINGS = 16
"""Closing fences tried for one block; a docstring with more examples than that is not met."""


@dataclass(frozen=True)
class Block:
    """The text inside one pair of fences."""

    language: str
    text: str
    line: int
    """Where the block's text begins, counted from 1."""
    closed: bool

    @property
    def claims_python(self) -> bool:
        """True where the tag says Python or there is none."""
        return self.language in _PYTHON


def fenced_blocks(text: str) -> Iterator[Block]:
    """Every fenced block, in order; fences of backticks and of tildes, indented ones, a last one unclosed."""
    lines = text.split("\n")
    position = 0
    while position < len(lines):
        opening = _OPENING.match(lines[position])
        if opening is None:
            position += 1
            continue
        end = _end(lines, position, opening)
        yield _block(lines, position, end, opening)
        position = end + 1


def _end(lines: list[str], start: int, opening: re.Match[str]) -> int:
    """The closing line: the nearest, or a later one if only so it parses (a fence in a docstring)."""
    closings = [i for i in range(start + 1, len(lines)) if _closes(lines[i], opening["fence"])]
    for end in [*closings[:_MAX_CLOSINGS], len(lines)]:
        if parse(_body(lines, start, end, opening)).tree is not None:
            return end
    return closings[0] if closings else len(lines)


def _closes(line: str, fence: str) -> bool:
    mark = line.strip()
    return len(mark) >= len(fence) and set(mark) == {fence[0]}


def _body(lines: list[str], start: int, end: int, opening: re.Match[str]) -> str:
    indent = re.compile(f"^[ \t]{{0,{len(opening['indent'])}}}")
    return "".join(indent.sub("", line) + "\n" for line in lines[start + 1 : end])


def _block(lines: list[str], start: int, end: int, opening: re.Match[str]) -> Block:
    words = opening["info"].strip().lower().replace("{", " ").split()
    closed = end < len(lines)
    # Without a closing fence the split's last, empty piece is no line of the block.
    last = end if closed or lines[-1] else end - 1
    return Block(
        language=words[0].strip(".}") if words else "",
        text=_body(lines, start, last, opening),
        line=start + 2,
        closed=closed,
    )
