"""Highlighting as numbers, so that the page builds text nodes and never takes markup from a source."""

from __future__ import annotations

from collections.abc import Iterator

from pygments.lexers.python import PythonLexer
from pygments.token import Token

_CLASSES = (
    (Token.Comment, 1),
    (Token.Literal.String, 2),
    (Token.Literal.Number, 3),
    (Token.Keyword, 4),
    (Token.Name.Decorator, 5),
    (Token.Name.Function, 6),
    (Token.Name.Class, 6),
    (Token.Name.Builtin, 7),
    (Token.Operator.Word, 4),
)
"""The numbers are those of the style sheet: `.t1` is a comment."""

LONGEST = 200_000
"""Characters of a source that is still highlighted."""


def tokens_of(source: str) -> tuple[int, ...]:
    """Class and length of each run of equal class, in turn; together they cover the source.

    Args:
        source: Python, or what a candidate takes for it; empty runs for one that is too long.
    """
    if len(source) > LONGEST:
        return ()
    runs: list[int] = []
    for kind, length in _runs(source):
        if runs and runs[-2] == kind:
            runs[-1] += length
        else:
            runs += [kind, length]
    return tuple(runs)


def _runs(source: str) -> Iterator[list[int]]:
    for _, token, text in PythonLexer().get_tokens_unprocessed(source):
        if text:
            yield [next((number for kind, number in _CLASSES if token in kind), 0), len(text)]
